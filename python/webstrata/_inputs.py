# SPDX-License-Identifier: Apache-2.0
"""Crawl files as functions take them: paths, URLs, and file objects, whose bytes a thread hands over while they are read."""

from __future__ import annotations

import atexit
import os
import threading
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol, Union, runtime_checkable

from . import _core
from ._words import PathLike, paths_of, refused


@runtime_checkable
class Readable(Protocol):
    """A file that is open for reading, in binary mode: of ``open``, of a library such as fsspec, of an HTTP client."""

    def read(self, size: int = ..., /) -> Any: ...


@runtime_checkable
class Openable(Protocol):
    """A file that is opened when it is its turn, and closed afterwards: ``fsspec.open(...)``."""

    def open(self) -> Any: ...


#: A path, a URL (http://, https://, s3://), ``"@list.txt"``, or a file object. Objects are read once, from where they are.
CrawlFile = Union[PathLike, Readable, Openable]

STEP_BYTES = 1 << 20


def _is_path(one: Any) -> bool:
    return isinstance(one, (str, os.PathLike))


def _file_name(one: Any) -> str:
    """What sightings will call it."""
    for attribute in ("path", "name"):
        name = getattr(one, attribute, None)
        if isinstance(name, str):
            return name.rpartition("/")[2]
    return ""


def _several(inputs: CrawlFile | Sequence[CrawlFile]) -> list[CrawlFile]:
    is_one = _is_path(inputs) or isinstance(inputs, (Readable, Openable))
    several: list[Any] = [inputs] if is_one else list(inputs)  # type: ignore[arg-type]
    for one in several:
        if not _is_path(one) and not isinstance(one, (Readable, Openable)):
            raise refused(f"{one!r}: neither a path nor a file object")
    return several


class _Feeder:
    """Reads file objects when the core wants their bytes, on a thread of its own."""

    def __init__(self, objects: list[Any]) -> None:
        self.core = _core.FedInputs([_file_name(one) for one in objects])
        self._objects = objects
        self._thread = threading.Thread(target=self._feed, name="webstrata file objects", daemon=True)
        _FEEDERS.add(self)
        self._thread.start()

    def _feed(self) -> None:
        opened: dict[int, Any] = {}
        try:
            while (number := self.core.next()) is not None:
                try:
                    if number not in opened:
                        one = self._objects[number]
                        opened[number] = one if isinstance(one, Readable) else one.open()
                    data = self._read(opened[number])
                except Exception as error:
                    self.core.fail(number, f"{type(error).__name__}: {error}")
                    data = b""
                else:
                    self.core.give(number, data)
                if not data:
                    self._close(number, opened)
        finally:
            for number in list(opened):
                self._close(number, opened)

    @staticmethod
    def _read(source: Any) -> bytes:
        data = source.read(STEP_BYTES)
        if isinstance(data, str):
            raise TypeError("it is open as text; open it in binary mode")
        if data is None:
            raise BlockingIOError("it does not wait for bytes; open it in blocking mode")
        return bytes(data)

    def _close(self, number: int, opened: dict[int, Any]) -> None:
        source = opened.pop(number)
        if source is not self._objects[number]:  # it was opened here
            source.close()

    def end(self) -> None:
        self.core.close()
        self._thread.join(1)  # an object that hangs must not hang us


_FEEDERS: weakref.WeakSet[_Feeder] = weakref.WeakSet()


@atexit.register
def _end_all() -> None:
    """A thread that waits in the core must not outlive the interpreter."""
    for feeder in list(_FEEDERS):
        feeder.end()


def names_of(inputs: CrawlFile | Sequence[CrawlFile], include: str | Sequence[str] = (), archives: bool = False) -> tuple[list[str], _Feeder | None]:
    """The names by which the core finds the inputs; the feeder must be ended after they were read."""
    several = _several(inputs)
    objects = [one for one in several if not _is_path(one)]
    if not objects:
        return paths_of(several, include, archives), None  # type: ignore[arg-type]
    feeder = _Feeder(objects)
    try:
        fed = iter(feeder.core.names)
        return [name for one in several for name in (paths_of(one, include, archives) if _is_path(one) else [next(fed)])], feeder  # type: ignore[arg-type]
    except BaseException:
        feeder.end()
        raise


@contextmanager
def readable(inputs: CrawlFile | Sequence[CrawlFile], include: str | Sequence[str] = (), archives: bool = False) -> Iterator[list[str]]:
    """The names of the inputs, as long as the block lasts."""
    names, feeder = names_of(inputs, include, archives)
    try:
        yield names
    finally:
        if feeder is not None:
            feeder.end()
