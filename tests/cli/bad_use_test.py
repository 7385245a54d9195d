# SPDX-License-Identifier: Apache-2.0
"""Bad use: one clear line, the right exit code, nothing half-written."""

import gzip
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from running import PROGRAM, SAMPLE, expect, expect_one_line, not_tried, run, run_tests

OLD = SAMPLE / "2021.warc.gz"


def test_wrong_words(_):
    for arguments in ([], ["extrakt"], ["extract"], ["extract", "--as", "xml", OLD], ["extract", "--links", "up", OLD],
                      ["extract", "--key", "klingon", OLD], ["extract", "--threads", "many", OLD], ["extract", "--no-such", OLD]):
        code, out, errors = run(*arguments)
        expect(code == 2 and out == "", f"{arguments}: {code} {out}")
        expect_one_line(errors, *(word for word in ("extrakt", "xml", "up", "klingon", "many", "--no-such") if word in arguments))


def test_inputs_that_cannot_be_read(folder):
    (folder / "empty").write_bytes(b"")
    (folder / "junk").write_bytes(os.urandom(100_000))
    (folder / "words").write_text("some words that are no crawl\n" * 100)
    (folder / "tiny.gz").write_bytes(gzip.compress(b"hello\n"))
    (folder / "nothing.gz").write_bytes(gzip.compress(b""))
    (folder / "cut.gz").write_bytes(gzip.compress(b"hello\n")[:7])
    for name, word in (("missing", "No such file"), ("empty", "is empty"), ("junk", "unrecognised format"), ("words", "unrecognised format"),
                       (".", "folder"), ("tiny.gz", "unrecognised format"), ("nothing.gz", "is empty once decompressed"),
                       ("cut.gz", "no gzip member where one should begin")):
        code, out, errors = run("extract", "--quiet", folder / name)
        expect(code == 2 and out == "", f"{name}: {code}")
        expect_one_line(errors, word)


def test_one_bad_input_among_good_ones(folder):
    code, out, errors = run("extract", "--quiet", folder / "missing", OLD)
    expect(code == 2 and out.count("\n") > 500, "the good input was not read")
    expect_one_line(errors, "missing")


def test_damage_is_told_and_strict_fails(folder):
    path = folder / "cut.warc.gz"
    path.write_bytes(OLD.read_bytes()[:200_000])
    code, out, errors = run("extract", path)
    expect(code == 0 and out.count("\n") > 10 and "damaged at" in errors, errors)
    code, strict, _ = run("extract", "--strict", path)
    expect(code == 2 and strict == out, "strict must read the same and fail")


def test_nothing_found(folder):
    path = folder / "info.warc"
    path.write_bytes(b"WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n")
    expect(run("extract", path)[0] == 1, "nothing found is exit code 1")


