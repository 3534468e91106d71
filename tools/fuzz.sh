#!/usr/bin/env bash
# fuzz.sh: builds every fuzzer of tests/fuzz and runs each for FUZZ_SECONDS (300).
#
# Each begins with tests/fuzz/corpus/<name>; what it finds beyond that stays in build/fuzz/found.
# An input that breaks something is left in build/fuzz/broken, and the script fails.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
seconds=${FUZZ_SECONDS:-300}

cmake --preset fuzz && cmake --build --preset fuzz || exit 1

status=0
count=0
mkdir -p build/fuzz/broken
for source in tests/fuzz/fuzz_*.c; do
	[ -e "$source" ] || continue
	program=$(basename "$source" .c)
	name=${program#fuzz_}
	count=$((count + 1))
	mkdir -p "build/fuzz/found/$name"
	echo "== $program, $seconds s"
	"build/fuzz/tests/$program" -max_total_time="$seconds" -timeout=20 -print_final_stats=1 \
		-artifact_prefix="build/fuzz/broken/$name-" \
		"build/fuzz/found/$name" "tests/fuzz/corpus/$name" || status=1
done
[ $count -gt 0 ] || { echo "fuzz: there is no tests/fuzz/fuzz_*.c to run." >&2; exit 1; }
exit $status
