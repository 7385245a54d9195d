# SPDX-License-Identifier: Apache-2.0
"""The page that `webstrata serve` shows: every view in a browser, with the keyboard, on a phone, and without trusting an address."""
# Also runs as: shared

import json
import os
import sys
import tempfile
from pathlib import Path
from urllib.parse import quote

sys.path.insert(0, str(Path(__file__).resolve().parent))
from visits import AXE, HOST, PAGE, SHOTS, VIEWS, archive_of, chromium, expect, ranked_sample, run, visiting  # noqa: E402
from not_tried import ending, not_tried, skip  # noqa: E402
from serving import serving  # noqa: E402


def test_every_view(browser, server, archive):
    """By day and by night, on a phone, with and without motion: a sentence, no error, nothing wider than the screen."""
    for name, options in {"light": {}, "dark": {"color_scheme": "dark", "reduced_motion": "reduce"},
                          "phone": {"viewport": {"width": 390, "height": 800}}}.items():
        with visiting(browser, server.address, **options) as visit:
            for view, address in VIEWS.items():
                visit.go(address)
                expect(visit.sentence().endswith("."), f"{view}: {visit.sentence()!r}")
                expect(visit.page.title().endswith("webstrata"), visit.page.title())
                visit.page.wait_for_timeout(300)
                visit.page.screenshot(path=SHOTS / f"page_{view}_{name}.png", full_page=True)
                visit.tidy(f"{view} {name}")


def test_views_say_what_the_archive_says(browser, server, archive):
    stats = json.loads(run("stats", archive, "--json").stdout)
    diff = json.loads(run("diff", archive, "2021", "2023", "--json").stdout)["total"]
    out = json.loads(run("links", archive, PAGE, "--history", "--json").stdout)["links"]
    into = json.loads(run("links", archive, PAGE, "--in", "--history", "--json").stdout)["links"]
    with visiting(browser, server.address) as visit:
        visit.go(VIEWS["overview"])
        for number in (stats["pages"], stats["captures"], stats["births"], stats["deaths"]):
            expect(f"{number:,}" in visit.sentence(), f"{number} is not in {visit.sentence()}")
        visit.go(VIEWS["page"])
        expect(f"{len(out)} links from it and {len(into)} pages that linked to it" in visit.sentence(), visit.sentence())
        rows = visit.section("Who links here").locator("tbody tr")
        expect(rows.count() == min(25, len(into)), f"{rows.count()} rows of {len(into)}")
        visit.go(VIEWS["diff"])
        expect(f"{diff['pages_kept']:,} were seen again, {diff['pages_vanished']:,} vanished and {diff['pages_not_seen']:,} were not seen since" in visit.sentence(), visit.sentence())


def test_addresses_and_the_way_back(browser, server, archive):
    with visiting(browser, server.address) as visit:
        visit.page.goto(server.address)
        visit.arrived()
        visit.page.get_by_role("link", name=HOST, exact=True).click()
        visit.page.locator("main h1", has_text=HOST).wait_for()
        expect(f"/a/lib/host?host={HOST}" in visit.page.url, visit.page.url)
        visit.page.go_back()
        visit.page.get_by_label("Period from").wait_for()
        visit.page.get_by_label("Period from").select_option("2023")
        visit.page.locator(".period", has_text="2023").wait_for()
        expect("during=2023" in visit.page.url, visit.page.url)
        visit.page.get_by_role("link", name="Diff").click()
        visit.page.get_by_role("button", name="Compare").wait_for()
        expect("during=2023" in visit.page.url, "the period stays")
        visit.page.reload()
        visit.arrived()
        expect(visit.page.get_by_role("button", name="Compare").is_visible(), "the address is enough")


