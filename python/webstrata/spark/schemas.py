# SPDX-License-Identifier: Apache-2.0
"""The tables that tasks hand over, each stated once: Arrow's types in executors, Spark's words for them in the driver."""

from __future__ import annotations

import pyarrow as pa

# --- of a build or an update

KEYS = pa.schema([("key", pa.binary()), ("run", pa.int64()), ("number", pa.int64()), ("info", pa.string())])
NUMBERED = pa.schema([("kind", pa.int32()), ("run", pa.int64()), ("range", pa.int32()), ("seq", pa.int64()),
                      ("first", pa.int64()), ("payload", pa.binary())])
PLACED = pa.schema([("slot", pa.int64()), ("block", pa.int64()), ("uid", pa.int64()), ("payload", pa.binary())])
WRITTEN = pa.schema([("layer", pa.int32()), ("block", pa.int64()), ("folder", pa.string()), ("name", pa.string()),
                     ("size", pa.int64()), ("checksum", pa.int64()),
                     ("source", pa.int64()), ("seq", pa.int64()), ("payload", pa.binary())])
CARRIED = pa.schema([("folder", pa.string()), ("columns", pa.string())])

# --- of an archive

NUMBERS = pa.list_(pa.int64())
ROWS = pa.list_(pa.list_(pa.int32()))
LAYERS = {name: pa.schema(fields) for name, fields in {
    "names": [("uid", pa.int64()), ("key", pa.binary()), ("url", pa.string())],
    "links": [("uid", pa.int64()), ("targets", NUMBERS)],
    "times": [("uid", pa.int64()), ("times", NUMBERS)],
    "presence": [("uid", pa.int64()), ("present", ROWS)],
    "kinds": [("uid", pa.int64()), ("kinds", ROWS), ("counts", ROWS)],
    "sightings": [("url", pa.string()), ("time", pa.int64()), ("kind", pa.string()), ("status", pa.int32()),
                  ("outcome", pa.string()), ("digest", pa.string()), ("mime", pa.string()), ("redirect_target", pa.string())],
    "in_links": [("uid", pa.int64()), ("sources", NUMBERS)],
    "ranges": [("uid", pa.int64()), ("ranges", NUMBERS)],
    "in_presence": [("uid", pa.int64()), ("present", ROWS)],
}.items()}
SIGHTINGS = pa.list_(pa.struct([("time", pa.int64()), ("kind", pa.string()), ("status", pa.int32()), ("outcome", pa.string()),
                                ("digest", pa.string()), ("mime", pa.string()), ("redirect", pa.string())]))
DOCUMENT = pa.schema([("key", pa.binary()), ("uid", pa.int64()), ("url", pa.string()), ("links", pa.list_(pa.binary())),
            ("times", NUMBERS), ("presence", ROWS), ("kinds", ROWS), ("counts", ROWS), ("sightings", SIGHTINGS),
            ("in_links", pa.list_(pa.binary())), ("ranges", NUMBERS), ("in_presence", ROWS)])

# --- of a graph

NODES = pa.schema([("uid", pa.int64())])
LINKS = pa.schema([("source", pa.int64()), ("target", pa.int64())])
SCORES = pa.schema([("uid", pa.int64()), ("score", pa.float64())])
PLANNED = pa.schema([("uid", pa.int64()), ("url", pa.string()), ("score", pa.float64()), ("pagerank", pa.float64())])

_WORDS = {pa.int32(): "int", pa.int64(): "long", pa.float64(): "double", pa.string(): "string", pa.binary(): "binary"}


def _word(kind: pa.DataType) -> str:
    if pa.types.is_list(kind):
        return f"array<{_word(kind.value_type)}>"
    if pa.types.is_struct(kind):
        return f"struct<{', '.join(f'{field.name}: {_word(field.type)}' for field in kind)}>"
    return _WORDS[kind]


def in_spark(schema: pa.Schema) -> str:
    """The schema as Spark writes it.

    >>> in_spark(LAYERS["kinds"])
    'uid long, kinds array<array<int>>, counts array<array<int>>'
    """
    return ", ".join(f"{field.name} {_word(field.type)}" for field in schema)
