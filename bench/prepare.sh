#!/bin/sh
# SPDX-License-Identifier: Apache-2.0

# prepare.sh FOLDER PYTHON SHARED: makes the benchmark's data if it is not there yet: 200 MB of real HTML as
# FOLDER/miniweb.warc.gz (one gzip member per record) and as FOLDER/pages.bin (u32 length + bytes, repeated).
set -eu
folder=$1 python=$2 shared=$3
[ -f "$folder/ready" ] && exit 0
[ -f "$shared/data/miniweb/bookworm.tar.zst" ] || { echo "no data/miniweb under $shared (set --shared)" >&2; exit 1; }
mkdir -p "$folder/tree"
for release in bookworm bullseye; do
  mkdir -p "$folder/tree/$release"
  zstd -dcq --long=27 "$shared/data/miniweb/$release.tar.zst" | tar -x -C "$folder/tree/$release"
done
"$python" "$shared/peers/mkwarc.py" "$folder/tree/bookworm" "$folder/miniweb.warc.gz" "$folder/pages.bin" 200
touch "$folder/ready"
