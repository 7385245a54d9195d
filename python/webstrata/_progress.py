# SPDX-License-Identifier: Apache-2.0
"""Progress of long operations: a callback, or a tqdm bar."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Any, Callable, NamedTuple, Union


class Progress(NamedTuple):
    """How far a long operation is. ``total`` is 0 while it is not known."""

    phase: str
    done: int
    total: int
    unit: str


#: True shows a bar (tqdm, or a plain line without it), False nothing; None shows one on a terminal, as the command
#: line does; a callable is called with a Progress, on the thread that called, about twenty times a second. What it
#: raises stops the work.
ProgressWish = Union[bool, None, Callable[[Progress], None]]


class _Bar:
    """One bar for each phase."""

    def __init__(self, always: bool) -> None:
        self.always = always
        self.phase = ""
        self.bar: Any = None

    def __call__(self, now: Progress) -> None:
        if now.phase != self.phase:
            self.close()
            self.phase = now.phase
            self.bar = self.opened(now)
        if self.bar is not None:
            self.bar.total = now.total or None
            self.bar.update(now.done - self.bar.n)

    def opened(self, now: Progress) -> Any:
        try:
            from tqdm.auto import tqdm  # type: ignore[import-untyped,unused-ignore]
        except ImportError:
            print(f"webstrata: {now.phase}", file=sys.stderr)
            return None
        scale = now.unit == "B"
        delay = 0 if self.always else 0.5
        return tqdm(desc=now.phase, total=now.total or None, unit=now.unit if scale else f" {now.unit}", unit_scale=scale, delay=delay)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()
        self.bar = None


class Showing:
    """``with Showing(progress) as report:`` gives the function that the core calls, or None."""

    def __init__(self, wish: ProgressWish) -> None:
        self.bar: _Bar | None = None
        self.callback: Callable[[Progress], None] | None = None
        if callable(wish):
            self.callback = wish
        elif wish or (wish is None and sys.stderr is not None and sys.stderr.isatty()):
            self.callback = self.bar = _Bar(always=bool(wish))

    def __enter__(self) -> Callable[[str, int, int, str], None] | None:
        callback = self.callback
        if callback is None:
            return None
        return lambda phase, done, total, unit: callback(Progress(phase, done, total, unit))

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self.bar is not None:
            self.bar.close()
