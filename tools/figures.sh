#!/usr/bin/env bash
# figures.sh [OOZE]: makes every picture of the docs anew, by run and render, in build/figures.
#
# The pour is the scene that docs/scenes.md tells, read from that very page.
set -euo pipefail
cd "$(dirname "$0")/.."
ooze=${1:-build/ooze}
out=build/figures
limit=300000 # bytes of a picture
mkdir -p "$out"

# keep PICTURE NAME: reduces a picture to a palette and puts it into the docs
keep() {
	ffmpeg -loglevel error -y -i "$1" -vf "split[a][b];[a]palettegen[p];[b][p]paletteuse" "$out/$2.png"
	[ "$(stat -c %s "$out/$2.png")" -le "$limit" ] || {
		echo "figures.sh: $out/$2.png is larger than $limit bytes; render it smaller." >&2
		exit 1
	}
	cp "$out/$2.png" "docs/images/$2.png"
	echo "docs/images/$2.png"
}

"$ooze" run scenes/dam_break.json -o "$out/dam_break" --force --quiet --duration 1.2
"$ooze" render "$out/dam_break" --size 1200x675 --frame 33 -o "$out/dam_break/picture.png" --quiet
keep "$out/dam_break/picture.png" dam_break

# the first block of the page that is a scene
awk '/^```jsonc$/ { on = 1; next } on && /^```$/ { exit } on' docs/scenes.md > "$out/pour.json"
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

awk '/^```jsonc$/ { on = 1; next } on && /^```$/ { exit } on' docs/rendering.md > "$out/jelly.json"
"$ooze" run "$out/jelly.json" -o "$out/jelly" --force --quiet
"$ooze" render "$out/jelly" --size 800x450 --frame 3 -o "$out/jelly/picture.png" --quiet
keep "$out/jelly/picture.png" jelly
