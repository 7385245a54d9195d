# SPDX-License-Identifier: Apache-2.0
"""explore --report: the page shows what the same command prints as JSON and CSV, and the figures of the paper."""

import csv
import json
import random
import sys
import tempfile
from pathlib import Path

from browser import SHOTS, chromium, expect, opened
from verbs import curve, expect_named_pictures, expect_readable, expect_readable_on_phones, expect_texts, hostile_graph, result, run

ESTIMATORS = "extra,nh-ne-sum,nh-n-max,lnh-max,hybrid-max,opic,bf,random"
STUDIES = {"Score found, compared with the best possible order": ("estimators", "sum_relative"), "Score found": ("estimators", "sum"),
           "Relevant pages found, compared with the best possible order": ("estimators", "count_relative"), "Relevant pages found": ("estimators", "count"),
           "Cost of not always taking the best page": ("strategies", "sum_relative"), "Cost of choosing many pages at a time": ("refresh", "sum_relative")}


def drawn_web(folder):
    """Pages about a topic link to each other more than to others, and their links often say so."""
    drawn = random.Random(4)
    names = [f"http://h{i % 6}.example/d{i % 9}/page-{i}.html" for i in range(800)]
    about = set(drawn.sample(range(800), 200))
    links, scores = [], [f"{names[i]}\t{drawn.choice([1, 1, 1.69, 2.1])}\n" for i in sorted(about)]
    for i in range(800):
        near = [j for j in range(800) if j != i and (j in about) == (i in about)]
        for j in sorted(set(drawn.sample(near, 5)) | set(drawn.sample(range(800), 3))):
            links.append(f"{names[i]}\t{names[j]}\n")
            if j in about and drawn.random() < 0.4:
                scores.append(f"{names[i]}\t{names[j]}\t1\n")
    (folder / "web.tsv").write_text("".join(links))
    (folder / "bridges.tsv").write_text("".join(scores))
    return folder / "web.tsv", folder / "bridges.tsv"


def test_figures_and_tables(browser, folder):
    graph, topic = drawn_web(folder)
    page, table = folder / "explore.html", folder / "explore.csv"
    words = ("explore", "--quiet", graph, "--topic", topic, "--compare", ESTIMATORS, "--budget", 200, "--sets", 5, "--set-size", 20)
    told = json.loads(run(*words, "--json", "--report", page, "--csv", table).stdout)
    rows = list(csv.DictReader(table.open()))
    with opened(browser, page) as report:
        for title, (figure, field) in STUDIES.items():
            names = sorted({row["series"] for row in rows if row["figure"] == figure})
            shown = sorted(series["name"] for series in report.part(title)["series"])
            expect(shown == [name for name in names if name != "oracle" or "relative" not in field], f"{title}: {shown}")
            series = next(one for one in report.part(title)["series"] if one["name"] != "oracle")
            for x, y, low, high in zip(series["x"], series["y"], series["low"], series["high"]):
                values = [float(row[field]) for row in rows if row["figure"] == figure and row["series"] == series["name"] and int(row["step"]) == x]
                expect(len(values) == 5 and abs(sum(values) / 5 - y) < 1e-6, f"{title} at {x}: {y} is not the mean of {values}")
                expect(abs(min(values) - low) < 1e-6 and abs(max(values) - high) < 1e-6, f"{title} at {x}: another band")
            expect(report.section(title).locator('.picture g[aria-label="area"] path').count() >= 1, f"{title}: no band")
        for row, shown in zip(told["estimators"], report.part("Share of the best possible crawl")["rows"]):
            expect(shown[0] == row["estimator"] and shown[1:] == row["sum"] + row["count"], f"{shown} is not {row}")
        for x, y in curve(report, "What wrong choices lose", "nh-n-max"):
            value = next(float(row["sum"]) for row in rows if row["figure"] == "precision" and row["series"] == "nh-n-max" and int(row["step"]) == x)
            expect(abs(value - y) < 1e-6, f"precision at {x}: {y} is not {value}")
        for fit, shown, fitted in zip(told["features"], report.part("How well its neighbours predict a page's score")["rows"],
                                      report.part("How well all neighbours together predict it")["rows"]):
            expect(shown == [fit["direction"]] + [fit[name] for name in ("n_sum", "e_sum", "ne_sum", "n_max", "e_max", "ne_max")], f"{shown}: {fit}")
            expect(fitted == [fit["direction"], fit["fit_sum"], fit["fit_max"]], f"{fitted}: {fit}")
        ends = {row["estimator"]: row["sum"][-1] for row in told["estimators"]}
        best = max(ends, key=ends.get)
        expect(result(report) == f"{best} finds {100 * ends[best]:.0f} % of what the best possible order finds with 200 pages; "
               f"random finds {100 * ends['random']:.0f} %.", result(report))
        expect_named_pictures(report, "seed 1)")
        expect_readable(report)
        report.page.screenshot(path=SHOTS / "explore.png", full_page=True)
    expect_readable_on_phones(browser, page)
    again = folder / "again.html"
    run(*words, "--report", again, "--threads", 1)
    expect(again.read_bytes() == page.read_bytes(), "the same page again, on any number of threads")


def test_the_oracle_is_drawn_once_and_is_not_the_best(browser, folder):
    graph, topic = drawn_web(folder)
    page = folder / "oracle.html"
    run("explore", "--quiet", graph, "--topic", topic, "--compare", "oracle,extra,bf,random", "--budget", 100, "--sets", 2, "--set-size", 20, "--report", page)
    with opened(browser, page) as report:
        names = [series["name"] for series in report.part("Score found")["series"]]
        expect(names == ["oracle", "extra", "bf", "random"], names)
        relative = [series["name"] for series in report.part("Score found, compared with the best possible order")["series"]]
        expect(relative == ["extra", "bf", "random"], relative)
        figures = report.page.locator("dl.figures").inner_text()
        expect("best at the end\nextra" in figures and result(report).startswith("extra finds"), figures)
        expect([row[0] for row in report.part("Share of the best possible crawl")["rows"]] == ["oracle", "extra", "bf", "random"], "the table has it")
        expect_readable(report)


def test_hostile_names_and_few_pages(browser, folder):
    graph = hostile_graph(folder)
    topic = folder / "<b>hostile.tsv"
    topic.write_text("".join(f"{line.split(chr(9))[0]}\t1\n" for line in graph.read_text().splitlines()))
    page = folder / "hostile.html"
    run("explore", "--quiet", graph, "--topic", topic, "--compare", "all", "--budget", 50, "--set-size", 1, "--sets", 2, "--report", page)
    with opened(browser, page) as report:  # a script, an image or a dialog would be a complaint
        expect_texts(report, ["<b>hostile.tsv"])
        expect_readable(report)


def main():
    with tempfile.TemporaryDirectory() as name, chromium() as browser:
        for test in (test_figures_and_tables, test_the_oracle_is_drawn_once_and_is_not_the_best, test_hostile_names_and_few_pages):
            test(browser, Path(name))
            print(f"{test.__name__}: good")
    return 0


if __name__ == "__main__":
    sys.exit(main())
