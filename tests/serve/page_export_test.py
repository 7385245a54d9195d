# SPDX-License-Identifier: Apache-2.0
"""What every view of the page hands over: its data, its picture, and the same question as a command, in Python and as an API call,
each of which is really asked."""

import csv
import io
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import quote

sys.path.insert(0, str(Path(__file__).resolve().parent))
from visits import HOST, PAGE, VIEWS, chromium, expect, ranked_sample, run, visiting  # noqa: E402
from serving import PROGRAM, serving  # noqa: E402

WITHOUT_PICTURE = {"runs"}
WITHOUT_DATA = {"runs"}


def asked_in_shell(command, folder):
    """Its output; the program is called by its name, as a reader would."""
    paths = f"{Path(PROGRAM).parent}:{os.environ['PATH']}"
    done = subprocess.run(command, shell=True, cwd=folder, env={**os.environ, "PATH": paths}, capture_output=True, text=True, timeout=300)
    expect(done.returncode == 0, f"{command}: {done.returncode} {done.stderr[-500:]}")
    return done.stdout


def asked_in_python(line, folder):
    """The text of the result."""
    done = subprocess.run([sys.executable, "-c", f"import webstrata\nprint({line})"], cwd=folder, capture_output=True, text=True, timeout=300)
    expect(done.returncode == 0, f"{line}: {done.stderr[-800:]}")
    return done.stdout


def test_the_same_question_elsewhere(browser, server, folder):
    with visiting(browser, server.address) as visit:
        for view, address in VIEWS.items():
            visit.go(address)
            visit.page.locator(".away summary").click()
            command, python, api = visit.page.locator(".away code").all_inner_texts()
            if view != "runs":  # its command is the server itself
                asked_in_shell(command, folder)
            expect(asked_in_python(python, folder).strip(), f"{view}: {python} prints nothing")
            status, _, body = server.get(api.removeprefix(server.address))
            expect(status == 200 and json.loads(body), f"{view}: {api} gives {status}")
    expect("Links of" in (folder / "host.html").read_text() and "born" in (folder / "host.html").read_text(), "births and deaths of a host as a report")
    expect(PAGE in (folder / "page.html").read_text(), "strata as a report")


def test_commands_say_what_the_view_says(browser, server, folder):
    """The numbers of the command line are on the page."""
    with visiting(browser, server.address) as visit:
        visit.go(VIEWS["host"])
        visit.page.locator(".away summary").click()
        asked_in_shell(visit.page.locator(".away code").first.inner_text(), folder)
        report = json.loads((folder / "host.html").read_text().split('id="data"', 1)[1].split(">", 1)[1].split("</script>")[0].replace("\\u003c", "<"))
        plot = next(part for part in report["sections"] if part.get("title") == "Links born and died")
        born = {name: int(value) for name, value in zip(plot["categories"], plot["series"][0]["y"])}
        with visit.page.expect_download() as waiting:
            visit.page.locator(".away button", has_text="CSV").click()
        rows = list(csv.DictReader(io.StringIO(Path(waiting.value.path()).read_text())))
        by_year = {}
        for row in rows:
            by_year[row["period"][:len(next(iter(born)))]] = by_year.get(row["period"][:len(next(iter(born)))], 0) + int(row["links born"])
        expect({name: value for name, value in born.items() if value} == {name: value for name, value in by_year.items() if value}, f"{born} {by_year}")


def test_files(browser, server, folder):
    with visiting(browser, server.address) as visit:
        for view, address in VIEWS.items():
            visit.go(address)
            visit.page.wait_for_timeout(300)
            visit.page.locator(".away summary").click()
            wanted = {"CSV": b"", "SVG": b"<svg", "PNG": b"\x89PNG"}
            if view in WITHOUT_DATA:
                wanted.pop("CSV")
            if view in WITHOUT_PICTURE:
                wanted = {name: start for name, start in wanted.items() if name == "CSV"}
            expect(visit.page.locator(".away .tools button").count() == len(wanted), f"{view}: {visit.page.locator('.away .tools').inner_text()}")
            for name, start in wanted.items():
                with visit.page.expect_download() as waiting:
                    visit.page.locator(".away button", has_text=name).click()
                content = Path(waiting.value.path()).read_bytes()
                expect(len(content) > 50 and content.startswith(start) and b"var(--" not in content, f"{view}: {name}: {content[:60]}")


def test_names_that_a_shell_would_read(browser, folder):
    """A URL with quotes, dollars and stars is one word of the command, and one text of Python."""
    url = "http://a.example/it's?a=$HOME&b=`id`;c=*\"d\""
    (folder / "odd.jsonl").write_text(json.dumps({"url": url, "time": "2020-01-01T00:00:00Z", "status": 200, "links": [{"url": "http://b.example/", "kinds": "navigation"}]}))
    run("build", "--quiet", folder / "lib.ws", folder / "odd.jsonl")
    with serving(folder / "lib.ws") as server, visiting(browser, server.address) as visit:
        visit.go(f"page?url={quote(url, safe='')}")
        visit.page.locator(".away summary").click()
        command, python, _ = visit.page.locator(".away code").all_inner_texts()
        asked_in_shell(command, folder)
        expect("b.example" in (folder / "page.html").read_text(), command)
        expect("1" in asked_in_python(f"len({python}.links)", folder), python)


def main():
    with tempfile.TemporaryDirectory() as name, chromium() as browser:
        folder = Path(name)
        archive = ranked_sample(folder)
        with serving(archive) as server:
            for test in (test_the_same_question_elsewhere, test_commands_say_what_the_view_says, test_files):
                test(browser, server, folder)
                print(f"{test.__name__}: good", flush=True)
        (folder / "odd").mkdir()
        test_names_that_a_shell_would_read(browser, folder / "odd")
        print("test_names_that_a_shell_would_read: good")
    return 0


if __name__ == "__main__":
    sys.exit(main())