def test_the_brush_sets_the_period_of_every_view(browser, server, archive):
    in_2023 = json.loads(run("stats", archive, "--json").stdout)["years"]["2023"]
    with visiting(browser, server.address) as visit:
        visit.go("")
        box = visit.page.locator("svg.timeline").bounding_box()
        y = box["y"] + box["height"] / 3
        visit.page.mouse.move(box["x"] + box["width"] * 0.8, y)
        visit.page.mouse.down()
        visit.page.mouse.move(box["x"] + box["width"] * 0.95, y, steps=4)
        visit.page.mouse.up()
        visit.page.locator("main .result", has_text="in the period 2023").wait_for()
        expect(f"{in_2023['captures']:,} captures" in visit.sentence(), visit.sentence())
        visit.page.get_by_role("link", name=HOST, exact=True).click()
        visit.page.locator("main h1", has_text=HOST).wait_for()
        expect("in the period 2023" in visit.sentence(), visit.sentence())
        visit.go(f"page?url={quote(PAGE, safe='')}&during=2021")
        expect(visit.page.get_by_label("Date").last.input_value() != "", "a slider")
        expect("at 2021-12-31" in visit.section("Neighbours").inner_text(), visit.section("Neighbours").inner_text()[:300])
        visit.go("web?during=2021")
        expect("2021-12-31" in visit.title(), visit.title())
        visit.go("diff?during=2021..2023")
        expect("From 2021 to 2023" in visit.title(), visit.title())


def test_the_tree_of_a_host(browser, server, archive):
    folders = server.json("api/v1/lib/urls", url=f"{HOST}/*", group="folder")["folders"]
    with visiting(browser, server.address) as visit:
        visit.go(VIEWS["host"])
        rows = visit.page.locator("table.tree tbody tr")
        expect(rows.count() == len(folders), f"{rows.count()} of {len(folders)}")
        opener = visit.page.get_by_role("button", name="What is below /tutorials/")
        opener.focus()
        visit.page.keyboard.press("Enter")
        below = server.json("api/v1/lib/urls", url=f"{HOST}/tutorials/*", group="folder")["folders"]
        visit.page.wait_for_function("count => document.querySelectorAll('table.tree tbody tr').length === count", arg=len(folders) + len(below))
        visit.page.keyboard.press("Enter")
        visit.page.wait_for_function("count => document.querySelectorAll('table.tree tbody tr').length === count", arg=len(folders))


def test_a_diff_goes_deeper(browser, server, archive):
    total = next(one for one in json.loads(run("diff", archive, "2021", "2023", "--json").stdout)["hosts"] if one["host"] == HOST)
    with visiting(browser, server.address) as visit:
        visit.go(VIEWS["diff"])
        visit.page.get_by_role("link", name=HOST, exact=True).click()
        visit.page.locator("main h1", has_text=f"{HOST}/*").wait_for()
        for kind, word in {"kept": "seen again", "vanished": "vanished", "not_seen": "were not seen since", "appeared": "appeared"}.items():
            expect(f"{total[f'pages_{kind}']:,} {'were ' if kind == 'kept' else ''}{word}" in visit.sentence(), f"{visit.sentence()} {total}")
        visit.section("Directories").get_by_role("link", name="/tutorials/", exact=True).click()
        visit.page.locator("main h1", has_text=f"{HOST}/tutorials/*").wait_for()
        expect(visit.page.get_by_role("link", name="All hosts").is_visible(), "the way up")


def test_keyboard_alone(browser, server, archive):
    with visiting(browser, server.address) as visit:
        visit.go("")
        keys = visit.page.keyboard
        keys.press("Tab")
        expect(visit.page.evaluate("document.activeElement.className") == "skip", "first the way past the header")
        visit.page.get_by_role("combobox", name="Find a page or host").focus()
        keys.type(PAGE.removeprefix("http://")[:-5], delay=5)
        visit.page.locator("#completions li:only-child", has_text=PAGE).wait_for()
        keys.press("ArrowDown")
        expect(visit.page.locator("#completions [aria-selected=true]").count() == 1, "one is chosen")
        keys.press("Enter")
        visit.page.locator("main h1", has_text=PAGE).wait_for()
        expect(visit.page.evaluate("document.activeElement.localName") == "h1", "the reader is at the new view")
        visit.page.locator(".stage").first.focus()
        keys.press("ArrowDown")
        expect("first seen 2021-08-14" in visit.page.locator(".strata .detail").first.inner_text(), "strata")
        keys.press("Enter")
        visit.page.locator("main h1").filter(has_not_text=PAGE).wait_for()
        expect("/page?url=" in visit.page.url, "the other end")
        visit.go("web")
        before = visit.title()
        visit.page.get_by_label("Date").focus()
        keys.press("Home")
        visit.page.locator("main .result", has_text="2021").wait_for()
        visit.page.locator(".network").focus()
        keys.press("ArrowRight")
        detail = visit.page.locator(".graph .detail").inner_text()
        expect("links to" in detail and before, detail)
        keys.press("+")
        keys.press("0")
        keys.press("Enter")
        visit.page.wait_for_url("**/host?host=*")


