#!/bin/sh
# take_seeds.sh FUZZER: a fuzzer makes its seeds and takes them and those of corpus/, each once.
set -eu
corpus=$(dirname "$0")/corpus/$(basename "$1" | sed s/fuzz_//)
mkdir seeds
[ ! -d "$corpus" ] || cp "$corpus"/* seeds
OZ_FUZZ_SEEDS=$PWD/seeds "$1" -runs=0 -timeout=60 -max_len=24000 seeds
[ -n "$(ls seeds)" ]
