#!/bin/bash
# SPDX-License-Identifier: Apache-2.0

# Debian packages in dist/: webstrata (program, manual pages, completions) and libwebstrata-dev (headers, static libraries, files for
# CMake and pkg-config). The same commit gives the same bytes, wherever and whenever it is built.
#
#   tools/deb.sh                # build them out of build/deb
#   tools/deb.sh --try FOLDER   # install dist/*.deb on a bare Debian 12 in FOLDER, made or used again by fresh_machine.sh, and use them
#   tools/deb.sh --twice        # build the commit twice, in two clones without a cache, and compare the packages
set -euo pipefail
cd "$(dirname "$0")/.."

fail() { echo "deb.sh: $1" >&2; exit 2; }
usage() { sed -n '4,9s/^# \{0,1\}//p' tools/deb.sh; }

build() {
  tools/install_packages.sh core package
  # Times and paths of this machine stay out of the files.
  SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
  export SOURCE_DATE_EPOCH
  cmake -S . -B build/deb -G Ninja -Wno-dev -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr -DWEBSTRATA_TESTS=OFF \
    -DCMAKE_CXX_FLAGS="-ffile-prefix-map=$PWD=." > build/deb.log 2>&1 || { cat build/deb.log >&2; fail "cmake failed"; }
  cmake --build build/deb
  (cd build/deb && cpack > cpack.log 2>&1) || { tail -20 build/deb/cpack.log >&2; fail "cpack failed; see above"; }
  mkdir -p dist && rm -f dist/*.deb && mv build/deb/*.deb dist/
  sha256sum dist/*.deb
}

twice() {
  folder=$(mktemp -d)  # not local: the trap needs it
  trap 'rm -rf "$folder"' EXIT
  for clone in one two; do
    git clone --quiet . "$folder/$clone"
    (cd "$folder/$clone" && mkdir -p build && CCACHE_DISABLE=1 tools/deb.sh > /dev/null)
  done
  cmp "$folder"/one/dist/webstrata_*.deb "$folder"/two/dist/webstrata_*.deb
  cmp "$folder"/one/dist/libwebstrata-dev_*.deb "$folder"/two/dist/libwebstrata-dev_*.deb
  echo "both builds of $(git log -1 --format=%h) have the same bytes"
}

# First the program alone, then a program of the examples built with the library, found by CMake and by pkg-config.
try() {
  local root
  root=$(realpath -m "$1")
  ls dist/webstrata_*.deb > /dev/null 2>&1 || fail "there is no package in dist. Build one with: tools/deb.sh"
  [ -e "$root/etc/fresh_machine" ] || tools/fresh_machine.sh --root "$root" --run true
  mkdir -p "$root/root/packages" && rm -f "$root/root/packages"/*
  cp dist/*.deb "$root/root/packages"
  tools/fresh_machine.sh --root "$root" --run '
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq && apt-get install -qq --no-install-recommends man-db ~/packages/webstrata_*.deb > /dev/null 2>&1 &&
    webstrata --version && webstrata --help | head -3 &&
    zcat -f /usr/share/man/man1/webstrata.1* | grep -c "^\.SH" && ls /usr/share/bash-completion/completions/webstrata &&
    rm -rf ~/lib.ws && webstrata build -q ~/lib.ws examples/sample/2021.warc.gz && webstrata update -q ~/lib.ws examples/sample/2023.warc.gz &&
    webstrata verify -q ~/lib.ws && webstrata links ~/lib.ws docs.example/ | head -3 &&
    apt-get install -qq --no-install-recommends g++ cmake ninja-build ~/packages/libwebstrata-dev_*.deb > /dev/null 2>&1 &&
    rm -rf ~/example && cmake -S examples/who_links -B ~/example -G Ninja > /dev/null && cmake --build ~/example > /dev/null && ls ~/example &&
    pkg-config --modversion webstrata'
}

case "${1:-}" in
  --help) usage ;;
  --try) [ $# -eq 2 ] || fail "--try needs a folder. See tools/deb.sh --help"; try "$2" ;;
  --twice) twice ;;
  "") build ;;
  *) fail "unknown word: $1. See tools/deb.sh --help" ;;
esac
