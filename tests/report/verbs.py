# SPDX-License-Identifier: Apache-2.0
"""Helpers of the tests that open what a command draws."""

import json
import subprocess

from browser import PROGRAM, SHOTS, SOURCE, expect, opened

SAMPLE = SOURCE / "examples" / "sample"


def run(*words, code=0):
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True)
    expect(done.returncode == code, f"{words}: {done.returncode} {done.stderr}")
    return done


def sample_archive(folder):
    archive = folder / "lib.ws"
    run("build", "--quiet", archive, SAMPLE / "2021.warc.gz", SAMPLE / "2023.warc.gz")
    return archive


def archive_of(folder, name, captures):
    """An archive of JSON captures: [(URL, time, targets)]."""
    lines = [json.dumps({"url": url, "time": time, "status": 200, "links": [{"url": target, "kinds": "navigation"} for target in targets]})
             for url, time, targets in captures]
    (folder / f"{name}.jsonl").write_text("\n".join(lines))
    run("build", "--quiet", folder / f"{name}.ws", folder / f"{name}.jsonl")
    return folder / f"{name}.ws"


# Names of nodes that would be markup if not treated as text. Real URLs are percent-encoded before they get here.
HOSTILE = ['"><img src=x onerror=alert(1)>', "<script>alert(1)</script>", "</script><script>alert(2)</script>", "javascript:alert(3)",
           "data:text/html,<b>x</b>", "http://c.example/?&lt;b&gt;='"]


def hostile_graph(folder):
    """Each of them links to each other one."""
    (folder / "hostile.tsv").write_text("".join(f"{name}\t{other}\n" for name in HOSTILE for other in HOSTILE if name != other))
    return folder / "hostile.tsv"


def expect_texts(report, names):
    """These are on the page unchanged, and nothing became markup or a link to somewhere else."""
    texts = report.page.locator("body").inner_text()
    for name in names:
        expect(name in texts, f"{name} is not shown as it is")
    expect(report.page.locator("img, iframe, main script").count() == 0, "a name became markup")
    links = report.page.evaluate("[...document.querySelectorAll('a')].map(one => one.getAttribute('href'))")
    expect(all(link.startswith(("#", "http://", "https://")) for link in links), f"links that are none: {links}")


def curve(report, title, name):
    """The points of a series, from the data of the page; null is None."""
    series = next(series for series in report.part(title)["series"] if series["name"] == name)
    return list(zip(series.get("x", []), series.get("y", [])))


def dots(report, title):
    """Dots that are really drawn in a plot or drawing."""
    return report.section(title).locator('.picture g[aria-label="dot"] circle').count()


def expect_named_pictures(report, chance):
    """Every picture has a caption that names the seed it depends on."""
    for part in report.data["sections"]:
        if part["part"] in ("plot", "drawing"):
            expect(part["title"] and chance in part["caption"], f"{part['title']}: {part['caption']}")
            expect(report.page.get_by_text(part["caption"], exact=True).first.is_visible(), f"{part['title']}: the caption is not shown")


def expect_readable(report):
    """Words on axes and next to nodes do not overlap, and nothing is wider than the page."""
    found = report.page.evaluate("""[...document.querySelectorAll('.picture svg')].flatMap(svg => {
        const groups = ['x-axis tick label', 'y-axis tick label'].map(name => [...svg.querySelectorAll(`[aria-label="${name}"] text`)]);
        const labels = [...svg.querySelectorAll('g[aria-label="text"]')].at(-1);
        if (!groups[0].length && labels) groups.push([...labels.querySelectorAll('text')]);
        const boxes = group => group.map(one => [one.textContent, one.getBoundingClientRect()]);
        const cover = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 2 && b.top < a.bottom - 2;
        return groups.flatMap(group => boxes(group).flatMap(([name, a], i, all) =>
            all.slice(i + 1).filter(([, b]) => cover(a, b)).map(([other]) => `${svg.getAttribute('aria-label').slice(0, 30)}: ${name} / ${other}`)));
    })""")
    expect(not found, f"words cover each other: {found[:5]}")
    wide = report.page.evaluate("document.documentElement.scrollWidth - innerWidth")
    expect(wide <= 0, f"{wide} pixels too wide")


def expect_readable_on_phones(browser, page):
    """At 400 pixels, light and dark; screenshots are next to the others."""
    for scheme in ("light", "dark"):
        with opened(browser, page, viewport={"width": 400, "height": 800}, color_scheme=scheme) as report:
            report.page.screenshot(path=SHOTS / f"{page.stem}_phone_{scheme}.png", full_page=True)
            expect_readable(report)
