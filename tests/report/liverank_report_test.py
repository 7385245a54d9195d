# SPDX-License-Identifier: Apache-2.0
"""liverank --report: the page shows what the same command prints as JSON and CSV, and the figures of the papers."""

import csv
import io
import json
import math
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

from browser import PROGRAM, SHOTS, SOURCE, chromium, expect, opened
from verbs import HOSTILE, SAMPLE, curve, expect_readable, expect_readable_on_phones, expect_texts, hostile_graph, result, run, sample_archive

TABLE_ALPHAS = (0.1, 0.2, 0.5, 0.8, 0.9, 0.95)


def liverank(*words, code=0):
    return json.loads(run("liverank", "--quiet", "--json", *words, code=code).stdout)


def expect_cumulative(points, title):
    xs, ys = [x for x, _ in points], [y for _, y in points]
    expect(xs == sorted(xs) and ys == sorted(ys) and ys[-1] == 1 and ys[0] > 0, f"{title}: {points[:3]} … {points[-3:]}")


def expect_pages(report, told_statuses, pages):
    """CDFs that end at 1, and the table of statuses, whose rows that are not parts sum up to all pages."""
    for title in ("Links to living and dead pages", "PageRank of living and dead pages"):
        names = {series["name"] for series in report.part(title)["series"]}
        expect({"live", "all"} <= names <= {"live", "dead", "all"}, names)
        for name in names:
            expect_cumulative(curve(report, title, name), f"{title}, {name}")
        expect(report.part(title)["x"]["scale"] == "log", title)
    rows = report.part("What became of the pages")["rows"]
    expect(sum(count for name, count, _ in rows if not name.startswith("of these")) == pages, rows)
    expect({name: count for name, count, _ in rows}["of these: true 200"] == told_statuses["alive"], rows)


def by_chance(told):
    """Tests until a random order has found nine of ten live pages, on average."""
    return round(math.ceil(0.9 * told["n_a"] - 1e-9) * (told["n"] + 1) / (told["n_a"] + 1))


def legend(row):
    """A method whose label does not name its sample has it in parentheses."""
    return row["label"] if not row["sample"] or row["sample"] in row["label"] else f"{row['label']} ({row['sample']} {100 * row['z']:g}%)"


def paper_figures():
    """Figures 4 to 8, 10 and 11 of the paper, 1 and 2 of the French one: one kind of sample each, or one size, and what varies."""
    static = ["random", "indegree", "pagerank"]
    sizes, kinds = ("0.25%", "1%", "2.5%", "5%", "20%"), ("random", "pagerank", "indegree")
    figures = {
        "Static and sample-based methods (PageRank samples)": static + ["pa pagerank 1%", "pa-ratio pagerank 1%"],
        "Living pages among those tested (PageRank samples)": static + ["pa pagerank 1%", "pa-ratio pagerank 1%"],
        "Static and sample-based methods (random samples)": static + ["pa random 1%", "pa-ratio random 1%"],
        "Dynamic methods and pa-ratio (random samples)": ["pa-ratio random 1%", "bfs random 1%", "ai random 1%"],
        "Dynamic methods and pa (PageRank samples)": ["pa pagerank 1%", "bfs pagerank 1%", "ai pagerank 1%"],
        "Sites first and pa-ratio (random samples)": ["pa-ratio random 1%", "asf random 1%"],
        "Living pages among those tested, by sample size (pa-ratio)": [f"pa-ratio pagerank {size}" for size in sizes],
    }
    for method in ("pa", "pa-ratio"):
        figures[f"Cost by sample size ({method})"] = [f"{method} pagerank {size}" for size in sizes]
    for method in ("pa", "pa-ratio", "bfs", "ai"):
        figures[f"Cost by kind of sample ({method})"] = [f"{method} {kind} 1%" for kind in kinds]
    return figures


def test_one_sample(browser, archive, folder):
    """One kind and size of sample, chosen by the user, in every figure."""
    page = folder / "one_sample.html"
    told = liverank(f"{archive}@2021", "--truth", f"{archive}@2023..", "--seeds", 1, "--compare", "methods", "--sample", "pagerank",
                    "--sample-size", "5%", "--report", page, "--csv", f"{folder / 'one_sample'}/")
    expect({(row["sample"], row["z"]) for row in told["rows"] if row["sample"]} == {("pagerank", 0.05)}, told["rows"])
    static = ["random", "indegree", "pagerank"]
    with opened(browser, page) as report:
        main = report.part("Cost of finding living pages")
        expect("different samples" not in main["caption"], main["caption"])
        expect(all(name in static + ["papers' best, in hindsight"] or name.endswith(" pagerank 5%") for name in (one["name"] for one in main["series"])),
               [one["name"] for one in main["series"]])
        drawn = report.part("Static and sample-based methods (PageRank samples)")
        expect(sorted(one["name"] for one in drawn["series"]) == sorted(static + ["pa pagerank 5%", "pa-ratio pagerank 5%"]), drawn["series"])
        expect("the pages of highest PageRank (5 % of the pages)" in drawn["caption"], drawn["caption"])
        titles = {part.get("title") for part in report.data["sections"]}
        expect(not {"Static and sample-based methods (random samples)", "Cost by sample size (pa)"} & titles, titles)
    expect((folder / "one_sample" / "static-and-sample-based-methods-pagerank-samples.csv").exists(), list((folder / "one_sample").iterdir()))


