# SPDX-License-Identifier: Apache-2.0
"""The meaning of arguments: dates, amounts of memory, URLs. The same as on the command line."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any, Union

from . import _core
from ._error import Error
from .literals import ErrorKind

#: A date is any prefix ("2015", "2015-06", "20150601120000"), RFC 3339, a date or datetime, or seconds since 1970 UTC.
When = Union[str, int, date, datetime]
#: An interval of time: a date stands for all its moments; "2015..2016-06" or a pair goes from the one to the other.
Span = Union[When, "tuple[When | None, When | None]"]
PathLike = Union[str, "os.PathLike[str]"]

EVER = (-(2**63), 2**63 - 1)


def refused(message: str, kind: ErrorKind = "bad_input") -> Error:
    error = Error(message)
    error.kind = kind
    return error


def interval_of(when: When, what: str) -> tuple[int, int]:
    """The first and last second that a date stands for."""
    if isinstance(when, datetime):
        second = int((when if when.tzinfo else when.replace(tzinfo=timezone.utc)).timestamp() // 1)
        return second, second
    if isinstance(when, date):
        return interval_of(when.isoformat(), what)
    if isinstance(when, str):
        return _core.parse_date(what, when)
    return int(when), int(when)


def moment_of(when: When | None, what: str = "at") -> int | None:
    """``at`` means the last second of a date."""
    return None if when is None else interval_of(when, what)[1]


def span_of(span: Span | None, what: str = "during") -> tuple[int, int] | None:
    if span is None:
        return None
    if isinstance(span, str):
        return _core.parse_dates(what, span)
    if not isinstance(span, tuple):
        return interval_of(span, what)
    first = EVER[0] if span[0] is None else interval_of(span[0], what)[0]
    last = EVER[1] if span[1] is None else interval_of(span[1], what)[1]
    if first > last:
        raise refused(f"{what}={span!r}: it ends before it begins")
    return first, last


def spoken(when: Any) -> str:
    """A date or an interval as a user of the command line would write it."""
    if isinstance(when, tuple):
        return "..".join("" if one is None else spoken(one) for one in when)
    return when.isoformat() if isinstance(when, date) else str(when)


def report_of(report: PathLike | None) -> str:
    """The file for a report page; empty if none is wanted. Its folder must exist."""
    if report is None:
        return ""
    if Path(report).is_dir():
        raise refused(f"report={os.fspath(report)!r} is a folder; name a file in it, such as {os.fspath(Path(report) / 'report.html')!r}")
    folder = Path(report).absolute().parent
    if not folder.is_dir():
        raise refused(f"report={os.fspath(report)!r}: the folder {folder} does not exist; create it first", "not_found")
    return os.fspath(report)


def moment(seconds: int | None) -> datetime | None:
    """Seconds as a datetime in UTC."""
    return None if seconds is None else datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(seconds=seconds)


def bytes_of(memory: int | str | None) -> int:
    """``"4G"`` or a number of bytes; None is the library's default."""
    if memory is None:
        return 0
    if isinstance(memory, int):
        return memory
    return _core.parse_bytes("memory", memory.strip())


def paths_of(inputs: PathLike | Sequence[PathLike], include: str | Sequence[str] = (), archives: bool = False) -> list[str]:
    """One path or several; ``"@list.txt"`` names a file with one path per line, ``include`` the files to read in folders.

    An archive is refused unless ``archives``."""
    several = [inputs] if isinstance(inputs, (str, os.PathLike)) else list(inputs)
    if not several:
        raise refused("no input: name at least one file")
    return _core.expand_inputs([os.fspath(one) for one in several], [include] if isinstance(include, str) else list(include), archives)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


def words_of(settings: dict[str, Any]) -> list[tuple[str, list[str]]]:
    """Those settings that were given, as the core takes them."""
    given = []
    for name, value in settings.items():
        if value is None:
            continue
        several = isinstance(value, Iterable) and not isinstance(value, (str, os.PathLike))
        values = [_text(one) for one in value] if several else [_text(value)]
        if values:
            given.append((name, values))
    return given
