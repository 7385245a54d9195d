# SPDX-License-Identifier: Apache-2.0
"""What the driver does: it holds the archive's lock, runs the steps one after the other, and puts the
new generation in place when every part is there. Until then the archive is unchanged.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import time
import uuid
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple

from ... import _core
from ..._error import Error
from ...writing import inputs_of, warn_of
from ..executor import tasks
from ..executor.tasks import Blocks, Plan, Work
from ..pieces import numbered
from ..schemas import CARRIED, KEYS, NUMBERED, PLACED, WRITTEN, in_spark
from .errors import clear_errors, look_at_workers
from .inputs import existing, shares
from .own_jobs import own_jobs

core = _core.cluster

TABLES = {"runs": KEYS, "keys": KEYS, "numbered": NUMBERED, "pages": WRITTEN}


@dataclass
class Summary:
    """How a build or update went."""

    manifest: Dict[str, Any] = field(default_factory=dict)
    is_changed: bool = False
    inputs: List[Dict[str, Any]] = field(default_factory=list)  # the fields of webstrata.Input, in the order of the inputs
    left_out: Dict[str, int] = field(default_factory=dict)
    seconds: Dict[str, float] = field(default_factory=dict)  # by step
    runs: int = 0
    partitions: int = 0


def build(spark: Any, inputs: Sequence[str], archive: str, *, range: Optional[str] = None,
          links: Optional[str] = None, digests: Optional[str] = None, schemes: Optional[str] = None,
          compact: bool = False, texts: bool = False, crawl: str = "", partitions: Optional[int] = None,
          memory_bytes: int = 256 << 20, block_bits: Optional[int] = None, part_blocks: Optional[int] = None,
          progress: Optional[Callable[[str], None]] = None) -> Summary:
    """Builds an archive from crawl files, with the same bytes as ``webstrata build``.

    ``inputs`` and ``archive`` are paths that the driver and every executor can open; inputs also URLs (http, https, s3). The options have the
    same names and meanings as those of the command. ``partitions`` is the number of tasks of a step (default: Spark's
    default parallelism), ``memory_bytes`` what a task may use outside the JVM. Raises ``webstrata.Error``;
    then there is no archive.

    >>> from webstrata import spark as on_spark
    >>> built = on_spark.build(spark, [f"{example_sample}/2021.warc.gz"], f"{example_folder}/lib.ws", partitions=2)
    >>> [one["format"] for one in built.inputs], built.is_changed
    (['warc'], True)
    """
    plan = core.make_plan(range, links, digests, schemes, compact, block_bits, part_blocks, ["texts"] if texts else [])
    refuse_store(archive)
    files = existing(inputs)
    archive = os.path.abspath(archive)
    look_at_workers(spark)
    with clear_errors():
        with closing(core.Draft.create(archive, plan)) as draft:
            job = Plan(plan, archive, own_work_folder(draft), False, memory_bytes, crawl)
            with own_jobs(spark):
                summary = Job(spark, draft, job, partitions, progress).build(files)
    warn_of(inputs_of(summary.inputs), stacklevel=3)
    return summary


def update(spark: Any, archive: str, inputs: Sequence[str], *, range: Optional[str] = None,
           links: Optional[str] = None, digests: Optional[str] = None, schemes: Optional[str] = None,
           compact: bool = False, texts: bool = False, crawl: str = "", partitions: Optional[int] = None,
           memory_bytes: int = 256 << 20, progress: Optional[Callable[[str], None]] = None) -> Summary:
    """Imports more crawl files into an archive, with the same bytes as ``webstrata update``.

    What is new becomes a stratum, which the driver writes; when strata are due to be merged with the base, tasks do that.
    Options fixed when the archive was built may be given again, with the same values. Raises
    ``webstrata.Error``; then the archive is unchanged.

    >>> from webstrata import spark as on_spark
    >>> updated = on_spark.update(spark, f"{example_folder}/lib.ws", [f"{example_sample}/2023.warc.gz"], partitions=2)
    >>> list(updated.seconds)
    ['read', 'add new facts', 'read archive', 'number keys', 'write names', 'write pages', 'invert links', 'join parts', 'publish']
    """
    refuse_store(archive)
    files = existing(inputs)
    archive = os.path.abspath(archive)
    layers = ["texts"] if texts else []
    wanted = core.make_plan(range, links, digests, schemes, compact, None, None, layers)
    look_at_workers(spark)
    with clear_errors():
        # Closed at once after an error, too: whoever holds the error would hold the lock with it.
        with closing(core.Draft.update(archive)) as draft:
            said = {"range": range, "links": links, "digests": digests, "schemes": schemes, "compact": compact or None,
                    "layers": layers or None}
            refuse_other_options(archive, core.options_in_words(draft.plan), core.options_in_words(wanted), said)
            job = Plan(draft.plan, archive, own_work_folder(draft), True, memory_bytes, crawl)
            with own_jobs(spark):
                summary = Job(spark, draft, job, partitions, progress).update(files)
    warn_of(inputs_of(summary.inputs), stacklevel=3)
    return summary


def compact(spark: Any, archive: str, *, partitions: Optional[int] = None, memory_bytes: int = 256 << 20,
            progress: Optional[Callable[[str], None]] = None) -> Summary:
    """Merges the strata of an archive into one, with the same bytes as ``webstrata compact`` and as one build from all inputs.

    Saved scores stay. Raises ``webstrata.Error``; then the archive is unchanged.

    >>> from webstrata import spark as on_spark
    >>> on_spark.compact(spark, f"{example_folder}/lib.ws", partitions=2).is_changed  # it has one stratum already
    False
    """
    refuse_store(archive)
    archive = os.path.abspath(archive)
    look_at_workers(spark)
    with clear_errors():
        with closing(core.Draft.update(archive)) as draft:
            if len(draft.nodes_of_strata) == 1:
                return Summary(manifest=json.loads(draft.plan.splitlines()[0]))
            job = Plan(draft.plan, archive, own_work_folder(draft), True, memory_bytes, "")
            with own_jobs(spark):
                return Job(spark, draft, job, partitions, progress).compact()


def own_work_folder(draft: Any) -> str:
    """A folder that no other job ever had.

    Tasks of a driver that was killed may keep running for a while. They write by path, and the next job numbers its tasks as that
    one did: in a folder of the same name they would write into its files.
    """
    folder = os.path.join(draft.work_folder, uuid.uuid4().hex)
    os.mkdir(folder)
    return str(folder)


def refuse_other_options(archive: str, has: Dict[str, Any], wanted: Dict[str, Any], said: Dict[str, Any]) -> None:
    for name, word in said.items():
        if word is not None and has[name] != wanted[name]:
            raise Error(f"{archive} was built with {name} {has[name]}, not {wanted[name]}; leave it out, or build a new archive")


def refuse_store(archive: str) -> None:
    """An archive needs renames and locks, which object stores do not have."""
    scheme, there, _ = archive.partition("://")
    if there and not os.path.exists(archive):
        raise Error(f"{archive}: an archive needs a file system with renames and locks, not {scheme}://; write it to a path that all executors "
                    "share (a mounted file system), and copy it afterwards")


class Job:
    def __init__(self, spark: Any, draft: Any, plan: Plan, partitions: Optional[int],
                 progress: Optional[Callable[[str], None]]) -> None:
        self.spark = spark
        self.draft = draft
        self.plan = plan
        self.partitions = partitions or spark.sparkContext.defaultParallelism
        self.progress = progress or (lambda text: None)
        self.summary = Summary(partitions=self.partitions)
        words = core.options_in_words(plan.options)
        self.block_bits: int = words["block_bits"]
        self.part_blocks: int = words["part_blocks"]

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        self.progress(name)
        self.spark.sparkContext.setJobDescription(f"webstrata: {name}")
        start = time.monotonic()
        try:
            yield
        finally:
            self.summary.seconds[name] = round(time.monotonic() - start, 3)
            with contextlib.suppress(Exception):
                self.spark.sparkContext.setJobDescription(None)

    def build(self, inputs: List[str]) -> Summary:
        with self.step("read"):
            told = self.read("keys", self.read_work(inputs))
            found = self.judge(told, inputs)
        if not found:
            return self.summary  # then there is no archive
        return self.merge(told)

    def update(self, inputs: List[str]) -> Summary:
        """The new facts become a stratum, which the driver writes, unless they are due to be merged with all others."""
        with self.step("read"):
            told = self.read("runs", self.read_work(inputs, keeps_keys=True))
            found = self.judge(told, inputs)
        if not found:
            return self.summary  # the archive is what it was
        runs = [tuple(files) for task in told for files in task["runs"].values()]
        facts = sum(one["captures"] + one["sightings"] + one["links"] for one in self.summary.inputs)
        with self.step("add new facts"):
            text, due = self.draft.publish_stratum(runs, facts, self.plan.memory_bytes)
        if text is not None:
            return self.published(text)
        with self.step("read archive"):
            work = self.runs_work(due)
            told = self.read("keys", work + self.slices(len(work)))
        return self.merge(told)

    def compact(self) -> Summary:
        with self.step("read archive"):
            told = self.read("keys", self.slices(0))
        return self.merge(told)

    def merge(self, told: List[Dict[str, Any]]) -> Summary:
        """All runs become one stratum; it is published."""
        pages_of = {int(run): pages for task in told for run, (_, pages) in task["runs"].items()}
        self.summary.runs = len(pages_of)
        with self.step("number keys"):
            before, node_count = self.number_keys()
        blocks = Blocks(node_count, self.block_bits, self.slots(node_count))
        with self.step("write names"):
            written = self.write_names(blocks, before)
        with self.step("write pages"):
            written += self.write_pages(blocks, before, pages_of)
        with self.step("invert links"):
            written += self.write_in_links(blocks)
        with self.step("join parts"):
            self.join(blocks, written)
        if self.draft.score_names or self.draft.link_score_names:
            with self.step("carry scores"):
                self.carry_scores()
        with self.step("publish"):
            text = self.draft.publish()
        return self.published(text)

    def published(self, text: str) -> Summary:
        self.summary.manifest = json.loads(text.splitlines()[0])
        self.summary.is_changed = text != self.draft.plan  # else all of it was there already
        return self.summary

    # Steps

    def read_work(self, inputs: List[str], keeps_keys: bool = False) -> List[Work]:
        return [Work(place, inputs=tuple(files), keeps_keys=keeps_keys) for place, files in enumerate(shares(inputs, self.partitions))]

    def runs_work(self, runs: List[Tuple[str, str]]) -> List[Work]:
        """Runs that were made before, to sort their keys with all others."""
        count = min(self.partitions, len(runs))
        return [Work(place, runs=tuple(runs[place::count])) for place in range(count)]

    def slices(self, first_task: int) -> List[Work]:
        """The blocks of all strata of the present generation."""
        work: List[Work] = []
        for stratum, nodes in enumerate(self.draft.nodes_of_strata):
            blocks = -(-nodes // (1 << self.block_bits))
            work += [Work(first_task + len(work) + place, slice=(stratum, first, end))
                     for place, (first, end) in enumerate(cuts(blocks, self.partitions))]
        return work

    def read(self, table: str, work: List[Work]) -> List[Dict[str, Any]]:
        """Writes the keys of the runs that tasks make into a table; returns what the tasks say about them."""
        numbered(self.spark, len(work)).mapInArrow(tasks.read(self.plan, work), in_spark(KEYS)).write.parquet(self.folder(table))
        return [json.loads(row.info) for row in self.load(table).where("info is not null").collect()]

    def judge(self, told: List[Dict[str, Any]], inputs: List[str]) -> bool:
        """Whether the inputs contain something; an error if one of them cannot be read."""
        place_of = {path: place for place, path in enumerate(inputs)}
        for task in told:
            self.summary.inputs.extend(task["summaries"])
            for what, times in task["left_out"].items():
                self.summary.left_out[what] = self.summary.left_out.get(what, 0) + times
        for summary in self.summary.inputs:
            summary["damages"] = [(offset, reason) for offset, reason in summary["damages"]]
        self.summary.inputs.sort(key=lambda summary: place_of[summary["path"]])
        errors = [summary["error"] for summary in self.summary.inputs if summary["error"]]
        if errors:
            more = f" (and {len(errors) - 1} more inputs)" if len(errors) > 1 else ""
            raise Error(f"{errors[0]}{more}; nothing was written")
        self.summary.runs = sum(len(task["runs"]) for task in told)
        return any(summary["captures"] + summary["sightings"] for summary in self.summary.inputs)

    def number_keys(self) -> Tuple[Tuple[int, ...], int]:
        keys = self.load("keys").where("info is null").select("key", "run", "number")
        # One action: another one might cut the ranges elsewhere.
        (keys.repartitionByRange(self.partitions, "key").sortWithinPartitions("key", "run")
             .mapInArrow(tasks.number, in_spark(NUMBERED)).write.parquet(self.folder("numbered")))
        counts = {row.range: row.first for row in self.load("numbered").where(f"kind = {tasks.COUNT}").collect()}
        before, total = [], 0
        for place in range(max(counts) + 1):
            before.append(total)
            total += counts.get(place, 0)
        return tuple(before), total

    def write_names(self, blocks: Blocks, before: Tuple[int, ...]) -> List[Any]:
        packets = self.load("numbered").where(f"kind = {tasks.NAMES}")
        placed = packets.mapInArrow(tasks.place_names(blocks, before), in_spark(PLACED))
        return list(placed.repartition(len(blocks.slots), "slot").sortWithinPartitions("block", "uid")
                    .mapInArrow(tasks.write_names(self.plan, blocks), in_spark(WRITTEN)).collect())

    def write_pages(self, blocks: Blocks, before: Tuple[int, ...], pages_of: Dict[int, str]) -> List[Any]:
        from pyspark.sql import functions as f

        packets = self.load("numbered").where(f"kind = {tasks.PAIRS}")
        runs = packets.repartition(min(self.partitions, len(pages_of)), "run").sortWithinPartitions("run", "range", "seq")
        placed = runs.mapInArrow(tasks.translate(self.plan, blocks, before, pages_of), in_spark(PLACED))
        starts = self.starts(blocks).select("slot", "block", f.lit(-1).cast("long").alias("uid"),
                                            f.lit(b"").cast("binary").alias("payload"))
        (placed.union(starts).repartition(len(blocks.slots), "slot").sortWithinPartitions("block", "uid")
               .mapInArrow(tasks.write_pages(self.plan, blocks), in_spark(WRITTEN)).write.parquet(self.folder("pages")))
        return list(self.load("pages").where(f"layer <> {tasks.IN_FACTS}").collect())

    def write_in_links(self, blocks: Blocks) -> List[Any]:
        from pyspark.sql import functions as f

        facts = (self.load("pages").where(f"layer = {tasks.IN_FACTS}").select("block", "source", "seq", "payload")
                 .join(self.starts(blocks), "block").select("slot", "block", "source", "seq", "payload"))
        starts = self.starts(blocks).select("slot", "block", f.lit(-1).cast("long").alias("source"),
                                            f.lit(0).cast("long").alias("seq"),
                                            f.lit(b"").cast("binary").alias("payload"))
        return list(facts.union(starts).repartition(len(blocks.slots), "slot")
                    .sortWithinPartitions("block", "source", "seq")
                    .mapInArrow(tasks.write_in_links(self.plan, blocks), in_spark(WRITTEN)).collect())

    def join(self, blocks: Blocks, written: List[Any]) -> None:
        path_of = {(row.layer, row.block): os.path.join(row.folder, row.name) for row in written}
        parts: List[Dict[str, Any]] = []
        for layer in sorted({layer for layer, _ in path_of}):
            for part, first in enumerate(range(0, blocks.count, self.part_blocks)):
                end = min(first + self.part_blocks, blocks.count)
                parts.append({"layer": layer, "part": part,
                              "blocks": [path_of[layer, block] for block in range(first, end)]})
        table = numbered(self.spark, len(parts), self.partitions)
        joined = table.mapInArrow(tasks.join(self.plan, parts), in_spark(WRITTEN)).collect()
        if len(joined) != len(parts):
            raise Error(f"{len(parts)} parts were expected, {len(joined)} were written; the archive is unchanged")
        for row in sorted(joined, key=lambda row: (row.layer, row.block)):
            self.draft.take(row.layer, row.folder, row.name, row.size, row.checksum)

    def carry_scores(self) -> None:
        """Saved columns of scores, in the new uids; a column is one file, so a task does some of them."""
        names = [("scores", name) for name in self.draft.score_names]
        names += [("link_scores", name) for name in self.draft.link_score_names]
        count = min(self.partitions, len(names))
        work = [{"scores": [name for kind, name in names[place::count] if kind == "scores"],
                 "link_scores": [name for kind, name in names[place::count] if kind == "link_scores"]}
                for place in range(count)]
        task = tasks.carry(self.plan, self.draft.folder, self.draft.written, work)
        told = numbered(self.spark, len(work)).mapInArrow(task, in_spark(CARRIED)).collect()
        carried = 0
        for row in told:
            columns = json.loads(row.columns)
            carried += len(columns["scores"]) + len(columns["link_scores"])
            self.draft.take_columns(row.folder, columns["scores"], columns["link_scores"])
        if carried != len(names):
            raise Error(f"{len(names)} columns of scores were expected, {carried} were written; the archive is unchanged")

    # Tables

    def folder(self, name: str) -> str:
        return "file://" + os.path.join(self.plan.work, "tables", name)

    def load(self, name: str) -> Any:
        # With its schema: else Spark runs a job to ask the files for it.
        return self.spark.read.schema(in_spark(TABLES[name])).parquet(self.folder(name))

    def starts(self, blocks: Blocks) -> Any:
        """A row for each block, so that a block without facts is written, too."""
        slots = ", ".join(f"{slot}L" for slot in blocks.slots)
        place = f"cast(id * {len(blocks.slots)} div {blocks.count} as int)"
        return self.spark.range(blocks.count).selectExpr(f"element_at(array({slots}), {place} + 1) as slot", "id as block")

    def slots(self, node_count: int) -> Tuple[int, ...]:
        """For each partition the smallest number that Spark's hash puts there: blocks are then spread evenly."""
        count = max(1, min(self.partitions, -(-node_count // (1 << self.block_bits))))
        found: Dict[int, int] = {}
        table = self.spark.range(64 * count).selectExpr("id", f"pmod(hash(id), {count}) as place")
        for row in table.collect():
            found.setdefault(row.place, row.id)
        return tuple(found.get(place, place) for place in range(count))


def cuts(blocks: int, count: int) -> List[Tuple[int, int]]:
    """`blocks` in at most `count` slices."""
    count = min(count, blocks)
    borders = [blocks * place // count for place in range(count + 1)] if count else [0]
    return list(zip(borders, borders[1:]))
