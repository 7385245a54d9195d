# SPDX-License-Identifier: Apache-2.0
"""Control characters of crawls, graphs and file names never reach a terminal or a log: every verb is run with them, into
a pipe and into a terminal, and no printed byte may be one that a terminal obeys."""

import json
import os
import pty
import re
import subprocess
import sys
import threading

from archives import temporary_folder
from running import PROGRAM, SOURCE, expect, run, run_tests

ESCAPE = "\x1b]0;owned\x07\x1b[31m"
EVIL = f"{ESCAPE}\u009b2J\u202e\r\x7f"
PAGE = "http://a.example/"

# What may write to a terminal at all.
WRITERS = {"cli/frame/program.cpp", "cli/frame/terminal.cpp", "cli/frame/output.cpp", "base/standard_output.cpp"}
PRINTS = re.compile(r"fmt::print|\bprintf\(|std::c(out|err)|(?<!isatty\()STD(OUT|ERR)_FILENO|\bstd(out|err)\b")


def obeyed(printed, may_hold_bytes=False):
    """The characters in `printed` that a terminal obeys; tabs and line ends are none."""
    text = printed.replace(b"\r\n", b"\n").decode(errors="surrogateescape")
    bytes_alone = "" if may_hold_bytes else "\udc80-\udcff"
    return re.findall(f"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069{bytes_alone}]", text)


def in_terminal(*words):
    """Runs webstrata with standard output in a terminal; gives what came out there and on standard error."""
    ours, theirs = pty.openpty()
    printed = []

    def listen():
        try:
            while piece := os.read(ours, 65536):
                printed.append(piece)
        except OSError:  # the other end is closed
            pass

    listener = threading.Thread(target=listen)
    listener.start()
    # Without the program's own colours, so that every escape is one that a name brought.
    done = subprocess.run([PROGRAM, *map(str, words)], stdout=theirs, stderr=subprocess.PIPE, timeout=120, env={**os.environ, "NO_COLOR": "1"})
    os.close(theirs)
    listener.join()
    os.close(ours)
    return done.returncode, b"".join(printed), done.stderr


def check(*words, codes=(0,), prints=True):
    """The verb with these words prints nothing that a terminal obeys. `prints`: it must show that something was escaped."""
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, timeout=120)
    expect(done.returncode in codes, f"{words}: {done.returncode} {done.stderr!r}")
    found = obeyed(done.stdout, may_hold_bytes=True) + obeyed(done.stderr)
    expect(not found, f"{words}: {found} in {done.stdout[-300:]!r} {done.stderr[-300:]!r}")
    code, shown, errors = in_terminal(*words)
    found = obeyed(shown) + obeyed(errors)
    expect(code in codes and not found, f"{words}: {code}, {found} in {shown[-300:]!r}")
    if prints:
        expect(b"\\u001b" in done.stdout + done.stderr, f"{words}: nothing was escaped: {done.stdout[-300:]!r}")
    return done


def crawl_in(folder):
    """A crawl in which every field that can hold control characters does."""
    path = folder / "evil.jsonl"
    lines = [
        {"url": PAGE, "time": "2021-01-01T00:00:00Z", "status": 200, "mime": f"text/{EVIL}", "digest": f"sha1:{EVIL}",
         "title": EVIL, "crawl": EVIL, "file": EVIL, "links": [{"url": f"{PAGE}{EVIL}b", "text": EVIL, "context": EVIL}]},
        {"url": f"{PAGE}b", "time": "2023-01-01T00:00:00Z", "status": 301, "redirect": f"/{EVIL}", "links": []},
        {"url": PAGE, "time": EVIL},
        {"url": f"http://{EVIL}/", "time": "2021"},
        {"url": PAGE, "time": "2021", "kind": EVIL},
        {"url": PAGE, "time": "2021", "outcome": EVIL},
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_what_is_read(folder):
    crawl = crawl_in(folder)
    check("extract", crawl)
    check("extract", "--title", "--text", "--context", "--crawl", EVIL, crawl)
    check("extract", "--as", "tsv", "--text", crawl)
    check("extract", "--as", "cdxj", crawl)
    check("extract", "--stats", crawl)
    # Output to a file is escaped as well: it may be printed to a terminal later.
    expect(run("extract", "--quiet", "--as", "tsv", "-o", folder / "links.tsv", crawl)[0] == 0, "extract -o")
    expect(not obeyed((folder / "links.tsv").read_bytes()), "links.tsv")


def test_json_keeps_its_meaning(folder):
    code, out, _ = run("extract", "--quiet", "--title", "--text", crawl_in(folder))
    expect(code == 0, out)
    first = json.loads(out.splitlines()[0])
    expect(first["digest"] == f"sha1:{EVIL}" and first["links"][0]["text"] == EVIL.strip(), f"{first}")


def test_what_an_archive_answers(folder):
    archive = folder / f"lib{ESCAPE}.ws"
    check("build", archive, crawl_in(folder), codes=(0, 2))  # the second time it is there already
    check("update", "--json", archive, crawl_in(folder), prints=False)
    for words in (["captures", archive, PAGE], ["captures", "--as", "jsonl", archive, PAGE],
                  ["captures", "--as", "cdxj", archive, PAGE]):
        check(*words)
    for words in (["captures", "--as", "timemap", archive, PAGE], ["links", archive, PAGE],
                  ["links", "--history", archive, PAGE], ["url", "--host", archive, "a.example"],
                  ["diff", archive, "2021", "2023"], ["stats", archive], ["rank", archive], ["info", archive],
                  ["export", "--as", "tsv", archive], ["export", "--as", "graphml", archive], ["verify", archive]):
        check(*words, codes=(0, 1), prints=False)
    check("export", "--as", "jsonl", archive)
    check("links", archive, f"http://{ESCAPE}/", codes=(1, 2))
    check("captures", archive, PAGE, "--from", ESCAPE, codes=(2,))


def test_graphs_and_names_of_files(folder):
    check("rank", folder / f"no{ESCAPE}.tsv", codes=(2,))
    check("extract", folder / f"no{ESCAPE}.warc", codes=(2,))
    check(f"no{ESCAPE}", codes=(2,))
    check("rank", f"--no{ESCAPE}", codes=(2,), prints=False)
    # After the lines that are looked at to recognise a table.
    graph = folder / "graph.tsv"
    lines = [f"a{i}\tb{i}\n" for i in range(10_000)] + [f"{ESCAPE}\u009b2J\tcaf\udce9\n"] * 3
    graph.write_bytes("".join(lines).encode(errors="surrogateescape"))
    check("rank", graph)
    check("rank", "--json", graph)
    check("export", "--as", "tsv", graph)
    check("export", "--as", "graphml", graph, prints=False)
    check("seeds", "--by", "random", "--count", 20_002, graph)
    scores = folder / "scores.tsv"
    scores.write_text("a1\t1\n")
    check("explore", "--topic", scores, "--by", "bf", "--budget", 5, graph, codes=(0, 1), prints=False)


def test_nothing_else_writes_to_a_terminal(_):
    for path in sorted((SOURCE / "webstrata").rglob("*")):
        name = path.relative_to(SOURCE / "webstrata").as_posix()
        if path.suffix in {".h", ".cpp"} and name not in WRITERS:
            code = re.sub(r"//.*", "", path.read_text())
            expect(not PRINTS.search(code), f"{name} prints by itself: {PRINTS.search(code)}")


if __name__ == "__main__":
    sys.exit(run_tests(globals(), folder=temporary_folder))
