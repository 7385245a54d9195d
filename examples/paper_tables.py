#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tables 1 and 2 and Figures 4 to 6 of Avcular and Suel, "Scalable Manipulation of Archival Web Graphs" (2011), for your own archive.

    examples/paper_tables.py tables lib.ws              # counts, and the size of each layer under gzip
    examples/paper_tables.py figures crawl/*.warc.gz    # times of building, and of building by updates

Table 2 measures the paper's own representation: the mapping as URLs, one per line; OL as the uids of targets in decimal; BV as bits,
padded to bytes for each capture; TS as the numbers of months, TS' as seconds, in decimal; one line per document, gzip level 6. The paper
had monthly times and drew the seconds of TS' at random; here TS' has the real seconds, and TS their months. The last row has the layers
of webstrata that hold the same facts. With --keep FOLDER the layers stay there.

The figures build scratch archives: from the first fifths of the inputs (Figure 4), from two thirds and an update with the rest (5), and
from quarters, one by one and three at once (6). Times are wall and CPU seconds of the program, with one build at a time.
"""

import argparse
import calendar
import gzip
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LAYERS = ("mapping", "OL", "BV", "TS", "TS'")
OURS = {"mapping": "names", "OL": "links", "BV": "presence", "TS'": "times"}


def output_of(program, *words):
    done = subprocess.run([program, *map(str, words)], stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"paper_tables: {' '.join(map(str, words))} failed")
    return done.stdout


def lines_of(program, *words):
    with subprocess.Popen([program, *map(str, words)], stdout=subprocess.PIPE, text=True) as process:
        yield from (line.rstrip("\n") for line in process.stdout)
    if process.returncode != 0:
        sys.exit(f"paper_tables: {' '.join(map(str, words))} failed")


def documents_of(program, archive):
    """Uid and captures of every crawled document: time and uids of the targets."""
    uid, captures = None, []
    for line in lines_of(program, "export", archive, "--as", "uids", "--quiet"):
        words = line.split("\t")
        if words[0] != uid and captures:
            yield uid, captures
            captures = []
        uid = words[0]
        captures.append((words[1], [int(word) for word in words[2:]]))
    if captures:
        yield uid, captures


def bits_of(targets, union):
    present = set(targets)
    bits = "".join("1" if target in present else "0" for target in union)
    return int(bits[::-1] or "0", 2).to_bytes((len(bits) + 7) // 8, "little")


def month_of(moment):
    return int(moment[:4]) * 12 + int(moment[5:7]) - 1


def seconds_of(moment):
    return calendar.timegm(time.strptime(moment, "%Y-%m-%dT%H:%M:%SZ"))


def write_layers(program, archive, folder):
    """The paper's layers, each a gzip file; returns their sizes."""
    files = {layer: gzip.open(folder / f"{layer}.gz", "wb", 6) for layer in LAYERS}
    for line in lines_of(program, "url", archive, "--all", "--no-header"):
        files["mapping"].write(line.split("\t")[1].encode() + b"\n")
    for uid, captures in documents_of(program, archive):
        union = sorted({target for _, targets in captures for target in targets})
        files["OL"].write(f"{uid}\t{' '.join(map(str, union))}\n".encode())
        files["TS"].write(f"{uid}\t{' '.join(str(month_of(moment)) for moment, _ in captures)}\n".encode())
        files["TS'"].write(f"{uid}\t{' '.join(str(seconds_of(moment)) for moment, _ in captures)}\n".encode())
        for _, targets in captures:
            files["BV"].write(bits_of(targets, union))
    for file in files.values():
        file.close()
    return {layer: (folder / f"{layer}.gz").stat().st_size for layer in LAYERS}


def tables(program, archive, keep):
    info = json.loads(output_of(program, "info", archive, "--json"))
    folder = Path(keep or tempfile.mkdtemp())
    folder.mkdir(exist_ok=True)
    sizes = write_layers(program, archive, folder)
    if not keep:
        shutil.rmtree(folder)
    print("captures\tlinks\tnodes\tcrawled")
    print(info["captures"], info["link_facts"], info["nodes"], info["pages"], sep="\t")
    print("\nlayers\t" + "\t".join(LAYERS))
    print("gzip\t" + "\t".join(str(sizes[layer]) for layer in LAYERS))
    print("webstrata\t" + "\t".join(str(info["layers"][OURS[layer]]["bytes"]) if layer in OURS else "" for layer in LAYERS))
    facts = max(1, info["link_facts"])
    ours = sum(info["layers"][name]["bytes"] for name in ("links", "presence"))
    print(f"\nbits per link occurrence, OL and BV: gzip {8 * (sizes['OL'] + sizes['BV']) / facts:.2f}, webstrata {8 * ours / facts:.2f}")


class Timed:
    """Builds and updates, and the sum of their times."""

    def __init__(self, program, archive):
        self.program, self.archive = program, archive
        self.wall = self.cpu = 0.0

    def write(self, verb, inputs):
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        output_of(self.program, verb, self.archive, "--quiet", *inputs)
        self.wall += time.monotonic() - start
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.cpu += after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def row(self, figure, what):
        counts = json.loads(output_of(self.program, "info", self.archive, "--json"))
        print(figure, what, counts["captures"], counts["link_facts"], f"{self.wall:.2f}", f"{self.cpu:.2f}", sep="\t", flush=True)
        shutil.rmtree(self.archive)


def parts_of(inputs, count):
    """Consecutive parts of about the same number of bytes; none is empty."""
    sizes = [os.path.getsize(path) for path in inputs]
    parts, so_far = [[] for _ in range(count)], 0
    for place, (path, size) in enumerate(zip(inputs, sizes)):
        wanted = min(count - 1, so_far * count // max(1, sum(sizes)))
        parts[max(wanted, count - (len(inputs) - place))].append(path)
        so_far += size
    return [part for part in parts if part]


def figures(program, inputs, folder):
    print("figure\twhat\tcaptures\tlinks\tseconds\tcpu_seconds")
    archive = Path(folder) / "lib.ws"
    fifths = parts_of(inputs, 5)
    for count in range(1, len(fifths) + 1):
        run = Timed(program, archive)
        run.write("build", [path for part in fifths[:count] for path in part])
        run.row(4, f"{count} of {len(fifths)} parts")
    for figure, parts, what in ((5, parts_of(inputs, 3), "2/3, then 1/3"), (6, parts_of(inputs, 4), "quarters, one by one")):
        if figure == 5 and len(parts) == 3:
            parts = [parts[0] + parts[1], parts[2]]
        scratch = Timed(program, archive)
        scratch.write("build", inputs)
        scratch.row(figure, "from scratch")
        run = Timed(program, archive)
        for place, part in enumerate(parts):
            run.write("update" if place else "build", part)
        run.row(figure, what)
    at_once = Timed(program, archive)
    at_once.write("build", parts[0])
    at_once.write("update", [path for part in parts[1:] for path in part])
    at_once.row(6, "one quarter, then three at once")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["tables", "figures"])
    parser.add_argument("inputs", nargs="+", metavar="ARCHIVE or INPUT")
    parser.add_argument("--program", default=os.environ.get("WEBSTRATA_PROGRAM", "webstrata"), help="the webstrata program (default: webstrata)")
    parser.add_argument("--keep", metavar="FOLDER", help="with tables: keep the gzip files of the layers in FOLDER")
    flags = parser.parse_args()
    if flags.what == "tables":
        tables(flags.program, flags.inputs[0], flags.keep)
        return
    if len(flags.inputs) < 5:
        sys.exit("paper_tables: figures need at least five inputs, in the order of their times")
    with tempfile.TemporaryDirectory() as folder:
        figures(flags.program, flags.inputs, folder)


if __name__ == "__main__":
    main()
