#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""No command that passes URLs to a crawler names what an archive forgot.

Forgotten from a date on, a page keeps its older captures and so its place in the graph: `seeds`, `liverank`, `liverank plan`
and `explore` see it, and must not name it.
"""

import json
import sys

from running import expect, run, run_tests
import tempfile

PAGES = [f"http://h{n % 3}.example/{n}" for n in range(30)]
SECRET = PAGES[4]


def crawl_lines(time):
    """Every page links to the next ten, so that each is worth choosing."""
    for number, url in enumerate(PAGES):
        links = [{"url": PAGES[(number + step) % len(PAGES)]} for step in range(1, 11)]
        yield json.dumps({"url": url, "time": time, "status": 200, "links": [link["url"] for link in links]})


def archive_in(folder, name="lib.ws"):
    lines = folder / "crawl.jsonl"
    lines.write_text("\n".join([*crawl_lines("2020-01-01"), *crawl_lines("2021-01-01")]) + "\n")
    code, _, errors = run("build", folder / name, lines, "-q")
    expect(code == 0, errors)
    return folder / name


def forget(lib, *words):
    code, _, errors = run("forget", lib, *words)
    expect(code in (0, 1), errors)


def named_by(*words):
    code, out, errors = run(*words)
    expect(code in (0, 1), f"{words}: {errors}")
    return out, errors


def commands(folder, lib):
    topic = folder / "topic.tsv"
    topic.write_text("".join(f"{url}\t1\n" for url in PAGES))
    many = str(len(PAGES))
    return {
        "seeds": ["seeds", lib, "--count", many, "--by", "outdegree"],
        "seeds --json": ["seeds", lib, "--count", many, "--by", "outdegree", "--json"],
        "liverank": ["liverank", lib, "--by", "indegree"],
        "liverank plan": ["liverank", "plan", lib, "--state", folder / "state.tsv", "--by", "indegree"],
        "explore": ["explore", lib, "--topic", topic, "--budget", many, "--set-size", "3"],
        "explore --json": ["explore", lib, "--topic", topic, "--budget", many, "--set-size", "3", "--json"],
        "explore --recrawl": ["explore", lib, "--topic", topic, "--budget", many, "--recrawl", "30d"],
    }


def test_nothing_forgotten_is_named(folder):
    lib = archive_in(folder)
    for name, words in commands(folder, lib).items():
        (folder / "state.tsv").unlink(missing_ok=True)
        out, _ = named_by(*words)
        expect(SECRET + "\t" in out + "\t" or SECRET + "\n" in out or SECRET + '"' in out, f"{name} never names it: this shows nothing")
    forget(lib, "--url", SECRET, "--from", "2021-06")
    expect(run("captures", lib, SECRET)[0] == 0, "its captures are gone: this shows nothing")
    for name, words in commands(folder, lib).items():
        (folder / "state.tsv").unlink(missing_ok=True)
        out, errors = named_by(*words)
        expect(not names(out, SECRET), f"{name} names what was forgotten")
        expect(names(out, PAGES[5]), f"{name} names nothing any more: {out[:300]}")


def names(text, url):
    return any(url + end in text for end in ("\n", "\t", '"'))


def test_the_file_of_cores_names_nothing_forgotten(folder):
    lib, cores = archive_in(folder), folder / "cores.jsonl"
    words = ["seeds", lib, "--by", "cores", "--count", "30", "--keep-inner-links", "--cores", cores]
    named_by(*words)
    expect(names(cores.read_text(), SECRET), "this shows nothing")
    forget(lib, "--url", SECRET, "--from", "2021-06")
    named_by(*words)
    expect(not names(cores.read_text(), SECRET) and names(cores.read_text(), PAGES[5]), cores.read_text()[:300])


def test_the_archive_of_every_graph_is_asked(folder):
    """A seed may be named by GRAPH, although only the archive of --truth forgot it."""
    old, newer = archive_in(folder, "old.ws"), archive_in(folder, "newer.ws")
    forget(newer, "--url", SECRET, "--from", "2021-06")
    out, errors = named_by("seeds", old, "--count", "30", "--by", "outdegree", "--truth", newer)
    expect(not names(out, SECRET) and names(out, PAGES[5]) and "forgot" in errors, f"{out} {errors}")


def test_a_campaign_forgets_too(folder):
    lib, state = archive_in(folder), folder / "state.tsv"
    words = ["liverank", "plan", lib, "--state", state, "--by", "indegree", "--tests", "20"]
    out, _ = named_by(*words)
    asked = [url for url in PAGES if names(out, url)]
    (folder / "answers.tsv").write_text("".join(f"{url}\talive\n" for url in asked))
    named_by("liverank", "learn", "--state", state, folder / "answers.tsv")
    gone = [asked[0], next(url for url in PAGES if url not in asked)]
    for url in gone:
        expect(url not in asked or names(state.read_text(), url), "this shows nothing")
        forget(lib, "--url", url)
    out, _ = named_by(*words)
    for url in gone:
        expect(not names(out, url), f"the plan names {url}")
        expect(not names(state.read_text(), url), f"the state has {url}")
    expect(names(state.read_text(), asked[1]), "the state forgot everything")


if __name__ == "__main__":
    sys.exit(run_tests(globals(), folder=tempfile.TemporaryDirectory))
