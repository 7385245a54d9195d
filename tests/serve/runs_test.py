#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs over HTTP: a crawl that another process is at work on, against what `crawl --ledger` prints."""

import http.client
import json
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from serving import HOME, PROGRAM, SAMPLE, expect, serving  # noqa: E402
from archives import temporary_folder, write  # noqa: E402
from running import run, run_tests  # noqa: E402

AGENT = ("--agent", "test (+https://test.example/)")


def ledger(job):
    code, lines, errors = run("crawl", job, "--ledger")
    expect(code == 0, errors)
    return [json.loads(line) for line in lines.splitlines()]


def events(server, path):
    """The data of the events of a stream, one by one."""
    connection = http.client.HTTPConnection(server.host, server.port, timeout=120)
    connection.request("GET", server.base + path)
    answer = connection.getresponse()
    expect(answer.headers["Content-Type"] == "text/event-stream", str(answer.headers))
    try:
        while line := answer.readline():
            if line.startswith(b"data: "):
                yield json.loads(line[6:])
    finally:
        connection.close()


def test_a_running_crawl_is_followed(folder):
    write("build", folder / "lib.ws", SAMPLE / "2021.warc.gz")
    (folder / "runs").mkdir()
    job, hosts = folder / "runs" / "week", folder / "hosts.txt"
    with serving(SAMPLE / "2021.warc.gz", "--hosts", hosts, verb="replay"), serving(folder / "lib.ws", "--runs", folder / "runs") as server:
        expect(server.json("api/v1/lib/runs") == {"runs": []}, "nothing has begun")
        crawl = subprocess.Popen([PROGRAM, "crawl", job, HOME, "--hosts", hosts, *AGENT, "--budget", "25", "--delay", "300ms", "--quiet"])
        try:
            while not server.json("api/v1/lib/runs")["runs"]:
                pass
            seen = []
            for status in events(server, "api/v1/lib/runs/week/events"):
                seen.append(status)
                if len({status["tests"] for status in seen}) > 2 or not status["running"] and len(seen) > 1:
                    break
            expect(seen[0]["kind"] == "crawl" and any(status["running"] for status in seen), str(seen))
            expect([status["tests"] for status in seen] == sorted(status["tests"] for status in seen), str(seen))
            expect(seen[-1]["tests"] > seen[0]["tests"], str(seen))
        finally:
            crawl.wait(timeout=120)
        records = ledger(job)
        urls = {record["url"]: record for record in records if record["record"] == "url" and record["state"] != "dropped"}
        total = next(record for record in records if record["record"] == "job")
        status = server.json("api/v1/lib/runs/week")
        expect(not status["running"] and status["requests"] == total["requests"] and status["bytes"] == total["bytes"], f"{status} {total}")
        expect(status["budget"] == {"requests": 25}, str(status))
        decided = [record for record in urls.values() if record["state"] == "done" and "outcome" in record]
        expect(status["tests"] == len(decided) > 5, f"{status} {len(decided)}")
        expect(status["found"] == sum(record["outcome"] == "alive" for record in decided), str(status))
        pages, after = [], {}
        while True:
            answer = server.json("api/v1/lib/runs/week/pages", limit=7, **after)
            pages += answer["pages"]
            if "next" not in answer:
                break
            after = {"after": answer["next"]}
        known = {page["url"]: page for page in pages}
        for url, record in urls.items():
            for field in ("state", "outcome", "status", "target", "evidence", "from", "depth"):
                expect(known[url].get(field) == record.get(field), f"{field} of {url}: {known[url]} {record}")
        _, _, lines = server.get("api/v1/lib/runs/week/pages", headers={"Accept": "application/x-ndjson"})
        expect([json.loads(line) for line in lines.splitlines()] == pages, "the same as lines")
        plan = server.get("api/v1/lib/runs/week/plan")[2].decode().split()
        expect(sorted(plan) == sorted(url for url, record in urls.items() if record["state"] == "waiting"), str(plan))
        charge = [record for record in records if record["record"] == "charge" and record["kind"] == "page"][-1]
        why = server.json("api/v1/lib/runs/week/why", url=charge["url"])
        expect(why["requests"][-1]["why"] == charge["why"] and why["requests"][-1].get("file") == charge.get("file"), f"{why} {charge}")
        expect(not why["path"] or why["path"][0] == HOME and why["path"][-1] == why["from"], str(why))
        curve = server.json("api/v1/lib/runs/week/curve")
        expect(curve["points"][-1][:2] == [status["tests"], status["found"]], str(curve))


def test_campaigns_probes_and_seeds(folder):
    write("build", folder / "lib.ws", SAMPLE / "2021.warc.gz")
    code, named, errors = run("liverank", "plan", folder / "lib.ws", "--state", folder / "campaign.tsv", "--tests", "6", "--quiet")
    expect(code == 0, errors)
    named = [line.split("\t")[0] for line in named.splitlines()]
    (folder / "results.tsv").write_text("".join(f"{url}\t{word}\n" for url, word in zip(named, ["200", "404", "alive"])))
    code, _, errors = run("liverank", "learn", folder / "results.tsv", "--state", folder / "campaign.tsv", "--quiet")
    expect(code == 0, errors)
    code, seeds, errors = run("seeds", folder / "lib.ws", "--count", "3", "--json", "--quiet")
    expect(code == 0, errors)
    (folder / "begin.json").write_text(seeds)
    hosts = folder / "hosts.txt"
    with serving(SAMPLE / "2021.warc.gz", "--hosts", hosts, verb="replay"):
        code, lines, errors = run("probe", HOME, HOME + "none.html", "--hosts", hosts, *AGENT, "--delay", "10ms", "--job", folder / "probe", "--json", "--quiet")
        expect(code == 0, errors)
    probed = {record["url"]: record for record in map(json.loads, lines.splitlines())}
    with serving(folder / "lib.ws", "--runs", folder / "campaign.tsv", "--runs", folder / "begin.json", "--runs", f"old={folder / 'probe'}") as server:
        kinds = {entry["name"]: entry["kind"] for entry in server.json("api/v1/lib/runs")["runs"]}
        expect(kinds == {"begin": "seeds", "campaign": "campaign", "old": "probe"}, str(kinds))
        status = server.json("api/v1/lib/runs/campaign")
        expect((status["tests"], status["found"], status["asked"], status["waiting"]) == (3, 2, 6, 3), str(status))
        expect(server.get("api/v1/lib/runs/campaign/plan")[2].decode().split() == named[3:], "the plan")
        chosen = [seed["url"] for seed in json.loads(seeds)["seeds"]]
        expect(server.get("api/v1/lib/runs/begin/plan")[2].decode().split() == chosen, "seeds")
        known = {page["url"]: page for page in server.json("api/v1/lib/runs/old/pages")["pages"]}  # targets of redirects too
        for url, record in probed.items():
            expect(known[url]["outcome"] == record["outcome"], f"{known[url]} {record}")
    code, _, errors = run("serve", folder / "lib.ws", "--port", "0", "--runs", folder / "results.tsv")
    expect(code == 2 and "not a job" in errors, errors)


if __name__ == "__main__":
    sys.exit(run_tests(dict(globals()), folder=temporary_folder))
