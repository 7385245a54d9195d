#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What everything costs as an archive grows: four sizes, exponents, and a prediction that is checked at four times the largest.

    bench/scale/scale_bench.py build/release [--mfacts 2.5,5,10,20] [--no-prediction] [--folder FOLDER] [--json FILE]

Each size is a web of its own made by dated_web (half-yearly crawls, the number of hosts decides the size): built, updated with twelve
days of 2,000 captures, compacted, asked, served and ranked. CPU seconds are those of all threads of the program, best of a few where
one takes less than some seconds; memory is the largest that it had. A power law through the four sizes gives the exponents and the
prediction, which is written down before the larger web is made.
"""

import argparse
import http.client
import json
import math
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from urllib.parse import quote

CRAWLS, MONTHS, DAYS, DAY_CAPTURES, SEED = 4, 6, 12, 2000, 1
MEMORY = "512M"  # of builds, updates and compactions
ENOUGH_S = 8  # of CPU time for one figure: below that it is measured again
REQUESTS, QUESTIONS = 3000, 20
JUDGED = ("build_s", "compact_s", "bytes")  # by their prediction


def run(*words):
    """CPU seconds, seconds, peak memory in MB and output of a command, which must succeed."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        begun = time.monotonic()
        process = subprocess.Popen([str(word) for word in words], stdin=subprocess.DEVNULL, stdout=out, stderr=errors)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        errors.seek(0)
        if process.returncode not in (0, 1):
            sys.exit(f"scale_bench: {words}: exit {process.returncode}: {errors.read().decode(errors='replace')[-1000:]}")
        return {"cpu": usage.ru_utime + usage.ru_stime, "wall": time.monotonic() - begun, "mb": usage.ru_maxrss / 1024, "out": out.read().decode()}


class Peak:
    """The most bytes that a folder held while the block ran."""

    def __init__(self, folder):
        self.folder, self.bytes, self.over = folder, 0, threading.Event()
        self.thread = threading.Thread(target=self._watch)

    def _watch(self):
        while not self.over.wait(0.1):
            self.bytes = max(self.bytes, bytes_in(self.folder))

    def __enter__(self):
        self.folder.mkdir(exist_ok=True)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.thread.join()


def best(*words, before=lambda: None, most=5):
    """The cheapest of several runs, fewer of long ones."""
    runs = []
    while not runs or (len(runs) < most and sum(each["cpu"] for each in runs) < ENOUGH_S):
        before()
        runs.append(run(*words))
    return min(runs, key=lambda each: each["cpu"])


def bytes_in(folder):
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.stat(os.path.join(place, name)).st_size
            except FileNotFoundError:  # removed meanwhile
                pass
    return total


