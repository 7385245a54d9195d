# SPDX-License-Identifier: Apache-2.0
"""The script that makes the tables and figures of the archival graph paper: its layers hold every capture, and every row is there."""

import calendar
import gzip
import json
import os
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path

from archives import temporary_folder, write
from running import PROGRAM, SAMPLE, expect, run, run_tests

SCRIPT = Path(os.environ["WEBSTRATA_SOURCE"]) / "examples" / "paper_tables.py"


def script(*words):
    done = subprocess.run([sys.executable, SCRIPT, *map(str, words), "--program", PROGRAM], capture_output=True, text=True)
    expect(done.returncode == 0, done.stderr)
    return [line.split("\t") for line in done.stdout.splitlines()]


def captures_in(folder):
    """The captures out of mapping, OL, TS' and BV alone."""
    def lines(layer):
        return gzip.open(folder / f"{layer}.gz").read().decode().splitlines()
    urls, bits = lines("mapping"), gzip.open(folder / "BV.gz").read()
    found, at = defaultdict(dict), 0
    for links, times in zip(lines("OL"), lines("TS'")):
        uid, union = links.split("\t")
        union = [urls[int(word)] for word in union.split()]
        expect(times.split("\t")[0] == uid, times)
        for seconds in times.split("\t")[1].split():
            size = (len(union) + 7) // 8
            row = int.from_bytes(bits[at:at + size], "little")
            at += size
            found[urls[int(uid)]][int(seconds)] = {target for place, target in enumerate(union) if row >> place & 1}
    expect(at == len(bits), "bits are left")
    return found


def test_table_2_holds_every_capture(folder):
    archive = folder / "lib.ws"
    write("build", archive, SAMPLE / "2021.warc.gz", SAMPLE / "2023.warc.gz")
    rows = script("tables", archive, "--keep", folder / "layers")
    info = json.loads(run("info", archive, "--json")[1])
    expect(rows[1] == [str(info[name]) for name in ("captures", "link_facts", "nodes", "pages")], rows[1])
    expect(rows[4] == ["gzip"] + [str((folder / "layers" / f"{layer}.gz").stat().st_size) for layer in ("mapping", "OL", "BV", "TS", "TS'")], rows[4])
    expected = defaultdict(dict)
    for line in run("extract", "-q", SAMPLE / "2021.warc.gz", SAMPLE / "2023.warc.gz")[1].splitlines():
        capture = json.loads(line)
        if "links" in capture:
            seconds = calendar.timegm(time.strptime(capture["time"], "%Y-%m-%dT%H:%M:%SZ"))
            expected[capture["url"]].setdefault(seconds, set()).update(link["url"] for link in capture["links"])
    expect(captures_in(folder / "layers") == expected, "not the same captures")


def test_figures_4_to_6(folder):
    lines = run("extract", "-q", SAMPLE / "2021.warc.gz")[1].splitlines()[:240]
    inputs = []
    for part in range(6):
        inputs.append(folder / f"part{part}.jsonl")
        inputs[-1].write_text("".join(line + "\n" for line in lines[part * 40:(part + 1) * 40]))
    rows = script("figures", *inputs)[1:]
    expect([row[0] for row in rows] == ["4"] * 5 + ["5"] * 2 + ["6"] * 3, rows)
    expect([int(row[3]) for row in rows[:5]] == sorted({int(row[3]) for row in rows[:5]}), "the parts do not grow")
    expect(len({(row[2], row[3]) for row in rows[4:]}) == 1, "updates give other archives")


if __name__ == "__main__":
    with temporary_folder() as folder:
        sys.exit(run_tests(globals(), Path(folder)))
