# SPDX-License-Identifier: Apache-2.0
"""What every command makes of a URL without a scheme, of wildcards and of an archive with a time: the table below."""

import json
import sys

from archives import temporary_folder, write
from running import SAMPLE, expect, expect_one_line, run, run_tests

HOST = "python-quart-doc.docs.example"
PAGE = f"{HOST}/tutorials/installation.html"
DOMAIN = "docs.example"
AGENT = ("--agent", "test (test@archive.example)")
PROBE = (*AGENT, "--requests", "1", "--delay", "0s", "--hosts", "hosts", "--timeout", "5s")

# The words of each command, {} for the word in question: a URL, or an archive. For a URL a column is True (understood), or words of
# the line that says why not. `None`: the command asks for no URL.
#
#   command      words for a URL                     without scheme   example.org/*   *.example.org
URLS = {
    "captures": (("lib.ws", "{}"),                       True, True, True),
    "compact":  None,
    "crawl":    (("job", "{}", *PROBE[:2], "--budget", "0", "--hosts", "hosts"), True, "names many", "names many"),
    "diff":     None,
    "explore":  None,
    "export":   None,
    "extract":  None,
    "build":    None,
    "update":   None,
    "forget":   (("lib.ws", "--dry-run", "--url", "{}"), True, True, True),
    "frontier": None,
    "info":     None,
    "links":    (("lib.ws", "{}"),                       True, True, True),
    "liverank": (("-q", "lib.ws@2021", "--truth", "lib.ws@2023..", "--why", "{}"), True, "not a page", "not a page"),
    "probe":    (("{}", *PROBE),                         True, "--archive", "--archive"),
    "rank":     None,
    "replay":   None,
    "seeds":    None,
    "serve":    None,
    "stats":    None,
    "url":      (("lib.ws", "{}"),                       True, True, True),
    "verify":   None,
}

# The same for an archive: the words, and True or words of the line that says why a time makes no sense.
ARCHIVES = {
    "build":    (("{}", str(SAMPLE / "2021.warc.gz")), "build writes all of an archive"),
    "captures": (("{}", PAGE), True),
    "compact":  (("{}",), "compact merges all of an archive"),
    "crawl":    (("job", f"http://{HOST}/", *AGENT, "--archive", "{}"), "compares with all"),
    "diff":     (("{}", "2021", "2023"), "diff lib.ws 2021 2023"),
    "explore":  (("{}", "--topic", "scores.tsv", "--budget", "5", "--set-size", "1"), True),
    "export":   (("{}", "--as", "tsv"), True),
    "extract":  None,  # reads crawl files
    "forget":   (("{}", "--url", PAGE, "--dry-run"), "--from and --to"),
    "frontier": None,  # runs until it is stopped
    "info":     (("{}",), "describes all of an archive"),
    "links":    (("{}", PAGE), True),
    "liverank": (("{}", "--budget", "5"), True),
    "probe":    ((f"http://{HOST}/", *PROBE, "--archive", "{}"), "compares with all"),
    "rank":     (("{}", "--top", "3"), True),
    "replay":   None,  # serves WARC files
    "seeds":    (("{}", "--count", "2"), True),
    "serve":    (("{}", "--port", "0"), "all times of an archive"),
    "stats":    (("{}",), "through all times"),
    "update":   (("{}", str(SAMPLE / "2021.warc.gz")), "update writes all of an archive"),
    "url":      (("{}", PAGE), True),
    "verify":   (("{}",), "checks all of an archive"),
}


def commands():
    return {line.split()[0] for line in run("--help")[1].splitlines() if line.startswith("  ") and not line.startswith("  -") and line[2] != " "}


def filled(words, word):
    return [one.format(word) if "{}" in one else one for one in words]


def prepared(folder):
    write("build", folder / "lib.ws", SAMPLE / "2021.warc.gz", SAMPLE / "2023.warc.gz")
    (folder / "hosts").write_text("127.0.0.1:9 nowhere.example\n")  # no test may look names up
    (folder / "scores.tsv").write_text(f"http://{PAGE}\t1\n")
    return folder


def test_the_tables_have_every_command(_):
    expect(set(URLS) == set(ARCHIVES) == commands(), f"{set(URLS) ^ commands()} {set(ARCHIVES) ^ commands()}")


def test_urls(folder):
    prepared(folder)
    for command, row in URLS.items():
        if row is None:
            continue
        words, *accepted = row
        for word, is_accepted in zip((PAGE, f"{HOST}/*", f"*.{DOMAIN}"), accepted):
            code, out, errors = run(command, *filled(words, word), cwd=folder, timeout=60)
            if is_accepted is True:
                understood = code == 0 or (code == 1 and command in ("crawl", "probe"))
                expect(understood, f"{command} {word}: {code} {errors}")
            else:
                expect(code == 2 and out == "", f"{command} {word}: {code} {out[:100]}")
                expect_one_line(errors, word, is_accepted)


