#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`webstrata replay`: wget and webstrata's own crawler crawl the recorded sample and get the recorded pages."""

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from serving import HOME, SAMPLE, expect, serving  # noqa: E402
from archives import temporary_folder  # noqa: E402
from running import not_tried, run, run_tests  # noqa: E402

HOST = "python-quart-doc.docs.example"


def recorded(path):
    """url → (status, body without codings) of the sample, by warcio."""
    from warcio.archiveiterator import ArchiveIterator
    found = {}
    with open(path, "rb") as stream:
        for record in ArchiveIterator(stream):
            if record.rec_type == "response":
                found[record.rec_headers.get_header("WARC-Target-URI")] = (int(record.http_headers.get_statuscode()), record.content_stream().read())
    return found


def test_wget_gets_the_recorded_pages(folder):
    if not shutil.which("wget"):
        not_tried("a crawl by wget: it is not installed")
        return
    pages = recorded(SAMPLE / "2021.warc.gz")
    with serving(SAMPLE / "2021.warc.gz", "--at", "2021", verb="replay") as server:
        subprocess.run(["wget", "-q", "-r", "-l", "2", "-e", f"http_proxy={server.address}", "-e", "robots=off", "-P", folder / "mirror", HOME],
                       env={"PATH": "/usr/bin:/bin", "no_proxy": ""}, timeout=300)
    bodies = {hashlib.sha256(body).digest() for status, body in pages.values() if status == 200}
    files = [path for path in (folder / "mirror").rglob("*") if path.is_file()]
    expect(len(files) > 5, f"wget found {len(files)} files")
    for path in files:
        expect(hashlib.sha256(path.read_bytes()).digest() in bodies, f"{path} differs from what was recorded")


def test_our_crawler_gets_the_recorded_pages(folder):
    pages = recorded(SAMPLE / "2021.warc.gz")
    hosts = folder / "hosts.txt"
    with serving(SAMPLE / "2021.warc.gz", "--hosts", hosts, verb="replay"):
        expect(f" {HOST}\n" in hosts.read_text(), hosts.read_text())
        code, _, errors = run("crawl", folder / "job", HOME, "--hosts", hosts, "--agent", "test (+https://test.example/)",
                              "--budget", "12", "--delay", "10ms", "--quiet")
        expect(code in (0, 1), errors)
    crawled = {}
    for path in (folder / "job").rglob("*.warc.gz"):
        crawled |= recorded(path)
    same = [url for url, (status, body) in crawled.items() if pages.get(url) == (status, body)]
    expect(len(same) >= 5, f"{len(same)} of {len(crawled)} as recorded: {sorted(crawled)}")
    for url, answer in crawled.items():
        expect(url not in pages or pages[url] == answer, f"{url} differs from what was recorded")


def test_another_date_is_another_web(folder):
    with serving(SAMPLE / "2021.warc.gz", SAMPLE / "2023.warc.gz", "--at", "2022", verb="replay") as server:
        status, headers, _ = server.get("", headers={"Host": HOST})
        expect(status == 302 and " 2021 " in headers["Memento-Datetime"], f"{status} {headers}")
        expect(server.get("nothing", headers={"Host": HOST})[0] == 404, "what was not recorded")
    code, _, errors = run("replay", SAMPLE / "2021.warc.gz", "--at", "1999", "--port", "0")
    expect(code == 1 and "recorded" in errors, errors)


if __name__ == "__main__":
    sys.exit(run_tests(dict(globals()), folder=temporary_folder))
