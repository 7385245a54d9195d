# SPDX-License-Identifier: Apache-2.0
"""Streams of captures: what reading crawl files and querying archives have in common."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any, Callable, NamedTuple

from . import _core
from ._words import PathLike
from .table import Table, polars_module, pyarrow_module, values_of

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow


class Link(NamedTuple):
    """A link of a capture. ``kinds`` is a string such as ``navigation+nofollow``; a ``count`` of 255 means 255 or more."""

    url: str
    kinds: str
    count: int  # type: ignore[assignment]  # a tuple's own count() gives way
    text: str | None
    context: str | None


class Capture(NamedTuple):
    """A dated status of a URL; what is not known is None. ``links`` is None for a sighting: its links are unknown."""

    url: str
    time: datetime
    status: int | None
    outcome: str
    kind: str
    mime: str | None
    digest: str | None
    redirect_target: str | None
    truncated: bool
    file: str | None
    offset: int | None
    length: int | None
    crawl: str | None
    spelling: str | None
    refers_to_url: str | None
    refers_to_time: datetime | None
    title: str | None
    text: str | None
    links: list[Link] | None


def captures_of(table: _core.Table) -> Iterator[Capture]:
    for row in zip(*(values_of(column) for column in table.columns)):
        links = row[-1]
        values: list[Any] = [*row[:-1], None if links is None else [Link(*link) for link in links]]
        yield Capture(*values)


class Captures:
    """Captures one after the other, in bounded memory.

    Iterate over it for Capture objects; ``batches()`` gives tables; Arrow's libraries read all of it as a stream.
    Captures of an archive can be read again, from the beginning; those of crawl files only once.

    >>> captures = webstrata.open(example_archive).captures()
    >>> sum(1 for _ in captures) == sum(1 for _ in captures)
    True
    """

    def __init__(self, open_stream: Callable[[], _core.TableStream], schema: str) -> None:
        self._open = open_stream
        self._schema = schema
        self._stream = open_stream()  # at once: what is wrong with the question is an error here
        self._is_read = False

    def _started(self) -> _core.TableStream:
        """The stream, from its beginning."""
        if self._is_read:
            self._stream = self._open()
        self._is_read = True
        return self._stream

    def _next_of(self, stream: _core.TableStream) -> _core.Table | None:
        return stream.next()

    def __iter__(self) -> Iterator[Any]:
        for batch in self.batches():
            if self._schema == "webstrata":
                yield from captures_of(batch._core)
            else:
                yield from batch

    def batches(self) -> Iterator[Table]:
        """Tables of several thousand rows each."""
        stream = self._started()
        while (table := self._next_of(stream)) is not None:
            yield Table(table)

    def __arrow_c_schema__(self) -> object:
        return self._stream.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._started().__arrow_c_stream__(requested_schema)

    def to_arrow(self) -> pyarrow.Table:
        """All of it as a pyarrow.Table."""
        arrow = pyarrow_module("to_arrow()")
        return arrow.Table.from_batches([arrow.record_batch(batch) for batch in self.batches()], arrow.schema(self))

    def to_pandas(self, **options: Any) -> pandas.DataFrame:
        """All of it as a pandas.DataFrame."""
        return self.to_arrow().to_pandas(**options)

    def to_polars(self) -> polars.DataFrame:
        """All of it as a polars.DataFrame."""
        frame: polars.DataFrame = polars_module("to_polars()").DataFrame(self)
        return frame

    def to_parquet(self, path: PathLike, partitioned: bool = False, **options: Any) -> int:
        """Writes Parquet, batch by batch, and returns the number of rows.

        ``partitioned`` (for the schema ``commoncrawl``) makes ``path`` a folder crawl=…/subset=…, as Common Crawl
        publishes its index. Other options are those of pyarrow.parquet.ParquetWriter, or of
        pyarrow.dataset.write_dataset.
        """
        arrow = pyarrow_module("to_parquet()")
        schema = arrow.schema(self)
        rows = 0

        def counted() -> Iterator[Any]:
            nonlocal rows
            for batch in self.batches():
                rows += len(batch)
                yield arrow.record_batch(batch)

        if partitioned:
            from pyarrow.dataset import write_dataset

            write_dataset(
                counted(), path, format="parquet", schema=schema, partitioning=["crawl", "subset"],
                partitioning_flavor="hive", **options)
            return rows
        from pyarrow.parquet import ParquetWriter

        target = os.fspath(path)
        unfinished = f"{target}.unfinished"
        with ParquetWriter(unfinished, schema, **options) as writer:
            for record_batch in counted():
                writer.write_batch(record_batch)
        os.replace(unfinished, target)
        return rows
