#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The peers of rank_bench: rank_peers.py PEER LINKS NODES THREADS REPETITIONS SCORE... prints "name \t CPU seconds \t wall seconds \t iterations".

One line per repetition, after a first call that is not counted. The times are of the call alone, on a graph that is in memory;
each to 1e-9, except that igraph's PRPACK always solves to 1e-10.
"""

import sys
import time

import numpy as np

DAMPING = 0.85
REPETITIONS = int(sys.argv[5])


def measured(name, threads, task):
    task()
    for _ in range(REPETITIONS):
        cpu, wall = time.process_time(), time.perf_counter()
        iterations = task() or 0
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        print(f"{name}, {threads} thread{'' if threads == 1 else 's'}\t{cpu}\t{wall}\t{iterations}", flush=True)


def with_igraph(source, target, nodes, threads, scores):
    import igraph

    if "pagerank" not in scores:
        return
    graph = igraph.Graph(n=nodes, edges=np.column_stack([source, target]), directed=True)
    measured("pagerank: igraph", threads, lambda: graph.pagerank(damping=DAMPING, implementation="prpack") and 0)


def with_networkit(source, target, nodes, threads, scores):
    import networkit as nk

    if "pagerank" not in scores:
        return
    nk.setNumberOfThreads(threads)
    graph = nk.GraphFromCoo((np.ones(len(source)), (source.astype(np.uint64), target.astype(np.uint64))), n=nodes, directed=True)

    def pagerank():
        ranking = nk.centrality.PageRank(graph, damp=DAMPING, tol=1e-9)
        ranking.norm = nk.centrality.Norm.L1_NORM
        ranking.run()
        return ranking.numberOfIterations()

    measured("pagerank: networkit", threads, pagerank)


def with_scipy(source, target, nodes, threads, scores):
    import scipy.sparse as sp

    if threads != 1:  # its products use one thread
        return
    links = sp.csr_matrix((np.ones(len(source)), (source, target)), shape=(nodes, nodes))
    turned = links.T.tocsr()
    degree = np.asarray(links.sum(1)).ravel()
    shares = np.divide(DAMPING, degree, out=np.zeros(nodes), where=degree > 0)
    walk = (sp.diags(shares) @ links).T.tocsr()

    def pagerank():
        scores = np.full(nodes, 1 / nodes)
        for iteration in range(1, 1000):
            new = walk @ scores + (DAMPING * scores[degree == 0].sum() + 1 - DAMPING) / nodes
            change = np.abs(new - scores).sum()
            scores = new
            if change < 1e-9:
                return iteration

    def hits():
        hubs = np.full(nodes, 1 / np.sqrt(nodes))
        for iteration in range(1, 201):
            authorities = turned @ hubs
            authorities /= np.linalg.norm(authorities)
            new = links @ authorities
            new /= np.linalg.norm(new)
            change = np.abs(new - hubs).sum()
            hubs = new
            if change <= 1e-9:
                break
        return iteration

    for name, task in (("pagerank", pagerank), ("hits", hits)):
        if name in scores:
            measured(f"{name}: scipy", 1, task)


def main():
    peer, path, nodes, threads, scores = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[6:]
    source, target = np.fromfile(path, dtype=np.uint32).reshape(2, -1)
    {"igraph": with_igraph, "networkit": with_networkit, "scipy": with_scipy}[peer](source, target, nodes, threads, scores)


if __name__ == "__main__":
    main()
