#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Repeated kill -9 at random instants, judged by the server's log.

No host is requested too early, nothing disallowed or forgotten is requested, no budget is exceeded by one request, no outcome
that the ledger reported is lost, none is charged twice, the WARC files and their indexes are complete, and crawl.log has every
answer once.
"""

import asyncio
import collections
import datetime
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from serving import AGENT, Server
from running import PROGRAM, ending, expect, not_tried, run

HOSTS, PAGES, DELAY, KILLS = 16, 24, 0.15, int(os.environ.get("WEBSTRATA_KILLS", 60))
KILLS_OF_A_ROUND = 12
DAY = 86400
FORGOTTEN = "http://h6.example/7"  # and all of h3.example

BUSY = "a busy host"

# What a crawl may spend, and the rules it must keep; one entry per round.
ROUNDS = {
    "everything": ["--budget", "2000"],  # more than there is
    "requests": ["--budget", "150"],
    "a host's requests and a rate": ["--host-budget", "9", "--rate", "25/1s"],
    "bytes": ["--bytes", "12M", "--max-body", "20k"],
    "one address": ["--budget", "60", "--address-delay", "40ms"],
    BUSY: ["--budget", "200", "--tries", "1"],
}


def page_links(host, page, rng=random.Random(5)):
    return [(rng.randrange(HOSTS), rng.randrange(PAGES)) for _ in range(8)]


WEB = {(h, p): page_links(h, p) for h in range(HOSTS) for p in range(PAGES)}
LATENCY = random.Random(6)


class Site:
    """The pages; if it is busy, h4 sends Retry-After at every third request. Counts what it sent."""

    def __init__(self, is_busy=False):
        self.is_busy = is_busy
        self.asked_of_h4 = 0
        self.bytes_sent = 0
        self.asked_for_patience = []  # (url, when)

    async def answer(self, exchange):
        host, path = exchange.host, exchange.path
        if path == "/robots.txt":
            slow = "Crawl-delay: 0.4\n" if host == "h2.example" else ""
            return await self.say(exchange, 200, f"User-agent: *\nDisallow: /5\n{slow}", kind="text/plain")
        if host == "h4.example" and self.is_busy:
            self.asked_of_h4 += 1
            if self.asked_of_h4 % 3 == 1:
                self.asked_for_patience.append((f"http://{host}{path}", time.time()))
                return await self.say(exchange, 429, "later", "Retry-After: 1")
        number = (int(host[1:].split(".")[0]), int(path[1:])) if path[1:].isdigit() else None
        if number not in WEB:
            return await self.say(exchange, 404, "no")
        await asyncio.sleep(LATENCY.uniform(0, 0.15))  # so that kills take answers
        await self.say(exchange, 200, "".join(f"<a href='http://h{h}.example/{p}'>x</a>" for h, p in WEB[number]))

    async def say(self, exchange, status, body, *headers, **options):
        self.bytes_sent += len(body)
        await exchange.answer(status, body, *headers, **options)


def ledger(job):
    code, out, errors = run("crawl", job, "--ledger")
    expect(code == 0, errors)
    return [json.loads(line) for line in out.splitlines()]


def has_begun(job):
    code, out, _ = run("crawl", job, "--ledger")
    return code == 0 and '"url"' in out


def charges_of(lines):
    return [line for line in lines if line["record"] == "charge"]


def done(lines):
    return {line["url"]: (line["outcome"], line["time"]) for line in lines if line["record"] == "url" and line["state"] == "done"}


def expect_kept(told, now, what):
    for url, outcome in told.items():
        expect(now.get(url) == outcome, f"{what}: {url}: {outcome} was told, and is {now.get(url)} now")


def forgetful_archive(folder):
    lib, lines = folder / "lib.ws", folder / "old.jsonl"
    lines.write_text('{"url": "http://h3.example/", "time": "2020-01-01", "links": []}\n'
                     f'{{"url": "{FORGOTTEN}", "time": "2020-01-01", "links": []}}\n')
    for arguments in (["build", lib, lines, "-q"], ["forget", lib, "--host", "h3.example", "--yes"],
                      ["forget", lib, "--url", FORGOTTEN, "--yes"]):
        code, _, errors = run(*arguments)
        if code == 2 and "--yes" in errors:
            code, _, errors = run(*arguments[:-1])
        expect(code in (0, 1), errors)
    return lib


def run_for(seconds, words, output=subprocess.DEVNULL):
    """Runs, and kills after that time; True if it finished first."""
    running = subprocess.Popen([PROGRAM, *map(str, words)], stdout=output, stderr=subprocess.PIPE)
    try:
        _, errors = running.communicate(timeout=seconds)
        expect(running.returncode in (0, 1), errors.decode())
        return True
    except subprocess.TimeoutExpired:
        running.kill()
        running.communicate()
        return False


def crawl_with_kills(web, job, lib, limits, kills_max, rng):
    """Kills a crawl until it finishes or has been killed that often, then lets it end. Returns the number of kills."""
    start = ["crawl", job, "http://h0.example/0", "http://h4.example/0", "--anywhere", *limits, "--archive", lib, "-q", "--agent", AGENT,
             "--connect-to", f"127.0.0.1:{web.port}", "--delay", f"{DELAY}s", "--backoff", "200ms", "--give-up", "50"]
    told, kills = {}, 0
    while kills < kills_max and not run_for(rng.uniform(0.05, 0.7), start):
        kills += 1
        if start[2] != "--resume" and has_begun(job):
            start = ["crawl", job, "--resume", "-q"]
        if start[2] == "--resume":
            now = done(ledger(job))
            expect_kept(told, now, "after a kill")
            told = now
    code, _, errors = run(*start)
    expect(code == 0, errors)
    expect_kept(told, done(ledger(job)), "at the end")
    return kills


def expect_polite(log):
    last = {}
    for moment, host, path in log:
        delay = 0.4 if host == "h2.example" and path != "/robots.txt" and (host in last) else DELAY
        gap = moment - last.get(host, -DAY)
        expect(gap >= delay, f"{host}{path} came {gap * 1000:.0f} ms after the request before, not {delay * 1000:.0f}")
        expect(path != "/5", f"{host}{path} is not allowed")
        expect(host != "h3.example" and f"http://{host}{path}" != FORGOTTEN, f"{host}{path} was forgotten")
        last[host] = moment


def seconds(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def expect_charged(log, lines):
    """Every request that arrived was charged, and every answer in the ledger was given."""
    charges = charges_of(lines)
    expect(lines[0]["requests"] == len(charges), f"{lines[0]['requests']} requests counted, {len(charges)} charges")
    expect(all(charge["settled"] for charge in charges), "a charge is still open")
    asked = collections.Counter(f"http://{host}{path}" for _, host, path in log)
    charged = collections.Counter(charge["url"] for charge in charges)
    answered = collections.Counter(charge["url"] for charge in charges if charge.get("status"))
    for url in asked | charged:
        expect(answered[url] <= asked[url] <= charged[url],
               f"{url}: {asked[url]} requests came, {charged[url]} were charged, {answered[url]} answers told")
    unanswered = sum(1 for charge in charges if not charge.get("status"))
    expect(lines[0]["lost"] == unanswered, f"{lines[0]['lost']} answers lost, {unanswered} charges without one")


def expect_paid_once(lines):
    final = collections.Counter(charge["url"] for charge in charges_of(lines) if charge.get("status") not in (None, 429))
    expect(max(final.values()) == 1, f"charged twice for one outcome: {final.most_common(1)}")


def expect_within(log, lines, limits, bytes_sent):
    """No budget is exceeded by one request: neither as the ledger counts, nor as the server does."""
    flags = dict(zip(limits[::2], limits[1::2]))
    charges = charges_of(lines)
    if "--budget" in flags:
        expect(max(len(log), len(charges)) <= int(flags["--budget"]), f"{len(log)} requests, {len(charges)} charges: {flags}")
    if "--host-budget" in flags:
        for hosts in (collections.Counter(host for _, host, _ in log), collections.Counter(charge["host"] for charge in charges)):
            expect(max(hosts.values()) <= int(flags["--host-budget"]), f"{hosts.most_common(2)}: {flags}")
    if "--rate" in flags:
        count = int(flags["--rate"].split("/")[0])
        leased = sorted(seconds(charge["leased"]) for charge in charges)
        for first, last in zip(leased, leased[count:]):
            expect(last - first > 1, f"{count + 1} requests in {last - first:.3f} seconds: {flags}")
    if "--bytes" in flags:
        counted = lines[0]["bytes"] + lines[0]["bytes_reserved"]
        expect(max(counted, bytes_sent) <= 12 << 20, f"{counted} bytes counted, {bytes_sent} sent: {flags}")
        expect(lines[0]["bytes"] <= bytes_sent * 2 + 1000 * len(log), f"{lines[0]['bytes']} bytes received, {bytes_sent} sent")
    if "--address-delay" in flags:
        moments = [moment for moment, _, _ in log]
        gap = min(b - a for a, b in zip(moments, moments[1:]))
        expect(gap >= 0.04, f"two requests to one address {gap * 1000:.0f} ms apart: {flags}")


def expect_patient(site, log, lines):
    """Where the ledger has an answer that asked for a second, the next request comes no earlier. Returns how often that was."""
    times = 0
    for url, asked in site.asked_for_patience:
        heard = [charge for charge in charges_of(lines) if charge["url"] == url and charge.get("status") == 429
                 and seconds(charge["leased"]) <= asked <= seconds(charge["time"]) + 0.001]
        later = [moment for moment, host, _ in log if host == "h4.example" and moment > asked]
        if heard and later:
            expect(later[0] - asked >= 1, f"h4.example was asked {later[0] - asked:.3f} s after it had said Retry-After: 1")
            times += 1
    return times


def expect_whole_files(job, lines):
    try:
        from warcio.archiveiterator import ArchiveIterator
    except ImportError:
        not_tried("the crawl files were not read with warcio (tests/requirements.txt)")
        return
    files = sorted((Path(job) / "warc").iterdir())
    expect(all(file.name.endswith(".warc.gz") for file in files), f"left open: {files}")
    places = set()
    for file in files:
        with open(file, "rb") as stream:
            records = ArchiveIterator(stream, check_digests="raise")
            for record in records:
                record.content_stream().read()
                if record.rec_type in ("response", "revisit"):
                    places.add((file.name, records.get_record_offset()))
    told = {(line["file"], line["offset"]) for line in lines if line["record"] == "charge" and "file" in line}
    expect(places == told, f"files and ledger differ: {len(places)} records, {len(told)} charges; {list(places ^ told)[:3]}")
    expect_indexed(job, places)


def expect_indexed(job, places):
    """Every record has its line in the index of its file, once."""
    indexed = []
    for path in sorted((Path(job) / "indexes").iterdir()):
        own = path.read_text().splitlines()
        expect(own == sorted(own, key=str.encode), f"{path} is not sorted")
        indexed += [json.loads(line.split(" ", 2)[2]) for line in own]
    found = [(line["filename"], int(line["offset"])) for line in indexed]
    expect(len(found) == len(set(found)) and set(found) == places, f"index: {len(found)} lines for {len(places)} records")


def expect_logged(job, lines):
    """Every answer that the ledger has, and every page that ended without one, has its line in crawl.log, once for each time."""
    logged = collections.Counter()
    for line in (Path(job) / "crawl.log").read_text().splitlines():
        words = line.split()
        expect(len(words) == 12, f"not a line of a crawl.log: {line}")
        logged[words[3], int(words[1])] += 1
    answers = collections.Counter((charge["url"], charge["status"]) for charge in charges_of(lines) if charge.get("status"))
    told = collections.Counter({key: times for key, times in logged.items() if key[1] > 0})
    expect(told == answers, f"log and ledger differ: {list(((told - answers) + (answers - told)).items())[:3]}")
    refused = {url for (url, status), times in logged.items() if status == -9998}
    allowed = {line["url"] for line in lines if line["record"] == "url" and "robots.txt" in line.get("evidence", "")}
    expect(refused == allowed, f"refused by robots.txt: {list(refused ^ allowed)[:3]}")
    expect(max(logged.values()) == 1 or any(status == 429 for _, status in logged), f"doubled: {logged.most_common(2)}")


def reachable():
    known, left = {(0, 0), (4, 0)}, [(0, 0), (4, 0)]
    while left:
        for host, page in WEB[left.pop()]:
            if page != 5 and host != 3 and (host, page) not in ((6, 7), *known):
                known.add((host, page))
                left.append((host, page))
    return {f"http://h{h}.example/{p}" for h, p in known}


def kill_one_crawl(folder, lib, name, kills_max, rng):
    """Gives kills, requests, charges and answers lost."""
    job, site, limits = folder / "job", Site(is_busy=name == BUSY), ROUNDS[name]
    with Server(site.answer) as web:
        kills = crawl_with_kills(web, job, lib, limits, kills_max, rng)
        lines = ledger(job)
        expect_polite(web.log)
        expect_charged(web.log, lines)
        expect_paid_once(lines)
        expect_within(web.log, lines, limits, site.bytes_sent)
        expect_whole_files(job, lines)
        expect_logged(job, lines)
        found = {url for url, (outcome, _) in done(lines).items() if outcome == "alive"}
        if name == "everything":
            expect(found == reachable(), f"{len(found)} pages, not {len(reachable())}: {sorted(found ^ reachable())[:5]}")
        if name in ("requests", "one address"):
            expect(lines[0]["requests"] == int(limits[1]), f"{lines[0]['requests']} of {limits[1]} requests are spent")
        if name == BUSY:
            expect(expect_patient(site, web.log, lines) > 0, "nobody asked for patience")
        expect(not web.mistakes, web.mistakes)
        return kills, len(web.log), lines[0]["requests"], lines[0]["lost"]


def kill_one_probe(folder, lib, kills_max, rng):
    """A probe's line is an outcome that was acknowledged: later runs say the same, and do not request it again."""
    job, told, asked, kills = folder / "job", {}, {}, 0
    urls = [f"http://h{h}.example/{p}" for h in range(8) for p in (0, 1, 5, 7, 99)]
    with Server(Site().answer) as web:
        words = ["probe", "--json", "--job", job, "--archive", lib, "--quiet", "--agent", AGENT, "--delay", f"{DELAY}s",
                 "--requests", "120", "--connect-to", f"127.0.0.1:{web.port}", *urls]
        while True:
            is_over = kills == kills_max
            with open(folder / "lines", "w+b") as lines:
                is_over = run_for(600 if is_over else rng.uniform(0.1, 0.9), words, lines)
                lines.seek(0)
                for line in map(json.loads, filter(lambda line: line.endswith(b"\n"), lines)):
                    outcome = (line["outcome"], line["status"], line["target"])
                    if line["outcome"] != "unknown":
                        expect(told.setdefault(line["url"], outcome) == outcome, f"{told[line['url']]} was told, and now {line}")
                        times = sum(f"http://{host}{path}" == line["url"] for _, host, path in web.log)
                        expect(asked.setdefault(line["url"], times) == times, f"{line['url']} had its outcome, and was asked again")
            if is_over:
                break
            kills += 1
        lines = ledger(job)
        expect_polite(web.log)
        expect_charged(web.log, lines)
        expect(len(web.log) <= lines[0]["requests"] <= 120, f"{len(web.log)} requests, {lines[0]['requests']} charges of 120")
        missing = [url for url in urls if url not in told and "//h3." not in url and url != FORGOTTEN]
        expect(not missing or lines[0]["requests"] == 120, f"no outcome for {missing}")
        return kills, len(web.log), lines[0]["requests"], lines[0]["lost"]


def main():
    seed = int(os.environ.get("WEBSTRATA_SEED", 1))
    print(f"seed {seed}")
    rng = random.Random(seed)
    sums = [0, 0, 0, 0]
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None) as folder:
        lib = forgetful_archive(Path(folder))
        names = [*ROUNDS, "probe"]
        for number in range(1000):
            if sums[0] >= KILLS and number >= len(names):
                break
            name, own = names[number % len(names)], Path(folder) / str(number)
            own.mkdir()
            told = kill_one_probe(own, lib, KILLS_OF_A_ROUND, rng) if name == "probe" else kill_one_crawl(own, lib, name, KILLS_OF_A_ROUND, rng)
            print(f"  {name}: {told[0]} kills, {told[1]} requests, {told[2]} charges, {told[3]} answers lost", flush=True)
            sums = [a + b for a, b in zip(sums, told)]
    expect(sums[3] > 0, "no kill took an answer: this shows too little")
    print(f"ok  {sums[0]} kills in {number} jobs, {sums[1]} requests, {sums[2]} charges, {sums[3]} answers lost in kills")
    return ending()


if __name__ == "__main__":
    sys.exit(main())
