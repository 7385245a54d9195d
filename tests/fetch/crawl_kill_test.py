#!/usr/bin/env python3
"""kill -9 at random instants, again and again: the server's log is the judge.

No host is asked too early, nothing disallowed and nothing forgotten is asked, no budget is exceeded by one request, no
outcome that the ledger told is lost, none is charged twice, and the WARC files are whole.
"""

import asyncio
import collections
import json
import os
import random
import subprocess
import tempfile
from pathlib import Path

from serving import AGENT, Server
from running import PROGRAM, expect, run

HOSTS, PAGES, DELAY, KILLS = 16, 24, 0.15, int(os.environ.get("WEBSTRATA_KILLS", 50))
BUDGETS = (2000, 150)  # the first is more than there is, the second is spent; round after round
DAY = 86400


def page_links(host, page, rng=random.Random(5)):
    return [(rng.randrange(HOSTS), rng.randrange(PAGES)) for _ in range(8)]


WEB = {(h, p): page_links(h, p) for h in range(HOSTS) for p in range(PAGES)}


LATENCY = random.Random(6)


async def answer(exchange):
    host, path = exchange.host, exchange.path
    if path == "/robots.txt":
        slow = "Crawl-delay: 0.4\n" if host == "h2.example" else ""
        return await exchange.answer(200, f"User-agent: *\nDisallow: /5\n{slow}", kind="text/plain")
    number = (int(host[1:].split(".")[0]), int(path[1:])) if path[1:].isdigit() else None
    if number not in WEB:
        return await exchange.answer(404, "no")
    await asyncio.sleep(LATENCY.uniform(0, 0.15))  # so that kills take answers
    await exchange.answer(200, "".join(f"<a href='http://h{h}.example/{p}'>x</a>" for h, p in WEB[number]))


def ledger(job):
    code, out, errors = run("crawl", job, "--ledger")
    expect(code == 0, errors)
    return [json.loads(line) for line in out.splitlines()]


def has_begun(job):
    code, out, _ = run("crawl", job, "--ledger")
    return code == 0 and '"url"' in out


def done(lines):
    return {line["url"]: (line["outcome"], line["time"]) for line in lines if line["record"] == "url" and line["state"] == "done"}


def forgetful_archive(folder):
    lib, lines = folder / "lib.ws", folder / "old.jsonl"
    lines.write_text('{"url": "http://h3.example/", "time": "2020-01-01", "links": []}\n')
    for arguments in (["build", lib, lines, "-q"], ["forget", lib, "--host", "h3.example", "--yes"]):
        code, _, errors = run(*arguments)
        if code == 2 and "--yes" in errors:
            code, _, errors = run(*arguments[:-1])
        expect(code in (0, 1), errors)
    return lib


def crawl_with_kills(web, job, lib, budget, kills_left, rng):
    """Kills a crawl until it has come to its end or has been killed so often, then lets it end; how often it was killed."""
    start = ["crawl", job, "http://h0.example/0", "--anywhere", "--budget", str(budget), "--archive", lib, "-q", "--agent", AGENT,
             "--connect-to", f"127.0.0.1:{web.port}", "--delay", f"{DELAY}s", "--backoff", "200ms"]
    told, kills = {}, 0
    while kills < kills_left:
        running = subprocess.Popen([PROGRAM, *map(str, start)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            _, errors = running.communicate(timeout=rng.uniform(0.05, 0.7))
            expect(running.returncode in (0, 1), errors.decode())
            break  # it came to its end
        except subprocess.TimeoutExpired:
            running.kill()
            running.communicate()
        kills += 1
        if start[2] != "--resume" and has_begun(job):
            start = ["crawl", job, "--resume", "-q"]
        if kills % 5 == 0 and start[2] == "--resume":
            now = done(ledger(job))
            for url, outcome in told.items():
                expect(now.get(url) == outcome, f"{url}: {outcome} was told, and is {now.get(url)} now")
            told = now
    code, _, errors = run(*start)
    expect(code == 0, errors)
    return kills


def expect_polite(log):
    last = {}
    for moment, host, path in log:
        delay = 0.4 if host == "h2.example" and path != "/robots.txt" and (host in last) else DELAY
        gap = moment - last.get(host, -DAY)
        expect(gap >= delay, f"{host}{path} came {gap * 1000:.0f} ms after the request before, not {delay * 1000:.0f}")
        expect(path != "/5", f"{host}{path} is not allowed")
        expect(host != "h3.example", "h3.example was forgotten")
        last[host] = moment


def expect_charged(log, lines, budget):
    charges = [line for line in lines if line["record"] == "charge"]
    expect(len(log) <= budget and len(charges) <= budget, f"{len(log)} requests and {len(charges)} charges of {budget}")
    expect(lines[0]["requests"] == len(charges), f"{lines[0]['requests']} requests counted, {len(charges)} charges")
    expect(all(charge["settled"] for charge in charges), "a charge is still open")
    asked = collections.Counter(f"http://{host}{path}" for _, host, path in log)
    charged = collections.Counter(charge["url"] for charge in charges)
    for url, times in asked.items():
        expect(charged[url] >= times, f"{url}: asked {times} times, charged {charged[url]}")
    answered = collections.Counter(charge["url"] for charge in charges if charge.get("status") and charge["kind"] == "page")
    expect(max(answered.values()) == 1, f"charged twice for one outcome: {answered.most_common(1)}")


def expect_whole_files(job, lines):
    try:
        from warcio.archiveiterator import ArchiveIterator
    except ImportError:
        print("SKIPPED: no warcio to read the crawl files with", flush=True)
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


def reachable():
    known, left = {(0, 0)}, [(0, 0)]
    while left:
        for host, page in WEB[left.pop()]:
            if page != 5 and host != 3 and (host, page) not in known:
                known.add((host, page))
                left.append((host, page))
    return {f"http://h{h}.example/{p}" for h, p in known}


def kill_one_crawl(folder, lib, budget, kills_left, rng):
    """Gives kills, requests, charges and answers lost."""
    job = folder / "job"
    with Server(answer) as web:
        kills = crawl_with_kills(web, job, lib, budget, kills_left, rng)
        lines = ledger(job)
        expect_polite(web.log)
        expect_charged(web.log, lines, budget)
        expect_whole_files(job, lines)
        found = {url for url, (outcome, _) in done(lines).items() if outcome == "alive"}
        if budget == BUDGETS[0]:
            expect(found == reachable(), f"{len(found)} pages, not {len(reachable())}: {sorted(found ^ reachable())[:5]}")
        else:
            expect(lines[0]["requests"] == budget, f"{lines[0]['requests']} of {budget} requests are spent")
        expect(not web.mistakes, web.mistakes)
        return kills, len(web.log), lines[0]["requests"], lines[0]["lost"]


def main():
    seed = int(os.environ.get("WEBSTRATA_SEED", 1))
    print(f"seed {seed}")
    rng = random.Random(seed)
    sums = [0, 0, 0, 0]
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None) as folder:
        lib = forgetful_archive(Path(folder))
        for number in range(1000):
            if sums[0] >= KILLS:
                break
            own = Path(folder) / str(number)
            own.mkdir()
            told = kill_one_crawl(own, lib, BUDGETS[number % 2], KILLS - sums[0], rng)
            sums = [a + b for a, b in zip(sums, told)]
    expect(sums[3] > 0, "no kill took an answer: this shows too little")
    print(f"ok  {sums[0]} kills in {number} crawls, {sums[1]} requests, {sums[2]} charges, {sums[3]} answers lost in kills")


if __name__ == "__main__":
    main()
