#!/bin/sh
# SPDX-License-Identifier: Apache-2.0

# Runs every benchmark that has its data.
set -eu
cd "$(dirname "$0")/.."
build/release/bench/capture_bench --json build/capture_bench.json
build/release/bench/archive_bench --json > build/archive_bench.json
build/release/bench/rank_bench --json build/rank_bench.json
build/release/bench/url_bench
build/release/bench/seeds_bench
build/release/bench/liverank_bench
build/release/bench/fetch_bench
build/venv/bin/python bench/fetch/throughput.py build/release/webstrata
