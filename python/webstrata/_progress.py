# SPDX-License-Identifier: Apache-2.0
"""Progress of long operations: a callback, or a bar."""

from __future__ import annotations

import sys
import time
from html import escape
from types import TracebackType
from typing import Any, Callable, NamedTuple, Union


class Progress(NamedTuple):
    """How far a long operation is. ``total`` is 0 while it is not known."""

    phase: str
    done: int
    total: int
    unit: str


#: True shows a bar, False nothing; None shows one in notebooks and in an interactive session on a terminal, and none in
#: scripts. A notebook needs no other library for its bar; elsewhere it is tqdm's, or a plain line without tqdm. A callable is
#: called with a Progress, on the thread that called, about twenty times a second. What it raises stops the work.
ProgressWish = Union[bool, None, Callable[[Progress], None]]

_DELAY_S = 0.5  # what takes less needs no bar, unless one is asked for
_REDRAW_S = 0.1


def _shell() -> Any:
    """IPython's shell, if this code runs in one."""
    ipython = sys.modules.get("IPython")
    return None if ipython is None else ipython.get_ipython()


def in_notebook() -> bool:
    """Whether a kernel runs this code, and not a terminal."""
    return getattr(_shell(), "kernel", None) is not None


def shows_by_default() -> bool:
    """In notebooks, and in an interactive session on a terminal. A script says what it wants."""
    if in_notebook():
        return True
    is_typed = hasattr(sys, "ps1") or bool(sys.flags.interactive) or _shell() is not None
    return is_typed and sys.stderr is not None and sys.stderr.isatty()


class _NotebookBar:
    """A bar of HTML that is drawn again in its place."""

    def __init__(self, now: Progress, delay_s: float) -> None:
        from IPython import display

        self._display: Any = display
        self._place: Any = None
        self._due = time.monotonic() + delay_s
        self._now = now

    def show(self, now: Progress) -> None:
        self._now = now
        if time.monotonic() >= self._due:
            self._draw()

    def _draw(self, ended: bool = False) -> None:
        phase, done, total, unit = self._now
        share = f"{100 * done // total} %" if total else ""
        words = ", done" if ended else f" {share}"
        text = f"webstrata: {phase}{words}"
        ends = f'value="{done}" max="{total}"' if total else ""
        counts = f"{done:,}" + (f" of {total:,}" if total else "")
        html = f"<div>{escape(phase)} <progress {ends}></progress> {counts} {escape(unit)}{escape(words)}</div>"
        data = {"text/plain": text, "text/html": html}
        if self._place is None:
            self._place = self._display.display(data, raw=True, display_id=True)
        else:
            self._place.update(data, raw=True)
        self._due = time.monotonic() + _REDRAW_S

    def close(self) -> None:
        if self._place is not None:
            self._draw(ended=True)


class _TerminalBar:
    """tqdm's, or a line without it."""

    def __init__(self, now: Progress, delay_s: float) -> None:
        self._bar: Any = None
        try:
            from tqdm.auto import tqdm  # type: ignore[import-untyped,unused-ignore]
        except ImportError:
            print(f"webstrata: {now.phase}", file=sys.stderr)
            return
        scale = now.unit == "B"
        unit = now.unit if scale else f" {now.unit}"
        self._bar = tqdm(desc=now.phase, total=now.total or None, unit=unit, unit_scale=scale, delay=delay_s)

    def show(self, now: Progress) -> None:
        if self._bar is not None:
            self._bar.total = now.total or None
            self._bar.update(now.done - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


class _Bar:
    """One bar for each phase."""

    def __init__(self, always: bool) -> None:
        self._delay_s = 0 if always else _DELAY_S
        self._phase = ""
        self._bar: _NotebookBar | _TerminalBar | None = None

    def __call__(self, now: Progress) -> None:
        if now.phase != self._phase:
            self.close()
            self._phase = now.phase
            self._bar = (_NotebookBar if in_notebook() else _TerminalBar)(now, self._delay_s)
        if self._bar is not None:
            self._bar.show(now)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
        self._bar = None


class Showing:
    """``with Showing(progress) as report:`` gives the function that the core calls, or None."""

    def __init__(self, wish: ProgressWish) -> None:
        self.bar: _Bar | None = None
        self.callback: Callable[[Progress], None] | None = None
        if callable(wish):
            self.callback = wish
        elif wish or (wish is None and shows_by_default()):
            self.callback = self.bar = _Bar(always=bool(wish))

    def __enter__(self) -> Callable[[str, int, int, str], None] | None:
        callback = self.callback
        if callback is None:
            return None
        return lambda phase, done, total, unit: callback(Progress(phase, done, total, unit))

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self.bar is not None:
            self.bar.close()
