# SPDX-License-Identifier: Apache-2.0
"""Archives from Python answer as the command line does."""

import json
import sys
from datetime import date, datetime, timezone
from pathlib import Path

from module import SAMPLE, expect, fails, run, run_tests, temporary_folder, webstrata, write

PAGE = "http://python-quart-doc.docs.example/tutorials/installation.html"


def asked(archive, *words):
    """What the program prints for one question, as JSON."""
    code, out, errors = run(words[0], archive, *words[1:], "--json")
    expect(code == 0, errors)
    return json.loads(out)


def test_urls_are_looked_up(archive):
    library = webstrata.open(archive)
    uid, url, key = run("url", archive, 7)[1].rstrip("\n").split("\t")
    expect(library.url(7) == (int(uid), url, key) == library.url(url), library.url(7))
    expect(library.url(10**9) is None and library.url("http://nowhere.example/") is None, "found what is not there")
    host = "python-quart-doc.docs.example"
    lines = run("url", archive, "--host", host)[1].splitlines()
    expect(library.urls(host=host).values("url") == [line.split("\t")[1] for line in lines], "urls of a host")
    pages = run("url", archive, "--during", "2021")[1].splitlines()
    expect(library.urls(during="2021")["uid"].tolist() == [int(line.split("\t")[0]) for line in pages], "pages of a year")


def test_words_mean_what_they_mean_to_the_program(archive):
    library = webstrata.open(archive)
    host = "python-quart-doc.docs.example"
    expect(library.url(PAGE[len("http://"):]) == library.url(PAGE), "a URL without its scheme")
    for word in (PAGE[len("http://"):], f"{host}/tut*", f"*.{host}"):
        lines = run("links", archive, word)[1].splitlines()
        expect(lines and library.links(word).values("url") == lines, f"links of {word}")
        lines = run("captures", archive, word, "--no-header")[1].splitlines()
        expect(lines and len(list(library.captures(word))) == len(lines), f"captures of {word}")
    expect(library.urls(prefix=f"{host}/tut").values("url") == [line.split("\t")[1] for line in run("url", archive, f"{host}/tut*")[1].splitlines()], "prefix")
    fails("bad_input", lambda: webstrata.open(f"{archive}@2021"), "at=")


def test_links_are_those_of_the_program(archive):
    library = webstrata.open(archive)
    for direction, flags in (("out", []), ("in", ["--in"])):
        for words, options in ((["--at", "2021"], {"at": "2021"}), (["--during", "2021..2023-06"], {"during": "2021..2023-06"}),
                               ([], {}), (["--kinds", "redirect"], {"kinds": "redirect"})):
            code, out, _ = run("links", archive, PAGE, *flags, *words, "--json")
            expected = [link["url"] for link in json.loads(out)["links"]]
            found = library.links(PAGE, direction=direction, **options)
            expect(found.values("url") == expected, f"{direction} {words}: {len(found)} links instead of {len(expected)}")
    truth = asked(archive, "links", PAGE, "--in", "--history")["links"]
    expect(len(truth) > 3, truth)
    for link, row in zip(truth, library.history(PAGE, direction="in"), strict=True):
        first = datetime.strptime(link["first"], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=timezone.utc)
        expect(row["url"] == link["url"] and row["first"] == first and row["captures"] == link["captures"], row)
        expect(row["kinds"] == link["kinds"], row)


def test_every_spelling_of_a_time_is_understood(archive):
    library = webstrata.open(archive)
    count = len(library.links(PAGE, at="2021"))
    expect(count > 0, "no links")
    last = datetime(2021, 12, 31, 23, 59, 59, tzinfo=timezone.utc)
    for when in ("2021-12", "20211231", date(2021, 12, 31), last, last.replace(tzinfo=None), int(last.timestamp())):
        expect(len(library.links(PAGE, at=when)) == count, when)
    same = [library.links(PAGE, during=during).values("url") for during in ("2021", ("2021", "2021"), "2021..2021", (None, "2021"))]
    expect(all(one == same[0] for one in same), "spans differ")
    fails("bad_input", lambda: library.links(PAGE, at="soon"), "soon", "2015-06")
    fails("bad_input", lambda: library.links(PAGE, during="2022..2021"), "ends before")
    fails("bad_input", lambda: library.links(PAGE, at="2021", during="2021"), "not both")
    fails("bad_input", lambda: library.links(PAGE, direction="up"), "up")


