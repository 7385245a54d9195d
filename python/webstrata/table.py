# SPDX-License-Identifier: Apache-2.0
"""Tables that other libraries can use without a copy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from . import _core
from ._html import ROWS_SHOWN, table_html
from ._words import PathLike, moment, refused

if TYPE_CHECKING:
    import numpy
    import pandas
    import polars
    import pyarrow


def pyarrow_module(what: str) -> Any:
    try:
        import pyarrow
    except ImportError:
        raise refused(f"{what} needs pyarrow: pip install pyarrow", "not_found") from None
    return pyarrow


def polars_module(what: str) -> Any:
    try:
        import polars
    except ImportError:
        raise refused(f"{what} needs polars: pip install polars", "not_found") from None
    return polars


def values_of(column: _core.Column, first: int = 0, end: int | None = None) -> list[Any]:
    """The values as Python's own objects; times as datetimes."""
    values = column.pylist(first, end)
    return [moment(value) for value in values] if column.format.startswith("tss") else values


class Table:
    """Columns of equal length in Arrow's memory layout.

    Every library that supports the Arrow PyCapsule interface accepts a Table: ``pyarrow.table(table)``,
    ``polars.DataFrame(table)``, ``duckdb.sql("SELECT … FROM table")``. Nothing is copied.

    >>> import webstrata
    >>> graph = webstrata.Snapshot.from_links([("a", "b"), ("b", "c")])
    >>> table = graph.links()
    >>> table.column_names
    ['source', 'target']
    >>> table["target"]
    array([1, 2], dtype=uint32)
    >>> list(graph.links(names=True))
    [{'source': 'a', 'target': 'b'}, {'source': 'b', 'target': 'c'}]
    """

    def __init__(self, core: _core.Table) -> None:
        self._core = core

    @property
    def column_names(self) -> list[str]:
        return [column.name for column in self._core.columns]

    def __len__(self) -> int:
        return len(self._core)

    def __getitem__(self, name: str) -> numpy.ndarray[Any, Any]:
        """A column of numbers as a read-only NumPy view of its memory; times have type datetime64[s]."""
        column = self._core.column(name)
        if column.null_count:
            raise refused(f"{name} has missing values, which NumPy cannot represent: use values() or to_pandas()")
        view: numpy.ndarray[Any, Any] = column.numpy()
        return view.view("datetime64[s]") if column.format.startswith("tss") else view

    def values(self, name: str) -> list[Any]:
        """A column as a list; None where a value is missing."""
        return values_of(self._core.column(name))

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The rows, as dictionaries."""
        names = self.column_names
        step = 4096
        for first in range(0, len(self), step):
            columns = [values_of(column, first, first + step) for column in self._core.columns]
            for row in zip(*columns):
                yield dict(zip(names, row))

    def __repr__(self) -> str:
        return f"<webstrata.Table of {len(self)} rows: {', '.join(self.column_names)}>"

    def _repr_html_(self) -> str:
        """What a notebook shows: the first rows."""
        shown = min(len(self), ROWS_SHOWN)
        rows = zip(*(values_of(column, 0, shown) for column in self._core.columns))
        note = f"The first {shown} of {len(self):,} rows." if shown < len(self) else ""
        return table_html(f"webstrata.Table of {len(self):,} rows", self.column_names, rows, note)

    def __arrow_c_schema__(self) -> object:
        return self._core.__arrow_c_schema__()

    def __arrow_c_array__(self, requested_schema: object | None = None) -> object:
        return self._core.__arrow_c_array__(requested_schema)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._core.__arrow_c_stream__(requested_schema)

    def to_arrow(self) -> pyarrow.Table:
        """As a pyarrow.Table of the same memory."""
        return pyarrow_module("to_arrow()").table(self)

    def to_pandas(self, **options: Any) -> pandas.DataFrame:
        """As a pandas.DataFrame; options are those of pyarrow.Table.to_pandas."""
        return self.to_arrow().to_pandas(**options)

    def to_polars(self) -> polars.DataFrame:
        """As a polars.DataFrame."""
        frame: polars.DataFrame = polars_module("to_polars()").DataFrame(self)
        return frame

    def to_parquet(self, path: PathLike, **options: Any) -> None:
        """Writes a Parquet file; options are those of pyarrow.parquet.write_table."""
        import pyarrow.parquet

        pyarrow.parquet.write_table(self.to_arrow(), path, **options)


class Tabular:
    """What has a ``table()`` goes to other libraries as that table does."""

    def table(self) -> Table:
        raise NotImplementedError

    def to_arrow(self) -> pyarrow.Table:
        """As a pyarrow.Table."""
        return self.table().to_arrow()

    def to_pandas(self, **options: Any) -> pandas.DataFrame:
        """As a pandas.DataFrame; options are those of pyarrow.Table.to_pandas."""
        return self.table().to_pandas(**options)

    def to_polars(self) -> polars.DataFrame:
        """As a polars.DataFrame."""
        return self.table().to_polars()

    def __arrow_c_schema__(self) -> object:
        return self.table().__arrow_c_schema__()

    def __arrow_c_array__(self, requested_schema: object | None = None) -> object:
        return self.table().__arrow_c_array__(requested_schema)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self.table().__arrow_c_stream__(requested_schema)
