#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tables of docs/SCALE.md: what archives of 10⁹, 10¹¹ and 10¹² link facts would take, from what scale_bench.py measured.

    bench/scale/cost_model.py results/scale.json

A figure is that of the largest archive measured, times the ratio of the sizes to the power of its exponent. Exponents of times that
follow the size are not taken below 1: what the smaller sizes share (start-up, small tables) would make the large ones look cheap. Bytes
are taken to be proportional.
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
TASK_FACTS = 64e6
NUMBER_KEYS_S = (29 - 7) / (50 - 7)  # per partition, debweb, docs/SPARK.md
DEBWEB_BITS = 9.21  # all layers, docs/BENCHMARKS.md
BUILD_MEMORY = 1.1 * 512 * 2**20 + 64 * 2**20


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


MEASURED = (("generating the web, CPU s", "generate_s", 1), ("build, CPU s", "build_s", 1), ("build, memory, MB", "build_memory_mb", 1),
            ("build, scratch space, MB", "scratch_bytes", 1e-6), ("archive, MB", "bytes", 1e-6), ("a day's update, mean of twelve, CPU s", "daily_s", 1),
            ("the same per link fact that it brings, µs", "daily_us", 1), ("the most expensive day, CPU s", "daily_worst_s", 1),
            ("compaction, CPU s", "compact_s", 1), ("compaction, memory, MB", "compact_memory_mb", 1), ("snapshot, CPU s", "snapshot_s", 1),
            ("PageRank, CPU s", "pagerank_s", 1), ("PageRank, memory, MB", "pagerank_memory_mb", 1), ("LiveRank, CPU s", "liverank_s", 1),
            ("LiveRank, memory, MB", "liverank_memory_mb", 1), ("question in a new process, CPU ms", "question_ms", 1),
            ("`serve`: links of a page, CPU µs", "serve_links_us", 1), ("`serve`: in-links, CPU µs", "serve_in_links_us", 1),
            ("`serve`: start, s", "serve_start_s", 1), ("`serve`: memory, MB", "serve_memory_mb", 1))


def measured(found):
    """What was measured, its exponents, and the prediction if one was checked."""
    rows, actual = found["rows"], found.get("actual")
    head = [f"{row['facts'] / 1e6:.1f} M" for row in rows] + ["exponent"] + ([f"predicted for {actual['facts'] / 1e6:.1f} M", "measured", "off by"] if actual else [])
    lines = ["| link facts | " + " | ".join(head) + " |", "| --- " * (len(head) + 1) + "|"]
    for name, figure, unit in MEASURED:
        cells = [f"{row[figure] * unit:.3g}" for row in rows] + [f"{found['exponents'][figure]:.2f}"]
        if actual:
            cells += [f"{found['predicted'][figure] * unit:.3g}", f"{actual[figure] * unit:.3g}", f"{actual[figure] / found['predicted'][figure] - 1:+.0%}"]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main():
    found = json.loads(Path(sys.argv[1]).read_text())
    row = found.get("actual") or found["rows"][-1]
    per_fact = {name: row[name] / row["facts"] for name in ("nodes", "pages", "links")}

    def linear(figure, size):
        return row[figure] / row["facts"] * size

    def too_many(size):
        return " (above 2³² nodes)" if nodes(size) > NODES_MAX else ""

    def nodes(size):
        return per_fact["nodes"] * size

    def graph(size):
        """A snapshot at one time: its links are those of one crawl."""
        return GRAPH_BYTES_PER_LINK * size / CRAWLS + GRAPH_BYTES_PER_NODE * nodes(size)

    print(measured(found) + "\n")
    print(table(found, [
        ("nodes", lambda size: count_of(nodes(size)), f"{per_fact['nodes']:.4f} per link fact"),
        ("archive", lambda size: size_of(linear("bytes", size)), "`bytes`"),
        ("archive with digests, as of debweb", lambda size: size_of(DEBWEB_BITS / 8 * size), f"{DEBWEB_BITS} bits per link fact"),
        ("scratch space of a build", lambda size: size_of(linear("scratch_bytes", size)), "`scratch_bytes`"),
        ("memory of a build", lambda size: size_of(BUILD_MEMORY), "at most 1.1 × `--memory` (512M) + 64 MB (`tests/archive/memory_test.py`)"),
        ("build, CPU time", lambda size: time_of(scaled(found, "build_s", size)), "`build_s`"),
        ("build, on two cores", lambda size: time_of(scaled(found, "build_s", size) / TWO_CORES), f"the same / {TWO_CORES} (`archive_bench --only building`)"),
        ("compaction, CPU time", lambda size: time_of(scaled(found, "compact_s", size)), "`compact_s`"),
        ("a day's 2,000 captures, CPU time", lambda size: time_of(scaled(found, "daily_s", size, 0)), "`daily_s`"),
        ("the most expensive of twelve such days", lambda size: time_of(scaled(found, "daily_worst_s", size, 0)), "`daily_worst_s`"),
        ("question in a new process, CPU time", lambda size: f"{scaled(found, 'question_ms', size, 0):.3g} ms", "`question_ms`"),
        ("links of a page over HTTP, CPU time", lambda size: f"{scaled(found, 'serve_links_us', size, 0):.3g} µs", "`serve_links_us`"),
        ("snapshot of one date, CPU time", lambda size: time_of(scaled(found, "snapshot_s", size)), "`snapshot_s`"),
        ("PageRank to 1e-9, CPU time", lambda size: time_of(scaled(found, "pagerank_s", size)), "`pagerank_s`"),
        ("memory of PageRank", lambda size: size_of(graph(size)) + too_many(size), "12 bytes per link of a snapshot + 40 per node ([rank](rank.md))"),
        ("LiveRank, a tenth of the pages tested, CPU time", lambda size: time_of(scaled(found, "liverank_s", size)), "`liverank_s`"),
    ]))
    print()
    print(table(found, [
        ("CPU time of a build", lambda size: time_of(SPARK_S_PER_FACT * size), "26.2 s for 5.95 M link facts"),
        (f"on {SPARK_CORES} cores", lambda size: time_of(SPARK_S_PER_FACT * size / SPARK_CORES), f"the same / {SPARK_CORES}"),
        ("shuffle volume", lambda size: size_of(linear("scratch_bytes", size) + 4 * per_fact["links"] * size), "`scratch_bytes`, and 4 bytes for each in-link ([015](decisions/015-spark.md))"),
        ("tasks of a step, 64 million link facts each", lambda size: count_of(size / TASK_FACTS), "size / 64 M"),
        ("the same, seconds of `number keys` that follow the number of tasks", lambda size: time_of(NUMBER_KEYS_S * size / TASK_FACTS), "(29 − 7) s / (50 − 7) partitions"),
        ("blocks: the most tasks of a later step", lambda size: count_of(nodes(size) / BLOCK), "nodes / 65,536"),
        ("memory of a worker with 8 cores, besides the JVM", lambda size: size_of(8 * SPARK_TASK_MB * 1e6), "3 × 256 MB for each task"),
    ]))
    print(f"\nA snapshot has 2³² nodes at {count_of(NODES_MAX / per_fact['nodes'])} link facts.")


if __name__ == "__main__":
    main()
