# SPDX-License-Identifier: Apache-2.0
"""A report in a real browser: what is drawn agrees with the data, and everything that can be pressed works."""

import csv
import io
import math
import sys
import xml.etree.ElementTree as ElementTree

from browser import SHOTS, expect, opened, run_tests


def numbers(locator, attribute):
    return [float(value) for value in locator.evaluate_all(f"all => all.map(one => one.getAttribute('{attribute}'))")]


def largest_error(xs, ys):
    """How far the points are from the straight line through them."""
    n, mean_x, mean_y = len(xs), sum(xs) / len(xs), sum(ys) / len(ys)
    slope = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys)) / sum((x - mean_x) ** 2 for x in xs)
    expect(n > 2 and slope != 0, "no line")
    return max(abs(y - mean_y - slope * (x - mean_x)) for x, y in zip(xs, ys))


def marks(section, kind):
    return section.locator(f'g[aria-label="{kind}"]').locator("circle, path, rect")


def test_marks_are_there_for_all_data(browser, paths):
    with opened(browser, paths["sample"]) as report:
        report.page.screenshot(path=SHOTS / "sample.png", full_page=True)
        depth = report.section("Pages reached by depth")
        expect(marks(depth, "line").count() == 3 and marks(depth, "area").count() == 1, "lines and a band")
        expect(marks(depth, "dot").count() == 3 * 7 - 1, "a dot for each point but the gap")
        broken = depth.locator('g[aria-label="line"]').nth(1).locator("path").get_attribute("d")
        expect(broken.count("M") == 2, f"a gap parts the line: {broken}")
        expect(marks(report.section("In-degree"), "dot").count() == 239, "all points above zero")
        expect("1 point is not above zero" in report.section("In-degree").inner_text(), "what is left out is told")
        expect(marks(report.section("Links born"), "rect").count() == 8, "bars")
        expect(marks(report.section("Where links"), "rect").count() == 6, "stacked bars")
        expect(marks(report.section("Rank by date"), "line").count() == 10, "a line for each page")
        cores = report.part("Distances between cores")
        drawing = report.section("Distances between cores")
        expect(marks(drawing, "dot").count() == len(cores["nodes"]), "a dot for each node")
        expect(marks(drawing, "arrow").count() == len(cores["links"]), "an arrow for each link")
        expect(report.page.locator("nav a").count() == 8 and report.page.locator("dl.figures > div").count() == 4, "contents, figures")


def test_marks_are_where_the_numbers_are(browser, paths):
    with opened(browser, paths["sample"]) as report:
        series = report.part("In-degree and PageRank")["series"][0]
        points = [(x, y) for x, y in zip(series["x"], series["y"]) if x > 0]
        dots = report.section("In-degree").locator('g[aria-label="dot"]').nth(0).locator("circle")
        across, up = numbers(dots, "cx"), numbers(dots, "cy")
        expect(largest_error([math.log(x) for x, _ in points], across) < 0.5, "a logarithmic axis across")
        expect(largest_error([math.log(y) for _, y in points], up) < 0.5, "a logarithmic axis up")
        bars = report.part("Links born and died")["series"]
        heights = numbers(marks(report.section("Links born"), "rect"), "height")
        expect(largest_error(bars[0]["y"] + bars[1]["y"], heights) < 0.5, f"bars as high as their numbers: {heights}")
        nodes = sorted(report.part("Distances between cores")["nodes"], key=lambda node: -node["size"])  # small ones on top
        circles = marks(report.section("Distances between cores"), "dot")
        a, b = numbers(circles, "cx"), numbers(circles, "cy")
        lengths = [(math.dist((p["x"], p["y"]), (q["x"], q["y"])), math.dist((a[i], b[i]), (a[j], b[j])))
                   for i, p in enumerate(nodes) for j, q in enumerate(nodes) if i < j]
        expect(largest_error(*map(list, zip(*lengths))) < 0.5, "one unit is as long up as across")


def test_legend_hides_and_shows(browser, paths):
    with opened(browser, paths["sample"]) as report:
        section = report.section("Links born")
        died = section.get_by_role("button", name="died")
        before = numbers(marks(section, "rect"), "height")
        died.click()
        expect(marks(section, "rect").count() == 4 and died.get_attribute("aria-pressed") == "false", "hidden")
        died.press("Space")  # the keyboard does it too
        expect(numbers(marks(section, "rect"), "height") == before and died.get_attribute("aria-pressed") == "true", "shown")
        for name in ("born", "died"):
            section.get_by_role("button", name=name).click()
        expect("nothing to show" in section.inner_text(), "all hidden")


