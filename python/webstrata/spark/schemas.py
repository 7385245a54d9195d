# SPDX-License-Identifier: Apache-2.0
"""The tables that tasks hand over, each stated once: Arrow's types in executors, Spark's words for them in the driver."""

from __future__ import annotations

import pyarrow as pa

from .. import _core

# --- of a build or an update

KEYS = pa.schema([("key", pa.binary()), ("run", pa.int64()), ("number", pa.int64()), ("info", pa.string())])
NUMBERED = pa.schema([("kind", pa.int32()), ("run", pa.int64()), ("range", pa.int32()), ("seq", pa.int64()),
                      ("first", pa.int64()), ("payload", pa.binary())])
PLACED = pa.schema([("slot", pa.int64()), ("block", pa.int64()), ("uid", pa.int64()), ("payload", pa.binary())])
WRITTEN = pa.schema([("layer", pa.int32()), ("block", pa.int64()), ("folder", pa.string()), ("name", pa.string()),
                     ("size", pa.int64()), ("checksum", pa.int64()),
                     ("source", pa.int64()), ("seq", pa.int64()), ("payload", pa.binary())])
CARRIED = pa.schema([("folder", pa.string()), ("columns", pa.string())])

# --- of an archive: the table of layers in webstrata/archive/disk/layer.cpp

_ARROW = {"int32": pa.int32(), "int64": pa.int64(), "string": pa.string(), "binary": pa.binary()}


def arrow_type(words: str) -> pa.DataType:
    """The type of a column of a layer. The fields of a struct are plain.

    >>> arrow_type("list<struct<time: int64, kind: string>>")
    ListType(list<item: struct<time: int64, kind: string>>)
    """
    if words.startswith("list<"):
        return pa.list_(arrow_type(words[len("list<"):-1]))
    if words.startswith("struct<"):
        fields = (field.split(": ") for field in words[len("struct<"):-1].split(", "))
        return pa.struct([(name, arrow_type(kind)) for name, kind in fields])
    return _ARROW[words]


_TABLE = _core.layer_table()
LAYERS = {name: pa.schema([(column, arrow_type(words)) for column, words in columns]) for name, _, columns, _ in _TABLE}
DOCUMENT = pa.schema([(column, arrow_type(words)) for *_, columns in _TABLE for column, words in columns])

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
