#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`webstrata crawl --frontier`: crawlers that share the plan of a service crawl each page once, keep their own rules, and survive a
restart of the service and a kill of a crawler. The service hears the status of every page."""

import collections
import json
import random
import signal
import subprocess
import sys
import tempfile
import time

from calling import PROGRAM, Service, discovered, pb
from running import expect, expect_one_line, run, run_tests
from serving import AGENT, Server

HOSTS, PAGES = 8, 12
RNG = random.Random(3)
WEB = {(host, page): [(RNG.randrange(HOSTS), RNG.randrange(PAGES)) for _ in range(6)] for host in range(HOSTS) for page in range(PAGES)}


async def answer(exchange):
    if exchange.path == "/robots.txt":
        return await exchange.answer(200, "User-agent: *\nDisallow: /3\n", kind="text/plain")
    host, page = int(exchange.host.split(".")[0][1:]), exchange.path[1:]
    if not page.isdigit() or (host, int(page)) not in WEB:
        return await exchange.answer(404, "")
    links = "".join(f'<a href="http://h{h}.example/{p}">x</a>' for h, p in WEB[host, int(page)])
    return await exchange.answer(200, f"<html><body>{links}</body></html>")


def reachable():
    """What a crawler from h0.example/0 on finds; /3 is disallowed."""
    found, line = {(0, 0)}, [(0, 0)]
    while line:
        here = line.pop()
        if here[1] == 3:
            continue
        for target in WEB[here]:
            if target not in found:
                found.add(target)
                line.append(target)
    return {f"http://h{host}.example/{page}" for host, page in found}


def words(server, job, *more):
    return ["crawl", str(job), "--agent", AGENT, "--connect-to", f"127.0.0.1:{server.port}", "--allow-private",
            *([] if "--delay" in more else ["--delay", "20ms"]), *map(str, more)]


def pages_asked(server):
    return [f"http://{host}{path}" for _, host, path in server.log if path != "/robots.txt"]


def reported(calls):
    """What the service knows: URL -> (status, outcome, date)."""
    found = {}
    for item in calls.urls(size=10_000):
        metadata = {name: values.values[0] for name, values in item.known.info.metadata.items()}
        found[item.known.info.url] = metadata.get("status"), metadata.get("outcome"), item.known.refetchable_from_date
    return found


def check_reports(calls):
    for url, (status, outcome, date) in reported(calls).items():
        if url.endswith("/3"):
            expect((status, outcome, date) == (None, "blocked", 0), f"{url} is disallowed: {status} {outcome} {date}")
        else:
            expect((status, outcome, date) == ("200", "alive", 0), f"{url}: {status} {outcome} {date}")
    expect(set(reported(calls)) == reachable(), "the service knows other URLs than the web has")


def test_two_crawlers_share_one_plan(folder):
    with Service(folder) as service, service.calls("shared") as calls, Server(answer) as server:
        first = words(server, folder / "first", "http://h0.example/0", "--frontier", service.address, "--crawl-id", "shared", "--anywhere", "-q")
        second = words(server, folder / "second", "--frontier", service.address, "--crawl-id", "shared", "--anywhere", "-q")
        crawlers = [subprocess.Popen([PROGRAM, *one], stderr=subprocess.PIPE) for one in (first, second)]
        for crawler in crawlers:
            _, errors = crawler.communicate(timeout=120)
            expect(crawler.returncode in (0, 1), f"a crawler ended with {crawler.returncode}: {errors}")
        asked = collections.Counter(pages_asked(server))
        expect(set(asked) == {url for url in reachable() if not url.endswith("/3")}, "pages that were asked")
        expect(set(asked.values()) == {1}, f"asked twice: {[url for url, count in asked.items() if count > 1]}")
        check_reports(calls)
        stats = calls.stats()
        expect((stats.size, stats.inProcess, stats.counts["completed"]) == (0, 0, len(reachable())), "counts")
        code, out, _ = run("crawl", folder / "second", "--ledger")
        expect(code == 0 and any('"why":"plan"' in line or "plan" in line for line in out.splitlines()), "the ledger says why")


def test_a_budget_is_kept_and_the_rest_given_back(folder):
    with Service(folder) as service, service.calls("b") as calls, Server(answer) as server:
        code, out, errors = run(*words(server, folder / "job", "http://h0.example/0", "--frontier", service.address, "--crawl-id", "b", "--anywhere",
                                       "--budget", "12", "--json", "-q"))
        expect(code == 0 and json.loads(out)["requests"] == 12, f"{code} {out} {errors}")
        expect(calls.stats().inProcess == 0, "pages are still leased")
        expect(len(server.log) == 12, "requests")
        code, _, errors = run(*words(server, folder / "job", "--resume", "--budget", "500", "-q"))
        expect(code == 0, errors)
        check_reports(calls)
        expect(set(collections.Counter(pages_asked(server)).values()) == {1}, "a page was asked twice")


def test_a_service_that_is_killed_is_waited_for(folder):
    service = Service(folder).start()
    with Server(answer) as server:
        crawler = subprocess.Popen([PROGRAM, *words(server, folder / "job", "http://h0.example/0", "--frontier", service.address, "--anywhere",
                                                    "--delay", "80ms", "-q")], stderr=subprocess.PIPE)
        for _ in range(2):
            time.sleep(1)
            service.kill()
            time.sleep(0.5)
            service.start()
        _, errors = crawler.communicate(timeout=120)
        expect(crawler.returncode == 0, f"the crawler ended with {crawler.returncode}: {errors}")
        with service.calls() as calls:
            check_reports(calls)
    expect(service.stop() == 0, "the service")


def test_a_crawler_that_is_killed_loses_nothing(folder):
    with Service(folder) as service, service.calls() as calls, Server(answer) as server:
        command = [PROGRAM, *words(server, folder / "job", "http://h0.example/0", "--frontier", service.address, "--anywhere", "--delay", "60ms", "-q")]
        crawler = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        end = time.time() + 60
        while (len(pages_asked(server)) < 15 or not any(status for status, _, _ in reported(calls).values())) and time.time() < end:
            time.sleep(0.02)
        crawler.send_signal(signal.SIGKILL)
        crawler.wait()
        done = {url for url, (status, _, _) in reported(calls).items() if status}
        expect(done, "nothing was reported before the kill")
        # Leases end after minutes: an operator who cannot wait gives the pages back.
        calls.put(*(pb.URLItem(known=pb.KnownURLItem(info=pb.URLInfo(url=url), refetchable_from_date=int(time.time()) - 1))
                    for url, (status, outcome, _) in reported(calls).items() if not status and not outcome))
        code, _, errors = run("crawl", folder / "job", "--resume", "-q")
        expect(code == 0, errors)
        check_reports(calls)
        twice = [url for url, count in collections.Counter(pages_asked(server)).items() if count > 1]
        expect(not set(twice) & done, f"pages that were reported are asked again: {twice}")


def test_the_scope_stays_ours(folder):
    with Service(folder) as service, service.calls() as calls, Server(answer) as server:
        calls.put(discovered("http://h5.example/0"), discovered("http://h0.example/0"))
        crawler = subprocess.Popen([PROGRAM, *words(server, folder / "job", "--frontier", service.address, "--host", "h0.example", "-q")],
                                   stderr=subprocess.PIPE)
        end = time.time() + 30
        while not (server.log and calls.stats("h0.example").size == 0) and time.time() < end:
            time.sleep(0.1)
        time.sleep(0.5)
        crawler.send_signal(signal.SIGINT)
        crawler.communicate(timeout=60)
        expect({host for _, host, _ in server.log} == {"h0.example"}, "hosts that were asked")
        status = calls.status("http://h5.example/0", "h5.example")
        expect(status.known.refetchable_from_date > time.time() + 60, "what is outside the scope is left to others")


def test_wrong_words(folder):
    base = ("crawl", folder / "job", "--agent", AGENT)
    for more, needed in (((), "--frontier"), (("http://a.example/", "--crawl-id", "x"), "frontier"), (("--frontier", "127.0.0.1:1"), "limited"),
                         (("--frontier", "127.0.0.1:1", "--anywhere", "--by", "bf"), "order"),
                         (("--frontier", "127.0.0.1:1", "--anywhere", "--sitemaps"), "sitemaps"),
                         (("--frontier", "127.0.0.1:1", "--anywhere", "--frontier-token", folder / "none"), "none")):
        code, _, errors = run(*base, *more)
        expect(code == 2, f"{more}: {code}")
        expect_one_line(errors, needed)


if __name__ == "__main__":
    sys.exit(run_tests({name: test for name, test in globals().items() if not sys.argv[1:] or name in sys.argv[1:]}, folder=tempfile.TemporaryDirectory))
