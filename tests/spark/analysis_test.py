# SPDX-License-Identifier: Apache-2.0
"""Questions on a cluster have the answers of the single machine: layers, graphs, PageRank, LiveRanks of two rounds, rows for stores.
Spark reads a stack of strata, the single machine an archive with the same facts in one stratum.
On local-cluster: two executors in processes of their own; blocks of 256 nodes, so that every question has several tasks."""

import contextlib
import io
import json
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import cluster
from cluster import SAMPLES, Clock, call, expect_error, pieces, run_examples, session, strata_of

cluster.skip_unless_possible()

import numpy  # noqa: E402
import pyarrow.parquet  # noqa: E402
import webstrata  # noqa: E402
from webstrata import spark as on_spark  # noqa: E402
from webstrata.spark.__main__ import main as webstrata_spark  # noqa: E402


def links_of(snapshot):
    table = snapshot.links()
    uids = numpy.array([snapshot.uid(node) for node in range(snapshot.node_count)])
    return set(zip(uids[table["source"]].tolist(), uids[table["target"]].tolist()))


def test_layers(spark, library, archive):
    info = library._core.info()
    tables = {name: on_spark.layer(spark, archive, name, partitions=2).toPandas() for name in
              ("names", "links", "times", "presence", "kinds", "sightings", "in_links", "ranges", "in_presence")}
    names = tables["names"].set_index("uid")
    assert len(names) == info["nodes"]
    for uid in (0, 7, info["nodes"] - 1):
        assert (names.url[uid], names.key[uid]) == (library._core.url(uid), library._core.key(uid).encode())
    links = {(row.uid, target) for row in tables["links"].itertuples() for target in row.targets}
    assert links == links_of(library.snapshot(kinds="all")) and len(links) == info["links"]
    assert {(source, row.uid) for row in tables["in_links"].itertuples() for source in row.sources} == links
    assert sum(map(len, tables["times"].times)) == info["captures"] and len(tables["sightings"]) == info["sightings"]
    assert sum(len(row) for rows in tables["presence"].present for row in rows) == info["link_facts"]
    assert sum(len(row) for rows in tables["kinds"].counts for row in rows) == info["link_facts"]
    targets = tables["links"].set_index("uid").targets
    present = tables["presence"].set_index("uid").present
    times = tables["times"].set_index("uid").times
    for uid in times.index[::40]:
        for time, row in zip(times[uid], present[uid]):
            due = library.links(int(uid), during=(int(time), int(time)))["uid"].tolist()
            assert sorted(targets[uid][place] for place in row) == sorted(due)
    assert sum(map(len, tables["ranges"].ranges)) == sum(map(len, tables["in_presence"].present))
    expect_error(lambda: on_spark.layer(spark, archive, "peel"), "peel", "in_links")


def test_graphs_and_pagerank(spark, library, archive):
    for time in ({"at": "2021"}, {}, {"during": "2022..2023", "carry": True}):
        alone = library.snapshot(**time)
        with on_spark.graph(spark, archive, partitions=3, **time) as graph:
            assert (graph.node_count, graph.link_count) == (alone.node_count, alone.link_count), time
            scratch = graph.folder
            assert Path(scratch).is_dir()
            if "at" not in time:
                continue
            assert {(row.source, row.target) for row in graph.links.collect()} == links_of(alone)
            ranked = graph.pagerank(tolerance=1e-10)
            expect_same(ranked.table, alone, alone.pagerank(tolerance=1e-12).scores)
            assert ranked.converged and ranked.error_bound <= 1e-10
        assert not Path(scratch).exists()


def test_the_surfers_jumps(spark, library, archive):
    alone = library.snapshot(at="2021")
    with on_spark.graph(spark, archive, at="2021", partitions=3) as graph:
        liked = [int(node) for node in numpy.argsort(-numpy.diff(alone.starts).astype(int))[[0, 5, 200]]]
        preference = numpy.zeros(alone.node_count)
        preference[liked] = [0.5, 0.25, 0.25]
        by_uid = {alone.uid(node): float(preference[node]) for node in liked}
        for dead_ends in ("uniform", "preference", "drop"):
            ranked = graph.pagerank(damping=0.5, preference=by_uid, dead_ends=dead_ends, tolerance=1e-10)
            due = alone.pagerank(damping=0.5, preference=preference, dead_ends=dead_ends, tolerance=1e-12).scores
            expect_same(ranked.table, alone, due)
        assert not graph.pagerank(iterations_max=2).converged
        expect_error(lambda: graph.pagerank(damping=1), "damping")
        expect_error(lambda: graph.pagerank(dead_ends="cry"), "cry")
        expect_error(lambda: graph.pagerank(preference={0: 0.5}), "add up to 1")
        others = set(range(library.node_count)) - {alone.uid(node) for node in range(alone.node_count)}
        expect_error(lambda: graph.pagerank(preference={others.pop(): 1.0}), "not in the graph")
    expect_error(lambda: on_spark.graph(spark, archive, scratch="/no/such/folder"), "/no/such/folder", "scratch=")


