#!/usr/bin/env bash
# demo.sh [OOZE]: rubber, jelly, clay, cream and juice fall into a tray; all of it in build/demo.
set -euo pipefail
cd "$(dirname "$0")/.."
ooze=${1:-build/ooze}

"$ooze" run scenes/row_of_five.json -o build/demo --force
"$ooze" render build/demo --size 960x540 --samples 8
"$ooze" movie build/demo

echo
echo "video    build/demo/movie.mp4"
echo "picture  build/demo/contact_sheet.png"
