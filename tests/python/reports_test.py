# SPDX-License-Identifier: Apache-2.0
"""Reports and statistics from Python: each page is the one that the command line writes."""

import json
import sys

from module import SAMPLE, expect, fails, run, run_tests, temporary_folder, webstrata


def archive_in(folder):
    lib = folder / "lib.ws"
    webstrata.build(lib, [SAMPLE / "2021.warc.gz", SAMPLE / "2023.warc.gz"])
    return lib


def expect_page(folder, lib, write, verb, *words):
    """`write(path)` makes the page that the command writes."""
    here, there = folder / "here.html", folder / "there.html"
    write(here)
    code, _, errors = run(verb, *[str(word).replace("LIB", str(lib)) for word in words], "--report", there, "-q")
    expect(code == 0, errors)
    if here.read_bytes() == there.read_bytes():
        return
    mine, theirs = here.read_text().split("\n"), there.read_text().split("\n")
    differing = [(a[:300], b[:300]) for a, b in zip(mine, theirs) if a != b]
    raise AssertionError(f"{verb}: another page, {len(mine)} and {len(theirs)} lines: {differing[:2]}")


def test_pages_are_those_of_the_command_line(folder):
    lib = archive_in(folder)
    library = webstrata.open(lib)
    old = library.snapshot(at="2021", columns=True)
    newer = library.snapshot(during="2023..", columns=True)
    hosts = library.snapshot(at="2021", level="host")
    for write, *command in (
        (lambda file: library.stats(report=file), "stats", "LIB"),
        (lambda file: library.diff("2021", "2023", report=file), "diff", "LIB", "2021", "2023"),
        (lambda file: library.snapshot(at="2021").rank(report=file), "rank", "LIB@2021"),
        (lambda file: hosts.rank("indegree", report=file), "rank", "LIB@2021", "--by", "indegree", "--level", "host"),
        (lambda file: library.snapshot(at="2021").rank().report(file, library.snapshot(at="2023").rank()), "rank", "LIB@2021", "LIB@2023"),
        (lambda file: old.seeds(report=file), "seeds", "LIB@2021"),
        (lambda file: old.seeds("cores", count=5, truth=newer, report=file), "seeds", "LIB@2021", "--by", "cores", "--count", "5",
         "--truth", "LIB@2023.."),
        (lambda file: old.seeds("outdegree", count=5, replace=newer, report=file), "seeds", "LIB@2021", "--by", "outdegree", "--count", "5",
         "--replace", "LIB@2023.."),
        (lambda file: old.seeds("outdegree", count=5, evaluate=newer, report=file), "seeds", "LIB@2021", "--by", "outdegree", "--count", "5",
         "--evaluate", "LIB@2023.."),
        (lambda file: old.compare_planners(newer, ["indegree", "pagerank"], report=file), "liverank", "LIB@2021", "--truth", "LIB@2023..",
         "--compare", "indegree,pagerank"),
        (lambda file: old.liverank(newer, budget=200, report=file), "liverank", "LIB@2021", "--truth", "LIB@2023..", "--budget", "200"),
        (lambda file: old.liverank(newer, by="lore", seed=3, report=file, per_day=50), "liverank", "LIB@2021", "--truth", "LIB@2023..",
         "--by", "lore", "--seed", "3", "--per-day", "50"),
    ):
        expect_page(folder, lib, write, *command)


def test_the_page_of_a_comparison_of_estimators(folder):
    lib = archive_in(folder)
    library = webstrata.open(lib)
    graph = library.snapshot(at="2021", columns=True)  # with captures: by default only pages that were captured count
    about = {url: 1.0 + index % 3 for index, url in enumerate(graph.names) if "tutorial" in url}
    (folder / "about.tsv").write_text("".join(f"{url}\t{score}\n" for url, score in about.items()))
    expect(len(about) > 10, f"only {len(about)} pages score")
    expect_page(folder, lib, lambda file: graph.compare_estimators(about, 30, ["bf", "extra"], sets=3, seed=5, report=file, topic="about.tsv"),
                "explore", "LIB@2021", "--topic", folder / "about.tsv", "--compare", "bf,extra", "--budget", "30", "--sets", "3", "--seed", "5")
    found = graph.compare_estimators(about, 30, "bf,extra", sets=3, seed=5)
    code, out, errors = run("explore", f"{lib}@2021", "--topic", folder / "about.tsv", "--compare", "bf,extra", "--budget", "30", "--sets", "3",
                            "--seed", "5", "--json")
    expect(code == 0, errors)
    told = json.loads(out)
    for row in found["estimators"] + told["estimators"]:
        row.pop("seconds")
    expect(found == told, "other numbers")
    fails("bad_input", lambda: graph.compare_estimators(about, 30, "nonsense"), "nonsense")
    fails("bad_input", lambda: graph.compare_estimators(about, 0), "budget")


def test_a_comparison_of_planners(folder):
    lib = archive_in(folder)
    library = webstrata.open(lib)
    old = library.snapshot(at="2021", columns=True)
    newer = library.snapshot(during="2023..", columns=True)
    seen = []
    found = old.compare_planners(newer, ["auto", "asf"], seeds=2, seed=3, progress=seen.append)
    code, out, errors = run("liverank", f"{lib}@2021", "--truth", f"{lib}@2023..", "--compare", "auto,asf", "--seeds", "2", "--seed", "3", "--json")
    expect(code == 0, errors)
    told = json.loads(out)
    for row in found["rows"] + told["rows"]:
        row.pop("seconds")
    expect(found == told, "other numbers")
    expect(any(step.phase == "comparing" for step in seen), seen)
    alive = [row["url"] for row in old.liverank(newer, by="indegree").table() if row["live"]]
    listed = old.compare_planners(alive, "indegree")["rows"][0]
    expect(listed["cost"] == old.compare_planners(newer, "indegree")["rows"][0]["cost"], "a list of live pages is another truth")
    fails("bad_input", lambda: old.compare_planners(newer, "guess"), "guess")
    fails("bad_input", lambda: old.compare_planners({old.name(0): "gone"}), "no live pages")


def test_statistics_are_those_of_the_command_line(folder):
    lib = archive_in(folder)
    for options, words in (({}, []), ({"kinds": "graph", "menu_pages": 3}, ["--kinds", "graph", "--menu-pages", 3])):
        code, out, errors = run("stats", lib, "--json", *words)
        expect(code == 0, errors)
        expect(webstrata.open(lib).stats(**options) == json.loads(out), f"{words}: other numbers")


def test_a_report_that_cannot_be_made_says_so(folder):
    lib = archive_in(folder)
    library = webstrata.open(lib)
    graph = library.snapshot(at="2021", columns=True)
    fails("not_found", lambda: library.stats(report=folder / "none" / "page.html"), "create it first")
    fails("bad_input", lambda: graph.liverank(lambda url: True, budget=5, report=folder / "page.html"), "truth")
    fails("bad_input", lambda: graph.rank().report(folder / "page.html", graph.rank("indegree")), "one ranking")
    fails("bad_input", lambda: graph.rank().report(folder / "page.html", graph.rank()), "twice")
    expect(not list(folder.glob("*.html")), "a page was written")


if __name__ == "__main__":
    sys.exit(run_tests(globals(), folder=temporary_folder))
