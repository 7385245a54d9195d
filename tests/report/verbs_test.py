# SPDX-License-Identifier: Apache-2.0
"""stats --report and diff --report: the page shows what the same command prints as JSON."""

import json
import sys
import tempfile
from pathlib import Path

from browser import SHOTS, chromium, expect, opened
from verbs import expect_readable, result, run, sample_archive


def bars(report, title):
    """Every bar of a plot by its series and category, from the data of the page."""
    part = report.part(title)
    return {series["name"]: {part["categories"][int(x)]: y for x, y in zip(series.get("x", []), series.get("y", []))}
            for series in part["series"]}


def drawn(report, title):
    return report.section(title).locator('g[aria-label="rect"] rect').count()


def test_stats(browser, archive, folder):
    page = folder / "stats.html"
    stats = json.loads(run("stats", archive, "--json", "--report", page).stdout)
    with opened(browser, page) as report:
        report.page.screenshot(path=SHOTS / "stats.png", full_page=True)
        expect(report.page.title() == "Links of lib.ws", report.page.title())
        years = stats["years"]
        changes = bars(report, "Links born and died")
        expect(changes == {"born": {year: counts["births"] for year, counts in years.items()},
                           "died": {year: counts["deaths"] for year, counts in years.items()}}, changes)
        expect(drawn(report, "Links born and died") == 2 * len(years), "a bar for each")
        expect(bars(report, "Captures and new pages by year")["new pages"] == {year: counts["new_pages"] for year, counts in years.items()}, "growth")
        lived = bars(report, "Lifetimes of links")
        expect(list(lived["then died"].values()) == stats["lifetime_days_ended"], "lifetimes that ended")
        expect(list(lived["in the last capture"].values()) == stats["lifetime_days_censored"], "lifetimes that go on")
        expect(list(bars(report, "Where links lead")["links"].values()) == list(stats["locality"].values()), "locality")
        menus = report.part("Menus")["rows"]
        expect(menus == [[menu["place"], "host" if menu["global"] else "directory", menu["pages"], len(menu["targets"])]
                         for menu in stats["menus"]], "menus")
        stay = sum(stats["locality"][place] for place in ("same_directory", "same_host")) / stats["links"]
        expect(result(report) == f"From 2021 to 2023, {stats['births']:,} links were born and {stats['deaths']:,} died; "
               f"{100 * stay:.1f} % of the {stats['links']:,} links stay on their host.", result(report))
        expect_readable(report)
        expect(f"{stats['births']:,}" in report.page.locator("dl.figures").inner_text(), "key figures")


def test_diff(browser, archive, folder):
    page = folder / "diff.html"
    diff = json.loads(run("diff", archive, "2021", "2023", "--json", "--report", page).stdout)
    with opened(browser, page) as report:
        report.page.screenshot(path=SHOTS / "diff.png", full_page=True)
        table = report.part("Hosts")
        rows = [{column["name"].replace(" ", "_"): cell for column, cell in zip(table["columns"], row)} for row in table["rows"]]
        expect(rows == diff["hosts"], "a row for each host")
        for what in ("pages", "links"):
            for change, counts in bars(report, f"{what.capitalize()} by host").items():
                expect(counts == {host["host"]: host[f"{what}_{change.replace(' ', '_')}"] for host in diff["hosts"]}, f"{what} {change}")
        expect(drawn(report, "Pages by host") == 4 * len(diff["hosts"]), "a bar for each")
        total = diff["total"]
        there = total["pages_kept"] + total["pages_vanished"] + total["pages_not_seen"]
        expect(result(report) == f"Of {there:,} pages there at the first time, {total['pages_kept']:,} were seen again, {total['pages_vanished']:,} "
               f"vanished and {total['pages_not_seen']:,} were not seen since; {total['pages_appeared']:,} appeared.", result(report))
        expect_readable(report)
        figures = report.page.locator("dl.figures").inner_text()
        expect("pages not seen since" in figures and f"{diff['total']['pages_not_seen']:,}" in figures, "key figures")
        clipped = report.page.evaluate("""[...document.querySelectorAll('[aria-label="y-axis tick label"] text')]
            .filter(one => one.getBoundingClientRect().left < one.ownerSVGElement.getBoundingClientRect().left - 1).length""")
        expect(clipped == 0, f"{clipped} names do not fit beside their bars")


def test_bad_places(archive, folder):
    refused = run("stats", archive, "--report", folder / "none" / "page.html", code=2).stderr
    expect("--report" in refused and "none" in refused and refused.count("\n") <= 2, refused)
    refused = run("diff", archive, "2021", "2023", "--report", folder, code=2).stderr
    expect(str(folder) in refused, refused)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        archive = sample_archive(folder)
        test_bad_places(archive, folder)
        with chromium() as browser:
            test_stats(browser, archive, folder)
            test_diff(browser, archive, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
