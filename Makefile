# `make help` lists the targets. Everything else is CMake: `cmake --workflow --preset dev`.

VENV := build/venv
PYTHON := $(abspath $(VENV)/bin/python)
SHARED ?= $(abspath ../shared)
CONFIGURED = -Wno-dev -DWEBSTRATA_TEST_SECONDS=900 -DWEBSTRATA_PYTHON=$(PYTHON) -DWEBSTRATA_SHARED=$(SHARED)
WHOLE := ^(fetch/(crawl_)?miniweb_test|cli/archive_law_test/shared|archive/stack_crash_test|frontier/kill_test)$$
# Many tests wait for servers and clocks, so two more than there are cores.
export CTEST_PARALLEL_LEVEL ?= $(shell expr $$(nproc) + 2)

.PHONY: help deps build deb demo test-tools with-sanitizers announce test check-all bench-packages bench bench-quick web wheel fuzz format tidy hooks clean

help:  ## List the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

deps:  ## Install the Debian packages that are missing (as root or with sudo)
	@tools/install_packages.sh core

build: deps  ## Build the program: build/release/webstrata
	@cmake --preset release -Wno-dev > /dev/null
	@cmake --build --preset release

demo: build  ## Run the main job on the bundled sample crawls
	@examples/demo.sh

# Independent tools that the tests compare with. A failed installation fails here, and is tried again the next time:
# without these tools, two of five test scripts would be skipped.
$(VENV)/ready: tests/requirements.txt
	@tools/install_packages.sh core test
	@python3 -m venv $(VENV)
	@$(VENV)/bin/pip install --quiet --disable-pip-version-check -r tests/requirements.txt \
	  || { echo "pip could not install tests/requirements.txt; the tests need it. Try again when the network is there." >&2; exit 1; }
	@touch $@

test-tools: $(VENV)/ready web/node_modules/ready

# The Rust library that reads our graphs takes minutes to compile; inside a test that would count against its time. If cargo
# fails, graph/webgraph_peer_test says why.
build/webgraph_peer/ready: $(wildcard tests/graph/webgraph_peer/Cargo.toml tests/graph/webgraph_peer/src/*)
	@tools/install_packages.sh core test
	@mkdir -p $(@D) && cp -r tests/graph/webgraph_peer/. $(@D)
	@cd $(@D) && cargo build --quiet && touch ready || echo "cargo could not build tests/graph/webgraph_peer" >&2

# The Java stubs of URL Frontier and what they need, about 20 MB. If Maven fails, frontier/java_stubs_test says why.
build/frontier_stubs/ready: tests/frontier/java/pom.xml
	@tools/install_packages.sh core test
	@mvn -q -B -f $< dependency:copy-dependencies -DincludeScope=runtime -DoutputDirectory=$(abspath $(@D)) > /dev/null \
	  && touch $@ || echo "maven could not fetch the stubs of tests/frontier/java" >&2

# C++ tests and most scripts that drive the program run with sanitizers, the other scripts without
# (docs/decisions/018-test-builds.md). check-all runs everything without sanitizers as well.
test: announce deps  ## Build and run every test, most of them with sanitizers
	@$(MAKE) --no-print-directory -j4 with-sanitizers test-tools build/webgraph_peer/ready build/frontier_stubs/ready
	@cmake --preset dev $(CONFIGURED) > /dev/null
	@tools/run_tests.py asan dev/script --shared $(SHARED) --meanwhile "cmake --build --preset dev --target script_needs"

# Compiling leaves the network idle, and fetching packages and tools the cores: make test does both at once.
with-sanitizers:
	@cmake --preset asan $(CONFIGURED) > /dev/null
	@cmake --build --preset asan

announce:
	@echo "On two free cores, this takes about 40 minutes the first time, and about 25 once ccache has the compiled files."

# The environment asks for the full size of tests that take a part of their data otherwise.
check-all: test  ## Also every test without sanitizers, whole crawls, the thread sanitizer, other compilers, clang-tidy, and each fuzzer for a minute
	@cmake --preset dev $(CONFIGURED) -DWEBSTRATA_TEST_SECONDS=7200 > /dev/null
	@cmake --build --preset dev
	@tools/run_tests.py dev --shared $(SHARED) --ctest=-LE --ctest='^script$$'
	@WEBSTRATA_WHOLE_MINIWEB=1 WEBSTRATA_LAW_WHOLE=1 WEBSTRATA_FRONTIER_KILLS=100 tools/run_tests.py dev --shared $(SHARED) --ctest=-R --ctest='$(WHOLE)'
	@cmake --preset tsan $(CONFIGURED) > /dev/null
	@cmake --build --preset tsan
	@tools/run_tests.py tsan --shared $(SHARED)
	@tools/compilers.sh
	@tools/mutants.py --check && tools/torture.sh 10 && tools/soak.sh 10
	@$(MAKE) --no-print-directory tidy fuzz

bench-packages:
	@tools/install_packages.sh core dev

bench: bench-packages build test-tools  ## Measure against peers, about an hour: results/ and docs/RESULTS.md (needs ../shared/data)
	@cmake --build --preset release --target benchmarks
	@bench/run.py --page docs/RESULTS.md

bench-quick: bench-packages build test-tools  ## The short form of the benchmarks, in minutes: results/
	@cmake --build --preset release --target benchmarks
	@bench/run.py --quick

# The bundle of the reports. It is committed: only who changes web/src needs npm. (`npm ci` insists on packages of
# other systems that no lock made here names; `npm install` keeps to the lock all the same.)
web/node_modules/ready: web/package-lock.json
	@tools/install_packages.sh web
	@cd web && npm install --no-save --no-audit --no-fund --silent \
	  || { echo "npm could not install web/package-lock.json; the test of the reports' bundle needs it. Try again when the network is there." >&2; exit 1; }
	@touch $@

web: web/node_modules/ready  ## Build script and style of the reports again (needs npm)
	@cd web && npm run --silent build

wheel: deps  ## Build a Python wheel that brings all its libraries: dist/webstrata-*.whl
	@tools/wheel.sh

deb: deps  ## Build Debian packages of the program and of the library: dist/*.deb
	@tools/deb.sh

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
