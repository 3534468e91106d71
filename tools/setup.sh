#!/usr/bin/env bash
# setup.sh [--tests]: installs the Debian packages that building and testing need, if any is
# missing; with --tests also node and the npm packages that tests alone use.
#
# Where it cannot, it says so and lets the build go on: the core needs a compiler and CMake alone.
set -uo pipefail

packages=(
	build-essential cmake ninja-build pkg-config
	clang clang-format lld libclang-rt-14-dev libfuzzer-14-dev
	libassimp-dev libembree-dev libpng-dev libhdf5-dev
	libcairo2-dev fonts-dejavu-core
	libcmocka-dev ocl-icd-opencl-dev opencl-headers pocl-opencl-icd
	ffmpeg graphviz python3-numpy python3-meshio python3-h5py python3-scipy python3-skimage
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
# node may come from elsewhere, with an npm of its own
[ "${1:-}" != --tests ] || command -v npm > /dev/null || missing+=(nodejs npm)

root=()
[ "$(id -u)" -eq 0 ] || root=(sudo -n)
apt() {
	"${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq "$@" > /dev/null
}

if [ ${#missing[@]} -gt 0 ]; then
	echo "setup: installing ${missing[*]}"
	apt install -y --no-install-recommends "${missing[@]}" 2> /dev/null ||
		{ apt update && apt install -y --no-install-recommends "${missing[@]}"; } ||
		echo "setup: could not install packages; as root, run: apt-get install ${missing[*]}." >&2
fi

[ "${1:-}" = --tests ] || exit 0
# Khronos' validator of glTF
modules=(gltf-validator@2.0.0-dev.3.10)
cd "$(dirname "$0")/.." || exit 0
if [ ! -d build/npm/node_modules/gltf-validator ] && command -v npm > /dev/null; then
	echo "setup: installing ${modules[*]}"
	mkdir -p build/npm
	npm install --prefix build/npm --no-audit --no-fund --loglevel=error "${modules[@]}" \
		> /dev/null || echo "setup: could not install ${modules[*]}; its test will be skipped." >&2
fi
