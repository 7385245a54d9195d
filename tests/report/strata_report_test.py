# SPDX-License-Identifier: Apache-2.0
"""links --report: the strata view has what the same command prints, works with the keyboard alone, and trusts no address."""

import json
import sys
import tempfile
from datetime import datetime, timezone
from pathlib import Path

from browser import SHOTS, chromium, expect, opened
from verbs import archive_of, expect_readable, expect_readable_on_phones, result, run, sample_archive

PAGE = "http://python-quart-doc.docs.example/tutorials/installation.html"
TITLE = "Links over time"


def seconds(text):
    return int(datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp())


def date(month):
    return f"{2000 + month // 12}-{month % 12 + 1:02}-01T00:00:00Z"


def many_captures(folder):
    """A page of 48 months: a menu that is always there, stairs of releases, a link that comes back, one redesign."""
    captures = []
    for month in range(48):
        links = ["http://a.example/menu", "http://a.example/doc/start"]
        links += [f"http://a.example/release/{n}" for n in range(48) if n <= month < n + 4]
        links += ["http://far.example/"] if month % 12 < 6 else []
        links += [f"http://b.example/{n}" for n in range(10)] if month >= 24 else []
        captures.append(("http://a.example/", date(month), links))
    return archive_of(folder, "many", captures), captures


def history(archive, url, *words):
    return json.loads(run("links", archive, url, "--history", "--json", *words).stdout)["links"]


def cells(part):
    """{url: [times at which it was there]} from the data of the page."""
    return {name: [part["times"][column] for first, count in zip(runs[::2], runs[1::2]) for column in range(first, first + count)]
            for name, runs in zip(part["names"], part["runs"])}


def test_equals_the_archive(browser, archive, folder):
    page = folder / "strata.html"
    told = json.loads(run("links", archive, PAGE, "--history", "--json", "--report", page).stdout)["links"]
    with opened(browser, page) as report:
        report.page.screenshot(path=SHOTS / "strata.png", full_page=True)
        part = report.part(TITLE)
        there = cells(part)
        expect(sorted(there) == sorted(link["url"] for link in told), "a row for each link")
        kind = part["groupings"][1]
        for link in told:
            times = there[link["url"]]
            expect((times[0], times[-1], len(times)) == (seconds(link["first"]), seconds(link["last"]), link["captures"]), link)
            expect(kind["groups"][kind["of"][part["names"].index(link["url"])]] == link["kinds"], link)
        expect(result(report).startswith(f"{len(told)} links in {len(part['times'])} captures"), result(report))
        expect_readable(report)
    expect_readable_on_phones(browser, page)


def test_every_capture_of_a_long_history(browser, archive, captures, folder):
    page = folder / "long.html"
    run("links", archive, "http://a.example/", "--report", page)
    wanted = {}
    for _, time, links in captures:
        for link in links:
            wanted.setdefault(link, []).append(seconds(time))
    with opened(browser, page) as report:
        report.page.screenshot(path=SHOTS / "strata_long.png", full_page=True)
        expect(cells(report.part(TITLE)) == wanted, "the same cells as the captures")
        section = report.section(TITLE)
        name, csv = report.downloaded(section.get_by_role("button", name="CSV"))
        expect(name == "links-over-time.csv" and csv.decode().count("http://far.example/,") == 4, "a line for each stay")
        name, svg = report.downloaded(section.get_by_role("button", name="SVG"))
        expect(name.endswith(".svg") and svg.count(b"<path") == 2 and b"var(" not in svg, "a picture with colours of its own")
        name, png = report.downloaded(section.get_by_role("button", name="PNG"))
        expect(png.startswith(b"\x89PNG"), "a picture")
        section.get_by_role("button", name="Data").click()
        expect(section.locator("table").is_visible(), "the table")
        born = report.part("Links born and died")
        expect(sum(born["series"][0]["y"]) == sum(len(set(now) - set(before)) for (_, _, before), (_, _, now) in zip(captures, captures[1:])), "births")


