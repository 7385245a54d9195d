# SPDX-License-Identifier: Apache-2.0
"""The page that `webstrata serve` shows: every view in a browser, with the keyboard, on a phone, and without trusting an address."""
# Also runs as: shared

import json
import os
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote, urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "report"))
from browser import SHOTS, SOURCE, chromium, expect  # noqa: E402
from not_tried import not_tried, skip  # noqa: E402
from serving import serving  # noqa: E402
from verbs import archive_of, run, sample_archive  # noqa: E402

PAGE = "http://python-quart-doc.docs.example/tutorials/installation.html"
HOST = "python-quart-doc.docs.example"
VIEWS = {"overview": "", "page": f"page?url={quote(PAGE, safe='')}", "host": f"host?host={HOST}", "web": "web", "diff": "diff?from=2021&to=2023", "ranks": "ranks"}
AXE = SOURCE / "web" / "node_modules" / "axe-core" / "axe.min.js"


class Visit:
    """A browser at the page; close() fails on anything that should not have happened."""

    def __init__(self, browser, base, **options):
        options.setdefault("viewport", {"width": 1280, "height": 900})
        self.base, self.complaints, self.requests = base, [], []
        self.context = browser.new_context(accept_downloads=True, **options)
        self.page = self.context.new_page()
        self.page.set_default_timeout(60_000)
        self.page.on("console", lambda message: message.type in ("error", "warning") and self.complaints.append(f"console: {message.text}"))
        self.page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        self.page.on("dialog", lambda dialog: (self.complaints.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        self.page.on("request", self.watch)

    def watch(self, request):
        self.requests.append(request.url)
        here, there = urlsplit(self.base), urlsplit(request.url)
        if there.scheme not in ("data", "blob") and there.netloc != here.netloc:
            self.complaints.append(f"request: {request.url[:200]}")

    def go(self, view):
        self.page.goto(f"{self.base}a/lib/{view}")
        self.arrived()

    def arrived(self):
        self.page.locator("main:not([aria-busy]) > h1").wait_for()

    def title(self):
        return self.page.locator("main h1").inner_text()

    def sentence(self):
        return self.page.locator("main .result").inner_text()

    def tidy(self, name):
        wide = self.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        expect(wide <= 0, f"{name}: {wide} pixels too wide")

    def close(self):
        self.context.close()
        expect(not self.complaints, "; ".join(self.complaints[:10]))


@contextmanager
def visiting(browser, base, **options):
    visit = Visit(browser, base, **options)
    yield visit
    visit.close()


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
        rows = visit.page.locator("section", has=visit.page.locator("h2", has_text="Who links here")).locator("tbody tr")
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


def test_things_to_take_away(browser, server, archive):
    with visiting(browser, server.address) as visit:
        for view, address in VIEWS.items():
            visit.go(address)
            visit.page.wait_for_timeout(300)
            visit.page.locator(".away summary").click()
            texts = visit.page.locator(".away code").all_inner_texts()
            expect(len(texts) == 3 and texts[0].startswith("webstrata ") and "webstrata.open(" in texts[1], f"{view}: {texts}")
            status, _, body = server.get(texts[2].removeprefix(server.address))
            expect(status == 200 and json.loads(body), f"{view}: {texts[2]} gives {status}")
            for name, start in {"CSV": b"", "SVG": b"<svg", "PNG": b"\x89PNG"}.items():
                with visit.page.expect_download() as waiting:
                    visit.page.locator(".away button", has_text=name).click()
                content = Path(waiting.value.path()).read_bytes()
                expect(len(content) > 50 and content.startswith(start) and b"var(--" not in content, f"{view}: {name}: {content[:60]}")


def test_axe_finds_nothing(browser, server, archive):
    if not AXE.is_file():
        return not_tried("axe-core is not in web/node_modules (make test-tools): the views were not checked with it")
    for scheme in ("light", "dark"):
        with visiting(browser, server.address, color_scheme=scheme) as visit:
            for view, address in VIEWS.items():
                visit.go(address)
                visit.page.wait_for_timeout(300)
                visit.page.evaluate(AXE.read_text())
                found = visit.page.evaluate("axe.run().then(found => found.violations.map(one => `${one.id}: ${one.nodes.slice(0, 3).map(node => node.html.slice(0, 120)).join(' ')}`))")
                expect(not found, f"{view} {scheme}: {found}")


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
    """Thirty years of a real site: every view opens, and the times of frames of its strata are printed, not judged."""
    links = Path(os.environ["WEBSTRATA_SHARED"]) / "data" / "openbsd-www" / "links_all_versions.tsv.zst"
    if not links.is_file():
        skip(f"no {links.name}: the page was not opened with a real site")
    home = "https://www.openbsd.org/index.html"
    with tempfile.TemporaryDirectory() as name, chromium() as browser:
        archive = Path(name) / "lib.ws"
        run("build", "--quiet", archive, links)
        with serving(archive) as server, visiting(browser, server.address) as visit:
            for view, address in {"overview": "", "page": f"page?url={quote(home, safe='')}", "host": "host?host=www.openbsd.org", "web": "web?at=2010&limit=1000",
                                  "diff": "diff?from=2010&to=2020"}.items():
                visit.go(address)
                expect(visit.page.get_by_role("alert").count() == 0, f"{view}: {visit.page.locator('main').inner_text()[:300]}")
                visit.page.wait_for_timeout(1000)
                visit.page.screenshot(path=SHOTS / f"page_openbsd_{view}.png", full_page=True)
                visit.tidy(view)
                if view == "page":
                    visit.page.get_by_role("button", name="Higher rows").first.click(click_count=5)
                    frames = sorted(visit.page.evaluate(SCROLL))
                    print(f"frames while scrolling: median {frames[len(frames) // 2]:.1f} ms, slowest {frames[-1]:.1f} ms")
            # The host has more URLs than the server answers about at once: the page says so, and so does the console.
            visit.complaints = [one for one in visit.complaints if "400 (Bad Request)" not in one]
    return 0


def main():
    if "shared" in sys.argv[1:]:
        return shared()
    with tempfile.TemporaryDirectory() as name, chromium() as browser:
        folder = Path(name)
        archive = sample_archive(folder)
        for year in ("2021", "2023"):
            run("rank", "--quiet", f"{archive}@{year}", "--save", f"pagerank_{year}")
        with serving(archive) as server:
            for test in (test_every_view, test_views_say_what_the_archive_says, test_addresses_and_the_way_back, test_keyboard_alone,
                         test_things_to_take_away, test_axe_finds_nothing, test_what_is_not_there):
                test(browser, server, archive)
                print(f"{test.__name__}: good", flush=True)
        (folder / "hostile").mkdir()
        test_hostile_addresses(browser, folder / "hostile")
        print("test_hostile_addresses: good")
    return 0


if __name__ == "__main__":
    sys.exit(main())
