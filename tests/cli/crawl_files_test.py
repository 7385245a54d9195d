# SPDX-License-Identifier: Apache-2.0
"""What a crawl writes, as other tools for web archives see it: warcio, cdxj-indexer, `wacz validate` and pywb are black boxes."""

import collections
import importlib.util
import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "fetch"))
from archives import temporary_folder  # noqa: E402
from running import SOURCE, expect, not_tried, run, run_tests  # noqa: E402
from serving import AGENT, Server  # noqa: E402

PAGES = {
    "/": "<title>Home & more</title><a href='/a'>a</a><a href='/moved'>m</a><img src='/dot.png'><a href='/secret/x'>s</a>",
    "/a": "<title>A</title><a href='/b'>b</a><a href='/gone'>g</a><a href='http://dead.example/'>d</a>",
    "/b": "<title>B</title><p>the last page</p>",
}
# time, status, size, URL, path, via, MIME, thread, begin+duration, digest, source, annotations
LOG = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) +(-?\d+) +(-|\d+) (\S+) (-|[A-Z]+) (\S+) (\S+) #\d{3} (-|\d{17}\+\d+) "
                 r"(-|sha1:[A-Z2-7]{32}) (\S+) (\S+)\n")


async def answer(exchange):
    if exchange.path == "/robots.txt":
        return await exchange.answer(200, "User-agent: *\nDisallow: /secret\n", kind="text/plain")
    if exchange.path == "/moved":
        return await exchange.answer(301, "", "Location: /b")
    if exchange.path == "/dot.png":
        return await exchange.answer(200, "not a picture", kind="image/png")
    if exchange.path in PAGES:
        return await exchange.answer(200, PAGES[exchange.path])
    await exchange.answer(404, "no")


def crawl(folder, *words):
    """A crawl of the pages in three runs; the job's folder, and what the last run printed."""
    job = folder / "job"
    with Server(answer) as server:
        (folder / "hosts").write_text(f"127.0.0.1:{server.port} a.example\n127.0.0.1:1 dead.example\n")
        code, out, errors = run("crawl", job, "http://a.example/", "--anywhere", "--links", "all", "--delay", "1ms", "--backoff", "1ms",
                                "--tries", "2", "--give-up", "2", "--agent", AGENT, "--hosts", folder / "hosts", "--budget", "2", "--json", *words)
        expect(code == 0, errors)
        for budget in ("4", "100"):
            code, out, errors = run("crawl", job, "--resume", "--budget", budget, "--json")
            expect(code == 0, errors)
    return job, json.loads(out)


def warcs_of(job):
    return sorted((job / "warc").glob("*.warc.gz"))


def index_of(job):
    lines = []
    for path in sorted((job / "indexes").iterdir()):
        own = path.read_text().splitlines()
        expect(own == sorted(own, key=str.encode), f"{path} is not sorted")
        lines += own
    return sorted(lines, key=str.encode)


def log_of(job):
    text = (job / "crawl.log").read_text()
    lines = [LOG.fullmatch(line) for line in text.splitlines(keepends=True)]
    expect(lines and all(lines), f"not Heritrix's form: {text}")
    return [line.groups() for line in lines]


def test_warc_has_robots_and_the_version(folder):
    from warcio.archiveiterator import ArchiveIterator

    job, _ = crawl(folder)
    version = re.search(r"^project\(webstrata VERSION (\S+) ", (SOURCE / "CMakeLists.txt").read_text(), re.M)[1]
    seen = collections.Counter()
    for path in warcs_of(job):
        with path.open("rb") as stream:
            for record in ArchiveIterator(stream, check_digests="raise"):
                text = record.content_stream().read().decode()
                seen[record.rec_type, record.rec_headers.get_header("WARC-Target-URI")] += 1
                if record.rec_type == "warcinfo":
                    expect(f"software: webstrata/{version}\r\n" in text, text)
    for kind in ("response", "request"):
        expect(seen[kind, "http://a.example/robots.txt"] == 1, seen)
    expect(seen["response", "http://a.example/b"] == 1, seen)


def test_the_index_is_that_of_cdxj_indexer(folder):
    if not importlib.util.find_spec("cdxj_indexer"):
        return not_tried("the index was not compared with cdxj-indexer's (tests/requirements.txt)")
    job, _ = crawl(folder)
    expect(len(warcs_of(job)) == 3, "each run has a file")
    theirs = subprocess.run([sys.executable, "-m", "cdxj_indexer.main", "-s", *map(str, warcs_of(job))], check=True, capture_output=True,
                            text=True, timeout=300).stdout.splitlines()

    def parsed(lines):
        return [(*line.split(" ", 2)[:2], json.loads(line.split(" ", 2)[2])) for line in lines]
    ours = parsed(index_of(job))
    expect(ours == parsed(theirs), f"{[one for one in ours if one not in parsed(theirs)]} {[one for one in parsed(theirs) if one not in ours]}")
    expect(len(ours) >= 7, ours)