def painted(report):
    """Pixels of the canvas that are not empty, by colour."""
    return report.page.evaluate("""() => { const canvas = document.querySelector('.stage canvas');
        const copy = Object.assign(document.createElement('canvas'), { width: canvas.width, height: canvas.height }).getContext('2d', { willReadFrequently: true });
        copy.drawImage(canvas, 0, 0);
        const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
        const found = {}; for (let i = 0; i < data.length; i += 4) if (data[i + 3] === 255) { const key = `${data[i]},${data[i + 1]},${data[i + 2]}`; found[key] = (found[key] ?? 0) + 1; }
        return found; }""")


def test_cells_are_painted_where_the_link_was(browser, archive, folder):
    page = folder / "painted.html"
    run("links", archive, "http://a.example/", "--report", page)
    for scheme, blue in {"light": "31,111,180", "dark": "94,169,232"}.items():
        with opened(browser, page, color_scheme=scheme) as report:
            report.page.wait_for_function("document.querySelector('.stage canvas').width > 300")
            report.page.wait_for_timeout(100)
            before = painted(report)
            expect(before.get(blue, 0) > 1000, f"{scheme}: bars of the same directory")
            report.page.get_by_role("button", name="same directory").click()
            report.page.wait_for_timeout(200)
            expect(painted(report).get(blue, 0) < before[blue] / 10, "switched off")


def test_keyboard_alone(browser, archive, folder):
    page = folder / "keys.html"
    run("links", archive, "http://a.example/", "--report", page)
    with opened(browser, page) as report:
        report.context.route("http://**", lambda route: route.abort())  # what Enter opens goes nowhere
        stage, spoken, detail = (report.page.locator(place) for place in (".stage", ".strata [role=status].unseen", ".strata .detail"))
        stage.focus()
        report.page.keyboard.press("ArrowDown")
        expect("first seen 2000-01-01" in spoken.inner_text() and "of 48 columns" in detail.inner_text(), spoken.inner_text())
        expect("2003-12-01: there" in detail.inner_text(), detail.inner_text())
        report.page.keyboard.press("End")
        first = detail.inner_text()
        report.page.keyboard.press("ArrowUp")
        expect(detail.inner_text() != first, "another row")
        report.page.keyboard.press("ArrowLeft")
        expect("2003-11-01:" in detail.inner_text(), "the capture before")
        wide = report.page.evaluate("document.querySelector('.stage .inner').offsetWidth")
        report.page.keyboard.press("+")
        expect(report.page.evaluate("document.querySelector('.stage .inner').offsetWidth") > wide, "wider")
        report.page.keyboard.press("0")
        expect(abs(report.page.evaluate("document.querySelector('.stage .inner').offsetWidth") - wide) < 400, "all again")
        report.page.get_by_role("combobox", name="Order").select_option("lifetime")
        report.page.get_by_role("combobox", name="Colour").select_option("host")
        report.page.get_by_role("combobox", name="Columns").select_option("equal")
        report.page.get_by_label("Filter by address").fill("far.example")
        expect("1 of 61 rows" in report.page.locator(".strata .count").inner_text(), report.page.locator(".strata .count").inner_text())
        stage.focus()
        report.page.keyboard.press("ArrowDown")
        expect("http://far.example/" in detail.inner_text() and "in 24 of 48 columns" in detail.inner_text(), detail.inner_text())
        with report.context.expect_page() as opening:
            report.page.keyboard.press("Enter")
        expect(opening.value is not None, "the other end")
        opening.value.close()
        report.complaints = [one for one in report.complaints if not one.startswith("popup:")]


def test_who_linked_here(browser, archive, folder):
    page = folder / "in.html"
    target = "http://python-quart-doc.docs.example/index.html"
    run("links", archive, target, "--in", "--report", page)
    told = history(archive, target, "--in")
    with opened(browser, page) as report:
        part = report.part("Who linked here")
        expect(part["names"] == [link["url"] for link in told], "a row for each page")
        for link, runs in zip(told, part["runs"]):
            expect((part["times"][runs[0]], part["times"][runs[-2] + runs[-1] - 1]) == (seconds(link["first"]), seconds(link["last"])), link)
        expect(result(report).startswith(f"{len(told)} pages linked here"), result(report))


