# SPDX-License-Identifier: Apache-2.0
"""Whatever a server does: the right outcome, bounded memory, no hang. Each way to be hostile is a virtual host of its own."""

import asyncio
import gzip
import itertools
import json
import os
import resource
import socket
import sys
import tempfile
from pathlib import Path

from serving import AGENT, Server, make_certificate, probe
from running import expect, not_tried, run, run_tests_together

TIMEOUT = "15s"
MEMORY_MB = 500  # 64 answers of at most a megabyte, one decoded page of 48, its text


async def drip(exchange, data, pause=0.3):
    for byte in data:
        await exchange.send(bytes([byte]))
        await asyncio.sleep(pause)


async def slow_head(exchange):
    await drip(exchange, b"HTTP/1.1 200 OK\r\nX-Long: " + b"x" * 10000)


async def slow_body(exchange):
    await exchange.send("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 10000\r\n\r\n")
    await drip(exchange, b"x" * 10000)


async def endless_body(exchange):
    await exchange.send("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
    while True:
        await exchange.send(b"endless words " * 4096)


async def endless_redirects(exchange):
    number = int(exchange.path.strip("/") or 0)
    await exchange.answer(302, "", f"Location: /{number + 1}")


async def circle(exchange):
    await exchange.answer(301, "", "Location: /b" if exchange.path == "/a" else "Location: /a")


def redirect_to(place):
    async def answer(exchange):
        await exchange.answer(302, "", f"Location: {place}")
    return answer


async def long_promise(exchange):
    await exchange.send("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100000\r\n\r\n<p>only this")


async def short_promise(exchange):
    await exchange.send("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 3\r\n\r\n<p>much more than that")


async def nonsense_length(exchange):
    await exchange.send("HTTP/1.1 200 OK\r\nContent-Length: many\r\nContent-Length: -7\r\n\r\n<p>x")


async def broken_chunks(exchange):
    await exchange.send("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nZZ\r\n!!")


async def zip_bomb(exchange):
    await exchange.answer(200, BOMB, "Content-Encoding: gzip")


async def header_flood(exchange):
    await exchange.send("HTTP/1.1 200 OK\r\n")
    for number in itertools.count():
        await exchange.send(f"X-Header-{number}: {'x' * 500}\r\n")


async def header_line(exchange):
    await exchange.send("HTTP/1.1 200 OK\r\nX-Endless: ")
    while True:
        await exchange.send("x" * 4096)


async def nothing(exchange):
    pass


async def garbage(exchange):
    await exchange.send(bytes(range(256)) * 20)


async def head_then_reset(exchange):
    await exchange.send("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 500\r\n\r\n")
    await asyncio.sleep(0.1)
    exchange.reset()


async def many_interim(exchange):
    while True:
        await exchange.send("HTTP/1.1 100 Continue\r\n\r\n" * 100)


async def reset_at_once(exchange):
    exchange.reset()


async def every_second_reset(exchange):
    if int(exchange.path.strip("/p")) % 2:
        exchange.reset()
    else:
        await exchange.answer(200, f"<p>page {exchange.path}")


async def silence(exchange):
    await asyncio.sleep(60)


# host: (answer to a page, outcome, a word of the evidence)
HOSTS = {
    "slow-head": (slow_head, "unreachable", "timeout"),
    "slow-body": (slow_body, "alive", "timeout"),
    "endless-body": (endless_body, "alive", "200"),
    "endless-redirects": (endless_redirects, "unreachable", "more than 5 redirects"),
    "circle": (circle, "unreachable", "circle"),
    "to-loopback": (redirect_to("http://127.0.0.1:{port}/secret"), "unreachable", "address-refused"),
    "to-loopback-six": (redirect_to("http://[::1]:{port}/secret"), "unreachable", "address-refused"),
    "to-loopback-odd": (redirect_to("http://0x7f.1:{port}/secret"), "unreachable", "address-refused"),
    "to-metadata": (redirect_to("http://169.254.169.254/latest/meta-data/"), "unreachable", "address-refused"),
    "to-mapped": (redirect_to("http://[::ffff:10.0.0.1]/"), "unreachable", "address-refused"),
    "to-file": (redirect_to("file:///etc/passwd"), "unknown", "302"),
    "long-promise": (long_promise, "alive", "reset"),
    "short-promise": (short_promise, "alive", "200"),
    "nonsense-length": (nonsense_length, "unreachable", "bad-protocol"),
    "broken-chunks": (broken_chunks, "alive", "bad-protocol"),
    "header-flood": (header_flood, "unreachable", "head-too-large"),
    "header-line": (header_line, "unreachable", "head-too-large"),
    "nothing": (nothing, "unreachable", "reset"),
    "garbage": (garbage, "unreachable", "bad-protocol"),
    "head-then-reset": (head_then_reset, "unreachable", "reset"),
    "many-interim": (many_interim, "unreachable", "head-too-large"),
    "silence": (silence, "unreachable", "timeout"),
}


def pages_of(table):
    """Answers robots.txt and twins honestly, and everything else as the table says."""
    async def handle(exchange):
        name = exchange.host.removesuffix(".example")
        if exchange.path == "/robots.txt":
            await exchange.answer(404)
        elif name == "endless-redirects" or exchange.path.startswith(("/a", "/b", "/p")):
            await table[name](exchange)
        else:
            await exchange.answer(404)
    return handle


def test_hostile_answers():
    table = {}
    with Server(lambda exchange: pages_of(table)(exchange)) as server:
        for name, (answer, _, _) in HOSTS.items():
            table[name] = answer
        for name in ("to-loopback", "to-loopback-six", "to-loopback-odd"):
            place = {"to-loopback": "127.0.0.1", "to-loopback-six": "[::1]", "to-loopback-odd": "0x7f.1"}[name]
            table[name] = redirect_to(f"http://{place}:{server.port}/secret")
        urls = {name: f"http://{name}.example/" + ("0" if name == "endless-redirects" else "a") for name in HOSTS}
        found, _ = probe(urls.values(), "--connect-to", f"127.0.0.1:{server.port}", "--delay", "10ms",
                         "--timeout", TIMEOUT, timeout=180)
        wrong = []
        for name, (_, outcome, word) in HOSTS.items():
            line = found.get(urls[name])
            if line is None or line["outcome"] != outcome or word not in " ".join(line["evidence"]):
                wrong.append(f"{name}: expected {outcome} ({word}), found {line}")
        expect(not wrong, "\n".join(wrong))
        expect(not any(path == "/secret" for _, _, path in server.log), "a redirect led to loopback")
        expect(not server.mistakes, server.mistakes)


def test_a_crawl_comes_to_its_end_and_its_files_are_whole():
    """The same hosts, crawled: every URL has its outcome, and the answers are WARC that other tools can read."""
    table = {name: answer for name, (answer, _, _) in HOSTS.items()}
    with Server(pages_of(table)) as server, tempfile.TemporaryDirectory() as folder:
        job = Path(folder) / "job"
        for name, place in {"to-loopback": "127.0.0.1", "to-loopback-six": "[::1]", "to-loopback-odd": "0x7f.1"}.items():
            table[name] = redirect_to(f"http://{place}:{server.port}/secret")
        seeds = [f"http://{name}.example/" + ("0" if name == "endless-redirects" else "a") for name in HOSTS]
        code, output, errors = run("crawl", job, *seeds, "--anywhere", "--agent", AGENT, "--connect-to", f"127.0.0.1:{server.port}",
                                   "--delay", "10ms", "--timeout", "5s", "--max-body", "1M", "--tries", "1", "--budget", "120",
                                   "--json", "-q", timeout=180)
        expect(code == 0 and json.loads(output)["requests"] <= 120, f"{output} {errors}")
        expect(not any(path == "/secret" for _, _, path in server.log), "a redirect led to loopback")
        lines = [json.loads(line) for line in run("crawl", job, "--ledger")[1].splitlines()]
        outcomes = {line["url"]: line.get("outcome") for line in lines if line["record"] == "url" and line["state"] == "done"}
        expected = {"slow-head": "unreachable", "endless-body": "alive", "short-promise": "alive", "header-flood": "unreachable",
                    "garbage": "unreachable", "silence": "unreachable", "to-metadata": "moved", "nonsense-length": "unreachable"}
        for name, outcome in expected.items():
            expect(outcomes.get(f"http://{name}.example/a") == outcome, f"{name}: {outcomes.get(f'http://{name}.example/a')}, not {outcome}")
        refused = [line for line in lines if line["record"] == "url" and "169.254.169.254" in line["url"]]
        expect(refused and refused[0]["state"] == "dropped", refused)
        try:
            from warcio.archiveiterator import ArchiveIterator
        except ImportError:
            not_tried("the crawl files were not read with warcio (tests/requirements.txt)")
            return
        answers = 0
        for file in (job / "warc").glob("*.warc.gz"):
            with open(file, "rb") as stream:
                for record in ArchiveIterator(stream, check_digests="raise"):
                    record.content_stream().read()
                    answers += record.rec_type == "response"
        expect(answers == sum("file" in line for line in lines if line["record"] == "charge"), f"{answers} answers in the files")


def test_zip_bomb():
    """On its own: a decoded page of 48 MB keeps the program busy, and others would wait."""
    with Server(lambda exchange: pages_of({"zip-bomb": zip_bomb})(exchange)) as server:
        url = "http://zip-bomb.example/a"
        found, _ = probe([url], "--connect-to", f"127.0.0.1:{server.port}", "--delay", "10ms", timeout=180)
        expect(found[url]["outcome"] == "alive", found)


def test_random_resets_are_told_from_answers():
    async def handle(exchange):
        name, path = exchange.host, exchange.path
        if path == "/robots.txt" or not path.startswith("/p"):
            await exchange.answer(404)
        else:
            await every_second_reset(exchange)
    with Server(handle) as server:
        urls = [f"http://h{number}.example/p{number}" for number in range(40)]
        found, _ = probe(urls, "--connect-to", f"127.0.0.1:{server.port}", "--delay", "10ms", timeout=120)
        for number, url in enumerate(urls):
            expected = "unreachable" if number % 2 else "alive"
            expect(found[url]["outcome"] == expected, found[url])


def test_names_and_connections():
    with socket.create_server(("127.0.0.1", 0)) as full, tempfile.TemporaryDirectory() as folder:
        closed = socket.create_server(("127.0.0.1", 0))
        port = closed.getsockname()[1]
        closed.close()
        hosts = Path(folder) / "hosts"
        hosts.write_text(f"127.0.0.1:{port} refused.example\nfails servfail.example\n")
        urls = [f"http://{name}.example/x/y" for name in ("refused", "servfail", "missing")]
        found, _ = probe(urls, "--hosts", hosts, "--delay", "10ms", timeout=60)
        for name, failure in {"refused": "refused", "servfail": "name-server-failed", "missing": "name-not-found"}.items():
            line = found[f"http://{name}.example/x/y"]
            expect(line["outcome"] == "unreachable" and line["failure"] == failure, line)
        del full


def test_loopback_is_refused_unless_allowed():
    async def handle(exchange):
        await exchange.answer(404 if exchange.path != "/p" else 200, "<p>hello")
    with Server(handle) as server:
        for host in ("127.0.0.1", "localhost"):
            url = f"http://{host}:{server.port}/p"
            found, _ = probe([url], "--delay", "10ms")
            expect(found[url]["outcome"] == "unreachable" and found[url]["failure"] == "address-refused", found[url])
            expect(not server.log, "a request went to loopback")
        url = f"http://127.0.0.1:{server.port}/p"
        found, _ = probe([url], "--delay", "10ms", "--allow-private")
        expect(found[url]["outcome"] == "alive", found[url])


def test_certificates_are_checked():
    async def handle(exchange):
        await exchange.answer(404 if exchange.path != "/p" else 200, "<p>hello")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        certificate, key = make_certificate(folder, "good.example")
        with Server(handle, (certificate, key)) as server:
            place = ("--connect-to", f"127.0.0.1:{server.port}", "--delay", "10ms")
            url = "https://good.example/p"
            found, _ = probe([url], *place)  # self-signed
            expect(found[url]["outcome"] == "unreachable" and found[url]["failure"] == "tls", found[url])
            expect(not server.log, "a request was sent over a connection that was not trusted")
            found, _ = probe([url, "https://other.example/p"], *place, "--ca-file", certificate)
            expect(found[url]["outcome"] == "alive", found[url])
            other = found["https://other.example/p"]  # the name is another one
            expect(other["outcome"] == "unreachable" and other["failure"] == "tls", other)


def test_robots_txt_of_fifty_megabytes():
    async def handle(exchange):
        if exchange.path != "/robots.txt":
            await exchange.answer(404 if exchange.path != "/public" else 200, "<p>hello")
            return
        await exchange.send("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 52428800\r\n\r\n")
        await exchange.send("user-agent: *\ndisallow: /private\n")
        for _ in range(50 * 16):
            await exchange.send(b"# " + b"x" * 65533 + b"\n")
    with Server(handle) as server:
        urls = ["http://a.example/private", "http://a.example/public"]
        found, _ = probe(urls, "--connect-to", f"127.0.0.1:{server.port}", "--delay", "10ms", timeout=60)
        expect(found[urls[0]]["outcome"] == "blocked" and "Disallow: /private" in found[urls[0]]["evidence"][0], found)
        expect(found[urls[1]]["outcome"] == "alive", found)
        expect("/private" not in server.paths("a.example"), "a path that robots.txt forbids was asked")


def test_robots_txt_that_cannot_be_read():
    statuses = {"e503.example": 503, "e404.example": 404, "e403.example": 403}

    async def handle(exchange):
        if exchange.host == "loop.example" and exchange.path.startswith("/robots"):
            await exchange.answer(301, "", f"Location: {exchange.path}x")
        elif exchange.host == "moved.example" and exchange.path == "/robots.txt":
            await exchange.answer(301, "", "Location: http://rules.example/rules.txt")
        elif exchange.path == "/rules.txt":
            await exchange.answer(200, "user-agent: *\ndisallow: /p\n", kind="text/plain")
        elif exchange.path == "/robots.txt":
            await exchange.answer(statuses.get(exchange.host, 404))
        else:
            await exchange.answer(200 if exchange.path == "/p" else 404, "<p>hello")
    with Server(handle) as server:
        names = [*statuses, "loop.example", "moved.example"]
        found, _ = probe([f"http://{name}/p" for name in names], "--connect-to", f"127.0.0.1:{server.port}",
                         "--delay", "10ms", timeout=60)
        outcomes = {name: found[f"http://{name}/p"]["outcome"] for name in names}
        expect(outcomes == {"e503.example": "unreachable", "e404.example": "alive", "e403.example": "alive",
                            "loop.example": "alive", "moved.example": "blocked"}, outcomes)
        expect("/p" not in server.paths("e503.example"), "asked without knowing what is allowed")


def test_too_many_requests():
    async def handle(exchange):
        if exchange.path == "/first":
            await exchange.answer(429, "", "Retry-After: 2")
        else:
            await exchange.answer(200 if exchange.path == "/second" else 404, "<p>hello")
    with Server(handle) as server:
        urls = ["http://a.example/first", "http://a.example/second"]
        found, _ = probe(urls, "--connect-to", f"127.0.0.1:{server.port}", "--delay", "10ms", timeout=60)
        expect(found[urls[0]]["outcome"] == "blocked" and found[urls[0]]["status"] == 429, found)
        expect(found[urls[1]]["outcome"] == "alive", found)
        paths, times = server.paths("a.example"), server.times("a.example")
        first = paths.index("/first")
        expect(times[first + 1] - times[first] >= 2, f"asked again after {times[first + 1] - times[first]:.2f} s")


def test_a_server_that_drips_is_left():
    """Long before the time for one request is over: fewer than 50 bytes per second for 20 seconds."""
    table = {"slow-head": slow_head, "slow-body": slow_body}
    with Server(pages_of(table)) as server:
        urls = [f"http://{name}.example/a" for name in table]
        found, _ = probe(urls, "--connect-to", f"127.0.0.1:{server.port}", "--delay", "10ms", "--timeout", "10m", timeout=180)
        expect(found[urls[0]]["outcome"] == "unreachable" and found[urls[0]]["failure"] == "too-slow", found[urls[0]])
        expect(found[urls[1]]["outcome"] == "alive" and "too-slow" in " ".join(found[urls[1]]["evidence"]), found[urls[1]])


def test_hosts_of_one_address_share_its_time():
    """From the first request on: names are looked up before any request."""
    async def handle(exchange):
        await exchange.answer(404 if exchange.path != "/p" else 200, "<p>hello")
    with Server(handle) as server, tempfile.TemporaryDirectory() as folder:
        hosts = Path(folder) / "hosts"
        hosts.write_text(f"127.0.0.1:{server.port} *\n")
        urls = [f"http://h{number}.example/p" for number in range(6)]
        for where in (("--hosts", hosts), ("--connect-to", f"127.0.0.1:{server.port}")):
            server.log.clear()
            found, _ = probe(urls, *where, "--delay", "10ms", "--address-delay", "150ms", timeout=60)
            expect(all(line["outcome"] == "alive" for line in found.values()), found)
            times = [moment for moment, _, _ in server.log]
            gap = min(b - a for a, b in zip(times, times[1:]))
            expect(len(times) == 18 and gap >= 0.15, f"{len(times)} requests, two of them {gap * 1000:.0f} ms apart")


def within_memory(test):
    """The test, and then a look at the memory that its programs took."""
    def both():
        test()
        largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
        if "asan" not in os.environ.get("WEBSTRATA_BUILD", "") and "tsan" not in os.environ.get("WEBSTRATA_BUILD", ""):
            expect(largest < MEMORY_MB, f"a probe took {largest} MB")
        print(f"    the largest program of {test.__name__} took {largest} MB")
    return both


def main():
    global BOMB
    BOMB = gzip.compress(bytes(150 << 20), 1)
    return run_tests_together({name: within_memory(test) for name, test in globals().items() if name.startswith("test_")})


if __name__ == "__main__":
    sys.exit(main())
