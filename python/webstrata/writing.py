# SPDX-License-Identifier: Apache-2.0
"""Building and changing archives."""

from __future__ import annotations

import gc
import os
import warnings
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime
from typing import Any, Literal, NamedTuple, Union

from . import _core
from ._inputs import CrawlFile, readable
from ._progress import ProgressWish, Showing
from ._words import PathLike, Span, When, bytes_of, interval_of, moment, refused, span_of
from .literals import Digests, Schemes

#: A graph file and its date: ``"cc-main-2024-host@2024-05"``, ``(path, date)`` or ``(path, date, names)``.
Graph = Union[str, "tuple[PathLike, When]", "tuple[PathLike, When, PathLike]"]


class Input(NamedTuple):
    """How reading one crawl file went."""

    path: str
    format: str
    records: int
    captures: int
    sightings: int
    links: int
    bytes: int
    damages: list[tuple[int, str]]
    damage_count: int
    left_out: dict[str, int]
    error: str | None


class Written(NamedTuple):
    """What a build or an update did."""

    changed: bool
    generation: int
    pages: int
    captures: int
    links: int
    left_out: dict[str, int]
    inputs: list[Input]


class ForgottenRecord(NamedTuple):
    """A record of a crawl file that contains what was forgotten."""

    url: str
    time: datetime | None
    file: str
    offset: int | None


class Forgotten(NamedTuple):
    """What was deleted, and which crawl files still contain it."""

    changed: bool
    names: int
    sightings: int
    tombstones: int
    embedded: list[str]
    records: list[ForgottenRecord]


class Verified(NamedTuple):
    """What verify checked; without problems the archive is intact."""

    problems: list[str]
    files: int
    blocks: int
    bytes: int


def inputs_of(found: list[dict[str, Any]]) -> list[Input]:
    return [Input(**one) for one in found]


def warn_of(inputs: list[Input], stacklevel: int = 4) -> None:
    """Warns of damage and unreadable inputs, which are skipped."""
    for one in inputs:
        if one.error is not None:
            warnings.warn(one.error, RuntimeWarning, stacklevel)
        elif one.damage_count:
            offset, reason = one.damages[0]
            more = f" and {one.damage_count - 1} more" if one.damage_count > 1 else ""
            warnings.warn(f"{one.path}: damaged at {offset}: {reason}{more}", RuntimeWarning, stacklevel)


def written_of(found: dict[str, Any]) -> Written:
    inputs = inputs_of(found.pop("inputs"))
    warn_of(inputs)
    return Written(**found, inputs=inputs)


def _inputs_of(
    inputs: CrawlFile | Sequence[CrawlFile], graphs: Graph | Sequence[Graph], free: _core.RunWords, include: str | Sequence[str],
) -> AbstractContextManager[list[str]]:
    """The names of crawl files, as long as the block lasts; graphs go to ``free``."""
    several = [graphs] if isinstance(graphs, str) or (isinstance(graphs, tuple) and _is_dated(graphs)) else list(graphs)
    for one in several:
        if isinstance(one, str):
            free.add_graph(one)
        elif isinstance(one, tuple) and _is_dated(one):
            free.add_graph_at(os.fspath(one[0]), interval_of(one[1], "graphs")[0], os.fspath(one[2]) if len(one) > 2 else "")
        else:
            raise refused(f"graphs: {one!r} has no date: give 'PATH@DATE', (path, date) or (path, date, names)")
    is_none = isinstance(inputs, (list, tuple)) and not inputs
    return nullcontext([]) if is_none and several else readable(inputs, include, archives=True)


def _is_dated(graph: tuple[Any, ...]) -> bool:
    """A pair of path and date, possibly with a file of names, and not several graphs."""
    return 2 <= len(graph) <= 3 and isinstance(graph[0], (str, os.PathLike)) and not ("@" in os.fspath(graph[0]) and "@" in str(graph[1]))


