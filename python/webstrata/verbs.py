# SPDX-License-Identifier: Apache-2.0
"""Commands as functions: the same words as on the command line, for who knows those. Methods do the same on what is open."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Union

from ._progress import ProgressWish
from ._words import PathLike, Span, When, refused
from .archive import Archive, Diff, open as open_archive
from .graph import Snapshot, load_graph
from .literals import Dialect, ExportForm, KeyDialect, Level

#: The folder of an archive, or an open one.
ArchiveLike = Union[PathLike, Archive]


def _opened(archive: ArchiveLike) -> Archive:
    return archive if isinstance(archive, Archive) else open_archive(archive)


def stats(
    archive: ArchiveLike, *, kinds: str = "all", menu_share: float = 0.8, menu_pages: int = 5, threads: int = 0,
    progress: ProgressWish = None, report: PathLike | None = None, patterns: int = 0,
) -> dict[str, Any]:
    """How links appear and disappear, where they lead, and which belong to menus: ``webstrata stats --json``.

    >>> import webstrata
    >>> webstrata.stats(example_archive)["pages"] > 500
    True
    """
    return _opened(archive).stats(kinds, menu_share, menu_pages, threads, progress, report, patterns)


def diff(
    archive: ArchiveLike, t0: When, t1: When, *, links: bool = False, kinds: str = "all", threads: int = 0,
    progress: ProgressWish = None, report: PathLike | None = None,
) -> Diff:
    """Pages and links that appeared, vanished, were kept or not seen since: ``webstrata diff``.

    >>> import webstrata
    >>> webstrata.diff(example_archive, "2021", "2023").total["pages_vanished"]
    9
    """
    return _opened(archive).diff(t0, t1, links, kinds, threads, progress, report)


def _graph_of(
    source: ArchiveLike | Snapshot, columns: bool, at: When | None, during: Span | None, carry: bool, level: Level,
    fold: Dialect | None, kinds: str, without_inner_links: bool, urls: PathLike | None, threads: int, progress: ProgressWish,
) -> Snapshot:
    """The graph to export: of an archive at a time, of a file, or one in memory."""
    has_time = at is not None or during is not None or carry
    if isinstance(source, Archive) or (not isinstance(source, Snapshot) and (Path(source) / "MANIFEST").is_file()):
        return _opened(source).snapshot(
            at, during, level, fold, kinds, carry, not without_inner_links, columns, threads, progress)
    if has_time:
        raise refused("at, during and carry need an archive: a graph has no history")
    graph = source if isinstance(source, Snapshot) else load_graph(source, urls, threads, progress)
    if level == "page" and fold is None and not without_inner_links:
        return graph
    return graph.viewed(level, fold, not without_inner_links)


def export(
    source: ArchiveLike | Snapshot, path: PathLike, as_: ExportForm, *, at: When | None = None, during: Span | None = None,
    carry: bool = False, level: Level = "page", fold: Dialect | None = None, kinds: str = "graph",
    without_inner_links: bool = False, urls: PathLike | None = None, key: KeyDialect = "pywb", name: str = "", threads: int = 0,
    progress: ProgressWish = None,
) -> None:
    """Writes an archive or a graph in a form of other tools: ``webstrata export SOURCE PATH --as FORM``.

    ``as_`` has its underscore because ``as`` is a word of Python. The forms ``jsonl``, ``cdxj`` and ``scores`` write all of
    an archive; the others a graph, for which ``at`` to ``urls`` are as for ``webstrata.open(…).snapshot``.

    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "hosts.tsv"
    >>> webstrata.export(example_archive, file, "tsv", at="2021", level="host")
    >>> len(file.read_text().splitlines()) > 10
    True
    """
    if as_ == "jsonl" or as_ == "cdxj" or as_ == "uids" or as_ == "scores":
        if isinstance(source, Snapshot):
            raise refused(f"the form {as_} needs an archive, not a graph")
        _opened(source).export(path, as_, key, name, progress)
        return
    columns = as_ in ("graphml", "gexf")
    graph = _graph_of(source, columns, at, during, carry, level, fold, kinds, without_inner_links, urls, threads, progress)
    graph.export(path, as_, threads, progress)
