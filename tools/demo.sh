#!/usr/bin/env bash
# demo.sh [OOZE]: builds the program, unless one is named; simulates scenes/everything.json, in which
# every model of material has a part; all of it in build/demo.
set -euo pipefail
cd "$(dirname "$0")/.."
ooze=${1:-build/ooze}

if [ $# -eq 0 ]; then
	tools/setup.sh
	# ffmpeg has many packages: they are installed while the compiler works
	tools/setup.sh --movie &
	make --no-print-directory build
	wait
fi

# four paths of light a pixel in place of twelve: half of the time; the video is four times as slow as
# the simulated world
"$ooze" run scenes/everything.json -o build/demo --force
"$ooze" render build/demo --size 640x360 --samples 4
"$ooze" movie build/demo --rate 18

echo
echo "video    build/demo/movie.mp4"
echo "picture  build/demo/contact_sheet.png"
