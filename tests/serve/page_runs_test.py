# SPDX-License-Identifier: Apache-2.0
"""Runs on the page: a crawl at work is followed, its outcomes and plan are those of the server; a campaign and seeds."""

import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from visits import AXE, SHOTS, chromium, expect, run, sample_archive, visiting  # noqa: E402
from not_tried import ending, not_tried  # noqa: E402
from serving import HOME, PROGRAM, SAMPLE, serving  # noqa: E402

AGENT = ("--agent", "test (+https://test.example/)")


def tested(visit):
    return int(visit.page.locator(".figures dd.value").first.inner_text().replace(",", ""))


def test_a_crawl_at_work(browser, server, crawl):
    with visiting(browser, server.address) as visit:
        visit.go("runs")
        visit.page.get_by_role("link", name="week", exact=True).click()
        visit.page.locator("main h1", has_text="week").wait_for()
        expect("crawl that is at work" in visit.sentence(), visit.sentence())
        first = tested(visit)
        visit.page.wait_for_function("before => Number(document.querySelector('.figures dd.value').textContent.replaceAll(',', '')) > before + 2", arg=first)
        visit.page.screenshot(path=SHOTS / "page_run_live.png", full_page=True)
        crawl.wait(timeout=120)
        visit.page.locator(".result", has_text="not at work").wait_for()
        status = server.json("api/v1/lib/runs/week")
        expect(tested(visit) == status["tests"] > first, f"{tested(visit)} {status}")
        rows = visit.section("Pages").locator("tbody tr")
        visit.page.wait_for_function("count => document.querySelectorAll('.legend[aria-label=Outcomes] button').length === count", arg=len(status["outcomes"]))
        expect(rows.count() == min(25, len(server.json("api/v1/lib/runs/week/pages")["pages"])), f"{rows.count()} rows")


def test_outcomes_with_their_evidence(browser, server):
    with visiting(browser, server.address) as visit:
        visit.go("runs?run=week")
        outcome = "gone" if "gone" in server.json("api/v1/lib/runs/week")["outcomes"] else "alive"
        visit.section("Outcomes").get_by_role("button", name=outcome).click()
        visit.page.wait_for_url(f"**outcome={outcome}**")
        visit.arrived()
        pages = server.json("api/v1/lib/runs/week/pages", outcome=outcome)["pages"]
        cells = visit.section("Pages").locator("tbody tr").first.locator("td").all_inner_texts()
        expect(cells[0] == pages[0]["url"] and cells[1] == outcome and cells[4] == pages[0].get("evidence", "\u2013"), f"{cells} {pages[0]}")
        visit.page.get_by_role("link", name=pages[0]["url"], exact=True).click()
        visit.page.locator("h2", has_text="Requests").wait_for()
        why = server.json("api/v1/lib/runs/week/why", url=pages[0]["url"])
        expect(f"after {len(why['requests'])} request" in visit.sentence(), visit.sentence())
        expect(visit.section("Requests").locator("tbody tr").count() == len(why["requests"]), "every request")


def test_the_plan_is_a_download(browser, server):
    with visiting(browser, server.address) as visit:
        visit.go("runs?run=week")
        with visit.page.expect_download() as waiting:
            visit.page.get_by_role("link", name="Download the plan").click()
        _, _, plan = server.get("api/v1/lib/runs/week/plan")
        expect(Path(waiting.value.path()).read_bytes() == plan and waiting.value.suggested_filename == "week-plan.txt", waiting.value.suggested_filename)


def test_every_kind_in_every_look(browser, server):
    for look, options in {"light": {}, "dark": {"color_scheme": "dark"}, "phone": {"viewport": {"width": 390, "height": 800}}}.items():
        with visiting(browser, server.address, **options) as visit:
            for one in ("week", "lost", "seeds"):
                visit.go(f"runs?run={one}")
                expect(visit.page.get_by_role("alert").count() == 0, f"{one}: {visit.page.locator('main').inner_text()[:300]}")
                visit.page.wait_for_timeout(300)
                visit.page.screenshot(path=SHOTS / f"page_run_{one}_{look}.png", full_page=True)
                visit.tidy(f"{one} {look}")
                if AXE.is_file():
                    visit.check_with_axe(f"{one} {look}")
    if not AXE.is_file():
        not_tried("axe-core is not in web/node_modules (make test-tools): runs were not checked with it")


def campaign(folder, archive):
    """A campaign with one plan, of which every second page is answered."""
    state = folder / "runs" / "lost.tsv"
    plan = run("liverank", "plan", f"{archive}@2021", "--state", state, "--tests", "40").stdout.split()
    answers = "".join(f"{url}\t{'404' if i % 4 == 0 else '200'}\n" for i, url in enumerate(plan) if i % 2 == 0)
    (folder / "answers.tsv").write_text(answers)
    run("liverank", "learn", folder / "answers.tsv", "--state", state)


def main():
    with tempfile.TemporaryDirectory() as name, chromium() as browser:
        folder = Path(name)
        archive, hosts = sample_archive(folder), folder / "hosts.txt"
        (folder / "runs").mkdir()
        campaign(folder, archive)
        (folder / "runs" / "seeds.json").write_text(run("seeds", f"{archive}@2021", "--count", "8", "--json").stdout)
        with serving(SAMPLE / "2021.warc.gz", "--hosts", hosts, verb="replay"), serving(archive, "--runs", folder / "runs") as server:
            crawl = subprocess.Popen([PROGRAM, "crawl", folder / "runs" / "week", HOME, "--hosts", hosts, *AGENT, "--budget", "60", "--delay", "200ms", "--quiet"])
            try:
                while not any(one["name"] == "week" for one in server.json("api/v1/lib/runs")["runs"]):
                    expect(crawl.poll() is None, "the crawl ended before it began")
                test_a_crawl_at_work(browser, server, crawl)
            finally:
                crawl.wait(timeout=120)
            print("test_a_crawl_at_work: good", flush=True)
            for test in (test_outcomes_with_their_evidence, test_the_plan_is_a_download, test_every_kind_in_every_look):
                test(browser, server)
                print(f"{test.__name__}: good", flush=True)
    return ending()


if __name__ == "__main__":
    sys.exit(main())
