#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The HTML pages of a tar file as the JSON lines that `explore_bench --data FILE` reads: URL, text, and links with the words around them.

    bench/explore/html_pages.py ../shared/data/openbsd-www/html_20060101.tar.gz http://www.openbsd.org/ openbsd.jsonl
    build/release/bench/explore_bench --quality --data openbsd.jsonl --topics alpha,audio --only extra --brief

The text is what a reader sees, with spaces instead of tags; the words around a link are its own text and 50 characters on both sides, as in the paper.
"""
import json
import sys
import tarfile
from html.parser import HTMLParser
from urllib.parse import urldefrag, urljoin

AROUND = 50  # characters on each side of a link
UNSEEN = ("script", "style")


class PageText(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.parts, self.length, self.links, self.open_link, self.unseen = [], 0, [], None, 0

    def handle_starttag(self, tag, attributes):
        self.unseen += tag in UNSEEN
        target = dict(attributes).get("href") if tag == "a" else None
        if target:
            self.open_link = [target, self.length, self.length]
            self.links.append(self.open_link)

    def handle_endtag(self, tag):
        if tag in UNSEEN and self.unseen:
            self.unseen -= 1
        if tag == "a":
            self.open_link = None

    def handle_data(self, data):
        words = " ".join(data.split())
        if words and not self.unseen:
            self.parts.append(words + " ")
            self.length += len(words) + 1
        if self.open_link:
            self.open_link[2] = self.length


def capture(url, html):
    page = PageText()
    page.feed(html)
    text = "".join(page.parts)
    links = []
    for target, begin, end in page.links:
        try:
            address = urldefrag(urljoin(url, target))[0]
        except ValueError:
            continue  # not a URL
        address += "index.html" if address.endswith("/") else ""
        links.append({"url": address, "context": text[max(0, begin - AROUND):end + AROUND]})
    return {"url": url, "text": text, "links": links}


def main(archive, base, output):
    with tarfile.open(archive) as tar, open(output, "w", encoding="utf-8") as lines:
        for member in tar:
            if member.isfile() and member.name.endswith((".html", ".htm")):
                html = tar.extractfile(member).read().decode("utf-8", "replace")
                lines.write(json.dumps(capture(urljoin(base, member.name), html)) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
