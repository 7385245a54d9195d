# SPDX-License-Identifier: Apache-2.0
"""Scores of `webstrata rank` equal those of igraph, networkx, NetworKit and scipy.

On random graphs with dead ends, links of a node to itself and nodes alone; on the classics and cnr-2000 of ../shared.
"""

import json
import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from not_tried import skip  # noqa: E402

# Also runs as: shared
try:
    import igraph
    import networkit
    import networkx
    import numpy as np
    import scipy.sparse as sp
except ImportError as missing:
    skip(f"{missing}; pip install -r tests/requirements.txt")

DATA = Path(os.environ["WEBSTRATA_SHARED"]) / "data"
PROGRAM = os.environ["WEBSTRATA_PROGRAM"]
HARMONIC_NODES_MAX = 10_000  # of peers that search from every node


def scores_of(graph, nodes, *options):
    done = subprocess.run([PROGRAM, "rank", graph, "--json", "--quiet", *map(str, options)], capture_output=True, timeout=600)
    assert done.returncode == 0 and not done.stderr, done.stderr
    scores = np.full(nodes, np.nan)
    for line in done.stdout.splitlines():
        entry = json.loads(line)
        scores[entry["node"]] = entry["score"]
    assert not np.isnan(scores).any(), "a node has no score"
    return scores


def compare(what, ours, theirs, tolerance=1e-9):
    distance = np.abs(ours - np.asarray(theirs)).max(initial=0)
    print(f"    {what:52} largest difference {distance:.1e}")
    assert distance <= tolerance, what


# ---- graphs -------------------------------------------------------------------------------------


class Graph:
    def __init__(self, name, nodes, links):
        self.name, self.nodes = name, nodes
        self.links = np.unique(np.array(sorted(links), dtype=np.int64).reshape(-1, 2), axis=0)

    def write(self, folder):
        """As an ASCII graph: it keeps nodes without links."""
        lists = [[] for _ in range(self.nodes)]
        for source, target in self.links.tolist():
            lists[source].append(target)
        path = folder / f"{self.name}.graph-txt"
        path.write_text("".join(f"{line}\n" for line in [self.nodes, *(" ".join(map(str, one)) for one in lists)]))
        return path

    def matrix(self):
        return sp.csr_matrix((np.ones(len(self.links)), self.links.T), shape=(self.nodes, self.nodes))

    def to_igraph(self):
        return igraph.Graph(n=self.nodes, edges=self.links, directed=True)

    def to_networkx(self):
        graph = networkx.DiGraph()
        graph.add_nodes_from(range(self.nodes))
        graph.add_edges_from(self.links.tolist())
        return graph

    def to_networkit(self):
        graph = networkit.Graph(self.nodes, directed=True)
        for source, target in self.links.tolist():
            graph.addEdge(source, target)
        return graph


def random_graph(seed):
    draw = random.Random(seed)
    nodes = draw.randint(20, 400)
    links = {(draw.randrange(nodes), min(int(draw.expovariate(8 / nodes)), nodes - 1)) for _ in range(nodes * 5)}
    links = {link for link in links if link[0] % 7 != 3 and link[1] % 11 != 5}
    links |= {(node, node) for node in range(0, nodes, 9)}
    return Graph(f"random-{seed}", nodes + 3, links)


def classics():
    text = (DATA / "classics/kleinberg-california/input.txt").read_text(errors="replace")
    links = {(int(a), int(b)) for a, b in re.findall(r"^e (\d+) (\d+)", text, re.M)}
    yield Graph("california", len(re.findall(r"^n ", text, re.M)), links)
    text = (DATA / "classics/hollins-2004/hollins.dat").read_text()
    pairs = [(int(a), int(b)) for a, b in re.findall(r"^(\d+) (\d+)\s*$", text, re.M)]
    yield Graph("hollins", max(map(max, pairs)), {(a - 1, b - 1) for a, b in pairs})
    text = (DATA / "classics/polblogs-2004/polblogs.gml").read_text()
    links = re.findall(r"source (\d+)\s+target (\d+)", text)
    yield Graph("polblogs", text.count("node ["), {(int(a) - 1, int(b) - 1) for a, b in links})


# ---- comparisons --------------------------------------------------------------------------------


def exact_hits(matrix):
    """Hubs by the definition, until they converge."""
    hubs = np.full(matrix.shape[0], 1.0)
    turned = matrix.T.tocsr()
    for _ in range(20_000):
        authorities = turned @ hubs
        authorities /= np.linalg.norm(authorities)
        new = matrix @ authorities
        new /= np.linalg.norm(new)
        change = np.abs(new - hubs).sum()
        hubs = new
        if change < 1e-14:
            break
    return hubs, authorities


def check_pagerank(graph, path):
    ours = scores_of(path, graph.nodes)
    compare(f"{graph.name}: pagerank, igraph", ours, graph.to_igraph().pagerank(implementation="prpack"))
    if graph.nodes < 10_000:
        theirs = networkx.pagerank(graph.to_networkx(), tol=1e-12 / graph.nodes, max_iter=2000)
        compare(f"{graph.name}: pagerank, networkx", ours, [theirs[node] for node in range(graph.nodes)])
        start = {0: 1.0, 1: 3.0}
        (path.parent / "preference").write_text("".join(f"{node}\t{weight}\n" for node, weight in start.items()))
        personal = scores_of(path, graph.nodes, "--preference", path.parent / "preference", "--dead-ends", "preference")
        theirs = networkx.pagerank(graph.to_networkx(), personalization=start, tol=1e-12 / graph.nodes, max_iter=2000)
        compare(f"{graph.name}: personalised, networkx", personal, [theirs[node] for node in range(graph.nodes)])