def test_six_lines_have_names_and_the_rest_is_grey(browser, paths):
    with opened(browser, paths["sample"]) as report:
        section = report.section("Rank by date")
        names = section.locator('g[aria-label="line label"] text').all_text_contents()
        expect(names == [f"page {n}" for n in range(1, 7)], names)
        strokes = [line.get_attribute("stroke") for line in section.locator('g[aria-label="line"]').all()]
        expect(strokes.count("var(--quiet)") == 4 and len(set(strokes)) == 7, strokes)
        expect(strokes[:4] == ["var(--quiet)"] * 4, "grey lines are below the others")
        tenth = section.get_by_role("button", name="page 10")
        expect(not tenth.is_visible(), "the names of grey lines do not fill the legend")
        section.get_by_role("button", name="4 in grey").click()
        tenth.click()
        expect(marks(section, "line").count() == 9, "a grey line can be hidden, too")
        section.get_by_role("button", name="page 1", exact=True).click()
        names = section.locator('g[aria-label="line label"] text').all_text_contents()
        expect(names == [f"page {n}" for n in range(2, 7)], f"a line that is hidden has no name: {names}")


def test_a_name_is_at_the_end_of_its_line(browser, paths):
    with opened(browser, paths["sample"]) as report:
        section = report.section("Pages reached by depth")
        dots = section.locator('g[aria-label="dot"]').all()
        for group, label in zip(dots, section.locator('g[aria-label="line label"] text').all(), strict=True):
            last = group.locator("circle").last
            expect(group.get_attribute("fill") == label.get_attribute("fill"), "in the colour of its line")
            expect(abs(float(last.get_attribute("cy")) - float(label.get_attribute("y"))) < 12, "at its height")
            expect(float(last.get_attribute("cx")) < float(label.get_attribute("x")), "right of it")


def test_zoom_goes_in_and_out(browser, paths):
    with opened(browser, paths["sample"]) as report:
        for title, kind in (("In-degree", "dot"), ("Rank by date", "line"), ("Distances between cores", "dot")):
            section = report.section(title)
            place = "cx" if kind == "dot" else "d"
            positions = lambda: marks(section, kind).evaluate_all(f"all => all.map(one => one.getAttribute('{place}'))")
            whole = positions()
            section.locator(".picture svg").scroll_into_view_if_needed()
            box = section.locator(".picture svg").bounding_box()
            report.page.mouse.move(box["x"] + box["width"] * 0.4, box["y"] + 80)
            report.page.mouse.down()
            report.page.mouse.move(box["x"] + box["width"] * 0.6, box["y"] + 180, steps=4)
            expect(section.locator(".brush").count() == 1, f"{title}: the chosen part is shown")
            report.page.mouse.up()
            dragged = positions()
            section.get_by_role("button", name="Zoom in").click()
            expect(len({str(whole), str(dragged), str(positions())}) == 3, f"{title}: two steps in")
            section.get_by_role("button", name="Zoom out").click()
            expect(positions() == dragged, f"{title}: one step out")
            section.locator(".picture svg").dblclick(position={"x": 5, "y": 5})
            expect(positions() == whole and section.get_by_role("button", name="Zoom out").is_disabled(), f"{title}: all out")


def test_pointing_names_the_point(browser, paths):
    with opened(browser, paths["sample"]) as report:
        section = report.section("In-degree")
        section.locator(".picture svg").scroll_into_view_if_needed()
        section.locator('g[aria-label="dot"] circle').nth(7).hover(force=True)
        tip = section.locator('g[aria-label="tip"]').text_content()
        expect("http://python-" in tip and "in-degree: " in tip and "PageRank: " in tip, tip)
        bars = report.section("Where links")
        bars.locator('g[aria-label="rect"] rect').nth(1).hover(force=True)
        expect("the same host" in bars.locator('g[aria-label="tip"]').text_content(), "a bar names itself")


def column(section, index):
    return section.locator(f"tbody tr td:nth-child({index})").all_inner_texts()


