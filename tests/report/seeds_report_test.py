# SPDX-License-Identifier: Apache-2.0
"""seeds --report: the page shows what the same command prints as JSON, and the figures of the paper."""

import json
import math
import sys
import tempfile
from pathlib import Path

from browser import SHOTS, chromium, expect, opened
from verbs import HOSTILE, curve, dots, expect_named_pictures, expect_readable, expect_readable_on_phones, expect_texts, hostile_graph, result, run, sample_archive

CRAWLS = {"Average importance (PageRank) by depth": "average_pagerank", "Pages by depth": "pages", "Importance (PageRank) found by depth": "pagerank_so_far"}


def found(*words):
    return json.loads(run("seeds", "--quiet", "--json", *words).stdout)


def expect_crawls(report, evaluation, method, graph):
    """Figures 7 to 12: both curves, and a band around the random one."""
    for title, field in CRAWLS.items():
        title = f"{title}: {graph}"
        for name, rows in ((method, evaluation["chosen"]), ("random pages", evaluation["random"])):
            shown = [(row["depth"], row[field] if field != "average_pagerank" or row["pages"] > 0 else None) for row in rows]
            expect(curve(report, title, name) == shown, f"{title}, {name}: {curve(report, title, name)} is not {shown}")
        band = next(series for series in report.part(title)["series"] if series["name"] == "random pages")
        for y, low, high in zip(band["y"], band["low"], band["high"]):
            expect(y is None or low - 1e-9 <= y <= high + 1e-9, f"{title}: {y} is not between {low} and {high}")
        expect(report.part(title)["y"]["scale"] == ("log" if field == "pages" else "linear"), title)
        expect(report.section(title).locator('.picture g[aria-label="area"] path').count() == 1, f"{title}: no band")


def expect_survival(report, alive, graph):
    """How many of the first candidates still exist: a running sum."""
    so_far = [sum(alive[: i + 1]) for i in range(len(alive))]
    expect([y for _, y in curve(report, f"Survival in {graph}", "cores")] == so_far, f"survival: {so_far}")


def expect_cores(report, told):
    """Figures 4 and 5, Figure 6, and distance against iteration gap."""
    for name in ("hubs", "authorities"):
        expect(curve(report, "Sizes of cores", name) == [(core["iteration"], core[name]) for core in told["cores"]], name)
    expect(report.part("Sizes of cores")["y"]["scale"] == "log", "sizes are drawn on a logarithmic axis")
    matrix = told["distances"]["matrix"]
    drawing = report.part("Distances between cores")
    expect([node["label"] for node in drawing["nodes"]] == [str(i + 1) for i in range(len(matrix))], "a node for each iteration")
    expect(dots(report, "Distances between cores") == len(matrix), "all of them are drawn")
    for link in drawing["links"]:
        ways = [way for to, way in enumerate(matrix[link["from"]]) if to != link["from"] and way >= 0]
        expect(int(link["label"]) == matrix[link["from"]][link["to"]] == min(ways), f"{link}: not the nearest")
    expect(len(drawing["links"]) == sum(any(way > 0 for way in row) for row in matrix), "an arrow from each that reaches another")
    pairs = {(i + 1, j + 1): way for i, row in enumerate(matrix) for j, way in enumerate(row) if i != j and way >= 0}
    expect({(a, b): way for a, b, way in report.part("Paths between cores")["rows"]} == pairs, "all ways are listed")
    gap = report.part("Distance between cores found one after another")["series"][0]
    for shown, row in zip(zip(gap["x"], gap["y"], gap["low"], gap["high"]), told["distances"]["by_gap"]):
        ways = [way for (a, b), way in pairs.items() if abs(a - b) == row["gap"]]
        expected = (row["gap"], sum(ways) / len(ways), min(ways), max(ways)) if ways else (row["gap"], None, None, None)
        expect(all(a == b or math.isclose(a, b) for a, b in zip(shown, expected)), f"gap {row['gap']}: {shown} is not {expected}")


def drawn_error(drawing, matrix):
    """The mean relative error of drawn distances, as in the caption: the root of the mean square."""
    errors = []
    for i, a in enumerate(drawing["nodes"]):
        for j, b in enumerate(drawing["nodes"]):
            if i != j and matrix[i][j] > 0:
                errors.append(((math.hypot(a["x"] - b["x"], a["y"] - b["y"]) - matrix[i][j]) / matrix[i][j]) ** 2)
    return math.sqrt(sum(errors) / len(errors))


def expect_result(report, method, evaluation, where, more=""):
    """The share of PageRank within two links, from the seeds and from random pages."""
    depths = {kind: evaluation[kind][2]["pagerank_so_far"] for kind in ("chosen", "random")}
    expect(result(report) == f"From {evaluation['seeds']} seeds by {method}, 2 links lead to {100 * depths['chosen']:.1f} % of all PageRank{where}; "
           f"from as many random pages to {100 * depths['random']:.1f} %{more}.", result(report))


