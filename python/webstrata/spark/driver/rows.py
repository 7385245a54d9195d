# SPDX-License-Identifier: Apache-2.0
"""An archive as rows for an online store: one row per document with all its layers, sorted by key."""

from __future__ import annotations

import contextlib
import os
import shutil
from dataclasses import dataclass
from typing import Any, List, Optional

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


def rows(spark: Any, archive: str, out: str, partitions: Optional[int] = None) -> Rows:
    """Writes an archive as Parquet, a row for each document, sorted by key: for HBase, Cassandra and similar stores.

    ``links`` and ``in_links`` are keys, under which other rows are found; ``presence`` holds, for each of ``times``, places
    in ``links``, and ``kinds`` and ``counts`` are parallel to it; ``in_presence`` does the same for ``ranges`` (their numbers) and
    ``in_links``. File number i of the folder holds range number i; ``_boundaries`` lists, in hexadecimal, the keys at which
    a store is to be split before it is loaded. ``out`` must not exist. Raises ``webstrata.Error``; then it does not.

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
    borders = [opened.node_count * place // count for place in range(count + 1)]
    look_at_workers(spark)
    try:
        with clear_errors("; nothing was written"), own_jobs(spark):
            spark.sparkContext.setJobDescription("webstrata: write rows")
            task = slots.read_documents(archive, list(zip(borders, borders[1:])))
            table = numbered(spark, count).mapInArrow(task, in_spark(DOCUMENT))
            table.write.parquet("file://" + out)
        boundaries = [opened.key(uid) for uid in borders[1:-1]]
        with open(os.path.join(out, BOUNDARIES), "w") as lines:
            lines.writelines(key.encode().hex() + "\n" for key in boundaries)
    except BaseException:
        shutil.rmtree(out, ignore_errors=True)
        raise
    finally:
        with contextlib.suppress(Exception):
            spark.sparkContext.setJobDescription(None)
    return Rows(out, opened.node_count, [key.encode() for key in boundaries])