def test_tables_sort_and_find(browser, paths):
    with opened(browser, paths["sample"]) as report:
        section = report.section("Top pages")
        expect(section.locator("tbody tr").count() == 25 and "1\u201325 of 60" in section.inner_text(), "a part of the rows")
        score = section.get_by_role("button", name="score")
        score.click()
        expect(column(section, 3)[:3] == ["\u221e", "0.001", "0.0005"], f"largest first: {column(section, 3)[:3]}")
        expect(section.locator("th").nth(2).get_attribute("aria-sort") == "descending", "told to readers of screens")
        score.click()
        expect(column(section, 1)[:2] == ["60", "59"], "smallest first")
        section.get_by_role("button", name="Rows after").click()
        section.get_by_role("button", name="Rows after").click()
        expect(column(section, 3)[-2:] == ["\u221e", "\u2013"], "what is not known comes last")
        score.click()
        expect(column(section, 1)[:3] == ["1", "2", "3"], "as written")
        section.get_by_role("button", name="page").click()
        expect(column(section, 2)[:3] == [f"http://docs.example/page/{n}" for n in range(3)], "2 before 10")
        section.get_by_role("searchbox").fill("PAGE/3 quoted")
        expect("of 60 rows" in section.inner_text() or "rows" in section.inner_text(), "counted")
        found = [row[1] for row in report.part("Top pages")["rows"] if "page/3" in row[1] and row[4]]
        expect(sorted(column(section, 2)) == sorted(found) and found, f"both words: {column(section, 2)} {found}")
        section.get_by_role("searchbox").fill("no such row")
        expect("no row of 60" in section.inner_text(), "nothing found")


def as_csv(cell):
    if cell is None:
        return ""
    return "'" + cell if isinstance(cell, str) and cell[:1] in "=+-@" else str(cell)


def test_data_can_be_taken_away(browser, paths):
    with opened(browser, paths["sample"]) as report:
        section = report.section("Top pages")
        section.get_by_role("searchbox").fill("anything")  # all rows all the same
        name, content = report.downloaded(section.get_by_role("button", name="CSV"))
        rows = list(csv.reader(io.StringIO(content.decode(), newline="")))
        data = report.part("Top pages")
        expect(name == "top-pages.csv" and rows[0] == [column["name"] for column in data["columns"]], rows[0])
        for row, cells in zip(rows[1:], data["rows"], strict=True):
            for text, cell in zip(row, cells, strict=True):
                same = math.isclose(float(text), cell) if isinstance(cell, (int, float)) else text == as_csv(cell)
                expect(same, f"{row} {cells}")
        section = report.section("Pages reached by depth")
        section.get_by_role("button", name="Data").click()
        expect(section.locator("tbody tr").count() == 21, "a row for each point, gaps too")
        _, content = report.downloaded(section.get_by_role("button", name="CSV"))
        rows = list(csv.DictReader(io.StringIO(content.decode(), newline="")))
        expect(len(rows) == 21 and [row["share of mass"] for row in rows if row["series"] == "cores"][3] == "", "gaps stay gaps")


def test_pictures_can_be_taken_away(browser, paths):
    for scheme in ("light", "dark"):
        with opened(browser, paths["sample"], color_scheme=scheme) as report:
            section = report.section("Pages reached by depth")
            name, content = report.downloaded(section.get_by_role("button", name="SVG"))
            root = ElementTree.fromstring(content)
            texts = [text.strip() for text in root.itertext()]
            expect(name.endswith(".svg") and root.tag.endswith("svg"), name)
            expect("Pages reached by depth" in texts and {"pandora-ris", "cores", "random"} <= set(texts), "title and legend")
            expect(b"var(" not in content and content.count(b"<path") >= 4, "colours and lines")
            _, content = report.downloaded(section.get_by_role("button", name="PNG"))
            expect(content[:8] == b"\x89PNG\r\n\x1a\n" and len(content) > 10_000, "a picture")
            (SHOTS / f"download-{scheme}.png").write_bytes(content)


def test_parts_without_data_say_so(browser, paths):
    with opened(browser, paths["empty"]) as report:
        report.page.screenshot(path=SHOTS / "empty.png", full_page=True)
        for title in ("no series", "only gaps", "no nodes"):
            expect("nothing to show" in report.section(title).inner_text(), title)
        expect(marks(report.section("one point"), "dot").count() == 1, "one point is enough")
        expect(marks(report.section("one node"), "dot").count() == 1, "one node is enough")
        expect("no row of 0" in report.section("no rows").inner_text(), "no rows")


def test_large_data_is_shown(browser, paths):
    with opened(browser, paths["large"]) as report:
        expect(marks(report.section("Many points"), "dot").count() == 5000, "points")
        section = report.section("Many rows")
        section.get_by_role("searchbox").fill("/99999")
        expect(column(section, 2) == ["https://docs.example/99999"], "found among many")


TESTS = [test_marks_are_there_for_all_data, test_marks_are_where_the_numbers_are, test_legend_hides_and_shows, test_six_lines_have_names_and_the_rest_is_grey,
         test_a_name_is_at_the_end_of_its_line, test_zoom_goes_in_and_out,
         test_pointing_names_the_point, test_tables_sort_and_find, test_data_can_be_taken_away, test_pictures_can_be_taken_away,
         test_parts_without_data_say_so, test_large_data_is_shown]

if __name__ == "__main__":
    run_tests(TESTS, ["sample", "empty", "large"])
    sys.exit(0)
