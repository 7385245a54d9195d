#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kills and clock changes, between runs and during them: back, forward, by a leap second, by more than a year. The servers' logs
show that no request comes too early for its host, address, Crawl-delay or Retry-After; the outcomes are those without kills and
changes."""

import functools
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from loopback_web import BUSY, GONE, LIVE, LoopbackWeb, expect_truth
from serving import AGENT
from running import PROGRAM, expect, run, run_tests_together, skip

SEED = int(os.environ.get("WEBSTRATA_SEED", 1))
KILLS = int(os.environ.get("WEBSTRATA_KILLS", 60)) // 3
SHIM = Path(os.environ["WEBSTRATA_BUILD"]) / "tests" / "libclock_shim.so"
DELAY, ADDRESS_DELAY = 0.1, 0.04
DAY = 86_400_000
SHIFTS = [-1000, 1000, -3_600_000, 3_600_000, -5 * DAY, 5 * DAY, 400 * DAY, -400 * DAY]


class WildClock:
    """The clock of the programs that run with environment(): set at random, also while they run."""

    def __init__(self, folder, rng):
        self.file, self.rng, self.offset, self.changes = folder / "clock", rng, 0, 0
        self.set(500 * DAY)

    def set(self, offset):
        self.offset = offset
        new = self.file.with_suffix(".new")
        new.write_text(str(offset))
        new.rename(self.file)

    def change(self):
        self.changes += 1
        # Never before the certificates of the servers were made.
        self.set(self.rng.choice([self.offset + shift for shift in SHIFTS if self.offset + shift >= 0]))

    def environment(self):
        return {**os.environ, "LD_PRELOAD": str(SHIM), "WEBSTRATA_CLOCK_FILE": str(self.file)}


def run_and_kill(clock, words, seconds, output):
    """Runs, changes the clock meanwhile, and kills after that time; True if the run finished first."""
    with open(output, "wb") as lines:
        running = subprocess.Popen([PROGRAM, *map(str, words)], stdout=lines, stderr=subprocess.PIPE, env=clock.environment())
        leap = threading.Timer(seconds * clock.rng.uniform(0.2, 0.8), clock.change)
        leap.start()
        try:
            _, errors = running.communicate(timeout=seconds)
            expect(running.returncode in (0, 1), errors.decode())
            return True
        except subprocess.TimeoutExpired:
            running.kill()
            running.communicate()
            return False
        finally:
            leap.cancel()
            leap.join()


def kill_again_and_again(clock, start, go_on, has_begun, output):
    """Kills and changes the clock until there were enough kills, then lets it end. Returns the times of the kills."""
    kills, words = [], start
    while len(kills) < KILLS:
        if run_and_kill(clock, words, clock.rng.uniform(0.1, 1.2), output):
            break
        kills.append(time.time())
        clock.change()
        if has_begun():
            words = go_on
    expect(run_and_kill(clock, words, 300, output), "it does not come to its end")
    return kills


def test_a_clock_that_is_set_is_the_programs_clock(folder):
    """Otherwise the rest of this file would prove nothing."""
    clock = WildClock(folder, random.Random(SEED))
    clock.set(400 * DAY)
    with LoopbackWeb(folder) as web:
        words = ["probe", "--json", web.origin("well").url(LIVE), *web.flags(DELAY, ADDRESS_DELAY), "--agent", AGENT]
        expect(run_and_kill(clock, words, 60, folder / "lines"), "it does not end")
        year = int(json.loads((folder / "lines").read_text())["time"][:4])
        expect(year > time.gmtime().tm_year, f"the year is {year}")


def test_probe(folder):
    rng = random.Random(SEED)
    clock = WildClock(folder, rng)
    with LoopbackWeb(folder) as web:
        # Two checks over a day: no clock change turns seconds into a day.
        words = ["probe", "--json", "--job", folder / "job", "--out", folder / "found", "--confirm", "2x1d", *web.flags(DELAY, ADDRESS_DELAY),
                 "--agent", AGENT, "--quiet", *web.truth()]
        kills = kill_again_and_again(clock, words, words, lambda: True, folder / "lines")
        found = {line["url"]: line for line in map(json.loads, (folder / "lines").read_text().splitlines())}
        expect_truth(web, found)
        gaps, across = web.expect_polite(DELAY, ADDRESS_DELAY), web.expect_patient(kills)
        expect(kills, "it was never killed: this shows nothing")
        # Again, days later by the clock but really at once: a silent page is still not gone.
        for _ in range(3):
            clock.set(clock.offset + 5 * DAY)
            expect(run_and_kill(clock, words, 300, folder / "lines"), "it does not end")
            for line in map(json.loads, (folder / "lines").read_text().splitlines()):
                expect(line["outcome"] == web.truth()[line["url"]][0], f"after the clock was set: {line}")
        web.expect_polite(DELAY, ADDRESS_DELAY)
        print(f"    {len(kills)} kills, {clock.changes} changes of the clock, {gaps} gaps, Retry-After held across {across} kills")


def outlive(verb, shift, folder):
    """Killed while Retry-After is waited for, with the clock set forward or back by more than that before the next run."""
    with LoopbackWeb(folder) as web:
        patient = web.origin("patient")
        urls, job = [patient.url(BUSY), patient.url(LIVE)], folder / "job"
        clock = WildClock(folder, random.Random(SEED))
        flags = [*web.flags(DELAY, ADDRESS_DELAY), "--agent", AGENT, "--quiet"]
        start = [verb, "--job", job, *flags, *urls] if verb == "probe" else [verb, job, *urls, *flags, "--tries", "1"]
        go_on = start if verb == "probe" else [verb, job, "--resume", "--quiet"]
        running = subprocess.Popen([PROGRAM, *map(str, start)], stdout=subprocess.DEVNULL, env=clock.environment())
        while not patient.asked_for_patience:
            time.sleep(0.01)
        time.sleep(1)
        running.kill()
        running.communicate()
        kill = time.time()
        clock.set(clock.offset + shift)
        code = subprocess.run([PROGRAM, *map(str, go_on)], stdout=subprocess.DEVNULL, env=clock.environment(), timeout=300).returncode
        expect(code == 0 and web.expect_patient([kill]) == 1, f"{verb}: it was not killed while it waited")


def retry_after_tests():
    """Retry-After outlives kills and clocks: a test for each verb and shift."""
    shifts = {"an_hour_later": 3_600_000, "an_hour_earlier": -3_600_000, "a_year_later": 400 * DAY}
    return {f"test_retry_after_outlives_a_kill_of_{verb}_and_a_clock_{how}": functools.partial(outlive, verb, shift)
            for verb in ("probe", "crawl") for how, shift in shifts.items()}


def test_crawl(folder):
    rng = random.Random(SEED + 1)
    clock = WildClock(folder, rng)
    job = folder / "job"
    with LoopbackWeb(folder) as web:
        start = ["crawl", job, *(origin.url("/") for origin in web.origins), "--anywhere", *web.flags(DELAY, ADDRESS_DELAY), "--agent", AGENT,
                 "--backoff", "50ms", "--give-up", "3", "--tries", "2", "-q"]
        kills = kill_again_and_again(clock, start, ["crawl", job, "--resume", "-q"],
                                     lambda: '"url"' in run("crawl", job, "--ledger")[1], folder / "lines")
        gaps, across = web.expect_polite(DELAY, ADDRESS_DELAY), web.expect_patient(kills)
        expect(kills, "it was never killed: this shows nothing")
        lines = [json.loads(line) for line in run("crawl", job, "--ledger")[1].splitlines()]
        urls = {line["url"]: line for line in lines if line["record"] == "url"}
        for origin in web.origins:
            if origin.live in ("alive", "soft-gone"):
                for path in ("/", LIVE, GONE):
                    outcome = "gone" if path == GONE and origin.live == "alive" else "alive"
                    expect(urls[origin.url(path)].get("outcome") == outcome, f"{origin.name}: {urls[origin.url(path)]}")
            else:
                expect(urls[origin.url("/")]["state"] == "dropped", f"{origin.name}: {urls[origin.url('/')]}")
        print(f"    {len(kills)} kills, {clock.changes} changes of the clock, {gaps} gaps, Retry-After held across {across} kills")


if __name__ == "__main__":
    if not SHIM.exists():
        skip(f"{SHIM} is not there (builds with sanitizers have none)")
    print(f"seed {SEED}")
    sys.exit(run_tests_together(globals() | retry_after_tests(), folder=tempfile.TemporaryDirectory))
