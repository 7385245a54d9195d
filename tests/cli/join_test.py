# SPDX-License-Identifier: Apache-2.0
"""Archives as inputs of build and update: the sample in two archives, joined, has the bytes of one build from its crawl files."""

import json
import shutil
import sys

from archives import expect_same, temporary_folder, write
from running import SAMPLE, expect, expect_one_line, run, run_tests

OLD = SAMPLE / "2021.warc.gz"
NEW = SAMPLE / "2023.warc.gz"
HOST = "flickcurl-doc.docs.example"


def two_archives(folder, *options):
    old, new = folder / "2021.ws", folder / "2023.ws"
    write("build", old, OLD, *options)
    write("build", new, NEW, *options)
    return old, new


def test_the_sample(folder):
    old, new = two_archives(folder)
    write("build", folder / "whole.ws", OLD, NEW)
    write("build", folder / "joined.ws", old, new)
    write("build", folder / "mixed.ws", OLD, new, "--threads", 1, "--memory", "128M")
    for name in ("joined", "mixed"):
        expect_same(folder / "whole.ws", folder / f"{name}.ws", name)
    code, out, errors = run("update", "--json", old, new)
    found = json.loads(out)
    expect(code == 0 and found["changed"] and found["inputs"][0]["format"] == "archive", (out, errors))
    expect(json.loads(run("update", "--json", old, new)[1])["generation"] == found["generation"], "nothing is new")
    write("compact", old)
    expect_same(folder / "whole.ws", old, "update with an archive")
    generation = json.loads(run("info", "--json", old)[1])["generation"]
    code, out, errors = run("update", "--json", old, new, OLD)
    expect(code == 0 and json.loads(out)["changed"] is False, out)
    expect("unchanged: it already has everything" in errors, errors)
    expect(json.loads(out)["generation"] == generation and found["generation"] == 2, out)


def test_other_options(folder):
    options = ["--links", "all", "--schemes", "all", "--range", "ever", "--digests", "64bit", "--compact"]
    old, new = two_archives(folder, *options)
    write("build", folder / "whole.ws", OLD, NEW, *options)
    write("build", folder / "joined.ws", new, old)  # with their options
    expect_same(folder / "whole.ws", folder / "joined.ws", "joined")
    write("build", folder / "plain.ws", OLD)
    for options, words in ([], ["2023.ws", "option range is ever", "plain.ws", "30d"]), (["--range", "1y"], ["--range"]):
        code, _, errors = run("update", "--quiet", *options, folder / "plain.ws", new)
        expect(code == 2, errors)
        expect_one_line(errors, *words)
    code, _, errors = run("build", "--quiet", folder / "refused.ws", "--range", "1y", old)
    expect(code == 2 and not (folder / "refused.ws").exists(), errors)
    expect_one_line(errors, "option range is ever", "1y")


def test_what_was_forgotten(folder):
    """An archive that is joined brings its tombstones, also for what the other one holds."""
    old, new = two_archives(folder)
    write("build", folder / "whole.ws", OLD, NEW)
    for archive in (new, folder / "whole.ws"):
        expect(run("forget", "--quiet", archive, "--host", HOST)[0] == 0, archive)
    expect(run("forget", "--quiet", old, "--host", "nowhere.example")[0] == 1, "nothing there")
    code, _, errors = run("update", old, new)
    expect(code == 0 and "what a joined archive has forgotten was deleted" in errors, errors)
    write("compact", old)
    expect_same(folder / "whole.ws", old, "joined")
    code, out, _ = run("forget", old, "--list")
    expect(code == 0 and len(out.splitlines()) == 2, out)
    code, out, errors = run("update", "--json", old, OLD)
    expect(code == 0 and json.loads(out)["changed"] is False and json.loads(out)["left_out"], out)
    expect(run("verify", "--quiet", old)[0] == 0, "verify")
    write("build", folder / "again.ws", old)  # a copy keeps them
    expect(run("forget", folder / "again.ws", "--list", "--host", HOST)[0] == 0, "the tombstones of a copy")
    expect(run("forget", "--quiet", old, "--undo", "--host", HOST)[0] == 0, "undo")
    write("update", old, OLD)
    expect(run("captures", "--quiet", old, f"http://{HOST}/")[0] == 0, "after undo it comes back")


def test_wrong_inputs(folder):
    old, _ = two_archives(folder)
    (folder / "broken.ws").mkdir()
    (folder / "broken.ws" / "MANIFEST").write_text("x")
    code, _, errors = run("update", "--quiet", old, folder / "broken.ws")
    expect(code == 2, errors)
    expect_one_line(errors, "broken.ws")
    code, _, errors = run("extract", old)
    expect(code == 2, errors)
    expect_one_line(errors, "is an archive", "build and update")
    code, out, errors = run("update", "--json", old, old)
    expect(code == 0 and json.loads(out)["changed"] is False, errors)
    shutil.rmtree(old)
    expect(run("update", "--quiet", old, OLD)[0] == 2, "no archive")


if __name__ == "__main__":
    sys.exit(run_tests(globals(), folder=temporary_folder))
