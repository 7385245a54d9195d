#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""probe --head over sockets: HEAD is enough for most pages; a server that refuses HEAD, or answers every name, is asked with GET."""

import sys
import tempfile
from collections import Counter

from serving import Server, probe
from running import expect, run, run_tests_together

PAGE = "<title>A page</title><p>" + " ".join(f"word{i}" for i in range(60))
ERROR = "<title>Oops</title><p>nothing is here, but the status is 200 " + " ".join(f"menu{i}" for i in range(60))


def served(refusal=None, catches_all=False, log=None):
    """/live.html and /other.html exist, /old.html moved; the log gets (method, path)."""
    async def handle(exchange):
        method = exchange.head.split(" ", 1)[0]
        log.append((method, exchange.path))
        is_head = method == "HEAD"
        if exchange.path == "/robots.txt":
            await exchange.answer(404)
            return
        if is_head and refusal:
            await exchange.answer(refusal)
            return
        status, body, headers = 404, "<p>not found", []
        if exchange.path in ("/live.html", "/other.html", "/new/live.html"):
            status, body = 200, PAGE + exchange.path
        elif exchange.path == "/old.html":
            status, body, headers = 301, "", ["Location: /new/live.html"]
        elif catches_all:
            status, body = 200, ERROR
        if is_head:  # the length is that of the page, the body is not sent
            lines = [f"HTTP/1.1 {status} X", "Content-Type: text/html", f"Content-Length: {len(body)}", "Connection: close", *headers, "", ""]
            await exchange.send("\r\n".join(lines))
        else:
            await exchange.answer(status, body, *headers)
    return handle


def asked(log):
    return Counter(method for method, path in log if path != "/robots.txt")


def test_head_decides_what_the_status_decides(folder):
    log = []
    with Server(served(log=log)) as server:
        site = f"http://127.0.0.1:{server.port}"
        urls = [f"{site}{path}" for path in ("/live.html", "/gone.html", "/old.html")]
        found, _ = probe(urls, "--head", "--allow-private", "--delay", "5ms", "--out", folder / "found")
        expect([found[url]["outcome"] for url in urls] == ["alive", "gone", "moved"], found)
        expect(found[urls[2]]["target"] == f"{site}/new/live.html", found[urls[2]])
        expect(found[urls[0]]["evidence"][0] == "HEAD: 200", found[urls[0]])
        expect(set(asked(log)) == {"HEAD"}, log)
        expect(("GET", "/robots.txt") in log, "robots.txt is read")
        files = {path.name.split("-")[0] for path in (folder / "found").iterdir()}
        expect("probes" in files, files)
        code, _, errors = run("build", folder / "lib.ws", *sorted((folder / "found").iterdir()))
        expect(code == 0, errors)
        expect("gone" in run("captures", folder / "lib.ws", urls[1])[1], "outcomes become sightings")
        # GET stays the default, with the same outcomes.
        log.clear()
        plain, _ = probe(urls, "--allow-private", "--delay", "5ms")
        expect([plain[url]["outcome"] for url in urls] == ["alive", "gone", "moved"] and set(asked(log)) == {"GET"}, log)


def test_a_server_that_refuses_head_is_asked_with_get(folder):
    for refusal in (405, 501):
        log = []
        with Server(served(refusal=refusal, log=log)) as server:
            site = f"http://127.0.0.1:{server.port}"
            urls = [f"{site}{path}" for path in ("/live.html", "/other.html", "/gone.html", "/old.html")]
            found, _ = probe(urls, "--head", "--allow-private", "--delay", "5ms")
            expect([found[url]["outcome"] for url in urls] == ["alive", "alive", "gone", "moved"], found)
            expect(found[urls[0]]["status"] == 200, found[urls[0]])
            expect(asked(log)["HEAD"] == 1, f"one refusal is enough: {log}")


def test_a_server_that_answers_every_name_is_asked_for_texts(folder):
    log = []
    with Server(served(catches_all=True, log=log)) as server:
        site = f"http://127.0.0.1:{server.port}"
        urls = [f"{site}{path}" for path in ("/live.html", "/gone.html")]
        found, _ = probe(urls, "--head", "--allow-private", "--delay", "5ms")
        expect([found[url]["outcome"] for url in urls] == ["alive", "soft-gone"], found)
        expect(asked(log)["GET"] == 3, f"two pages and one twin: {log}")


def test_head_and_the_rule_of_the_papers_exclude_each_other(folder):
    code, _, errors = run("probe", "http://127.0.0.1/", "--head", "--rule", "paper", "--agent", "me (me@archive.example)")
    expect(code == 2 and "HEAD" in errors, errors)


if __name__ == "__main__":
    sys.exit(run_tests_together(dict(globals()), folder=tempfile.TemporaryDirectory))
