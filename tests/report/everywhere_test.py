# SPDX-License-Identifier: Apache-2.0
"""A report by day and by night, on a phone, on paper, with the keyboard, for readers of screens, and without scripts."""

import re
import sys

from browser import SHOTS, expect, opened, run_tests

PHONE = {"width": 390, "height": 844}


def luminance(colour):
    """Relative luminance of WCAG 2."""
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a, b):
    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def colour_of(report, variable):
    return report.page.evaluate("""name => { const probe = document.createElement('i'); probe.style.color = `var(${name})`;
        document.body.append(probe); const colour = getComputedStyle(probe).color; probe.remove(); return colour; }""", variable)


def test_colours_can_be_read_by_day_and_night(browser, paths):
    papers = []
    for scheme in ("light", "dark"):
        with opened(browser, paths["sample"], color_scheme=scheme) as report:
            paper = colour_of(report, "--paper")
            papers.append(luminance(paper))
            expect(report.page.evaluate("getComputedStyle(document.body).backgroundColor") == paper, "the paper is used")
            for name in ("--ink", "--soft", "--accent"):
                for ground in (paper, colour_of(report, "--raised")):
                    expect(contrast(colour_of(report, name), ground) >= 4.5, f"{scheme}: {name} is too faint for text")
            for series in range(8):
                expect(contrast(colour_of(report, f"--series-{series}"), paper) >= 3, f"{scheme}: series {series} is too faint")
    expect(papers[0] > 0.8 > 0.05 > papers[1], f"white and black paper: {papers}")


def test_it_fits_on_a_phone(browser, paths):
    for kind in ("sample", "hostile", "empty"):
        with opened(browser, paths[kind], viewport=PHONE, color_scheme="dark", has_touch=True, is_mobile=True) as report:
            width = report.page.evaluate("document.documentElement.scrollWidth")
            expect(width <= PHONE["width"], f"{kind}: {width} pixels wide")
            if kind == "sample":
                report.page.screenshot(path=SHOTS / "phone.png", full_page=True)
                small = report.page.evaluate("""[...document.querySelectorAll('button, input')].filter(one => one.offsetParent)
                    .filter(one => one.offsetHeight < 24 || one.offsetWidth < 24).map(one => one.textContent)""")
                expect(not small, f"too small for a finger: {small}")


def test_pictures_follow_the_width(browser, paths):
    with opened(browser, paths["sample"]) as report:
        picture = report.section("Links born").locator(".picture svg")
        before = float(picture.get_attribute("width"))
        report.page.set_viewport_size(PHONE)
        report.page.wait_for_function("document.querySelector('.picture svg').getAttribute('width') < 400")
        expect(float(picture.get_attribute("width")) < before, "drawn again, narrower")


def test_it_prints(browser, paths):
    with opened(browser, paths["sample"], color_scheme="dark") as report:
        report.page.emulate_media(media="print")
        expect(luminance(report.page.evaluate("getComputedStyle(document.body).backgroundColor")) > 0.9, "white paper")
        expect(not report.section("Top pages").get_by_role("button", name="CSV").is_visible(), "no buttons")
        expect(report.section("Links born").get_by_role("button", name="died").is_visible(), "but the legend")
        (SHOTS / "print.pdf").write_bytes(report.page.pdf(format="A4"))


def test_everything_has_a_name(browser, paths):
    with opened(browser, paths["sample"]) as report:
        nameless = report.page.evaluate("""[...document.querySelectorAll('button, input, a, svg[role=img], [role=region], [role=group]')]
            .filter(one => !(one.getAttribute('aria-label') || one.textContent).trim()).map(one => one.outerHTML.slice(0, 100))""")
        expect(not nameless, f"without a name: {nameless}")
        expect(report.page.locator('svg[role="img"]').count() == 6, "pictures are told as pictures")
        expect(report.page.locator("h1").count() == 1 and report.page.locator("main").count() == 1, "one title, one main part")


def test_the_keyboard_reaches_everything(browser, paths):
    with opened(browser, paths["sample"]) as report:
        wanted = report.page.locator("button:enabled:visible, input:visible, a:visible").count()
        reached = set()
        for _ in range(wanted + 40):
            report.page.keyboard.press("Tab")
            reached.add(report.page.evaluate("""(() => { const one = document.activeElement;
                return one.matches('button, input, a') ? [...document.querySelectorAll('*')].indexOf(one) : -1 })()"""))
        expect(len(reached - {-1}) == wanted, f"reached {len(reached - {-1})} of {wanted}")


def test_without_scripts_it_says_what_it_is(browser, paths):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(paths["sample"].as_uri())
    text = page.locator("body").inner_text()
    expect("Every part of a report" in text and "Made-up numbers" in text, "title and subtitle")
    expect("scripts are switched off" in text, "why there is no more")
    context.close()


TESTS = [test_colours_can_be_read_by_day_and_night, test_it_fits_on_a_phone, test_pictures_follow_the_width, test_it_prints,
         test_everything_has_a_name, test_the_keyboard_reaches_everything, test_without_scripts_it_says_what_it_is]

if __name__ == "__main__":
    run_tests(TESTS, ["sample", "hostile", "empty"])
    sys.exit(0)
