# SPDX-License-Identifier: Apache-2.0
"""What executors do for analysis.py: layers and documents as Arrow batches, and a graph cut into slots.

A slot is a stretch of uids. The folder of a graph contains, for each slot,

    links-0003/  what the blocks of the slot hold: pages, live pages, and the links *from* it, by the slot of their targets
    nodes-0003/  the uids of its nodes, ascending: a node's place among them is what links name
    in-0003/     the links *to* it, by the slot of their sources, as places; and of each of its nodes, how many links it has
                 and how many of them lead to which slot

and of a ranking a folder for each iteration, with the score of every node and its share for each link. A task writes a
folder under a name of its own and renames it; what a task that is done twice writes is the same.
"""

from __future__ import annotations

import math
import os
import shutil
from dataclasses import dataclass
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

import numpy
import pyarrow as pa

from ... import _core
from ..pieces import numbers_in
from ..schemas import DOCUMENT, LAYERS, LINKS, NODES, PLANNED, SCORES
from .importers import keep_zip_directories

keep_zip_directories()

Batches = Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]


# --- tables

def batches_of(stream: Any, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """The tables of the core with exactly these types, as Spark wants them."""
    while True:
        table = stream.next()
        if table is None:
            return
        columns = pa.table(table).select(schema.names)
        yield from columns.cast(schema).to_batches()


def read_layer(archive: str, name: str, uids: List[Tuple[int, int]]) -> Batches:
    schema = LAYERS[name]

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        opened = _core.open(archive)
        for place in numbers_in(batches):
            if name == "sightings":
                stream = opened.captures([uids[place]], None, "webstrata")
            else:
                stream = _core.layer_stream(opened, name, *uids[place])
            yield from batches_of(stream, schema)

    return run


def read_documents(archive: str, uids: List[Tuple[int, int]]) -> Batches:
    schema = DOCUMENT

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        opened = _core.open(archive)
        for place in numbers_in(batches):
            yield from batches_of(_core.document_stream(opened, *uids[place]), schema)

    return run


# --- files

def attempt() -> int:
    from pyspark import TaskContext

    context = TaskContext.get()
    assert context is not None
    return int(context.taskAttemptId())


def write(folder: str, **arrays: Any) -> None:
    """A folder of arrays, whole or not at all."""
    own = f"{folder}.{attempt()}"
    os.mkdir(own)
    for name, array in arrays.items():
        numpy.save(os.path.join(own, f"{name}.npy"), array)
    try:
        os.rename(own, folder)
    except OSError:
        if not os.path.isdir(folder):
            raise
        shutil.rmtree(own)  # another attempt was there first


def load(folder: str, name: str) -> Any:
    return numpy.load(os.path.join(folder, f"{name}.npy"), mmap_mode="r")


def of_slot(folder: str, what: str, slot: int) -> str:
    return os.path.join(folder, f"{what}-{slot:04}")


def nodes_of(folder: str, slot: int) -> Any:
    return load(of_slot(folder, "nodes", slot), "uid")


def places(nodes: Any, uids: Any) -> Tuple[Any, Any]:
    """The position of each uid among the nodes, and whether it is one of them."""
    found = numpy.searchsorted(nodes, uids)
    known = found < len(nodes)
    known[known] = nodes[found[known]] == uids[known]
    return found, known


# --- a graph

@dataclass(frozen=True)
class Part:
    """What the driver knows of a slot."""

    first: int
    end: int
    nodes: int
    links: int


@dataclass(frozen=True)
class Question:
    """Which graph of which archive."""

    archive: str
    at: Optional[int]
    during: Optional[Tuple[int, int]]
    carry: bool
    kinds: str


def read_links(folder: str, question: Question, blocks: Dict[int, Tuple[int, int]],
               borders: Dict[int, Tuple[int, int]]) -> Callable[[int], int]:
    """The blocks of a slot, decoded."""
    ends = numpy.array([borders[slot][1] for slot in sorted(borders)], dtype=numpy.uint64)

    def run(slot: int) -> int:
        opened = _core.open(question.archive)
        told = [[column.numpy().copy() for column in _core.block_links(opened, block, question.at, question.during,
                                                                         question.carry, question.kinds)]
                for block in range(*blocks[slot])]
        pages, living, sources, targets = (numpy.concatenate([one[place] for one in told]) for place in range(4))
        slot_of = numpy.searchsorted(ends, targets, side="right")
        order = numpy.argsort(slot_of, kind="stable")
        starts = numpy.searchsorted(slot_of[order], numpy.arange(len(ends) + 1))
        write(of_slot(folder, "links", slot), page=pages, living=living, source=sources[order], target=targets[order],
              start=starts)
        return len(sources)

    return run


def piece(links: str, source_slot: int, target_slot: int) -> Tuple[Any, Any]:
    """The links from one slot to another, as uids."""
    own = of_slot(links, "links", source_slot)
    starts = load(own, "start")
    first, end = int(starts[target_slot]), int(starts[target_slot + 1])
    return load(own, "source")[first:end], load(own, "target")[first:end]


def number_nodes(folder: str, links: str, borders: Dict[int, Tuple[int, int]], pages_only: bool) -> Callable[[int], int]:
    """Pages, and whatever links lead to; of these the live ones, if only pages are wanted."""

    def run(slot: int) -> int:
        own = of_slot(links, "links", slot)
        nodes = numpy.array(load(own, "page"))
        for source_slot in sorted(borders):
            nodes = numpy.union1d(nodes, piece(links, source_slot, slot)[1])
        if pages_only:
            nodes = numpy.intersect1d(nodes, load(own, "living"), assume_unique=True)
        write(of_slot(folder, "nodes", slot), uid=nodes)
        return len(nodes)

    return run


def number_links(folder: str, links: str, borders: Dict[int, Tuple[int, int]], pages_only: bool) -> Callable[[int], int]:
    """Links to the slot as places, and how many links each of its nodes has."""

    def kept(source_slot: int, target_slot: int) -> Tuple[Any, Any]:
        sources, targets = piece(links, source_slot, target_slot)
        source_places, has_source = places(nodes_of(folder, source_slot), sources)
        target_places, has_target = places(nodes_of(folder, target_slot), targets)
        keep = has_source & has_target
        if pages_only:
            keep &= numpy.asarray(sources) != numpy.asarray(targets)
        return source_places[keep], target_places[keep]

    def run(slot: int) -> int:
        incoming = [kept(source_slot, slot) for source_slot in sorted(borders)]
        sizes = numpy.cumsum([0] + [len(one[0]) for one in incoming])
        degrees = numpy.zeros(len(nodes_of(folder, slot)), dtype=numpy.int64)
        outgoing: List[Tuple[Any, Any]] = []
        for target_slot in sorted(borders):
            counts = numpy.bincount(kept(slot, target_slot)[0], minlength=len(degrees))
            degrees += counts
            linking = numpy.flatnonzero(counts)
            outgoing.append((linking, counts[linking]))
        write(of_slot(folder, "in", slot), source=numpy.concatenate([one[0] for one in incoming]),
              target=numpy.concatenate([one[1] for one in incoming]), start=sizes, degree=degrees,
              out_place=numpy.concatenate([one[0] for one in outgoing]), out_count=numpy.concatenate([one[1] for one in outgoing]),
              out_start=numpy.cumsum([0] + [len(one[0]) for one in outgoing]))
        return int(sizes[-1])

    return run


def incoming(folder: str, slot: int) -> Iterator[Tuple[int, Any, Any]]:
    """For each slot that links here: its number, places of sources there, places of targets here."""
    own = of_slot(folder, "in", slot)
    starts, sources, targets = load(own, "start"), load(own, "source"), load(own, "target")
    for source_slot in range(len(starts) - 1):
        first, end = int(starts[source_slot]), int(starts[source_slot + 1])
        if first < end:
            yield source_slot, sources[first:end], targets[first:end]


def tell_nodes(folder: str) -> Batches:
    schema = NODES

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for slot in numbers_in(batches):
            yield pa.RecordBatch.from_arrays([int64(nodes_of(folder, slot))], schema=schema)

    return run


def tell_links(folder: str) -> Batches:
    schema = LINKS

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for slot in numbers_in(batches):
            nodes = nodes_of(folder, slot)
            for source_slot, sources, targets in incoming(folder, slot):
                yield pa.RecordBatch.from_arrays([int64(nodes_of(folder, source_slot)[sources]), int64(nodes[targets])],
                                                 schema=schema)

    return run


def int64(values: Any) -> pa.Array:
    return pa.array(numpy.asarray(values).astype(numpy.int64))


# --- PageRank

Jumps = Dict[int, Tuple[List[int], List[float]]]  # by slot: uids, and how likely a jump leads there

INNER_STEPS = 40     # inside a slot, in one iteration
INNER_SHARE = 0.02   # of what was left to settle: then the other slots had better be asked again


@dataclass(frozen=True)
class RankPlan:
    folder: str
    run: str
    damping: float
    node_count: int
    jumps: Optional[Jumps]  # None: all nodes are alike


@dataclass(frozen=True)
class RankState:
    iteration: int
    files: Dict[int, str]     # by slot
    scales: Dict[int, float]  # what the scores in them are to be multiplied by
    total: float              # of the scores, multiplied


@dataclass(frozen=True)
class Told:
    """What a task of an iteration wrote, and its part of the sums."""

    slot: int
    name: str
    total: float        # of the scores that it wrote
    jumps: float        # what comes to the slot by jumps
    flows: List[float]  # what the scores that it wrote hand on to each slot
    residual: float     # of those that it read: how far they are from what their links say


def balanced(told: List[Told]) -> Dict[int, float]:
    """What to multiply the scores of each slot by, so that every slot has as much as comes to it.

    Slots settle what flows inside them in one iteration, but what flows between them takes many. How much each of them has
    is a small system of its own, which the driver solves (iterative aggregation, Takahashi 1975; Stewart 1994, chapter 6).
    """
    totals = numpy.array([one.total for one in told])
    system = numpy.diag(totals) - numpy.array([one.flows for one in told]).T
    right = numpy.array([one.jumps for one in told])
    system[totals == 0] = numpy.eye(len(told))[totals == 0]
    right[totals == 0] = 1
    return {one.slot: float(scale) for one, scale in zip(told, numpy.linalg.solve(system, right))}


def first_state(told: List[Told]) -> RankState:
    return state_of(1, told, balanced(told))


def next_state(last: RankState, told: List[Told], is_balanced: bool) -> RankState:
    """The iteration to read next. If balancing did not help, one iteration runs without it, which is sure to come closer."""
    return state_of(last.iteration + 1, told, balanced(told) if is_balanced else {one.slot: 1.0 for one in told})


def state_of(iteration: int, told: List[Told], scales: Dict[int, float]) -> RankState:
    total = math.fsum(scales[one.slot] * one.total for one in told)
    return RankState(iteration, {one.slot: one.name for one in told}, scales, total)


def preference_of(plan: RankPlan, slot: int) -> Any:
    nodes = nodes_of(plan.folder, slot)
    if plan.jumps is None:
        return numpy.full(len(nodes), 1 / plan.node_count)
    preference = numpy.zeros(len(nodes))
    uids, values = plan.jumps.get(slot, ([], []))
    found, known = places(nodes, numpy.array(uids, dtype=numpy.uint64))
    preference[found[known]] = numpy.array(values)[known]
    return preference


def keep(plan: RankPlan, slot: int, iteration: int, scores: Any, residual: float) -> Told:
    """Writes scores, and the share that each link of a node carries on."""
    shares = shares_of(plan.folder, slot, scores)
    name = os.path.join(plan.run, f"{iteration:04}-{slot:04}-{attempt()}")
    write(name, score=scores, share=shares)
    own = of_slot(plan.folder, "in", slot)
    handed_on = plan.damping * shares[load(own, "out_place")] * load(own, "out_count")
    starts = load(own, "out_start")
    flows = [float(handed_on[first:end].sum()) for first, end in zip(starts, starts[1:])]
    jumps = (1 - plan.damping) * float(preference_of(plan, slot).sum())
    return Told(slot, name, float(scores.sum()), jumps, flows, residual)


def shares_of(folder: str, slot: int, scores: Any) -> Any:
    degrees = load(of_slot(folder, "in", slot), "degree")
    return numpy.divide(scores, degrees, out=numpy.zeros(len(scores)), where=degrees > 0)


def start(plan: RankPlan) -> Callable[[int], Told]:
    return lambda slot: keep(plan, slot, 0, (1 - plan.damping) * preference_of(plan, slot), 0.0)


def iterate(plan: RankPlan, state: RankState) -> Callable[[int], Told]:
    """What comes from other slots is added up once; what flows inside the slot goes round until it settles."""

    def run(slot: int) -> Told:
        own: Tuple[Any, Any] = (numpy.zeros(0, dtype=numpy.int64), numpy.zeros(0, dtype=numpy.int64))
        base = (1 - plan.damping) * preference_of(plan, slot)
        for source_slot, sources, targets in incoming(plan.folder, slot):
            if source_slot == slot:
                own = (numpy.array(sources), numpy.array(targets))
                continue
            shares = state.scales[source_slot] * load(state.files[source_slot], "share")
            base += plan.damping * numpy.bincount(targets, weights=shares[sources], minlength=len(base))

        def step(scores: Any) -> Any:
            shares = shares_of(plan.folder, slot, scores)
            return base + plan.damping * numpy.bincount(own[1], weights=shares[own[0]], minlength=len(base))

        before = state.scales[slot] * load(state.files[slot], "score")
        scores = step(before)
        residual = change = float(numpy.abs(scores - before).sum())
        for _ in range(INNER_STEPS):
            if change <= INNER_SHARE * residual:
                break
            settled = step(scores)
            change = float(numpy.abs(settled - scores).sum())
            scores = settled
        return keep(plan, slot, state.iteration, scores, residual)

    return run


def scaled(state: RankState, slot: int) -> Any:
    return state.scales[slot] * load(state.files[slot], "score")


def finish(run: str, state: RankState, other: Optional[RankState] = None, share: float = 0.0) -> Callable[[int], Tuple[int, str]]:
    """Scores as they are in the end: with a multiple of others, if there are any."""

    def add(slot: int) -> Tuple[int, str]:
        name = os.path.join(run, f"finished-{slot:04}-{attempt()}")
        scores = scaled(state, slot)
        write(name, score=scores if other is None else scores + share * scaled(other, slot))
        return slot, name

    return add


def count_known(folder: str, uids: Dict[int, List[int]]) -> Callable[[int], int]:
    return lambda slot: int(places(nodes_of(folder, slot), numpy.array(uids[slot], dtype=numpy.uint64))[1].sum())


def tell_scores(folder: str, files: Dict[int, str]) -> Batches:
    schema = SCORES

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for slot in numbers_in(batches):
            scores = pa.array(numpy.asarray(load(files[slot], "score")))
            yield pa.RecordBatch.from_arrays([int64(nodes_of(folder, slot)), scores], schema=schema)

    return run


# --- LiveRank

def uids_at(folder: str, wanted: Dict[int, List[int]]) -> Callable[[int], List[int]]:
    return lambda slot: [int(uid) for uid in nodes_of(folder, slot)[wanted[slot]]]


def scores_by(folder: str, files: Optional[Dict[int, str]], slot: int) -> Any:
    """The scores of files, or the number of links to each node."""
    if files is not None:
        return numpy.asarray(load(files[slot], "score"))
    degrees = numpy.zeros(len(nodes_of(folder, slot)))
    for _, _, targets in incoming(folder, slot):
        degrees += numpy.bincount(targets, minlength=len(degrees))
    return degrees


def best_scores(folder: str, files: Optional[Dict[int, str]], count: int) -> Callable[[int], List[float]]:
    """The highest scores of a slot, at most `count`."""

    def run(slot: int) -> List[float]:
        scores = scores_by(folder, files, slot)
        kept = min(count, len(scores))
        return [float(score) for score in numpy.partition(scores, len(scores) - kept)[len(scores) - kept:]] if kept else []

    return run


def places_from(folder: str, files: Optional[Dict[int, str]], least_score: float) -> Callable[[int], List[Tuple[int, float]]]:
    """The nodes of a slot with at least this score: their places and scores."""

    def run(slot: int) -> List[Tuple[int, float]]:
        scores = scores_by(folder, files, slot)
        return [(int(place), float(scores[place])) for place in numpy.flatnonzero(scores >= least_score)]

    return run


def least(files: Dict[int, str]) -> Callable[[int], float]:
    """The smallest score of a slot that is not 0; 0 if there is none."""

    def run(slot: int) -> float:
        scores = numpy.asarray(load(files[slot], "score"))
        return float(scores[scores > 0].min(initial=numpy.inf)) if (scores > 0).any() else 0.0

    return run


def tell_liverank(archive: str, folder: str, tops: Optional[Dict[int, str]], bottoms: Optional[Dict[int, str]], least_bottom: float,
                  divides: bool, ranked: Dict[int, str], tested: List[int]) -> Batches:
    """Scores as liverank/pa_planner.cpp has them, of pages that were not tested."""
    schema = PLANNED

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        opened = _core.open(archive)
        for slot in numbers_in(batches):
            nodes = numpy.asarray(nodes_of(folder, slot))
            scores = numpy.full(len(nodes), 0.0 if tops is not None or not divides else 1.0)
            if tops is not None:
                scores = numpy.array(load(tops[slot], "score"))
            if bottoms is not None:
                below = numpy.array(load(bottoms[slot], "score"))
                scores /= numpy.where(below == 0, least_bottom, below)
            is_open = ~numpy.isin(nodes, numpy.array(tested, dtype=numpy.uint64))
            urls = pa.array([opened.url(int(uid)) for uid in nodes[is_open]], pa.string())
            ranks = numpy.asarray(load(ranked[slot], "score"))
            yield pa.RecordBatch.from_arrays([int64(nodes[is_open]), urls, pa.array(scores[is_open]), pa.array(ranks[is_open])],
                                             schema=schema)

    return run


def tell_sites(archive: str, folder: str, shares: Dict[str, float], depth: int, ranked: Dict[int, str], tested: List[int]) -> Batches:
    """The share of live pages of each page's site, as liverank/asf_planner.cpp has it, of pages that were not tested."""
    schema = PLANNED

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        opened = _core.open(archive)
        for slot in numbers_in(batches):
            nodes = numpy.asarray(nodes_of(folder, slot))
            is_open = ~numpy.isin(nodes, numpy.array(tested, dtype=numpy.uint64))
            urls = [opened.url(int(uid)) for uid in nodes[is_open]]
            scores = [shares.get(_core.site_of(url, depth), -1.0) for url in urls]
            ranks = numpy.asarray(load(ranked[slot], "score"))
            yield pa.RecordBatch.from_arrays([int64(nodes[is_open]), pa.array(urls, pa.string()), pa.array(scores, pa.float64()),
                                              pa.array(ranks[is_open])], schema=schema)

    return run
