# SPDX-License-Identifier: Apache-2.0
"""Work in pieces: Spark hands numbers to tasks, and a task finds in a list what its numbers mean.

The list travels with the task's code. A DataFrame of the work itself would be made by another Python in front of each task.
"""

from __future__ import annotations

from typing import Any, Iterator, Optional

import pyarrow as pa


def numbered(spark: Any, count: int, partitions: Optional[int] = None) -> Any:
    """DataFrame of the numbers from 0 up to `count`: one for each task, or some of them that follow each other."""
    return spark.range(0, count, 1, min(partitions or count, count))


def numbers_in(batches: Iterator[pa.RecordBatch]) -> Iterator[int]:
    for batch in batches:
        yield from batch.column(0).to_pylist()
