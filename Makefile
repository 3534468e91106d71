# The commands of daily work. CMake builds (CMakePresets.json); tools/ holds what takes several lines.
PREFIX ?= /usr/local
export FUZZ_SECONDS ?= 300

.PHONY: build demo test test-long bench figures fuzz format install clean setup

build: setup
	@cmake --preset release
	@cmake --build --preset release

demo: build
	@tools/demo.sh

test: setup
	@tools/test.sh

test-long: setup
	@tools/test.sh --long

bench: build
	@build/ooze bench

figures: build
	@tools/figures.sh

fuzz: setup
	@tools/fuzz.sh

format: setup
	@tools/format.sh

install: build
	@cmake --install build/release --prefix "$(PREFIX)"

clean:
	@rm -rf build

setup:
	@tools/setup.sh
