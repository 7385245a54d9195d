#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lists as Arrow streams: pyarrow reads the rows that the JSON lines have."""

import io
import json
import sys
from datetime import datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from serving import HOME, SAMPLE, expect, serving  # noqa: E402
from archives import temporary_folder, write  # noqa: E402
from running import run_tests, skip  # noqa: E402

ARROW = "application/vnd.apache.arrow.stream"
LINES = "application/x-ndjson"
# Every list, in each of its forms: other parameters, other columns.
LISTS = [
    ("hosts", {}),
    ("hosts", {"sort": "pages", "order": "descending", "match": "*.example"}),
    ("urls", {"url": "*.example"}),
    ("urls", {"url": "python-quart-doc.docs.example/*", "group": "folder"}),
    ("captures", {"url": "*.docs.example"}),
    ("links", {"url": HOME, "at": "2021"}),
    ("links", {"url": HOME, "direction": "in"}),
    ("links", {"url": HOME, "texts": "1"}),
    ("links", {"url": "python-quart-doc.docs.example/*", "level": "host"}),
    ("diff", {"from": "2021", "to": "2023"}),
    ("diff", {"from": "2021", "to": "2023", "list": "all"}),
    ("diff", {"from": "2021", "to": "2023", "group": "folder", "url": "python-quart-doc.docs.example/*"}),
    ("runs/0/pages", {}),
]


def sample(folder):
    write("build", folder / "lib.ws", "--texts", SAMPLE / "2021.warc.gz", SAMPLE / "2023.warc.gz")
    (folder / "0").write_text("webstrata liverank 1\nasked\thttp://a.example/\nanswer\thttp://a.example/\t404\n")
    return serving(folder / "lib.ws", "--runs", folder / "0")


def rows_of_arrow(body):
    """(rows without nulls, the note of the last batch)."""
    import pyarrow
    rows, note = [], {}
    with pyarrow.ipc.open_stream(io.BytesIO(body)) as reader:
        while True:
            try:
                batch, notes = reader.read_next_batch_with_custom_metadata()
            except StopIteration:
                return rows, note
            batch.validate(full=True)
            rows += batch.to_pylist()
            note = {key.decode(): value.decode() for key, value in (notes or {}).items()}


def as_in_json(row):
    """Without nulls, times as text, years as an object."""
    out = {}
    for name, value in row.items():
        if value is None or (name == "truncated" and value is False):
            continue
        if name == "years":
            value = {str(one["year"]): one["count"] for one in value}
        elif isinstance(value, list):
            value = [as_in_json(one) for one in value]
        elif isinstance(value, datetime):
            value = value.strftime("%Y-%m-%dT%H:%M:%SZ")
        out[name] = value
    return out


def test_the_rows_are_those_of_the_lines(folder):
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        skip("pyarrow is not installed")
    with sample(folder) as server:
        for route, parameters in LISTS:
            asked = f"{route} {parameters}"
            status, headers, body = server.get(f"api/v1/lib/{route}", headers={"Accept": ARROW}, **parameters)
            expect(status == 200 and headers["Content-Type"] == ARROW, f"{asked}: {status} {headers} {body[:300]}")
            rows, note = rows_of_arrow(body)
            status, headers, lines = server.get(f"api/v1/lib/{route}", headers={"Accept": LINES}, **parameters)
            expect(status == 200 and headers["Content-Type"] == LINES, f"{asked}: {status} {headers}")
            from_lines = [json.loads(line) for line in lines.splitlines()]
            expect([as_in_json(row) for row in rows] == from_lines and rows, f"{asked}: {len(rows)} rows, {len(from_lines)} lines: {rows[:1]} {from_lines[:1]}")
            expect(note == {}, f"{asked}: {note}")


def test_lists_go_on_where_they_ended(folder):
    with sample(folder) as server:
        for route, parameters in LISTS[2:3] + LISTS[4:6] + LISTS[9:11]:
            whole, _ = rows_of_arrow(server.get(f"api/v1/lib/{route}", headers={"Accept": ARROW}, **parameters)[2])
            step = max(1, len(whole) // 3)
            parts, note = [], {"next": None}
            while note:
                after = {"after": note["next"]} if note["next"] else {}
                rows, note = rows_of_arrow(server.get(f"api/v1/lib/{route}", headers={"Accept": ARROW}, limit=step, **after, **parameters)[2])
                expect(len(rows) <= step, f"{route}: {len(rows)}")
                parts += rows
            expect(parts == whole, f"{route}: {len(parts)} of {len(whole)}")


def test_headers_are_right(folder):
    with sample(folder) as server:
        path = "api/v1/lib/urls"
        arrow, lines = ({"Accept": kind} for kind in (ARROW, LINES))
        status, headers, body = server.get(path, method="HEAD", headers=arrow, url="*.example")
        expect(status == 200 and headers["Content-Type"] == ARROW and body == b"", f"{status} {headers}")
        tags = {server.get(path, headers=one, url="*.example")[1]["ETag"] for one in (arrow, lines, {})}
        expect(len(tags) == 3, f"the forms share a tag: {tags}")
        expect("Accept" in headers["Vary"], str(headers))
        for one in (arrow, lines, {}):
            for tag in tags:
                status, found, body = server.get(path, headers=one | {"If-None-Match": tag}, url="*.example")
                expect((status == 304) == (found["ETag"] == tag), f"{one} {tag}: {status} {found['ETag']}")
        # Compressed, too; a mistake is a problem document; what is no list has no such form.
        import gzip
        body = server.get(path, headers=arrow | {"Accept-Encoding": "gzip"}, url="*.example")[2]
        expect(len(rows_of_arrow(gzip.decompress(body))[0]) > 300, "compressed")
        expect(server.get(path, headers=arrow, url="*.example", limit=0)[0] == 400, "a limit of 0")
        expect(server.get("api/v1/lib/info", headers=arrow)[0] == 406, "info is not a list")
        described = server.json("api/v1/openapi.json")["paths"]
        for path, operation in described.items():
            forms = operation["get"]["responses"]["200"]["content"]
            expect((LINES in forms) == (ARROW in forms), f"{path}: {forms}")
        expect(sum(ARROW in one["get"]["responses"]["200"]["content"] for one in described.values()) == 6, "lists of the document")


if __name__ == "__main__":
    sys.exit(run_tests(dict(globals()), folder=temporary_folder))
