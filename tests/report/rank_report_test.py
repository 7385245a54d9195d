# SPDX-License-Identifier: Apache-2.0
"""rank --report: the page shows what the same command prints as JSON."""

import json
import math
import sys
import tempfile
from pathlib import Path

from browser import SHOTS, chromium, expect, opened
from verbs import (HOSTILE, archive_of, curve, dots, expect_named_pictures, expect_readable, expect_readable_on_phones, expect_texts, hostile_graph, result, run,
                   sample_archive)

DATES = ["2021", "2023"]


def ranked(*words):
    """Scores in order, by date, and the page."""
    by_date = {}
    for line in run("rank", "--quiet", "--json", *words).stdout.splitlines():
        entry = json.loads(line)
        by_date.setdefault(entry.get("date"), []).append(entry)
    return by_date


def tail(entries):
    """How many have at least each score: counted one by one."""
    scores = sorted({entry["score"] for entry in entries}, reverse=True)
    return {score: sum(entry["score"] >= score for entry in entries) for score in scores}


def expect_tail(report, name, entries):
    counts = tail(entries)
    points = curve(report, "Distribution of scores", name)
    expect(len(points) >= min(20, len(counts)), f"{name}: only {len(points)} points")
    for score, nodes in points:
        expect(counts.get(score) == nodes, f"{name}: {nodes} nodes with at least {score}, counted {counts.get(score)}")
    expect({points[0][1], points[-1][1]} == {counts[max(counts)], len(entries)}, "both ends are there")


def expect_first_on_top(report):
    ticks = report.section("Rank by date").locator('g[aria-label="y-axis tick label"] text').all()
    heights = {int(tick.text_content()): tick.bounding_box()["y"] for tick in ticks}
    expect(len(heights) > 1 and sorted(heights) == sorted(heights, key=heights.get), f"small places are on top: {heights}")


def test_several_dates(browser, archive, folder):
    page = folder / "rank.html"
    told = ranked(*(f"{archive}@{date}" for date in DATES), "--report", page)
    expect(list(told) == DATES, list(told))
    places = {date: {entry["url"]: (i + 1, entry["score"]) for i, entry in enumerate(told[date])} for date in DATES}
    with opened(browser, page, offline=True) as report:
        report.page.screenshot(path=SHOTS / "rank.png", full_page=True)
        expect(report.page.title() == "Ranked by pagerank: lib.ws@2021 to lib.ws@2023", report.page.title())
        drawn = report.part("Rank by date")
        expect(drawn["categories"] == DATES and len(drawn["series"]) == 10, drawn["categories"])
        best = {url: min(places[date][url][0] for date in DATES if url in places[date]) for date in DATES for url in places[date]}
        expect({series["name"] for series in drawn["series"]} <= {url for url in best if best[url] <= 10}, "the best of any date")
        for title, which in {"Rank by date": 0, "Score by date": 1}.items():
            for series in report.part(title)["series"]:
                shown = [places[date][series["name"]][which] if series["name"] in places[date] else None for date in DATES]
                expect(series["y"] == shown, f"{title}: {series}")
            expect(dots(report, title) == sum(y is not None for series in report.part(title)["series"] for y in series["y"]), title)
        first, tops = {date: told[date][0]["url"] for date in DATES}, {date: {entry["url"] for entry in told[date][:10]} for date in DATES}
        names = f"{first['2021']} ranks first by pagerank in 2021" + (" and in 2023" if first["2021"] == first["2023"] else f", and {first['2023']} in 2023")
        expect(result(report) == f"{names}; {len(tops['2021'] & tops['2023'])} of the first 10 are still among the first 10.", result(report))
        legend, picture = (report.section("Rank by date").locator(place).bounding_box() for place in (".legend", ".picture"))
        expect(legend["height"] < picture["height"] / 3, f"a legend of {legend['height']} above a picture of {picture['height']}")
        expect_first_on_top(report)
        report.section("Rank by date").get_by_role("button", name="Zoom in").click()
        expect_first_on_top(report)
        for date in DATES:
            expect_tail(report, date, told[date])
        table = report.part("Top list")
        for url, *cells in table["rows"]:
            for date, place, score in zip(DATES, cells[::2], cells[1::2]):
                expect((place, score) == places[date].get(url, (None, None)), f"{url} in {date}: {place}, {score}")
        both = [url for url in best if best[url] <= 1000 and all(url in places[date] for date in DATES)]
        expect(dots(report, "Risen and fallen") == len(both), "a dot for each that was there both times")
        expect_named_pictures(report, "Nothing here is random")
        expect_readable(report)
    expect_readable_on_phones(browser, page)


