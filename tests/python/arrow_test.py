# SPDX-License-Identifier: Apache-2.0
"""Tables go to pyarrow, pandas, polars, DuckDB and Parquet, and the large arrays are not copied on the way."""

import gc
import sys
from pathlib import Path

from module import SAMPLE, expect, fails, run_tests, temporary_folder, webstrata

import duckdb
import numpy
import pandas
import polars
import pyarrow
import pyarrow.parquet


def address(array):
    return array.__array_interface__["data"][0]


def test_the_graphs_memory_is_not_copied(library, folder):
    graph = library.snapshot(at="2021", columns=True)
    targets = address(graph.targets)
    expect(targets == address(graph.targets) and address(graph.starts) == address(graph.starts), "views are copies")
    expect(address(graph.successors(0)) == targets, "successors of the first node are not where targets begin")
    for names in (False, True):
        table = pyarrow.table(graph.links(names=names))
        column = table["target"].chunk(0)
        indices = column.indices if names else column
        expect(indices.buffers()[1].address == targets, f"pyarrow copied the targets (names={names})")
    expect(address(graph.links()["target"]) == targets, "the table's view is a copy")
    expect(address(graph.to_scipy().indices) == targets, "SciPy copied the targets")
    ranked = graph.pagerank()
    expect(pyarrow.table(ranked)["score"].chunk(0).buffers()[1].address == address(ranked.scores), "pyarrow copied the scores")
    frame = polars.DataFrame(graph.links())
    expect(address(frame["target"].to_numpy(allow_copy=False)) == targets, "polars copied the targets")
    frame = graph.links().to_arrow().to_pandas(zero_copy_only=False, split_blocks=True)
    expect(address(frame["target"].to_numpy(copy=False)) == targets, "pandas copied the targets")
    nodes = pyarrow.table(graph.nodes())
    expect(nodes["name"].to_pylist() == graph.names, "names differ")


def test_views_outlive_what_they_came_from(library, folder):
    graph = library.snapshot(at="2021")
    targets, kept = graph.targets, graph.targets.copy()
    table, scores = pyarrow.table(graph.links(names=True)), graph.pagerank().scores
    total = scores.sum()
    del graph
    gc.collect()
    expect((targets == kept).all() and scores.sum() == total, "the memory is gone")
    expect(table["target"].chunk(0).indices.to_numpy().tolist() == kept.tolist(), "the memory is gone")
    try:
        targets[0] = 1
        raise AssertionError("a view of a graph can be written to")
    except ValueError:
        pass


def test_all_agree_on_what_a_table_says(library, folder):
    links = library.links(during="2021..2023")
    rows = list(links)
    expect(len(rows) > 1000 and set(rows[0]) >= {"source", "target", "kinds", "count", "first_seen", "last_seen"}, rows[:1])
    table = links.to_arrow()
    table.validate(full=True)
    expect(table.to_pylist() == rows, "pyarrow reads something else")
    frame = links.to_pandas()
    expect(frame["target"].astype(str).tolist() == [row["target"] for row in rows], "pandas reads something else")
    expect(links.to_polars()["target"].cast(polars.String).to_list() == [row["target"] for row in rows], "polars reads something else")
    count, first = duckdb.sql("SELECT count(*), epoch(min(first_seen)) FROM links").fetchall()[0]
    expect(count == len(rows) and first == min(row["first_seen"] for row in rows).timestamp(), "DuckDB reads something else")
    links.to_parquet(folder / "links.parquet")
    again = pyarrow.parquet.read_table(folder / "links.parquet")
    expect(again["source"].to_pylist() == [row["source"] for row in rows], "Parquet holds something else")
    expect(pandas.read_parquet(folder / "links.parquet").shape == (len(rows), len(rows[0])), "pandas reads Parquet otherwise")


def test_captures_are_tables_too(library, folder):
    table = library.captures().to_arrow()
    table.validate(full=True)
    captures = list(library.captures())
    expect([row["url"] for row in table.to_pylist()] == [capture.url for capture in captures], "captures differ")
    for row, capture in zip(table.to_pylist(), captures):
        links = None if capture.links is None else [link._asdict() for link in capture.links]
        expect(row == {**capture._asdict(), "links": links}, row)
    stream = pyarrow.RecordBatchReader.from_stream(library.captures())
    expect(sum(batch.num_rows for batch in stream) == len(captures), "the stream has other rows")
    count = library.captures().to_parquet(folder / "captures.parquet")
    expect(pyarrow.parquet.read_metadata(folder / "captures.parquet").num_rows == count == len(captures), "Parquet has other rows")
    counted = duckdb.sql(f"SELECT outcome, count(*) FROM '{folder}/captures.parquet' GROUP BY 1").fetchall()
    expect(dict(counted)["alive"] == sum(capture.outcome == "alive" for capture in captures), counted)


def test_empty_tables_are_tables(library, folder):
    graph = webstrata.Snapshot.from_links([], node_count=0)
    expect(pyarrow.table(graph.links()).num_rows == 0 and len(graph.links(names=True).to_pandas()) == 0, "empty links")
    empty = library.captures(during="1999").to_arrow()
    expect(empty.num_rows == 0 and "links" in empty.column_names, empty.schema)
    expect(len(webstrata.Snapshot.from_links([], node_count=3).pagerank().scores) == 3, "scores of no links")


def test_what_numpy_cannot_hold_is_an_error(library, folder):
    table = library.snapshot(at="2021", columns=True).nodes()
    fails("bad_input", lambda: table["name"], "numbers")
    fails("not_found", lambda: table["nothing"], "nothing", "name")
    some = [name for name in table.column_names if name not in ("name", "outcome") and None in table.values(name)]
    fails("bad_input", lambda: table[some[0]], "missing")
    expect(table["uid"].dtype == numpy.uint64, "uids")


def main():
    with temporary_folder() as folder:
        webstrata.build(Path(folder) / "lib.ws", [SAMPLE / "2021.warc.gz", SAMPLE / "2023.warc.gz"])
        return run_tests(globals(), webstrata.open(Path(folder) / "lib.ws"), folder=temporary_folder)


if __name__ == "__main__":
    sys.exit(main())
