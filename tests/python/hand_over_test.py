# SPDX-License-Identifier: Apache-2.0
"""Seeds, plans, tests and crawls in Python name nothing that an archive forgot.

Forgotten from a date on, a page keeps its older captures and so its place in the graph.
"""

import json
import sys

from module import expect, run_tests, temporary_folder, webstrata

PAGES = [f"http://h{number % 3}.example/{number}" for number in range(30)]
SECRET = PAGES[4]


def graph_in(folder, name="lib.ws", forgets=True, **options):
    """The graph of a small archive; the archive is closed."""
    lines = folder / f"{name}.jsonl"
    lines.write_text("".join(
        json.dumps({"url": url, "time": "2020-01-01", "status": 200, "links": [PAGES[(number + step) % 30] for step in range(1, 11)]}) + "\n"
        for number, url in enumerate(PAGES)))
    webstrata.build(folder / name, lines)
    if forgets:
        webstrata.forget(folder / name, url=SECRET, during=("2021", None))
    with webstrata.open(folder / name) as library:
        graph = library.snapshot(columns=True, **options)
    expect(graph.find(SECRET) is not None or options, "the page is not in the graph: this shows nothing")
    return graph


def crawl_of(graph):
    return graph.explore({url: 1 for url in PAGES}, budget=30, by="bf", seeds=PAGES[:1])


def named_by(graph):
    """All URLs that each kind of plan names or asks about."""
    asked = []

    def ask(url):
        asked.append(url)
        return True

    found = {"seeds": [one.url for one in graph.seeds(by="outdegree", count=30).seeds],
             "planner": graph.planner("indegree").next(100), "order": crawl_of(graph).order,
             "table": [row["url"] for row in crawl_of(graph).table()]}
    cores = graph.seeds(by="cores", count=30, inner_links=True).cores
    found["cores"] = [url for core in cores for url in core.hubs + core.authorities]
    graph.seeds(by="outdegree", count=30, truth=ask)
    found["seeds asked"] = asked[:]
    asked.clear()
    run = graph.liverank(ask, by="indegree")
    found["liverank asked"], found["liverank table"] = asked[:], [row["url"] for row in run.table()]
    found["liverank order"] = [row["url"] for row in graph.liverank({url: "alive" for url in PAGES}, by="indegree").table()]
    return found


def test_nothing_forgotten_is_named(folder):
    for what, urls in named_by(graph_in(folder, forgets=False)).items():
        expect(SECRET in urls, f"{what} never names it: this shows nothing")
    for what, urls in named_by(graph_in(folder, "forgets.ws")).items():
        expect(SECRET not in urls, f"{what} names what was forgotten")
        expect(PAGES[5] in urls, f"{what} names nothing any more")


def test_what_was_forgotten_is_not_counted(folder):
    graph = graph_in(folder)
    run = graph.liverank({url: "alive" for url in PAGES}, by="indegree")
    expect((run.pages, run.live, run.tests, run.found) == (29, 29, 29, 29), f"{run.pages} {run.live} {run.tests} {run.found}")
    expect(run.cost(1) == 1, f"cost {run.cost(1)}")


def test_the_archive_of_the_truth_is_asked_too(folder):
    old, newer = graph_in(folder, "old.ws", forgets=False), graph_in(folder, "newer.ws")
    urls = [one.url for one in old.seeds(by="outdegree", count=30, truth=newer).seeds]
    expect(SECRET not in urls and PAGES[5] in urls, urls)


def test_other_views_of_the_graph_remember_their_archive(folder):
    graph = graph_in(folder)
    for view in (graph.transposed(), graph.viewed("page", fold="ia")):
        expect(SECRET not in [one.url for one in view.seeds(by="outdegree", count=30).seeds], "it is named")


if __name__ == "__main__":
    sys.exit(run_tests(globals(), folder=temporary_folder))
