#!/bin/sh
# What `make demo` shows: two small real crawls of the same sites, 2021 and 2023.
set -eu
cd "$(dirname "$0")/.."
webstrata=build/release/webstrata
sample=examples/sample
out=build/demo
mkdir -p "$out"

say() { printf '\n\033[1m%s\033[0m\n' "$1"; }

say "Two crawls of the same sites ($sample/README.md tells how they were made):"
ls -sh "$sample"/*.warc.gz

say "What is in them? (webstrata extract --stats)"
"$webstrata" extract --stats --quiet "$sample"/2021.warc.gz "$sample"/2023.warc.gz

# Both at once: pages that had not changed in 2023 are only mentioned there, and get their links from 2021.
"$webstrata" extract --quiet --title --text -o "$out/captures.jsonl" "$sample/2021.warc.gz" "$sample/2023.warc.gz"
"$webstrata" extract --quiet --as tsv -o "$out/links.tsv" "$sample/2021.warc.gz" "$sample/2023.warc.gz"

say "One capture, as a JSON line (webstrata extract --title --text):"
grep -m 1 '"links":\[{' "$out/captures.jsonl" | cut -c 1-700

say "What became of the links of each site from 2021 to 2023? (webstrata extract --as tsv)"
python3 - "$out/links.tsv" << 'TABLE'
import sys
from collections import Counter

links = {"2021": set(), "2023": set()}
for line in open(sys.argv[1], encoding="utf-8"):
    time, source, target, _ = line.rstrip("\n").split("\t")
    links[time[:4]].add((source, target))
old, new = links["2021"], links["2023"]


def by_site(some):
    return Counter(source.split("/")[2] for source, _ in some)


columns = [by_site(old & new), by_site(old - new), by_site(new - old)]
print(f"{'site':42} {'kept':>7} {'vanished':>9} {'new':>7}")
for site in sorted(set().union(*columns)):
    print("{:42} {:7} {:9} {:7}".format(site, *(column[site] for column in columns)))
print("{:42} {:7} {:9} {:7}".format("all", *(column.total() for column in columns)))
TABLE

say "The files are in $out. Next: $webstrata extract --help"