def test_axe_finds_nothing(browser, server, archive):
    if not AXE.is_file():
        return not_tried("axe-core is not in web/node_modules (make test-tools): the views were not checked with it")
    for scheme in ("light", "dark"):
        with visiting(browser, server.address, color_scheme=scheme) as visit:
            for view, address in VIEWS.items():
                visit.go(address)
                visit.page.wait_for_timeout(300)
                visit.check_with_axe(f"{view} {scheme}")


def test_hostile_addresses(browser, folder):
    bad = ["http://x.example/%3Cscript%3Ealert(1)%3C/script%3E?'\"><img src=x onerror=alert(1)>", "http://x.example/\u202egpj.exe", "http://x.example/" + "a" * 10_000]
    archive = archive_of(folder, "lib", [("http://a.example/<b>", "2020-01-01T00:00:00Z", bad), ("http://a.example/<b>", "2021-01-01T00:00:00Z", bad[:1])])
    with serving(archive) as server, visiting(browser, server.address) as visit:
        for view in ("", f"page?url={quote('http://a.example/<b>', safe='')}", f"page?url={quote(bad[0], safe='')}", "host?host=x.example", "web", "diff"):
            visit.go(view)
            visit.page.wait_for_timeout(200)
            expect(visit.page.locator("img, iframe, main script").count() == 0, f"{view[:80]}: an address became markup")
            expect("\u202e" not in visit.page.locator("body").inner_text(), "nothing turns the writing round")
            visit.tidy(view[:60])


FRAMES = """() => new Promise(done => { const times = []; let last = performance.now();
    const step = now => { times.push(now - last); last = now; times.length < 60 ? requestAnimationFrame(step) : done(times.slice(1)); };
    requestAnimationFrame(step); })"""


def test_two_thousand_nodes(browser, folder):
    """A network of 2,500 hosts is thinned to 2,000 with a note; a step in time fades. Times of frames are printed, not judged."""
    count = 2500
    name = "http://h{}.example/".format
    captures = [(name(i), f"{year}-01-01T00:00:00Z", [name((i * 7 + k * k * year) % count) for k in range(1, 5)]) for year in (2020, 2021) for i in range(count)]
    archive = archive_of(folder, "lib", captures)
    with serving(archive) as server, visiting(browser, server.address) as visit:
        visit.go("web?limit=2000&at=2021")
        expect("2,000 hosts" in visit.sentence() and "of 2,500" in visit.sentence(), visit.sentence())
        frames = sorted(visit.page.evaluate(FRAMES))
        print(f"2,000 nodes, first layout: median frame {frames[len(frames) // 2]:.1f} ms, slowest {frames[-1]:.1f} ms")
        visit.page.wait_for_timeout(3000)
        visit.page.get_by_role("button", name="2020-01").click()
        visit.page.locator("main .result", has_text="2020-01-01").wait_for()
        frames = sorted(visit.page.evaluate(FRAMES))
        print(f"2,000 nodes, a step in time: median frame {frames[len(frames) // 2]:.1f} ms, slowest {frames[-1]:.1f} ms")
        visit.page.screenshot(path=SHOTS / "page_web_2000.png")


