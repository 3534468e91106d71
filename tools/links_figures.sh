#!/usr/bin/env bash
# links_figures.sh [OOZE] [SCENE…]: runs the scenes of links, makes their pictures and prints their
# numbers (docs/links.md). Runs stay in build/links; without a scene all are run, one after the other.
set -euo pipefail
cd "$(dirname "$0")/.."
ooze=${1:-build/ooze}
[ $# -lt 1 ] || shift
chosen=" $* "
out=build/links
limit=300000 # bytes of a picture
mkdir -p "$out"

is_chosen() {
	[ "$chosen" = "  " ] || [[ "$chosen" = *" $1 "* ]]
}

# simulate SCENE [FROM TO]...: runs a scene, with parts of its text replaced
simulate() {
	local name=$1 scene=$2
	shift 2
	local text
	text=$(< "$scene")
	while [ $# -ge 2 ]; do
		[[ $text = *"$1"* ]] || {
			echo "links_figures.sh: $scene does not contain $1." >&2
			exit 1
		}
		text=${text//"$1"/"$2"}
		shift 2
	done
	# beside the scene, so that paths of meshes hold
	local copy
	copy=$(dirname "$scene")/.$name.json
	printf '%s\n' "$text" > "$copy"
	"$ooze" run "$copy" -o "$out/$name" --force --quiet || {
		rm -f "$copy"
		exit 1
	}
	rm -f "$copy"
}

# picture NAME TIMES: six moments or fewer of a run
picture() {
	"$ooze" render "$out/$1" --size 480x300 --samples 16 --times "$2" --quiet
	ffmpeg -loglevel error -y -i "$out/$1/contact_sheet.png" -vf "scale='min(1440,iw)':-1" -q:v 82 "$out/$1.webp"
	[ "$(stat -c %s "$out/$1.webp")" -le "$limit" ] || {
		echo "links_figures.sh: $out/$1.webp is larger than $limit bytes." >&2
		exit 1
	}
	cp "$out/$1.webp" "docs/images/links_${1#links_}.webp"
	echo "docs/images/links_${1#links_}.webp"
}

measure() {
	tools/links_numbers.py "$@"
}

# shown SCENE TIMES MEASURE: a run, its picture and its number
shown() {
	local name
	name=$(basename "$1" .json)
	is_chosen "$name" || return 0
	simulate "$name" "$1"
	picture "$name" "$2"
	[ -z "$3" ] || measure "$3" "$out/$name"
}

figures=scenes/figures
shown $figures/links_three_moduli.json 0.1,0.2,0.3,0.8 shape
shown $figures/links_three_c.json 0.1,0.2,0.3,0.8 shape
shown $figures/links_merge.json 0,0.1,0.2,0.4,0.8,1.2 pieces
shown $figures/links_column.json 0.05,0.1,0.15,0.2,0.3,0.6 pieces
shown $figures/links_wall.json 0.07,0.1,0.2,1 shape
shown $figures/links_drop.json 0,0.02,0.033,0.05,0.1,0.6 shape
shown $figures/links_board.json 0,0.5,0.8,1.4,2,2.4 volume
if is_chosen links_board; then
	material='"model": "links", "shear_modulus": 1000, "relaxation_time": 3, "sticky": 0, "link_law": "stretch"'
	simulate links_board_springs $figures/links_board.json '"link_law": "stretch"' '"link_law": "springs"'
	simulate links_board_blend $figures/links_board.json "$material" '"model": "blend", "alpha": 0.1, "paper": true' \
		'"duration": 2.4' '"duration": 0.7'
	measure volume "$out/links_board_springs" "$out/links_board_blend"
	measure rounds "$out/links_board" "$out/links_board_springs"
fi
[ ! -s build/models/dragon.ply ] || shown $figures/links_dragon.json 0.1,0.3,0.5,0.8,1.1,1.6 pieces
shown $figures/links_pulls_cube.json 0,0.033,0.067,0.1,0.2,1 shape
shown $figures/links_jet.json 0,0.4,0.8,1.6 ""
if is_chosen links_jet; then
	simulate links_jet_without $figures/links_jet.json '"shear_modulus": 500' '"shear_modulus": 0'
	measure jet 0.024 "$out/links_jet" "$out/links_jet_without"
fi

shown scenes/pizza_slice.json 0.3,0.7,1.1,1.5,1.9,2.3 pieces
shown scenes/gum_pulled.json 0.3,0.9,1.5,2.1,2.7,3.2 strand
shown scenes/slime_sieve.json 0.3,0.6,0.9,1.2,1.6,2 pieces
shown scenes/silly_putty.json 0.1,0.2,0.25,0.3,1,3 shape
shown scenes/cheese_melts.json 1,3,4,5,6,7 pieces
shown scenes/chocolate_sets.json 0.5,1,2,2.5 shape
shown scenes/glue_cures.json 0,0.6,0.9,1.2,1.6,2 shape

# seconds a frame beside the paper's, of all figures that have been run
runs=()
for run in "$out"/links_*/; do
	[ ! -s "$run/stats.csv" ] || runs+=("$run")
done
if [ ${#runs[@]} -gt 0 ]; then
	echo "| figure | run | particles | frame | s a frame | the paper's | s a frame | ratio a particle |"
	echo "|---|---|---|---|---|---|---|---|"
	measure frames "${runs[@]}"
fi
