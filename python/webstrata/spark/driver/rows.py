# SPDX-License-Identifier: Apache-2.0
"""An archive as rows for an online store: one row per document with all its layers, sorted by key."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
from dataclasses import dataclass
from typing import Any, Iterable, List, Optional

from ... import _core
from ..._words import refused
from ..executor import slots
from ..pieces import numbered
from ..schemas import DOCUMENT, in_spark
from .errors import clear_errors, look_at_workers
from .own_jobs import own_jobs

BOUNDARIES = "_boundaries"


@dataclass
class Rows:
    """What was written: one file for each range, and where ranges begin."""

    path: str
    rows: int
    boundaries: List[bytes]  # the first key of every range but the first: what a store is split at
    documents: List[int]  # rows of each range
    bytes: List[int]  # size of the file of each range

    @property
    def imbalance(self) -> float:
        """The largest file, divided by the mean: 1 is perfect balance."""
        return max(self.bytes) * len(self.bytes) / sum(self.bytes)


def given_borders(opened: Any, boundaries: Iterable[str]) -> List[int]:
    """The uids at which ranges begin: of the first document of a host, or at or after a URL."""
    borders = [0]
    for word in boundaries:
        first = opened.range("prefix" if "://" in word else "host", word)[0]
        if first < borders[-1]:
            raise refused(f"boundaries: {word} comes before the boundary above it in the order of keys")
        if first > borders[-1]:
            borders.append(first)
    return borders + [opened.node_count] if borders[-1] < opened.node_count else borders


def sampled_borders(opened: Any, count: int, sample: int, seed: int) -> List[int]:
    """The partitioner of Avcular and Suel: a random super-sample, sorted, of which every n-th is a boundary.

    The sample is one of captured documents; each weighs as much as the links that it brings along, so that ranges have about
    the same work and not the same number of names, most of which are only linked to.
    """
    pages = opened.pages().numpy()
    drawn = sorted(random.Random(seed).sample(range(len(pages)), min(sample, len(pages))))
    weights = [1 + len(opened.links([int(pages[place])], False)) for place in drawn]
    total, so_far, borders = sum(weights), 0, [0]
    for place, weight in zip(drawn, weights):
        if so_far * count >= total * len(borders) and int(pages[place]) > borders[-1]:
            borders.append(int(pages[place]))
        so_far += weight
    return borders + [opened.node_count]


def borders_of(opened: Any, count: int, boundaries: Optional[Iterable[str]], sample: Optional[int], seed: int) -> List[int]:
    if boundaries is not None and sample is not None:
        raise refused("give boundaries or the size of a sample, not both")
    if boundaries is not None:
        return given_borders(opened, boundaries)
    if sample is not None:
        if sample < 1:
            raise refused("sample: at least 1")
        return sampled_borders(opened, count, sample, seed)
    return [opened.node_count * place // count for place in range(count + 1)]


def part_sizes(out: str) -> List[int]:
    """Of the files of the ranges, in their order."""
    names = sorted(name for name in os.listdir(out) if name.startswith("part-"))
    return [os.path.getsize(os.path.join(out, name)) for name in names]


def rows(
    spark: Any, archive: str, out: str, partitions: Optional[int] = None, boundaries: Optional[Iterable[str]] = None,
    sample: Optional[int] = None, seed: int = 1,
) -> Rows:
    """Writes an archive as Parquet, a row for each document, sorted by key: for HBase, Cassandra and similar stores.

    ``links`` and ``in_links`` are keys, under which other rows are found; ``presence`` holds, for each of ``times``, places
    in ``links``, and ``kinds`` and ``counts`` are parallel to it; ``in_presence`` does the same for ``ranges`` (their numbers) and
    ``in_links``. File number i of the folder holds range number i; ``_boundaries`` lists, in hexadecimal, the keys at which
    a store is to be split before it is loaded. ``out`` must not exist. Raises ``webstrata.Error``; then it does not.

    Ranges have the same number of documents, unless ``sample`` (a super-sample of that many captured documents, drawn with
    ``seed``, decides: about equal numbers of links) or ``boundaries`` (hosts or URLs at which ranges begin, in the order of keys)
    says otherwise. ``Rows.documents``, ``.bytes`` and ``.imbalance`` say how well they are balanced.

    >>> from webstrata import spark as on_spark
    >>> told = on_spark.rows(spark, example_archive, f"{example_folder}/documents.parquet", partitions=2)
    >>> len(told.boundaries)
    1
    """
    archive, out = os.path.abspath(archive), os.path.abspath(out)
    opened = _core.open(archive)
    if os.path.exists(out):
        raise refused(f"{out}: already exists")
    if not opened.node_count:
        raise refused(f"{archive}: has no documents")
    count = max(1, min(partitions or spark.sparkContext.defaultParallelism, opened.node_count))
    borders = borders_of(opened, count, boundaries, sample, seed)
    count = len(borders) - 1
    look_at_workers(spark)
    try:
        with clear_errors("; nothing was written"), own_jobs(spark):
            spark.sparkContext.setJobDescription("webstrata: write rows")
            task = slots.read_documents(archive, list(zip(borders, borders[1:])))
            table = numbered(spark, count).mapInArrow(task, in_spark(DOCUMENT))
            table.write.parquet("file://" + out)
        keys = [opened.key(uid) for uid in borders[1:-1]]
        with open(os.path.join(out, BOUNDARIES), "w") as lines:
            lines.writelines(key.encode().hex() + "\n" for key in keys)
    except BaseException:
        shutil.rmtree(out, ignore_errors=True)
        raise
    finally:
        with contextlib.suppress(Exception):
            spark.sparkContext.setJobDescription(None)
    documents = [end - first for first, end in zip(borders, borders[1:])]
    return Rows(out, opened.node_count, [key.encode() for key in keys], documents, part_sizes(out))
