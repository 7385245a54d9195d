#!/bin/bash
# SPDX-License-Identifier: Apache-2.0

# An OCI image with the program, without a Docker daemon: a small Debian 12 by mmdebstrap with dist/webstrata_*.deb installed,
# packed by umoci (both are Debian packages). `make deb` builds what it needs.
#
#   tools/image.sh            # dist/webstrata-image.tar, an OCI archive: `podman load -i`, `skopeo copy oci-archive:… docker://…`
#   tools/image.sh --try      # unpack that image again, and run what a container would run
set -euo pipefail
cd "$(dirname "$0")/.."

fail() { echo "image.sh: $1" >&2; exit 2; }
usage() { sed -n '4,8s/^# \{0,1\}//p' tools/image.sh; }
tool() { command -v "$1" > /dev/null || fail "$1 is missing. Install it with: apt-get install $1"; }

image=dist/webstrata-image.tar
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The root file system: minbase, the package and what it depends on, and nothing that installing leaves.
make_root() {
  local package
  package=$(realpath dist/webstrata_*.deb)
  tools/fresh_machine.sh --root "$work/machine" --run true
  mkdir -p "$work/machine/root/packages" && cp "$package" "$work/machine/root/packages"
  tools/fresh_machine.sh --root "$work/machine" --run '
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq && apt-get install -qq --no-install-recommends ~/packages/*.deb > /dev/null 2>&1 &&
    apt-get purge -qq --auto-remove git make > /dev/null 2>&1; webstrata --version'
  rm -rf "$work/machine"/root/* "$work/machine"/var/lib/apt/lists/* "$work/machine"/var/cache/apt/* "$work/machine/etc/fresh_machine"
}

pack() {
  umoci init --layout "$work/layout"
  umoci new --image "$work/layout:latest"
  umoci unpack --image "$work/layout:latest" "$work/bundle" > /dev/null
  cp -a "$work/machine/." "$work/bundle/rootfs"
  mkdir -p "$work/bundle/rootfs/data"
  umoci repack --image "$work/layout:latest" "$work/bundle" > /dev/null
  umoci config --image "$work/layout:latest" --config.entrypoint webstrata --config.cmd --help --config.workingdir /data \
    --config.exposedports 8931/tcp --config.env PATH=/usr/local/bin:/usr/bin:/bin --author webstrata
  umoci gc --layout "$work/layout" > /dev/null
  tar -C "$work/layout" --sort=name --owner=0 --group=0 --numeric-owner -cf "$image" .
  ls -sh "$image"
}

build() {
  ls dist/webstrata_*.deb > /dev/null 2>&1 || fail "there is no package in dist. Build one with: make deb"
  make_root
  pack
}

try() {
  [ -e "$image" ] || fail "there is no $image. Build it with: tools/image.sh"
  mkdir "$work/layout" && tar -C "$work/layout" -xf "$image"
  umoci unpack --image "$work/layout:latest" "$work/bundle" > /dev/null
  cp examples/sample/2021.warc.gz "$work/bundle/rootfs/data"
  chroot "$work/bundle/rootfs" sh -c 'cd /data && webstrata --version && webstrata build -q lib.ws 2021.warc.gz && webstrata info lib.ws | head -5'
}

case "${1:-}" in
  --help) usage; exit 0 ;;
  "" | --try) ;;
  *) fail "unknown word: $1. See tools/image.sh --help" ;;
esac
tool mmdebstrap
tool umoci
if [ "${1:-}" = --try ]; then try; else build; fi
