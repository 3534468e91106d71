#!/usr/bin/env bash
# demo.sh: runs the dam break and shows what became of it, all in build/demo.
set -euo pipefail
cd "$(dirname "$0")/.."

build/ooze run scenes/dam_break.json -o build/demo

# the picture and the video of build/demo are made here
