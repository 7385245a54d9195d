#!/bin/sh
# SPDX-License-Identifier: Apache-2.0

# build_time.sh [program|wheel|test]...: builds from nothing and without any cache, in a temporary folder, and prints the CPU
# time (user and system), the wall time and the ten slowest files. Without a word: all three.
#
#   program   what `make demo` builds: build/release/webstrata
#   wheel     what `pip install .` builds
#   test      what `make test` builds: with sanitizers, and without
#
# CPU time hardly depends on what else the machine does; wall time does.
set -eu
self=$(realpath "$0")

# Called by CMake for each file: runs the compiler and notes what it took.
if [ "${1-}" = --compile ]; then
  shift
  status=0
  "$@" || status=$?
  while [ $# -gt 1 ] && [ "$1" != -o ]; do shift; done
  times > "$WEBSTRATA_BUILD_TIMES.$$" # not in a pipe: a shell of its own would have no children
  printf '%s %s\n' "$(tail -n 1 "$WEBSTRATA_BUILD_TIMES.$$" | tr -s 'ms' '  ')" "${2-}" >> "$WEBSTRATA_BUILD_TIMES"
  rm "$WEBSTRATA_BUILD_TIMES.$$"
  exit $status
fi

cd "$(dirname "$self")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
export CCACHE_DISABLE=1 WEBSTRATA_BUILD_TIMES="$folder/times"

# measured NAME COMMAND...: prints what the command took, and which files took longest.
measured() {
  name=$1
  shift
  : > "$WEBSTRATA_BUILD_TIMES"
  begun=$(date +%s)
  if ! (status=0; "$@" > "$folder/log" 2>&1 || status=$?; times > "$folder/cpu"; exit $status); then
    tail -n 40 "$folder/log" >&2
    echo "build_time.sh: $name was not built; the compiler's messages are above" >&2
    exit 1
  fi
  tail -n 1 "$folder/cpu" | tr -s 'ms' '  ' | awk -v name="$name" -v wall=$(($(date +%s) - begun)) -v cores="$(nproc)" \
    '{cpu = $1 * 60 + $2 + $3 * 60 + $4; printf "%s: %.1f CPU minutes, %.1f minutes on %d cores\n", name, cpu / 60, wall / 60, cores}'
  awk '{printf "%7.1f s  %s\n", $1 * 60 + $2 + $3 * 60 + $4, $5}' "$WEBSTRATA_BUILD_TIMES" | sort -rn > "$folder/files"
  echo "  the slowest of $(wc -l < "$folder/files") files:"
  head -n 10 "$folder/files" | sed "s|$folder/||"
}

configured() { # configured PRESET WORDS...: a build folder for the preset
  preset=$1
  shift
  cmake --preset "$preset" -B "$folder/$preset" -Wno-dev -DCMAKE_CXX_COMPILER_LAUNCHER="$self;--compile" "$@"
}

program() { configured release && cmake --build "$folder/release"; }

# The environment of the tests if there is one: it has nanobind, without which `test` leaves the Python module out.
python=$PWD/build/venv/bin/python
[ -x "$python" ] || python=python3

wheel() {
  "$python" -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir "$folder" . \
    --config-settings=build-dir="$folder/wheel" --config-settings=cmake.define.CMAKE_CXX_COMPILER_LAUNCHER="$self;--compile"
}

test_builds() {
  configured asan && cmake --build "$folder/asan"
  configured dev -DWEBSTRATA_PYTHON="$(command -v "$python")" && cmake --build "$folder/dev" --target script_needs
}

[ $# -gt 0 ] || set -- program wheel test
for word in "$@"; do
  case $word in
    program | wheel) measured "$word" "$word" ;;
    test) measured test test_builds ;;
    *) echo "usage: tools/build_time.sh [program|wheel|test]..." >&2; exit 2 ;;
  esac
done