def expect_same(table, alone, due):
    found = {row.uid: row.score for row in table.collect()}
    assert len(found) == alone.node_count
    worst = max(abs(found[alone.uid(node)] - score) for node, score in enumerate(due))
    assert worst <= 1e-9, worst


def test_liveranks_of_two_rounds(spark, library, archive):
    old = library.snapshot(at="2021", columns=True)
    newer = library.snapshot(during="2023..", columns=True)
    is_live = {row["url"]: row["live"] for row in old.liverank(newer, by="indegree").table()}
    with on_spark.graph(spark, archive, at="2021", partitions=3) as graph:
        pages = graph.pages()
        assert pages.node_count == len(is_live)
        for kind in ("random", "systematic"):
            sample = old.planner("pa", seed=5, sample=kind, sample_size=0.1).next()
            assert pages.sample(0.1, kind, seed=5) == sample and len(sample) > 40
        sample = old.planner("pa", seed=5, sample="indegree", sample_size=0.1).next()
        assert pages.sample(0.1, "indegree", seed=5) == sample and len(sample) > 40
        ranks = {row.url: row.pagerank for row in pages.liverank({}, "asf").collect()}
        top = pages.sample(0.1, "pagerank", seed=5)
        assert [ranks[url] for url in top] == sorted(ranks.values(), reverse=True)[:len(sample)]
        both = (sorted(ranks[url] for url in urls) for urls in (top, old.planner("pa", seed=5, sample="pagerank", sample_size=0.1).next()))
        assert all(abs(a - b) < 1e-9 for a, b in zip(*both, strict=True))
        expect_error(lambda: pages.sample(0.1, "luck"), "luck")
        answers = {url: is_live[url] for url in pages.sample(0.1, seed=5)}
        planner = old.planner("asf", seed=5, sample_size=0.1)
        planner.learn({url: answers[url] for url in planner.next()})
        rows = pages.liverank(answers, "asf").collect()
        assert {row.url for row in rows} == set(is_live) - set(answers)
        assert all(row.score == next(reason.value for reason in planner.why(row.url) if reason.what == "score") for row in rows)
        assert len({row.score for row in pages.liverank(answers, "asf", site=2).collect()}) > 1
        expect_error(lambda: pages.liverank(answers, "asf", site="planet"), "planet")
        assert 0 < sum(answers.values()) < len(answers)
        for by in ("pa", "pa-ratio"):
            planner = old.planner(by, seed=5, sample_size=0.1)
            planner.learn({url: answers[url] for url in planner.next()})
            rows = pages.liverank(answers, by).collect()
            assert {row.url for row in rows} == set(is_live) - set(answers)
            worst = 0.0
            for row in rows:
                due = {reason.what: reason.value for reason in planner.why(row.url)}
                worst = max(worst, abs(row.score - due["score"]) / max(1, due["score"]), abs(row.pagerank - due["PageRank"]))
            assert worst <= 1e-9, (by, worst)
            print(f"    {by}: no score is further off than {worst:.1e}")
            best = [row.url for row in sorted(rows, key=lambda row: (-row.score, -row.pagerank, row.uid))[:20]]
            found = sum(is_live[url] for url in best)
            assert found >= sum(is_live[url] for url in planner.next(20)) - 1, found
        only_live = {url: True for url, live in answers.items() if live}
        assert {row.uid: row.score for row in pages.liverank(only_live, "pa").collect()} == \
               {row.uid: row.score for row in pages.liverank(only_live, "pa-ratio").collect()}
        expect_error(lambda: pages.liverank(answers, by="lore"), "lore")
        expect_error(lambda: pages.liverank({"http://nowhere.example/": True}), "nowhere")


