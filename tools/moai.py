#!/usr/bin/python3
"""moai.py OUT.obj: a stone head after those of Easter Island, as a closed mesh 1 m high.

Its parts are rounded boxes and ellipsoids, melted into one distance field whose zero is meshed.
"""
import sys

import numpy as np
from skimage.measure import marching_cubes


def box(p, centre, half, radius):
    q = np.abs(p - np.array(centre)) - np.array(half) + radius
    outside = np.linalg.norm(np.maximum(q, 0), axis=-1)
    return outside + np.minimum(q.max(axis=-1), 0) - radius


def egg(p, centre, half):
    q = (p - np.array(centre)) / np.array(half)
    return (np.linalg.norm(q, axis=-1) - 1) * min(half)


def melt(a, b, width):
    t = np.clip(0.5 + 0.5 * (b - a) / width, 0, 1)
    return b + (a - b) * t - width * t * (1 - t)


def head(p):
    d = melt(box(p, (0, 0.16, 0), (0.2, 0.16, 0.15), 0.05), box(p, (0, 0.6, 0), (0.19, 0.4, 0.16), 0.09), 0.06)
    parts = [
        box(p, (0, 0.79, 0.15), (0.17, 0.035, 0.06), 0.03),  # brow
        box(p, (0, 0.62, 0.2), (0.045, 0.17, 0.07), 0.03),  # nose
        box(p, (0, 0.5, 0.22), (0.075, 0.045, 0.07), 0.03),  # nostrils
        box(p, (0, 0.395, 0.17), (0.09, 0.02, 0.05), 0.018),  # upper lip
        box(p, (0, 0.345, 0.17), (0.08, 0.02, 0.05), 0.018),  # lower lip
        box(p, (0, 0.25, 0.14), (0.13, 0.06, 0.08), 0.04),  # chin
        box(p, (0.2, 0.6, -0.01), (0.03, 0.19, 0.05), 0.02),  # ears
        box(p, (-0.2, 0.6, -0.01), (0.03, 0.19, 0.05), 0.02),
    ]
    for part in parts:
        d = melt(d, part, 0.025)
    for side in (-1, 1):  # eyes
        d = -melt(-d, egg(p, (0.1 * side, 0.71, 0.19), (0.06, 0.04, 0.06)), 0.02)
    return d


def main():
    step = 0.0125
    low, high = np.array([-0.3, -0.05, -0.25]), np.array([0.3, 1.1, 0.35])
    axes = [np.arange(a, b, step) for a, b in zip(low, high)]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
    points, faces, _, _ = marching_cubes(head(grid), 0, spacing=(step,) * 3, gradient_direction="descent")
    with open(sys.argv[1], "w") as out:
        for x, y, z in points + low:
            out.write(f"v {x:.6f} {y:.6f} {z:.6f}\n")
        for a, b, c in faces + 1:
            out.write(f"f {a} {b} {c}\n")


if __name__ == "__main__":
    main()
