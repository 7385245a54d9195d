# SPDX-License-Identifier: Apache-2.0
"""Colours: on a terminal only, and as --color, NO_COLOR and TERM say."""

import os
import pty
import re
import subprocess
import sys

from archives import temporary_folder, write
from running import PROGRAM, SAMPLE, expect, run, run_tests

OLD = SAMPLE / "2021.warc.gz"
RED, YELLOW, BOLD = "\x1b[1;31m", "\x1b[33m", "\x1b[1m"


def in_terminal(folder, *words, **variables):
    """Everything that a command prints when standard output and standard error are a terminal, and its exit code."""
    environment = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM")}
    leader, follower = pty.openpty()
    process = subprocess.Popen([PROGRAM, *map(str, words)], stdout=follower, stderr=follower, stdin=subprocess.DEVNULL, cwd=folder,
                               env={**environment, "TERM": "xterm", **variables})
    os.close(follower)
    text = b""
    while True:
        try:
            piece = os.read(leader, 65536)
        except OSError:  # Linux says so when the other end is closed
            break
        if not piece:
            break
        text += piece
    os.close(leader)
    return process.wait(timeout=60), text.decode().replace("\r\n", "\n")


def colours(text):
    return [code for code in re.findall(r"\x1b\[[0-9;]*m", text) if code != "\x1b[0m"]


def test_headers_errors_and_warnings(folder):
    write("build", folder / "lib.ws", OLD)
    code, text = in_terminal(folder, "rank", "-q", "lib.ws", "--top", "2")
    expect(code == 0 and text.startswith(f"{BOLD}score\turl\x1b[0m\n") and colours(text) == [BOLD], repr(text[:100]))
    for words in (("rank", "nowhere.ws"), ("rank", "--no-such"), ("extract", "nowhere.warc")):
        code, text = in_terminal(folder, *words)
        expect(code == 2 and f"{RED}webstrata:\x1b[0m " in text, f"{words}: {text!r}")
    (folder / "cut.warc.gz").write_bytes(OLD.read_bytes()[:200_000])
    code, text = in_terminal(folder, "extract", "-o", "out", "cut.warc.gz")
    expect(code == 0 and f"{YELLOW}webstrata:\x1b[0m cut.warc.gz: damaged" in text, repr(text))


def test_none_where_they_are_not_wanted(folder):
    write("build", folder / "lib.ws", OLD)
    words = ("rank", "-q", "lib.ws", "--top", "2")
    for variables in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        expect(colours(in_terminal(folder, *words, **variables)[1]) == [], variables)
        expect(colours(in_terminal(folder, "rank", "nowhere.ws", **variables)[1]) == [], variables)
    expect(colours(in_terminal(folder, *words, NO_COLOR="")[1]) == [BOLD], "an empty NO_COLOR means nothing")
    expect(colours(in_terminal(folder, *words, "--color", "never")[1]) == [], "--color never")
    expect(run(*words, "--header", cwd=folder)[1].startswith("score\turl\n"), "a pipe has no colours")


def test_always_means_always(folder):
    write("build", folder / "lib.ws", OLD)
    code, out, _ = run("rank", "lib.ws", "--top", "2", "--header", "--color", "always", cwd=folder)
    expect(code == 0 and out.startswith(f"{BOLD}score\turl\x1b[0m\n"), repr(out[:60]))
    code, _, errors = run("rank", "nowhere.ws", "--color=always", cwd=folder)
    expect(code == 2 and errors.startswith(f"{RED}webstrata:\x1b[0m "), repr(errors))


def test_a_name_cannot_bring_colours(folder):
    """Control characters of names are escaped where we colour, too."""
    code, text = in_terminal(folder, "extract", "\x1b[32mgreen")
    expect(code == 2 and "\x1b[32m" not in text, repr(text))


def main():
    return run_tests(globals(), folder=temporary_folder)


if __name__ == "__main__":
    sys.exit(main())