def test_the_log_is_heritrixs(folder):
    job, _ = crawl(folder)
    lines = {line[3]: line for line in log_of(job)}
    expect(len(lines) == len(log_of(job)), "a URL has two lines")
    expect({url: line[1] for url, line in lines.items()} == {
        "http://a.example/": "200", "http://a.example/robots.txt": "200", "http://a.example/a": "200", "http://a.example/b": "200",
        "http://a.example/moved": "301", "http://a.example/dot.png": "200", "http://a.example/gone": "404",
        "http://a.example/secret/x": "-9998", "http://dead.example/": "-61"}, lines)
    home = "http://a.example/"
    expect(lines[home][4:6] == ("-", "-") and lines[home + "robots.txt"][4:7] == ("P", home, "text/plain"), lines)
    expect(lines[home + "a"][4:6] == ("L", home) and lines[home + "dot.png"][4:7] == ("E", home, "image/png"), lines)
    expect(lines[home + "gone"][4:6] == ("LL", home + "a") and lines[home + "b"][4] in ("LL", "LR"), lines)
    expect(all(line[9] == home for line in lines.values()), f"the seed is the source: {lines}")
    expect(lines[home][2] == str(len(PAGES["/"])), f"the size is the content's: {lines[home]}")
    # Size and digest are those of the index, and our own reader takes the log as facts.
    digests = {json.loads(line.split(" ", 2)[2])["url"]: json.loads(line.split(" ", 2)[2])["digest"] for line in index_of(job)}
    expect(all(line[8] == digests.get(url, "-") for url, line in lines.items()), (lines, digests))
    code, out, errors = run("extract", job / "crawl.log")
    facts = {line["url"]: line for line in map(json.loads, out.splitlines())}
    expect(code == 0 and len(facts) == len(lines), errors)
    expect(facts[home + "secret/x"]["outcome"] == "blocked" and facts["http://dead.example/"]["outcome"] == "unreachable", facts)


def test_a_wacz_is_valid(folder):
    if not importlib.util.find_spec("wacz"):
        return not_tried("the WACZ file was not judged by `wacz validate` (tests/requirements.txt)")
    job, told = crawl(folder, "--wacz")
    expect(told["wacz"] == str(job / "crawl.wacz"), told)
    done = subprocess.run([sys.executable, "-m", "wacz.main", "validate", "-f", job / "crawl.wacz"], capture_output=True, text=True, timeout=300)
    expect(done.returncode == 0 and "not" not in done.stdout.lower().replace("notes", ""), done.stdout + done.stderr)
    with zipfile.ZipFile(job / "crawl.wacz") as wacz:
        expect(wacz.testzip() is None, "a checksum is wrong")
        expect(all(entry.compress_type == zipfile.ZIP_STORED for entry in wacz.infolist()), "entries are stored")
        names = wacz.namelist()
        expect([f"archive/{path.name}" for path in warcs_of(job)] == [name for name in names if name.startswith("archive/")], names)
        expect(wacz.read("logs/crawl.log") == (job / "crawl.log").read_bytes(), "the log")
        pages = [json.loads(line) for line in wacz.read("pages/pages.jsonl").splitlines()]
        expect(pages[0]["format"] == "json-pages-1.0", pages)
        expect({page["url"]: page["title"] for page in pages[1:]} == {
            "http://a.example/": "Home & more", "http://a.example/a": "A", "http://a.example/b": "B"}, pages)
    code, out, errors = run("extract", "--as", "cdxj", job / "crawl.wacz")
    expect(code == 0 and len(out.splitlines()) == len(index_of(job)), errors)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def fetched(url):
    for _ in range(300):
        try:
            with urllib.request.urlopen(url, timeout=30) as response:
                return response.read().decode()
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.2)
    raise AssertionError(f"{url}: no answer")


def test_pywb_replays_a_wacz(folder):
    if not importlib.util.find_spec("pywb"):
        return not_tried("the WACZ file was not replayed by pywb (tests/requirements.txt)")
    job, _ = crawl(folder, "--wacz")
    tool = [sys.executable, "-c", "import sys; from pywb.manager.manager import main; main(sys.argv[1:])"]
    for words in (["init", "crawl"], ["add", "--unpack-wacz", "crawl", job / "crawl.wacz"]):
        done = subprocess.run([*tool, *map(str, words)], cwd=folder, capture_output=True, text=True, timeout=300)
        expect(done.returncode == 0, done.stdout + done.stderr)
    port = free_port()
    server = subprocess.Popen([sys.executable, "-c", "from pywb.apps.cli import wayback; wayback()", "-b", "127.0.0.1", "-p", str(port)],
                              cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, "no_proxy": "*"})
    try:
        for path, body in PAGES.items():
            expect(body == fetched(f"http://127.0.0.1:{port}/crawl/2id_/http://a.example{path}"), f"{path} is not replayed")
        expect("Disallow: /secret" in fetched(f"http://127.0.0.1:{port}/crawl/2id_/http://a.example/robots.txt"), "robots.txt")
    finally:
        server.terminate()
        server.wait(timeout=60)


if __name__ == "__main__":
    raise SystemExit(run_tests(globals(), folder=temporary_folder))
