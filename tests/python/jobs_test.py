# SPDX-License-Identifier: Apache-2.0
"""Probes, crawls and campaigns from Python: real requests to servers of the test's own, on loopback, and the same ledgers, plans
and state files as the command line's."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from module import PROGRAM, SAMPLE, SOURCE, expect, fails, run, run_tests, temporary_folder, webstrata

sys.path.insert(0, str(SOURCE / "tests" / "fetch"))
from serving import AGENT, Server  # noqa: E402

SITE = {f"/{n}": "".join(f"<a href='/{m}'>{m}</a>" for m in (2 * n + 1, 2 * n + 2)) for n in range(15)}


async def answer(exchange):
    if exchange.path == "/robots.txt":
        return await exchange.answer(200, "User-agent: *\nDisallow: /3\n", kind="text/plain")
    if exchange.path == "/old":
        return await exchange.answer(301, "", "Location: /0")
    if exchange.path in SITE:
        return await exchange.answer(200, f"<title>{exchange.path}</title>{SITE[exchange.path]}")
    await exchange.answer(404, "no such page")


def place(server):
    return {"agent": AGENT, "connect_to": f"127.0.0.1:{server.port}", "delay": 0.02}


def flags(server):
    return ["--agent", AGENT, "--connect-to", f"127.0.0.1:{server.port}", "--delay", "20ms"]


def archive_in(folder):
    lib = folder / "lib.ws"
    if not lib.exists():
        webstrata.build(lib, [SAMPLE / "2021.warc.gz", SAMPLE / "2023.warc.gz"])
    return lib


def test_a_probe_says_what_became_of_pages(folder):
    with Server(answer) as server:
        urls = [f"http://a.example{path}" for path in ("/0", "/3", "/99", "/old")]
        seen = []
        found = webstrata.probe(urls, **place(server), progress=seen.append)
        by_url = {page.url: page for page in found}
        expect({url: by_url[url].outcome for url in urls} == found.outcomes, found.outcomes)
        expect(found.outcomes == {urls[0]: "alive", urls[1]: "blocked", urls[2]: "gone", urls[3]: "moved"}, found.outcomes)
        expect(by_url[urls[2]].status == 404 and by_url[urls[2]].evidence, by_url[urls[2]])
        expect(by_url[urls[3]].target == urls[0] and by_url[urls[0]].time.tzinfo is not None, by_url)
        expect(found.requests == len(server.log) and len(found) == 4 and found[:2] == list(found)[:2], found)
        expect(seen and seen[-1].phase == "probing" and seen[-1].total == 4, seen)
        expect(list(found.to_pandas()["url"]) == [page.url for page in found], "another table")
        expect(webstrata.probe(urls, **place(server), head=True).outcomes == found.outcomes, "HEAD says the same")
        fails("bad_input", lambda: webstrata.probe(urls, **place(server), head=True, rule="paper"), "HEAD")
        fails("bad_input", lambda: webstrata.probe(urls, connect_to=f"127.0.0.1:{server.port}", agent="nobody"), "contact")
        fails("bad_input", lambda: webstrata.probe(urls, **place(server), confirm="often"), "confirm")
        fails("bad_input", lambda: webstrata.probe(urls, **place(server), requests=0), "requests")


def test_a_probe_writes_files_for_update(folder):
    with Server(answer) as server:
        found = webstrata.probe(["http://a.example/0", "http://a.example/99"], **place(server), out=folder / "found", job=folder / "job")
        expect(found.files and all(Path(file).exists() for file in found.files), found.files)
        webstrata.build(folder / "lib.ws", found.files)
        with webstrata.open(folder / "lib.ws") as library:
            states = {url: library.state(url, at="2999").state for url in found.outcomes}
            expect(states == {"http://a.example/0": "present", "http://a.example/99": "gone"}, states)
        asked = len(server.log)
        again = webstrata.probe(["http://a.example/0"], **place(server), job=folder / "job")
        expect(again[0].outcome == "alive" and len(server.log) == asked, "the ledger knew the answer")


def test_liverank_asks_the_web(folder):
    lines = [f'{{"url": "http://a.example/{n}", "time": "20210101000000", "status": 200, "links": [{{"url": "http://a.example/{n + 1}"}}]}}\n'
             for n in range(20)]
    (folder / "old.jsonl").write_text("".join(lines))
    webstrata.build(folder / "old.ws", [folder / "old.jsonl"])
    old = webstrata.open(folder / "old.ws").snapshot(at="2021", columns=True)
    with Server(answer) as server:
        found = old.liverank(probe={**place(server), "out": folder / "live"}, budget=10, by="indegree", report=folder / "some.html")
        expect(found.tests == 10 and found.live is None and found.requests == len(server.log), found)
        expect(found.files and all(Path(file).exists() for file in found.files), found.files)
        whole = old.liverank(probe=place(server), report=folder / "all.html")
        # /0 to /14 live, but robots.txt keeps /3 to itself: nothing is known of it.
        expect(whole.tests == whole.pages == 20 and whole.found == 14 and whole.live == 14, whole)
        expect(whole.outcomes == {"alive": 14, "gone": 5, "blocked": 1}, whole.outcomes)
        expect((folder / "all.html").stat().st_size > 1000 and (folder / "some.html").exists(), "no page")
        fails("bad_input", lambda: old.liverank(probe=place(server), target="active"))


def test_a_crawl_keeps_to_its_budget_and_is_resumed(folder):
    with Server(answer) as server:
        job = folder / "job"
        seen = []
        first = webstrata.crawl(job, "http://a.example/0", budget=5, **place(server), progress=seen.append)
        expect((first.end, first.requests, len(server.log)) == ("spent", 5, 5), first)
        expect(seen and seen[-1].phase == "crawling" and seen[-1].total == 5, seen)
        fails("bad_input", lambda: webstrata.crawl(job, "http://a.example/0", **place(server)), "resume")
        last = webstrata.resume(job, budget=100)
        expect(last.end == "nothing-left" and last.requests == len(server.log), last)
        expect("/3" not in server.paths("a.example"), "robots.txt forbids it")
        lines = list(webstrata.ledger(job))
        expect(len([line for line in lines if line["record"] == "charge"]) == len(server.log), "a request is not accounted for")
        webstrata.build(folder / "lib.ws", last.files)
        with webstrata.open(folder / "lib.ws") as library:
            expect(library.info()["pages"] >= last.pages > 10, f"{library.info()['pages']} of {last.pages} pages")


def test_wrong_settings_are_refused_before_there_is_a_job(folder):
    with Server(answer) as server:
        for name, value in (("rate", "many"), ("time", "long"), ("bytes", "x"), ("budget", -1), ("depth", "deep"), ("links", "some"),
                            ("give_up", 0), ("link_window", "50")):
            fails("bad_input", lambda: webstrata.crawl(folder / "job", "http://a.example/", **place(server), **{name: value}), name)
        fails("bad_input", lambda: webstrata.crawl(folder / "job", "http://a.example/", **place(server), by="nonsense"), "nonsense")
        fails("bad_input", lambda: webstrata.crawl(folder / "job", [], **place(server)), "at least one seed")
        fails("not_found", lambda: webstrata.resume(folder / "job"))
        expect(not (folder / "job").exists() and not server.log, "a job was begun")


def test_any_door_resumes_what_another_began(folder):
    with Server(answer) as server:
        webstrata.crawl(folder / "here", "http://a.example/0", budget=3, **place(server), host=["a.example", "b.example"])
        code, out, errors = run("crawl", folder / "here", "--resume", "--budget", 6, "--json")
        expect(code == 0 and '"requests":6' in out, f"{out} {errors}")
        code, out, errors = run("crawl", folder / "there", "http://a.example/0", "--budget", 3, *flags(server))
        expect(code == 0, errors)
        resumed = webstrata.resume(folder / "there", budget=6)
        expect((resumed.end, resumed.requests) == ("spent", 6), resumed)


CHILD = """
import sys, webstrata
webstrata.crawl(sys.argv[1], "http://a.example/0", agent=sys.argv[2], connect_to=sys.argv[3], delay="200ms")
"""


def child_after_requests(server, job, count):
    child = subprocess.Popen([sys.executable, "-c", CHILD, job, AGENT, f"127.0.0.1:{server.port}"], stderr=subprocess.PIPE)
    while len(server.log) < count and child.poll() is None:
        time.sleep(0.02)
    return child


def test_ctrl_c_waits_for_answers_and_leaves_a_job(folder):
    with Server(answer) as server:
        child = child_after_requests(server, folder / "job", 4)
        child.send_signal(signal.SIGINT)
        _, errors = child.communicate(timeout=120)
        expect(b"KeyboardInterrupt" in errors and child.returncode != 0, errors)
        expect(all(line["settled"] for line in webstrata.ledger(folder / "job") if line["record"] == "charge"), "a charge is open")
        expect(webstrata.resume(folder / "job", delay="20ms").end == "nothing-left", "it did not end")


def test_a_killed_crawl_is_resumed(folder):
    with Server(answer) as server:
        child = child_after_requests(server, folder / "job", 4)
        child.kill()
        child.communicate()
        last = webstrata.resume(folder / "job", delay="20ms")
        expect(last.end == "nothing-left" and last.requests == len(server.log), f"{last}, {len(server.log)} requests")


def test_what_a_progress_callback_raises_stops_the_crawl(folder):
    def stop(now):
        raise ValueError("enough")

    with Server(answer) as server:
        try:
            webstrata.crawl(folder / "job", "http://a.example/0", **place(server), progress=stop)
        except ValueError:
            expect(webstrata.resume(folder / "job").end == "nothing-left", "the job cannot be resumed")
            return
    raise AssertionError("it went on")


def test_a_campaign_over_two_days_is_that_of_the_command_line(folder):
    lib = archive_in(folder)
    library = webstrata.open(lib)
    old = library.snapshot(at="2021", columns=True)
    alive = set(library.snapshot(during=("2023", None)).names)
    for by, words, options in (("lore", [], {}), ("pa-ratio", ["--sample-size", "10%", "--seed", 3], {"sample_size": "10%", "seed": 3})):
        here, there = folder / f"{by}.here", folder / f"{by}.there"
        campaign = webstrata.Campaign(here, old, by=by, **options)
        for day in range(2):
            plan = campaign.plan(25)
            code, out, errors = run("liverank", "plan", f"{lib}@2021", "--by", by, "--state", there, "--tests", 25, *words)
            expect(code == 0, errors)
            expect(plan.urls == out.splitlines() and plan.urls, f"{by}, day {day}: another plan")
            expect(here.read_bytes() == there.read_bytes(), f"{by}, day {day}: another state after the plan")
            expect(f"{plan.decided} of {plan.pages} known, {plan.live} live" in errors, f"{plan} {errors}")
            words_of = {url: "alive" if url in alive else "gone" for url in plan.urls}
            answers = folder / "answers.tsv"
            answers.write_text("".join(f"{url}\t{word}\n" for url, word in words_of.items()))
            taken = campaign.learn(words_of) if day == 0 else campaign.learn(answers)
            code, _, errors = run("liverank", "learn", answers, "--state", there)
            expect(code == 0 and taken == len(plan.urls), errors)
            expect(here.read_bytes() == there.read_bytes(), f"{by}, day {day}: another state after the answers")
        fails("bad_input", lambda: webstrata.Campaign(here, old, by="random").plan(5), "started with by = ")
        fails("bad_input", lambda: campaign.learn({plan.urls[0]: "nonsense"}), "nonsense")
        expect(here.read_bytes() == there.read_bytes(), "what is refused changes nothing")


def test_a_campaign_learns_from_a_probe(folder):
    lines = folder / "lines.jsonl"
    lines.write_text("".join(f'{{"url": "http://a.example/{n}", "time": "2020-01-01", "links": []}}\n' for n in range(30)))
    webstrata.build(folder / "lib.ws", lines)
    with webstrata.open(folder / "lib.ws") as library, Server(answer) as server:
        campaign = webstrata.Campaign(folder / "state", library.snapshot(columns=True), by="random")
        found = webstrata.probe(campaign.plan(10).urls, **place(server), confirm="1x0s")
        expect(campaign.learn(found) == 10, found)
        plan = campaign.plan(1)
        known = [page for page in found if page.outcome in ("alive", "gone", "soft-gone")]
        expect(plan.decided == len(known) and plan.live == sum(page.outcome == "alive" for page in known), f"{plan} {found.outcomes}")


if __name__ == "__main__":
    os.environ.pop("WEBSTRATA_AGENT", None)
    expect(Path(PROGRAM).exists(), "the command line is compared with")
    sys.exit(run_tests(globals(), folder=temporary_folder))
