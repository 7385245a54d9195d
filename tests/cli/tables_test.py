# SPDX-License-Identifier: Apache-2.0
"""Tables: headers, and CSV that Python's csv module reads back as the text with tabs."""

import csv
import io
import json
import os
import pty
import subprocess
import sys

from archives import temporary_folder, write
from running import PROGRAM, SAMPLE, SOURCE, expect, expect_one_line, run, run_tests

HOST = "python-quart-doc.docs.example"
PAGE = f"http://{HOST}/tutorials/installation.html"
OLD = str(SAMPLE / "2021.warc.gz")

# Commands that print a table with tabs, and its columns.
TABLES = {
    ("url", "lib.ws", "--host", HOST): ["uid", "url", "key"],
    ("captures", "lib.ws", PAGE): ["time", "status", "outcome", "kind", "links", "type", "digest", "redirect"],
    ("captures", "lib.ws", f"{HOST}/*"): ["time", "status", "outcome", "kind", "links", "type", "digest", "redirect", "url"],
    ("links", "lib.ws", PAGE): ["url"],
    ("links", "lib.ws", PAGE, "--at", "2021"): ["url", "kinds", "count"],
    ("links", "lib.ws", PAGE, "--in", "--history"): ["url", "first", "last", "captures", "kinds"],
    ("diff", "lib.ws", "2021", "2023", "--links"): ["change", "page", "target"],
    ("rank", "lib.ws", "--top", "5"): ["score", "url"],
    ("rank", "lib.ws@2021", "lib.ws@2023", "--top", "5"): ["graph", "score", "url"],
    ("liverank", "lib.ws@2021", "--budget", "9"): ["url"],
    ("liverank", "lib.ws@2021", "--budget", "9", "--shards", "2"): ["shard", "url"],
    ("explore", "lib.ws", "--topic", "scores.tsv", "--budget", "5", "--set-size", "1"): ["url", "score", "value"],
    ("explore", "lib.ws", "--topic", "scores.tsv", "--budget", "5", "--recrawl", "30d"): ["url", "visits", "gain", "page"],
    ("probe", PAGE, "--agent", "test (test@archive.example)", "--hosts", "hosts"): ["outcome", "status", "url", "target", "evidence"],
    ("forget", "lib.ws", "--dry-run", "--url", PAGE): ["time", "url", "file", "offset"],
    ("forget", "kept.ws", "--list"): ["kind", "from", "to", "hash"],
}
# Those that print columns with blanks, or another form: with --as csv they print this table.
OTHER_TABLES = {
    ("info", "lib.ws"): ["layer", "bytes", "bits_per_link_fact"],
    ("stats", "lib.ws"): ["table", "row", "measure", "count"],
    ("diff", "lib.ws", "2021", "2023"): ["host", "pages_kept", "pages_appeared", "pages_vanished", "pages_not_seen", "links_kept", "links_appeared",
                                         "links_vanished", "links_not_seen"],
    ("seeds", "lib.ws@2021", "--count", "3"): ["url", "score", "why"],
    ("liverank", "lib.ws@2021", "--truth", "lib.ws@2023.."): ["share_found", "tests", "cost", "cost_at_random"],
    ("liverank", "lib.ws@2021", "--truth", "lib.ws@2023..", "--why", PAGE): ["reason", "value", "adds"],
    ("explore", "lib.ws", "--topic", "scores.tsv", "--budget", "5", "--set-size", "1", "--compare", "bf,random", "--sets", "2"):
        ["estimator", *(f"{value}_at_{share}" for value in ("sum", "count") for share in ("0.05", "0.2", "0.5", "1"))],
    ("export", "lib.ws"): ["source", "target"],
    ("extract", OLD): ["time", "source", "target", "text"],
}


def prepared(folder):
    write("build", folder / "lib.ws", OLD, SAMPLE / "2023.warc.gz")
    write("build", folder / "kept.ws", OLD)
    (folder / "hosts").write_text("127.0.0.1:9 nowhere.example\n")  # no test may look names up
    (folder / "scores.tsv").write_text(f"{PAGE}\t1\nhttp://{HOST}/\t0.5\n")
    expect(run("forget", "kept.ws", "--quiet", "--url", PAGE, "--to", "2021", cwd=folder)[0] == 0, "forget")
    return folder


def output(folder, *words):
    code, out, errors = run(*words, cwd=folder)
    expect(code == 0, f"{words}: {code} {errors}")
    return out


def rows_of(text):
    return list(csv.reader(io.StringIO(text)))


