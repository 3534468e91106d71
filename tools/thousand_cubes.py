#!/usr/bin/env python3
"""Writes scenes/thousand_cubes.json: a thousand rigid cubes above a tank of water.

    tools/thousand_cubes.py > scenes/thousand_cubes.json
"""
import random

SPACING = 0.02
EDGE = 3 * SPACING  # of a cube, m
ROW = 10  # cubes along x and z; as many layers
TANK = 0.96  # m, along x and z
WATER = 0.2  # m, depth
PITCH = 0.092  # m, between centres: cubes of any rotation do not reach that far where they tilt by up to 20 degrees
MATERIALS = ["light", "wood", "heavy wood", "stone"]

HEAD = """{
	// a thousand cubes fall into water: of 300, 500 and 800 kg/m³, which float, and of 2000 kg/m³, which sink
	// written by tools/thousand_cubes.py
	"$schema": "../docs/scene.schema.json",
	"name": "a thousand cubes",
	"world": { "spacing": %g, "pressure": "incompressible" },
	"materials": {
		"light": { "model": "rigid", "density": 300, "friction": 0.4, "look": "plastic", "colour": [0.95, 0.75, 0.1] },
		"wood": { "model": "rigid", "density": 500, "friction": 0.4, "look": "plastic", "colour": [0.85, 0.25, 0.15] },
		"heavy wood": { "model": "rigid", "density": 800, "friction": 0.4, "look": "plastic", "colour": [0.15, 0.55, 0.3] },
		"stone": { "model": "rigid", "density": 2000, "friction": 0.4, "look": "plastic", "colour": [0.2, 0.2, 0.25] }
	},
	"bodies": [
		{ "material": "water", "shape": "box", "size": [%g, %g, %g], "position": [0, %g, 0] },
"""

TAIL = """
	],
	"colliders": [{ "shape": "box", "inside": true, "size": [%g, 2, %g], "position": [0, 1, 0], "friction": 0.3 }],
	"picture": { "camera": [1.5, 1.35, 2.4], "target": [0, 0.4, 0], "view_angle": 34 },
	"output": { "duration": 1.6, "frame_rate": 25, "vtu": false }
}"""


def cube(k, rng):
    layer, row, column = k // ROW**2, k // ROW % ROW, k % ROW
    middle = (ROW - 1) / 2
    jitter = [rng.uniform(-0.003, 0.003) for _ in range(2)]
    at = ((column - middle) * PITCH + jitter[0], WATER + 0.08 + layer * PITCH, (row - middle) * PITCH + jitter[1])
    turn = [rng.uniform(-20, 20) for _ in range(3)]
    return (
        '\t\t{ "material": "%s", "shape": "box", "size": [%g, %g, %g], "position": [%.4f, %.4f, %.4f], '
        '"rotation": [%.1f, %.1f, %.1f], "skin": "meshes/cube.obj", "scale": %g }'
        % (rng.choice(MATERIALS), EDGE, EDGE, EDGE, *at, *turn, EDGE)
    )


def main():
    rng = random.Random(1)
    print(HEAD % (SPACING, TANK, WATER, TANK, WATER / 2), end="")
    print(",\n".join(cube(k, rng) for k in range(ROW**3)), end="")
    print(TAIL % (TANK, TANK))


main()