def test_archives_with_a_time(folder):
    prepared(folder)
    for command, row in ARCHIVES.items():
        if row is None:
            continue
        words, is_accepted = row
        code, out, errors = run(command, *filled(words, "lib.ws@2021"), cwd=folder, timeout=60)
        if is_accepted is True:
            expect(code == 0 and out, f"{command}: {code} {errors}")
        else:
            expect(code == 2 and out == "", f"{command}: {code} {out[:100]}")
            expect_one_line(errors, "lib.ws@2021", "@2021", is_accepted)


def lines(*words, folder):
    code, out, errors = run(*words, cwd=folder)
    expect(code == 0, f"{words}: {errors}")
    return out.splitlines()


def test_they_mean_what_longer_words_mean(folder):
    prepared(folder)
    same = [
        (("url", "lib.ws", PAGE), ("url", "lib.ws", f"http://{PAGE}")),
        (("url", "lib.ws", f"{HOST}/*"), ("url", "lib.ws", "--host", HOST)),
        (("url", "lib.ws", f"{HOST}/tut*"), ("url", "lib.ws", "--prefix", f"http://{HOST}/tut")),
        (("url", "lib.ws", f"*.{DOMAIN}"), ("url", "lib.ws", "--domain", DOMAIN)),
        (("url", "lib.ws@2021", f"{HOST}/*"), ("url", "lib.ws", "--host", HOST, "--during", "..2021")),
        (("links", "lib.ws", PAGE), ("links", "lib.ws", f"http://{PAGE}")),
        (("links", "lib.ws@2021", PAGE), ("links", "lib.ws", PAGE, "--at", "2021")),
        (("links", "lib.ws@2021..2022", PAGE), ("links", "lib.ws", PAGE, "--during", "2021..2022")),
        (("captures", "lib.ws@2021", PAGE), ("captures", "lib.ws", PAGE, "--to", "2021")),
        (("captures", "lib.ws@2023..", PAGE), ("captures", "lib.ws", PAGE, "--from", "2023")),
        (("diff", "lib.ws@2021", "lib.ws@2023"), ("diff", "lib.ws", "2021", "2023")),
        (("forget", "lib.ws", "--dry-run", "--url", f"{HOST}/tut*"), ("forget", "lib.ws", "--dry-run", "--prefix", f"http://{HOST}/tut")),
        (("forget", "lib.ws", "--dry-run", "--url", f"*.{HOST}"), ("forget", "lib.ws", "--dry-run", "--host", HOST)),
    ]
    for short, long in same:
        found = lines(*short, folder=folder)
        expect(found and found == lines(*long, folder=folder), f"{short} is not {long}")


def test_a_wildcard_joins_the_pages(folder):
    prepared(folder)
    pages = [line.split("\t")[1] for line in lines("url", "lib.ws", f"{HOST}/tut*", folder=folder)]
    captures = sorted(line for page in pages for line in run("captures", "lib.ws", page, cwd=folder)[1].splitlines())
    found = lines("captures", "lib.ws", f"{HOST}/tut*", folder=folder)
    expect(sorted(line.rsplit("\t", 1)[0] for line in found) == captures, "captures of a wildcard")
    expect({line.rsplit("\t", 1)[1] for line in found} <= set(pages), "the last column is the URL")
    targets = {line for page in pages for line in run("links", "lib.ws", page, cwd=folder)[1].splitlines()}
    expect(set(lines("links", "lib.ws", f"{HOST}/tut*", folder=folder)) == targets, "links of a wildcard")
    code, _, errors = run("captures", "lib.ws", f"{HOST}/tut*", "--as", "timemap", cwd=folder)
    expect(code == 2, errors)
    expect_one_line(errors, "timemap", "one URL")


def test_probe_takes_wildcards_from_an_archive(folder):
    prepared(folder)
    pages = {line.split("\t")[1] for line in lines("url", "lib.ws", "--pages", "--prefix", f"{HOST}/tut", folder=folder)}
    code, out, errors = run("probe", "--json", f"{HOST}/tut*", "--archive", "lib.ws", *AGENT, "--requests", "1", "--hosts", "hosts", cwd=folder)
    expect(code == 0, errors)
    expect({json.loads(line)["url"] for line in out.splitlines()} == pages, out)


def test_a_time_is_given_once(folder):
    prepared(folder)
    for words in (("links", "lib.ws@2021", PAGE, "--at", "2023"), ("captures", "lib.ws@2021", PAGE, "--to", "2023"),
                  ("url", "lib.ws@2021", f"{HOST}/*", "--during", "2023")):
        code, out, errors = run(*words, cwd=folder)
        expect(code == 2 and out == "", f"{words}: {code}")
        expect_one_line(errors, "lib.ws@2021", "already")


def main():
    return run_tests(globals(), folder=temporary_folder)


if __name__ == "__main__":
    sys.exit(main())