def test_tables_with_tabs(folder):
    prepared(folder)
    for words, columns in TABLES.items():
        plain = output(folder, *words)
        header, rest = output(folder, *words, "--header").split("\n", 1)
        expect(header.split("\t") == columns, f"{words}: {header}")
        expect(rest == plain and plain, f"{words}: the rows differ")
        expect(output(folder, *words, "--no-header") == plain, f"{words}: --no-header")
        table = output(folder, *words, "--as", "csv")
        names, *rows = rows_of(table)
        expect(names == columns and all(len(row) == len(columns) for row in rows), f"{words}: {names}")
        cells = [line.split("\t") for line in plain.splitlines()]
        expected = [["" if cell == "-" and words[0] != "diff" else cell for cell in row] + [""] * (len(columns) - len(row)) for row in cells]
        expect(rows == expected, f"{words}: csv has other rows")
        expect(rows_of(output(folder, *words, "--as", "csv", "--no-header")) == rows, f"{words}: csv without a header")


def test_other_tables_as_csv(folder):
    prepared(folder)
    for words, columns in OTHER_TABLES.items():
        names, *rows = rows_of(output(folder, *words, "--as", "csv"))
        expect(names == columns and rows and all(len(row) == len(columns) for row in rows), f"{words}: {names} {rows[:2]}")


def test_csv_has_the_numbers_of_json(folder):
    prepared(folder)
    layers = json.loads(output(folder, "info", "lib.ws", "--json"))["layers"]
    found = {row[0]: int(row[1]) for row in rows_of(output(folder, "info", "lib.ws", "--as", "csv"))[1:]}
    expect({name: layer["bytes"] for name, layer in layers.items()} == {name: count for name, count in found.items() if name != "all"}, found)
    hosts = json.loads(output(folder, "diff", "lib.ws", "2021", "2023", "--json"))
    found = rows_of(output(folder, "diff", "lib.ws", "2021", "2023", "--as", "csv"))
    expect([dict(zip(found[0], row)) for row in found[1:-1]] == [{name: str(value) for name, value in host.items()} for host in hosts["hosts"]], "hosts")
    stats = json.loads(output(folder, "stats", "lib.ws", "--json"))
    counted = {tuple(row[:3]): int(row[3]) for row in rows_of(output(folder, "stats", "lib.ws", "--as", "csv"))[1:]}
    for name in ("pages", "captures", "links", "births", "deaths"):
        expect(counted["all", "", name] == stats[name], name)
    for year, counts in stats["years"].items():
        expect(counted["years", year, "births"] == counts["births"], year)
    expect(sum(count for (table, _, measure), count in counted.items() if (table, measure) == ("lifetime_days", "died")) ==
           sum(stats["lifetime_days_ended"]), "lifetimes")


def test_csv_of_links_is_tsv(folder):
    prepared(folder)
    tabs = [line.split("\t") for line in output(folder, "export", "lib.ws", "--as", "tsv").splitlines()]
    expect(rows_of(output(folder, "export", "lib.ws", "--as", "csv"))[1:] == tabs, "export")
    tabs = [line.split("\t") for line in output(folder, "extract", "--quiet", "--as", "tsv", OLD).splitlines()]
    expect(rows_of(output(folder, "extract", "--quiet", "--as", "csv", OLD))[1:] == tabs, "extract")


def test_parquet_says_how(folder):
    prepared(folder)
    for words in (*TABLES, *OTHER_TABLES):
        code, out, errors = run(*words, "--as", "parquet", cwd=folder)
        expect(code == 2 and out == "", f"{words}: {code}")
        expect_one_line(errors, "Python", "to_parquet")


def in_terminal(folder, *words):
    """What a command prints on a terminal."""
    leader, follower = pty.openpty()
    done = subprocess.Popen([PROGRAM, *words], stdout=follower, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, cwd=folder,
                            env={**os.environ, "NO_COLOR": "1"})
    os.close(follower)
    text = b""
    while True:
        try:
            piece = os.read(leader, 65536)
        except OSError:
            break
        if not piece:
            break
        text += piece
    os.close(leader)
    errors = done.communicate(timeout=60)[1]
    expect(done.returncode == 0, f"{words}: {errors}")
    return text.decode().replace("\r\n", "\n")


def test_a_terminal_has_headers(folder):
    prepared(folder)
    for words, columns in TABLES.items():
        if words[0] == "probe":
            continue
        header, rest = in_terminal(folder, *words).split("\n", 1)
        expect(header.split("\t") == columns, f"{words}: {header!r}")
        expect(in_terminal(folder, *words, "--no-header") == rest, f"{words}: --no-header")


def test_times_are_rfc_3339(folder):
    prepared(folder)
    import re
    for words in (*TABLES, *OTHER_TABLES, ("info", "lib.ws"), ("crawl", "job", "--ledger")):
        out = run(*words, cwd=folder)[1]
        expect(not re.search(r"(?<![0-9A-Za-z/_=-])20[0-9]{12}(?![0-9A-Za-z])", out), f"{words}: {out[:200]}")


def test_the_decision_is_written_down(_):
    expect("Parquet" in (SOURCE / "docs" / "decisions" / "019-parquet.md").read_text(), "decision 019")


def main():
    return run_tests(globals(), folder=temporary_folder)


if __name__ == "__main__":
    sys.exit(main())