def build(
    archive: PathLike, inputs: CrawlFile | Sequence[CrawlFile] = (), *, graphs: Graph | Sequence[Graph] = (), range: str | None = None,
    links: str | None = None, digests: Digests | None = None, schemes: Schemes | None = None, compact: bool | None = None,
    texts: bool = False, memory: int | str | None = None, threads: int = 0, temp: PathLike | None = None, crawl: str = "", skip_unreadable: bool = False,
    strict: bool = False, include: str | Sequence[str] = (), progress: ProgressWish = None,
) -> Written:
    """Builds an archive from crawl files. It appears when it is complete; after an error there is none.

    The options are those of ``webstrata build``. A file that cannot be read is an error, unless ``skip_unreadable``;
    damage inside a file causes a warning, or with ``strict`` an error. ``graphs`` are graph files with their dates, such as releases
    of Common Crawl's host graph: every node becomes a capture at that date. A graph that cannot be read is always an error. Inputs
    are paths, URLs (``https://...``, ``s3://...``) and file objects, also those of fsspec, which are read in order while the
    archive is built. A folder stands for the crawl files in it; ``include`` chooses others, such as ``"*.warc.gz"``. Archives are
    inputs too: their facts are joined, and options that are not given are those of the first one.

    >>> import tempfile, webstrata
    >>> archive = tempfile.mkdtemp() + "/lib.ws"
    >>> written = webstrata.build(archive, example_sample / "2021.warc.gz")
    >>> written.pages
    533
    >>> webstrata.update(archive, example_sample / "2023.warc.gz").changed
    True
    >>> with webstrata.open(archive) as library:
    ...     for year in ("2021", "2023"):
    ...         library.snapshot(during=year, level="host").export(archive + "-hosts-" + year, "bvgraph")
    >>> webstrata.build(archive + ".copy", [archive]).pages
    660
    >>> hosts = tempfile.mkdtemp() + "/hosts.ws"
    >>> webstrata.build(hosts, graphs=[(archive + "-hosts-2021", "2021-06"), archive + "-hosts-2023@2023-06"]).pages
    613
    """
    fixed = _core.ArchiveWords(range, links, digests, schemes, compact, ["texts"] if texts else [])
    free = _core.RunWords(bytes_of(memory), threads, "" if temp is None else os.fspath(temp), crawl, skip_unreadable, strict)
    with _inputs_of(inputs, graphs, free, include) as names, Showing(progress) as tell:
        return written_of(_core.build(os.fspath(archive), names, fixed, free, tell))


def update(
    archive: PathLike, inputs: CrawlFile | Sequence[CrawlFile] = (), *, graphs: Graph | Sequence[Graph] = (), range: str | None = None,
    links: str | None = None, digests: Digests | None = None, schemes: Schemes | None = None, compact: bool | None = None,
    texts: bool = False, memory: int | str | None = None, threads: int = 0, temp: PathLike | None = None, crawl: str = "", skip_unreadable: bool = False,
    strict: bool = False, include: str | Sequence[str] = (), merge: bool | Literal["all"] = True, progress: ProgressWish = None,
) -> Written:
    """Imports more crawl files, or other archives, with the answers of one build of all. After an error it is unchanged.

    Options fixed by ``build`` (``range``, ``links``, ``digests``, ``schemes``, ``compact``, ``texts``) may be given again, with
    the same values. What is new becomes a stratum on top of the archive, and strata of similar size are merged. ``merge=False`` leaves
    that to a later update or ``compact``; ``merge="all"`` merges all of them into one, with the bytes of one build.
    """
    fixed = _core.ArchiveWords(range, links, digests, schemes, compact, ["texts"] if texts else [])
    free = _core.RunWords(bytes_of(memory), threads, "" if temp is None else os.fspath(temp), crawl, skip_unreadable, strict)
    if merge == "all":
        free.merge_all()
    elif merge is False:
        free.merge_later()
    elif merge is not True:
        raise refused(f"merge: {merge!r} is not True, False or 'all'")
    with _inputs_of(inputs, graphs, free, include) as names, Showing(progress) as tell:
        return written_of(_core.update(os.fspath(archive), names, fixed, free, tell))


def compact(archive: PathLike, *, memory: int | str | None = None, threads: int = 0, progress: ProgressWish = None) -> bool:
    """Merges the strata of an archive into one, with the bytes of one build of all. False if it has only one.

    >>> import tempfile, webstrata
    >>> archive = tempfile.mkdtemp() + "/lib.ws"
    >>> _ = webstrata.build(archive, example_sample / "2021.warc.gz")
    >>> _ = webstrata.update(archive, example_sample / "2023.warc.gz", merge=False)
    >>> webstrata.open(archive).info()["strata"], webstrata.compact(archive), webstrata.open(archive).info()["strata"]
    (2, True, 1)
    """
    with Showing(progress) as tell:
        return _core.compact(os.fspath(archive), bytes_of(memory), threads, tell)


