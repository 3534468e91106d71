#!/usr/bin/env bash
# setup.sh [--movie | --tests]: installs the Debian packages that building needs, if any is missing.
# --movie: what videos need. --tests: all of it and what tests, figures and formatting need, with
# the npm packages.
#
# Where it cannot, it says so and lets the build go on: the core needs a compiler and CMake alone.
set -uo pipefail

# ocl-icd-libopencl1 finds the drivers of GPUs
packages=(
	gcc libc6-dev make cmake ninja-build pkg-config
	libassimp-dev libembree-dev libpng-dev libhdf5-dev
	libcairo2-dev fonts-dejavu-core
	opencl-headers ocl-icd-libopencl1
)
movie=(ffmpeg)
tests=(
	g++ clang clang-format lld libclang-rt-14-dev libfuzzer-14-dev
	libcmocka-dev ocl-icd-opencl-dev pocl-opencl-icd
	graphviz python3-numpy python3-meshio python3-h5py python3-scipy python3-skimage
)
case "${1:-}" in
	--movie) packages=("${movie[@]}") ;;
	--tests) packages+=("${movie[@]}" "${tests[@]}") ;;
esac

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
	echo "setup: installing ${missing[*]}; this may take a minute or two"
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
