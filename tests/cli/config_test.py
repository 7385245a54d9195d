# SPDX-License-Identifier: Apache-2.0
"""The configuration file: defaults of options, which the command line replaces."""

import os
import sys

from archives import temporary_folder, write
from running import SAMPLE, expect, expect_one_line, run, run_tests

HOST = "python-quart-doc.docs.example"
PAGE = f"http://{HOST}/tutorials/installation.html"


def prepared(folder, text):
    """An archive, and the user's file with this text."""
    write("build", folder / "lib.ws", SAMPLE / "2021.warc.gz", SAMPLE / "2023.warc.gz")
    (folder / "hosts").write_text("127.0.0.1:9 nowhere.example\n")  # no test may look names up
    configure(folder, text)
    return folder


def configure(folder, text):
    (folder / "webstrata").mkdir(exist_ok=True)
    (folder / "webstrata" / "config").write_text(text)


def ask(folder, *words, **variables):
    return run(*words, cwd=folder, env={**os.environ, "XDG_CONFIG_HOME": str(folder), **variables})


def first_line(folder, *words, **variables):
    code, out, errors = ask(folder, *words, **variables)
    expect(code == 0, f"{words}: {errors}")
    return out.splitlines()[0]


def test_defaults_for_all_and_for_one(folder):
    prepared(folder, "# mine\nheader = true\n[rank]\ntop = 3\nby = indegree\n")
    expect(first_line(folder, "links", "lib.ws", PAGE) == "url", "header for all")
    code, out, _ = ask(folder, "rank", "lib.ws")
    expect(code == 0 and len(out.splitlines()) == 4, "top of rank")
    plain = run("rank", folder / "lib.ws", "--by", "indegree", "--top", "3")[1]
    expect(out.split("\n", 1)[1] == plain, "by of rank")
    expect(len(ask(folder, "seeds", "lib.ws", "--count", "2")[1].splitlines()) == 2, "seeds has no --top, which is fine")


def test_the_command_line_wins(folder):
    prepared(folder, "header = true\n[rank]\ntop = 3\n[links]\njson = true\n[captures]\nfrom = 2023\n")
    expect(len(ask(folder, "rank", "lib.ws", "--top", "1", "--no-header")[1].splitlines()) == 1, "--top and --no-header")
    expect(first_line(folder, "links", "lib.ws", PAGE).startswith("{"), "json")
    expect(first_line(folder, "links", "lib.ws", PAGE, "--as", "csv") == "url", "--as replaces --json")
    expect("2021" not in ask(folder, "captures", "lib.ws", PAGE)[1], "from")
    expect("2021" in ask(folder, "captures", "lib.ws", PAGE, "--from", "2020")[1], "--from")


def test_another_file_and_none(folder):
    prepared(folder, "header = true\n")
    (folder / "mine").write_text("[rank]\ntop = 2\n")
    words = ("rank", "lib.ws", "--top", "1")
    expect(first_line(folder, *words) == "score\turl", "the user's file")
    expect(first_line(folder, *words, "--no-config") != "score\turl", "--no-config")
    expect(len(ask(folder, "rank", "lib.ws", "--config", "mine")[1].splitlines()) == 2, "--config")
    expect(len(ask(folder, "rank", "lib.ws", "--config=mine")[1].splitlines()) == 2, "--config=")
    expect(len(ask(folder, "rank", "lib.ws", WEBSTRATA_CONFIG=str(folder / "mine"))[1].splitlines()) == 2, "WEBSTRATA_CONFIG")
    expect(first_line(folder, *words, WEBSTRATA_CONFIG="") != "score\turl", "an empty WEBSTRATA_CONFIG")
    code, _, errors = ask(folder, "rank", "lib.ws", "--config", "missing")
    expect(code == 2, errors)
    expect_one_line(errors, "--config missing", "no such file")


def test_mistakes_name_file_and_line(folder):
    prepared(folder, "")
    for text, line, word in (("\nthreds = 4\n", 2, "threds"), ("threads = many\n", 1, "many"), ("nonsense\n", 1, "nonsense"),
                             ("# x\n[rank]\ntopp = 1\n", 3, "topp"), ("[rnk]\ntop = 1\n", 2, "rnk"), ("[rank]\nby\n", 2, "by"),
                             ("[rank]\ntop = -1\n", 2, "-1"), ("config = x\n", 1, "config")):
        configure(folder, text)
        code, out, errors = ask(folder, "rank", "lib.ws")
        expect(code == 2 and out == "", f"{text!r}: {code}")
        expect_one_line(errors, f"webstrata/config:{line}: ", word)
        expect(ask(folder, "rank", "lib.ws", "--no-config")[0] == 0, f"{text!r}: --no-config")
        expect(ask(folder, "rank", "--help")[0] == 0, f"{text!r}: --help")


def test_other_commands_sections_do_not_matter(folder):
    prepared(folder, "budget = 3\n[explore]\ntopic = none\n[liverank plan]\ntests = 2\n")
    expect(ask(folder, "info", "lib.ws")[0] == 0, "info has no --budget")
    code, out, errors = ask(folder, "liverank", "plan", "lib.ws@2021", "--state", "state")
    expect(code == 0 and len(out.splitlines()) == 2, f"{out} {errors}")


def test_what_to_forget_is_never_a_default(folder):
    prepared(folder, f"host = {HOST}\nyes = true\n")
    code, out, _ = ask(folder, "forget", "lib.ws", "--dry-run", "--url", "http://nowhere.example/")
    expect(code == 1 and out == "", out)
    configure(folder, f"[forget]\nhost = {HOST}\n")
    code, _, errors = ask(folder, "forget", "lib.ws", "--dry-run", "--url", PAGE)
    expect(code == 2, errors)
    expect_one_line(errors, "config:2: ", "host")


def test_repeated_names_are_lists(folder):
    prepared(folder, "[extract]\nquiet = yes\nas = tsv\ninclude = *.warc\ninclude = *.jsonl\n")
    crawls = folder / "crawls"
    crawls.mkdir()
    (crawls / "a.jsonl").write_text('{"url":"http://a.example/","time":"2021","links":[{"url":"http://b.example/"}]}\n')
    (crawls / "b.cdx").write_text("not read")
    code, out, errors = ask(folder, "extract", "crawls")
    expect(code == 0 and out.startswith("2021-01-01T00:00:00Z\thttp://a.example/\thttp://b.example/") and errors == "", f"{out} {errors}")


def test_crawls_take_their_defaults_once(folder):
    """A job keeps the settings it began with; a file that changes later does not change them."""
    prepared(folder, 'agent = "test (test@archive.example)"\n[crawl]\nbudget = 0\nhosts = hosts\n')
    code, _, errors = ask(folder, "crawl", "job", f"http://{HOST}/")
    expect(code == 1 and "agent" not in errors, f"{code} {errors}")
    configure(folder, "[crawl]\nbudget = 7\n")
    code, out, errors = ask(folder, "crawl", "job", "--resume", "--json")
    expect(code == 1 and '"requests":0' in out, f"{code} {out} {errors}")


def main():
    return run_tests(globals(), folder=temporary_folder)


if __name__ == "__main__":
    sys.exit(main())
