#!/usr/bin/env bash
# figures.sh: makes every picture of the docs anew; each comes from a command below.
set -euo pipefail
cd "$(dirname "$0")/.."

mkdir -p build/figures
build/ooze run scenes/dam_break.json -o build/figures/dam_break
