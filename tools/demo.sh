#!/usr/bin/env bash
# demo.sh [OOZE]: runs the dam break and shows what became of it, all in build/demo.
set -euo pipefail
cd "$(dirname "$0")/.."
ooze=${1:-build/ooze}

"$ooze" run scenes/dam_break.json -o build/demo --force --duration 2.5
"$ooze" render build/demo --size 640x360
"$ooze" movie build/demo

echo
echo "video    build/demo/movie.mp4"
echo "picture  build/demo/contact_sheet.png"
