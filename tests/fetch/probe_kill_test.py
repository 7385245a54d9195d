#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""kill -9 at random instants of `probe --job --out` and `liverank --probe --update`: every page that a run takes as decided has its
capture and its outcome in whole files, and no file replaces another."""

import asyncio
import collections
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from serving import AGENT, Server
from running import PROGRAM, expect, run, run_tests

SEED = int(os.environ.get("WEBSTRATA_SEED", 1))
KILLS = int(os.environ.get("WEBSTRATA_KILLS", 60)) // 3
HOSTS, PAGES = 6, 10
LATENCY = random.Random(SEED)
URLS = [f"http://h{host}.example/d/{page}" for host in range(HOSTS) for page in range(PAGES)]


async def site(exchange):
    """Pages with an even number are there, each with its own words."""
    await asyncio.sleep(LATENCY.uniform(0, 0.03))
    number = exchange.path.rsplit("/", 1)[1]
    if number.isdigit() and int(number) % 2 == 0:
        await exchange.answer(200, f"<p>the words of {exchange.host} and of number {number} alone, and of no other page")
    else:
        await exchange.answer(404)


def expected_outcome(url):
    return "alive" if int(url.rsplit("/", 1)[1]) % 2 == 0 else "gone"


def place(server):
    return ["--agent", AGENT, "--connect-to", f"127.0.0.1:{server.port}", "--delay", "20ms", "--quiet"]


def run_for(seconds, words, output):
    """Runs, and kills after that time; True if it finished first."""
    with open(output, "wb") as lines:
        running = subprocess.Popen([PROGRAM, *map(str, words)], stdout=lines, stderr=subprocess.PIPE)
        try:
            _, errors = running.communicate(timeout=seconds)
            expect(running.returncode in (0, 1), errors.decode())
            return True
        except subprocess.TimeoutExpired:
            running.kill()
            running.communicate()
            return False


def whole_lines(path):
    return [json.loads(line) for line in path.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]


def found_in(folder):
    """How often each URL was captured, and its outcome, from files that must be complete."""
    files = sorted(folder.iterdir())
    expect(not [file for file in files if file.suffix == ".open"], f"left open: {files}")
    warcs = [file for file in files if file.name.endswith(".warc.gz")]
    code, output, errors = run("extract", "--strict", *warcs)
    expect(code == 0, errors)
    captures = collections.Counter(json.loads(line)["url"] for line in output.splitlines())
    judged = {line["url"]: line["outcome"] for file in files if file.suffix == ".jsonl" for line in map(json.loads, file.read_text().splitlines())}
    return captures, judged


def test_what_a_killed_probe_decided_is_in_its_files(folder):
    rng = random.Random(SEED)
    with Server(site) as server:
        kills, at_once, told = 0, 0, {}
        out, job = folder / "found", folder / "job"
        words = ["probe", "--json", "--job", job, "--out", out, *place(server), *URLS]
        while kills < KILLS:
            began = int(time.time())
            if run_for(rng.uniform(0.02, 0.5), words, folder / "lines"):
                break
            kills += 1
            at_once += int(time.time()) == began  # the next run begins in the same second
            for line in whole_lines(folder / "lines"):
                told[line["url"]] = line["outcome"]
        expect(run_for(300, words, folder / "lines"), "it does not end")
        for line in whole_lines(folder / "lines"):
            expect(told.get(line["url"], line["outcome"]) == line["outcome"], f"{told.get(line['url'])} was told, and now {line}")
            expect(line["outcome"] == expected_outcome(line["url"]), line)
        captures, judged = found_in(out)
        expect(judged == {url: expected_outcome(url) for url in URLS}, f"{len(judged)} outcomes")
        missing = [url for url in URLS if url not in captures]
        expect(not missing, f"{len(missing)} of {len(URLS)} captures are missing after {kills} kills: {missing[:3]}")
        asked = collections.Counter(f"http://{host}{path}" for _, host, path in server.log)
        expect(all(captures[url] <= asked[url] for url in URLS), "a capture of what was not asked")
        expect(kills > 0, "it ended before it was killed: this shows nothing")
        print(f"    {kills} kills, {at_once} in the second of the start, {sum(captures.values())} captures of {len(URLS)} pages")


def test_an_update_sees_what_a_killed_run_captured(folder):
    rng = random.Random(SEED + 1)
    lib = folder / "lib.ws"
    (folder / "old.jsonl").write_text("".join(json.dumps({"url": url, "time": "2020-01-01", "links": []}) + "\n" for url in URLS))
    code, _, errors = run("build", lib, folder / "old.jsonl", "-q")
    expect(code == 0, errors)
    with Server(site) as server:
        words = ["liverank", lib, "--probe", "--by", "random", "--job", folder / "job", "--out", folder / "found", "--update", *place(server)]
        kills = 0
        while kills < KILLS and not run_for(rng.uniform(0.05, 0.5), words, folder / "lines"):
            kills += 1
        expect(run_for(300, words, folder / "lines"), "it does not end")
        for url in URLS:
            lines = run("captures", lib, url)[1].splitlines()
            expect(any("response" in line for line in lines), f"{url} was not captured: {lines}, {kills} kills")
            expect(expected_outcome(url) in lines[-1], f"{url}: {lines}")
        captures, _ = found_in(folder / "found")
        expect(kills > 0, "it ended before it was killed: this shows nothing")
        print(f"    {kills} kills, {sum(captures.values())} captures of {len(URLS)} pages")


def test_runs_of_one_second_keep_their_files(folder):
    with Server(site) as server:
        for number in range(6):
            code, _, errors = run("probe", URLS[2 * number], "--out", folder / "found", *place(server))
            expect(code == 0, errors)
        captures, judged = found_in(folder / "found")
        expect(set(captures) == set(judged) == set(URLS[:12:2]), f"{captures} {judged}")


def test_a_file_that_is_being_written_is_left_alone(folder):
    """Two probes write into one folder: neither treats the other's file as left over."""
    async def slow(exchange):
        await asyncio.sleep(0.2)
        await site(exchange)
    with Server(slow) as server:
        words = ["probe", "--out", folder / "found", *place(server)]
        both = [subprocess.Popen([PROGRAM, *map(str, [*words, *URLS[half * 3:half * 3 + 3]])], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                for half in range(2)]
        for running in both:
            _, errors = running.communicate(timeout=300)
            expect(running.returncode == 0, errors)
        captures, judged = found_in(folder / "found")
        expect(set(captures) == set(judged) == set(URLS[:6]), f"{captures} {judged}")


def test_what_was_decided_earlier_keeps_its_time(folder):
    """A page that the job knows is not requested again, so nothing is claimed about today."""
    with Server(site) as server:
        words = ["probe", "--job", folder / "job", *place(server), URLS[0]]
        for name in ("one", "two"):
            code, _, errors = run(*words, "--out", folder / name)
            expect(code == 0, errors)
            time.sleep(2.5)
        first, second = ([json.loads(line) for file in (folder / name).glob("*.jsonl") for line in file.read_text().splitlines()]
                         for name in ("one", "two"))
        expect(first == second and len(first) == 1, f"{first} {second}")


if __name__ == "__main__":
    print(f"seed {SEED}")
    sys.exit(run_tests(dict(globals()), folder=tempfile.TemporaryDirectory))