def test_captures_and_states_are_those_of_the_program(archive):
    library = webstrata.open(archive)
    lines = [json.loads(line) for line in run("captures", archive, PAGE, "--as", "jsonl")[1].splitlines()]
    captures = list(library.captures(PAGE))
    expect(len(captures) == len(lines) == 2, captures)
    for line, capture in zip(lines, captures):
        expect((capture.url, capture.status, capture.kind) == (line["url"], line["status"], line["kind"]), capture)
        expect((capture.links is None) == ("links" not in line), capture)
        links = [(link["url"], link["kinds"], link.get("count", 1)) for link in line.get("links", [])]
        expect([link[:3] for link in capture.links or []] == links, capture)
    state = library.state(PAGE, at="2021")
    node = asked(archive, "links", PAGE, "--at", "2021")["nodes"][0]
    expect(state.state == node["state"] and state.since.strftime("%Y-%m-%dT%H:%M:%SZ") == node["since"], state)
    everything = sum(len(batch) for batch in library.captures().batches())
    expect(everything == library.info()["sightings"], everything)


def test_diff_and_info_are_those_of_the_program(archive):
    library = webstrata.open(archive)
    truth = asked(archive, "diff", "2021", "2023")
    found = library.diff("2021", "2023", links=True)
    expect(found.total == truth["total"], found.total)
    hosts = [row for row in found.hosts if row["host"] is not None]
    expect(hosts == truth["hosts"], "hosts differ")
    lines = run("diff", archive, "2021", "2023", "--links")[1].splitlines()
    signs = {"appeared": "+", "vanished": "-", "not_seen": "?"}
    mine = ["\t".join(filter(None, (signs[row["change"]], row["source"], row["target"]))) for row in found.changes]
    expect({row["change"] for row in found.changes} == set(signs), "not every class is there")
    expect(found.total["pages_not_seen"] > 100, found.total)
    expect(mine == lines and len(lines) > 100, "differences differ")
    info = asked(archive, "info")
    expect(library.info()["captures"] == info["captures"] and library.info()["links"] == info["links"], info)


def test_an_open_archive_stays_as_it_was(archive):
    with temporary_folder() as folder:
        own = Path(folder) / "lib.ws"
        webstrata.build(own, SAMPLE / "2021.warc.gz")
        before = webstrata.open(own)
        count = before.node_count
        webstrata.update(own, SAMPLE / "2023.warc.gz")
        expect(before.node_count == count and before.url(count - 1) is not None, "it changed")
        expect(webstrata.open(own).node_count > count, "nothing new")


def test_scores_are_kept(archive):
    import numpy

    with temporary_folder() as folder:
        own = Path(folder) / "lib.ws"
        webstrata.build(own, SAMPLE / "2021.warc.gz")
        library = webstrata.open(own)
        values = numpy.arange(library.node_count) / 2
        library.save_scores("half", values)
        again = webstrata.open(own)
        expect(again.score_names == ["half"] and (again.scores("half") == values).all(), "scores differ")
        fails("not_found", lambda: again.scores("other"), "half")
        fails("bad_input", lambda: again.save_scores("half", values[:3]))


def test_what_is_not_there_is_an_error(archive):
    fails("not_found", lambda: webstrata.open(archive / "nothing"), "nothing")
    library = webstrata.open(archive)
    fails("not_found", lambda: library.links(PAGE.replace("http:", "https:")), PAGE, "fold='ia'")
    fails("not_found", lambda: library.captures(10**9), "is not in it")
    fails("bad_input", lambda: library.links(PAGE, kinds="sideways"), "sideways")
    fails("bad_input", lambda: library.links(PAGE, fold="klingon"), "klingon")


def main():
    with temporary_folder() as folder:
        archive = Path(folder) / "lib.ws"
        write("build", archive, SAMPLE / "2021.warc.gz", SAMPLE / "2023.warc.gz")
        return run_tests(globals(), archive)


if __name__ == "__main__":
    sys.exit(main())
