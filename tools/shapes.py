#!/usr/bin/python3
"""shapes.py [FOLDER]: writes the meshes of the scenes as binary PLY, into scenes/meshes if not told.

All face outwards and are in metres, y up; all but the sombrero are closed:

    glass   wine glass, 0.2 high, 0.088 across, wall 0.003; stands on y = 0
    bend    pipe in the form of an S, from (0, 0.34, 0) down, over to x = 0.26 and down to y = 0;
            0.06 across inside, wall 0.005, ends open
    bowl    mixing bowl, 0.16 high, 0.32 across, wall 0.012, with three ribs inside; stands on y = 0
    sieve   round plate, 0.26 across, 0.004 thick, with round holes 0.024 across; middle at y = 0
    die     round plate, 0.08 across, 0.006 thick, with one hole 0.024 across; lies on y = 0
    head    stone head with long ears and nose, 0.4 high; stands on y = 0
    duck    rubber duck, 0.215 long, looks along z; stands on y = 0, as it swims
    boat    open boat, 0.42 long along x, 0.22 wide, 0.11 high, wall 0.03; its keel lies on y = 0
    sombrero  hat, 0.5 across, a surface without thickness; its brim lies on y = 0

The ribs of the bowl are shells of their own that reach into its wall. Every mesh is checked: each
edge has two triangles, which pass it in opposite directions, and the volume is positive. The rim
of the sombrero is its only open edge.
"""
import os
import sys

import numpy as np
from skimage.measure import marching_cubes

import moai


def curve(points, step):
    """Points about `step` apart on a smooth curve (Catmull-Rom, centripetal) through `points`."""
    p = np.array(points, float)
    p = np.vstack([2 * p[0] - p[1], p, 2 * p[-1] - p[-2]])
    out = [p[1]]
    for a, b, c, d in zip(p, p[1:], p[2:], p[3:]):
        knots = np.cumsum([0] + [np.linalg.norm(v) ** 0.5 for v in (b - a, c - b, d - c)])
        count = max(1, round(np.linalg.norm(c - b) / step))
        for t in np.linspace(knots[1], knots[2], count + 1)[1:]:
            out.append(barry_goldman(np.array([a, b, c, d]), knots, t))
    return np.array(out)


def barry_goldman(p, knots, t):
    # three levels of a pyramid of blends: over one knot, over two, and over the middle one
    for span in (1, 2, 1):
        first = 1 if len(p) == 2 else 0
        k = knots[first:]
        w = [(t - k[i]) / (k[i + span] - k[i]) for i in range(len(p) - 1)]
        p = np.array([(1 - w[i]) * p[i] + w[i] * p[i + 1] for i in range(len(p) - 1)])
    return p[0]


def arc(centre, radius, start, end, count):
    angles = np.radians(np.linspace(start, end, count))
    return np.array(centre) + radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)


def weave(rows, close_rows):
    """Triangles of a sheet whose rows of points are closed rings; the last row may join the first."""
    n, m = rows.shape[:2]
    faces = []
    for i in range(n if close_rows else n - 1):
        for j in range(m):
            a, b = i * m + j, i * m + (j + 1) % m
            c, d = (i + 1) % n * m + j, (i + 1) % n * m + (j + 1) % m
            faces += [(a, c, d), (a, d, b)]
    return faces


def lathe(profile, sides):
    """Turns a profile (radius, height) about y. It begins and ends on the axis."""
    turn = 2 * np.pi * np.arange(sides) / sides
    rings = np.array([[(r * np.cos(t), y, -r * np.sin(t)) for t in turn] for r, y in profile[1:-1]])
    points = np.vstack([rings.reshape(-1, 3), [(0, profile[0][1], 0)], [(0, profile[-1][1], 0)]])
    faces = weave(rings, False)
    low, high, last = len(points) - 2, len(points) - 1, len(points) - 2 - sides
    for j in range(sides):
        k = (j + 1) % sides
        faces += [(low, j, k), (high, last + k, last + j)]
    return points, np.array(faces)[:, ::-1]


