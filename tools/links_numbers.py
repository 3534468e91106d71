#!/usr/bin/env python3
"""links_numbers.py MEASURE RUN...: prints numbers of runs of the scenes of links (docs/links.md).

    shape    of each body: height, width and height of its mean, over time (m)
    pieces   components of at least 2 % of the particles: particles nearer than 1.5 spacings are in one
    volume   sum of m/rho: least, largest and last, relative to the first value
    rounds   rounds of the pressure solver: mean and largest
    jet      diameter of what is below y = 0, relative to the hole whose DIAMETER (m) is given:
             jet DIAMETER RUN...
    strand   thinnest part of each body along y: diameter (m)
    frames   seconds of a frame beside those of the paper, as a row of the table in docs/links.md

Frames are read from the PLY files of a run, all others from its stats.csv.
"""
import csv
import glob
import json
import math
import os
import struct
import sys

# Figure, thousands of fluid particles and seconds a frame of Takahashi et al. 2014, four cores of 3.4 GHz
PAPER = {
    "links_three_moduli": ("2", 24.5, 3.83),
    "links_three_c": ("2", 24.5, 3.83),
    "links_merge": ("4, top", 45.2, 9.57),
    "links_column": ("4, bottom", 22.6, 5.36),
    "links_wall": ("5", 13.8, 2.40),
    "links_drop": ("6", 7.1, 0.39),
    "links_board": ("7, 8", 8.2, 5.75),
    "links_board_springs": ("9, 10", 14.0, 3.35),
    "links_dragon": ("11", 195.1, 125.2),
    "links_pulls_cube": ("12", 33.4, 6.82),
    "links_jet": ("13", 73.5, 29.01),
}

SIZES = {"float": "f", "int": "i", "uchar": "B", "uint": "I", "double": "d", "short": "h", "char": "b"}


class Run:
    def __init__(self, folder):
        self.folder = folder
        with open(os.path.join(folder, "scene.json"), encoding="utf-8") as file:
            self.scene = json.load(file)
        self.spacing = self.scene["world"]["spacing"]
        self.files = sorted(glob.glob(os.path.join(folder, "frames", "frame_*.ply")))
        if not self.files:
            sys.exit(f"links_numbers.py: {folder} has no frames; run a scene with output.ply true.")

    def frame(self, number):
        """Rows of a frame: x, y, z, body."""
        with open(self.files[number], "rb") as file:
            data = file.read()
        head, body = data.split(b"end_header\n", 1)
        form, names, count = "<", [], 0
        for line in head.decode().splitlines():
            words = line.split()
            if words[:2] == ["element", "vertex"]:
                count = int(words[2])
            elif words[0] == "property":
                form += SIZES[words[1]]
                names.append(words[2])
        at = [names.index(n) for n in ("x", "y", "z", "body")]
        size = struct.calcsize(form)
        return [tuple(row[k] for k in at) for row in struct.iter_unpack(form, body[:count * size])]

    def name_of(self, body):
        bodies = self.scene.get("bodies", [])
        return bodies[body].get("name") or f"body {body}" if body < len(bodies) else f"body {body}"

    def time(self, number):
        return number / self.scene["output"]["frame_rate"]

    def stats(self):
        with open(os.path.join(self.folder, "stats.csv"), encoding="utf-8") as file:
            return list(csv.DictReader(file))


def rank(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))]


