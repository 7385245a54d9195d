# SPDX-License-Identifier: Apache-2.0
"""Opens pages in Debian's chromium and remembers everything that should not have happened."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from not_tried import skip  # noqa: E402

BUILD = Path(os.environ["WEBSTRATA_BUILD"])
PROGRAM = os.environ["WEBSTRATA_PROGRAM"]
SOURCE = Path(os.environ["WEBSTRATA_SOURCE"])
SHOTS = BUILD / "report_screenshots"  # to look at; nothing reads them
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync"]


def expect(truth, message):
    if not truth:
        raise AssertionError(message)


@contextmanager
def chromium():
    """A headless browser with a profile of its own."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        skip("no playwright for Python (tests/requirements.txt); reports were not opened in a browser")
    program = shutil.which("chromium")
    if not program:
        skip("no chromium (tools/packages.test); reports were not opened in a browser")
    SHOTS.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()


def make_page(kind):
    """The file of a page that tests/report/tools/make_report.cpp makes."""
    path = Path(tempfile.gettempdir()) / f"webstrata-report-{os.getpid()}-{kind}.html"
    subprocess.run([BUILD / "tests" / "make_report", kind, path], check=True)
    return path


class Opened:
    """A page that was opened from a file; bad() is what it did and must not do."""

    def __init__(self, browser, path, **options):
        options.setdefault("viewport", {"width": 1200, "height": 900})
        self.path = path
        self.complaints = []
        self.context = browser.new_context(accept_downloads=True, **options)
        self.page = self.context.new_page()
        self.page.set_default_timeout(120_000)  # a busy machine draws slowly; what never comes still fails
        self.page.on("console", self.hear)
        self.page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        self.page.on("dialog", self.dismiss)
        self.page.on("request", self.watch)
        self.page.on("popup", lambda popup: self.complaints.append(f"popup: {popup.url}"))
        self.page.goto(path.as_uri())
        self.data = json.loads(self.page.locator("#data").text_content())
        # Pictures are drawn once their widths are known, which may be after the page has loaded.
        self.page.wait_for_function("[...document.querySelectorAll('.picture')].every(one => one.clientWidth === 0 || one.hasChildNodes())")

    def hear(self, message):
        if message.type in ("error", "warning"):
            self.complaints.append(f"console: {message.text}")

    def dismiss(self, dialog):
        self.complaints.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def watch(self, request):
        if request.url != self.path.as_uri() and not request.url.startswith(("data:", "blob:")):
            self.complaints.append(f"request: {request.url[:200]}")

    def section(self, title):
        return self.page.locator("section", has=self.page.locator("h2", has_text=title))

    def part(self, title):
        """The data of a section."""
        return next(part for part in self.data["sections"] if part.get("title") == title)

    def downloaded(self, press):
        with self.page.expect_download() as waiting:
            press.click()
        return waiting.value.suggested_filename, Path(waiting.value.path()).read_bytes()

    def close(self):
        self.context.close()
        expect(not self.complaints, f"{self.path.name}: " + "; ".join(self.complaints[:10]))


@contextmanager
def opened(browser, path, **options):
    page = Opened(browser, path, **options)
    yield page
    page.close()


def run_tests(tests, kinds):
    """Each test gets the browser and the files of these pages by name."""
    paths = {}
    try:
        with chromium() as browser:
            for kind in kinds:
                paths[kind] = make_page(kind)
            for test in tests:
                test(browser, paths)
                print(f"{test.__name__}: good")
    finally:
        for path in paths.values():
            path.unlink(missing_ok=True)
