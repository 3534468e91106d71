#!/usr/bin/env bash
# figures.sh [OOZE]: makes every picture of the docs anew, by run and render, in build/figures.
#
# The pour is the scene that docs/scenes.md tells, read from that very page. Scanned models
# are fetched by tools/models.sh; where that is not possible, their pictures stay as they are.
set -euo pipefail
cd "$(dirname "$0")/.."
ooze=${1:-build/ooze}
out=build/figures
limit=300000 # bytes of a picture
mkdir -p "$out"

# keep PICTURE NAME: reduces a picture to a palette and puts it into the docs
keep() {
	ffmpeg -loglevel error -y -i "$1" -vf "split[a][b];[a]palettegen[p];[b][p]paletteuse" "$out/small.png"
	[ "$(stat -c %s "$out/small.png")" -le "$limit" ] || {
		echo "figures.sh: $1 is larger than $limit bytes; render it smaller." >&2
		exit 1
	}
	mv "$out/small.png" "docs/images/$2.png"
	echo "docs/images/$2.png"
}

"$ooze" run scenes/dam_break.json -o "$out/dam_break" --force --quiet --duration 1.2

# the first block of the page that is a scene
awk '/^```jsonc pour.json$/ { on = 1; next } on && /^```$/ { exit } on' docs/scenes.md > "$out/pour.json"
"$ooze" run "$out/pour.json" -o "$out/pour" --force --quiet
"$ooze" render "$out/pour" --size 480x270 --colour body --quiet
keep "$out/pour/contact_sheet.png" pour

"$ooze" render "$out/dam_break" --size 800x450 --frame 24 --colour speed -o "$out/dam_break/speed.png" --quiet
keep "$out/dam_break/speed.png" speed
"$ooze" render "$out/dam_break" --size 800x450 --frame 33 --particles -o "$out/dam_break/particles.png" --quiet
keep "$out/dam_break/particles.png" particles

"$ooze" run scenes/honey_on_ball.json -o "$out/honey" --force --quiet
"$ooze" render "$out/honey" --size 800x450 --frame 100 -o "$out/honey/picture.png" --quiet
keep "$out/honey/picture.png" honey

awk '/^```jsonc jelly.json$/ { on = 1; next } on && /^```$/ { exit } on' docs/rendering.md > "$out/jelly.json"
"$ooze" run "$out/jelly.json" -o "$out/jelly" --force --quiet
"$ooze" render "$out/jelly" --size 800x450 --frame 3 -o "$out/jelly/picture.png" --quiet
keep "$out/jelly/picture.png" jelly

"$ooze" sdf scenes/meshes/glass.ply --cells 100 --slices "$out/sdf.png" --quiet
keep "$out/sdf.png" sdf

# sheet SCENE TIMES NAME: runs a scene and keeps six moments of it
sheet() {
	local run
	run=$out/$(basename "$1" .json)
	"$ooze" run "$1" -o "$run" --force --quiet
	"$ooze" render "$run" --size 400x225 --times "$2" --quiet
	keep "$run/contact_sheet.png" "$3"
}

# moment SCENE FRAME NAME: runs a scene and keeps one frame of it
moment() {
	local run
	run=$out/$(basename "$1" .json)
	"$ooze" run "$1" -o "$run" --force --quiet
	"$ooze" render "$run" --size 800x450 --frame "$2" -o "$run/picture.png" --quiet
	keep "$run/picture.png" "$3"
}

# the tutorial's own commands leave its pictures
mkdir -p docs/images/tutorial
tools/check_docs.py --long --keep "$out/tutorial" docs/tutorial.md
for picture in "$out"/tutorial/*.png; do
	keep "$picture" "tutorial/$(basename "$picture" .png)"
done

tools/film.sh "$ooze"

moment scenes/cubes_from_rubber_to_water.json 36 cubes
moment scenes/bars_hang.json 8 bars
moment scenes/row_of_five.json 10 row
sheet scenes/ball_splits_on_dome.json 0.2,0.33,0.5,0.7,0.9,1.3 dome
sheet scenes/balls_into_pool.json 0.1,0.17,0.23,0.3,0.47,1 pool
sheet scenes/pressed_cube.json 0.17,0.57,0.73,0.8,0.9,1.4 pressed
sheet scenes/falling_cuboids.json 0.1,0.25,0.35,0.45,0.6,1 falling_cuboids
sheet scenes/sombrero_falls.json 0.15,0.25,0.3,0.4,0.6,1.5 sombrero
sheet scenes/ducks_on_membrane.json 0,0.15,0.25,0.4,0.7,1.5 membrane
sheet scenes/rods_on_rods.json 0,0.2,0.3,0.5,0.9,1.5 rods
sheet scenes/duck_floats.json 0.1,0.2,0.33,0.5,1,2.5 duck_floats
sheet scenes/sheet_under_water.json 0.3,0.5,0.9,1.2,1.6,2 sheet_under_water
sheet scenes/ducks_melt.json 0,0.4,0.8,1.2,1.7,2.5 ducks_melt
sheet scenes/cube_melts.json 0,0.5,0.8,1.5,2.2,3.2 cube_melts
# these two are large
sheet scenes/figures/ducks_down_slope.json 0,0.4,0.7,1,1.5,2.4 ducks_down_slope
sheet scenes/figures/cube_melts.json 0,0.2,0.3,0.4,0.5,0.7 cube_of_100k

cp tools/figures/*.json "$out/"
/usr/bin/python3 tools/moai.py "$out/moai.obj"
sheet "$out/stone_head.json" 0,0.17,0.23,0.33,0.5,0.7 stone_head

tools/models.sh || echo "figures.sh: pictures of models that are not there stay as they are." >&2
# scan MODEL SCENE TIMES NAME: a sheet of a scene with a scanned model, if it is there
scan() {
	[ ! -s "build/models/$1" ] || sheet "${@:2}"
}
scan armadillo.off "$out/armadillo.json" 0,0.1,0.17,0.23,0.3,0.7 armadillo
scan bunny00.off "$out/bunny.json" 0,0.23,0.33,0.5,0.7,1.2 bunny
scan refined_elephant.off scenes/figures/pour_elephant.json 0.2,0.5,0.9,1.3,1.7,2.2 pour_elephant
scan armadillo.off scenes/figures/pour_armadillo.json 0.2,0.5,0.9,1.3,1.8,2.4 pour_armadillo
scan dragon.ply scenes/figures/pour_dragon.json 0.3,0.6,1,1.4,1.9,2.5 pour_dragon

tools/links_figures.sh "$ooze"