def glass():
    wall, step = 0.003, 0.0065
    inner = curve([(0, 0.094), (0.018, 0.0975), (0.034, 0.112), (0.0405, 0.134), (0.039, 0.16), (0.0335, 0.1985)], step)
    along = np.gradient(inner, axis=0)
    outward = np.stack([along[:, 1], -along[:, 0]], axis=1) / np.linalg.norm(along, axis=1)[:, None]
    outer = (inner + wall * outward)[inner[:, 0] > 0.017]
    foot = [(0, 0), (0.012, 0), (0.024, 0), (0.0345, 0)]
    stem = [(0.036, 0.0015), (0.0345, 0.003), (0.02, 0.0055), (0.009, 0.0105), (0.0052, 0.02), (0.0045, 0.045)]
    neck = [(0.0052, 0.074), (0.0085, 0.0865)]
    out = curve(stem + neck + list(outer[::3]) + [outer[-1]], step)
    tip = (inner[-1] + outer[-1]) / 2
    side = outer[-1] - tip
    over = np.array([side[1] * -1, side[0]])
    rim = [tip + side * np.cos(t) + over * np.sin(t) for t in np.radians((45, 90, 135))]
    return lathe(np.vstack([foot, out, rim, inner[::-1]]), 46)


def bend():
    inner, wall, radius = 0.03, 0.005, 0.09
    line = np.vstack([
        [(0, y) for y in np.linspace(0.34, 0.27, 4)],
        arc((radius, 0.26), radius, 180, 270, 13),
        arc((0.26 - radius, 0.26 - 2 * radius), radius, 90, 0, 13),
        [(0.26, y) for y in np.linspace(0.07, 0, 4)],
    ])
    along = np.gradient(line, axis=0)
    along /= np.linalg.norm(along, axis=1)[:, None]
    turn = 2 * np.pi * np.arange(36) / 36

    def ring(i, r):
        side = np.array([-along[i, 1], along[i, 0]])
        return [(*(line[i] + r * np.cos(t) * side), r * np.sin(t)) for t in turn]

    # outside along the line and inside back: a torus, whose turns are the open ends
    n = len(line)
    rows = np.array([ring(i, inner + wall) for i in range(n)] + [ring(i, inner) for i in reversed(range(n))])
    return rows.reshape(-1, 3), np.array(weave(rows, True))[:, ::-1]


def bowl():
    wall, step = 0.012, 0.012
    inner = curve([(0, wall), (0.05, wall), (0.085, wall + 0.001), (0.118, 0.03), (0.135, 0.062), (0.144, 0.1), (0.148, 0.154)], step)
    outer = curve([(0, 0), (0.05, 0), (0.088, 0), (0.124, 0.021), (0.1455, 0.056), (0.1555, 0.098), (0.16, 0.154)], step)
    rim = arc((0.154, 0.154), 0.006, 30, 150, 5)
    points, faces = lathe(np.vstack([outer, rim, inner[::-1]]), 64)
    shells = [(points, faces)] + [rib(2 * np.pi * k / 3) for k in range(3)]
    starts = np.cumsum([0] + [len(p) for p, _ in shells])
    return np.vstack([p for p, _ in shells]), np.vstack([f + s for (_, f), s in zip(shells, starts)])


def rib(angle):
    """A fin along the wall of the bowl: its outer edge lies in the middle of the wall."""
    outer = curve([(0.06, 0.006), (0.086, 0.0065), (0.121, 0.0255), (0.140, 0.059), (0.1495, 0.099), (0.152, 0.128)], 0.01)
    inner = curve([(0.056, 0.016), (0.074, 0.034), (0.093, 0.056), (0.107, 0.08), (0.117, 0.104), (0.128, 0.13)], 0.01)
    share = np.linspace(0, 1, 14)

    def even(c):
        far = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(c, axis=0), axis=1))])
        return np.stack([np.interp(share * far[-1], far, c[:, k]) for k in (0, 1)], axis=1)

    # a ring of eight points around the fin at each place along it, thin at the inner edge
    rings = []
    for o, i in zip(even(outer), even(inner)):
        mid = (o + i) / 2
        rings.append([(*o, 0.009), (*mid, 0.008), (*(0.9 * i + 0.1 * o), 0.006), (*i, 0.0025),
                      (*i, -0.0025), (*(0.9 * i + 0.1 * o), -0.006), (*mid, -0.008), (*o, -0.009)])
    rings = np.array(rings)
    faces = weave(rings, False)
    last = (len(rings) - 1) * 8
    for j in range(1, 7):
        faces += [(0, j, j + 1), (last, last + j + 1, last + j)]
    p = rings.reshape(-1, 3)
    c, s = np.cos(angle), np.sin(angle)
    return np.stack([c * p[:, 0] + s * p[:, 2], p[:, 1], c * p[:, 2] - s * p[:, 0]], axis=1), np.array(faces)