def test_comparison(browser, archive, folder):
    page, numbers = folder / "liverank.html", folder / "figures"
    words = (f"{archive}@2021", "--truth", f"{archive}@2023..", "--seeds", 2, "--seed", 3)
    told = liverank(*words, "--compare", "all", "--report", page, "--csv", f"{numbers}/", "--per-day", 10)
    one = liverank(*words[:3], "--by", "random", "--seed", 3)
    labels = [row["label"] for row in told["rows"]]
    with opened(browser, page, offline=True) as report:
        report.page.screenshot(path=SHOTS / "liverank.png", full_page=True)
        tests = {row["label"]: round(row["cost"]["0.9"] * 0.9 * told["n_a"]) for row in told["rows"]}
        best = min((row for row in told["rows"] if row["method"] != "random"), key=lambda row: row["cost"]["0.9"])["label"]
        other = "" if best == "auto" else f", {best} with {tests[best]}"
        expect(result(report) == f"auto finds 90 % of the {told['n_a']} living pages with {tests['auto']} requests{other}; "
               f"a random order needs {by_chance(told)}.", result(report))
        loud = {series["name"] for series in report.part("Cost of finding living pages")["series"] if not series.get("quiet")}
        expect(len(loud) == 6 and {"auto (systematic 0.25%)", "random", "papers' best, in hindsight"} <= loud, loud)
        expect("different samples, which the legend names" in report.part("Cost of finding living pages")["caption"], "samples are mixed")
        costs = report.part("Costs")
        expect([row[0] for row in costs["rows"]] == labels, labels)
        for shown, row in zip(costs["rows"], told["rows"]):
            expect(all(math.isclose(a, row["cost"][f"{alpha:g}"]) for a, alpha in zip(shown[1:], TABLE_ALPHAS)), f"{shown} is not {row}")
            expect(math.isclose(shown[7], row["area"]), shown)
        by_label = {legend(row): row for row in told["rows"]}
        drawn = [series["name"] for series in report.part("Cost of finding living pages")["series"]]
        expect(drawn[-1] == "papers' best, in hindsight" and len(drawn) == 1 + len({row["method"] for row in told["rows"]}), drawn)
        for name in drawn[:-1]:
            points = dict(curve(report, "Cost of finding living pages", name))
            expect(all(math.isclose(points[alpha], by_label[name]["cost"][f"{alpha:g}"]) for alpha in TABLE_ALPHAS), name)
            days = curve(report, "Living pages found by day", name)
            expect(days[0] == (0, 0) and math.isclose(days[-1][0], told["n"] / 10) and math.isclose(days[-1][1], 1), days[-1])
            efficiency = curve(report, "Living pages among those tested", name)
            expect(math.isclose(efficiency[-1][1], told["n_a"] / told["n"]), efficiency[-1])
        best = dict(curve(report, "Cost of finding living pages", drawn[-1]))
        papers = [row for row in told["rows"] if row["method"] not in ("auto", "lore", "pb")]
        expect(math.isclose(best[0.5], min(row["cost"]["0.5"] for row in papers)), best[0.5])
        for title, names in paper_figures().items():
            expect([series["name"] for series in report.part(title)["series"]] == names, f"{title}: {[series['name'] for series in report.part(title)['series']]}")
            expect("seeds 3 to 4" in report.part(title)["caption"], report.part(title)["caption"])
        expect_pages(report, one["truth"]["statuses"], told["n"])
        expect_readable(report)
    expect_readable_on_phones(browser, page)
    with (numbers / "cost-of-finding-living-pages.csv").open() as file:
        rows = list(csv.DictReader(file))
    expect({row["series"] for row in rows} == set(drawn) and len(rows) == 100 * len(drawn), len(rows))
    names = {path.name for path in numbers.iterdir()}
    expect({"costs.csv", "living-pages-among-those-tested.csv", "living-pages-found-by-day.csv", "what-became-of-the-pages.csv",
            "links-to-living-and-dead-pages.csv"} <= names, names)


