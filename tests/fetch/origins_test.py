#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each origin (scheme, host and port) by its own merits, for probe and crawl; politeness from the servers' logs."""

import json
import sys
import tempfile
from pathlib import Path

from loopback_web import GONE, LIVE, LoopbackWeb, expect_truth
from serving import AGENT, Server, probe
from running import expect, run, run_tests_together

DELAY, ADDRESS_DELAY = 0.03, 0.02


def test_a_probe_judges_each_origin_by_its_own_merits(folder):
    with LoopbackWeb(folder) as web:
        found, _ = probe(web.truth(), *web.flags(DELAY, ADDRESS_DELAY), timeout=300)
        expect_truth(web, found)
        web.expect_polite(DELAY, ADDRESS_DELAY)
        web.expect_patient()
        forbidden = {origin.port for origin in web.origins if origin.name in ("closed", "overloaded", "rules elsewhere")}
        asked = {(server.port, path) for server in web.servers for _, _, path in server.log}
        expect(not [place for place in asked if place[0] in forbidden and place[1] != "/robots.txt"], "asked what was not allowed")


def test_the_order_of_the_origins_does_not_matter(folder):
    with LoopbackWeb(folder) as web:
        found, _ = probe(reversed(list(web.truth())), *web.flags(DELAY, ADDRESS_DELAY), timeout=300)
        expect_truth(web, found)


def test_no_death_follows_from_another_origin(folder):
    """One check is enough here for an unreachable page to be gone: what is stored still belongs to each origin."""
    with LoopbackWeb(folder) as web:
        found, _ = probe(web.truth(), *web.flags(DELAY, ADDRESS_DELAY), "--confirm", "1x0s", "--out", folder / "found", timeout=300)
        own_silence = {"refused", "untrusted", "wrong name", "tls to http", "http to tls"}
        for origin in web.origins:
            for path, outcome in ((LIVE, origin.live), (GONE, origin.gone)):
                expected = "gone" if origin.name in own_silence else outcome
                expect(found[origin.url(path)]["outcome"] == expected, f"{origin.name}: {found[origin.url(path)]}")
        code, _, errors = run("build", folder / "lib.ws", *sorted((folder / "found").iterdir()))
        expect(code == 0, errors)
        for origin in web.origins:
            lines = run("captures", folder / "lib.ws", origin.url(LIVE))[1].splitlines()
            expected = "gone" if origin.name in own_silence else origin.live
            expect(expected in lines[-1], f"{origin.name}: {lines}")


def test_a_crawl_judges_each_origin_by_its_own_merits(folder):
    with LoopbackWeb(folder) as web:
        seeds = [origin.url("/") for origin in web.origins]
        code, _, errors = run("crawl", folder / "job", *seeds, "--anywhere", *web.flags(DELAY, ADDRESS_DELAY), "--agent", AGENT,
                              "--backoff", "50ms", "--give-up", "3", "--tries", "2", "-q", timeout=300)
        expect(code == 0, errors)
        lines = [json.loads(line) for line in run("crawl", folder / "job", "--ledger")[1].splitlines()]
        urls = {line["url"]: line for line in lines if line["record"] == "url"}
        for origin in web.origins:
            home = urls[origin.url("/")]
            if origin.live in ("alive", "soft-gone"):
                live, gone = (urls.get(origin.url(path), home) for path in (LIVE, GONE))
                expect((home["state"], home["outcome"], live["outcome"]) == ("done", "alive", "alive"), f"{origin.name}: {home} {live}")
                expect(gone["outcome"] == ("alive" if origin.name == "soft" else "gone"), f"{origin.name}: {gone}")
            else:
                expect(home["state"] == "dropped", f"{origin.name}: {home}")
                word = {"closed": "robots.txt does not allow it", "rules elsewhere": "its robots.txt is at"}
                expect(word.get(origin.name, f"{origin.url()} gave no good answer 3 times in a row") in home["evidence"], home)
        given_up = {line["origin"] for line in lines if line["record"] == "host" and line.get("given_up")}
        silent = {"refused", "untrusted", "wrong name", "overloaded", "tls to http", "http to tls"}
        expect(given_up == {web.origin(name).url() for name in silent}, given_up)
        web.expect_polite(DELAY, ADDRESS_DELAY)
        web.expect_patient()


def test_the_case_of_the_trial(folder):
    """A port without a listener, before one that answers, at the addresses that users type."""
    async def handle(exchange):
        await exchange.answer(200 if exchange.path in ("/", "/b.html") else 404, "<p>hello <a href='/b.html'>b</a>")
    with Server(handle) as server:
        for host in ("127.0.0.1", "localhost"):
            urls = [f"http://{host}:1/x", f"http://{host}:{server.port}/b.html"]
            found, _ = probe(urls, "--allow-private", "--delay", "10ms")
            expect([found[url]["outcome"] for url in urls] == ["unreachable", "alive"], found)
            job = folder / host
            code, output, errors = run("crawl", job, f"http://{host}:1/", f"http://{host}:{server.port}/", "--allow-private", "--agent", AGENT,
                                       "--delay", "10ms", "--backoff", "10ms", "--json", "-q")
            expect(code == 0 and json.loads(output)["pages"] == 2, f"{output} {errors}")


if __name__ == "__main__":
    sys.exit(run_tests_together(dict(globals()), folder=tempfile.TemporaryDirectory))
