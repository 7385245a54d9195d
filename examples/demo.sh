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

for year in 2021 2023; do
  "$webstrata" extract --quiet --title --text -o "$out/$year.jsonl" "$sample/$year.warc.gz"
  "$webstrata" extract --quiet --as tsv -o "$out/$year.tsv" "$sample/$year.warc.gz"
done

say "One capture of 2021, as a JSON line (webstrata extract --title --text):"
grep -m 1 '"links":\[{' "$out/2021.jsonl" | cut -c 1-700

say "Links between the sites, 2021 and 2023:"
python3 - "$out/2021.tsv" "$out/2023.tsv" << 'TABLE'
import sys
from collections import Counter

def host(url):
    return url.split("/")[2]

def links_between_hosts(path):
    pages = set()
    links = set()
    for line in open(path, encoding="utf-8"):
        _, source, target, *_ = line.rstrip("\n").split("\t")
        pages.add(source)
        links.add((source, target))
    return pages, links

(pages_old, old), (pages_new, new) = map(links_between_hosts, sys.argv[1:])
gone = Counter(host(source) for source, _ in old - new)
born = Counter(host(source) for source, _ in new - old)
kept = Counter(host(source) for source, _ in old & new)
print(f"{'site':34} {'kept':>7} {'vanished':>9} {'new':>7}")
for site in sorted(set(gone) | set(born) | set(kept)):
    print(f"{site:34} {kept[site]:7} {gone[site]:9} {born[site]:7}")
print(f"{'all':34} {len(old & new):7} {len(old - new):9} {len(new - old):7}")
TABLE

say "The files are in $out. Next: webstrata extract --help"
