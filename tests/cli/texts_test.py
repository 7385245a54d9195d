# SPDX-License-Identifier: Apache-2.0
"""Texts of links: what was in a crawl file comes back from `links --texts`, is updated, joined, exported and forgotten by the law."""

import csv
import io
import json
import sys

from archives import expect_same, temporary_folder, write
from running import SAMPLE, expect, expect_one_line, run, run_tests

OLD = SAMPLE / "2021.warc.gz"
NEW = SAMPLE / "2023.warc.gz"
HOME = "http://a.example/"


def line(url, time, *links):
    return json.dumps({"url": url, "time": time, "status": 200, "links": [{"url": target, "text": text} for target, text in links]})


def crawl(folder):
    """Three captures of one page, whose link to /b changes its text, and a page of another host."""
    path = folder / "crawl.jsonl"
    path.write_text("\n".join((
        line(HOME, "2020-01-01", ("/b", "old  name"), ("/c", "always"), ("/d", "")),
        line(HOME, "2021-01-01", ("/b", "new name"), ("/b", "see also"), ("/c", "always")),
        line(HOME, "2022-01-01", ("/b", "old name"), ("/c", "always")),
        line("http://z.example/", "2021-06-01", (HOME + "b", "new name"), (HOME + "c", "x" * 150)))) + "\n")
    return path


def asked(*arguments):
    code, out, errors = run("links", *arguments, "--json")
    expect(code == 0, errors)
    return json.loads(out)


def day(text):
    return text + "T00:00:00Z"


def test_texts_have_times(folder):
    write("build", folder / "a.ws", "--texts", crawl(folder))
    links = {link["url"]: link.get("texts") for link in asked(folder / "a.ws", HOME, "--texts")["links"]}
    expect(links == {
        HOME + "b": [{"text": "new name", "captures": 1, "first": day("2021-01-01"), "last": day("2021-01-01")},
                     {"text": "old name", "captures": 2, "first": day("2020-01-01"), "last": day("2022-01-01")},
                     {"text": "see also", "captures": 1, "first": day("2021-01-01"), "last": day("2021-01-01")}],
        HOME + "c": [{"text": "always", "captures": 3, "first": day("2020-01-01"), "last": day("2022-01-01")}],
        HOME + "d": None}, links)
    at = {link["url"]: [text["text"] for text in link["texts"]] for link in asked(folder / "a.ws", HOME, "--texts", "--at", "2021")["links"]}
    expect(at == {HOME + "b": ["new name", "see also"], HOME + "c": ["always"]}, at)
    during = asked(folder / "a.ws", HOME, "--texts", "--during", "2022..")["links"]
    expect([text["text"] for link in during for text in link["texts"]] == ["old name", "always"], during)


def test_what_others_call_a_page(folder):
    write("build", folder / "a.ws", "--texts", crawl(folder))
    found = asked(folder / "a.ws", HOME + "b", "--in", "--texts")
    expect([(text["text"], text["pages"], text["captures"]) for text in found["texts"]] ==
           [("new name", 2, 2), ("old name", 1, 2), ("see also", 1, 1)], found)
    expect([len(link["texts"]) for link in found["links"]] == [3, 1], found)
    code, out, _ = run("links", folder / "a.ws", HOME + "b", "--in", "--texts", "--as", "csv")
    rows = list(csv.reader(io.StringIO(out)))
    expect(code == 0 and rows[0] == ["text", "pages", "captures", "first", "last"], out)
    expect(rows[1] == ["new name", "2", "2", day("2021-01-01"), day("2021-06-01")], out)
    at = asked(folder / "a.ws", HOME + "b", "--in", "--texts", "--at", "2020-06")["texts"]
    expect([text["text"] for text in at] == ["old name"], at)
    code, out, _ = run("links", folder / "a.ws", "http://z.example/", "--texts", "--as", "csv")
    expect([row[1] for row in csv.reader(io.StringIO(out))] == ["text", "new name", "x" * 100], out)


def test_an_archive_without_them_says_so(folder):
    write("build", folder / "a.ws", crawl(folder))
    code, out, errors = run("links", folder / "a.ws", HOME, "--texts")
    expect(code == 2 and out == "", errors)
    expect_one_line(errors, "a.ws", "option texts")
    write("build", folder / "b.ws", "--texts", crawl(folder))
    code, _, errors = run("update", "-q", folder / "a.ws", folder / "b.ws")
    expect(code == 2, errors)
    expect_one_line(errors, "optional layers", "texts")
    code, _, errors = run("update", "-q", "--texts", folder / "a.ws", crawl(folder))
    expect(code == 2, errors)
    expect_one_line(errors, "texts")


def test_the_law(folder):
    write("build", folder / "whole.ws", "--texts", OLD, NEW)
    write("build", folder / "grown.ws", "--texts", OLD)
    write("update", folder / "grown.ws", NEW)  # keeps the option
    run("compact", "-q", folder / "grown.ws")
    expect_same(folder / "whole.ws", folder / "grown.ws", "update")
    write("build", folder / "new.ws", "--texts", NEW)
    write("build", folder / "joined.ws", folder / "new.ws", OLD, "--threads", 1)
    expect_same(folder / "whole.ws", folder / "joined.ws", "joined")
    code, out, errors = run("export", folder / "whole.ws", "--as", "jsonl", "-q")
    expect(code == 0, errors)
    (folder / "export.jsonl").write_text(out)
    write("build", folder / "again.ws", "--texts", folder / "export.jsonl")
    expect_same(folder / "whole.ws", folder / "again.ws", "export")
    code, out, errors = run("verify", folder / "whole.ws")
    expect(code == 0, errors)
    found = json.loads(run("info", "--json", folder / "whole.ws")[1])
    expect(found["layers"]["texts"]["items"] > 15000 and found["options"]["texts"] is True, found)


def test_forgotten(folder):
    write("build", folder / "a.ws", "--texts", crawl(folder))
    code, _, errors = run("forget", "-q", folder / "a.ws", "--url", HOME + "b", "--yes")
    expect(code == 0, errors)
    found = asked(folder / "a.ws", HOME, "--texts")["links"]
    expect([text["text"] for link in found for text in link.get("texts", [])] == ["always"], found)
    gone = asked(folder / "a.ws", "http://z.example/", "--texts")["links"]
    expect([link["url"] for link in gone] == [HOME + "c"], gone)


def test_texts_of_html(folder):
    """The text, or else the alt of images; nothing for an image outside a link."""
    body = ('<a href=/1>One <b>bold</b>\n&nbsp;word</a> <a href=/2><img src=i.png alt="A picture"></a> <a href=/3></a>'
            '<img src=/4 alt="alone"><map><area href=/5 alt="Area"></map><a href=/1>again</a>').encode()
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body
    head = (f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000001>\r\n"
            f"WARC-Date: 2021-01-01T00:00:00Z\r\nWARC-Target-URI: {HOME}\r\nContent-Type: application/http; msgtype=response\r\n"
            f"Content-Length: {len(http)}\r\n\r\n").encode()
    (folder / "page.warc").write_bytes(head + http + b"\r\n\r\n")
    write("build", folder / "a.ws", "--texts", "--links", "all", folder / "page.warc")
    links = {link["url"]: [text["text"] for text in link.get("texts", [])] for link in asked(folder / "a.ws", HOME, "--texts")["links"]}
    expect(links == {HOME + "1": ["One bold word", "again"], HOME + "2": ["A picture"], HOME + "3": [], HOME + "4": [],
                     HOME + "5": ["Area"], HOME + "i.png": []}, links)


if __name__ == "__main__":
    sys.exit(run_tests(globals(), folder=temporary_folder))
