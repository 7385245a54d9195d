# SPDX-License-Identifier: Apache-2.0
"""What executors do: each function is one step of docs/decisions/015-spark.md, given to mapInArrow.

A task writes into a folder with its attempt in the name, so that a task that is done twice, or a
process that outlives its executor, never writes where another one does. What counts is what a task
yields; the driver looks at nothing else.
"""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import dataclass
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

import pyarrow as pa

from ... import _core
from ..pieces import numbers_in
from ..schemas import CARRIED, KEYS, NUMBERED, PLACED, WRITTEN
from .importers import keep_zip_directories

keep_zip_directories()
core = _core.cluster

PAIRS, NAMES, COUNT = 0, 1, 2  # kinds of rows in NUMBERED
IN_FACTS = -1                  # "layer" of a row of WRITTEN that is a packet, not a file


@dataclass(frozen=True)
class Plan:
    """The settings of every task."""

    options: str  # text of a manifest
    archive: str
    work: str
    is_update: bool
    memory_bytes: int
    crawl: str


@dataclass(frozen=True)
class Blocks:
    """Where blocks go, once the keys are counted."""

    node_count: int
    block_bits: int
    slots: Tuple[int, ...]  # a number for each partition that Spark puts there

    @property
    def count(self) -> int:
        return -(-self.node_count // (1 << self.block_bits))

    def slot(self, block: int) -> int:
        return self.slots[block * len(self.slots) // self.count]


def own_folder(plan: Plan, step: str) -> str:
    """A folder that no other attempt of any task has."""
    from pyspark import TaskContext

    context = TaskContext.get()
    assert context is not None
    folder = os.path.join(plan.work, f"{step}-{context.partitionId():06}-{context.taskAttemptId():08}")
    os.mkdir(folder)
    return folder


def column(batch: pa.RecordBatch, name: str) -> pa.Array:
    return batch.column(batch.schema.get_field_index(name))


def binary_column(count: int, offsets: bytes, data: bytes) -> pa.Array:
    return pa.Array.from_buffers(pa.binary(), count, [None, pa.py_buffer(offsets), pa.py_buffer(data)])


def int64_column(data: bytes) -> pa.Array:
    return pa.Array.from_buffers(pa.int64(), len(data) // 8, [None, pa.py_buffer(data)])


def rows(schema: pa.Schema, values: List[Dict[str, Any]]) -> pa.RecordBatch:
    return pa.RecordBatch.from_pylist(values, schema=schema)


def repeated(value: Any, count: int, kind: pa.DataType) -> pa.Array:
    return pa.repeat(pa.scalar(value, kind), count) if value is not None else pa.nulls(count, kind)


# --- crawl files, and blocks of the strata of the present generation, become runs

RUNS_PER_TASK = 1 << 16


@dataclass(frozen=True)
class Work:
    """What a task makes runs of: crawl files, runs that other tasks have kept, or blocks of a stratum."""

    task: int
    inputs: Optional[Tuple[str, ...]] = None
    runs: Tuple[Tuple[str, str], ...] = ()  # files of keys and of pages
    slice: Optional[Tuple[int, int, int]] = None  # stratum, first block, end
    keeps_keys: bool = False  # in their files, instead of yielding them


def read(plan: Plan, work: List[Work]) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for place in numbers_in(batches):
            yield from read_one(plan, work[place])

    return run


def read_one(plan: Plan, work: Work) -> Iterator[pa.RecordBatch]:
    told: Dict[str, Any] = {"summaries": [], "left_out": {}}
    runs: Any = work.runs
    if work.inputs is not None:
        archive = plan.archive if plan.is_update else ""
        folder = own_folder(plan, f"read-{work.task}")
        told = core.read_runs(list(work.inputs), plan.crawl, plan.options, archive, folder, plan.memory_bytes)
        runs = told.pop("runs")
    elif work.slice is not None:
        runs = core.read_slice(plan.archive, *work.slice, own_folder(plan, f"read-{work.task}"))
    told["runs"] = {}
    for place, (keys, pages) in enumerate(runs):
        run = work.task * RUNS_PER_TASK + place
        told["runs"][run] = (keys, pages)
        if work.keeps_keys:
            make_durable(keys)
        else:
            yield from keys_of(keys, run)
        if work.slice is not None or (work.inputs is not None and not work.keeps_keys):
            os.remove(keys)
        make_durable(pages)
    yield rows(KEYS, [{"info": json.dumps(told)}])


def keys_of(keys: str, run: int) -> Iterator[pa.RecordBatch]:
    first = 0
    reader = core.RunKeys(keys)
    while True:
        batch: Any = reader.next()
        if batch is None:
            return
        count = batch[0]
        numbers = pa.array(range(first, first + count), pa.int64())
        yield pa.RecordBatch.from_arrays(
            [binary_column(*batch), repeated(run, count, pa.int64()), numbers, repeated(None, count, pa.string())],
            schema=KEYS)
        first += count


def make_durable(path: str) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


# --- keys, sorted, become numbers

def number(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    from pyspark import TaskContext

    context = TaskContext.get()
    assert context is not None
    place = context.partitionId()
    numbering = core.KeyNumbering()
    seq = 0

    def told(packets: List[Tuple[bool, int, int, bytes]]) -> Iterator[pa.RecordBatch]:
        nonlocal seq
        for is_names, run, first, payload in packets:
            seq += 1
            yield rows(NUMBERED, [{"kind": NAMES if is_names else PAIRS, "run": run, "range": place, "seq": seq,
                                   "first": first, "payload": payload}])

    for batch in batches:
        keys, runs, numbers = column(batch, "key"), column(batch, "run"), column(batch, "number")
        assert keys.offset == 0 and runs.offset == 0 and numbers.offset == 0
        if len(keys) == 0:
            continue
        offsets, data = keys.buffers()[1:]
        numbering.add(offsets, data, runs.buffers()[1], numbers.buffers()[1], 0, len(keys))
        yield from told(numbering.take_full())
    yield from told(numbering.finish())
    yield rows(NUMBERED, [{"kind": COUNT, "run": 0, "range": place, "seq": 0, "first": numbering.size,
                           "payload": b""}])


# --- names

def place_names(blocks: Blocks, before: Tuple[int, ...]) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for row in batch.to_pylist():
                first = before[row["range"]] + row["first"]
                for _, _, uid, payload in core.cut_names(row["payload"], first, blocks.block_bits):
                    block = uid >> blocks.block_bits
                    yield rows(PLACED, [{"slot": blocks.slot(block), "block": block, "uid": uid, "payload": payload}])

    return run


def write_names(plan: Plan, blocks: Blocks) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        folder: Optional[str] = None
        block = -1
        packets: List[bytes] = []

        def write() -> Iterator[pa.RecordBatch]:
            nonlocal folder
            folder = folder or own_folder(plan, "names")
            files = core.write_names(folder, plan.options, block, blocks.node_count, packets)
            yield told_files(files, folder, block)

        for batch in batches:
            for row in batch.to_pylist():
                if row["block"] != block and packets:
                    yield from write()
                    packets = []
                block = row["block"]
                packets.append(row["payload"])
        if packets:
            yield from write()

    return run


def told_files(files: List[Tuple[int, str, int, int]], folder: str, block: int) -> pa.RecordBatch:
    return rows(WRITTEN, [{"layer": layer, "block": block, "folder": folder, "name": name, "size": size,
                           "checksum": checksum} for layer, name, size, checksum in files])


# --- pages

def translate(plan: Plan, blocks: Blocks, before: Tuple[int, ...],
              pages_of: Dict[int, str]) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """Packets of pairs, by run and range, and the pages of those runs -> pages by uid."""

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        at_hand = -1
        translation: Any = None
        with tempfile.TemporaryDirectory(prefix="webstrata-") as scratch:
            for batch in batches:
                for row in batch.to_pylist():
                    if row["run"] != at_hand:
                        yield from placed_pages(translation, blocks)
                        at_hand = row["run"]
                        translation = core.RunTranslation(pages_of[at_hand], scratch, plan.memory_bytes)
                    translation.add(row["payload"], before[row["range"]])
            yield from placed_pages(translation, blocks)

    return run


def placed_pages(translation: Any, blocks: Blocks) -> Iterator[pa.RecordBatch]:
    import numpy

    while translation is not None:
        batch = translation.next()
        if batch is None:
            return
        uids = numpy.frombuffer(batch[0], dtype=numpy.int64)
        of_block = uids >> blocks.block_bits
        slots = numpy.array(blocks.slots, dtype=numpy.int64)[of_block * len(blocks.slots) // blocks.count]
        yield pa.RecordBatch.from_arrays(
            [pa.array(slots), pa.array(of_block), int64_column(batch[0]), binary_column(*batch[1])], schema=PLACED)


def write_pages(plan: Plan, blocks: Blocks) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """Pages by uid, a row with uid -1 in front of each block -> layers of blocks, and in-link facts."""

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import numpy

        folder: Optional[str] = None
        block, seq = -1, 0
        writer: Any = None

        def told(packets: List[Tuple[int, bytes]]) -> Iterator[pa.RecordBatch]:
            nonlocal seq
            for target_block, payload in packets:
                seq += 1
                yield rows(WRITTEN, [{"layer": IN_FACTS, "block": target_block, "source": block, "seq": seq,
                                      "payload": payload}])

        def end_block() -> Iterator[pa.RecordBatch]:
            if writer is None:
                return
            assert folder is not None
            files = writer.finish()
            yield from told(writer.take_full())
            yield told_files(files, folder, block)

        for batch in batches:
            uids, pages = column(batch, "uid"), column(batch, "payload")
            assert uids.offset == 0 and pages.offset == 0
            uid_buffer = uids.buffers()[1]
            offsets, data = pages.buffers()[1:]
            of_block = numpy.frombuffer(column(batch, "block").buffers()[1], dtype=numpy.int64)[:len(uids)]
            starts = numpy.frombuffer(uid_buffer, dtype=numpy.int64)[:len(uids)] < 0
            place = 0
            while place < len(uids):
                if starts[place]:
                    yield from end_block()
                    folder = folder or own_folder(plan, "pages")
                    block, seq = int(of_block[place]), 0
                    writer = core.PageBlock(folder, plan.options, block, blocks.node_count)
                    place += 1
                    continue
                assert writer is not None and of_block[place] == block
                more = numpy.flatnonzero(starts[place:])
                end = place + int(more[0]) if len(more) else len(uids)
                writer.add(uid_buffer, offsets, data if data is not None else b"", place, end - place)
                yield from told(writer.take_full())
                place = end
        yield from end_block()

    return run


def write_in_links(plan: Plan, blocks: Blocks) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """Packets of in-link facts in the order of their sources -> the in-link layers of blocks."""

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        folder: Optional[str] = None
        block = -1
        writer: Any = None

        def end_block() -> Iterator[pa.RecordBatch]:
            if writer is not None:
                assert folder is not None
                files = writer.finish()
                yield told_files(files, folder, block)

        with tempfile.TemporaryDirectory(prefix="webstrata-") as scratch:
            for batch in batches:
                for row in batch.to_pylist():
                    if row["block"] != block:
                        yield from end_block()
                        folder = folder or own_folder(plan, "in_links")
                        block = row["block"]
                        writer = core.InBlock(folder, plan.options, block, blocks.node_count, scratch, plan.memory_bytes)
                    if row["source"] >= 0:
                        writer.add(row["payload"])
            yield from end_block()

    return run


# --- parts

def join(plan: Plan, parts: List[Dict[str, Any]]) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        folder: Optional[str] = None
        for place in numbers_in(batches):
            folder = folder or own_folder(plan, "parts")
            one = parts[place]
            files = core.join_blocks(folder, one["layer"], plan.options, one["part"], one["blocks"])
            yield told_files(files, folder, one["part"])

    return run


# --- saved columns of scores

def carry(plan: Plan, after_folder: str, written: str,
          work: List[Dict[str, List[str]]]) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for place in numbers_in(batches):
            folder = own_folder(plan, "scores")
            scores, link_scores = core.carry_columns(plan.archive, after_folder, written, work[place]["scores"],
                                                     work[place]["link_scores"], folder, plan.memory_bytes)
            yield rows(CARRIED, [{"folder": folder, "columns": json.dumps({"scores": scores, "link_scores": link_scores})}])

    return run