def check_networkit(graph, path):
    """NetworKit lets dead ends leak and then divides by the sum: our `drop`, divided by its sum, which is far below 1 and makes
    errors larger. So fewer digits are required."""
    ranking = networkit.centrality.PageRank(graph.to_networkit(), damp=0.85, tol=1e-13)
    ranking.norm = networkit.centrality.Norm.L1_NORM
    ranking.run()
    dropped = scores_of(path, graph.nodes, "--dead-ends", "drop", "--tolerance", "1e-11")
    compare(f"{graph.name}: pagerank, NetworKit", dropped / dropped.sum(), np.array(ranking.scores()))


def check_hits(graph, path):
    hubs, authorities = exact_hits(graph.matrix())
    options = ("--tolerance", 1e-13, "--iterations", 20_000)
    compare(f"{graph.name}: hubs, scipy", scores_of(path, graph.nodes, "--by", "hubs", *options), hubs)
    compare(f"{graph.name}: authorities, scipy", scores_of(path, graph.nodes, "--by", "authorities", *options), authorities)


def check_igraph_hits(graph, path):
    theirs = np.array(graph.to_igraph().hub_score())
    ours = scores_of(path, graph.nodes, "--by", "hubs", "--tolerance", 1e-13, "--iterations", 20_000)
    compare(f"{graph.name}: hubs, igraph", ours, theirs / np.linalg.norm(theirs))


def check_harmonic(graph, path):
    ours = scores_of(path, graph.nodes, "--by", "harmonic", "--samples", graph.nodes)
    theirs = np.array(graph.to_igraph().harmonic_centrality(mode="in", normalized=False))
    compare(f"{graph.name}: harmonic, igraph", ours, np.nan_to_num(theirs))
    if graph.nodes < 500:
        theirs = networkx.harmonic_centrality(graph.to_networkx())
        compare(f"{graph.name}: harmonic, networkx", ours, [theirs[node] for node in range(graph.nodes)])


def check_degrees(graph, path):
    matrix = graph.matrix()
    compare(f"{graph.name}: outdegree", scores_of(path, graph.nodes, "--by", "outdegree"), matrix.sum(1).A1)
    compare(f"{graph.name}: indegree", scores_of(path, graph.nodes, "--by", "indegree"), matrix.sum(0).A1)


def check_power_law(graph, path):
    """Exponents by Clauset's method, at our cut-off; igraph's own cut-off may only be a little nearer to its law, by its measure."""
    words = ["--by", "outdegree", "--count", "1", "--degrees", "--bootstrap", "0", "--json", "--quiet"]
    done = subprocess.run([PROGRAM, "seeds", path, *words], capture_output=True, timeout=600)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)["graph"]
    assert (told["nodes"], told["links"]) == (graph.nodes, len(graph.links)), told
    for side, mode in (("in_degrees", "in"), ("out_degrees", "out")):
        degrees = [degree for degree in graph.to_igraph().degree(mode=mode) if degree > 0]
        ours = told[side]
        theirs = igraph.power_law_fit(degrees, xmin=ours["cutoff"], method="discrete")
        assert ours["nodes"] == len(degrees) and ours["tail"] == sum(degree >= ours["cutoff"] for degree in degrees), ours
        compare(f"{graph.name}: exponent of {side}, igraph", np.array([ours["exponent"]]), [theirs.alpha], 1e-3)
        free = igraph.power_law_fit(degrees, method="discrete")
        assert theirs.D <= free.D + 0.02, f"{graph.name}: cut-off {ours['cutoff']} is at {theirs.D}, igraph's {free.xmin} at {free.D}"


def check_small(graph, folder):
    path = graph.write(folder)
    check_pagerank(graph, path)
    check_networkit(graph, path)
    check_hits(graph, path)
    check_degrees(graph, path)
    if graph.nodes <= HARMONIC_NODES_MAX:
        check_harmonic(graph, path)


def cnr_2000(folder):
    path = DATA / "law/cnr-2000/cnr-2000"
    done = subprocess.run([PROGRAM, "export", path, "--as", "tsv", "--quiet", folder / "cnr.tsv"], timeout=600)
    assert done.returncode == 0
    links = np.fromfile(folder / "cnr.tsv", sep="\n", dtype=np.int64).reshape(-1, 2)
    graph = Graph.__new__(Graph)
    graph.name, graph.nodes, graph.links = "cnr-2000", 325_557, links
    check_pagerank(graph, path)
    check_hits(graph, path)
    check_igraph_hits(graph, path)
    check_degrees(graph, path)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if sys.argv[1:] != ["shared"]:
            for seed in range(1, 6):
                check_small(random_graph(seed), folder)
            return 0
        if not DATA.exists():
            skip(f"needs the graphs in {DATA}")
        for graph in classics():
            check_small(graph, folder)
            check_power_law(graph, graph.write(folder))
        cnr_2000(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
