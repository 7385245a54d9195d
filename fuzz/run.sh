#!/bin/sh
# SPDX-License-Identifier: Apache-2.0

# run.sh SECONDS: runs every fuzz target for SECONDS (60) each and counts executions.
#
# An input that crashes, leaks, hangs or eats memory is carried into fuzz/corpus/<target>/ as found-<hash>, smaller if libFuzzer
# can make it so within a minute: the ordinary tests replay it from then on, and fail until the bug is fixed. Commit it with the fix.
# The other targets run all the same; the exit code is 1 if there was a finding.
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-60}
build=${FUZZ_BUILD:-build/fuzz}    # tests/house/fuzz_run_test.py sets both
corpus=${FUZZ_CORPUS:-fuzz/corpus}
total=0
findings=0

# carry NAME PROGRAM: moves the findings of a target from the build folder into its corpus.
carry() {
  for artifact in "$build/$1"-crash-* "$build/$1"-leak-* "$build/$1"-timeout-* "$build/$1"-oom-*; do
    [ -f "$artifact" ] || continue
    case $artifact in
      *-crash-*) "$2" -minimize_crash=1 -max_total_time=60 -exact_artifact_path="$artifact.small" "$artifact" > /dev/null 2>&1 || true ;;
    esac
    [ -s "$artifact.small" ] && mv "$artifact.small" "$artifact"
    hash=$(sha256sum "$artifact" | cut -c 1-16)
    mkdir -p "$corpus/$1"
    mv "$artifact" "$corpus/$1/found-$hash"
    echo "  carried into $corpus/$1/found-$hash"
  done
}

for program in "$build"/fuzz/*_fuzz; do
  name=$(basename "$program" _fuzz)
  mkdir -p "$build/corpus/$name"
  log=$build/$name.log
  failed=0
  "$program" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=3000 -print_final_stats=1 -verbosity=0 \
    -artifact_prefix="$build/$name-" "$build/corpus/$name" "$corpus/$name" > "$log" 2>&1 || failed=1
  if [ "$failed" = 1 ]; then
    tail -40 "$log"
    echo "FINDING in $name: see $log"
    findings=$((findings + 1))
    carry "$name" "$program"
    continue
  fi
  count=$(awk '/number_of_executed_units/ {print $2}' "$log")
  printf '%-14s %12s executions\n' "$name" "$count"
  total=$((total + count))
done
[ "$findings" = 0 ] || { echo "$total executions, findings in $findings targets"; exit 1; }
echo "$total executions without a finding"