def test_a_host(browser, archive, folder):
    page = folder / "host.html"
    run("links", archive, "*.docs.example", "--report", page)
    stats = json.loads(run("stats", archive, "--json").stdout)
    with opened(browser, page) as report:
        report.page.screenshot(path=SHOTS / "churn.png", full_page=True)
        plot = report.part("Links born and died")
        expect([sum(series["y"]) for series in plot["series"]] == [stats["births"], stats["deaths"]], "births and deaths of all pages")
        expect(sum(report.part("Captures and new pages")["series"][1]["y"]) == stats["pages"], "new pages")
        expect_readable(report)
    refused = run("links", archive, "*.docs.example", "--in", "--report", page, code=2).stderr
    expect("--in needs one URL" in refused, refused)


def test_hostile_addresses_stay_text(browser, folder):
    bad = ["http://x.example/%3Cscript%3Ealert(1)%3C/script%3E?'\"><img src=x onerror=alert(1)>", "http://x.example/\u202egpj.exe",
           "http://x.example/" + "a" * 10_000, "javascript:alert(1)"]
    archive = archive_of(folder, "bad", [("http://a.example/", date(0), bad), ("http://a.example/", date(1), bad[:1])])
    page = folder / "bad.html"
    run("links", archive, "http://a.example/", "--report", page)
    with opened(browser, page) as report:
        report.page.locator(".stage").focus()
        for _ in range(4):
            report.page.keyboard.press("ArrowDown")
        report.section(TITLE).get_by_role("button", name="Data").click()
        expect(report.page.locator("img, iframe, main script").count() == 0, "an address became markup")
        expect("\u202e" not in report.page.locator("body").inner_text(), "nothing turns the writing round")
        expect_readable(report)


def test_large(browser, folder):
    """5,000 links and 2,000 captures: scrolling draws every frame. The times are printed, not judged."""
    captures = [("http://a.example/", datetime.fromtimestamp(1_000_000_000 + 86_400 * i, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
                 [f"http://a.example/{n}" for n in range(5000) if (n * 2 // 5 <= i < n * 2 // 5 + 40 + n % 50)]) for i in range(2000)]
    archive = archive_of(folder, "large", captures)
    page = folder / "large.html"
    run("links", archive, "http://a.example/", "--report", page)
    with opened(browser, page) as report:
        expect(len(report.part(TITLE)["names"]) == 5000 and len(report.part(TITLE)["times"]) == 2000, "all of it")
        frames = report.page.evaluate("""() => new Promise(done => { const stage = document.querySelector('.stage'); const times = []; let last = performance.now();
            const step = now => { times.push(now - last); last = now; stage.scrollTop += 37; times.length < 120 ? requestAnimationFrame(step) : done(times.slice(5)); };
            requestAnimationFrame(step); })""")
        frames.sort()
        print(f"frames of 5,000 x 2,000 while scrolling: median {frames[len(frames) // 2]:.1f} ms, slowest {frames[-1]:.1f} ms")
        expect(report.page.evaluate("document.querySelector('.stage').scrollTop") > 3000, "it scrolled")


def main():
    with tempfile.TemporaryDirectory() as name, chromium() as browser:
        folder = Path(name)
        archive = sample_archive(folder)
        many, captures = many_captures(folder)
        for test, given in ((test_equals_the_archive, [archive]), (test_every_capture_of_a_long_history, [many, captures]),
                            (test_cells_are_painted_where_the_link_was, [many]), (test_keyboard_alone, [many]), (test_who_linked_here, [archive]),
                            (test_a_host, [archive]), (test_hostile_addresses_stay_text, []), (test_large, [])):
            test(browser, *given, folder)
            print(f"{test.__name__}: good")
    return 0


if __name__ == "__main__":
    sys.exit(main())
