#!/bin/sh
# in_scratch.sh FOLDER COMMAND...: runs a command in a folder that is empty when it begins.
#
# Unless the caller has set LSAN_OPTIONS, the leak sanitizer leaves out what fontconfig keeps.
set -eu
tests=$(cd "$(dirname "$0")/../tests" && pwd)
: "${LSAN_OPTIONS:=suppressions=$tests/fonts.supp:print_suppressions=0}"
export LSAN_OPTIONS
scratch=$1
shift
rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch"
exec "$@"
