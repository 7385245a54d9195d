# SPDX-License-Identifier: Apache-2.0
"""Graphs and scores from Python: the program's numbers, and SciPy's and networkx's."""

import sys
import threading
from pathlib import Path

from module import SAMPLE, expect, fails, run, run_tests, temporary_folder, webstrata

import networkx
import numpy


def test_snapshots_are_those_of_the_program(library):
    for options, words in (({}, []), ({"at": "2021"}, ["--at", "2021"]), ({"during": "2021..2022", "carry": True}, ["--during", "2021..2022", "--carry"]),
                           ({"level": "host", "inner_links": False}, ["--level", "host", "--without-inner-links"])):
        graph = library.snapshot(**options)
        code, out, errors = run("export", library.path, *words, "--as", "tsv")
        expect(code == 0, errors)
        links = {tuple(line.split("\t")[:2]) for line in out.splitlines()}
        names = graph.names
        found = {(names[row["source"]], names[row["target"]]) for row in graph.links()}
        expect(found == links and len(links) > 5, f"{options}: {len(found)} links instead of {len(links)}")


def test_pagerank_is_that_of_the_program_and_of_networkx(library):
    graph = library.snapshot(at="2021", level="host")
    ranked = graph.pagerank()
    lines = [line.split("\t") for line in run("rank", f"{library.path}@2021", "--level", "host")[1].splitlines()]
    lines = [line for line in lines if not line[0].startswith("#")]
    truth = {line[-1] if "." in line[-1] and not line[-1][0].isdigit() else line[0]: line for line in lines}
    expect(set(truth) >= {name for name, _ in ranked.top(3)}, lines[:3])
    peer = networkx.pagerank(graph.to_networkx(), alpha=0.85, tol=1e-12, max_iter=1000)
    for name, score in zip(graph.names, ranked.scores):
        expect(abs(peer[name] - score) < 1e-8, f"{name}: {score} instead of {peer[name]}")
    expect(ranked.converged and ranked.error_bound <= 1e-9 and abs(ranked.scores.sum() - 1) < 1e-9, ranked)


def test_other_libraries_get_the_graph_and_its_columns(library):
    graph = library.snapshot(at="2021", columns=True)
    truth = {(int(row["source"]), int(row["target"])): row for row in graph.links()}
    network = graph.to_networkx(columns=True)
    nodes = {row["name"]: row for row in graph.nodes()}
    expect(set(network.nodes) == set(nodes) and network.number_of_edges() == len(truth), network)
    for name, row in nodes.items():
        known = {key: value for key, value in row.items() if key != "name" and value is not None}
        expect(network.nodes[name] == known, f"{name}: {network.nodes[name]} {known}")
    expect(any(data.get("captures", 0) > 0 for _, data in network.nodes(data=True)), "no captures")
    names = graph.names
    for (source, target), row in list(truth.items())[:500]:
        known = {key: value for key, value in row.items() if key not in ("source", "target") and value is not None}
        expect(network.edges[names[source], names[target]] == known and "count" in known, known)
    expect(not any(data for _, data in graph.to_networkx().nodes(data=True)), "columns were not asked for")

    index = graph.edge_index()
    expect(index.dtype == numpy.int64 and set(zip(*index.tolist())) == set(truth), index.shape)
    other = graph.to_igraph(columns=True)
    expect(set(other.get_edgelist()) == set(truth) and other.vs["name"] == names and other.is_directed(), other)
    expect(other.vs["captures"] == [nodes[name]["captures"] for name in names], "captures in igraph")
    third = graph.to_networkit()
    expect({(u, v) for u, v in third.iterEdges()} == set(truth) and third.numberOfNodes() == graph.node_count, third)


