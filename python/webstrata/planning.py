# SPDX-License-Identifier: Apache-2.0
"""What to do next: seeds of a crawl, and pages to test."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Callable, NamedTuple, cast

from . import _core
from .table import Table, Tabular


def outcome_of(answer: Any) -> str:
    """An outcome by its word; True is alive, False gone; a number is an HTTP status; None is unknown.

    >>> outcome_of(True), outcome_of(404), outcome_of("moved"), outcome_of(None)
    ('alive', 'gone', 'moved', 'unknown')
    """
    if isinstance(answer, str):
        return answer
    if answer is None:
        return "unknown"
    if isinstance(answer, int) and not isinstance(answer, bool):
        return _core.outcome_of_status(answer)
    return "alive" if answer else "gone"


def oracle_of(test: Callable[[str], Any]) -> Callable[[str], str]:
    return lambda url: outcome_of(test(url))


def pairs_of(truth: Mapping[str, Any] | Iterable[str]) -> tuple[list[tuple[str, str]], str]:
    """URLs and outcomes, and the outcome of all others."""
    if isinstance(truth, Mapping):
        return [(url, outcome_of(answer)) for url, answer in truth.items()], "unknown"
    return [(url, "alive") for url in truth], "gone"


class Seed(NamedTuple):
    """A page to start a crawl from, and why."""

    url: str
    node: int
    score: float
    why: str


class Core(NamedTuple):
    """Hubs that link to authorities; the density is the share of such links in percent."""

    hubs: list[str]
    authorities: list[str]
    density: float


class Replaced(NamedTuple):
    """A seed that vanished, and the page of a newer graph that replaces it, if there is one. ``reason`` says why it was taken;
    ``similarity`` is the share of common links, if that is the reason."""

    vanished: str
    url: str | None
    reason: str
    similarity: float


class Seeds(NamedTuple):
    """The seeds that were chosen, and what was found on the way. ``urls`` are those to begin with, including replacements;
    ``evaluation`` compares crawls from them with crawls from random pages; ``graph`` has sizes and the laws of degrees."""

    seeds: list[Seed]
    vanished: list[Seed]
    tests: int
    ended: str
    cores: list[Core]
    urls: list[str]
    replaced: list[Replaced]
    evaluation: dict[str, Any] | None
    graph: dict[str, Any] | None = None

    @staticmethod
    def of(found: dict[str, Any], name: Callable[[int], str]) -> Seeds:
        cores = [Core([name(node) for node in hubs], [name(node) for node in authorities], density)
                 for hubs, authorities, density in found["cores"]]
        return Seeds([Seed(*one) for one in found["seeds"]], [Seed(*one) for one in found["vanished"]], found["tests"],
                     found["ended"], cores, found["urls"], [Replaced(*one) for one in found["replaced"]],
                     None if found["evaluation"] is None else json.loads(found["evaluation"]),
                     None if found["graph"] is None else json.loads(found["graph"]))


class Reason(NamedTuple):
    """What speaks for or against a page."""

    what: str
    value: float
    weight: float


class Planner:
    """A LiveRank method: says which pages to test next, and learns from the answers."""

    def __init__(self, core: _core.Planner) -> None:
        self._core = core

    def next(self, count: int | None = None) -> list[str]:
        """Up to this number of URLs to test next, best first, none named before; empty at the end."""
        return self._core.next(count)

    def learn(self, answers: Mapping[str, Any]) -> int:
        """Learns the outcomes of URLs; returns how many pages are decided for the first time."""
        return self._core.learn([(url, outcome_of(answer)) for url, answer in answers.items()])

    def why(self, url: str) -> list[Reason]:
        """The reasons for its current estimate of a page."""
        return [Reason(*one) for one in self._core.why(url)]

    @property
    def live_count(self) -> int:
        return self._core.live_count

    @property
    def decided_count(self) -> int:
        return self._core.decided_count


class LiveRun(Tabular):
    """A planner's run: which pages were tested, in which order, and what was found."""

    def __init__(self, core: _core.LiveRun) -> None:
        self._core = core

    @property
    def tests(self) -> int:
        return self._core.tests

    @property
    def found(self) -> int:
        """Live pages among those tested."""
        return self._core.found

    @property
    def live(self) -> int | None:
        """Total number of live pages, if the truth is complete."""
        return self._core.live

    @property
    def pages(self) -> int:
        """Number of pages in the population."""
        return self._core.pages

    @property
    def ended(self) -> str:
        """Why it ended: all pages, budget, alpha or price."""
        return self._core.ended

    @property
    def outcomes(self) -> dict[str, int]:
        """How many answers there were of each kind."""
        return self._core.outcomes

    @property
    def requests(self) -> int:
        """Requests that probes sent, including those for robots.txt; 0 without a probe."""
        return self._core.requests

    @property
    def files(self) -> list[str]:
        """WARC files and sightings of a probe for ``webstrata.update``, if it had a folder ``out``."""
        return self._core.files

    @property
    def estimate(self) -> tuple[float, float, float] | None:
        """Total number of live pages estimated from the sample, with a 95 % interval."""
        return cast("tuple[float, float, float] | None", self._core.estimate)

    def cost(self, alpha: float, live: int | None = None) -> float | None:
        """Tests until a share alpha of the live pages was found, per page found; 1 is ideal. None: not reached."""
        return self._core.cost(alpha, self._live(live))

    def area(self, live: int | None = None) -> float | None:
        """The mean cost at alpha .10, .11, …, .95."""
        return self._core.area(self._live(live))

    def _live(self, live: int | None) -> int:
        known = self.live if live is None else live
        return self.found if known is None else known

    def table(self) -> Table:
        """URL and finding of every test, in order."""
        return Table(self._core.table())

    def __repr__(self) -> str:
        return f"<webstrata.LiveRun: {self.found} live pages in {self.tests} tests>"