def _requests(
    url: str | list[str] | None, prefix: str | list[str] | None, host: str | list[str] | None, exactly: bool,
    during: Span | None,
) -> list[_core.Forget]:
    span = span_of(during)
    requests = []
    for scope, said in (("url", url), ("prefix", prefix), ("host", host)):
        for text in [said] if isinstance(said, str) else said or []:
            requests.append(_core.Forget.of(scope, text, exactly, span))
    if not requests:
        raise refused("name what to forget: `url`, `prefix` or `host`")
    return requests


def _refuse_if_open(archive: str) -> None:
    """What only the garbage collector can find does not count as open."""
    if _core.open_count(archive):
        gc.collect()
    count = _core.open_count(archive)
    if count:
        times = "once" if count == 1 else f"{count} times"
        raise refused(
            f"{archive}: this process has it open {times}, so forget would wait for itself; nothing was changed. Call close() on the "
            "Archive or leave its with statement, delete graphs, planners, runs and captures that came from it, then call forget again",
            "io")


def forget(
    archive: PathLike, *, url: str | list[str] | None = None, prefix: str | list[str] | None = None,
    host: str | list[str] | None = None, during: Span | None = None, exactly: bool = False, embedded: bool = False,
    force: bool = False, dry_run: bool = False, memory: int | str | None = None, threads: int = 0, progress: ProgressWish = None,
) -> Forgotten:
    """Deletes captures, links and names from an archive permanently; tombstones keep them out of later updates.

    By default all spellings are deleted; ``exactly`` limits it to one. ``during`` deletes what was captured then. It returns
    when no file of the archive contains it any more. It waits for other processes that have the archive open, and names them in a
    warning. If this process has it open, that is an error and nothing changes: call ``close()`` on the Archive, or leave its
    ``with`` statement, and delete graphs, planners, runs and captures that came from it.

    ``dry_run`` returns what would be deleted and changes nothing. A host that is a public suffix, such as ``com``, is refused without
    ``force``: all hosts below it would be deleted.

    >>> import tempfile, webstrata
    >>> archive = tempfile.mkdtemp() + "/lib.ws"
    >>> _ = webstrata.build(archive, example_sample / "2021.warc.gz")
    >>> host = "python-quart-doc.docs.example"
    >>> with webstrata.open(archive) as library:
    ...     page = library.urls(host=host).values("url")[0]
    >>> webstrata.forget(archive, host=host, dry_run=True).names == webstrata.forget(archive, host=host).names > 0
    True
    >>> with webstrata.open(archive) as library:
    ...     library.url(page) is None
    True
    """
    requests = _requests(url, prefix, host, exactly, during)
    path = os.fspath(archive)
    if not dry_run:
        _refuse_if_open(path)

    def waiting(processes: list[int]) -> None:
        names = ", ".join(map(str, processes)) or "unknown"
        warnings.warn(f"{path}: waiting until other readers close it: process {names}", RuntimeWarning, stacklevel=3)

    with Showing(progress) as tell:
        found = _core.forget(path, requests, embedded, force, dry_run, bytes_of(memory), threads, tell, waiting)
    records = [ForgottenRecord(one, moment(time), file, offset) for one, time, file, offset in found.pop("records")]
    return Forgotten(**found, records=records)


def undo_forget(
    archive: PathLike, *, url: str | list[str] | None = None, prefix: str | list[str] | None = None,
    host: str | list[str] | None = None, during: Span | None = None, exactly: bool = False,
) -> int:
    """Allows later updates to import it again; returns the number of tombstones removed."""
    return _core.undo_forget(os.fspath(archive), _requests(url, prefix, host, exactly, during))


def verify(archive: PathLike, threads: int = 0, progress: ProgressWish = None) -> Verified:
    """Checks every checksum and invariant of an archive.

    >>> import webstrata
    >>> webstrata.verify(example_archive).problems
    []
    """
    with Showing(progress) as tell:
        return Verified(**_core.verify(os.fspath(archive), threads, tell))
