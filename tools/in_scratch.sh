#!/bin/sh
# in_scratch.sh FOLDER COMMAND...: runs a command in a folder that is empty when it begins.
set -eu
scratch=$1
shift
rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch"
exec "$@"
