#!/usr/bin/env python3
"""The peers of rank_bench: rank_peers.py LINKS NODES THREADS prints "name \t seconds \t iterations" for each.

CPU seconds on one thread, wall seconds on two; of the call alone, on a graph that is in memory. Each to 1e-9.
"""

import sys
import time

import igraph
import networkit as nk
import numpy as np
import scipy.sparse as sp

DAMPING = 0.85


def measured(name, threads, task):
    clock = time.process_time if threads == 1 else time.perf_counter
    start = clock()
    iterations = task() or 0
    print(f"{name}, {threads} thread{'' if threads == 1 else 's'}\t{clock() - start}\t{iterations}", flush=True)


def with_igraph(source, target, nodes, threads):
    graph = igraph.Graph(n=nodes, edges=np.column_stack([source, target]), directed=True)
    measured("pagerank: igraph", threads, lambda: graph.pagerank(damping=DAMPING, implementation="prpack") and 0)


def with_networkit(source, target, nodes, threads):
    nk.setNumberOfThreads(threads)
    graph = nk.GraphFromCoo((np.ones(len(source)), (source.astype(np.uint64), target.astype(np.uint64))), n=nodes, directed=True)

    def pagerank():
        ranking = nk.centrality.PageRank(graph, damp=DAMPING, tol=1e-9)
        ranking.norm = nk.centrality.Norm.L1_NORM
        ranking.run()
        return ranking.numberOfIterations()

    measured("pagerank: networkit", threads, pagerank)


def with_scipy(source, target, nodes):
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

    measured("pagerank: scipy", 1, pagerank)
    measured("hits: scipy", 1, hits)


def main():
    path, nodes, threads = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    source, target = np.fromfile(path, dtype=np.uint32).reshape(2, -1)
    with_igraph(source, target, nodes, threads)
    if threads == 1:
        with_scipy(source, target, nodes)
    with_networkit(source, target, nodes, threads)


if __name__ == "__main__":
    main()
