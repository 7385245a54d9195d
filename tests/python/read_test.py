# SPDX-License-Identifier: Apache-2.0
"""Reading crawl files from Python: the same captures as `webstrata extract`, as objects, tables and Parquet."""

import itertools
import json
import signal
import subprocess
import sys
import textwrap
import warnings

from module import SAMPLE, expect, fails, run, run_tests, temporary_folder, webstrata

import pyarrow
import pyarrow.dataset
import pyarrow.parquet

OLD, NEW = SAMPLE / "2021.warc.gz", SAMPLE / "2023.warc.gz"


def test_captures_are_those_of_extract(folder):
    lines = [json.loads(line) for line in run("extract", OLD, "--links", "all", "--title", "--text")[1].splitlines()]
    captures = list(webstrata.read(OLD, links="all", title=True, anchor_text=True))
    expect(len(captures) == len(lines) > 500, f"{len(captures)} captures instead of {len(lines)}")
    for line, capture in zip(lines, captures):
        expect(capture.url == line["url"] and capture.time.strftime("%Y-%m-%dT%H:%M:%SZ") == line["time"], capture)
        expect((capture.status, capture.outcome, capture.digest) == (line.get("status"), line["outcome"], line.get("digest")), capture)
        expect((capture.title or "", capture.text) == (line.get("title", ""), None), capture.url)
        expect((capture.offset, capture.file) == (line["offset"], line["file"]), capture)
        links = [(link["url"], link["kinds"], link.get("count", 1), link.get("text")) for link in line.get("links", [])]
        expect([link[:4] for link in capture.links or []] == links, capture.url)
    home = next(iter(webstrata.read(OLD, text=True)))
    expect(home.text.startswith("Documentation, 2021") and len(home.text) > 100, home.text)


def test_the_order_does_not_depend_on_threads(folder):
    one = [(capture.url, capture.time) for capture in webstrata.read(OLD, NEW, threads=1)]
    four = [(capture.url, capture.time) for capture in webstrata.read(OLD, NEW, threads=4)]
    expect(one == four and len(one) > 1000, "they differ")


def test_batches_and_streams(folder):
    rows = sum(len(batch) for batch in webstrata.read(OLD, NEW).batches())
    reader = pyarrow.RecordBatchReader.from_stream(webstrata.read(OLD, NEW))
    expect(sum(batch.num_rows for batch in reader) == rows, "a stream has other rows")
    first = list(itertools.islice(webstrata.read(OLD, NEW), 3))  # the rest is never read
    expect(len(first) == 3, first)
    reading = webstrata.read(OLD)
    list(reading)
    expect(reading.inputs[0].format == "warc" and reading.inputs[0].captures > 500, reading.inputs)


# Columns and types of Common Crawl's flat schema, and what must not be null.
TEXTS = """url_surtkey url url_host_name url_host_tld url_host_2nd_last_part url_host_3rd_last_part url_host_4th_last_part
url_host_5th_last_part url_host_registry_suffix url_host_registered_domain url_host_private_suffix url_host_private_domain
url_host_name_reversed url_protocol url_port url_path url_query fetch_time fetch_status fetch_redirect content_digest
content_mime_type content_mime_detected content_charset content_languages content_truncated warc_filename warc_record_offset
warc_record_length warc_segment crawl subset""".split()
NUMBERS = {"url_port": pyarrow.int32(), "fetch_status": pyarrow.int16(), "warc_record_offset": pyarrow.int32(),
           "warc_record_length": pyarrow.int32(), "fetch_time": pyarrow.timestamp("ms", tz="UTC")}
KNOWN = "url_surtkey url url_host_name url_protocol url_path fetch_time fetch_status warc_filename warc_record_offset".split()


