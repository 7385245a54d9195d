# SPDX-License-Identifier: Apache-2.0
"""update and compact: a stack of strata answers every command as one build does, and compacts to its bytes."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

from archives import expect_same, temporary_folder, write
from running import PROGRAM, SAMPLE, expect, run

OLD = SAMPLE / "2021.warc.gz"
NEW = SAMPLE / "2023.warc.gz"


def facts_of(path, folder):
    """The captures of a crawl file, one line of JSON each."""
    code, out, errors = run("extract", "-q", path)
    expect(code == 0 and out, errors)
    return out.splitlines(keepends=True)


def strata(folder, stack):
    """2021 as one build, 2023 in five updates, each a stratum of what it brings."""
    lines = facts_of(NEW, folder)
    write("build", stack, OLD)
    size = len(lines) // 2
    pieces = []
    while lines:
        pieces.append(lines[:size])
        lines, size = lines[size:], max(1, size // 3)
    for number, piece in enumerate(pieces[:4] + [sum(pieces[4:], [])]):
        facts = folder / f"{number}.jsonl"
        facts.write_text("".join(piece))
        out = write("update", stack, "--no-merge", "--json", facts)
        expect(json.loads(out)["changed"] is True, out)
    return facts


PAGE = "http://python-quart-doc.docs.example/tutorials/installation.html"
QUESTIONS = [
    ["captures", "{}", "*.docs.example"], ["links", "{}", PAGE, "--at", "2022"], ["links", "{}", PAGE, "--in", "--history"],
    ["links", "{}", PAGE, "--during", "2023"], ["url", "{}", "--all", "--limit", "50"],
    ["diff", "{}", "2021", "2023"], ["stats", "{}", "--json"], ["export", "-q", "{}", "--as", "jsonl", "-"],
    ["export", "-q", "{}@2022", "--as", "tsv", "-"], ["export", "-q", "{}@2023", "--as", "graphml", "-"], ["rank", "-q", "{}@2023", "--top", "50"],
]


def test_a_stack_answers_as_one_build(folder):
    stack, whole = folder / "stack.ws", folder / "whole.ws"
    last = strata(folder, stack)
    facts = folder / "new.jsonl"
    facts.write_text("".join(facts_of(NEW, folder)))
    write("build", whole, OLD, facts)
    said = json.loads(run("info", "--json", stack)[1])
    expect(said["strata"] > 1 and said["facts_digest"] is None, said)
    one = json.loads(run("info", "--json", whole)[1])
    for field in ("nodes", "pages", "captures", "sightings", "links", "link_facts", "span"):
        expect(said[field] == one[field], f"{field}: {said[field]} instead of {one[field]}")
    answered = 0
    for question in QUESTIONS:
        answers = [run(*(word.format(archive) for word in question)) for archive in (stack, whole)]
        stacked, single = ((code, out.replace(str(archive), "LIB")) for (code, out, _), archive in zip(answers, (stack, whole)))
        expect(stacked == single, f"{question}: {answers[0][2]} {answers[1][2]} {stacked[1][:300]!r} instead of {single[1][:300]!r}")
        answered += single[0] == 0 and len(single[1]) > 0
    expect(answered == len(QUESTIONS), f"only {answered} questions have an answer")
    code, _, errors = run("verify", stack)
    expect(code == 0, errors)
    generation = said["generation"]
    out = write("update", stack, "--no-merge", "--json", last)
    expect(json.loads(out)["changed"] is False and json.loads(out)["generation"] == generation, out)
    write("compact", stack)
    expect_same(stack, whole, "compact")
    expect(json.loads(run("info", "--json", stack)[1])["facts_digest"] == one["facts_digest"], "another digest")


def test_a_page_is_forgotten_in_all_strata(folder):
    stack = folder / "stack.ws"
    strata(folder, stack)
    url = json.loads(facts_of(NEW, folder)[0])["url"]
    code, shown, errors = run("forget", "--dry-run", stack, "--url", url)
    expect(code == 0 and json.loads(run("info", "--json", stack)[1])["strata"] > 2, errors)
    code, done, errors = run("forget", "--yes", stack, "--url", url)
    expect(code == 0 and done and shown == done, (shown, done, errors))
    expect(json.loads(run("info", "--json", stack)[1])["strata"] > 2, "it was merged")
    code, out, _ = run("export", "-q", stack, "--as", "jsonl", "-")
    expect(code == 0 and f'"{url}"' not in out, "it is still there")
    expect(run("verify", stack)[0] == 0, "verify")


def test_a_killed_update_or_compact_leaves_a_whole_stack(folder):
    stack = folder / "stack.ws"
    strata(folder, stack)
    for verb in (["compact", "-q"], ["update", "-q", "--no-merge"]):
        facts = folder / "more.jsonl"
        facts.write_text('{"url": "http://kill.example/", "time": "2024", "status": 200, "links": ["http://other.example/"]}\n')
        inputs = [facts] if verb[0] == "update" else []
        for milliseconds in (2, 10, 30, 60):
            process = subprocess.Popen([PROGRAM, *verb, str(stack), *map(str, inputs)])
            try:
                process.wait(milliseconds / 1000)
            except subprocess.TimeoutExpired:
                os.kill(process.pid, signal.SIGKILL)
                process.wait()
            code, out, errors = run("verify", "--json", stack)
            expect(not json.loads(out)["problems"] or json.loads(out)["interrupted"], f"{verb}: {out} {errors}")
        write(verb[0], stack, *(["--no-merge", *inputs] if inputs else []))
        expect(run("verify", stack)[0] == 0, verb)


def saved_scores(lib):
    code, out, errors = run("export", "-q", lib, "--as", "scores", "--name", "rank")
    expect(code == 0 and out, errors)
    return sorted(out.splitlines())


def test_scores_follow_their_pages(folder):
    lib = folder / "lib.ws"
    write("build", lib, OLD)
    code, _, errors = run("rank", "-q", lib, "--save", "rank", "--top", "1")
    expect(code == 0, errors)
    due = saved_scores(lib)
    for step, strata in ((["update", "--no-merge", NEW], 2), (["compact"], 1)):
        write(step[0], lib, *step[1:])
        said = json.loads(run("info", "--json", lib)[1])
        expect(said["strata"] == strata and said["scores"], said)
        found = saved_scores(lib)
        expect(found == due, f"{step}: {len(found)} scores, {len(set(found) & set(due))} of {len(due)} as before")
    code, _, errors = run("compact", lib)
    expect(code == 0 and "one stratum" in errors, errors)


def test_merging_as_asked(folder):
    """Small updates leave the base alone, large ones are merged with it; --merge-all merges everything."""
    lib = folder / "lib.ws"
    write("build", lib, OLD)
    one = folder / "one.jsonl"
    one.write_text('{"url": "http://one.example/", "time": "2024", "status": 200, "links": ["http://other.example/"]}\n')
    write("update", lib, one)
    expect(json.loads(run("info", "--json", lib)[1])["strata"] == 2, "one page is no reason to rewrite the archive")
    write("update", lib, NEW)
    large = json.loads(run("info", "--json", lib)[1])["strata"]
    write("build", folder / "whole.ws", OLD, NEW, one)
    code, _, errors = run("update", lib, one, "--no-merge", "--merge-all")
    expect(code == 2 and "exclude" in errors, errors)
    write("update", lib, one, "--merge-all")
    expect(large == 1, f"{large} strata: 2023 is about as large as 2021")
    expect_same(lib, folder / "whole.ws", "merged")
    for number in range(12):
        one.write_text(one.read_text().replace("one", "onee"))
        write("update", lib, one, "--no-merge")
    expect(json.loads(run("info", "--json", lib)[1])["strata"] == 8, "at most eight")


def main():
    for name, test in list(globals().items()):
        if not name.startswith("test_"):
            continue
        with temporary_folder() as folder:
            test(Path(folder))
        print(f"ok  {name[5:].replace('_', ' ')}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