def test_one_graph_by_every_ranking(browser, archive, folder):
    for ranking in ("pagerank", "hubs", "authorities", "indegree", "outdegree", "harmonic"):
        page = folder / f"{ranking}.html"
        told = ranked(archive, "--by", ranking, "--level", "host", "--report", page)[None]
        with opened(browser, page) as report:
            bars = report.part("Highest scores")
            expect(bars["categories"] == [entry["url"] for entry in told[:20]], bars["categories"])
            expect(bars["series"][0]["y"] == [entry["score"] for entry in told[:20]], ranking)
            expect(report.section("Highest scores").locator('g[aria-label="rect"] rect').count() == min(20, len(told)), "a bar for each")
            expect_tail(report, "lib.ws", told)
            share = 100 * sum(entry["score"] for entry in told[:10]) / sum(entry["score"] for entry in told)
            expect(result(report).startswith(f"{told[0]['url']} ranks first of {len(told)} hosts by {ranking}; "), result(report))
            expect(f"the first 10 hold {share:.1f} % of all scores." in result(report), result(report))
            expect(len(report.part("Top list")["rows"]) == min(1000, len(told)), "a row for each")
            expect_readable(report)


def test_a_sample_names_its_seed(browser, archive, folder):
    page = folder / "sampled.html"
    run("rank", "--quiet", archive, "--by", "harmonic", "--samples", "40", "--seed", "77", "--report", page)
    with opened(browser, page) as report:
        expect_named_pictures(report, "seed 77")


def test_tips_tell_names_and_numbers(browser, archive, folder):
    page = folder / "tips.html"
    told = ranked(archive, "--report", page)[None]
    with opened(browser, page) as report:
        bar = report.section("Highest scores").locator('g[aria-label="rect"] rect').first
        bar.scroll_into_view_if_needed()
        bar.hover(force=True)
        tip = report.section("Highest scores").locator('g[aria-label="tip"]').text_content()
        expect(told[0]["url"] in tip, f"the tip says {tip!r}, not {told[0]['url']}")
        shown = float(tip.rsplit("score:", 1)[1])
        expect(math.isclose(shown, told[0]["score"], rel_tol=1e-4), f"{shown} is not {told[0]['score']}")


def test_tips_fit_on_a_phone(browser, archive, folder):
    page = folder / "phone.html"
    run("rank", "--quiet", archive, "--report", page)
    with opened(browser, page, viewport={"width": 400, "height": 800}) as report:
        bars = report.section("Highest scores").locator('g[aria-label="rect"] rect')
        for i in range(bars.count()):
            bars.nth(i).scroll_into_view_if_needed()
            bars.nth(i).hover(force=True)
            box = report.section("Highest scores").locator('g[aria-label="tip"] path').first.bounding_box()
            expect(box["x"] >= 0 and box["x"] + box["width"] <= 400, f"bar {i}: the tip lies at {box}")


def test_hostile_names_stay_texts(browser, folder):
    page = folder / "hostile.html"
    run("rank", "--quiet", hostile_graph(folder), "--report", page)
    with opened(browser, page) as report:  # a script, an image or a dialog would be a complaint
        expect_texts(report, HOSTILE)


def test_a_date_without_nodes_is_left_out(browser, folder):
    archive = archive_of(folder, "young", [("http://a.example/", "2020-01-01T00:00:00Z", ["http://b.example/"])])
    page = folder / "young.html"
    done = run("rank", f"{archive}@1999", f"{archive}@2020", "--report", page)
    expect("no nodes" in done.stderr and done.stderr.count("\n") == 1, done.stderr)
    with opened(browser, page) as report:
        expect(report.part("Top list")["rows"][0][0] == "http://b.example/", report.part("Top list")["rows"])
    run("rank", f"{archive}@1999", "--report", folder / "none.html", code=1)
    expect(not (folder / "none.html").exists(), "a page about nothing")


def main():
    with tempfile.TemporaryDirectory() as name, chromium() as browser:
        folder = Path(name)
        archive = sample_archive(folder)
        for test in (test_several_dates, test_one_graph_by_every_ranking, test_a_sample_names_its_seed, test_tips_tell_names_and_numbers,
                     test_tips_fit_on_a_phone):
            test(browser, archive, folder)
            print(f"{test.__name__}: good")
        for test in (test_hostile_names_stay_texts, test_a_date_without_nodes_is_left_out):
            test(browser, folder)
            print(f"{test.__name__}: good")
    return 0


if __name__ == "__main__":
    sys.exit(main())
