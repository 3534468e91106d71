#!/usr/bin/env bash
# format.sh [--check]: brings all our C into shape, or fails and names the lines that are not.
set -euo pipefail
cd "$(dirname "$0")/.."

action=(-i)
[ "${1:-}" = --check ] && action=(--dry-run --Werror)

find include src cli tests bench -type f \
	\( -name '*.c' -o -name '*.h' -o -name '*.cl' -o -name '*.cpp' \) -print0 |
	xargs -0 clang-format --style=file "${action[@]}"
