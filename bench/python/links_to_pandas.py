# SPDX-License-Identifier: Apache-2.0
"""A million links to pandas in one call, timed against building a list of them; prints the ratio.

    PYTHONPATH=build/python/python python bench/python/links_to_pandas.py [LINKS]
"""

import sys
import time

import numpy
import pandas
import webstrata


def seconds(call):
    """The best of three."""
    times = []
    for _ in range(3):
        start = time.perf_counter()
        result = call()
        times.append(time.perf_counter() - start)
    return min(times), result


def main():
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    random = numpy.random.default_rng(1)
    count = wanted // 10
    pairs = random.integers(0, count, (wanted, 2))
    graph = webstrata.Snapshot.from_links(pairs, node_count=count)
    named = webstrata.Snapshot(webstrata._core.from_links(
        count, pairs[:, 0].astype(numpy.uint32), pairs[:, 1].astype(numpy.uint32), [f"http://host{i % 100}.example/page/{i}" for i in range(count)]))
    named.names
    print(f"{graph.link_count} links, {count} nodes")

    def as_list():
        return pandas.DataFrame([(source, int(target)) for source in range(count) for target in graph.successors(source)], columns=["source", "target"])

    def as_named_list():
        names = named.names
        return pandas.DataFrame([(names[source], names[target]) for source in range(count) for target in named.successors(source)],
                                columns=["source", "target"])

    for what, one_call, by_list in (("numbers", lambda: graph.links().to_pandas(), as_list),
                                    ("names", lambda: named.links(names=True).to_pandas(), as_named_list)):
        fast, frame = seconds(one_call)
        slow, other = seconds(by_list)
        assert len(frame) == len(other) == graph.link_count
        print(f"{what}: one call {fast * 1000:.1f} ms, a list {slow * 1000:.0f} ms: {slow / fast:.0f} times faster")


if __name__ == "__main__":
    main()