def sieve():
    radius, half, hole, pitch, sides = 0.13, 0.002, 0.012, 0.032, 16
    turn = 2 * np.pi * np.arange(sides) / sides
    ways = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    frame = ways / np.abs(ways).max(axis=1)[:, None] * pitch / 2
    cells = [(i, j) for i in range(-4, 5) for j in range(-4, 5)
             if np.hypot(abs(i) + 0.5, abs(j) + 0.5) * pitch < radius - 0.003]
    index, points, flat, rims = {}, [], [], []

    def at(x, z):
        key = (round(x * 1e6), round(z * 1e6))
        if key not in index:
            index[key] = len(points)
            points.append((x, z))
        return index[key]

    # each cell: a square around a round hole
    for cell in cells:
        centre = np.array(cell) * pitch
        square = [at(*(centre + f)) for f in frame]
        circle = [at(*(centre + hole * w)) for w in ways]
        strip(flat, circle, square)
        rims.append(circle[::-1])
    # edges of one cell only make a staircase, which the plate's edge goes around at the same angles
    loop = border(flat, set(i for rim in rims for i in rim))
    edge = []
    for i in loop:
        x, z = points[i]
        far = np.hypot(x, z)
        edge.append(at(x * radius / far, z * radius / far))
    strip(flat, loop, edge)
    rims.append(edge)
    return thicken(np.array(points), flat, rims, half)


def die():
    hole, radius, high, sides = 0.012, 0.04, 0.006, 64
    across, up = np.linspace(hole, radius, 8), np.linspace(0, high, 4)
    around = ([(r, 0) for r in across] + [(radius, y) for y in up[1:]] +
              [(r, high) for r in across[::-1][1:]] + [(hole, y) for y in up[::-1][1:-1]])
    turn = 2 * np.pi * np.arange(sides) / sides
    rows = np.array([[(r * np.cos(t), y, -r * np.sin(t)) for t in turn] for r, y in around])
    return rows.reshape(-1, 3), np.array(weave(rows, True))[:, ::-1]


def strip(faces, inner, outer):
    for k in range(len(inner)):
        n = (k + 1) % len(inner)
        faces += [(inner[k], outer[k], outer[n]), (inner[k], outer[n], inner[n])]


def border(faces, skip):
    """The loop of edges that have one triangle, away from the points to skip."""
    edges = {(f[k], f[(k + 1) % 3]) for f in faces for k in range(3)}
    closed = True
    after = {a: b for a, b in edges if (b, a) not in edges and a not in skip}
    loop = [min(after)]
    while after[loop[-1]] != loop[0]:
        loop.append(after[loop[-1]])
    return loop


def thicken(points, flat, rims, half):
    """A plate from a plane sheet with counter-clockwise rims (x right, z up)."""
    n = len(points)
    low = np.stack([points[:, 0], np.full(n, -half), points[:, 1]], axis=1)
    high = low + np.array([0, 2 * half, 0])
    faces = [tuple(f) for f in flat] + [(a + n, c + n, b + n) for a, b, c in flat]
    for rim in rims:
        for a, b in zip(rim, rim[1:] + rim[:1]):
            faces += [(a, a + n, b + n), (a, b + n, b)]
    return np.vstack([low, high]), np.array(faces)


def head():
    def solid(p):
        d = moai.head(p)
        mirrored = np.stack([np.abs(p[..., 0]), p[..., 1], p[..., 2]], axis=-1)
        ear = moai.melt(
            moai.box(mirrored, (0.235, 0.62, -0.01), (0.024, 0.2, 0.055), 0.022),
            moai.egg(mirrored, (0.24, 0.38, 0.0), (0.028, 0.1, 0.05)), 0.03)
        # leaning forward to its tip
        leaning = p - np.stack([np.zeros_like(p[..., 0])] * 2 + [0.35 * (0.74 - p[..., 1])], axis=-1)
        nose = moai.box(leaning, (0, 0.6, 0.2), (0.034, 0.15, 0.055), 0.03)
        return moai.melt(moai.melt(d, ear, 0.02), nose, 0.05)

    points, faces = polygonise(solid, [-0.34, -0.06, -0.28], [0.34, 1.1, 0.42], 0.0215)
    points[:, 1] -= points[:, 1].min()
    return points * 0.4, faces


