# `make help` lists the targets. Everything else is CMake: `cmake --workflow --preset dev`.

VENV := build/venv
PYTHON := $(abspath $(VENV)/bin/python)
SHARED ?= $(abspath ../shared)
export CTEST_PARALLEL_LEVEL ?= $(shell nproc)

.PHONY: help deps build demo test check-all bench web fuzz format tidy hooks clean

help:  ## List the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

deps:  ## Install the Debian packages that are missing (as root or with sudo)
	@tools/install_packages.sh core

build: deps  ## Build the program: build/release/webstrata
	@cmake --preset release -Wno-dev > /dev/null
	@cmake --build --preset release

demo: build  ## Run the main job on the bundled sample crawls
	@examples/demo.sh

# Independent tools that the tests compare with. Without them those tests are skipped, loudly.
$(VENV)/ready: tests/requirements.txt
	@tools/install_packages.sh core test
	@python3 -m venv $(VENV)
	@$(VENV)/bin/pip install --quiet --disable-pip-version-check -r tests/requirements.txt \
	  || echo "WARNING: pip could not install tests/requirements.txt; tests that need it are skipped"
	@command -v npm > /dev/null && $(MAKE) --no-print-directory -s web/node_modules/ready \
	  || echo "WARNING: npm could not install web/package-lock.json; the bundle is not built again to compare"
	@touch $@

test: deps $(VENV)/ready  ## Build and run every test, with and without sanitizers
	@cmake --preset asan -Wno-dev -DWEBSTRATA_PYTHON=$(PYTHON) -DWEBSTRATA_SHARED=$(SHARED) > /dev/null
	@cmake --preset dev -Wno-dev -DWEBSTRATA_PYTHON=$(PYTHON) -DWEBSTRATA_SHARED=$(SHARED) > /dev/null
	@cmake --build --preset asan
	@cmake --build --preset dev
	@ctest --preset asan
	@ctest --preset dev

check-all: test  ## Also the thread sanitizer, other compilers, clang-tidy, and each fuzzer for a minute
	@cmake --preset tsan -Wno-dev -DWEBSTRATA_PYTHON=$(PYTHON) -DWEBSTRATA_SHARED=$(SHARED) > /dev/null
	@cmake --build --preset tsan
	@ctest --preset tsan
	@tools/compilers.sh
	@$(MAKE) --no-print-directory tidy fuzz

bench: build $(VENV)/ready  ## Measure against peers (needs ../shared/data)
	@bench/run.sh

# The bundle of the reports. It is committed: only who changes web/src needs npm. (`npm ci` insists on packages of
# other systems that no lock made here names; `npm install` keeps to the lock all the same.)
web/node_modules/ready: web/package-lock.json
	@tools/install_packages.sh web
	@cd web && npm install --no-save --no-audit --no-fund --silent
	@touch $@

web: web/node_modules/ready  ## Build script and style of the reports again (needs npm)
	@cd web && npm run --silent build

fuzz: deps  ## Run every fuzz target for SECONDS (60) each and count executions
	@tools/install_packages.sh core dev
	@cmake --workflow --preset fuzz > /dev/null
	@fuzz/run.sh $${SECONDS_EACH:-60}

format:  ## Lay out the C++ files with clang-format
	@tools/install_packages.sh dev
	@git ls-files '*.h' '*.cpp' | xargs clang-format-14 -i

tidy: deps  ## Run clang-tidy on every file
	@tools/install_packages.sh core dev
	@cmake --workflow --preset tidy

hooks:  ## Check the layout before each commit
	@ln -sf ../../tools/pre-commit .git/hooks/pre-commit && echo "pre-commit hook installed"

clean:  ## Remove everything that was built
	@rm -rf build
