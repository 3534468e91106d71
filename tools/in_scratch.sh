#!/bin/sh
# in_scratch.sh FOLDER COMMAND...: runs a command in a folder that is empty when it begins.
#
# Its home, caches and temporary files are in FOLDER.home, which is made anew, too: it leaves nothing
# elsewhere. OOZE_TEST_KERNELS names a cache of OpenCL kernels that several commands share.
#
# Unless the caller has set LSAN_OPTIONS, the leak sanitizer leaves out what fontconfig keeps.
set -eu
tests=$(cd "$(dirname "$0")/../tests" && pwd)
: "${LSAN_OPTIONS:=suppressions=$tests/fonts.supp:print_suppressions=0}"
export LSAN_OPTIONS
scratch=$1
shift
rm -rf "$scratch" "$scratch.home"
mkdir -p "$scratch" "$scratch.home/tmp"
export OOZE_SCRATCH="$scratch" # tells a test program that it need not do this itself
export HOME="$scratch.home" TMPDIR="$scratch.home/tmp"
export XDG_CACHE_HOME="$HOME/.cache" XDG_CONFIG_HOME="$HOME/.config" XDG_DATA_HOME="$HOME/.local/share"
export OOZE_CACHE_DIR="${OOZE_TEST_KERNELS:-$XDG_CACHE_HOME/ooze}"
export POCL_CACHE_DIR="${OOZE_TEST_KERNELS:-$XDG_CACHE_HOME/pocl}/driver"
mkdir -p "$POCL_CACHE_DIR"
cd "$scratch"
exec "$@"