def test_hits_is_that_of_the_singular_vectors(library):
    graph = library.snapshot(at="2021")
    found = graph.hits(iterations=500, tolerance=1e-13)
    matrix = graph.to_scipy()
    authorities = matrix.T @ found.hubs
    expect(numpy.allclose(authorities / numpy.linalg.norm(authorities), found.authorities, atol=1e-6), "not a fixed point")
    expect(found.top(1, by="hub")[0][1] == found.hubs.max(), "top")


def test_options_reach_the_computation(library):
    pair = webstrata.Snapshot.from_links([(0, 1)])
    expect(numpy.allclose(pair.pagerank(damping=0.5).scores, [0.4, 0.6]), "damping")
    # Dropped at 1: y0 = 1/4 + 0, y1 = 1/4 + y0/2.
    expect(numpy.allclose(pair.pagerank(damping=0.5, dead_ends="drop").scores, [0.25, 0.375]), "dead ends")
    expect(numpy.allclose(pair.pagerank(damping=0.5, dead_ends="drop", preference=[1, 0]).scores, [0.5, 0.25]), "preference")
    three = webstrata.Snapshot.from_links([(0, 1), (0, 2)])
    weighed = three.pagerank(dead_ends="drop", damping=0.5, link_weights=[3, 1]).scores
    expect(abs((weighed[1] - 1 / 6) / (weighed[2] - 1 / 6) - 3) < 1e-6, weighed)
    fails("bad_input", lambda: pair.pagerank(damping=2), "damping")
    fails("bad_input", lambda: pair.pagerank(preference=[1]))
    fails("bad_input", lambda: pair.pagerank(dead_ends="cry"), "cry")
    fails("bad_input", lambda: pair.rank("charm"), "charm", "pagerank")
    expect(pair.rank("outdegree").scores.tolist() == [1, 0], "outdegree")


def test_numbers_and_names(library):
    graph = library.snapshot(at="2021")
    node = graph.find(graph.name(5))
    expect(node == 5 and library.url(graph.uid(5)).url == graph.name(5), "names")
    source = int(numpy.diff(graph.starts).argmax())
    expect(graph.predecessors(graph.successors(source)[0]).tolist().count(source) == 1, "predecessors")
    back = graph.transposed()
    expect(back.link_count == graph.link_count and back.successors(3).tolist() == graph.predecessors(3).tolist(), "transposed")
    dense = webstrata.Snapshot.from_links(numpy.array([[0, 1], [1, 2], [0, 1]]))
    expect(dense.link_count == 2 and dense.to_scipy().toarray().sum() == 2, "links that repeat")
    fails("not_found", lambda: graph.successors("http://nowhere.example/"), "nowhere")
    fails("not_found", lambda: graph.successors(10**6), "no node")
    fails("bad_input", lambda: webstrata.Snapshot.from_links([(0, -1)]))
    fails("bad_input", lambda: webstrata.Snapshot.from_links([(0, 5)], node_count=2))


def test_seeds_are_those_of_the_program(library):
    graph = library.snapshot(at="2021", columns=True)
    for method in ("cores", "outdegree", "pandora"):
        chosen = graph.seeds(by=method, count=5, seed=3)
        lines = run("seeds", f"{library.path}@2021", "--by", method, "--count", "5", "--seed", "3")[1].splitlines()
        expect([one.url for one in chosen.seeds] == [line.split("\t")[0] for line in lines], f"{method}: {chosen.seeds}")
    newer = library.snapshot(during="2023..", columns=True)
    asked = []

    def is_alive(url):
        asked.append((url, threading.get_ident()))
        return newer.find(url) is not None

    chosen = graph.seeds(by="outdegree", count=5, truth=is_alive)
    expect(chosen.tests == len(asked) >= 5 and all(thread == threading.get_ident() for _, thread in asked), asked)
    expect(all(newer.find(one.url) is not None for one in chosen.seeds), chosen)
    expect(graph.seeds(by="cores", count=2).cores[0].hubs, "no cores")
    expect(chosen.urls == [one.url for one in chosen.seeds] and not chosen.replaced and chosen.evaluation is None, chosen)
    fails("bad_input", lambda: graph.seeds(by="tea leaves"), "tea leaves")


