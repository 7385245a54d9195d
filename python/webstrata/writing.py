# SPDX-License-Identifier: Apache-2.0
"""Building and changing archives."""

from __future__ import annotations

import gc
import os
import warnings
from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from . import _core
from ._inputs import CrawlFile, readable
from ._progress import ProgressWish, Showing
from ._words import PathLike, Span, bytes_of, moment, refused, span_of


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


def build(
    archive: PathLike, inputs: CrawlFile | Sequence[CrawlFile], *, range: str | None = None, links: str | None = None,
    digests: str | None = None, schemes: str | None = None, compact: bool | None = None, memory: int | str | None = None,
    threads: int = 0, temp: PathLike | None = None, crawl: str = "", skip_unreadable: bool = False, strict: bool = False,
    progress: ProgressWish = None,
) -> Written:
    """Builds an archive from crawl files. It appears when it is complete; after an error there is none.

    The options are those of ``webstrata build``. A file that cannot be read is an error, unless ``skip_unreadable``;
    damage inside a file causes a warning, or with ``strict`` an error. Inputs are paths, URLs (``https://...``, ``s3://...``)
    and file objects, also those of fsspec, which are read in order while the archive is built.

    >>> import tempfile, webstrata
    >>> archive = tempfile.mkdtemp() + "/lib.ws"
    >>> written = webstrata.build(archive, example_sample / "2021.warc.gz")
    >>> written.pages
    533
    >>> webstrata.update(archive, example_sample / "2023.warc.gz").changed
    True
    """
    fixed = _core.ArchiveWords(range, links, digests, schemes, compact)
    free = _core.RunWords(bytes_of(memory), threads, "" if temp is None else os.fspath(temp), crawl, skip_unreadable, strict)
    with readable(inputs) as names, Showing(progress) as tell:
        return written_of(_core.build(os.fspath(archive), names, fixed, free, tell))


def update(
    archive: PathLike, inputs: CrawlFile | Sequence[CrawlFile], *, range: str | None = None, links: str | None = None,
    digests: str | None = None, schemes: str | None = None, compact: bool | None = None, memory: int | str | None = None,
    threads: int = 0, temp: PathLike | None = None, crawl: str = "", skip_unreadable: bool = False, strict: bool = False,
    progress: ProgressWish = None,
) -> Written:
    """Imports more crawl files into an archive, with the same bytes as one build of all. After an error it is unchanged.

    Options fixed by ``build`` (``range``, ``links``, ``digests``, ``schemes``, ``compact``) may be given again, with the
    same values.
    """
    fixed = _core.ArchiveWords(range, links, digests, schemes, compact)
    free = _core.RunWords(bytes_of(memory), threads, "" if temp is None else os.fspath(temp), crawl, skip_unreadable, strict)
    with readable(inputs) as names, Showing(progress) as tell:
        return written_of(_core.update(os.fspath(archive), names, fixed, free, tell))


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
