# SPDX-License-Identifier: Apache-2.0
"""One graph at one time, in memory."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Callable, Union

from . import _core
from ._html import table_html
from ._progress import ProgressWish, Showing
from ._words import PathLike, refused, report_of, words_of
from .exploring import Crawl, LinkScores, NodeScores, link_scores_of, node_scores_of, smoothed
from .graph_arrays import GraphArrays, floats_of
from .literals import (
    CrawlTies, CrawlValue, DeadEnds, Dialect, Estimator, Level, PageRankMethod, PlannerName, PlannerTies, Ranking,
    RecrawlPolicy, SampleKind, Sameness, Scope, SeedMethod, Smooth, Target)
from .planning import LiveRun, Planner, Seeds, oracle_of, pairs_of
from .table import Table, Tabular

if TYPE_CHECKING:
    import numpy

    Floats = numpy.ndarray[Any, Any]


def _labels(titles: list[str]) -> list[str]:
    """What distinguishes graphs: their dates, or else their names."""
    dates = [title.partition("@")[2] for title in titles]
    labels = dates if len(titles) > 1 and all(dates) and len(set(dates)) == len(dates) else titles
    if len(set(labels)) < len(labels):
        raise refused("the same graph is given twice")
    return labels


def _truth_title(truth: Any) -> str:
    return truth._title if isinstance(truth, Snapshot) else "a list of outcomes"


class Scores(Tabular):
    """A score for each node of a graph, and how the computation ended.

    >>> graph = webstrata.Snapshot.from_links([("a", "b"), ("c", "b")])
    >>> ranked = graph.pagerank()
    >>> ranked.converged, ranked.top(1)[0][0]
    (True, 'b')
    >>> len(ranked.scores)
    3
    >>> list(ranked.to_pandas().columns)
    ['name', 'score']
    """

    def __init__(self, graph: Snapshot, table: _core.Table, how: dict[str, Any], ranking: Ranking = "pagerank", seed: int = 1) -> None:
        self._ranking = ranking
        self._seed = seed
        self._graph = graph
        self._table = Table(table)
        self.converged: bool = how["converged"]
        #: On the L1 distance to the exact scores (for HITS: the last change; for sampled harmonic centrality: 95 %).
        self.error_bound: float = how["error_bound"]
        self.iterations: int = how["iterations"]
        #: Of HyperBall; else 0.
        self.standard_error: float = how.get("standard_error", 0.0)

    @property
    def scores(self) -> Floats:
        """One per node: a view of the memory, not a copy. For HITS, those of the authorities."""
        return self._table[self._table.column_names[-1]]

    @property
    def hubs(self) -> Floats:
        """Of HITS."""
        return self._table["hub"]

    @property
    def authorities(self) -> Floats:
        """Of HITS."""
        return self._table["authority"]

    def top(self, count: int = 10, by: str | None = None) -> list[tuple[str, float]]:
        """The nodes with the highest scores, highest first, equal ones by their number."""
        import numpy

        scores = self.scores if by is None else self._table[by]
        order = numpy.lexsort((numpy.arange(len(scores)), -scores))[:count]
        return [(self._graph.name(int(node)), float(scores[node])) for node in order]

    def table(self) -> Table:
        """Names and scores."""
        return Table(_core.Table([self._graph._name_column(), *self._table._core.columns]))

    def report(self, path: PathLike, *others: Scores) -> None:
        """Writes a report page: the distribution of scores and the highest ones. With ``others``, scores of the same ranking on
        other graphs such as later dates, also what rises and falls.

        >>> import pathlib, tempfile
        >>> library = webstrata.open(example_archive)
        >>> earlier, later = (library.snapshot(at=year).pagerank() for year in ("2021", "2023"))
        >>> page = pathlib.Path(tempfile.mkdtemp()) / "rank.html"
        >>> earlier.report(page, later)
        >>> page.stat().st_size > 1000
        True
        """
        every = [self, *others]
        if any(one._ranking != self._ranking for one in others):
            raise refused("a report page compares scores of one ranking")
        graphs = [_core.ranked_graph(
            one._graph._title, label, one._graph._core, floats_of(one.scores), one.converged, one.error_bound, one.iterations,
            one.standard_error) for one, label in zip(every, _labels([one._graph._title for one in every]))]
        level = self._graph._level
        command = f"webstrata rank {' '.join(one._graph._title for one in every)} --by {self._ranking}"
        if level != "page":
            command += f" --level {level}"
        sampled = self._ranking == "harmonic" and every[-1].error_bound > 0
        chance = (f"Scores from a sample drawn with seed {self._seed}." if sampled else "Nothing here is random: there is no seed.")
        _core.rank_report(graphs, self._ranking, level, command, chance, report_of(path))

    def _repr_html_(self) -> str:
        """What a notebook shows: the highest scores, and how the computation ended."""
        how = f"converged, error at most {self.error_bound:.1e}" if self.converged else "not converged"
        caption = f"webstrata.Scores of {len(self.scores):,} nodes by {self._ranking} ({how})"
        rows = self.top(10)
        note = f"The highest {len(rows)} of {len(self.scores):,}." if len(rows) < len(self.scores) else ""
        return table_html(caption, ["name", "score"], rows, note)

    def __repr__(self) -> str:
        return f"<webstrata.Scores of {len(self.scores)} nodes: {', '.join(self._table.column_names)}>"


class Snapshot(GraphArrays):
    """One graph at one time: nodes are numbers from 0, with names. It never changes.

    >>> graph = webstrata.Snapshot.from_links([("a", "b"), ("a", "c"), ("c", "a")])
    >>> graph.node_count, graph.link_count
    (3, 3)
    >>> graph.successors("a")
    array([1, 2], dtype=uint32)
    """

    def __init__(self, core: _core.Snapshot, archives: Iterable[str] = (), title: str = "graph", level: Level = "page") -> None:
        super().__init__(core)
        # What reports call it.
        self._title = title
        self._level = level
        # Where it comes from: URLs that these archives forgot are named by no seeds, plan or crawl.
        self._archives = list(archives)

    @staticmethod
    def from_links(
        links: Iterable[tuple[Any, Any]] | Floats, node_count: int | None = None
    ) -> Snapshot:
        """A graph from pairs of names, which are numbered in their order of appearance, or of node numbers.

        >>> webstrata.Snapshot.from_links([(0, 1), (1, 2)], node_count=4).node_count
        4
        """
        import numpy

        pairs = links if isinstance(links, numpy.ndarray) else list(links)
        if not isinstance(pairs, numpy.ndarray) and any(isinstance(end, str) for pair in pairs for end in pair):
            numbers: dict[str, int] = {}
            ends = [(numbers.setdefault(source, len(numbers)), numbers.setdefault(target, len(numbers))) for source, target in pairs]
            array = numpy.array(ends, dtype=numpy.uint32).reshape(-1, 2)
            return Snapshot(_core.from_links(len(numbers), array[:, 0].copy(), array[:, 1].copy(), list(numbers)))
        wide = numpy.asarray(pairs, dtype=numpy.int64).reshape(-1, 2)
        if wide.size and (wide.min() < 0 or wide.max() >= 2**32 - 1):
            raise refused("nodes are numbers from 0 below 2**32 - 1")
        array = wide.astype(numpy.uint32)
        count = int(wide.max()) + 1 if node_count is None and wide.size else node_count or 0
        return Snapshot(_core.from_links(count, array[:, 0].copy(), array[:, 1].copy()))

    def __repr__(self) -> str:
        return f"<webstrata.Snapshot of {self.node_count} nodes and {self.link_count} links>"

    def transposed(self) -> Snapshot:
        """The graph with all links inverted; the memory is shared."""
        return Snapshot(self._core.transposed(), self._archives, self._title, self._level)

    def viewed(self, level: Level = "page", fold: Dialect | None = None, inner_links: bool = True) -> Snapshot:
        """The graph with pages joined into hosts or domains, or joined if they are the same page in a dialect.

        >>> graph = webstrata.Snapshot.from_links([("http://a.org/1", "http://b.org/2")])
        >>> graph.viewed("host").names
        ['a.org', 'b.org']
        """
        return Snapshot(self._core.viewed(level, fold or "", inner_links)[0], self._archives, self._title, level)

    def pagerank(
        self, damping: float = 0.85, tolerance: float = 1e-9, iterations_max: int = 200,
        preference: Iterable[float] | None = None, dead_ends: DeadEnds = "uniform", method: PageRankMethod = "gauss-seidel",
        link_weights: Iterable[float] | None = None, start: Iterable[float] | None = None, threads: int = 0,
        progress: ProgressWish = None,
    ) -> Scores:
        """PageRank: the share of time that a random surfer spends at each node.

        ``dead_ends`` says what the surfer does at a node without links: jump to any node (``uniform``), to one drawn
        from the ``preference``, or be lost (``drop``).

        >>> scores = webstrata.Snapshot.from_links([(0, 1)]).pagerank(damping=0.5).scores
        >>> [round(float(score), 6) for score in scores]
        [0.4, 0.6]
        """
        with Showing(progress) as tell:
            table, how = _core.pagerank(
                self._core, damping, tolerance, iterations_max, floats_of(preference), dead_ends, method,
                floats_of(link_weights), floats_of(start), threads, tell)
        return Scores(self, table, how)

    def hits(self, iterations: int = 60, tolerance: float = 0, threads: int = 0, progress: ProgressWish = None) -> Scores:
        """HITS: good hubs link to good authorities.

        >>> found = webstrata.Snapshot.from_links([("a", "c"), ("b", "c"), ("a", "d")]).hits()
        >>> found.top(1, by="hub")[0][0], found.top(1, by="authority")[0][0]
        ('a', 'c')
        """
        with Showing(progress) as tell:
            table, how = _core.hits(self._core, iterations, tolerance, threads, tell)
        return Scores(self, table, how, "authorities")

    def rank(
        self, by: Ranking = "pagerank", samples: int = 0, registers: int = 0, seed: int = 1, threads: int = 0,
        progress: ProgressWish = None, report: PathLike | None = None,
    ) -> Scores:
        """Scores by any of the rankings of ``webstrata rank --by``: see ``webstrata.rankings()``.
        ``report`` names a file for a report page; ``Scores.report`` compares several graphs on one page.

        >>> webstrata.Snapshot.from_links([("a", "b"), ("c", "b")]).rank("indegree").scores
        array([0., 2., 0.])
        """
        with Showing(progress) as tell:
            table, how = _core.rank(self._core, by, samples, registers, seed, threads, tell)
        ranked = Scores(self, table, how, by, seed)
        if report is not None:
            ranked.report(report)
        return ranked

    def seeds(
        self, by: SeedMethod = "pandora", count: int = 10, seed: int = 1,
        truth: Snapshot | Callable[[str], bool] | None = None, tests_max: int = 0, density: float = 100, size: int = 0,
        inner_links: bool = False, threads: int = 0, progress: ProgressWish = None, report: PathLike | None = None,
        replace: Snapshot | None = None, evaluate: Snapshot | bool = False, depth_max: int | None = None,
        iterations: int = 60, tolerance: float = 0, cold_start: bool = False, degrees: bool = False, bootstrap: int = 100,
        scope: Scope = "captured",
    ) -> Seeds:
        """Where to start the next crawl. ``by`` is one of ``webstrata.seed_methods()``.

        With a ``truth``, a newer graph or a function of a URL, only pages that are still alive are chosen. With ``replace``,
        a newer graph, seeds that vanished are replaced by similar pages of it. ``evaluate`` compares crawls from the seeds,
        down to ``depth_max``, with crawls from random pages: on this graph if True, or on another one; ``scope`` is captured,
        or all for crawls that also count pages that were only linked to, which a graph without columns always does. URLs that the
        archives of these graphs have forgotten are left out, so there may be fewer than ``count``. ``report`` names a file
        for a report page. ``density`` and what follows belong to ``cores``; ``iterations``, ``tolerance`` and ``cold_start``
        are those of HITS before each core. With ``degrees``, the ``graph`` of the result has the numbers of nodes, links and
        links between hosts, and power laws that fit the degrees, with p-values from ``bootstrap`` synthetic samples.

        >>> library = webstrata.open(example_archive)
        >>> chosen = library.snapshot(at="2021").seeds(by="outdegree", count=3, truth=lambda url: "doc" in url)
        >>> len(chosen.seeds), chosen.tests >= 3
        (3, True)
        >>> newer = library.snapshot(during=("2023", None), columns=True)
        >>> again = library.snapshot(at="2021", columns=True).seeds(by="outdegree", count=3, replace=newer, evaluate=newer)
        >>> len(again.urls) <= 3, again.evaluation["seeds"] <= 3
        (True, True)
        """
        newer = truth._core if isinstance(truth, Snapshot) else None
        test = None if truth is None or newer is not None else truth
        other = evaluate if isinstance(evaluate, Snapshot) else None
        command = f"webstrata seeds {self._title} --by {by} --count {count} --seed {seed}"
        archives = list(self._archives)
        for flag, graph in (("--truth", truth), ("--replace", replace), ("--evaluate", other)):
            if isinstance(graph, Snapshot):
                command += f" {flag} {graph._title}"
                archives += graph._archives
        newer_title = next((graph._title for graph in (other, truth, replace) if isinstance(graph, Snapshot)), "")
        wishes = _core.SeedsWishes(
            None if replace is None else replace._core, evaluate is not False, None if other is None else other._core, depth_max,
            report_of(report), self._title, newer_title, command, degrees, bootstrap,
            scope)
        with Showing(progress) as tell:
            found = _core.seeds(
                self._core, by, count, seed, test, newer, tests_max, density, size, inner_links, threads, tell, archives, wishes,
                iterations, tolerance, cold_start)
        return Seeds.of(found, self.name)

    def planner(
        self, by: PlannerName = "auto", seed: int = 1, target: Target = "present", same: Sameness = "auto", scope: Scope = "captured",
        undirected: bool = False, sample: SampleKind | None = None, sample_size: float | None = None, no_neighbours: bool = False,
        per_site: int = 0, ties: PlannerTies | None = None, round: float | None = None, threads: int = 0,
        progress: ProgressWish = None, _sample_min: int = 0,
    ) -> Planner:
        """A LiveRank method, step by step: it names pages to test and learns from the answers.

        ``by`` is one of ``webstrata.planners()``; the other options are those of ``webstrata liverank``. URLs that the
        graph's archive has forgotten are never named.

        >>> library = webstrata.open(example_archive)
        >>> planner = library.snapshot(at="2021", columns=True).planner("lore", seed=7)
        >>> pages = planner.next(10)
        >>> planner.learn({page: "alive" for page in pages})
        10
        """
        with Showing(progress) as tell:
            field = _core.field(self._core, target, same, scope, undirected, threads, tell)
        return Planner(_core.planner(
            field, by, seed, sample, sample_size, no_neighbours, ties, round, _sample_min, self._archives, per_site))

    def liverank(
        self, truth: Union[Snapshot, Mapping[str, Any], Iterable[str], Callable[[str], Any], None] = None,
        by: PlannerName = "auto",
        budget: int | None = None, alpha: float = 1, price: float = 0, dead_host: int = 0, dead_domain: int = 0,
        progress: ProgressWish = None, report: PathLike | None = None, per_day: int = 0,
        probe: Mapping[str, Any] | None = None, **options: Any,
    ) -> LiveRun:
        """Finds out, with as few tests as possible, which old pages are still alive.

        The ``truth`` is a newer graph; a dictionary of URLs and outcomes; a list of live URLs (all others are gone); or a
        function that tests a URL and returns an outcome (``"alive"``, ``"gone"`` …), an HTTP status, or True or False: it
        is called for one URL at a time. Tests are counted. With ``probe`` instead of a truth, the pages are tested on the
        web; it has the settings of ``webstrata.probe``: ``probe={"agent": "me (me@archive.example)"}``.

        ``budget``, ``alpha``, ``price``, ``dead_host`` and ``dead_domain`` end the run as on the command line; other options
        are those of ``planner``. ``report`` names a file for a report page, which needs a truth that is not a function; it shows
        how long the tests take at ``per_day`` requests per day.

        >>> library = webstrata.open(example_archive)
        >>> old = library.snapshot(at="2021", columns=True)
        >>> newer = library.snapshot(during=("2023", None), columns=True)
        >>> run = old.liverank(newer, budget=100)
        >>> run.tests, run.found > 60
        (100, True)
        >>> asked = old.liverank(lambda url: 200 if newer.find(url) is not None else 404, budget=20)
        >>> asked.tests
        20
        """
        if alpha < 1 and "sample_size" not in options:
            options["_sample_min"] = 200  # whoever stops by an estimate needs more than a handful of tests for it
        if (truth is None) == (probe is None):
            raise refused("liverank needs a truth, or the settings of a probe, and not both")
        planner = self.planner(by, progress=progress, **options)._core
        limits = _core.RunLimits(budget, alpha, price, dead_host, dead_domain)
        file = report_of(report)
        if file and callable(truth):
            raise refused("report= needs the whole truth: a newer graph, or the outcomes of all pages")
        with Showing(progress) as tell:
            if truth is None:
                known = self._archives[0] if self._archives else ""
                found = planner.run_on_the_web(words_of(dict(probe or {})), known, limits, tell)
            elif isinstance(truth, Snapshot):
                found = planner.run_against(truth._core, limits, tell)
            elif callable(truth):
                found = planner.run_asking(oracle_of(truth), limits, tell)
            else:
                found = planner.run_listed(*pairs_of(truth), limits, tell)
        if file:
            newer = "what probes found" if truth is None else _truth_title(truth)
            how = "--probe" if truth is None else f"--truth {newer}"
            found.report(file, self._title, newer, f"webstrata liverank {self._title} {how} --by {by}", per_day)
        return LiveRun(found)

    def compare_planners(
        self, truth: Union[Snapshot, Mapping[str, Any], Iterable[str]], methods: str | Iterable[PlannerName] = "methods", seeds: int = 5,
        seed: int = 1, target: Target = "present", same: Sameness = "auto", scope: Scope = "captured", undirected: bool = False,
        threads: int = 0, progress: ProgressWish = None, report: PathLike | None = None, per_day: int = 0,
    ) -> dict[str, Any]:
        """What LiveRank methods cost on a truth that is known: what ``webstrata liverank --compare --json`` prints.

        ``methods`` are names; ``"methods"`` stands for all of ``webstrata.planners()``, ``"all"`` adds the samples of the papers.
        Methods with chance run with ``seeds`` seeds, from ``seed`` on. ``report`` names a file for a page with pictures.

        >>> library = webstrata.open(example_archive)
        >>> old = library.snapshot(at="2021", columns=True)
        >>> newer = library.snapshot(during=("2023", None), columns=True)
        >>> table = old.compare_planners(newer, ["indegree", "auto"], seeds=2)
        >>> [row["method"] for row in table["rows"]]
        ['indegree', 'auto']
        """
        names = methods if isinstance(methods, str) else ",".join(methods)
        newer, pairs, otherwise = (truth._core, [], "unknown") if isinstance(truth, Snapshot) else (None, *pairs_of(truth))
        with Showing(progress) as tell:
            field = _core.field(self._core, target, same, scope, undirected, threads, tell)
            found = _core.compare_planners(
                field, newer, pairs, otherwise, names, seed, seeds, threads, report_of(report), self._title, _truth_title(truth),
                per_day, tell)
        known: dict[str, Any] = json.loads(found)
        return known

    def explore(
        self, scores: NodeScores, budget: int, by: Estimator = "extra", seeds: Iterable[int | str] | None = None,
        link_scores: LinkScores | None = None, set_size: int = 0, score_above: float = 0, value: CrawlValue = "sum", seed: int = 1,
        refresh: int = 1, greedy: float = 1, slack: float = 0, ties: CrawlTies = "first", without_seeds: bool = False,
        switch: int | None = None, first: Estimator = "nh-ne-sum", experts: Iterable[Estimator] = (), damping: float = 0.2,
        scope: Scope = "captured", smooth: Smooth = "none", optimum: bool = False, threads: int = 0, progress: ProgressWish = None,
    ) -> Crawl:
        """Simulates a crawl of ``budget`` pages that sees only what it has crawled.

        ``scores`` are the scores of pages: one for each node, or a dictionary of names; ``link_scores`` the same for
        links. ``by`` is one of ``webstrata.estimators()``. Without ``seeds`` some pages that score are drawn, ``set_size``
        of those above ``score_above``. ``optimum`` also finds the best possible crawl. The other options are those of
        ``webstrata explore``; ``scope`` needs a graph that knows its captures (``snapshot(columns=True)``), and a graph without
        them is crawled whole.

        >>> graph = webstrata.Snapshot.from_links([("a", "b"), ("a", "c"), ("b", "d"), ("c", "e")])
        >>> found = graph.explore({"a": 1, "b": 0.5, "c": 1, "d": 3}, budget=2, by="oracle", seeds=["a"], optimum=True)
        >>> found.order, found.value, found.optimum
        (['c', 'b'], 2.5, {'value': 4.5, 'bound': 4.5, 'exact': True})
        """
        nodes = None if seeds is None else [self._node(one) for one in seeds]
        words = _core.CrawlWords(
            value, seed, refresh, greedy, slack, ties, without_seeds, switch, damping, first, list(experts), scope)
        with Showing(progress) as tell:
            return Crawl(_core.explore(
                self._core, by, budget, smoothed(node_scores_of(self, scores), smooth),
                smoothed(link_scores_of(self, link_scores), smooth), nodes, set_size, score_above, words, threads, tell,
                self._archives, optimum))

    def compare_estimators(
        self, scores: NodeScores, budget: int, estimators: str | Iterable[Estimator] = "all", link_scores: LinkScores | None = None,
        sets: int = 20, set_size: int = 0, score_above: float = 0, seed: int = 1, refresh: int = 1, greedy: float = 1,
        slack: float = 0, ties: CrawlTies = "first", without_seeds: bool = False, switch: int | None = None,
        first: Estimator = "nh-ne-sum", experts: Iterable[Estimator] = (), damping: float = 0.2, scope: Scope = "captured",
        smooth: Smooth = "none", optimum: bool = False, strategies: Iterable[tuple[float, float]] = (), refreshes: Iterable[int] = (),
        threads: int = 0, progress: ProgressWish = None, report: PathLike | None = None, topic: str = "scores",
    ) -> dict[str, Any]:
        """Simulates crawls by several estimators from ``sets`` sets of seeds: what ``webstrata explore --compare --json`` prints.

        ``report`` names a file for a report page, which calls the scores ``topic``; ``strategies`` are pairs of q and zeta for
        its Figure 1, and ``refreshes`` the refresh rates of its Figure 2.

        >>> graph = webstrata.Snapshot.from_links([("a", "b"), ("a", "c"), ("b", "d"), ("c", "e"), ("e", "a")])
        >>> found = graph.compare_estimators({"a": 1, "c": 1, "d": 3}, budget=2, estimators=["bf", "extra"], sets=2)
        >>> [row["estimator"] for row in found["estimators"]]
        ['bf', 'extra']
        """
        names = estimators if isinstance(estimators, str) else ",".join(estimators)
        words = _core.CrawlWords(
            "sum", seed, refresh, greedy, slack, ties, without_seeds, switch, damping, first, list(experts), scope)
        with Showing(progress) as tell:
            found = _core.compare_estimators(
                self._core, names, budget, smoothed(node_scores_of(self, scores), smooth),
                smoothed(link_scores_of(self, link_scores), smooth), sets, set_size, score_above, words, threads, tell,
                report_of(report), self._title, topic, optimum, ",".join(f"{q}:{z}" for q, z in strategies),
                ",".join(str(rate) for rate in refreshes))
        known: dict[str, Any] = json.loads(found)
        return known

    def recrawl(
        self, scores: NodeScores, budget: int, days: float, by: Estimator = "extra", policy: RecrawlPolicy = "hedged",
        link_scores: LinkScores | None = None, off_site: bool = False, seed: int = 1, ties: CrawlTies = "first", threads: int = 0,
        progress: ProgressWish = None,
    ) -> Table:
        """Plans ``budget`` visits in ``days`` days, in which known pages compete with new ones: ``webstrata explore --recrawl``.

        Columns: ``url``, visits in that time (which need not be whole), what a visit now would gain, and whether the page is new.
        The largest gain comes first. The graph must know its captures: ``snapshot(columns=True)``. ``policy`` is hedged,
        optimal, proportional or uniform. ``off_site`` adds new pages on hosts of which no page was captured.

        >>> library = webstrata.open(example_archive)
        >>> graph = library.snapshot(columns=True)
        >>> plan = graph.recrawl({name: 1 for name in graph.names}, budget=20, days=30)
        >>> plan.column_names, round(sum(plan.values("visits")))
        (['url', 'visits', 'gain', 'new'], 20)
        """
        words = _core.CrawlWords("sum", seed, 1, 1, 0, ties, False, None, 0.2, "nh-ne-sum")
        with Showing(progress) as tell:
            return Table(_core.recrawl(
                self._core, by, budget, days, policy, node_scores_of(self, scores), link_scores_of(self, link_scores), words, threads,
                tell, self._archives, off_site))


def load_graph(path: PathLike, urls: PathLike | None = None, threads: int = 0, progress: ProgressWish = None) -> Snapshot:
    """Loads a graph from a file: BVGraph, TSV, ASCII graph, or Common Crawl's text; the format is recognised.

    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "graph.tsv"
    >>> _ = file.write_text("a\\tb\\nb\\tc\\n")
    >>> webstrata.load_graph(file).names
    ['a', 'b', 'c']
    """
    with Showing(progress) as tell:
        core = _core.load_graph(os.fspath(path), "" if urls is None else os.fspath(urls), threads, tell)
    return Snapshot(core, title=os.path.basename(os.fspath(path)))
