#!/bin/sh
# Builds the program in three other ways and compares the bytes it writes (tests/archive/golden_test.py).
# Usage: tools/compilers.sh [JOBS]
set -eu
cd "$(dirname "$0")/.."
jobs=${1:-$(nproc)}

check() {
  name=$1 compiler=$2 flags=$3
  folder=build/compilers/$name
  cmake -S . -B "$folder" -G Ninja -Wno-dev -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_CXX_FLAGS="$flags" \
    -DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DWEBSTRATA_TESTS=OFF > /dev/null
  ninja -C "$folder" -j "$jobs" webstrata > /dev/null
  printf '%s: %s %s\n' "$name" "$compiler" "$flags"
  WEBSTRATA_PROGRAM=$PWD/$folder/webstrata WEBSTRATA_SOURCE=$PWD WEBSTRATA_BUILD=$PWD/$folder python3 tests/archive/golden_test.py
}

check O0 g++ -O0
check O3-native g++ "-O3 -march=native"
check clang clang++-14 -O2
echo "the same bytes from all"
