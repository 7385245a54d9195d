#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tables of docs/SCALE.md: what archives of 10⁹, 10¹¹ and 10¹² link facts would take, from what scale_bench.py measured.

    bench/scale/cost_model.py results/scale.json

A figure is that of the largest archive measured, times the ratio of the sizes to the power of its exponent. Exponents of figures that
follow the size are not taken below 1: what the smaller sizes share (start-up, small tables) would make the large ones look cheap.
"""

import json
import sys
from pathlib import Path

SIZES = (1e9, 1e11, 1e12)
NODES_MAX = 2**32 - 1
TWO_CORES = 1.62  # times faster than one, docs/BENCHMARKS.md
CRAWLS = 4  # of the webs that were measured: a snapshot has the links of one
# Spark, from docs/SPARK.md: 26.2 CPU seconds for debweb's 5,953,638 link facts, start-up included; 256 MB for each of runs, translation and in-links.
SPARK_S_PER_FACT = 26.2 / 5_953_638
SPARK_CORES, SPARK_TASK_MB = 800, 3 * 256
GRAPH_BYTES_PER_LINK, GRAPH_BYTES_PER_NODE = 12, 40  # docs/rank.md
BLOCK = 65_536


def scaled(found, figure, size, at_least=1.0):
    row = found.get("actual") or found["rows"][-1]
    exponent = max(at_least, found["exponents"][figure])
    return row[figure] * (size / row["facts"]) ** exponent


def human(value, units):
    for unit, factor in reversed(units):
        if value >= factor:
            return f"{value / factor:.3g} {unit}"
    return f"{value / units[0][1]:.2g} {units[0][0]}"


def size_of(value):
    return human(value, (("MB", 1e6), ("GB", 1e9), ("TB", 1e12), ("PB", 1e15)))


def time_of(seconds):
    return human(seconds, (("s", 1), ("min", 60), ("h", 3600), ("days", 86400), ("years", 365 * 86400)))


def count_of(value):
    return human(value, (("", 1), ("k", 1e3), ("M", 1e6), ("G", 1e9), ("T", 1e12)))


def table(found, rows):
    lines = ["| | " + " | ".join(f"10{power} link facts" for power in ("⁹", "¹¹", "¹²")) + " | from |", "| --- | --- | --- | --- | --- |"]
    for name, value, source in rows:
        lines.append(f"| {name} | " + " | ".join(value(size) for size in SIZES) + f" | {source} |")
    return "\n".join(lines)


def main():
    found = json.loads(Path(sys.argv[1]).read_text())
    row = found.get("actual") or found["rows"][-1]
    per_fact = {name: row[name] / row["facts"] for name in ("nodes", "pages", "links")}

    def nodes(size):
        return per_fact["nodes"] * size

    def graph(size):
        """A snapshot at one time: its links are those of one crawl."""
        return GRAPH_BYTES_PER_LINK * size / CRAWLS + GRAPH_BYTES_PER_NODE * nodes(size)

    print(table(found, [
        ("nodes", lambda size: count_of(nodes(size)), f"{per_fact['nodes']:.3f} per link fact"),
        ("archive", lambda size: size_of(scaled(found, "bytes", size)), "`bytes`"),
        ("scratch space of a build", lambda size: size_of(scaled(found, "scratch_bytes", size)), "`scratch_bytes`"),
        ("build, CPU time", lambda size: time_of(scaled(found, "build_s", size)), "`build_s`"),
        ("build, on two cores", lambda size: time_of(scaled(found, "build_s", size) / TWO_CORES), f"the same / {TWO_CORES} (`archive_bench --only building`)"),
        ("compaction, CPU time", lambda size: time_of(scaled(found, "compact_s", size)), "`compact_s`"),
        ("daily update of 2,000 captures, CPU time", lambda size: time_of(scaled(found, "daily_s", size, 0)), "`daily_s`"),
        ("the most expensive of twelve", lambda size: time_of(scaled(found, "daily_worst_s", size, 0)), "`daily_worst_s`"),
        ("question in a new process", lambda size: f"{scaled(found, 'question_ms', size, 0):.3g} ms", "`question_ms`"),
        ("links of a page over HTTP, CPU time", lambda size: f"{scaled(found, 'serve_links_us', size, 0):.3g} µs", "`serve_links_us`"),
        ("memory of the build", lambda size: size_of(1e6 * scaled(found, "build_memory_mb", size, 0)), "`build_memory_mb`, with `--memory 512M`"),
        ("snapshot, CPU time", lambda size: time_of(scaled(found, "snapshot_s", size)), "`snapshot_s`"),
        ("PageRank to 1e-9, CPU time", lambda size: time_of(scaled(found, "pagerank_s", size)), "`pagerank_s`"),
        ("memory of PageRank", lambda size: size_of(graph(size)) + (" (above 2³² nodes)" if nodes(size) > NODES_MAX else ""), "12 bytes per link of a snapshot + 40 per node"),
    ]))
    print()
    print(table(found, [
        ("CPU time of a build", lambda size: time_of(SPARK_S_PER_FACT * size), "26.2 s for 5.95 M link facts"),
        (f"on {SPARK_CORES} cores", lambda size: time_of(SPARK_S_PER_FACT * size / SPARK_CORES), "the same / 800"),
        ("shuffle volume", lambda size: size_of(scaled(found, "scratch_bytes", size)), "`scratch_bytes`: runs, written and read once"),
        ("tasks of a step, at 64 million link facts each", lambda size: count_of(size / 64e6), "memory of a task"),
        ("blocks of the archive", lambda size: count_of(nodes(size) / BLOCK), "nodes / 65,536"),
        ("memory of a worker with 8 cores, besides the JVM", lambda size: size_of(8 * SPARK_TASK_MB * 1e6), "3 × 256 MB for each task"),
    ]))
    print(f"\nA snapshot has 2³² nodes at {count_of(NODES_MAX / per_fact['nodes'])} link facts.")


if __name__ == "__main__":
    main()
