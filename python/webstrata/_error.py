# SPDX-License-Identifier: Apache-2.0
"""The one exception of webstrata."""

from __future__ import annotations

from .literals import ErrorKind


class Error(Exception):
    """The task cannot continue; the message says what failed and what to do about it.

    ``kind`` is ``"bad_input"``, ``"not_found"``, ``"corrupt"``, ``"io"`` or ``"cancelled"``.

    >>> import webstrata
    >>> try:
    ...     webstrata.open("no-such.ws")
    ... except webstrata.Error as error:
    ...     print(error.kind)
    not_found
    """

    kind: ErrorKind = "bad_input"
