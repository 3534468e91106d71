# The commands of daily work. CMake builds (CMakePresets.json); tools/ holds what takes several lines.
PREFIX ?= /usr/local
export FUZZ_SECONDS ?= 300

.PHONY: build demo test test-long bench figures fuzz format docs-check install clean

# the program and the library alone; `make test` builds the tests
build:
	@tools/setup.sh
	@cmake --preset release
	@cmake --build --preset program

demo:
	@tools/demo.sh

test:
	@tools/test.sh

test-long:
	@tools/test.sh --long

bench: build
	@build/ooze bench

figures: build
	@tools/setup.sh --tests
	@tools/figures.sh

fuzz:
	@tools/setup.sh --tests
	@tools/fuzz.sh

format:
	@tools/setup.sh --tests
	@tools/format.sh

docs-check: build
	@tools/setup.sh --tests
	@tools/check_docs.py --long

install: build
	@cmake --install build/release --prefix "$(PREFIX)"

clean:
	@rm -rf build