def test_one_run(browser, archive, folder):
    page = folder / "run.html"
    words = (f"{archive}@2021", "--truth", f"{archive}@2023..", "--by", "asf", "--seed", 5)
    told = liverank(*words, "--report", page)
    expect(told == liverank(*words), "--report changed what is printed")
    with opened(browser, page) as report:
        points = dict(curve(report, "Cost of finding living pages", "asf"))
        expect(all(math.isclose(points[alpha], told["cost"][f"{alpha:g}"]) for alpha in TABLE_ALPHAS), points)
        expect(set(dict(curve(report, "Cost of finding living pages", "random order, on average")).values()) == {told["n"] / told["n_a"]}, "random")
        expect(result(report) == f"asf finds 90 % of the {told['n_a']} living pages with {round(told['cost']['0.9'] * 0.9 * told['n_a'])} requests; "
               f"a random order needs {by_chance(told)}.", result(report))
        expect_pages(report, told["truth"]["statuses"], told["n"])
        expect_readable(report)
    short = liverank(*words, "--budget", 50, "--report", folder / "short.html")
    with opened(browser, folder / "short.html") as report:
        expect(result(report) == f"asf found {short['found']} of the {short['n_a']} living pages with 50 requests; "
               f"a random order would have found {round(50 * short['n_a'] / short['n'])}.", result(report))
    first = page.read_bytes()
    liverank(*words, "--report", page)
    expect(page.read_bytes() == first, "the same page again")


def test_activity(browser, archive, folder):
    """Figure 1 of the LiveRank paper: three classes, and the time of the last activity."""
    pages = run("liverank", "--quiet", f"{archive}@2021", "--by", "indegree").stdout.split()
    times = [f"{url}\t{2010 + i % 5}-05-01" for i, url in enumerate(pages[:20])]
    times += [f"{url}\t-" for url in pages[20:24]] + [f"{url}\tgone" for url in pages[24:30]]
    truth, page = folder / "times.tsv", folder / "active.html"
    truth.write_text("\n".join(times))
    told = liverank(f"{archive}@2021", "--truth", truth, "--target", "active", "--by", "ai", "--undirected", "--report", page)
    expect(told["truth"]["classes"] == {"gone": 6, "never": 4, "once": 20, "unknown": len(pages) - 30}, told["truth"])
    with opened(browser, page) as report:
        report.page.screenshot(path=SHOTS / "liverank_active.png", full_page=True)
        expect([y for _, y in curve(report, "Classes of activity", "pages")] == [6, 4, 20, len(pages) - 30], "classes")
        last = curve(report, "Last activity", "last activity")
        expect(len(last) == 5 and [round(y, 6) for _, y in last] == [0.2, 0.4, 0.6, 0.8, 1], last)
        expect(report.part("Last activity")["x"]["scale"] == "time", "times")
        expect_readable(report)


def test_nothing_lives_and_hostile_names(browser, archive, folder):
    nothing, page = folder / "nothing.txt", folder / "nothing.html"
    nothing.write_text("http://nobody.example/\n")
    liverank(f"{archive}@2021", "--truth", nothing, "--by", "random", "--report", page, code=1)
    with opened(browser, page) as report:
        expect(report.part("What became of the pages")["rows"], "statuses are shown")
        expect(result(report).startswith("None of the ") and result(report).endswith(" pages is present."), result(report))
    graph = hostile_graph(folder)
    (folder / "alive.txt").write_text("\n".join(HOSTILE[:3]) + "\n")
    liverank(graph, "--truth", folder / "alive.txt", "--compare", "random,asf", "--report", page)
    with opened(browser, page) as report:
        expect_texts(report, [])


@contextmanager
def served_sample(folder):
    """The sample of 2023 on this machine; gives the file for --hosts."""
    hosts = folder / "hosts"
    server = subprocess.Popen([PROGRAM, "replay", SAMPLE / "2023.warc.gz", "--known", SAMPLE / "2021.warc.gz", "--hosts", hosts, "--port", "0", "--quiet"],
                              stdout=subprocess.DEVNULL)
    try:
        for _ in range(600):
            if hosts.exists() and hosts.stat().st_size > 0:
                break
            time.sleep(0.05)
        yield hosts
    finally:
        server.terminate()
        server.wait(20)