def test_a_line_of_two_gigabytes(folder):
    path = folder / "long.jsonl"
    with path.open("wb") as stream:
        stream.write(b'{"url":"http://a.example/","ts":"2021","links":[]}\n{"url":"http://b.example/')
        stream.seek(2_000_000_000, os.SEEK_CUR)  # a hole in the file: zeros
        stream.write(b'"}\n{"url":"http://c.example/","ts":"2021","links":[]}\n')
    done = subprocess.Popen([PROGRAM, "extract", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    out, errors = done.communicate(timeout=300)
    expect(done.returncode == 0 and out.count(b"\n") == 2, errors)
    expect(b"longer than" in errors, errors)


def test_outputs_that_cannot_be_written(folder):
    code, _, errors = run("extract", "-o", folder / "no" / "such" / "folder", OLD)
    expect(code == 2, "an unwritable output must fail")
    expect_one_line(errors, "folder")
    with open("/dev/full", "wb") as full:
        code, _, errors = run("extract", "--quiet", OLD, stdout=full)
    expect(code == 2, "a full disk must fail")
    expect_one_line(errors, "No space left")


def test_closed_streams(folder):
    """A closed standard input must not become the number of another file."""
    for words in (["extract", "-q", "-"], ["build", folder / "x.ws", "-"], ["probe", "-", "--agent", "test (test@archive.example)"]):
        done = subprocess.run(["sh", "-c", 'exec "$0" "$@" <&-', PROGRAM, *map(str, words)], capture_output=True, text=True, check=False)
        expect(done.returncode == 2, f"{words}: {done.returncode}")
        expect_one_line(done.stderr, "standard input", "closed", "name a file")
    done = subprocess.run(["sh", "-c", 'exec "$0" "$@" >&-', PROGRAM, "extract", "--quiet", OLD], stderr=subprocess.PIPE, text=True, check=False)
    expect(done.returncode == 2, "a closed standard output must fail")
    expect_one_line(done.stderr, "standard output")


def test_too_little_memory_is_named_as_it_was_typed(folder):
    for word, shown in (("1K", "1K"), ("127M", "127M"), ("5", "5")):
        code, _, errors = run("build", folder / "x.ws", "--memory", word, OLD)
        expect(code == 2, f"{word}: {code}")
        expect_one_line(errors, "memory", f"{shown} is too little", "128M")


def test_a_report_is_a_file(folder):
    code, _, errors = run("stats", folder, "--report", folder)
    expect(code == 2, f"{code}")
    expect_one_line(errors, "--report", "is a folder", "report.html")


def test_folders_as_inputs(folder):
    crawls = folder / "crawls"
    (crawls / "deep").mkdir(parents=True)
    (crawls / "deep" / "2021.warc.gz").write_bytes(OLD.read_bytes())
    (crawls / "a.jsonl").write_text('{"url":"http://a.example/","time":"2021","links":[]}\n')
    (crawls / "notes.txt").write_text("not a crawl file")
    expected = run("extract", "-q", crawls / "a.jsonl", crawls / "deep" / "2021.warc.gz")[1]
    expect(run("extract", "-q", crawls) == (0, expected, ""), "a folder")
    expect(run("extract", "-q", "--threads", "1", crawls)[1] == expected, "the order")
    expect(run("extract", "-q", "--include", "*.warc.gz", crawls)[1] == run("extract", "-q", OLD)[1], "--include")
    for verb in ("build", "update"):
        code, _, errors = run(verb, "-q", folder / "lib.ws", crawls)
        expect(code == 0, f"{verb}: {errors}")
    for words in (["--include", "*.wacz", crawls], [folder / "lib.ws"]):
        code, _, errors = run("extract", *words)
        expect(code == 2, f"{words}: {code}")
        expect_one_line(errors, "*.wacz" if "*.wacz" in words else "is an archive")


def test_every_command_can_be_quiet(_):
    names = [line.split()[0] for line in run("--help")[1].splitlines() if line.startswith("  ") and not line.startswith("  -") and line[2] != " "]
    for name in [*names, "liverank plan", "liverank learn"]:
        text = run(*name.split(), "--help")[1]
        expect("-q, --quiet" in text and "--color" in text and "--no-config" in text, name)


def test_a_full_disk_leaves_nothing(folder):
    disk = folder / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=200k", "tmpfs", disk], capture_output=True, check=False)
    if mounted.returncode != 0:
        not_tried("a full disk: this user may not mount a small one")
        return
    try:
        (disk / "out").write_text("old")
        code, _, errors = run("extract", "--quiet", "-o", disk / "out", OLD)
        expect(code == 2, "a full disk must fail")
        expect_one_line(errors, "No space left")
        expect([p.name for p in disk.iterdir()] == ["out"] and (disk / "out").read_text() == "old", "something half-written")
    finally:
        subprocess.run(["umount", disk], check=True)


def test_an_interrupt_ends_it(folder):
    fifo = folder / "fifo"
    os.mkfifo(fifo)
    target = folder / "out"
    process = subprocess.Popen([PROGRAM, "extract", "-o", target, fifo], stderr=subprocess.PIPE)
    with fifo.open("wb") as stream:
        stream.write(OLD.read_bytes()[:1_000_000])
        process.send_signal(2)
        try:
            stream.write(OLD.read_bytes()[1_000_000:])
        except BrokenPipeError:
            pass
    errors = process.communicate(timeout=60)[1].decode()
    expect(process.returncode == 2, f"interrupted: {process.returncode}")
    expect_one_line(errors, "interrupted")
    expect(sorted(p.name for p in folder.iterdir()) == ["fifo"], "rubbish was left")


def main():
    return run_tests(globals(), folder=tempfile.TemporaryDirectory)


if __name__ == "__main__":
    sys.exit(main())