def components(rows, reach):
    """Sizes of the components, largest first."""
    cells = {}
    for i, (x, y, z, _) in enumerate(rows):
        cells.setdefault((int(x // reach), int(y // reach), int(z // reach)), []).append(i)
    free = [True] * len(rows)
    sizes = []
    for first in range(len(rows)):
        if not free[first]:
            continue
        free[first] = False
        stack, size = [first], 0
        while stack:
            x, y, z, _ = rows[stack.pop()]
            size += 1
            a, b, c = int(x // reach), int(y // reach), int(z // reach)
            for i in (a - 1, a, a + 1):
                for j in (b - 1, b, b + 1):
                    for k in (c - 1, c, c + 1):
                        for n in cells.get((i, j, k), ()):
                            q = rows[n]
                            if free[n] and (q[0] - x) ** 2 + (q[1] - y) ** 2 + (q[2] - z) ** 2 < reach * reach:
                                free[n] = False
                                stack.append(n)
        sizes.append(size)
    return sorted(sizes, reverse=True)


def some_frames(run, most=6):
    last = len(run.files) - 1
    return sorted({round(k * last / (most - 1)) for k in range(most)})


def shape(run):
    for number in some_frames(run):
        rows = run.frame(number)
        for body in sorted({r[3] for r in rows}):
            part = [r for r in rows if r[3] == body]
            mean = [sum(r[k] for r in part) / len(part) for k in range(3)]
            wide = rank([math.hypot(r[0] - mean[0], r[2] - mean[2]) for r in part], 0.98)
            high = rank([r[1] for r in part], 0.995) + run.spacing / 2
            print(f"  {run.time(number):6.3f} s  {run.name_of(body):10} height {high:.4f}  width {2 * wide + run.spacing:.4f}"
                  f"  mean {mean[0]:.4f} {mean[1]:.4f} {mean[2]:.4f}")


def pieces(run):
    for number in some_frames(run, 9):
        rows = run.frame(number)
        sizes = components(rows, 1.5 * run.spacing)
        large = [s for s in sizes if s >= 0.02 * len(rows)]
        shares = " ".join(f"{s / len(rows):.0%}" for s in large)
        print(f"  {run.time(number):6.3f} s  {len(large)} pieces: {shares}; {len(sizes) - len(large)} drops")


def column(run, name):
    return [float(r[name]) for r in run.stats() if r[name] != ""]


def volume(run):
    v = column(run, "volume")
    v = [x / v[0] for x in v]
    print(f"  volume: least {min(v):.4f}, largest {max(v):.4f}, last {v[-1]:.4f} of the first; mean compression at most {max(column(run, 'mean_compression')):.2%}")


def rounds(run):
    v = column(run, "pressure_rounds")
    print(f"  rounds of the pressure: mean {sum(v) / len(v):.1f}, largest {max(v):.0f}")


def jet(run, hole):
    """Sections of one hole's diameter: from the second moment of a disc, D² = 8 Σ r²/n."""
    rows = run.frame(len(run.files) - 1)
    low = min(r[1] for r in rows)
    for k in range(8):
        part = [r for r in rows if -(k + 1) * hole < r[1] <= -k * hole]
        if len(part) < 20 or -(k + 1) * hole < low + hole:
            break
        x, z = (sum(r[i] for r in part) / len(part) for i in (0, 2))
        wide = math.sqrt(8 * sum((r[0] - x) ** 2 + (r[2] - z) ** 2 for r in part) / len(part))
        print(f"  {k} to {k + 1} diameters below the hole: {wide / hole:.3f} of its diameter, {len(part)} particles")


def strand(run):
    """Layers two spacings thick, from the volume of their particles: A = n s³/(2 s)."""
    s = run.spacing
    for number in some_frames(run, 9):
        rows = run.frame(number)
        low, high = min(r[1] for r in rows), max(r[1] for r in rows)
        layers = max(1, int((high - low) // (2 * s)))
        counts = [0] * layers
        for r in rows:
            counts[min(layers - 1, int((r[1] - low) // (2 * s)))] += 1
        thin = min(counts)
        print(f"  {run.time(number):6.3f} s  from {low:.4f} to {high:.4f}; thinnest {math.sqrt(4 * thin * s * s / 2 / math.pi):.4f} across")


def frames(run):
    """Wall clock of the steps between two frames; particles of all bodies count, colliders have none."""
    rows = [r for r in run.stats() if r["wall_ms"] and float(r["time"]) > 0]
    count = max(int(r["particles"]) for r in rows)
    seconds = sum(float(r["wall_ms"]) for r in rows) / 1000 / len(rows)
    name = os.path.basename(os.path.normpath(run.folder))
    figure, theirs, slow = PAPER.get(name, ("–", None, None))
    paper = f"{theirs:g}k | {slow:g} | {slow / theirs / (seconds / count * 1000):.0f}" if theirs else "| |"
    print(f"| {figure} | {name} | {count:,} | {1000 / run.scene['output']['frame_rate']:.0f} ms | {seconds:.3f} | {paper} |")


def main():
    words = sys.argv[1:]
    measures = {"shape": shape, "pieces": pieces, "volume": volume, "rounds": rounds, "strand": strand, "frames": frames}
    if len(words) < 2 or words[0] not in {*measures, "jet"}:
        sys.exit(__doc__)
    folders = words[2:] if words[0] == "jet" else words[1:]
    for folder in folders:
        if words[0] != "frames":
            print(f"{os.path.basename(os.path.normpath(folder))}: {words[0]}")
        run = Run(folder)
        if words[0] == "jet":
            jet(run, float(words[1]))
        else:
            measures[words[0]](run)


if __name__ == "__main__":
    main()
