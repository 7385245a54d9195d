# SPDX-License-Identifier: Apache-2.0
"""The nodes and links of a graph as arrays and tables, and its forms for other tools."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from . import _core
from ._progress import ProgressWish, Showing
from ._words import PathLike, refused
from .literals import GraphForm
from .table import Table

if TYPE_CHECKING:
    import networkx
    import numpy
    import scipy.sparse

    Floats = numpy.ndarray[Any, Any]


def floats_of(values: Iterable[float] | None) -> Any:
    import numpy

    return None if values is None else numpy.ascontiguousarray(values, dtype=numpy.float64)


def _attributes(table: Table, without: tuple[str, ...]) -> list[dict[str, Any]]:
    """The rows of a table as dictionaries of what is known."""
    columns = {name: table.values(name) for name in table.column_names if name not in without}
    if not columns:
        return [{} for _ in range(len(table))]
    return [{name: value for name, value in zip(columns, row) if value is not None} for row in zip(*columns.values())]


class GraphArrays:
    """What a Snapshot consists of; nodes are numbers from 0, with names."""

    def __init__(self, core: _core.Snapshot) -> None:
        self._core = core
        self._names: _core.Column | None = None

    @property
    def node_count(self) -> int:
        return self._core.node_count

    @property
    def link_count(self) -> int:
        return self._core.link_count

    def _name_column(self) -> _core.Column:
        if self._names is None:
            self._names = self._core.names()
        return self._names

    @property
    def names(self) -> list[str]:
        """The name of each node; without names its number."""
        return self._name_column().pylist()

    def name(self, node: int) -> str:
        return self._core.name(node)

    def find(self, name: str) -> int | None:
        """The node of that name; None if there is none."""
        return self._core.find(name)

    def uid(self, node: int) -> int | None:
        """Its number in the archive that the graph came from."""
        return self._core.uid(node)

    def _node(self, node: int | str) -> int:
        found = self.find(node) if isinstance(node, str) else node
        if found is None:
            raise refused(f"{node}: not a node of this graph", "not_found")
        return found

    def successors(self, node: int | str) -> Floats:
        """The nodes that it links to, ascending: a view of the graph's memory."""
        return self._core.successors(self._node(node)).numpy()

    def predecessors(self, node: int | str) -> Floats:
        """The nodes that link to it, ascending: a view of the graph's memory."""
        return self._core.predecessors(self._node(node)).numpy()

    @property
    def starts(self) -> Floats:
        """Where the list of each node begins in ``targets``, and where the last ends: a view of the graph's memory."""
        return self._core.starts().numpy()

    @property
    def targets(self) -> Floats:
        """The lists of all nodes, one after the other: a view of the graph's memory.

        >>> graph = webstrata.Snapshot.from_links([(0, 2), (1, 2)])
        >>> graph.targets[graph.starts[1]:graph.starts[2]]
        array([2], dtype=uint32)
        """
        return self._core.targets().numpy()

    def links(self, names: bool = False) -> Table:
        """All links: ``source`` and ``target``, and what else is known about them (``columns=True`` loads it).

        With ``names`` nodes are given by name (a dictionary in Arrow, a categorical in pandas). ``target`` is the
        graph's own memory either way.
        """
        return Table(self._core.links(self._name_column() if names else None))

    edges = links

    def nodes(self) -> Table:
        """All nodes: name, uid, and what else is known about them."""
        return Table(self._core.nodes(self._name_column()))

    def export(self, path: PathLike, form: GraphForm = "tsv", threads: int = 0, progress: ProgressWish = None) -> None:
        """Writes the graph in a format of other tools: ``tsv``, ``ascii``, ``bvgraph``, ``commoncrawl``, ``graphml`` or ``gexf``, as
        ``webstrata export`` does. ``bvgraph`` and ``commoncrawl`` write several files, whose names begin with ``path``.

        In GraphML and GEXF nodes have their PageRank, which is computed; captures, weights and dates need a graph with
        ``columns=True``. Files appear only when they are complete.

        >>> import pathlib, tempfile
        >>> file = pathlib.Path(tempfile.mkdtemp()) / "links.tsv"
        >>> webstrata.Snapshot.from_links([("a", "b"), ("b", "c")]).export(file)
        >>> file.read_text().splitlines()
        ['a\\tb', 'b\\tc']
        """
        with Showing(progress) as tell:
            _core.export_graph(self._core, form, os.fspath(path), threads, tell)

    def to_scipy(self, weights: Iterable[float] | None = None) -> scipy.sparse.csr_array:
        """The adjacency matrix: row i has a 1, or the link's weight, for each target of node i.

        >>> webstrata.Snapshot.from_links([(0, 1), (1, 0)]).to_scipy().toarray()
        array([[0., 1.],
               [1., 0.]])
        """
        import numpy
        import scipy.sparse

        data = numpy.ones(self.link_count) if weights is None else floats_of(weights)
        small = self.link_count < 2**31 and self.node_count < 2**31
        # SciPy wants signed numbers: below 2**31 the same bytes mean the same, so targets are not copied.
        indices = self.targets.view(numpy.int32) if small else self.targets.astype(numpy.int64)
        starts = self.starts.astype(numpy.int32) if small else self.starts.view(numpy.int64)
        return scipy.sparse.csr_array((data, indices, starts), shape=(self.node_count, self.node_count))

    def to_networkx(self, columns: bool = False) -> networkx.DiGraph[Any]:
        """A networkx.DiGraph whose nodes are names. With ``columns`` nodes and links have what the graph knows about them as
        attributes; values that are not known are left out.

        >>> sorted(webstrata.Snapshot.from_links([("a", "b")]).to_networkx().edges)
        [('a', 'b')]
        >>> library = webstrata.open(example_archive)
        >>> network = library.snapshot(at="2021", level="host", columns=True).to_networkx(columns=True)
        >>> network.nodes["docs.example"]["captures"] > 0
        True
        """
        import networkx

        graph: networkx.DiGraph[Any] = networkx.DiGraph()
        names = self.names
        links = self.links()
        ends = [names[i] for i in links["source"]], [names[i] for i in links["target"]]
        if not columns:
            graph.add_nodes_from(names)
            graph.add_edges_from(zip(*ends))
            return graph
        graph.add_nodes_from(zip(names, _attributes(self.nodes(), ("name",))))
        graph.add_edges_from(zip(*ends, _attributes(links, ("source", "target"))))
        return graph

    def to_igraph(self, columns: bool = False) -> Any:
        """A directed igraph.Graph; the attribute ``name`` of a vertex is its name. With ``columns`` vertices and edges have what
        the graph knows about them as attributes, None where it is not known.

        >>> graph = webstrata.Snapshot.from_links([("a", "b"), ("b", "c")]).to_igraph()
        >>> graph.vs["name"], graph.get_edgelist()
        (['a', 'b', 'c'], [(0, 1), (1, 2)])
        """
        import igraph  # type: ignore[import-untyped,unused-ignore]

        graph = igraph.Graph(n=self.node_count, edges=self.edge_index().T, directed=True)
        graph.vs["name"] = self.names
        if columns:
            nodes, links = self.nodes(), self.links()
            for name in nodes.column_names:
                graph.vs[name] = nodes.values(name)
            for name in links.column_names:
                if name not in ("source", "target"):
                    graph.es[name] = links.values(name)
        return graph

    def to_networkit(self) -> Any:
        """A directed networkit.Graph with the same numbers of nodes; ``names`` has their names.

        >>> graph = webstrata.Snapshot.from_links([(0, 1), (1, 2)]).to_networkit()
        >>> graph.numberOfNodes(), graph.numberOfEdges(), graph.isDirected()
        (3, 2, True)
        """
        import networkit  # type: ignore[import-untyped,unused-ignore]
        import numpy

        sources, targets = self.edge_index().astype(numpy.uint64)
        return networkit.GraphFromCoo((sources, targets), n=self.node_count, directed=True)

    def edge_index(self) -> Floats:
        """All links as two rows of node numbers (64 bit, a copy): what PyTorch Geometric and DGL take, as
        ``Data(edge_index=torch.from_numpy(graph.edge_index()), num_nodes=graph.node_count)`` and
        ``dgl.graph(tuple(torch.from_numpy(graph.edge_index())), num_nodes=graph.node_count)``.

        >>> webstrata.Snapshot.from_links([(0, 2), (1, 2)]).edge_index()
        array([[0, 1],
               [2, 2]])
        """
        import numpy

        return numpy.stack([self.links()["source"].astype(numpy.int64), self.targets.astype(numpy.int64)])