def test_cores_old_and_new(browser, archive, folder):
    page = folder / "seeds.html"
    old, newer = f"{archive}@2021", f"{archive}@2023.."
    words = (old, "--by", "cores", "--count", 16, "--seed", 7)
    told = found(*words, "--distances", "--evaluate", newer, "--report", page)
    on_old = found(*words, "--evaluate")["evaluation"]
    with opened(browser, page, offline=True) as report:
        report.page.screenshot(path=SHOTS / "seeds.png", full_page=True)
        expect(told["seed"] == 7, "JSON names the seed")
        rows = report.part("Seeds")["rows"]
        expect(rows == [[i + 1, seed["url"], seed["score"], seed["why"]] for i, seed in enumerate(told["seeds"])], "the seeds")
        expect_crawls(report, on_old, "cores", "lib.ws@2021")
        expect_crawls(report, told["evaluation"], "cores", "lib.ws@2023..")
        gone = {seed["url"] for seed in found(*words, "--replace", newer)["replaced"]}
        expect(len(gone) == told["evaluation"]["vanished"] > 0, gone)
        expect_survival(report, [seed["url"] not in gone for seed in told["seeds"]], "lib.ws@2023..")
        expect_result(report, "cores", told["evaluation"], " in lib.ws@2023..", f", and {16 - len(gone)} of 16 candidates are still there")
        expect_cores(report, told)
        drawing = report.part("Distances between cores")
        error = round(100 * drawn_error(drawing, told["distances"]["matrix"]))
        expect(f"off by {error} %" in drawing["caption"], f"{error}: {drawing['caption']}")
        expect_named_pictures(report, "Seed 7.")
        graph = found(old, "--count", 2, "--degrees", "--bootstrap", 5, "--report", folder / "degrees.html")["graph"]
        sizes = [["all", graph["nodes"], graph["links"]], ["between hosts", graph["nodes"], graph["links_between_hosts"]]]
        expect(report.part("The graph")["rows"] == sizes, report.part("The graph")["rows"])
        expect_readable(report)
    with opened(browser, folder / "degrees.html") as report:
        rows = report.part("Power laws of degrees")["rows"]
        law = graph["in_degrees"]
        expect(rows[0][1:] == [law[key] for key in ("exponent", "error", "cutoff", "tail", "distance", "p")] and len(rows) == 2, rows)
    expect_readable_on_phones(browser, page)


def test_every_method(browser, archive, folder):
    """Without a newer graph: Figures 7 to 10 alone, and cores where they are."""
    for method in ("pandora", "cores", "maxout", "outdegree", "pagerank", "random"):
        page = folder / f"{method}.html"
        told = found(f"{archive}@2021", "--by", method, "--count", 5, "--evaluate", "--report", page)
        with opened(browser, page) as report:
            expect_crawls(report, told["evaluation"], method, "lib.ws@2021")
            titles = [part.get("title") for part in report.data["sections"]]
            expect(("Sizes of cores" in titles) == (method == "cores"), titles)
            expect(not [title for title in titles if title and title.startswith("Survival")], titles)


def test_candidates_that_were_tested(browser, archive, folder):
    page = folder / "truth.html"
    told = found(f"{archive}@2021", "--count", 12, "--truth", f"{archive}@2023..", "--report", page)
    with opened(browser, page) as report:
        part = report.part("Survival in lib.ws@2023..")
        chosen = next(series for series in part["series"] if series["name"] == "pandora")
        expect(len(chosen["x"]) == told["tests"] and chosen["y"][-1] == len(told["seeds"]), chosen["y"])
        gone = [label.removeprefix("gone: ") for label in chosen["labels"] if label.startswith("gone: ")]
        expect(gone == told["vanished"], f"{gone} is not {told['vanished']}")


def test_what_is_printed_stays_the_same(archive, folder):
    words = ("seeds", "--quiet", f"{archive}@2021", "--by", "cores", "--count", 4)
    for more in ((), ("--json",), ("--why",), ("--as", "nutch"), ("--distances",)):
        plain = run(*words, *more).stdout
        expect(run(*words, *more, "--report", folder / "same.html").stdout == plain, f"{more}: --report changed what is printed")
    one = (folder / "same.html").read_bytes()
    run(*words, "--distances", "--report", folder / "same.html", "--threads", 2)
    expect((folder / "same.html").read_bytes() == one, "the same page again")


def test_few_pages_and_no_cores(browser, folder):
    """Everything is found at once, every share is 1; and a page without data says so."""
    graph = folder / "pair.tsv"
    graph.write_text("http://a.example/\thttp://a.example/x\n")
    page = folder / "pair.html"
    run("seeds", "--quiet", graph, "--count", 2, "--evaluate", graph, "--report", page)
    with opened(browser, page) as report:
        expect(curve(report, "Survival in pair.tsv", "pandora") == [(1, 1), (2, 2)], "both are there")
        expect_readable(report)
    run("seeds", "--quiet", graph, "--by", "cores", "--count", 1, "--report", page, code=1)
    with opened(browser, page) as report:
        expect(report.part("Seeds")["rows"] == [], "no seeds")
        expect(report.page.get_by_text("There is nothing to show here.").count() == 4, "three crawls and the sizes are empty")


def test_hostile_names_stay_texts(browser, folder):
    page = folder / "hostile.html"
    run("seeds", "--quiet", hostile_graph(folder), "--by", "cores", "--keep-inner-links", "--count", 2, "--report", page)
    with opened(browser, page) as report:  # a script, an image or a dialog would be a complaint
        expect_texts(report, [row[1] for row in report.part("Seeds")["rows"]])
    run("seeds", "--quiet", hostile_graph(folder), "--by", "random", "--count", len(HOSTILE), "--report", page)
    with opened(browser, page) as report:
        expect_texts(report, HOSTILE)


def main():
    with tempfile.TemporaryDirectory() as name, chromium() as browser:
        folder = Path(name)
        archive = sample_archive(folder)
        for test in (test_cores_old_and_new, test_every_method, test_candidates_that_were_tested):
            test(browser, archive, folder)
            print(f"{test.__name__}: good")
        test_what_is_printed_stays_the_same(archive, folder)
        print("test_what_is_printed_stays_the_same: good")
        for test in (test_few_pages_and_no_cores, test_hostile_names_stay_texts):
            test(browser, folder)
            print(f"{test.__name__}: good")
    return 0


if __name__ == "__main__":
    sys.exit(main())