def expect_asked(report, found):
    """Every page in the order of asking, with outcome and evidence; rows can be searched for and downloaded."""
    table = report.part("Pages asked")
    names = [column["name"] for column in table["columns"]]
    rows = [dict(zip(names, row)) for row in table["rows"]]
    expect([[row["url"], row["outcome"]] for row in rows] == found and len(found) == 60, "what --found writes")
    expect([row["test"] for row in rows] == list(range(1, 61)) and all(row["evidence"] and row["time"] for row in rows), rows[0])
    moved = [row for row in rows if row["outcome"] == "moved"]
    expect(moved and all(row["target"].startswith("http") and row["answer"].startswith("3") for row in moved), moved)
    expect(not any(row["target"] for row in rows if row["outcome"] == "gone"), "what is gone has no target")
    section = report.section("Pages asked")
    section.get_by_role("searchbox").fill("moved")
    expect(f"{len(moved)} of 60 rows" in section.inner_text(), section.inner_text()[:300])
    name, content = report.downloaded(section.get_by_role("button", name="CSV"))
    downloaded = list(csv.DictReader(io.StringIO(content.decode(), newline="")))
    expect(name == "pages-asked.csv" and [[row["url"], row["outcome"]] for row in downloaded] == found, name)
    expect([row["evidence"] for row in downloaded] == [row["evidence"] for row in rows], "evidence")


def test_a_probe_that_has_not_asked_all(browser, archive, folder):
    """The number of live pages is unknown: counts, and what the sample says, with its interval; no shares."""
    old, page = folder / "old.ws", folder / "probe.html"
    run("build", "--quiet", old, SAMPLE / "2021.warc.gz")
    with served_sample(folder) as hosts:
        told = liverank(old, "--probe", "--budget", 60, "--by", "pa-ratio", "--sample-size", 30, "--seed", 2, "--hosts", hosts, "--delay", "1ms",
                        "--agent", "webstrata-test (+https://archive.example/test)", "--report", page, "--found", folder / "found.tsv")
    low, high = told["n_a_interval"]
    expect("n_a" not in told and told["tests"] == 60 and low < told["n_a_estimate"] < high, told)
    with opened(browser, page) as report:
        report.page.screenshot(path=SHOTS / "liverank_probe.png", full_page=True)
        chance = [round(60 * live / told["n"]) for live in (told["n_a_estimate"], low, high)]
        expect(result(report) == f"pa-ratio found {told['found']} living pages with 60 tests; a random order would have found about {chance[0]} "
               f"(between {chance[1]} and {chance[2]}).", result(report))
        expect_asked(report, [line.split("\t") for line in (folder / "found.tsv").read_text().splitlines()])
        ours = curve(report, "Living pages found so far", "pa-ratio")
        expect(ours[0] == (0, 0) and ours[-1] == (60, told["found"]), ours[-1])
        for name, live in (("estimated", told["n_a_estimate"]), ("low end", low), ("high end", high)):
            end = curve(report, "Living pages found so far", f"random order, {name}")[-1]
            expect(end[0] == 60 and math.isclose(end[1], 60 * live / told["n"]), f"{name}: {end}")
            share = {y for _, y in curve(report, "Living pages among those tested", f"random order, {name}")}
            expect(len(share) == 1 and math.isclose(share.pop(), live / told["n"]), name)
        expect(math.isclose(curve(report, "Living pages among those tested", "pa-ratio")[-1][1], told["found"] / 60), "f(60)")
        # Costs end where the tests did: no more was found.
        for series in report.part("Cost of finding living pages, by the estimate")["series"]:
            live = int(series["name"].split()[1].replace(",", ""))
            expect(math.ceil(series["x"][-1] * live - 1e-9) <= told["found"], f"{series['name']}: {series['x'][-1]}")
        rows = report.part("What became of the pages")["rows"]
        expect(sum(count for name, count, _ in rows if not name.startswith("of these")) == 60, rows)
        expect(sum(share for name, _, share in rows if not name.startswith("of these")) > 0.999, rows)
        titles = {part.get("title") for part in report.data["sections"]}
        expect(not {"Cost of finding living pages", "Living pages found by day"} & titles, titles)
        expect_readable(report)
    expect_readable_on_phones(browser, page)


def test_refusals(archive, folder):
    for words, reason in ((("--report", folder / "x.html"), "--truth"), (("--truth", f"{archive}@2023..", "--csv", folder / "x.csv"), "--compare"),
                          (("--truth", f"{archive}@2023..", "--report", folder / "none" / "x.html"), "folder")):
        done = run("liverank", f"{archive}@2021", *words, code=2)
        expect(reason in done.stderr and not done.stdout, done.stderr)


def main():
    with tempfile.TemporaryDirectory() as name, chromium() as browser:
        folder = Path(name)
        archive = sample_archive(folder)
        for test in (test_comparison, test_one_sample, test_one_run, test_activity, test_a_probe_that_has_not_asked_all,
                     test_nothing_lives_and_hostile_names):
            test(browser, archive, folder)
            print(f"{test.__name__}: good")
        test_refusals(archive, folder)
        print("test_refusals: good")
    return 0


if __name__ == "__main__":
    sys.exit(main())
