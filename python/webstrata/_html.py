# SPDX-License-Identifier: Apache-2.0
"""What notebooks show: small tables of HTML. Everything from a crawl is text: it is escaped, and shown as it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from html import escape
from typing import Any

ROWS_SHOWN = 20
_LETTERS = 120
# Control characters, and those that change the direction of writing: a crawled title must not look like another one.
_HIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")


def text_of(value: Any) -> str:
    """A value as a reader sees it: a long text without its middle, a number with few digits."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%d %H:%M:%S")
    text = _HIDDEN.sub("\ufffd", str(value))
    return text if len(text) <= _LETTERS else f"{text[:80]}…{text[-39:]}"


def _cell(value: Any) -> str:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    style = ' style="text-align: right"' if is_number else ' style="text-align: left"'
    return f"<td{style}>{escape(text_of(value))}</td>"


def table_html(caption: str, columns: Sequence[str], rows: Iterable[Sequence[Any]], note: str = "") -> str:
    """A table; ``note`` says below it what is not shown."""
    head = "".join(f'<th style="text-align: left">{escape(text_of(name))}</th>' for name in columns)
    body = "".join(f"<tr>{''.join(_cell(value) for value in row)}</tr>" for row in rows)
    below = f"<p>{escape(note)}</p>" if note else ""
    title = f'<caption style="text-align: left">{escape(text_of(caption))}</caption>'
    return f"<div><table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{below}</div>"
