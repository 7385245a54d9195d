# SPDX-License-Identifier: Apache-2.0
"""The links of a page over time: which capture had which link."""

from __future__ import annotations

from datetime import datetime
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._words import PathLike, moment

if TYPE_CHECKING:
    import numpy
    import pandas


class Strata:
    """Links (rows) and captures (columns) of a page. ``Archive.strata`` makes it; a notebook draws it.

    ``links`` are the addresses of the other ends, ``times`` when the captures were made, ``present`` a matrix of truth values.

    >>> library = webstrata.open(example_archive)
    >>> found = library.strata("http://python-quart-doc.docs.example/tutorials/installation.html")
    >>> found
    <webstrata.Strata of 'http://python-quart-doc.docs.example/tutorials/installation.html': 25 links, 2 captures>
    >>> bool(found.present.any(axis=1).all())
    True
    """

    def __init__(self, url: str, found: dict[str, Any], page: str) -> None:
        self.url = url
        self.links: list[str] = found["names"]
        self.left_out: int = found["left_out"]
        self._seconds: list[int] = found["times"]
        self._runs: list[list[int]] = found["runs"]
        self._groups = {one["name"]: [one["groups"][i] for i in one["of"]] for one in found["groupings"]}
        self._page = page

    def __repr__(self) -> str:
        return f"<webstrata.Strata of {self.url!r}: {len(self.links)} links, {len(self._seconds)} captures>"

    @property
    def times(self) -> list[datetime]:
        """When the captures were made."""
        return [found for found in map(moment, self._seconds) if found is not None]

    @property
    def present(self) -> numpy.ndarray[Any, Any]:
        """Whether each link (row) was there in each capture (column)."""
        import numpy

        matrix = numpy.zeros((len(self.links), len(self._seconds)), dtype=bool)
        for row, runs in enumerate(self._runs):
            for first, count in zip(runs[::2], runs[1::2]):
                matrix[row, first:first + count] = True
        return matrix

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each link: address, first and last time seen, number of captures, kind, place and host."""
        import pandas

        last = [runs[-2] + runs[-1] - 1 for runs in self._runs]
        times = self.times
        return pandas.DataFrame({
            "url": self.links, "first": [times[runs[0]] for runs in self._runs], "last": [times[column] for column in last],
            "captures": [sum(runs[1::2]) for runs in self._runs], **self._groups})

    def to_html(self) -> str:
        """The whole page, with everything that it needs inside it."""
        return self._page

    def save(self, path: PathLike) -> None:
        """Writes the page to a file."""
        Path(path).write_text(self._page, encoding="utf-8")

    def _repr_html_(self) -> str:
        """What a notebook shows: the page in a frame of its own, which can reach neither the notebook nor the network."""
        return (
            '<iframe sandbox="allow-scripts allow-downloads allow-popups" style="width: 100%; height: 760px; border: 0" '
            f'title="{escape(repr(self))}" srcdoc="{escape(self._page)}"></iframe>')
