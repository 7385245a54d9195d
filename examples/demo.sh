#!/bin/sh
# SPDX-License-Identifier: Apache-2.0

# What `make demo` shows: two small real crawls of the same sites, 2021 and 2023, become one archive with history.
set -eu
cd "$(dirname "$0")/.."
webstrata=${WEBSTRATA_PROGRAM:-build/release/webstrata}
sample=examples/sample
out=${DEMO_FOLDER:-build/demo}
page=http://python-quart-doc.docs.example/tutorials/installation.html
rm -rf "$out"
mkdir -p "$out"
lib=$out/lib.ws

say() { printf '\n\033[1m%s\033[0m\n' "$1"; }
show() {
  printf '\033[2m$ webstrata'
  printf ' %s' "$@"
  printf '\033[0m\n'
}
# Shows a command, then runs it.
try() {
  show "$@"
  "$webstrata" "$@"
}
# The same, and keeps the output in a file.
keep() {
  file=$1
  shift
  show "$@"
  "$webstrata" "$@" > "$file"
  cat "$file"
}

say "Two crawls of the same sites ($sample/README.md describes how they were made):"
ls -sh "$sample"/*.warc.gz

say "An archive of the first crawl, updated with the second:"
try build "$lib" "$sample/2021.warc.gz"
try update "$lib" "$sample/2023.warc.gz"

say "How large is it? Links, times, names and sightings are stored separately:"
try info "$lib"

say "Which pages linked to $page in 2021, and which in 2023?"
"$webstrata" links "$lib" "$page" --in --at 2021 | cut -f 1 | LC_ALL=C sort > "$out/then"
"$webstrata" links "$lib" "$page" --in --at 2023 | cut -f 1 | LC_ALL=C sort > "$out/now"
echo "only in 2021:"
LC_ALL=C comm -23 "$out/then" "$out/now" | sed 's/^/  - /'
echo "only in 2023:"
LC_ALL=C comm -13 "$out/then" "$out/now" | sed 's/^/  + /'
echo "in both: $(LC_ALL=C comm -12 "$out/then" "$out/now" | wc -l) pages"

say "The page itself, capture by capture:"
try captures "$lib" "$page"

say "What became of the pages and links of each site from 2021 to 2023?"
try diff "$lib" 2021 2023

say "How long do links exist?"
try stats "$lib" | head -24

say "Which pages of 2021 are still alive? Few tests find most of them; the last column is the cost of a random order:"
try liverank "$lib@2021" --truth "$lib@2023.." | head -10

say "Nothing is lost: an archive built from the export is the same, byte for byte."
try export "$lib" --as jsonl "$out/lib.jsonl" --quiet
try build "$out/again.ws" "$out/lib.jsonl" --quiet
(cd "$lib"/g0*/ && sha256sum ./*) > "$out/one"
(cd "$out/again.ws"/g0*/ && sha256sum ./*) > "$out/two"
cmp "$out/one" "$out/two" && echo "the same: $(wc -l < "$out/one") layer files"
try verify "$lib"

say "Which pages matter most, in 2021 and in 2023?"
keep "$out/rank.txt" rank "$lib@2021" "$lib@2023" --top 5 --report "$out/rank.html" --quiet

say "Where should the next crawl start? Seeds of 2021, and what crawls from them find in 2023:"
keep "$out/seeds.txt" seeds "$lib@2021" --by cores --count 20 --evaluate "$lib@2023.." --report "$out/seeds.html" --quiet

say "The full cycle. The web of 2023 is served on this machine; from an archive of 2021 alone, LiveRank plans 120 requests, and the answers are imported:"
"$webstrata" replay "$sample/2023.warc.gz" --known "$sample/2021.warc.gz" --hosts "$out/hosts" --port 0 --quiet > "$out/replay" &
server=$!
trap 'kill $server 2> /dev/null && wait $server || true' EXIT
trap 'exit 1' INT TERM
while [ ! -s "$out/hosts" ]; do
  kill -0 $server || { echo "the server did not start" >&2; exit 1; }
  sleep 0.1
done
agent='webstrata-demo (+https://demo.example/)'
tests=120
try build "$out/old.ws" "$sample/2021.warc.gz" --quiet
try liverank "$out/old.ws" --probe --budget $tests --agent "$agent" --hosts "$out/hosts" --delay 10ms \
  --out "$out/found" --found "$out/found.tsv" --update --quiet > "$out/circle.txt"
head -8 "$out/circle.txt"

# What a random order finds is known here, because the second crawl is: of n pages of 2021, n_a are still alive.
"$webstrata" liverank "$lib@2021" --truth "$lib@2023.." --by random --json --quiet > "$out/random.json"
say "What it found, compared with a random order (of all pages that are still alive, with the same number of tests):"
awk -F '\t' -v tests=$tests '
  NR == FNR { match($0, /"n":[0-9]+/); n = substr($0, RSTART + 4, RLENGTH - 4)
              match($0, /"n_a":[0-9]+/); live = substr($0, RSTART + 6, RLENGTH - 6); next }
  FNR == 1 { printf "tests    found   share    at random   share\n" }
  { found += $2 == "alive"; last = FNR }
  FNR % 20 == 0 { printf "%5d %8d %6.1f %% %11.0f %6.1f %%\n", FNR, found, 100 * found / live, FNR * live / n, 100 * FNR / n }
' "$out/random.json" "$out/found.tsv" | tee "$out/circle.tsv"
say "What became of a page that was requested, as the archive of 2021 now has it:"
try captures "$out/old.ws" "$(grep '	moved' "$out/found.tsv" | head -1 | cut -f 1)"

say "And a crawl from its most central pages, within 150 requests, whose WARC files are imported as well:"
"$webstrata" seeds "$lib@2023" --count 5 > "$out/crawl.seeds" 2> /dev/null
try crawl "$out/job" "@$out/crawl.seeds" --agent "$agent" --hosts "$out/hosts" --delay 10ms --domain docs.example --budget 150 --archive "$lib"
try update "$out/old.ws" "$out"/job/warc/*.warc.gz --quiet
try info "$out/old.ws" | head -8
kill $server && wait $server || true

say "The archive is $lib. Next: $webstrata --help, and docs/build.md, docs/ask.md"
say "The reports, to open in a browser (with the text printed above next to them):"
echo "  $out/rank.html    $out/rank.txt"
echo "  $out/seeds.html   $out/seeds.txt"

say "The archive as a page, to open in a browser:"
if [ -t 0 ] && [ -t 1 ]; then
  echo "(Ctrl-C ends it.)"
  exec "$webstrata" serve "$lib" --port 0
fi
# Nobody is looking: the page is fetched once.
"$webstrata" serve "$lib" --port 0 --quiet > "$out/address" &
server=$!
while [ ! -s "$out/address" ]; do
  kill -0 $server || { echo "the server did not start" >&2; exit 1; }
  sleep 0.1
done
python3 -c 'import sys, urllib.request; print(len(urllib.request.urlopen(sys.argv[1], timeout=60).read()), "bytes")' "$(cat "$out/address")" > "$out/page"
echo "  $(cat "$out/address")   $(cat "$out/page"); without a terminal it is stopped again"
kill $server
wait $server || true
