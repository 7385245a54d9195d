# SPDX-License-Identifier: Apache-2.0
"""webstrata extract on the sample: every form of output, by itself and against the others."""

import gzip
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

from running import PROGRAM, SAMPLE, expect, run, run_tests

OLD = SAMPLE / "2021.warc.gz"
NEW = SAMPLE / "2023.warc.gz"


def captures_of(*arguments):
    code, out, errors = run("extract", *arguments)
    expect(code == 0, errors)
    return [json.loads(line) for line in out.splitlines()]


def test_jsonl_and_tsv_agree():
    captures = captures_of("--links", "navigation", OLD)
    code, table, _ = run("extract", "--as", "tsv", "--links", "navigation", OLD)
    rows = [line.split("\t") for line in table.splitlines()]
    expect(code == 0 and all(len(row) == 4 for row in rows), "a row of the table is broken")
    links = [
        (c["time"], c["url"], link["url"])
        for c in captures
        for link in c.get("links", [])
    ]
    expect(links == [tuple(row[:3]) for row in rows], "jsonl and tsv differ")
    expect(len(links) > 5000, "too few links")


def test_stats_count_what_is_printed():
    captures = captures_of(OLD)
    code, out, _ = run("extract", "--stats", OLD)
    stats = json.loads(out)
    expect(code == 0 and stats["format"] == "warc" and stats["damaged"] == [], out)
    expect(stats["captures"] == sum("links" in c for c in captures), "captures differ")
    expect(stats["sightings"] == sum("links" not in c for c in captures), "sightings differ")
    expect(stats["links"] == sum(len(c.get("links", [])) for c in captures), "links differ")
    expect(stats["bytes"] == OLD.stat().st_size, "bytes differ")


def test_revisits_are_resolved_across_files():
    alone = [c for c in captures_of(NEW) if c["kind"] == "revisit"]
    expect(alone and not any("links" in c for c in alone), "a revisit has links without its original")
    together = [c for c in captures_of(OLD, NEW) if c["kind"] == "revisit"]
    resolved = [c for c in together if "links" in c]
    expect(len(together) == len(alone) and len(resolved) > 100, f"{len(resolved)} resolved")
    originals = {(c["url"], c["digest"]): c["links"] for c in captures_of(OLD) if "links" in c}
    expect(all(originals[c["url"], c["digest"]] == c["links"] for c in resolved), "links differ from the original's")


def test_threads_do_not_matter():
    results = {run("extract", "--threads", n, OLD, NEW)[1] for n in (1, 2, 7)}
    expect(len(results) == 1, "the output depends on the number of threads")


def test_output_reads_back():
    with tempfile.TemporaryDirectory() as folder:
        lines = Path(folder) / "lines.jsonl"
        code, _, errors = run("extract", "--links", "all", "--text", "--title", "-o", lines, OLD)
        expect(code == 0, errors)
        again = run("extract", "--links", "all", "--text", "--title", lines)[1]
        expect(again == lines.read_text(), "what extract prints does not read back the same")
        packed = Path(folder) / "no name that tells"
        packed.write_bytes(gzip.compress(lines.read_bytes()))
        expect(run("extract", "--links", "all", "--text", "--title", packed)[1] == again, "compressed lines differ")


def test_standard_input_is_an_input():
    with OLD.open("rb") as stream:
        code, out, _ = run("extract", "-", stdin=stream)
    named = [dict(c, file="") for c in captures_of(OLD)]
    piped = [dict(json.loads(line), file="") for line in out.splitlines()]
    expect(code == 0 and piped == named, "standard input gives something else")


def test_cdxj_points_at_records():
    code, out, _ = run("extract", "--as", "cdxj", OLD)
    lines = out.splitlines()
    expect(code == 0 and len(lines) > 500, "no lines")
    for line in lines[:50]:
        key, time, fields = line.split(" ", 2)
        fields = json.loads(fields)
        with OLD.open("rb") as stream:
            stream.seek(int(fields["offset"]))
            record = gzip.decompress(stream.read(int(fields["length"])))
        expect(record.startswith(b"WARC/1.0"), line)
        expect(fields["url"].encode() in record and len(time) == 14 and ")/" in key, line)


def test_it_is_silent_when_piped():
    _, _, errors = run("extract", "--quiet", OLD, stdout=subprocess.DEVNULL)
    expect(errors == "", errors)
    _, _, errors = run("extract", OLD, stdout=subprocess.DEVNULL)
    expect("\r" not in errors and "captures" in errors, "a progress line where no terminal is")


def test_an_input_in_which_nothing_can_be_read_is_an_error():
    with tempfile.NamedTemporaryFile(suffix=".idx") as index:
        Path(index.name).write_text('!meta 0 {"format": "cdxj-gzip-1.0", "filename": "index.cdx.gz"}\njunk\n')
        code, out, errors = run("extract", index.name)
        expect(code == 2 and out == "" and "nothing in it can be read" in errors, f"{code} {errors}")


def test_a_wacz_may_come_through_a_pipe():
    """A ZIP is read from its end, so what cannot be read twice is stored first."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with zipfile.ZipFile(folder / "crawl.wacz", "w", zipfile.ZIP_STORED) as wacz:
            wacz.write(OLD, "archive/crawl.warc.gz")
        whole = run("extract", "-q", folder / "crawl.wacz")[1]
        expect(whole.count("\n") > 500, "the WACZ itself is not read")
        with open(folder / "crawl.wacz", "rb") as file:
            piped = subprocess.run(["bash", "-c", f"cat | {PROGRAM} extract -q -"], stdin=file, capture_output=True, text=True, timeout=120)
        expect(piped.stdout.count("\n") == whole.count("\n"), f"through a pipe: {piped.returncode} {piped.stderr}")
        os.mkfifo(folder / "pipe")
        writer = subprocess.Popen(["bash", "-c", f"cat {folder / 'crawl.wacz'} > {folder / 'pipe'}"])
        named = subprocess.run([PROGRAM, "extract", "-q", folder / "pipe"], capture_output=True, text=True, timeout=120)
        writer.wait(timeout=60)
        expect(named.stdout.count("\n") == whole.count("\n"), f"through a FIFO: {named.returncode} {named.stderr}")


def test_one_ctrl_c_ends_a_wait_for_input_or_output():
    for words in (["extract", "-"], ["rank", "-"], ["probe", "-", "--agent", "test (https://test.example/)"]):
        process = subprocess.Popen([PROGRAM, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        code = process.wait(timeout=60)
        errors = process.stderr.read().decode()
        process.stdin.close()
        expect(code == 2 and "interrupted" in errors, f"{words}: {code} {errors}")
    # A pipe that is not read: 64 KB fit into it.
    process = subprocess.Popen([PROGRAM, "extract", "-q", str(OLD)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(1.5)
    expect(process.poll() is None, "the output is too small: this shows nothing")
    process.send_signal(signal.SIGINT)
    code = process.wait(timeout=60)
    expect(code == 2 and b"interrupted" in process.stderr.read(), f"full pipe: {code}")
    process.stdout.close()


def test_help_shows_examples_that_work():
    code, text, _ = run("extract", "--help")
    expect(code == 0 and "Examples:" in text and "warc" in text, text)
    command = next(line.strip() for line in text.splitlines() if line.strip().startswith("webstrata extract examples"))
    command = command.replace("webstrata", PROGRAM, 1).replace("examples/sample", str(SAMPLE))
    done = subprocess.run(["bash", "-c", command], capture_output=True, check=False)
    expect(done.stdout.count(b"\n") == 10, done.stderr)


def main():
    return run_tests(globals())


if __name__ == "__main__":
    sys.exit(main())