class Bench:
    def __init__(self, release, folder):
        self.program, self.maker, self.folder = release / "webstrata", release / "bench" / "dated_web", folder
        self.facts_per_host = self._facts_per_host()

    def _facts_per_host(self):
        made = self._make(300, days=0)
        return made["link_facts"] / 300

    def _make(self, hosts, days=DAYS):
        shutil.rmtree(self.folder / "web", ignore_errors=True)
        done = run(self.maker, self.folder / "web", "--hosts", hosts, "--crawls", CRAWLS, "--months", MONTHS, "--days", days,
                   "--day-captures", DAY_CAPTURES, "--seed", SEED)
        return {**json.loads(done["out"]), "generate_s": done["cpu"]}

    def info(self, archive):
        return json.loads(run(self.program, "info", archive, "--json")["out"])

    def hosts_for(self, facts):
        return max(10, round(facts / self.facts_per_host))

    def measure(self, hosts):
        """All figures of one size."""
        archive = self.folder / "lib.ws"
        row = {"hosts_asked": hosts, **self._make(hosts)}
        crawls = sorted((self.folder / "web").glob("crawl*.tsv"))

        def fresh():
            shutil.rmtree(archive, ignore_errors=True)

        with Peak(self.folder / "scratch") as scratch:
            built = best(self.program, "build", "-q", "--memory", MEMORY, "--temp", scratch.folder, archive, *crawls, before=fresh)
        for path in crawls:
            path.unlink()
        info = self.info(archive)
        row |= {"build_s": built["cpu"], "build_wall_s": built["wall"], "build_memory_mb": built["mb"], "scratch_bytes": scratch.bytes, "bytes": bytes_in(archive),
                "facts": info["link_facts"], "links": info["links"], "nodes": info["nodes"], "pages": info["pages"],
                "bits": {name: layer["bytes"] * 8 / info["link_facts"] for name, layer in info["layers"].items()},
                "links_bits_per_link": info["layers"]["links"]["bits_per_link"]}
        self.graphs(row, archive, info)
        self.questions(row, archive)
        self.updates(row, archive)
        return row

    def graphs(self, row, archive, info):
        """PageRank without the snapshot that it begins with; LiveRank with both of its graphs."""
        first, last = info["span"][0][:7], info["span"][1][:7]
        snapshot = best(self.program, "rank", f"{archive}@{last}", "--by", "outdegree", "--top", "1", "-q", most=3)
        ranked = best(self.program, "rank", f"{archive}@{last}", "--top", "1", "-q", most=3)
        revived = best(self.program, "liverank", f"{archive}@{first}", "--truth", f"{archive}@{last}..", "--budget", info["pages"] // 10, "-q", most=3)
        row |= {"snapshot_s": snapshot["cpu"], "snapshot_memory_mb": snapshot["mb"], "pagerank_s": ranked["cpu"] - snapshot["cpu"],
                "pagerank_memory_mb": ranked["mb"], "liverank_s": revived["cpu"], "liverank_memory_mb": revived["mb"]}

    def questions(self, row, archive):
        """In a new process each, and over a connection to `serve`."""
        chance = random.Random(SEED)
        pages = [line.split("\t")[1] for line in run(self.program, "url", archive, "--pages", "--limit", 200_000)["out"].splitlines()]
        asked = [chance.choice(pages) for _ in range(REQUESTS)]
        runs = [run(self.program, "links", archive, page, "--at", "2022-06") for page in asked[:QUESTIONS]]
        row["question_ms"] = 1e3 * sum(each["cpu"] for each in runs) / QUESTIONS
        begun = time.monotonic()
        process = subprocess.Popen([self.program, "serve", archive, "--port", "0", "--cache", "0", "-q"], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
        try:
            port = int(re.search(rb":(\d+)/", process.stdout.readline())[1])
            row["serve_start_s"] = time.monotonic() - begun
            for name, words in (("links", "&at=2022-06"), ("in_links", "&at=2022-06&direction=in&limit=1000")):
                row[f"serve_{name}_us"] = self._load(process.pid, port, [f"/api/v1/lib/links?url={quote(page, safe='')}{words}" for page in asked])
            row["serve_memory_mb"] = int(re.search(r"RssAnon:\s+(\d+)", Path(f"/proc/{process.pid}/status").read_text())[1]) / 1024
        finally:
            process.terminate()
            process.wait(60)

    @staticmethod
    def _load(pid, port, paths):
        """Microseconds of the server's CPU time per request, on one connection, each path once and not before."""

        def used():
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        before = used()
        for path in paths:
            connection.request("GET", path)
            answer = connection.getresponse()
            answer.read()
            if answer.status != 200:
                sys.exit(f"scale_bench: {path}: {answer.status}")
        connection.close()
        return 1e6 * (used() - before) / len(paths)

    def updates(self, row, archive):
        """Successive days, so that the merges of strata are paid for; then everything is merged."""
        days = [run(self.program, "update", "-q", "--memory", MEMORY, archive, self.folder / "web" / f"day{number}.tsv") for number in range(DAYS)]
        total = sum(each["cpu"] for each in days)
        row |= {"daily_s": total / DAYS, "daily_us": 1e6 * total / row["day_link_facts"], "daily_worst_s": max(each["cpu"] for each in days),
                "daily_memory_mb": max(each["mb"] for each in days), "strata": self.info(archive)["strata"], "stack_bytes": bytes_in(archive)}
        compacted = run(self.program, "compact", "-q", "--memory", MEMORY, archive)
        row |= {"compact_s": compacted["cpu"], "compact_memory_mb": compacted["mb"], "compacted_bytes": bytes_in(archive)}
        shutil.rmtree(archive)


# ---- laws -------------------------------------------------------------------------------------------------------------


def law(rows, figure):
    """(factor, exponent) of the power law through the rows, by least squares of the logarithms."""
    xs, ys = [math.log(row["facts"]) for row in rows], [math.log(max(1e-9, row[figure])) for row in rows]
    x_mean, y_mean = sum(xs) / len(xs), sum(ys) / len(ys)
    exponent = sum((x - x_mean) * (y - y_mean) for x, y in zip(xs, ys)) / sum((x - x_mean) ** 2 for x in xs)
    return math.exp(y_mean - exponent * x_mean), exponent


FIGURES = ("generate_s", "build_s", "build_memory_mb", "scratch_bytes", "bytes", "daily_s", "daily_us", "daily_worst_s", "compact_s", "compact_memory_mb", "snapshot_s",
           "snapshot_memory_mb", "pagerank_s", "pagerank_memory_mb", "liverank_s", "liverank_memory_mb", "question_ms", "serve_links_us",
           "serve_in_links_us", "serve_start_s", "serve_memory_mb")


def show(rows, laws, predicted=None, actual=None):
    sizes = " ".join(f"{row['facts'] / 1e6:8.2f} M" for row in rows)
    print(f"{'link facts':22} {sizes}   exponent" + (f"   predicted   measured at {actual['facts'] / 1e6:.1f} M" if actual else ""))
    for figure in FIGURES:
        values = " ".join(f"{row[figure]:10.4g}" for row in rows)
        ahead = f"   {predicted[figure]:9.4g}   {actual[figure]:9.4g} ({actual[figure] / predicted[figure] - 1:+.1%})" if actual else ""
        print(f"{figure:22} {values}   {laws[figure][1]:8.3f}{ahead}")
    print("bits per link fact     " + ", ".join(f"{name} {bits:.2f}" for name, bits in rows[-1]["bits"].items()), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("release", type=Path, help="folder of a build with the program and dated_web")
    parser.add_argument("--mfacts", default="2.5,5,10,20", help="about these sizes, in millions of link facts")
    parser.add_argument("--no-prediction", action="store_true", help="do not measure four times the largest size")
    parser.add_argument("--folder", type=Path, help="where webs and archives are made (default: a temporary folder)")
    parser.add_argument("--json", type=Path, help="also write all figures")
    given = parser.parse_args()
    print(f"seed {SEED}, load {os.getloadavg()[0]:.1f}", flush=True)
    with tempfile.TemporaryDirectory(dir=given.folder) as name:
        bench = Bench(given.release.resolve(), Path(name))
        rows = []
        for size in map(float, given.mfacts.split(",")):
            rows.append(bench.measure(bench.hosts_for(size * 1e6)))
            print(json.dumps(rows[-1]), flush=True)
        laws = {figure: law(rows, figure) for figure in FIGURES}
        found = {"rows": rows, "exponents": {figure: exponent for figure, (_, exponent) in laws.items()}}
        show(rows, laws)
        if not given.no_prediction:
            # The facts of the larger web are known once it is made; the laws are not changed any more.
            actual = bench.measure(4 * rows[-1]["hosts_asked"])
            predicted = {figure: factor * actual["facts"] ** exponent for figure, (factor, exponent) in laws.items()}
            errors = {figure: abs(actual[figure] / predicted[figure] - 1) for figure in FIGURES}
            found |= {"predicted": predicted, "actual": actual, "errors": errors, "largest_error": max(errors[figure] for figure in JUDGED)}
            show(rows, laws, predicted, actual)
    if given.json:
        given.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
