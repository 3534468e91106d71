#!/usr/bin/env bash
# demo.sh [OOZE]: builds the program, unless one is named; rubber, jelly, clay, cream and juice fall
# into a tray; all of it in build/demo.
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

# eight paths of light a pixel look like the default of twelve here, in two thirds of the time
"$ooze" run scenes/row_of_five.json -o build/demo --force
"$ooze" render build/demo --size 960x540 --samples 8
"$ooze" movie build/demo

echo
echo "video    build/demo/movie.mp4"
echo "picture  build/demo/contact_sheet.png"
