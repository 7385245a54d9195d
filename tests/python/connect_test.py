# SPDX-License-Identifier: Apache-2.0
"""webstrata.connect answers what webstrata.open does, over HTTP."""

import json
import sys
from datetime import datetime, timezone
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "serve"))
from module import SAMPLE, SOURCE, expect, fails, run_tests, temporary_folder, webstrata  # noqa: E402
from serving import serving  # noqa: E402

PAGE = "http://python-quart-doc.docs.example/tutorials/installation.html"


def test_answers_are_those_of_an_open_archive(folder):
    path = folder / "lib.ws"
    webstrata.build(path, [SAMPLE / "2021.warc.gz", SAMPLE / "2023.warc.gz"])
    with serving(path) as server, webstrata.open(path) as here:
        there = webstrata.connect(server.address)
        expect(there.info()["captures"] == here.info()["captures"] and there.info()["first"] == here.info()["first"], "info")
        for direction in ("out", "in"):
            ours, theirs = here.links(PAGE, direction=direction, at="2021"), there.links(PAGE, direction=direction, at="2021")
            expect(ours.values("url") == theirs.values("url") and len(theirs) > 0, direction)
            expect(ours.values("count") == theirs.values("count"), direction)
            ours, theirs = here.history(PAGE, direction=direction), there.history(PAGE, direction=direction)
            expect(ours.values("first") == theirs.values("first") and ours.values("captures") == theirs.values("captures"), direction)
        expect([capture.time for capture in here.captures(PAGE)] == there.captures(PAGE).values("time"), "captures")
        expect([capture.time for capture in here.captures(PAGE, during="2021")] == there.captures(PAGE, during="2021").values("time"), "captures of a year")
        expect(here.state(PAGE, at="2021") == there.state(PAGE, at="2021"), "state")
        host = "python-quart-doc.docs.example"
        expect(here.urls(host=host).values("url") == there.urls(host=host).values("url"), "urls")
        expect(here.stats() == there.stats(), "stats")
        expect(here.diff("2021", "2023").total == there.diff("2021", "2023")["total"], "diff")
        expect(there.links(PAGE).to_pandas().shape[0] == len(there.links(PAGE)), "pandas")
        expect(len(there.network(at="2021")["nodes"]) > 1, "network")


def test_runs(folder):
    path = folder / "lib.ws"
    webstrata.build(path, [SAMPLE / "2021.warc.gz"])
    (folder / "campaign.tsv").write_text("webstrata liverank 1\nset\ttarget\tpresent\nasked\thttp://a.example/\nasked\thttp://b.example/\nanswer\thttp://a.example/\t404\n")
    with serving(path, "--runs", folder / "campaign.tsv") as server:
        there = webstrata.connect(server.address)
        expect(there.runs().values("name") == ["campaign"], str(list(there.runs())))
        run = there.run("campaign")
        expect((run.status()["tests"], run.status()["found"]) == (1, 0), str(run.status()))
        expect(list(run.curve()) == [{"tests": 1, "found": 0}], str(list(run.curve())))
        expect(run.pages(outcome="gone").values("url") == ["http://a.example/"], str(list(run.pages())))
        expect(run.plan() == ["http://b.example/"], str(run.plan()))
        expect(run.why("http://a.example/")["evidence"] == "404", str(run.why("http://a.example/")))
        expect([status["tests"] for status in run.watch()] == [1], "a run that does not run")
        fails("not_found", lambda: there.run("other"), "no run is called other")


def test_changes_are_those_of_the_module(folder):
    here, there = folder / "here.ws", folder / "there.ws"
    (folder / "token").write_text("a-token-of-some-length\n")
    for path in (here, there):
        webstrata.build(path, [SAMPLE / "2021.warc.gz"])
    capture = {"url": "http://d.example/", "time": datetime(2022, 6, 1, tzinfo=timezone.utc), "status": 200, "links": [{"url": PAGE}]}
    (folder / "upload.jsonl").write_text(json.dumps(capture, default=lambda time: time.isoformat()) + "\n")
    with serving(there, "--writable", "--token", folder / "token", "--open-reading") as server:
        library = webstrata.connect(server.address, token="a-token-of-some-length")
        ours, theirs = webstrata.update(here, folder / "upload.jsonl"), library.update([capture])
        expect(ours._replace(inputs=[]) == theirs._replace(inputs=[]), f"{ours} {theirs}")
        expect(ours.inputs[0]._replace(path="") == theirs.inputs[0]._replace(path=""), f"{ours.inputs} {theirs.inputs}")
        expect(library.links("http://d.example/").values("url") == [PAGE], "the next answer")
        expect(not library.update((folder / "upload.jsonl").read_bytes()).changed, "the same again")
        for words in ({"host": "docs.example", "dry_run": True}, {"url": [PAGE], "during": "2021"}, {"prefix": "http://python-quart-doc.docs.example/tutorials/", "embedded": True}):
            ours, theirs = webstrata.forget(here, **words), library.forget(**words)
            expect(ours == theirs and ours.names > 0, f"{words}: {ours} {theirs}")
        expect((webstrata.compact(here), webstrata.compact(here)) == (library.compact(), library.compact()), "compact")
        shown = (SOURCE / "docs" / "serve.md").read_text().split("```python\n")[1].split("```")[0]
        exec(shown.replace("http://127.0.0.1:8931/", server.address).replace("token.txt", str(folder / "token")), {"webstrata": webstrata, "Path": Path})
        fails("bad_input", lambda: library.forget(), "name what to forget")
        fails("bad_input", lambda: library.update(""), "not JSON lines")
        fails("io", lambda: webstrata.connect(server.address).compact(), "Bearer")
    with serving(there) as server:
        fails("io", lambda: webstrata.connect(server.address).compact(), "only reads")


def test_errors_are_clear(folder):
    path = folder / "lib.ws"
    webstrata.build(path, [SAMPLE / "2021.warc.gz"])
    with serving(path) as server:
        there = webstrata.connect(server.address)
        fails("not_found", lambda: there.links("http://nowhere.example/"), "not in the archive")
        fails("bad_input", lambda: there.links(PAGE, at="2015-13"), "2015-13")
        fails("not_found", lambda: webstrata.connect(server.address, archive="other"), "does not serve other")
        try:
            there.snapshot()
        except AttributeError as error:
            expect("webstrata.open()" in str(error), str(error))
    fails("io", lambda: webstrata.connect(server.address), "no answer")
    fails("bad_input", lambda: webstrata.connect("lib.ws"), "not an address")


if __name__ == "__main__":
    sys.exit(run_tests(dict(globals()), folder=temporary_folder))
