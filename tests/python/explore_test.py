# SPDX-License-Identifier: Apache-2.0
"""Explorations from Python are those of the program: the same pages in the same order, worth the same."""

import json
import random
import signal
import sys

from module import SAMPLE, expect, fails, run, run_tests, temporary_folder, webstrata

import numpy


def drawn_web(seed):
    """Names, links and scores of a hundred pages, and the same in files of the program."""
    drawn = random.Random(seed)
    names = [f"http://h{i % 5}.example/d{i % 7}/page-{i}.html" for i in range(100)]
    links = {(names[i], names[j]): drawn.choice([0, 0, 1, 2.5]) for i in range(100) for j in drawn.sample(range(100), 4) if i != j}
    scores = {name: drawn.choice([1, 1.69, 2.1]) for name in drawn.sample(names, 40)}
    return names, links, scores


def files_of(folder, links, scores):
    graph, topic = folder / "links.tsv", folder / "scores.tsv"
    graph.write_text("".join(f"{source}\t{target}\n" for source, target in links))
    lines = [f"{name}\t{score}\n" for name, score in scores.items()]
    lines += [f"{source}\t{target}\t{score}\n" for (source, target), score in links.items() if score]
    topic.write_text("".join(lines))
    return graph, topic


def told_by_the_program(*words):
    code, out, errors = run("explore", "--quiet", "--json", *words)
    expect(code == 0, errors)
    return json.loads(out)


def expect_equal(found, told, what):
    rows = list(found.table())
    expect([row["url"] for row in rows] == [row["url"] for row in told["crawl"]] == found.order, f"{what}: other pages")
    expect([row["score"] for row in rows] == [row["score"] for row in told["crawl"]], f"{what}: other scores")
    expect(numpy.allclose([row["value"] for row in rows], [row["value"] for row in told["crawl"]], rtol=1e-12), f"{what}: other values")
    for name in ("steps", "seeds", "value", "seeds_value", "oracle_value", "relative_to_oracle", "frontier", "ended", "budget"):
        ours, its = getattr(found, name), told[name]
        same = abs(ours - its) <= 1e-12 * abs(its) if isinstance(its, float) else ours == its
        expect(same, f"{what}: {name} is {ours}, not {its}")


def test_crawls_are_those_of_the_program(folder):
    names, links, scores = drawn_web(seed=3)
    files = files_of(folder, links, scores)
    graph = webstrata.load_graph(files[0])
    for by in webstrata.estimators():
        found = graph.explore(scores, 30, by, link_scores=links, seed=5, set_size=4)
        expect_equal(found, told_by_the_program(files[0], "--topic", files[1], "--by", by, "--budget", 30, "--seed", 5, "--set-size", 4), by)


def test_options_reach_the_crawl(folder):
    names, links, scores = drawn_web(seed=4)
    files = files_of(folder, links, scores)
    graph = webstrata.load_graph(files[0])
    (folder / "seeds").write_text(f"{names[7]}\n{names[3]}\n")
    common = [files[0], "--topic", files[1], "--budget", 40, "--seeds", folder / "seeds"]
    for options, words in (({"refresh": 7}, ["--refresh", 7]), ({"greedy": 0.5, "slack": 0.3, "seed": 9}, ["--greedy", 0.5, "--slack", 0.3, "--seed", 9]),
                           ({"ties": "random", "by": "nh-n-max"}, ["--ties", "random", "--by", "nh-n-max"]),
                           ({"value": "count", "by": "bf"}, ["--value", "count", "--by", "bf"]),
                           ({"by": "hybrid-sum", "switch": 5, "without_seeds": True}, ["--by", "hybrid-sum", "--switch", 5, "--without-seeds"]),
                           ({"by": "hybrid-avg", "first": "nh-n-max"}, ["--by", "hybrid-avg", "--first", "nh-n-max"]),
                           ({"by": "nr", "damping": 0.6}, ["--by", "nr", "--damping", 0.6])):
        found = graph.explore(scores, budget=40, link_scores=links, seeds=[names[7], names[3]], **options)
        expect(found.seeds == [names[7], names[3]], found.seeds)
        expect_equal(found, told_by_the_program(*common, *words), words)
    by_number = graph.explore(graph.pagerank().scores, 10, "bf", seeds=[graph.find(names[7])])
    expect(by_number.seeds == [names[7]] and by_number.steps == 10, by_number)


