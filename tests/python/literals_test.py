# SPDX-License-Identifier: Apache-2.0
"""The words of webstrata.literals are those that the library takes: all of them, and no others."""

import re
import subprocess
import sys
from typing import get_args

from module import SAMPLE, SOURCE, expect, fails, run_tests, temporary_folder, webstrata

literals = webstrata.literals

CHECKED_BY_MYPY = """
import webstrata

graph = webstrata.Snapshot.from_links([("a", "b")])
graph.rank("pagerank")
for by in webstrata.rankings():
    graph.rank(by)
graph.rank("page-rank")  # an error
library = webstrata.open("lib.ws")
library.snapshot(level="site")  # an error
library.links("http://a.example/", direction="inward")  # an error
"""


def words(literal):
    return set(get_args(literal))


def refused_words(call):
    """The words that the message lists: "level x: not page, host or domain"."""
    try:
        call()
    except webstrata.Error as error:
        listed = re.search(r"(?:: not(?: a [a-z]+(?: of an? [a-z]+)?:)?|choose one of|there are|called x:|rule x:) ([^;]*)", str(error))
        expect(error.kind == "bad_input" and listed, str(error))
        return set(re.split(r", or |, | or ", listed.group(1).rstrip(".")))
    raise AssertionError("a word that does not exist is taken")


def test_lists_of_the_library(folder):
    for literal, found in ((literals.Ranking, webstrata.rankings()), (literals.SeedMethod, webstrata.seed_methods()),
                           (literals.PlannerName, webstrata.planners()), (literals.Estimator, webstrata.estimators())):
        expect(words(literal) == set(found), sorted(words(literal) ^ set(found)))


def test_messages_list_the_same_words(folder):
    webstrata.build(folder / "lib.ws", SAMPLE / "2021.warc.gz")
    library = webstrata.open(folder / "lib.ws")
    graph = library.snapshot(columns=True)
    ones = [1] * graph.node_count
    agent = "test/1.0 (+https://test.example/)"
    for literal, call in (
        (literals.Level, lambda: library.snapshot(level="x")), (literals.Dialect, lambda: library.snapshot(fold="x")),
        (literals.Dialect, lambda: library.links("http://a.example/", fold="x")),
        (literals.Direction, lambda: library.links("http://a.example/", direction="x")),
        (literals.CaptureSchema, lambda: library.captures(schema="x")), (literals.CaptureSchema, lambda: webstrata.read(SAMPLE / "2021.warc.gz", schema="x")),
        (literals.Schemes, lambda: webstrata.read(SAMPLE / "2021.warc.gz", schemes="x")),
        (literals.Schemes, lambda: webstrata.build(folder / "other.ws", SAMPLE / "2021.warc.gz", schemes="x")),
        (literals.Digests, lambda: webstrata.build(folder / "other.ws", SAMPLE / "2021.warc.gz", digests="x")),
        (literals.LineForm, lambda: library.export(folder / "x", "x")), (literals.GraphForm, lambda: graph.export(folder / "x", "x")),
        (literals.DeadEnds, lambda: graph.pagerank(dead_ends="x")), (literals.PageRankMethod, lambda: graph.pagerank(method="x")),
        (literals.Target, lambda: graph.planner(target="x")), (literals.Sameness, lambda: graph.planner(same="x")),
        (literals.Scope, lambda: graph.planner(scope="x")), (literals.Scope, lambda: graph.explore(ones, 1, scope="x")),
        (literals.Smooth, lambda: graph.explore(ones, 1, smooth="x")), (literals.SampleKind, lambda: graph.planner(sample="x")),
        (literals.PlannerTies, lambda: graph.planner(ties="x")), (literals.Outcome, lambda: graph.liverank({graph.name(0): "x"})),
        (literals.CrawlValue, lambda: graph.explore(ones, 1, value="x")), (literals.CrawlTies, lambda: graph.explore(ones, 1, ties="x")),
        (literals.Rule, lambda: webstrata.probe("http://127.0.0.1:1/", agent, rule="x")),
    ):
        expect(refused_words(call) == words(literal), f"{sorted(words(literal))}: {sorted(refused_words(call))}")
    expect(words(literals.ExportForm) == words(literals.LineForm) | words(literals.GraphForm), "forms")


def test_every_word_is_taken(folder):
    """Where messages list no words: each works, and another one does not."""
    webstrata.build(folder / "lib.ws", SAMPLE / "2021.warc.gz")
    library = webstrata.open(folder / "lib.ws")
    graph = library.snapshot(columns=True)
    ones = [1] * graph.node_count
    for key in words(literals.KeyDialect):
        library.export(folder / "keys", "cdxj", key=key)
    fails("bad_input", lambda: library.export(folder / "keys", "cdxj", key="x"), "x")
    for policy in words(literals.RecrawlPolicy):
        graph.recrawl(ones, 5, 10, policy=policy)
    fails("bad_input", lambda: graph.recrawl(ones, 5, 10, policy="x"), "x")
    for name, literal in (("site", literals.Site), ("unsampled", literals.Unsampled)):
        for number, word in enumerate(sorted(words(literal))):
            expect(webstrata.Campaign(folder / f"{name}{number}", graph, by="asf", **{name: word}).plan(2).urls, word)
        fails("bad_input", lambda: webstrata.Campaign(folder / f"{name}x", graph, by="asf", **{name: "x"}).plan(2), "x")
    kinds = set()
    for call in (lambda: webstrata.open(folder / "none"), lambda: library.snapshot(level="x")):
        try:
            call()
        except webstrata.Error as error:
            kinds.add(error.kind)
    expect(kinds <= words(literals.ErrorKind), kinds)


def test_mypy_finds_words_that_do_not_exist(folder):
    script = folder / "script.py"
    script.write_text(CHECKED_BY_MYPY)
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--config-file", SOURCE / "pyproject.toml", "--cache-dir", folder / "cache", script],
                          capture_output=True, text=True, env={"MYPYPATH": str(SOURCE / "python"), "PATH": "/usr/bin:/bin"})
    lines = {int(number) for number in re.findall(r"script\.py:(\d+): error", done.stdout)}
    wrong = {i for i, line in enumerate(CHECKED_BY_MYPY.split("\n"), 1) if "# an error" in line}
    expect(lines == wrong, done.stdout + done.stderr)


if __name__ == "__main__":
    sys.exit(run_tests(globals(), folder=temporary_folder))
