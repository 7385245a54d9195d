# SPDX-License-Identifier: Apache-2.0
"""Cuts the larger crawls of ../shared/data into files that several tasks can read, for bench/spark_equality.py.

    python bench/spark_inputs.py ../shared/data OUT

debweb: eight files for each release, page by page in turn. openbsd-www: versions up to 2011 and later ones, in four files
each, and a file of sightings (deletions among them), which captures.tsv.gz has as a table. skew: 600,000 made pages in eight
files, half of them on one host, each with a link to one hub and three to random pages (seed 7).
"""

import json
import random
import subprocess
import sys
from pathlib import Path


def lines_of(path):
    opened = subprocess.Popen(["zstd", "-dc", "--long=27", path] if path.suffix == ".zst" else ["zcat", path], stdout=subprocess.PIPE)
    yield from opened.stdout
    if opened.wait() != 0:
        raise RuntimeError(f"{path} cannot be read")


def deal(lines, paths):
    """Lines in turn to files, compressed."""
    packers = [subprocess.Popen(["zstd", "-q", "-f", "-o", path], stdin=subprocess.PIPE) for path in paths]
    for place, line in enumerate(lines):
        packers[place % len(packers)].stdin.write(line)
    for packer in packers:
        packer.communicate()


def sighting(line):
    url, time, status, digest, length = (line.decode().rstrip("\n").split("\t") + ["", ""])[:5]
    told = {"url": url, "time": time, "status": status}
    if status == "200":
        told.update(digest=f"sha1:{digest}", text_length=length)
    return json.dumps(told).encode() + b"\n"


def skewed_page(number):
    return f"http://big.example/d{number % 997}/p{number}.html" if number % 2 == 0 else f"http://h{number % 5000}.example/p{number}.html"


def skewed_lines(count=600_000):
    dice = random.Random(7)
    for number in range(count):
        targets = ["http://hub.example/"] + [skewed_page(dice.randrange(count)) for _ in range(3)]
        yield "\t".join([skewed_page(number), "20210101000000", *targets]).encode() + b"\n"


def main():
    data, out = Path(sys.argv[1]), Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    for release in ("bullseye", "bookworm"):
        deal(lines_of(data / "debweb" / f"captures.{release}.jsonl.zst"), [out / f"debweb.{release}.{place}.jsonl.zst" for place in range(8)])
    for name, wanted in (("old", lambda time: time < b"2012"), ("new", lambda time: time >= b"2012")):
        versions = lines_of(data / "openbsd-www" / "links_all_versions.tsv.zst")
        deal((line for line in versions if wanted(line.split(b"\t", 2)[1])), [out / f"openbsd.{name}.{place}.tsv.zst" for place in range(4)])
        table = lines_of(data / "openbsd-www" / "captures.tsv.gz")
        deal((sighting(line) for line in table if wanted(line.split(b"\t", 2)[1])), [out / f"openbsd.{name}.sightings.jsonl.zst"])
    deal(skewed_lines(), [out / f"skew.{place}.tsv.zst" for place in range(8)])


main()
