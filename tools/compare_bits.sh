#!/usr/bin/env bash
# compare_bits.sh OTHER [STEPS]: runs every scene on one and two threads with this build and with
# that of another tree, and says which end with other bits.
#
# Both trees hold a finished `make build`. OOZE_LANES=4 in the environment takes vectors without
# fused multiply-adds, which compilers place as they like: then rounding is no reason to differ.
set -euo pipefail
cd "$(dirname "$0")/.."
other=${1:?use: tools/compare_bits.sh OTHER_TREE [STEPS]}
steps=${2:-200}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# link TREE NAME: the program that prints a hash, with the libraries of a tree
link() {
	local libraries
	libraries=$(sed -n '/^ *LINK_LIBRARIES = .*libooze_tools\.a/ { s/.*LINK_LIBRARIES = //p; q }' \
		"$1/build/release/build.ninja")
	(cd "$1/build/release" && cc -O1 -I"$1/include" -I"$1/src" "$OLDPWD/tests/scene_bits.c" \
		-o "$scratch/$2" $libraries)
}

link "$PWD" here
link "$(cd "$other" && pwd)" there
differ=0
for scene in scenes/*.json; do
	for threads in 1 2; do
		here=$("$scratch/here" "$scene" "$threads" "$steps")
		there=$(cd "$other" && "$scratch/there" "$scene" "$threads" "$steps")
		[ "$here" = "$there" ] && continue
		echo "$scene, $threads threads: $here here, $there there"
		differ=$((differ + 1))
	done
done
echo "$differ of $((2 * $(ls scenes/*.json | wc -l))) runs differ"
