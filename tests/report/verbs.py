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


def result(report):
    """The sentence at the top."""
    return report.page.locator("header .result").inner_text()


def lines_of(report):
    """For each picture of lines: its title, [(name at an end, its box, its colour)], the right edge of the picture, and
    {name in the legend: colour} of those that are not grey."""
    return report.page.evaluate("""[...document.querySelectorAll('section.figure')].filter(one => one.querySelector('g[aria-label="line"]')).map(one => {
        const box = text => { const { left, right, top, bottom } = text.getBoundingClientRect(); return { left, right, top, bottom }; };
        const plain = colour => colour.includes('--quiet') ? null : colour;
        const swatches = [...one.querySelectorAll('.legend button')].filter(entry => entry.querySelector('svg'));
        return { title: one.querySelector('h2').textContent,
            labels: [...one.querySelectorAll('g[aria-label="line label"] text')].map(text => [text.textContent, box(text), text.getAttribute('fill')]),
            right: one.querySelector('.picture svg').getBoundingClientRect().right,
            legend: Object.fromEntries(swatches.map(entry => [entry.title, plain(entry.querySelector('line, rect').getAttribute('stroke') ?? 'var(--quiet)')])) };
    })""")


def expect_lines(report):
    """At most six lines of a picture are in colour, each with its name at its end, none over another; a name has one colour
    on the whole page, and no two of a picture have the same."""
    colours = {}
    for picture in lines_of(report):
        title, labels = picture["title"], picture["labels"]
        loud = {name: colour for name, colour in picture["legend"].items() if colour}
        expect(len(labels) <= 6 and len(loud) <= 6, f"{title}: {len(labels)} names, {len(loud)} in colour")
        expect(len(set(loud.values())) == len(loud), f"{title}: two lines of one colour: {loud}")
        expect({colour for _, _, colour in labels} <= set(loud.values()), f"{title}: names have other colours than their lines")
        for name, box, _ in labels:
            expect(box["right"] <= picture["right"] + 1, f"{title}: {name} is cut off")
        for i, (name, a, _) in enumerate(labels):
            for other, b, _ in labels[i + 1:]:
                covers = a["left"] < b["right"] and b["left"] < a["right"] and a["top"] < b["bottom"] - 3 and b["top"] < a["bottom"] - 3
                expect(not covers, f"{title}: {name} / {other}")
        for name, colour in loud.items():
            expect(colours.setdefault(name, colour) == colour, f"{title}: {name} is {colour}, and {colours[name]} elsewhere")
    return colours


def expect_readable(report):
    """Words on axes, at lines and next to nodes do not overlap, and nothing is wider than the page. The result is on top."""
    expect(result(report).endswith("."), f"no result in a sentence: {result(report)!r}")
    expect_lines(report)
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
