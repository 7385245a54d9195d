# SPDX-License-Identifier: Apache-2.0
"""What a crawl under a budget finds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Union

from . import _core
from ._words import refused
from .table import Table, Tabular

if TYPE_CHECKING:
    import numpy

    from .graph import Snapshot
    from .literals import Smooth

#: A score for each node, in their order, or for those that are named; who is not named scores 0.
NodeScores = Union[Mapping[str, float], Iterable[float]]
#: The same for links: a mapping names source and target.
LinkScores = Union[Mapping["tuple[str, str]", float], Iterable[float]]


def node_scores_of(graph: Snapshot, scores: NodeScores) -> numpy.ndarray[Any, Any]:
    """One for each node. Names that are not in the graph are ignored, as long as some are."""
    import numpy

    if not isinstance(scores, Mapping):
        return numpy.ascontiguousarray(scores, dtype=numpy.float64)
    values = numpy.zeros(graph.node_count)
    nodes = {name: graph.find(name) for name in scores}
    if scores and all(node is None for node in nodes.values()):
        raise refused("none of the scores is about a page of the graph")
    for name, node in nodes.items():
        if node is not None:
            values[node] = scores[name]
    return values


def link_scores_of(graph: Snapshot, scores: LinkScores | None) -> numpy.ndarray[Any, Any]:
    """One for each link, in the order of ``Snapshot.targets``."""
    import numpy

    if scores is None:
        return numpy.zeros(graph.link_count)
    if not isinstance(scores, Mapping):
        return numpy.ascontiguousarray(scores, dtype=numpy.float64)
    values = numpy.zeros(graph.link_count)
    starts, targets = graph.starts, graph.targets
    for (source_name, target_name), score in scores.items():
        source, target = graph.find(source_name), graph.find(target_name)
        if source is None or target is None:
            continue
        first, end = int(starts[source]), int(starts[source + 1])
        place = first + int(numpy.searchsorted(targets[first:end], target))
        if place < end and targets[place] == target:
            values[place] = score
    return values


def smoothed(scores: numpy.ndarray[Any, Any], smooth: Smooth) -> numpy.ndarray[Any, Any]:
    """Scores as they are, or 1 + ln x of counts x."""
    import numpy

    if smooth == "none":
        return scores
    if smooth != "log":
        raise refused(f"smooth {smooth}: not none or log")
    if ((scores > 0) & (scores < 1)).any():
        raise refused("smooth log: a count is 0 or at least 1")
    # Negative numbers stay, to be refused as scores.
    return numpy.where(scores > 0, 1 + numpy.log(numpy.where(scores > 0, scores, 1)), scores)


class Crawl(Tabular):
    """A simulated crawl: which pages it chose, in which order, and their value."""

    def __init__(self, core: _core.Crawl) -> None:
        self._core = core

    @property
    def seeds(self) -> list[str]:
        """The seeds; they cost nothing."""
        return self._core.seeds

    @property
    def order(self) -> list[str]:
        """The pages crawled after the seeds."""
        return self._core.order

    @property
    def steps(self) -> int:
        """How many there are: fewer than the budget if the frontier became empty."""
        return self._core.steps

    @property
    def budget(self) -> int:
        return self._core.budget

    @property
    def value(self) -> float:
        """The value of the crawl, seeds included."""
        return self._core.value

    @property
    def seeds_value(self) -> float:
        """The value of the seeds alone."""
        return self._core.seeds_value

    @property
    def oracle_value(self) -> float:
        """The value of a crawl from the same seeds that always takes the best page of the frontier."""
        return self._core.oracle_value

    @property
    def relative_to_oracle(self) -> float:
        """Value found in addition to the seeds, divided by what the oracle finds; above 1 if the crawl did better, which is possible."""
        oracle = self.oracle_value - self.seeds_value
        return (self.value - self.seeds_value) / oracle if oracle > 0 else 1.0

    @property
    def optimum(self) -> dict[str, Any] | None:
        """With ``explore(optimum=True)``: the value of the best crawl found, seeds included, a bound that no crawl exceeds, and whether
        both are the same."""
        found = self._core.optimum
        return None if found is None else dict(zip(("value", "bound", "exact"), found))

    @property
    def frontier(self) -> int:
        """Pages that were linked but not crawled at the end."""
        return self._core.frontier

    @property
    def ended(self) -> str:
        """Why it ended: the budget is spent, or the frontier is empty."""
        return self._core.ended

    def table(self) -> Table:
        """URL and score of every page in the order of crawling, and the value of the crawl so far."""
        return Table(self._core.table())

    def __repr__(self) -> str:
        return f"<webstrata.Crawl of {self.steps} pages, worth {self.value:.6g}>"
