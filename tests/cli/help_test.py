# SPDX-License-Identifier: Apache-2.0
"""--help: commands and options in groups, one form of default, lines that fit; --version; what a mistyped word gets."""

import re
import sys

from running import expect, expect_one_line, run, run_tests

GROUPS = {"Read crawl files": ["extract"],
          "Build and change an archive": ["build", "update", "compact", "forget", "verify"],
          "Ask an archive": ["info", "url", "captures", "links", "diff", "stats", "export", "rank"],
          "Serve over HTTP": ["serve", "replay"],
          "Decide what to crawl": ["seeds", "liverank", "explore"],
          "Fetch from the web": ["probe", "crawl", "frontier"]}
COMMANDS = [[name] for names in GROUPS.values() for name in names] + [["liverank", "plan"], ["liverank", "learn"]]
COLUMNS_MAX = 100


def sections(text):
    """What stands under each heading of a help text: the first words of its entries."""
    found, heading = {}, None
    for line in text.splitlines():
        if re.fullmatch(r"[A-Z][A-Za-z ,]*:", line):
            heading = line[:-1]
            found[heading] = []
        elif heading and re.match(r"  \S", line):
            found[heading].append(line.split()[0])
        elif line and not line.startswith(" "):
            heading = None
    return found


def test_commands_are_grouped():
    code, text, errors = run("--help")
    expect(code == 0 and errors == "", errors)
    found = sections(text)
    for heading, names in GROUPS.items():
        expect(found.get(heading) == names, f"{heading}: {found.get(heading)}")


def test_options_are_grouped():
    found = sections(run("seeds", "--help")[1])
    expect("--count" in found["Method"] and "--density" in found["Method cores"] and "--json" in found["Output"], found)
    expect(sections(run("liverank", "--help")[1])["Commands"] == ["plan", "learn"], "the commands below liverank")
    expect(list(found).index("General") > list(found).index("Output"), "general options come last")
    found = sections(run("probe", "--help")[1])
    expect("--connections" in found["Politeness"] and "--requests" in found["Budget"], found)
    found = sections(run("crawl", "--help")[1])
    expect("--backoff" in found["Politeness"] and "--budget" in found["Budget"] and "--depth" in found["Scope"], found)


def test_lines_fit():
    for command in COMMANDS:
        for line in run(*command, "--help")[1].splitlines():
            fits = len(line) <= COLUMNS_MAX or line.startswith("  webstrata ")
            expect(fits, f"{' '.join(command)} --help: {len(line)} columns: {line}")


def test_defaults_have_one_form():
    for command in COMMANDS:
        text = " ".join(run(*command, "--help")[1].split("Example")[0].split())
        expect("; default" not in text, f"{' '.join(command)} --help: {text}")
    expect("Maximum concurrent connections (default 64)" in run("probe", "--help")[1], "the model sentence")


def test_version():
    code, text, _ = run("--version")
    expect(code == 0 and re.fullmatch(r"webstrata \d+\.\d+\.\d+\n", text), text)
    expect(run("-V")[1] == text, "-V is not --version")


def test_did_you_mean():
    for words, meant in ((["extrakt"], "did you mean extract?"), (["lniks", "lib.ws", "x"], "did you mean links?"),
                         (["extract", "--thread", "2", "x"], "did you mean --threads?"), (["info", "--jsno", "lib.ws"], "did you mean --json?"),
                         (["links", "--history=1", "--durin=2015"], "did you mean --during?"),
                         (["liverank", "plan", "lib.ws", "--stat", "x"], "did you mean --state?")):
        code, out, errors = run(*words)
        expect(code == 2 and out == "", f"{words}: {code} {out}")
        expect_one_line(errors, meant, "--help")
    for words in (["qqqqqq"], ["info", "--qqqqqq", "lib.ws"]):
        code, _, errors = run(*words)
        expect(code == 2 and "did you mean" not in errors, errors)
        expect_one_line(errors, "qqqqqq", "no such")


def test_other_wrong_words():
    for words, says in (([], "a command is missing"), (["--wrong"], "--wrong: no such option"), (["info", "a", "b"], "b: unexpected argument"),
                        (["extract", "--as", "xml", "x"], "xml is not one of jsonl, tsv"), (["info"], "ARCHIVE is required")):
        code, _, errors = run(*words)
        expect(code == 2, f"{words}: {code}")
        expect_one_line(errors, says)


def main():
    return run_tests(globals())


if __name__ == "__main__":
    sys.exit(main())
