#!/bin/sh
# SPDX-License-Identifier: Apache-2.0

# webgraph_times.sh BASE FOLDER REPETITIONS: what WebGraph's Rust crate takes to read a BVGraph; nothing where it cannot be built.
set -eu
root=$(realpath "$(dirname "$0")/..")
command -v cargo > /dev/null || exit 0
mkdir -p "$root/build/webgraph_peer" "$2"
cp -r "$root/tests/graph/webgraph_peer/." "$root/build/webgraph_peer"
(cd "$root/build/webgraph_peer" && cargo build --release --quiet) >&2 || exit 0
"$root/build/webgraph_peer/target/release/webgraph_times" "$1" "$2" "$3"