def test_parquet_has_common_crawls_columns(folder):
    count = webstrata.read(OLD, crawl="CC-TEST-2021", schema="commoncrawl").to_parquet(folder / "index", partitioned=True)
    table = pyarrow.dataset.dataset(folder / "index", partitioning="hive").to_table()
    expect(table.num_rows == count > 500 and set(table.column_names) == set(TEXTS), table.column_names)
    webstrata.read(OLD, schema="commoncrawl").to_parquet(folder / "flat.parquet")
    flat = pyarrow.parquet.read_table(folder / "flat.parquet")
    expect(flat.column_names == TEXTS, flat.column_names)
    for field in flat.schema:
        wanted = NUMBERS.get(field.name, (pyarrow.string(), pyarrow.large_string()))
        expect(field.type in (wanted if isinstance(wanted, tuple) else (wanted,)), field)
    for name in KNOWN:
        expect(flat[name].null_count == 0 and not flat.schema.field(name).nullable, name)
    rows = {row["url"]: row for row in flat.to_pylist()}
    row = rows["http://python-quart-doc.docs.example/tutorials/installation.html"]
    expect(row["url_surtkey"] == "example,docs,python-quart-doc)/tutorials/installation.html", row)
    expect(row["url_host_name_reversed"] == "example.docs.python-quart-doc" and row["url_host_2nd_last_part"] == "docs", row)
    expect(row["url_host_tld"] == "example" and row["url_host_4th_last_part"] is None and row["url_port"] is None, row)
    expect(row["fetch_status"] == 200 and row["subset"] == "warc" and len(row["content_digest"]) == 32, row)
    for one in rows.values():
        subset = "robotstxt" if one["url_path"] == "/robots.txt" else "warc" if one["fetch_status"] == 200 else "crawldiagnostics"
        expect(one["subset"] == subset, one)
    expect({one["subset"] for one in rows.values()} == {"warc", "robotstxt", "crawldiagnostics"}, "a subset is missing")


def test_an_archive_gives_the_same_columns(folder):
    webstrata.build(folder / "lib.ws", OLD)
    webstrata.open(folder / "lib.ws").captures(schema="commoncrawl").to_parquet(folder / "archive.parquet")
    webstrata.read(OLD, schema="commoncrawl").to_parquet(folder / "read.parquet")
    columns = ["url_surtkey", "fetch_time", "fetch_status", "content_digest", "warc_record_offset"]
    tables = [pyarrow.parquet.read_table(folder / name, columns=columns).to_pylist() for name in ("archive.parquet", "read.parquet")]
    both = [sorted(map(str, table)) for table in tables]
    expect(both[0] == both[1], "archive and crawl file differ")


def test_suffixes_and_ports(folder):
    lines = ['{"url":"https://a.b.example.co.uk:8443/x?q=1","time":"2021-01-01T00:00:00Z","status":200,"links":[]}',
             '{"url":"http://me.github.io/","time":"2021-01-01T00:00:00Z","status":301,"redirect":"http://x.org/"}',
             '{"url":"http://192.0.2.1/robots.txt","time":"2021-01-01T00:00:00Z","status":200,"links":[]}',
             '{"url":"http://nostatus.org/","time":"2021-01-01T00:00:00Z","links":[]}']
    (folder / "some.jsonl").write_text("\n".join(lines) + "\n")
    one, two, three = webstrata.read(folder / "some.jsonl", schema="commoncrawl")
    expect((one["url_host_registry_suffix"], one["url_host_registered_domain"]) == ("co.uk", "example.co.uk"), one)
    expect((one["url_port"], one["url_query"], one["url_protocol"], one["url_path"]) == (8443, "q=1", "https", "/x"), one)
    expect((one["warc_filename"], one["url_host_5th_last_part"]) == ("some.jsonl", "a"), one)
    expect((two["url_host_registered_domain"], two["url_host_private_domain"]) == ("github.io", "me.github.io"), two)
    expect((two["url_host_private_suffix"], two["fetch_redirect"], two["subset"]) == ("github.io", "http://x.org/", "crawldiagnostics"), two)
    expect(three["url_host_tld"] is None and three["url_host_name_reversed"] == "192.0.2.1" and three["subset"] == "robotstxt", three)


INTERRUPTED = """
import os, signal, sys, threading, webstrata
threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    count = sum(len(batch) for batch in webstrata.read(*[sys.argv[1]] * 4000).batches())
    print("finished")
except KeyboardInterrupt:
    print("interrupted")
"""


def test_ctrl_c_stops_reading(folder):
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(INTERRUPTED), OLD], capture_output=True, text=True, timeout=300)
    expect(done.stdout.strip() == "interrupted", done.stdout + done.stderr)


def test_bad_input(folder):
    fails("io", lambda: list(webstrata.read(folder / "missing.warc.gz")), "missing.warc.gz")
    fails("bad_input", lambda: webstrata.read(OLD, schema="other"), "other")
    fails("bad_input", lambda: webstrata.read(OLD, links="sideways"), "sideways")
    fails("bad_input", lambda: webstrata.read(), "no input")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        expect(len(list(webstrata.read(OLD, folder / "missing.warc.gz"))) > 500, "the other file was not read")
    expect(len(caught) == 1 and "missing.warc.gz" in str(caught[0].message), caught)


if __name__ == "__main__":
    sys.exit(run_tests(globals(), folder=temporary_folder))
