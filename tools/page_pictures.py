#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the pictures in docs/pictures again: views of the page of `webstrata serve`.

    tools/page_pictures.py build/release/webstrata ../shared     # needs playwright (tests/requirements.txt) and chromium

The pictures show thirty years of www.openbsd.org (../shared/data/openbsd-www).
"""

import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from playwright.sync_api import sync_playwright

SOURCE = Path(__file__).resolve().parents[1]
PICTURES = SOURCE / "docs" / "pictures"
HOME = "https://www.openbsd.org/index.html"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]


@contextmanager
def serving(program, *arguments):
    process = subprocess.Popen([program, "serve", *map(str, arguments), "--port", "0"], stdout=subprocess.PIPE, text=True)
    try:
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        process.wait()


def open_view(page, base, view):
    page.goto(f"{base}a/lib/{view}")
    page.locator("main:not([aria-busy]) > h1").wait_for()
    page.wait_for_timeout(4000)  # a network comes to rest


def take(page, name, height, from_top="main h1"):
    """A picture of the page from an element on."""
    top = max(0, page.locator(from_top).first.bounding_box()["y"] - 14)
    page.screenshot(path=PICTURES / f"{name}.png", full_page=True, clip={"x": 0, "y": top, "width": page.viewport_size["width"], "height": height})


def pictures_of_openbsd(page, base):
    open_view(page, base, "")
    take(page, "overview", 760, "header.top")
    open_view(page, base, f"page?url={quote(HOME, safe='')}")
    take(page, "strata", 650, "section:has(.strata) h2")
    open_view(page, base, "host?host=www.openbsd.org")
    take(page, "host", 700, "section:has(.years-map) h2")
    open_view(page, base, "web?at=2010&limit=300")
    take(page, "web", 800, "section:has(.graph) h2")
    open_view(page, base, "diff?from=2000&to=2020&url=www.openbsd.org/*")
    take(page, "diff", 700)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    program, shared = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        archive = Path(name) / "lib.ws"
        subprocess.run([program, "build", "--quiet", archive, shared / "data" / "openbsd-www" / "links_all_versions.tsv.zst"], check=True)
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        with serving(program, archive) as base:
            page = browser.new_page(viewport={"width": 1100, "height": 900})
            page.set_default_timeout(120_000)
            pictures_of_openbsd(page, base)
        browser.close()


if __name__ == "__main__":
    main()
