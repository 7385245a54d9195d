# SPDX-License-Identifier: Apache-2.0
"""Captures from crawl files, without an archive."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import _core
from ._inputs import CrawlFile, names_of
from ._progress import Progress, ProgressWish, Showing
from ._tables import Captures
from ._words import refused
from .literals import CaptureSchema, Schemes
from .writing import Input, inputs_of, warn_of


class Reading(Captures):
    """Captures of crawl files, in the order of the files; they are read on all cores, a little ahead. They can be read
    once; a second time is an error."""

    def __init__(self, core: Any, schema: str, progress: ProgressWish) -> None:
        super().__init__(lambda: core.stream, schema)
        self._core = core
        self._showing: Showing | None = Showing(progress)
        self._tell = self._showing.__enter__()

    def _started(self) -> _core.TableStream:
        if self._is_read:
            raise refused("these captures were read already, and crawl files are read once: call webstrata.read() again")
        return super()._started()

    def _next_of(self, stream: _core.TableStream) -> _core.Table | None:
        table: _core.Table | None = self._core.next()
        if self._tell is not None:
            done, total = self._core.place
            self._tell("reading", done, total, "B")
        if table is None:
            self._end()
        return table

    def _end(self) -> None:
        if self._showing is None:
            return
        self._showing.__exit__(None, None, None)
        self._showing = None
        inputs = self.inputs
        if inputs and all(one.error is not None for one in inputs):
            raise refused(str(inputs[0].error), "io")
        warn_of(inputs)

    @property
    def inputs(self) -> list[Input]:
        """How each file went; complete at the end."""
        return inputs_of(self._core.summaries())

    def close(self) -> None:
        """Stops reading."""
        self._core.cancel()


def read(
    *inputs: CrawlFile, links: str = "graph", anchor_text: bool = False, context: bool = False, title: bool = False,
    text: bool = False, schemes: Schemes = "web", crawl: str = "", schema: CaptureSchema = "webstrata", include: str | Sequence[str] = (),
    threads: int = 0, progress: ProgressWish = None,
) -> Reading:
    """Captures and sightings from WARC, ARC, WAT, WACZ, CDX, CDXJ, crawl logs, JSON lines and tables.

    Iterate for Capture objects, call ``batches()`` for tables, or hand it to Arrow as a stream. ``anchor_text``,
    ``context``, ``title`` and ``text`` are None unless requested. Revisits are given as they are, without links.
    ``schema="commoncrawl"`` gives the columns of Common Crawl's index. Inputs are paths, URLs (http, https, s3) and file
    objects, also those of fsspec; a folder stands for the crawl files in it, or those that ``include`` names (``"*.warc.gz"``).

    >>> import webstrata
    >>> for capture in webstrata.read(example_sample / "2021.warc.gz", title=True):
    ...     if capture.status == 200 and capture.links:
    ...         print(capture.title, len(capture.links))
    ...         break
    Documentation, 2021 12
    >>> table = webstrata.read(example_sample / "2021.warc.gz").to_arrow()
    >>> table.num_rows
    590
    """
    names, feeder = names_of(inputs, include)
    fed = None if feeder is None else feeder.core
    core = _core.read(names, schema, links, anchor_text, context, title, text, schemes, crawl, threads, fed)
    return Reading(core, schema, progress)


__all__ = ["Progress", "Reading", "read"]
