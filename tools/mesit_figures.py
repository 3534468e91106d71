#!/usr/bin/env python3
"""mesit_figures.py BENCH.json OUT.svg: figures 3 and 4 of Mesit & Guha from `ooze bench mesit --json`.

Left: frames per second over HT, the number of buckets along an axis, for some numbers of points.
Right: frames per second over the number of points: all pairs, hashing with the best HT, the engine.
"""
import json
import math
import sys

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 460, 340, 64, 36, 14, 46
COLOURS = ("#1f6fb4", "#d1582b", "#3b8f4a", "#8a5bb0", "#7d7d7d")


def decades(values):
    return math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))


def axis_place(value, low, high, logarithmic):
    if logarithmic:
        return (math.log10(value) - low) / (high - low)
    return (value - low) / (high - low)


def panel(x0, title, x_label, series, x_log):
    """series: (name, [(x, y)]); y is logarithmic."""
    xs = [p[0] for _, points in series for p in points]
    ys = [p[1] for _, points in series for p in points]
    x_low, x_high = decades(xs) if x_log else (0, 50)
    y_low, y_high = decades(ys)
    across, down = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def place(x, y):
        return (x0 + LEFT + across * axis_place(x, x_low, x_high, x_log),
                TOP + down * (1 - axis_place(y, y_low, y_high, True)))

    out = [f'<text x="{x0 + LEFT}" y="20" font-weight="bold">{title}</text>',
           f'<text x="{x0 + LEFT + across / 2}" y="{HEIGHT - 8}" text-anchor="middle">{x_label}</text>',
           f'<text transform="translate({x0 + 16} {TOP + down / 2}) rotate(-90)" text-anchor="middle">frames per second</text>']
    for decade in range(y_low, y_high + 1):
        _, y = place(xs[0], 10**decade)
        out.append(f'<path d="M{x0 + LEFT} {y:.1f}h{across}" stroke="#ddd"/>')
        out.append(f'<text x="{x0 + LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{10**decade:g}</text>')
    marks = [10**d for d in range(x_low, x_high + 1)] if x_log else range(0, 51, 10)
    for mark in marks:
        x, _ = place(mark, 10**y_low)
        out.append(f'<path d="M{x:.1f} {TOP}v{down}" stroke="#ddd"/>')
        out.append(f'<text x="{x:.1f}" y="{TOP + down + 16}" text-anchor="middle">{mark:,}</text>')
    for k, (name, points) in enumerate(series):
        line = " ".join("%.1f,%.1f" % place(x, y) for x, y in points)
        colour = COLOURS[k % len(COLOURS)]
        out.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        out += ['<circle cx="%.1f" cy="%.1f" r="2.5" fill="%s"/>' % (*place(x, y), colour) for x, y in points]
        out.append(f'<text x="{x0 + LEFT + across - 6}" y="{TOP + 16 + 16 * k}" text-anchor="end" fill="{colour}">{name}</text>')
    return out


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        rows = json.load(file)
    while "points" not in rows:  # inside the object of the benchmark
        rows = next(v for v in rows.values() if isinstance(v, dict))
    rows = rows["points"]
    shown = [r for r in rows if r["points"] in (500, 1000, 2000, 4000, 6000)]
    by_ht = [(f'{r["points"]:,} points', [(int(h), f) for h, f in r["hash"].items()]) for r in shown]
    by_points = [("all pairs", [(r["points"], r["all_pairs"]) for r in rows if "all_pairs" in r]),
                 ("hashing, best HT", [(r["points"], max(r["hash"].values())) for r in rows]),
                 ("a step of the engine", [(r["points"], r["engine"]) for r in rows])]
    body = panel(0, "Hashing", "HT, buckets along an axis", by_ht, False)
    body += panel(WIDTH, "Ways to find neighbours", "points", by_points, True)
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write(f'<svg xmlns="http://www.w3.org/2000/svg" width="{2 * WIDTH}" height="{HEIGHT}" '
                   'font-family="sans-serif" font-size="12">\n<rect width="100%" height="100%" fill="white"/>\n')
        file.write("\n".join(body) + "\n</svg>\n")


main()
