# SPDX-License-Identifier: Apache-2.0
"""Queries on an archive that need a cluster: its layers as DataFrames, and graphs that are ranked on many machines.

    links = layer(spark, "/shared/lib.ws", "links")                 # uid, targets
    with graph(spark, "/shared/lib.ws", at="2021") as then:
        then.pagerank().table.orderBy("score", ascending=False).show()

A graph is in a scratch folder that driver and executors share, cut into slots of consecutive uids. A slot has the nodes of
its uids and the links *to* them, so that an iteration of PageRank is one task for each slot: it reads the shares of the
slots that link to it, settles what flows inside it, and writes its own. Nothing is shuffled, a hub's links are added up slot
by slot, and the driver sees sums.
"""

from __future__ import annotations

import contextlib
import math
import os
import shutil
import tempfile
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple

from ... import _core
from ..._words import Span, When, moment_of, refused, span_of
from ...planning import outcome_of
from ..executor import slots
from ..pieces import numbered
from ..schemas import LAYERS, LINKS, NODES, PLANNED, SCORES, in_spark
from .errors import clear_errors, look_at_workers
from .own_jobs import own_jobs




def cut(blocks: int, count: int) -> List[Tuple[int, int]]:
    """Blocks in at most `count` slices of consecutive ones."""
    count = max(1, min(count, blocks))
    borders = [blocks * place // count for place in range(count + 1)]
    return list(zip(borders, borders[1:]))


def layer(spark: Any, archive: str, name: str, partitions: Optional[int] = None) -> Any:
    """A layer of an archive as a DataFrame: a row for each node that it has data about.

    ``names`` has key and URL of every uid; ``links``, ``times``, ``presence`` and ``kinds`` what the captures of a page had
    (``present`` holds places in ``targets``, a list for each of ``times``); ``in_links``, ``ranges`` and ``in_presence`` the
    same inverted; ``sightings`` has a row for each dated status. Executors decode blocks of 65,536 nodes.

    >>> from webstrata import spark as on_spark
    >>> links = on_spark.layer(spark, example_archive, "links")
    >>> links.selectExpr("uid", "size(targets) AS links").orderBy("links", ascending=False).first().links > 100
    True
    """
    if name not in LAYERS:
        raise refused(f"layer {name}: not one of {', '.join(LAYERS)}")
    archive = os.path.abspath(archive)
    opened = _core.open(archive)
    bits = _core.block_bits(opened)
    uids = [(first << bits, end << bits) for first, end in cut(_core.block_count(opened),
                                                             partitions or spark.sparkContext.defaultParallelism)]
    return numbered(spark, len(uids)).mapInArrow(slots.read_layer(archive, name, uids), in_spark(LAYERS[name]))


@dataclass
class Scores:
    """A score for each node of a graph, and how the computation ended."""

    table: Any  # DataFrame: uid, score
    converged: bool
    error_bound: float  # on the L1 distance to the exact scores
    iterations: int
    files: Dict[int, str]  # by slot; of the graph's own folder


@dataclass
class _Solved:
    """Scores that lose what comes to dead ends."""

    state: slots.RankState
    error_bound: float = math.inf
    iterations: int = 0


class Graph:
    """One graph at one time, on a cluster. Use ``with`` or ``close()``, which deletes its folder."""

    def __init__(self, spark: Any, archive: str, folder: str, parts: Dict[int, "slots.Part"]) -> None:
        self.spark = spark
        self.archive = archive
        self.folder = folder
        self.parts = parts
        self.node_count = sum(part.nodes for part in parts.values())
        self.link_count = sum(part.links for part in parts.values())
        self._ranked: Dict[Any, Scores] = {}  # by sources, damping and tolerance

    def __enter__(self) -> Graph:
        return self

    def __exit__(self, kind: Optional[type], error: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        self.close()

    def close(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def __repr__(self) -> str:
        return f"<webstrata.spark.Graph of {self.node_count} nodes and {self.link_count} links>"

    # Tables

    @property
    def nodes(self) -> Any:
        """DataFrame: the uid of every node."""
        return self._map(slots.tell_nodes(self.folder), NODES)

    @property
    def links(self) -> Any:
        """DataFrame: source and target of every link, as uids."""
        return self._map(slots.tell_links(self.folder), LINKS)

    def _map(self, task: Callable[..., Any], schema: Any) -> Any:
        return numbered(self.spark, len(self.parts)).mapInArrow(task, in_spark(schema))

    def _each(self, what: str, task: Callable[[int], Any], work: Optional[Sequence[int]] = None) -> List[Any]:
        """Runs `task` for every slot; what it returns, in their order."""
        return run_each(self.spark, what, task, sorted(self.parts) if work is None else work)

    # Ranking

    def pagerank(self, damping: float = 0.85, tolerance: float = 1e-9, iterations_max: int = 200,
                 preference: Optional[Mapping[int, float]] = None, dead_ends: str = "uniform") -> Scores:
        """PageRank as ``Snapshot.pagerank`` has it. An iteration is a Spark job, in which every slot settles what is its own.

        ``preference`` maps uids to the probability that a jump leads there; without it all nodes are equally likely.
        """
        if not 0 <= damping < 1:
            raise refused(f"damping={damping}: not in [0, 1)")
        if dead_ends not in ("uniform", "preference", "drop"):
            raise refused(f"dead_ends={dead_ends!r}: not uniform, preference or drop")
        if not self.node_count:
            raise refused("the graph has no nodes")
        if iterations_max < 1:
            raise refused(f"iterations_max={iterations_max}: at least 1")
        with clear_errors("; nothing was written"):
            jumps = self._jumps(preference)
            if dead_ends == "drop":
                found, = self._solve(damping, [jumps], [tolerance], iterations_max)
                return self._finished([found], [tolerance])[0]
            wanted = [jumps, None] if dead_ends == "uniform" and jumps is not None else [jumps]
            solved = self._solve(damping, wanted, [tolerance] * len(wanted), iterations_max, joined=True)
            found, other = solved[0], solved[-1]
            # What dead ends hand on is a multiple of the scores of a surfer who is lost there: the sum is 1 with it.
            share = (1 - found.state.total) / other.state.total
            bound = 2 * found.error_bound + 2 * other.error_bound * share
            files = dict(self._each("PageRank", slots.finish(self._run(), found.state, other.state, share)))
        return self._told(files, bound, max(found.iterations, other.iterations), tolerance)

    def _finished(self, solved: Sequence[_Solved], tolerances: Sequence[float]) -> List[Scores]:
        """Of surfers who are lost at dead ends."""
        written = self._side_by_side("PageRank", [slots.finish(self._run(), one.state) for one in solved])
        return [self._told(dict(files), one.error_bound, one.iterations, tolerance)
                for files, one, tolerance in zip(written, solved, tolerances)]

    def _told(self, files: Dict[int, str], bound: float, iterations: int, tolerance: float) -> Scores:
        table = self._map(slots.tell_scores(self.folder, files), SCORES)
        return Scores(table, bound <= tolerance, bound, iterations, files)

    def _run(self) -> str:
        return tempfile.mkdtemp(prefix="rank-", dir=self.folder)

    def _solve(self, damping: float, preferences: Sequence[Optional[slots.Jumps]], tolerances: Sequence[float],
               iterations_max: int, joined: bool = False) -> List[_Solved]:
        """PageRanks of surfers who are lost at dead ends, side by side: a job does an iteration of all that are not there yet.
        What is joined later must be better."""
        plans = [slots.RankPlan(self.folder, self._run(), damping, self.node_count, jumps) for jumps in preferences]
        told = self._side_by_side("PageRank", [slots.start(plan) for plan in plans])
        solved = [_Solved(slots.first_state(one)) for one in told]
        open_ones = list(range(len(plans)))
        for iteration in range(1, iterations_max + 1):
            told = self._side_by_side(f"PageRank, iteration {iteration}",
                                      [slots.iterate(plans[place], solved[place].state) for place in open_ones])
            still_open = []
            for place, one in zip(open_ones, told):
                last = solved[place]
                before, last.error_bound = last.error_bound, math.fsum(part.residual for part in one) / (1 - damping)
                last.iterations = iteration
                if last.error_bound <= tolerances[place] * (last.state.total / 4 if joined else 1) or iteration == iterations_max:
                    continue
                for name in last.state.files.values():
                    shutil.rmtree(name, ignore_errors=True)
                last.state = slots.next_state(last.state, one, is_balanced=last.error_bound < before)
                still_open.append(place)
            open_ones = still_open
            if not open_ones:
                break
        return solved

    def _side_by_side(self, what: str, tasks: Sequence[Callable[[int], Any]]) -> List[List[Any]]:
        """Runs all of them for every slot in one job; for each of them, what it returned for the slots in their order."""
        by_slot = self._each(what, lambda slot: [task(slot) for task in tasks])
        return [list(one) for one in zip(*by_slot)]

    def _jumps(self, preference: Optional[Mapping[int, float]]) -> Optional[slots.Jumps]:
        """The preference by slot. Throws unless it is a distribution over nodes of the graph."""
        if preference is None:
            return None
        if any(not value >= 0 for value in preference.values()) or abs(math.fsum(preference.values()) - 1) > 1e-6:
            raise refused("a preference is made of numbers that are not negative and add up to 1")
        jumps: slots.Jumps = {}
        for uid in sorted(preference):
            uids, values = jumps.setdefault(self.slot_of(uid), ([], []))
            uids.append(uid)
            values.append(preference[uid])
        known = self._each("PageRank", slots.count_known(self.folder, {slot: jump[0] for slot, jump in jumps.items()}),
                           sorted(jumps))
        if sum(known) != len(preference):
            raise refused(f"{len(preference) - sum(known)} nodes of the preference are not in the graph")
        return jumps

    def slot_of(self, uid: int) -> int:
        """The slot that a uid belongs to."""
        for slot, part in self.parts.items():
            if part.first <= uid < part.end:
                return slot
        raise refused(f"no node {uid}: the archive has fewer", "not_found")

    # Which pages live

    def pages(self) -> Graph:
        """The population of pages, with the links between them: captured, and not known to be gone."""
        folder = tempfile.mkdtemp(prefix="pages-", dir=self.folder)
        return assembled(self.spark, self.archive, folder, self.folder, {slot: (part.first, part.end)
                                                                         for slot, part in self.parts.items()}, True)

    def sample(self, size: float = 0.01, kind: str = "random", seed: int = 1) -> List[str]:
        """The URLs to test first, the same as on one machine: ``kind`` is random or systematic, or indegree or pagerank for the
        pages with most links to them or of highest PageRank; ``size`` is a share or a number. Call it on ``pages()``."""
        if kind in ("indegree", "pagerank"):
            places = self._top_places(size, kind, seed)
        else:
            places = _core.drawn_sample(kind, size, self.node_count, seed)
        order = sorted(self.parts)
        firsts: Dict[int, int] = {}
        total = 0
        for slot in order:
            firsts[slot] = total
            total += self.parts[slot].nodes
        wanted: Dict[int, List[int]] = {}
        for place in places:
            slot = max(slot for slot in order if firsts[slot] <= place and self.parts[slot].nodes)
            wanted.setdefault(slot, []).append(place - firsts[slot])
        found = dict(zip(sorted(wanted), self._each("sample", slots.uids_at(self.folder, wanted), sorted(wanted))))
        uid_at = {firsts[slot] + place: uid for slot, uids in found.items() for place, uid in zip(wanted[slot], uids)}
        opened = _core.open(self.archive)
        return [opened.url(uid_at[place]) for place in places]

    def _top_places(self, size: float, kind: str, seed: int) -> List[int]:
        """The places of the pages with the highest scores, best first; equal ones in the order of a random sample."""
        count = _core.sample_size(size, self.node_count)
        with clear_errors("; nothing was written"):
            files: Optional[Dict[int, str]] = None
            if kind == "pagerank":
                everywhere, = self._rank_from([None], 0.85, 1e-9)
                assert everywhere is not None
                files = everywhere.files
            order = sorted(self.parts)
            best = sorted((score for scores in self._each("sample", slots.best_scores(self.folder, files, count), order)
                           for score in scores), reverse=True)
            if count == 0 or not best:
                return []
            least = best[min(count, len(best)) - 1]
            found = self._each("sample", slots.places_from(self.folder, files, least), order)
        rank = {place: number for number, place in enumerate(_core.drawn_sample("random", self.node_count, self.node_count, seed))}
        chosen: List[Tuple[float, int, int]] = []
        first = 0
        for slot, pages in zip(order, found):
            chosen += [(-score, rank[first + place], first + place) for place, score in pages]
            first += self.parts[slot].nodes
        return [place for _, _, place in sorted(chosen)[:count]]

    def liverank(self, answers: Mapping[str, Any], by: str = "pa-ratio", damping: float = 0.85,
                 tolerance: float = 1e-14, site: Any = "host") -> Any:
        """The second of two rounds of LiveRank: every page that was not tested, with its score.

        ``answers`` are those of the tests of the first round (``sample``), as ``Snapshot.liverank`` takes them; undecided
        answers are ignored. ``by`` is ``pa`` (PageRank from live pages), ``pa-ratio`` (the same divided by PageRank from
        dead pages) or ``asf`` (the share of live pages among those tested of its site, -1 if there are none; ``site`` is
        ``host``, ``directory`` or a number of directories; among equal ones the paper chooses at random). DataFrame: uid,
        `url`, score, pagerank; test the highest scores first, equal ones by pagerank. Call it on ``pages()``.
        """
        if by not in ("pa", "pa-ratio", "asf"):
            raise refused(f"by={by!r}: on a cluster use pa, pa-ratio or asf")
        live, dead = self._sources(answers)
        if by == "asf":
            return self._sites_first(answers, live, dead, damping, site)
        ratio = by == "pa-ratio"
        with clear_errors("; nothing was written"):
            from_live, from_dead, everywhere = self._rank_from([live, dead if ratio else [], None], damping, tolerance)
            tops, bottoms = from_live.files if from_live else None, from_dead.files if from_dead else None
            least = min((one for one in self._each("LiveRank", slots.least(bottoms)) if one > 0), default=math.inf) if bottoms else 0.0
            assert everywhere is not None
        task = slots.tell_liverank(self.archive, self.folder, tops, bottoms, least, ratio, everywhere.files,
                                   sorted(live + dead))
        return self._map(task, PLANNED)

    def _sites_first(self, answers: Mapping[str, Any], live: List[int], dead: List[int], damping: float, site: Any) -> Any:
        depth = {"host": 0, "directory": 1}.get(site, site)
        if isinstance(depth, bool) or not isinstance(depth, int) or depth < 0:
            raise refused(f"site={site!r}: not host, directory or a number of directories")
        counts: Dict[str, List[int]] = {}
        for url, answer in answers.items():
            verdict = _core.verdict_of(outcome_of(answer))
            if verdict is not None:
                of_site = counts.setdefault(_core.site_of(url, depth), [0, 0])
                of_site[0] += verdict
                of_site[1] += 1
        shares = {name: alive / tested for name, (alive, tested) in counts.items()}
        with clear_errors("; nothing was written"):
            everywhere, = self._rank_from([None], damping, 1e-9)
        assert everywhere is not None
        return self._map(slots.tell_sites(self.archive, self.folder, shares, depth, everywhere.files, sorted(live + dead)), PLANNED)

    def _sources(self, answers: Mapping[str, Any]) -> Tuple[List[int], List[int]]:
        opened = _core.open(self.archive)
        live: List[int] = []
        dead: List[int] = []
        for url, answer in answers.items():
            uid = opened.uid(url)
            if uid is None:
                raise refused(f"{url}: not in the archive", "not_found")
            verdict = _core.verdict_of(outcome_of(answer))
            if verdict is not None:
                (live if verdict else dead).append(uid)
        return live, dead

    def _rank_from(self, sources: Sequence[Optional[List[int]]], damping: float, tolerance: float) -> List[Optional[Scores]]:
        """PageRanks of surfers who begin at these nodes, or anywhere (None), each only once; of no nodes there is none."""
        keys = [(tuple(sorted(uids)), damping, tolerance) if uids is not None else (None, 0.85, 1e-9) for uids in sources]
        missing = [key for key in keys if key[0] != () and key not in self._ranked]
        for together in sorted({key[1] for key in missing}):
            wanted = [key for key in missing if key[1] == together]
            jumps = [self._jumps({uid: 1 / len(uids) for uid in uids}) if uids is not None else None for uids, _, _ in wanted]
            tolerances = [key[2] for key in wanted]
            self._ranked.update(zip(wanted, self._finished(self._solve(together, jumps, tolerances, 1000), tolerances)))
        return [self._ranked.get(key) for key in keys]


def run_each(spark: Any, what: str, task: Callable[[int], Any], work: Sequence[int]) -> List[Any]:
    if not work:
        return []
    spark.sparkContext.setJobDescription(f"webstrata: {what}")
    try:
        with own_jobs(spark):
            return list(spark.sparkContext.parallelize(work, len(work)).map(task).collect())
    finally:
        with contextlib.suppress(Exception):
            spark.sparkContext.setJobDescription(None)


def graph(spark: Any, archive: str, at: Optional[When] = None, during: Optional[Span] = None, carry: bool = False,
          kinds: str = "graph", partitions: Optional[int] = None, scratch: Optional[str] = None) -> Graph:
    """A graph of an archive, as ``Archive.snapshot`` has it, on a cluster: as it was at a time, during one, or ever.

    ``scratch`` is a folder that driver and executors share, with about 32 bytes per link (default: next to the archive).

    >>> from webstrata import spark as on_spark
    >>> with on_spark.graph(spark, example_archive, at="2021", partitions=1) as then:
    ...     ranked = then.pagerank(tolerance=0.01)
    ...     then.node_count == ranked.table.count()
    True
    """
    if at is not None and during is not None:
        raise refused("give at or during, not both")
    archive = os.path.abspath(archive)
    opened = _core.open(archive)
    bits = _core.block_bits(opened)
    pieces = cut(_core.block_count(opened), partitions or spark.sparkContext.defaultParallelism)
    borders = {slot: (first << bits, min(end << bits, opened.node_count)) for slot, (first, end) in enumerate(pieces)}
    look_at_workers(spark)
    try:
        folder = tempfile.mkdtemp(prefix=".webstrata-graph-", dir=scratch or os.path.dirname(archive))
    except OSError as error:
        raise refused(f"{scratch or os.path.dirname(archive)}: {error.strerror}; name a folder that all processes can write: scratch=",
                      "io") from None
    try:
        with clear_errors("; nothing was written"):
            question = slots.Question(archive, moment_of(at), span_of(during), carry, kinds)
            run_each(spark, "read the graph", slots.read_links(folder, question, dict(enumerate(pieces)), borders),
                     sorted(borders))
            return assembled(spark, archive, folder, folder, borders, False)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def assembled(spark: Any, archive: str, folder: str, links: str, borders: Dict[int, Tuple[int, int]],
              pages_only: bool) -> Graph:
    """A graph in `folder` out of links that were read into `links`."""
    with clear_errors("; nothing was written"):
        numbered = run_each(spark, "number nodes", slots.number_nodes(folder, links, borders, pages_only), sorted(borders))
        degrees = run_each(spark, "number links", slots.number_links(folder, links, borders, pages_only),
                           sorted(borders))
        counted = dict(zip(sorted(borders), zip(numbered, degrees)))
    parts = {slot: slots.Part(*borders[slot], nodes, links_in) for slot, (nodes, links_in) in counted.items()}
    return Graph(spark, archive, folder, parts)
