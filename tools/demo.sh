#!/usr/bin/env bash
# demo.sh [OOZE]: runs the dam break and shows what became of it, all in build/demo.
set -euo pipefail
cd "$(dirname "$0")/.."
ooze=${1:-build/ooze}
scene=scenes/dam_break.json

# pictures are made from PLY frames; a scene that does not ask for them gets a copy that does
mkdir -p build
if ! grep -q '"ply": true' "$scene"; then
	sed 's/"output": {/"output": { "ply": true, "vtu": false,/' "$scene" > build/demo.json
	scene=build/demo.json
fi

"$ooze" run "$scene" -o build/demo --force --duration 2
"$ooze" render build/demo --size 960x540
"$ooze" movie build/demo

echo
echo "video    build/demo/movie.mp4"
echo "picture  build/demo/contact_sheet.png"
