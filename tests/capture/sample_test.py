#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The two crawls in examples/sample are what its README says: every number there is counted again here, with warcio.

    sample_test.py            checks
    sample_test.py --print    prints the rows that README.md should have
"""

import collections
import html.parser
import os
import pathlib
import re
import sys
import urllib.parse
import urllib.robotparser

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from not_tried import skip  # noqa: E402

try:
    from warcio.archiveiterator import ArchiveIterator
    from warcio.checker import Checker
except ImportError:
    skip("needs warcio (tests/requirements.txt)")

SOURCE = pathlib.Path(os.environ.get("WEBSTRATA_SOURCE", pathlib.Path(__file__).resolve().parents[2]))
SAMPLE = SOURCE / "examples" / "sample"
SHA1_OF_NOTHING = "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"
SOFT_404_HOST = "python-quart-doc.docs.example"


class Record:
    def __init__(self, record):
        header = record.rec_headers.get_header
        self.kind = record.rec_type
        self.id = header("WARC-Record-ID")
        self.url = (header("WARC-Target-URI") or "").strip("<>")
        self.date = header("WARC-Date")
        self.refers_to = header("WARC-Refers-To")
        self.payload_digest = header("WARC-Payload-Digest")
        self.block_digest = header("WARC-Block-Digest")
        answered = record.http_headers is not None and self.kind in ("response", "revisit")
        self.status = int(record.http_headers.get_statuscode()) if answered else 0
        self.http = {name.lower(): value for name, value in record.http_headers.headers} if answered else {}
        self.body = record.content_stream().read() if self.kind == "response" else b""

    @property
    def host(self) -> str:
        return urllib.parse.urlsplit(self.url).hostname or ""

    @property
    def is_html(self) -> bool:
        return self.http.get("content-type", "").startswith("text/html")


class Crawl:
    """One file. `earlier` is where the bodies of its revisits are."""

    def __init__(self, year: int, earlier: "Crawl | None" = None):
        self.path = SAMPLE / f"{year}.warc.gz"
        with open(self.path, "rb") as file:
            self.records = [Record(record) for record in ArchiveIterator(file)]
        self.by_id = {record.id: record for record in self.records}
        self.answers = [record for record in self.records if record.kind in ("response", "revisit")]
        for record in self.answers:
            if record.kind == "revisit" and earlier and record.refers_to in earlier.by_id:
                record.body = earlier.by_id[record.refers_to].body
        self.asked = {record.url for record in self.records if record.kind == "request"}
        # A page requested twice gave the same bytes twice, so the last answer is enough.
        self.answer = {record.url: record for record in self.answers}
        self.soft_404 = {url for url, record in self.answer.items() if is_soft_404(record)}
        self.pages = {
            url: record for url, record in self.answer.items()
            if record.status == 200 and record.is_html and url not in self.soft_404
        }
        self.hosts = {record.host for record in self.pages.values()}


def is_soft_404(record: Record) -> bool:
    return record.host == SOFT_404_HOST and record.status == 200 and b"<title>Page not found</title>" in record.body


class LinkCollector(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.hrefs = []

    def handle_starttag(self, tag, attributes):
        href = dict(attributes).get("href")
        if tag == "a" and href:
            self.hrefs.append(href)


def links_between_hosts(crawl: Crawl) -> set[tuple[str, str]]:
    """Different (page, target) pairs whose target is on another host of the sample; www. makes no other host."""
    links = set()
    for url, page in crawl.pages.items():
        collector = LinkCollector()
        collector.feed(page.body.decode("utf-8", "replace"))
        for href in collector.hrefs:
            try:
                target = urllib.parse.urldefrag(urllib.parse.urljoin(url, href.strip()))[0]
                host = (urllib.parse.urlsplit(target).hostname or "").removeprefix("www.")
            except ValueError:
                continue
            if host != page.host and ("." + host).endswith(".docs.example"):
                links.add((url, target))
    return links


def crawl_rows(crawl: Crawl) -> dict[str, int]:
    kinds = collections.Counter(record.kind for record in crawl.records)
    statuses = collections.Counter((record.kind, record.status) for record in crawl.answers)
    all_kinds = ("warcinfo", "request", "response", "revisit", "metadata", "resource")
    rows = {f"{kind} records": kinds[kind] for kind in all_kinds}
    rows |= {f"{kind}s with status {status}": statuses[kind, status]
             for kind in ("response", "revisit") for status in (200, 301, 302, 404, 410)}
    rows["pages"] = len(crawl.pages)
    rows["hosts with pages"] = len(crawl.hosts)
    rows["soft-404 answers"] = len(crawl.soft_404)
    rows["links between hosts"] = len(links_between_hosts(crawl))
    return rows


def change_rows(then: Crawl, now: Crawl) -> dict[str, int]:
    both = then.pages.keys() & now.pages.keys()
    vanished = then.pages.keys() - now.pages.keys()
    silent_hosts = then.hosts - {record.host for record in now.answers}
    fate = {url: now.answer[url].status for url in vanished if url in now.answer}
    return {
        "pages in both": len(both),
        "… unchanged": sum(then.pages[url].body == now.pages[url].body for url in both),
        "… changed": sum(then.pages[url].body != now.pages[url].body for url in both),
        "pages vanished": len(vanished),
        "… with their whole host": sum(then.pages[url].host in silent_hosts for url in vanished),
        "… 404": sum(status == 404 for status in fate.values()),
        "… 410": sum(status == 410 for status in fate.values()),
        "… soft 404": len(vanished & now.soft_404),
        "… moved (301)": sum(status == 301 for status in fate.values()),
        "pages new": len(now.pages.keys() - then.pages.keys()),
        "… on new hosts": sum(record.host not in then.hosts for record in now.pages.values()),
        "hosts vanished": len(silent_hosts),
        "hosts new": len(now.hosts - then.hosts),
    }


def table(then: Crawl, now: Crawl) -> list[str]:
    in_2021, in_2023 = crawl_rows(then), crawl_rows(now)
    lines = [f"| {name} | {in_2021[name]:,} | {in_2023[name]:,} |" for name in in_2021]
    return lines + [f"| {name} | {count:,} |" for name, count in change_rows(then, now).items()]


# The checks: each yields what is wrong ----------------------------------------------------------------------


def readme_rows_are_true(then, now):
    readme = (SAMPLE / "README.md").read_text(encoding="utf-8").splitlines()
    for line in table(then, now):
        if line not in readme:
            yield f"README.md lacks the row {line}"


def the_sample_has_what_later_examples_need(then, now):
    rows = change_rows(then, now)
    yield from (f"no {name}" for name, count in rows.items() if count == 0)
    for crawl in (then, now):
        if not 200 <= len(crawl.pages) <= 600:
            yield f"{crawl.path.name} has {len(crawl.pages)} pages"
        if not 2e6 <= crawl.path.stat().st_size <= 3e6:
            yield f"{crawl.path.name} has {crawl.path.stat().st_size} bytes"


def dates_lie_in_the_crawls_own_day(then, now):
    for crawl, day in ((then, "2021-08-14"), (now, "2023-06-10")):
        wrong = [record.id for record in crawl.records if not record.date.startswith(day)]
        if wrong:
            yield f"{crawl.path.name}: {len(wrong)} records are not of {day}, such as {wrong[0]}"


def revisits_name_an_equal_record_of_2021(then, now):
    for record in now.answers:
        if record.kind != "revisit":
            continue
        original = then.by_id.get(record.refers_to)
        if original is None or (original.url, original.payload_digest) != (record.url, record.payload_digest):
            yield f"revisit of {record.url} refers to {record.refers_to}, which is not the same payload in 2021"


def robots_rules_were_obeyed(then, now):
    for crawl in (then, now):
        for url in crawl.asked:
            robots = crawl.answer.get(f"http://{urllib.parse.urlsplit(url).hostname}/robots.txt")
            if robots is None or robots.status != 200:
                continue
            rules = urllib.robotparser.RobotFileParser()
            rules.parse(robots.body.decode().splitlines())
            if not rules.can_fetch("webstrata-sample", url):
                yield f"{crawl.path.name}: {url} was asked for although robots.txt forbids it"
        if not any(b'href="_sources/' in page.body for page in crawl.pages.values()):
            yield f"{crawl.path.name}: no page links to what robots.txt forbids, so obedience shows nothing"


def encodings_differ_by_host(then, now):
    for crawl in (then, now):
        seen = [record.http for record in crawl.answers]
        if not any(http.get("content-encoding") == "gzip" for http in seen):
            yield f"{crawl.path.name}: no answer with Content-Encoding: gzip"
        if not any(http.get("transfer-encoding") == "chunked" for http in seen):
            yield f"{crawl.path.name}: no chunked answer"
        types = {http.get("content-type") for http in seen}
        if not {"text/html", "text/html; charset=utf-8"} <= types:
            yield f"{crawl.path.name}: Content-Type should come with and without charset, but is {types}"


def digests_of_all_but_revisits_are_right(then, now):
    """warcio does not check those of revisits; see the next check."""

    class Options:
        inputs = [str(then.path), str(now.path)]
        verbose = False

    if Checker(Options).process_all() != 0:
        yield "warcio check found a wrong digest"


def block_digests_of_revisits_are_wrong_as_wget_makes_them(then, now):
    """wget 1.21.3 writes the digest of an empty block into each of them."""
    for record in now.answers:
        if record.kind == "revisit" and record.block_digest != SHA1_OF_NOTHING:
            yield f"{record.url}: {record.block_digest}; if wget was mended, README.md should no longer speak of it"


CHECKS = [
    readme_rows_are_true,
    the_sample_has_what_later_examples_need,
    dates_lie_in_the_crawls_own_day,
    revisits_name_an_equal_record_of_2021,
    robots_rules_were_obeyed,
    encodings_differ_by_host,
    digests_of_all_but_revisits_are_right,
    block_digests_of_revisits_are_wrong_as_wget_makes_them,
]


def main() -> int:
    then = Crawl(2021)
    now = Crawl(2023, earlier=then)
    if "--print" in sys.argv:
        print("\n".join(table(then, now)))
        return 0
    failed = False
    for check in CHECKS:
        faults = list(check(then, now))
        failed |= bool(faults)
        print(("FAILED " if faults else "ok     ") + re.sub("_", " ", check.__name__))
        for fault in faults[:20]:
            print("       " + fault)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