def polygonise(solid, low, high, step):
    axes = [np.arange(a, b, step) for a, b in zip(low, high)]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
    points, faces, _, _ = marching_cubes(solid(grid), 0, spacing=(step,) * 3, gradient_direction="descent")
    return points + np.array(low), faces


def duck():
    def solid(p):
        mirrored = np.stack([np.abs(p[..., 0]), p[..., 1], p[..., 2]], axis=-1)
        body = moai.melt(
            moai.egg(p, (0, 0.27, -0.02), (0.33, 0.26, 0.42)),
            moai.egg(p, (0, 0.31, 0.17), (0.27, 0.23, 0.26)), 0.1)
        tail = moai.egg(tilted(p, (0, 0.44, -0.4), 38), (0, 0, 0), (0.13, 0.065, 0.19))
        wing = moai.egg(tilted(mirrored, (0.29, 0.34, -0.06), 20), (0, 0, 0), (0.07, 0.12, 0.24))
        wingtip = moai.egg(tilted(mirrored, (0.3, 0.45, -0.27), 45), (0, 0, 0), (0.04, 0.05, 0.1))
        head = moai.melt(
            moai.egg(p, (0, 0.71, 0.24), (0.225, 0.215, 0.22)),
            moai.egg(mirrored, (0.08, 0.66, 0.33), (0.12, 0.11, 0.12)), 0.05)
        upper = moai.egg(tilted(p, (0, 0.67, 0.48), -14), (0, 0, 0), (0.115, 0.036, 0.135))
        lower = moai.egg(tilted(p, (0, 0.612, 0.445), 10), (0, 0, 0), (0.09, 0.032, 0.11))
        eye = moai.egg(mirrored, (0.112, 0.775, 0.385), (0.05, 0.062, 0.05))
        d = moai.melt(body, tail, 0.16)
        d = moai.melt(d, moai.melt(wing, wingtip, 0.1), 0.025)
        d = moai.melt(d, head, 0.09)
        d = moai.melt(moai.melt(d, upper, 0.03), lower, 0.02)
        d = moai.melt(d, eye, 0.012)
        # a flat belly to stand on
        return -moai.melt(-d, p[..., 1] - 0.035, 0.05)

    points, faces = polygonise(solid, [-0.42, -0.02, -0.66], [0.42, 1.0, 0.68], 0.0345)
    points = evened(points, faces, solid)
    points[:, 1] -= points[:, 1].min()
    points[:, 2] -= (points[:, 2].min() + points[:, 2].max()) / 2
    return points * 0.215 / np.ptp(points[:, 2]), faces


def boat():
    def solid(p):
        hull = moai.egg(p, (0, 0.12, 0), (0.21, 0.12, 0.11))
        hold = moai.egg(p, (0, 0.13, 0), (0.18, 0.1, 0.08))
        # cut off at the gunwale, with round edges
        open_hull = -moai.melt(-hull, 0.11 - p[..., 1], 0.008)
        return -moai.melt(-open_hull, hold, 0.008)

    points, faces = polygonise(solid, [-0.225, -0.012, -0.125], [0.23, 0.13, 0.13], 0.009)
    points[:, 1] -= points[:, 1].min()
    return points, faces


def tilted(p, centre, degrees):
    """Places seen from something at `centre` whose back end (-z) is raised."""
    q = p - np.array(centre)
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.stack([q[..., 0], c * q[..., 1] + s * q[..., 2], c * q[..., 2] - s * q[..., 1]], axis=-1)