def test_seeds_that_vanished_are_replaced_and_evaluated(library):
    import json

    old = library.snapshot(at="2021", columns=True)
    newer = library.snapshot(during="2023..", columns=True)
    for options, words in (({"replace": newer}, ["--replace", f"{library.path}@2023.."]), ({"evaluate": True, "depth_max": 2}, ["--evaluate", "--depth", "2"]),
                           ({"replace": newer, "evaluate": newer}, ["--replace", f"{library.path}@2023..", f"--evaluate={library.path}@2023.."])):
        found = old.seeds(by="outdegree", count=30, seed=3, **options)
        code, out, errors = run("seeds", f"{library.path}@2021", "--by", "outdegree", "--count", "30", "--seed", "3", "--json", *words)
        expect(code == 0, errors)
        told = json.loads(out)
        expect(found.urls == [one["url"] for one in told["seeds"]], f"{words}: other seeds")
        expect(found.evaluation == told.get("evaluation"), f"{words}: another evaluation")
    replaced = old.seeds(by="outdegree", count=30, seed=3, replace=newer).replaced
    expect(replaced and all(newer.find(one.vanished) is None or one.reason for one in replaced), replaced)


def test_liverank_asks_and_counts(library):
    import json

    old = library.snapshot(at="2021", columns=True)
    newer = library.snapshot(during="2023..", columns=True)
    for method in ("auto", "pa-ratio", "indegree"):
        run_ = old.liverank(newer, by=method, seed=5)
        told = json.loads(run("liverank", f"{library.path}@2021", "--truth", f"{library.path}@2023..", "--by", method, "--seed", "5", "--json")[1])
        text = json.dumps(told)
        expect(f"{run_.live}" in text and f"{run_.found}" in text, text[:300])
        costs = [run_.cost(alpha) for alpha in (0.1, 0.5, 0.9)]
        expect(all(cost >= 1 for cost in costs), costs)
    truth = {row["url"]: row["live"] for row in old.liverank(newer, by="indegree").table()}
    asked = []
    one = old.liverank(newer, by="lore", seed=5, budget=60).table().values("url")
    two = old.liverank(lambda url: asked.append(url) or truth[url], by="lore", seed=5, budget=60)
    three = old.liverank(truth, by="lore", seed=5, budget=60)
    expect(one == asked == two.table().values("url") == three.table().values("url"), "other tests")
    expect(two.tests == 60 and two.ended == "budget" and two.found == three.found, two)
    planner = old.planner("pa-ratio", seed=5)
    pages = planner.next(3)
    expect(planner.learn({pages[0]: 200, pages[1]: False, pages[2]: "moved"}) == 3 and planner.live_count >= 1, planner)
    expect(planner.why(pages[0]) and not set(planner.next(5)) & set(pages), "why")

    class Down(Exception):
        pass

    def broken(url):
        raise Down(url)

    try:
        old.liverank(broken, budget=10)
        raise AssertionError("nothing was raised")
    except Down:
        pass
    fails("bad_input", lambda: old.liverank(lambda url: "zombie", budget=3), "zombie")
    fails("bad_input", lambda: old.liverank(newer, by="guess"), "guess")
    fails("bad_input", lambda: old.liverank(), "truth", "probe")
    fails("bad_input", lambda: old.liverank(newer, probe={}), "truth", "probe")
    fails("bad_input", lambda: old.liverank(probe={"politeness": 0}), "politeness")


def main():
    with temporary_folder() as folder:
        webstrata.build(Path(folder) / "lib.ws", [SAMPLE / "2021.warc.gz", SAMPLE / "2023.warc.gz"])
        return run_tests(globals(), webstrata.open(Path(folder) / "lib.ws"))


if __name__ == "__main__":
    sys.exit(main())
