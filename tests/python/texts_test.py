# SPDX-License-Identifier: Apache-2.0
"""Texts of links from Python are those that webstrata.read() finds in the crawl file."""

import collections
import sys

import pyarrow as pa
from module import SAMPLE, expect, fails, run_tests, temporary_folder, webstrata, write

from webstrata import _core

CRAWL = SAMPLE / "2021.warc.gz"


def expected_texts():
    """{page: {(target, text), ...}}, from the crawl file, where a link has its first text. White space is folded, longer texts are cut."""
    found = collections.defaultdict(set)
    for capture in webstrata.read(CRAWL, anchor_text=True):
        for link in capture.links or ():
            text = " ".join((link.text or "").split())[:100].strip()
            if text:
                found[capture.url].add((link.url, text))
    return found


def test_links_have_their_texts(folder):
    webstrata.build(folder / "a.ws", CRAWL, texts=True)
    expected = expected_texts()
    pages = sorted(expected)[::40]
    with webstrata.open(folder / "a.ws") as library:
        for page in pages:
            rows = list(library.links(page, texts=True))
            found = {(row["url"], row["text"]) for row in rows if row["text"] is not None}
            expect(expected[page] <= found, (page, expected[page] - found))
            expect(all(row["text_captures"] >= 1 and row["text_first"] <= row["text_last"] for row in rows if row["text"]), rows)
        profile = list(library.anchor_texts(pages[0]))
        rows = list(library.links(pages[0], direction="in", texts=True))
        counted = collections.Counter(row["text"] for row in rows if row["text"] is not None)
        expect({row["text"]: row["pages"] for row in profile} == counted, (profile, counted))
        expect([row["pages"] for row in profile] == sorted((row["pages"] for row in profile), reverse=True), profile)
    core = _core.open(str(folder / "a.ws"))
    table = pa.table(_core.layer_stream(core, "texts", 0, 1 << 40).next())
    expect(table.column_names == ["uid", "links", "texts", "first_rows", "end_rows"] and table.num_rows > 100, table.schema)


def test_without_texts_they_are_refused(folder):
    webstrata.build(folder / "a.ws", CRAWL)
    with webstrata.open(folder / "a.ws") as library:
        page = 0  # a uid
        fails("bad_input", lambda: library.links(page, texts=True), "option texts")
        fails("bad_input", lambda: library.anchor_texts(page), "option texts")
        fails("bad_input", lambda: library.links(texts=True), "needs a URL")


if __name__ == "__main__":
    sys.exit(run_tests(globals(), folder=temporary_folder))