def test_what_is_not_there(browser, server, archive):
    with visiting(browser, server.address) as visit:
        visit.go(f"page?url={quote('http://no.example/', safe='')}")
        expect("no.example" in visit.page.get_by_role("alert").inner_text(), "the server's own sentence")
        visit.go("nothing")
        expect("no view called nothing" in visit.page.get_by_role("alert").inner_text(), "an address without a view")
        visit.complaints = [one for one in visit.complaints if "404" not in one]


SCROLL = """() => new Promise(done => { const stage = document.querySelector('.stage'); const times = []; let last = performance.now();
    const step = now => { times.push(now - last); last = now; stage.scrollTop += 7; times.length < 100 ? requestAnimationFrame(step) : done(times.slice(5)); };
    requestAnimationFrame(step); })"""


def shared():
    """Thirty years of a real site: every view opens, also by night on a phone; a host of more than 20,000 URLs has births, deaths and
    neighbours. Times of frames are printed, not judged."""
    links = Path(os.environ["WEBSTRATA_SHARED"]) / "data" / "openbsd-www" / "links_all_versions.tsv.zst"
    if not links.is_file():
        skip(f"no {links.name}: the page was not opened with a real site")
    home = "https://www.openbsd.org/index.html"
    views = {"overview": "", "page": f"page?url={quote(home, safe='')}", "host": "host?host=www.openbsd.org", "web": "web?at=2010&limit=1000",
             "diff": "diff?from=2010&to=2020", "diff_host": "diff?from=2010&to=2020&url=www.openbsd.org/*", "ranks": "ranks", "runs": "runs"}
    with tempfile.TemporaryDirectory() as name, chromium() as browser:
        archive = Path(name) / "lib.ws"
        run("build", "--quiet", archive, links)
        with serving(archive) as server:
            for look, options in {"light": {}, "night": {"color_scheme": "dark", "viewport": {"width": 390, "height": 800}}}.items():
                with visiting(browser, server.address, **options) as visit:
                    visit.page.set_default_timeout(300_000)
                    for view, address in views.items():
                        visit.go(address)
                        expect(visit.page.get_by_role("alert").count() == 0, f"{view}: {visit.page.locator('main').inner_text()[:300]}")
                        visit.page.wait_for_timeout(1000)
                        visit.page.screenshot(path=SHOTS / f"page_openbsd_{view}_{look}.png", full_page=True)
                        visit.tidy(f"{view} {look}")
                        if view == "host":
                            expect(visit.page.locator(".years-map rect").count() > 100, "neighbours year by year")
                            hosts = server.json("api/v1/lib/hosts", match="www.openbsd.org")["hosts"]
                            expect([one["nodes"] for one in hosts if one["host"] == "www.openbsd.org"][0] > 20_000, f"a large host: {hosts}")
                        if view == "page" and look == "light":
                            visit.page.get_by_role("button", name="Higher rows").first.click(click_count=5)
                            frames = sorted(visit.page.evaluate(SCROLL))
                            print(f"frames while scrolling strata: median {frames[len(frames) // 2]:.1f} ms, slowest {frames[-1]:.1f} ms")
                    # What is counted for the first time may not be ready when a request ends: the page asks again, and the console says so.
                    visit.complaints = [one for one in visit.complaints if "503 (Service Unavailable)" not in one]
    return 0


def main():
    if "shared" in sys.argv[1:]:
        return shared()
    with tempfile.TemporaryDirectory() as name, chromium() as browser:
        folder = Path(name)
        archive = ranked_sample(folder)
        with serving(archive) as server:
            for test in (test_every_view, test_views_say_what_the_archive_says, test_addresses_and_the_way_back, test_the_brush_sets_the_period_of_every_view,
                         test_the_tree_of_a_host, test_a_diff_goes_deeper, test_keyboard_alone, test_axe_finds_nothing, test_what_is_not_there):
                test(browser, server, archive)
                print(f"{test.__name__}: good", flush=True)
        for test in (test_hostile_addresses, test_two_thousand_nodes):
            own = folder / test.__name__
            own.mkdir()
            test(browser, own)
            print(f"{test.__name__}: good", flush=True)
    return ending()


if __name__ == "__main__":
    sys.exit(main())
