# SPDX-License-Identifier: Apache-2.0
"""The table of layers is what docs/FORMAT.md, the streams of tables and the schemas of Spark say."""

import re
import sys
from pathlib import Path

import pyarrow as pa

from module import SAMPLE, SOURCE, expect, fails, run_tests, temporary_folder, webstrata, write

from webstrata import _core

TABLE = _core.layer_table()


def plain(kind):
    """A type with the offsets of 32 bits that Spark uses."""
    if pa.types.is_large_list(kind) or pa.types.is_list(kind):
        return pa.list_(plain(kind.value_type))
    if pa.types.is_struct(kind):
        return pa.struct([(field.name, plain(field.type)) for field in kind])
    return {pa.large_string(): pa.string(), pa.large_binary(): pa.binary()}.get(kind, kind)


def schema_of(stream):
    table = pa.table(stream.next())
    return [(field.name, plain(field.type)) for field in table.schema]


def test_the_format_lists_the_layers(archive):
    text = (SOURCE / "docs" / "FORMAT.md").read_text()
    rows = re.findall(r"^\| (\d+) \| (\w+) \|", text, re.MULTILINE)
    expect(rows == [(str(number), name) for number, (name, *_) in enumerate(TABLE)], rows)


def test_schemas_are_those_of_the_streams(archive):
    from webstrata.spark.schemas import DOCUMENT, LAYERS
    library = _core.open(str(archive))
    count = webstrata.open(archive).node_count
    for name, is_optional, *_ in TABLE:
        if is_optional:
            fails("bad_input", lambda: _core.layer_stream(library, name, 0, 1), name, "build")
            continue
        if name == "sightings":  # some of the columns of captures, in types that Spark has
            captures = pa.table(library.captures([(0, count)], None, "webstrata").next())
            expect(captures.select(LAYERS[name].names).cast(LAYERS[name]).num_rows > 0, "no sightings")
            continue
        found = schema_of(_core.layer_stream(library, name, 0, count))
        expect(found == [(field.name, field.type) for field in LAYERS[name]], (name, found))
    found = schema_of(_core.document_stream(library, 0, count))
    expect(found == [(field.name, field.type) for field in DOCUMENT], found)


def test_info_lists_the_layers(archive):
    listed = list(webstrata.open(archive).info()["bytes"])
    expect(listed == [name for name, is_optional, *_ in TABLE if not is_optional], listed)


def main():
    with temporary_folder() as folder:
        archive = Path(folder) / "lib.ws"
        write("build", archive, SAMPLE / "2021.warc.gz")
        return run_tests(globals(), archive)


if __name__ == "__main__":
    sys.exit(main())
