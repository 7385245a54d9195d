"""A memory for web crawls: a compressed link graph that knows time."""

from __future__ import annotations

from ._core import Archive, open
from ._error import Error

__all__ = ["Archive", "Error", "open"]
