#!/usr/bin/env bash
# test.sh [--long]: everything that must hold before a change goes in; from nothing, or on top of a
# build. docs/testing.md says what runs where.
#
# Configurations: release by gcc (all tests), asan by clang (all but the slow ones, and each fuzzer
# on its seeds), tsan (the threaded ones). With --long all of them run all they can: every device
# test on OpenCL, physics under ASan, more under TSan, and tests that can run longer do. A build, a
# test program and a comparison each count as one; the last line sums up.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
export CC=gcc
export UBSAN_OPTIONS=print_stacktrace=1

long=
[ "${1:-}" != --long ] || long=-long

passed=0
failed=0
skipped=0
failures=()

fail() {
	failures+=("$1")
	echo "FAILED: $1"
}

# check NAME COMMAND...: counts one
check() {
	local name=$1
	shift
	echo "== $name"
	if "$@"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		fail "$name"
		return 1
	fi
}

# build CONFIGURATION [PRESET]
build() {
	cmake --preset "$1" --log-level=WARNING && cmake --build --preset "${2:-$1}"
}

# tests PRESET [WRAPPER...]: builds a configuration and counts each of its tests
tests() {
	local preset=$1 log bad all left
	shift
	check "build $preset" build "$preset" "$preset$([ "$preset" = release ] || echo "$long")" || return
	log=build/$preset/ctest.log
	echo "== tests $preset$long"
	"$@" ctest --preset "$preset$long" 2>&1 | tee "$log"
	read -r bad all < <(sed -n \
		's/.*tests passed, \([0-9]*\) tests\{0,1\} failed out of \([0-9]*\).*/\1 \2/p' "$log")
	if [ -z "${all:-}" ]; then
		check "tests $preset: no result" false
		return
	fi
	left=$(grep -c '[*]Skipped ' "$log")
	skipped=$((skipped + left))
	passed=$((passed + all - bad - left))
	failed=$((failed + bad))
	[ "$bad" -eq 0 ] || fail "tests $preset"
}

# the page must say what the program says
same() {
	local page=$1
	shift
	diff -u "$page" <("$@") || {
		echo "$page is out of date: write it anew with \`$* > $page\`."
		return 1
	}
}

# what the user's caches hold; tests have their own (tools/in_scratch.sh)
cached() {
	find "${OOZE_CACHE_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/ooze}" \
		"${POCL_CACHE_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/pocl}" 2> /dev/null | LC_ALL=C sort
}

# nothing_new FILE: the caches hold what the list FILE says, or less
nothing_new() {
	local new
	new=$(LC_ALL=C comm -13 "$1" <(cached))
	[ -z "$new" ] || {
		echo "tests, or another program meanwhile, have left files in the user's cache;" \
			"tests set its folder in tools/in_scratch.sh:"
		echo "$new"
		return 1
	}
}

# the sanitizer's fixed memory layout can collide with a randomised one
fixed_layout=()
setarch -R true 2> /dev/null && fixed_layout=(setarch -R)

tools/setup.sh --tests
mkdir -p build
cached > build/cached_before.txt
check "format" tools/format.sh --check
check "rooms" tools/rooms.py
check "docs/images/rooms.svg" tools/rooms.py --drawn docs/images/rooms.svg
tests release
tests asan
tests tsan "${fixed_layout[@]}"
check "docs/parameters.md" same docs/parameters.md build/ooze params --markdown
check "docs/scene.schema.json" same docs/scene.schema.json build/ooze schema
check "tests leave nothing in the user's cache" nothing_new build/cached_before.txt

[ ${#failures[@]} -eq 0 ] || printf 'failed: %s\n' "${failures[@]}"
[ "$skipped" -eq 0 ] || echo "$skipped skipped, for want of what they need: see above"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