def evened(points, faces, solid):
    """Moves points to the middle of their neighbours, and back to where the field is zero."""
    ends = np.vstack([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    count = np.bincount(ends[:, 0], minlength=len(points))[:, None]
    h = 1e-4
    for _ in range(12):
        middle = np.stack([np.bincount(ends[:, 0], points[ends[:, 1], k], len(points)) for k in range(3)], axis=1) / count
        points = 0.5 * (points + middle)
        for _ in range(2):
            steps = [(solid(points + h * e) - solid(points - h * e)) / (2 * h) for e in np.eye(3)]
            slope = np.stack(steps, axis=1)
            far = solid(points) / np.maximum((slope ** 2).sum(axis=1), 0.05)
            points = points - np.clip(far, -0.01, 0.01)[:, None] * slope
    return points


def sombrero():
    outline = curve([(0, 0.18), (0.026, 0.175), (0.046, 0.157), (0.056, 0.125), (0.065, 0.085), (0.075, 0.042), (0.086, 0.012),
                     (0.108, 0.001), (0.14, 0), (0.18, 0.004), (0.212, 0.015), (0.234, 0.033), (0.246, 0.052), (0.25, 0.068)], 0.009)
    # lathe closes the outline at the axis: its last point is not used
    points, faces = lathe(np.vstack([outline, outline[-1:]]), 72)
    last = len(points) - 1
    return points[:-1], faces[(faces != last).all(axis=1)][:, ::-1]


def check(name, points, faces, rims):
    edges = {}
    for f in faces:
        for a, b in ((f[0], f[1]), (f[1], f[2]), (f[2], f[0])):
            if a == b or (a, b) in edges:
                sys.exit(f"shapes.py: {name}: two triangles pass the edge {a}-{b} in the same direction.")
            edges[a, b] = True
    closed = True
    after = {a: b for a, b in edges if (b, a) not in edges}
    while after:
        first, at = min(after.items())
        if rims == 0:
            sys.exit(f"shapes.py: {name}: the edge {first}-{at} has one triangle only.")
        while at != first:
            at = after.pop(at, first)
        del after[first]
        rims -= 1
        closed = False
    if len(np.unique(faces)) != len(points):
        sys.exit(f"shapes.py: {name}: some points are in no triangle.")
    a, b, c = (points[faces[:, k]] for k in range(3))
    parts = np.einsum("ij,ij->i", a, np.cross(b, c)) / 6
    shell = shells(len(points), faces)
    for s in np.unique(shell) if closed else []:
        if parts[shell == s].sum() <= 0:
            sys.exit(f"shapes.py: {name}: the shell at point {s} faces inwards.")
    return parts.sum() if closed else 0


def shells(count, faces):
    """For each triangle, the lowest point of the piece that it hangs together with."""
    low = np.arange(count)
    while True:
        least = low[faces].min(axis=1)
        before = low.copy()
        np.minimum.at(low, faces.ravel(), np.repeat(least, 3))
        low = low[low]
        if (low == before).all():
            return low[faces[:, 0]]


def write(path, points, faces):
    # assimp takes a first byte that is a line feed for a part of the header
    while points.astype("<f4").tobytes()[:1] in (b"\n", b"\r", b" "):
        points, faces = np.roll(points, -1, axis=0), (faces - 1) % len(points)
    header = (f"ply\nformat binary_little_endian 1.0\nelement vertex {len(points)}\n"
              "property float x\nproperty float y\nproperty float z\n"
              f"element face {len(faces)}\nproperty list uchar int vertex_indices\nend_header\n")
    rows = np.zeros(len(faces), dtype=[("n", "u1"), ("v", "<i4", 3)])
    rows["n"], rows["v"] = 3, faces
    with open(path + ".part", "wb") as out:
        out.write(header.encode() + points.astype("<f4").tobytes() + rows.tobytes())
    os.replace(path + ".part", path)


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(here, "..", "scenes", "meshes")
    os.makedirs(folder, exist_ok=True)
    for make in (glass, bend, bowl, sieve, die, head, duck, boat, sombrero):
        name = make.__name__
        points, faces = make()
        points = np.asarray(points, dtype=np.float32).astype(float)
        volume = check(name, points, faces, 1 if make is sombrero else 0)
        path = os.path.join(folder, name + ".ply")
        write(path, points, faces)
        size = np.round(np.ptp(points, axis=0), 4)
        print(f"{name + '.ply':12} {len(faces):6,} triangles  {size} m  {volume * 1e6:8.1f} cm³  {os.path.getsize(path):,} bytes")


if __name__ == "__main__":
    main()
