#!/bin/sh
# run.sh SECONDS: runs every fuzz target for that long and counts executions. Fails on the first finding.
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-60}
total=0
for program in build/fuzz/fuzz/*_fuzz; do
  name=$(basename "$program" _fuzz)
  mkdir -p "build/fuzz/corpus/$name"
  log=build/fuzz/$name.log
  "$program" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=3000 -print_final_stats=1 -verbosity=0 \
    -artifact_prefix="build/fuzz/$name-" "build/fuzz/corpus/$name" "fuzz/corpus/$name" > "$log" 2>&1 \
    || { tail -40 "$log"; echo "FINDING in $name: see $log"; exit 1; }
  count=$(awk '/number_of_executed_units/ {print $2}' "$log")
  printf '%-14s %12s executions\n' "$name" "$count"
  total=$((total + count))
done
echo "$total executions without a finding"
