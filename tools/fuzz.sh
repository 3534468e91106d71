#!/usr/bin/env bash
# fuzz.sh: builds every fuzzer of tests/fuzz and runs each for FUZZ_SECONDS (300); 0 s: only the
# seeds, the same ones every time.
#
# Each begins with tests/fuzz/corpus/<name> and with seeds that it makes itself, into
# build/fuzz/seeds; what it finds beyond that stays in build/fuzz/found. An input that breaks
# something is left in build/fuzz/broken, and the script fails.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
seconds=${FUZZ_SECONDS:-300}

length=(-max_total_time="$seconds")
[ "$seconds" = 0 ] && length=(-runs=0)

cmake --preset fuzz && cmake --build --preset fuzz || exit 1

# files that live for a moment are kept off the disk where that is possible
scratch=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

status=0
count=0
mkdir -p build/fuzz/broken
for source in tests/fuzz/fuzz_*.c; do
	[ -e "$source" ] || continue
	program=$(basename "$source" .c)
	name=${program#fuzz_}
	count=$((count + 1))
	folders=("build/fuzz/found/$name" "build/fuzz/seeds/$name")
	mkdir -p "${folders[@]}"
	[ -d "tests/fuzz/corpus/$name" ] && folders+=("tests/fuzz/corpus/$name")
	echo "== $program, $seconds s"
	TMPDIR=$scratch OZ_FUZZ_SEEDS=build/fuzz/seeds/$name \
		"build/fuzz/tests/$program" "${length[@]}" -timeout=60 -max_len=24000 \
		-print_final_stats=1 -artifact_prefix="build/fuzz/broken/$name-" \
		"${folders[@]}" || status=1
done
[ $count -gt 0 ] || { echo "fuzz: there is no tests/fuzz/fuzz_*.c to run." >&2; exit 1; }
exit $status
