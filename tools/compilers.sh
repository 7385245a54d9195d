#!/bin/sh
# SPDX-License-Identifier: Apache-2.0

# Builds the program in three other ways and compares the bytes it writes (tests/archive/golden_test.py): of the sample,
# and where ../shared is (or SHARED says), of whole large crawls.
# Usage: tools/compilers.sh [JOBS]
set -eu
cd "$(dirname "$0")/.."
jobs=${1:-$(nproc)}
shared=$(realpath -m "${SHARED:-../shared}")

check() {
  name=$1 compiler=$2 flags=$3
  folder=build/compilers/$name
  cmake -S . -B "$folder" -G Ninja -Wno-dev -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_CXX_FLAGS="$flags" \
    -DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DWEBSTRATA_TESTS=OFF > /dev/null
  ninja -C "$folder" -j "$jobs" webstrata > /dev/null
  printf '%s: %s %s\n' "$name" "$compiler" "$flags"
  WEBSTRATA_PROGRAM=$PWD/$folder/webstrata WEBSTRATA_SOURCE=$PWD WEBSTRATA_BUILD=$PWD/$folder WEBSTRATA_SHARED=$shared \
    WEBSTRATA_LAW_WHOLE=1 python3 tests/archive/golden_test.py > "$folder/seen" || [ $? = 77 ] || { cat "$folder/seen"; exit 1; }
  cat "$folder/seen"
  cmp "$folder/seen" build/compilers/O0/seen
}

check O0 g++ -O0
check O3-native g++ "-O3 -march=native"
check clang clang++-14 -O2
echo "the same bytes from all"
