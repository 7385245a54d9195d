# SPDX-License-Identifier: Apache-2.0
"""A reader that closes the pipe early: no error, and no work left undone."""

import json
import os
import sys

from archives import temporary_folder, write
from running import SAMPLE, expect, run, run_tests

HOST = "python-quart-doc.docs.example"
PAGE = f"http://{HOST}/tutorials/installation.html"
OLD = str(SAMPLE / "2021.warc.gz")
NEW = str(SAMPLE / "2023.warc.gz")

# Every command that prints, with what it needs.
PRINTING = [
    ("extract", OLD), ("extract", "--as", "csv", OLD), ("extract", "--stats", OLD),
    ("build", "--json", "new.ws", OLD), ("update", "--json", "lib.ws", OLD),
    ("info", "lib.ws"), ("url", "lib.ws", "--host", HOST), ("url", "lib.ws", "--pages"), ("captures", "lib.ws", f"{HOST}/*"),
    ("links", "lib.ws", PAGE), ("diff", "lib.ws", "2021", "2023"), ("diff", "lib.ws", "2021", "2023", "--links"), ("stats", "lib.ws"),
    ("stats", "lib.ws", "--as", "csv"),
    ("export", "lib.ws", "--as", "jsonl"), ("export", "lib.ws", "--as", "cdxj"), ("export", "lib.ws", "--as", "tsv"),
    ("export", "lib.ws", "--as", "graphml"), ("export", "lib.ws", "--as", "gexf"), ("export", "lib.ws", "--as", "ascii"),
    ("rank", "lib.ws"), ("seeds", "lib.ws", "--why"), ("liverank", "lib.ws"), ("liverank", "lib.ws@2021", "--truth", "lib.ws@2023.."),
    ("explore", "lib.ws", "--topic", "scores.tsv", "--budget", "50", "--set-size", "1"),
    ("probe", PAGE, "--agent", "test (test@archive.example)", "--hosts", "hosts"),
    ("forget", "lib.ws", "--dry-run", "--host", HOST), ("verify", "lib.ws", "--json"),
]


def prepared(folder):
    write("build", folder / "lib.ws", OLD, NEW)
    (folder / "hosts").write_text("127.0.0.1:9 nowhere.example\n")  # no test may look names up
    (folder / "scores.tsv").write_text(f"{PAGE}\t1\n")
    return folder


def closed_pipe():
    reader, writer = os.pipe()
    os.close(reader)
    return writer


def into_a_closed_pipe(folder, *words):
    writer = closed_pipe()
    code, _, errors = run(*words, stdout=writer, cwd=folder)
    os.close(writer)
    return code, errors


def test_every_command_ends_quietly(folder):
    prepared(folder)
    for words in PRINTING:
        code, errors = into_a_closed_pipe(folder, *words)
        expect(code == 0 and "ipe" not in errors, f"{words}: {code} {errors}")


def test_help_and_version(_):
    for words in (["--help"], ["links", "--help"], ["--version"]):
        expect(into_a_closed_pipe(None, *words)[0] == 0, words)


def test_forget_finishes(folder):
    prepared(folder)
    expect(into_a_closed_pipe(folder, "forget", "lib.ws", "--host", HOST)[0] == 0, "forget")
    expect(run("url", "lib.ws", "--host", HOST, cwd=folder)[0] == 1, "it was not forgotten")


def test_a_build_is_written_and_a_failure_stays_one(folder):
    code, errors = into_a_closed_pipe(folder, "build", "--json", "new.ws", OLD, "missing.warc")
    expect(code == 2 and "missing.warc" in errors, f"{code} {errors}")
    expect(json.loads(run("info", "--json", "new.ws", cwd=folder)[1])["captures"] > 0, "no archive")
    (folder / "new.ws" / "MANIFEST").write_bytes(b"x")
    expect(into_a_closed_pipe(folder, "verify", "new.ws")[0] == 2, "verify")


def test_reports_and_scores_are_written(folder):
    prepared(folder)
    code, errors = into_a_closed_pipe(folder, "rank", "lib.ws@2021", "lib.ws@2023", "--report", "rank.html")
    expect(code == 0 and (folder / "rank.html").exists(), errors)
    code, errors = into_a_closed_pipe(folder, "diff", "lib.ws", "2021", "2023", "--links", "--report", "diff.html")
    expect(code == 0 and (folder / "diff.html").exists(), errors)
    expect(into_a_closed_pipe(folder, "rank", "lib.ws", "--save", "pr")[0] == 0, "rank --save")
    expect("pr" in run("info", "lib.ws", cwd=folder)[1], "no scores")


def main():
    return run_tests(globals(), folder=temporary_folder)


if __name__ == "__main__":
    sys.exit(main())
