# SPDX-License-Identifier: Apache-2.0
"""Visits to the page that `webstrata serve` shows, in a browser that remembers everything that should not have happened."""

import sys
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote, urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "report"))
from browser import SHOTS, SOURCE, chromium, expect  # noqa: E402, F401
from verbs import archive_of, run, sample_archive  # noqa: E402, F401

PAGE = "http://python-quart-doc.docs.example/tutorials/installation.html"
HOST = "python-quart-doc.docs.example"
VIEWS = {"overview": "", "page": f"page?url={quote(PAGE, safe='')}", "host": f"host?host={HOST}", "web": "web", "diff": "diff?from=2021&to=2023",
         "diff_host": f"diff?from=2021&to=2023&url={HOST}/*", "ranks": "ranks", "runs": "runs"}
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

    def section(self, title):
        return self.page.locator("section", has=self.page.locator("h2", has_text=title))

    def check_with_axe(self, name):
        self.page.evaluate(AXE.read_text())
        found = self.page.evaluate("axe.run().then(found => found.violations.map(one => `${one.id}: ${one.nodes.slice(0, 3).map(node => node.html.slice(0, 120)).join(' ')}`))")
        expect(not found, f"{name}: {found}")

    def close(self):
        self.context.close()
        expect(not self.complaints, "; ".join(self.complaints[:10]))


@contextmanager
def visiting(browser, base, **options):
    visit = Visit(browser, base, **options)
    yield visit
    visit.close()


def ranked_sample(folder):
    """The sample with PageRank of both years."""
    archive = sample_archive(folder)
    for year in ("2021", "2023"):
        run("rank", "--quiet", f"{archive}@{year}", "--save", f"pagerank_{year}")
    return archive
