#!/usr/bin/env bash
# run.sh BUILD: installs a build beside itself and uses the result as a stranger would:
# through pkg-config, through find_package, and with the header alone in strict C and C++.
set -euo pipefail
build=$1
source=$(cd "$(dirname "$0")" && pwd)
prefix=$PWD/prefix
strict=(-pedantic -Wall -Wextra -Wshadow -Wconversion -Werror)

# expect WANTED COMMAND...: the command must succeed and print exactly that
expect() {
	local wanted=$1 printed
	shift
	printed=$("$@")
	[ "$printed" = "$wanted" ] || {
		echo "$* printed \"$printed\" and not \"$wanted\"."
		exit 1
	}
}

cmake --install "$build" --prefix "$prefix" > install.log

# moved, since nothing in it may name the place where it was installed
mv prefix moved
prefix=$PWD/moved
lib=$(dirname "$(find "$prefix" -type d -name pkgconfig)")
export PKG_CONFIG_PATH=$lib/pkgconfig LD_LIBRARY_PATH=$lib
flags=$(pkg-config --cflags --libs ooze)

cc "$source/program.c" $flags -o by_pkg_config
expect "2 drops, falling" ./by_pkg_config

cmake -S "$source" -B by_cmake -DCMAKE_PREFIX_PATH="$prefix" > by_cmake.log
cmake --build by_cmake >> by_cmake.log
expect "2 drops, falling" by_cmake/program

cc -std=c11 "${strict[@]}" "$source/header.c" $flags -o header_c
expect "" ./header_c
c++ -std=c++11 "${strict[@]}" "$source/header.cpp" $flags -o header_cpp
expect "" ./header_cpp

expect "ooze $(pkg-config --modversion ooze)" "$prefix/bin/ooze" --version
scenes=$prefix/share/ooze/scenes
test -s "$scenes/dam_break.json"
for scene in "$scenes"/*.json; do
	schema=$(sed -n 's/.*"$schema": "\(.*\)".*/\1/p' "$scene")
	test -n "$schema" && test -s "$scenes/$schema" || {
		echo "$scene names the schema \"$schema\", which is not there."
		exit 1
	}
done
