#!/bin/sh
# SPDX-License-Identifier: Apache-2.0

# torture.sh [MINUTES] [SEED]: tries to break what docs/RELIABILITY.md promises, for MINUTES (default 10): mutated
# inputs, damaged archives, kills, full disks and limits. Prints the seed first and counts at the end; every failure says how
# to repeat it. Ctrl-C ends it with the counts so far. Builds what it needs: the program with and without sanitizers.
set -eu
cd "$(dirname "$0")/.."
python=${WEBSTRATA_PYTHON:-build/venv/bin/python}
[ -x "$python" ] || python=python3
for preset in asan dev; do
  [ -f "build/$preset/build.ninja" ] || cmake --preset "$preset" -Wno-dev > /dev/null
done
cmake --build --preset asan --target webstrata_program > /dev/null
cmake --build --preset dev --target webstrata_program fault_shim > /dev/null
cmake --build --preset dev --target webstrata_python > /dev/null 2>&1 || echo "the Python module cannot be built: Python and Spark are not tried"
export WEBSTRATA_SOURCE="$PWD" WEBSTRATA_BUILD="$PWD/build/dev"
export WEBSTRATA_PROGRAM="${WEBSTRATA_PROGRAM:-$PWD/build/asan/webstrata}"
export WEBSTRATA_PLAIN_PROGRAM="${WEBSTRATA_PLAIN_PROGRAM:-$PWD/build/dev/webstrata}"
export WEBSTRATA_SHARED="${WEBSTRATA_SHARED:-$PWD/../shared}"
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$PWD/build/dev/python"
exec "$python" tests/torture/torture.py "$@"