def test_topics_of_an_archive(folder):
    (folder / "web.topic").write_text("template\nrequest\n")
    archive = folder / "topics.ws"
    code, _, errors = run("build", "-q", archive, SAMPLE / "2021.warc.gz", "--topic", folder / "web.topic")
    expect(code == 0, errors)
    library = webstrata.open(archive)
    graph = library.snapshot(columns=True)
    pages, links = library.topic("web", graph)
    expect(len(pages) == graph.node_count and len(links) == graph.link_count and (pages > 0).any() and (links > 0).any(), "no scores")
    expect_equal(graph.explore(pages, 50, link_scores=links), told_by_the_program(archive, "--topic", "web", "--budget", 50), "web")
    everything = told_by_the_program(archive, "--topic", "web", "--budget", 50, "--scope", "all")
    expect_equal(graph.explore(pages, 50, link_scores=links, scope="all"), everything, "scope")
    expect_equal(library.snapshot().explore(pages, 50, link_scores=links), everything, "a graph that does not know captures")
    fails("not_found", lambda: library.topic("none", graph), "none")
    fails("bad_input", lambda: library.topic("web", library.snapshot(level="host")))


def test_visits_are_those_of_the_program(folder):
    (folder / "web.topic").write_text("template\nrequest\n")
    archive = folder / "recrawl.ws"
    code, _, errors = run("build", "-q", archive, SAMPLE / "2021.warc.gz", SAMPLE / "2023.warc.gz", "--topic", folder / "web.topic")
    expect(code == 0, errors)
    library = webstrata.open(archive)
    graph = library.snapshot(columns=True)
    pages, links = library.topic("web", graph)
    for policy in ("optimal", "uniform"):
        plan = graph.recrawl(pages, 50, 30, link_scores=links, policy=policy)
        code, out, errors = run("explore", archive, "--topic", "web", "--recrawl", "30d", "--budget", 50, "--policy", policy, "-q")
        expect(code == 0, errors)
        told = [line.split("\t") for line in out.splitlines()]
        expect([row["url"] for row in plan] == [line[0] for line in told], f"{policy}: other pages")
        expect([row["new"] for row in plan] == [line[3] == "new" for line in told], f"{policy}: other new pages")
        expect(abs(sum(plan.values("visits")) - 50) < 1e-6, plan)
    fails("bad_input", lambda: graph.recrawl(pages, 50, 30, policy="often"), "often", "optimal")
    fails("bad_input", lambda: graph.recrawl(pages, 50, 0), "days")
    fails("bad_input", lambda: graph.recrawl(pages, 50, 30, by="oracle"), "oracle")


def test_what_makes_no_sense_is_refused(folder):
    graph = webstrata.Snapshot.from_links([("a", "b"), ("b", "c")])
    fails("bad_input", lambda: graph.explore({"a": 1}, 5, by="tea leaves", seeds=["a"]), "tea leaves", "oracle")
    fails("bad_input", lambda: graph.explore({"a": 1}, 0, seeds=["a"]), "budget")
    fails("bad_input", lambda: graph.explore({"a": -1}, 5, seeds=["a"]))
    fails("bad_input", lambda: graph.explore({"x": 1}, 5, seeds=["a"]), "none of the scores")
    fails("bad_input", lambda: graph.explore([1, 2], 5, seeds=["a"]))
    fails("bad_input", lambda: graph.explore({"a": 1}, 5, seeds=[]))
    fails("not_found", lambda: graph.explore({"a": 1}, 5, seeds=["x"]), "x")
    fails("bad_input", lambda: graph.explore({"a": 1}, 5, seeds=["a"], ties="coin"), "coin")
    fails("bad_input", lambda: graph.explore({"a": 1}, 5, seeds=["a"], refresh=0), "refresh")
    fails("bad_input", lambda: graph.explore({"a": 1}, 5, seeds=["a"], value="love"), "love")


def test_a_signal_stops_it(folder):
    rows = numpy.random.default_rng(1).integers(0, 60_000, (400_000, 2))
    graph = webstrata.Snapshot.from_links(rows, node_count=60_000)

    class Enough(Exception):
        pass

    def stop(number, frame):
        raise Enough

    # As Ctrl-C does: a signal's handler raises. Without it this crawl takes minutes.
    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        graph.explore(numpy.ones(60_000), 50_000, "nr-full", seeds=[0])
    except Enough:
        return
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    raise AssertionError("nothing was raised")


if __name__ == "__main__":
    sys.exit(run_tests(globals(), folder=temporary_folder))
