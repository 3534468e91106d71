"""check_surface.py NX NY NZ CELL X Y Z LEVEL KIND: holds a mesh against scikit-image's marching cubes.

The field lies beside as field.bin, x fastest, its first node at X Y Z; the mesh as position.bin and
triangles.bin. Theirs goes straight between two nodes, ours follows the cube root of sums of kernels:
that is within the cell. Given the roots, their vertices are ours. Ends with a sentence where
something differs.
"""
import sys

import numpy as np
from scipy.spatial import cKDTree
from skimage.measure import marching_cubes

nodes = [int(a) for a in sys.argv[1:4]]
cell, x, y, z, level = [float(a) for a in sys.argv[4:9]]
kind = sys.argv[9]
LOWEST = 0.01  # share of an edge that our vertices keep from its ends


def expect(condition, sentence):
    if not condition:
        sys.exit('%s: %s' % (kind, sentence))


def area_of(points, triangles):
    a, b, c = (points[triangles[:, k]] for k in range(3))
    return np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2


def samples_of(points, triangles):
    return np.concatenate([points, points[triangles].mean(axis=1)])


def theirs_of(field, at):
    points, triangles, _, _ = marching_cubes(field, at, method='lewiner', allow_degenerate=True)
    return points.astype('f8') * cell + [x, y, z], triangles


field = np.fromfile('field.bin', '<f4').astype('f8').reshape(nodes[::-1]).transpose(2, 1, 0)
points = np.fromfile('position.bin', '<f4').astype('f8').reshape(-1, 3)
triangles = np.fromfile('triangles.bin', '<u4').reshape(-1, 3)
their_points, their_triangles = theirs_of(field, level)
ours, theirs = samples_of(points, triangles), samples_of(their_points, their_triangles)
there = cKDTree(theirs).query(ours)[0].max() / cell
back = cKDTree(ours).query(theirs)[0].max() / cell
areas = area_of(points, triangles), area_of(their_points, their_triangles)
print('%s: %d and %d vertices, at most %.3f and %.3f cells apart, area %.4f and %.4f m2' % (
    kind, len(points), len(their_points), there, back, *areas))
expect(there < 1, 'a vertex of ours is %.2f cells from theirs' % there)
expect(back < 1, 'a vertex of theirs is %.2f cells from ours' % back)
expect(abs(areas[0] / areas[1] - 1) < 0.02, 'our area is %g, theirs %g' % areas)

# on edges of the grid, where two of three coordinates are whole
root = (lambda a: a) if kind == 'distance' else np.cbrt
their_points, their_triangles = theirs_of(root(field), root(level))
steps = (their_points - [x, y, z]) / cell
on_edge = (abs(steps - steps.round()) < 1e-3).sum(axis=1) >= 2
off = cKDTree(points).query(their_points[on_edge])[0].max() / cell
expect(on_edge.sum() > 0.9 * len(points), 'only %d of their vertices lie on edges' % on_edge.sum())
expect(off < 1.1 * LOWEST, 'a vertex of theirs is %.4f cells from ours on the same edge' % off)
their_area = area_of(their_points, their_triangles)
expect(abs(areas[0] / their_area - 1) < 0.01, 'our area is %g, theirs of roots %g' % (
    areas[0], their_area))
