# SPDX-License-Identifier: Apache-2.0
"""As much of Thrift's binary protocol and of HBase's Thrift2 interface as the check needs.

Arguments are written by type: a structure is a dictionary {number of the field: (type, value)}; answers are read without
knowing the types, as {number of the field: value}.
"""

import socket
import struct

BOOL, BYTE, DOUBLE, I16, I32, I64, STRING, STRUCT, MAP, SET, LIST = 2, 3, 4, 6, 8, 10, 11, 12, 13, 14, 15
NUMBERS = {BOOL: ">?", BYTE: ">b", DOUBLE: ">d", I16: ">h", I32: ">i", I64: ">q"}
CALL, EXCEPTION = 1, 3


def encoded(kind, value):
    if kind in NUMBERS:
        return struct.pack(NUMBERS[kind], value)
    if kind == STRING:
        return struct.pack(">i", len(value)) + value
    if kind == LIST:
        of, items = value
        return struct.pack(">bi", of, len(items)) + b"".join(encoded(of, item) for item in items)
    assert kind == STRUCT, kind
    fields = (struct.pack(">bh", of, number) + encoded(of, inner) for number, (of, inner) in value.items())
    return b"".join(fields) + b"\0"


class Refused(Exception):
    """HBase understood the question and has no answer, or not yet."""


class Connection:
    """One question after the other."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.stream = self.socket.makefile("rb")

    def bytes(self, count):
        found = self.stream.read(count)
        if len(found) < count:
            raise ConnectionError("the connection ended in the middle of an answer")
        return found

    def read(self, form):
        return struct.unpack(form, self.bytes(struct.calcsize(form)))[0]

    def decoded(self, kind):
        if kind in NUMBERS:
            return self.read(NUMBERS[kind])
        if kind == STRING:
            return self.bytes(self.read(">i"))
        if kind in (LIST, SET):
            of, count = self.read(">b"), self.read(">i")
            return [self.decoded(of) for _ in range(count)]
        if kind == MAP:
            of, to, count = self.read(">b"), self.read(">b"), self.read(">i")
            return {self.decoded(of): self.decoded(to) for _ in range(count)}
        assert kind == STRUCT, kind
        fields = {}
        while (of := self.read(">b")) != 0:
            number = self.read(">h")
            fields[number] = self.decoded(of)
        return fields

    def call(self, name, arguments):
        head = struct.pack(">I", 0x80010000 | CALL) + encoded(STRING, name.encode()) + struct.pack(">i", 0)
        self.socket.sendall(head + encoded(STRUCT, arguments))
        kind = self.read(">I") & 0xff
        self.decoded(STRING)
        self.read(">i")
        answer = self.decoded(STRUCT)
        if kind == EXCEPTION:
            raise RuntimeError(f"{name}: no such question: {answer}")  # our request was wrong: retrying does not help
        if answer and 0 not in answer:
            raise Refused(f"{name}: {answer}")
        return answer.get(0)

    # The interface

    def table_count(self):
        return len(self.call("getTableDescriptorsByPattern", {1: (STRING, b".*"), 2: (BOOL, False)}))

    def create_table(self, name, family, splits):
        table = {1: (STRUCT, {2: (STRING, name)}), 2: (LIST, (STRUCT, [{1: (STRING, family)}]))}
        self.call("createTable", {1: (STRUCT, table), 2: (LIST, (STRING, splits))})

    def put(self, name, family, rows):
        """`rows` are pairs of a key and its cells."""
        puts = [{1: (STRING, key), 2: (LIST, (STRUCT, [{1: (STRING, family), 2: (STRING, column), 3: (STRING, value)}
                                                        for column, value in cells.items()]))} for key, cells in rows]
        self.call("putMultiple", {1: (STRING, name), 2: (LIST, (STRUCT, puts))})

    def get(self, name, key):
        """The cells of a row, by column."""
        found = self.call("get", {1: (STRING, name), 2: (STRUCT, {1: (STRING, key)})})
        return {cell[2]: cell[3] for cell in found[2]}

    def scan(self, name, first, end, count):
        """Keys of rows from `first` up to, but without, `end`."""
        scan = {1: (STRING, first), 2: (STRING, end), 4: (I32, count)}
        return [row[1] for row in self.call("getScannerResults", {1: (STRING, name), 2: (STRUCT, scan), 3: (I32, count)})]

    def region_starts(self, name):
        return sorted(region[2].get(3, b"") for region in self.call("getAllRegionLocations", {1: (STRING, name)}))
