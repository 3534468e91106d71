#!/usr/bin/env bash
# setup.sh: installs the Debian packages that building and testing need, if any is missing.
#
# Where it cannot, it says so and lets the build go on: the core needs a compiler and CMake alone.
set -uo pipefail

packages=(
	build-essential cmake ninja-build pkg-config
	clang clang-format libclang-rt-14-dev libfuzzer-14-dev
	libjson-c-dev libassimp-dev libembree-dev libpng-dev libhdf5-dev
	libcmocka-dev ocl-icd-opencl-dev opencl-headers pocl-opencl-icd
	ffmpeg python3-numpy python3-meshio python3-h5py
)

if ! command -v dpkg-query > /dev/null || ! command -v apt-get > /dev/null; then
	echo "setup: this system has no apt-get; if the build misses something, install what" \
		"your system calls: ${packages[*]}." >&2
	exit 0
fi

installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${packages[@]}" 2> /dev/null |
	sed -n 's/^installed //p')
missing=()
for package in "${packages[@]}"; do
	grep -qx -- "$package" <<< "$installed" || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

root=()
[ "$(id -u)" -eq 0 ] || root=(sudo -n)
apt() {
	"${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq "$@" > /dev/null
}

echo "setup: installing ${missing[*]}"
apt install -y --no-install-recommends "${missing[@]}" 2> /dev/null ||
	{ apt update && apt install -y --no-install-recommends "${missing[@]}"; } ||
	echo "setup: could not install packages; as root, run: apt-get install ${missing[*]}." >&2