def test_rows(spark, library, archive, folder):
    out = str(folder / "rows.parquet")
    told = on_spark.rows(spark, archive, out, partitions=5)
    files = sorted(Path(out).glob("part-*.parquet"))
    assert len(files) == 5 and told.rows == library.node_count
    parts = [pyarrow.parquet.read_table(path).to_pylist() for path in files]
    rows = [row for part in parts for row in part]
    keys = [row["key"] for row in rows]
    assert keys == sorted(keys) and [row["uid"] for row in rows] == list(range(library.node_count))
    assert [bytes.fromhex(line) for line in (Path(out) / "_boundaries").read_text().split()] == told.boundaries
    assert told.boundaries == [part[0]["key"] for part in parts[1:]]
    for row in rows[::37]:
        assert row["url"] == library._core.url(row["uid"])
        assert sorted(row["in_links"]) == sorted(keys[uid] for uid in library.links(row["uid"], direction="in")["uid"])
        for time, present in zip(row["times"], row["presence"]):
            due = library.links(row["uid"], during=(time, time))["uid"]
            assert sorted(row["links"][place] for place in present) == sorted(keys[uid] for uid in due)
        assert [one["status"] for one in row["sightings"]] == [one.status for one in library.captures(row["uid"])]
    expect_error(lambda: on_spark.rows(spark, archive, out), "rows.parquet", "already")


def test_ranges_of_ones_own(spark, library, archive, folder):
    """Boundaries that are given, and boundaries out of a super-sample, with the balance of the files."""
    hosts = ["python-quart-doc.docs.example", "http://python-werkzeug-doc.docs.example/"]
    told = on_spark.rows(spark, archive, str(folder / "given.parquet"), boundaries=hosts)
    files = sorted((folder / "given.parquet").glob("part-*.parquet"))
    parts = [pyarrow.parquet.read_table(path)["url"].to_pylist() for path in files]
    assert [len(part) for part in parts] == told.documents and [path.stat().st_size for path in files] == told.bytes
    assert [min(library.urls(host=host).values("uid")) for host in (hosts[0], "python-werkzeug-doc.docs.example")] == [
        sum(told.documents[:1]), sum(told.documents[:2])]
    assert abs(told.imbalance - max(told.bytes) / (sum(told.bytes) / 3)) < 1e-12
    expect_error(lambda: on_spark.rows(spark, archive, str(folder / "x.parquet"), boundaries=hosts[::-1]), "python-quart-doc", "order")
    even = on_spark.rows(spark, archive, str(folder / "even.parquet"), partitions=6)
    sampled = on_spark.rows(spark, archive, str(folder / "sampled.parquet"), partitions=6, sample=300)
    assert len(sampled.bytes) == 6 and sum(sampled.documents) == library.node_count
    assert sampled.imbalance < even.imbalance, f"{sampled.imbalance} is not below {even.imbalance}"
    expect_error(lambda: on_spark.rows(spark, archive, str(folder / "x.parquet"), sample=3, boundaries=hosts), "not both")


def test_the_examples(spark, library, archive, folder):
    for name in ("webstrata.spark.driver.analysis", "webstrata.spark.driver.rows", "webstrata.spark.schemas"):
        run_examples(sys.modules[name], spark=spark, example_archive=archive, example_folder=folder)


def test_rows_from_the_command_line(spark, library, archive, folder):
    """It ends the session."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        assert webstrata_spark(["rows", archive, str(folder / "again.parquet"), "--partitions", "2", "--json"]) == 0
    told = json.loads(said.getvalue())
    assert told["rows"] == library.node_count and len(told["boundaries"]) == 1
    complaint = io.StringIO()
    with contextlib.redirect_stderr(complaint):
        assert webstrata_spark(["rows", archive, str(folder / "none.parquet"), "--partitions", "0"]) == 2
    assert "--partitions" in complaint.getvalue() and complaint.getvalue().count("\n") == 1


def main():
    clock = Clock()
    with tempfile.TemporaryDirectory() as own:
        folder = Path(own)
        archive = str(folder / "lib.ws")
        spark = session("local-cluster[2,1,1024]")
        try:
            parts = pieces(folder, SAMPLES[1], (60, 20, 7))
            on_spark.build(spark, [SAMPLES[0], parts[-1]], archive, partitions=2, block_bits=8, part_blocks=2)
            for part in parts[:-1]:
                call("update", "-q", "--no-merge", archive, part)
            assert strata_of(archive) == 4, strata_of(archive)
            shutil.copytree(archive, folder / "one.ws")
            call("compact", "-q", folder / "one.ws")
            library = webstrata.open(folder / "one.ws")
            for test in (test_layers, test_graphs_and_pagerank, test_the_surfers_jumps, test_liveranks_of_two_rounds):
                test(spark, library, archive)
                clock.done(test.__name__)
            for test in (test_rows, test_ranges_of_ones_own, test_the_examples, test_rows_from_the_command_line):
                test(spark, library, archive, folder)
                clock.done(test.__name__)
        finally:
            spark.stop()


main()
