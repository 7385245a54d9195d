"""The documents agree with the program: every option and format is described, every example of the README runs."""

import contextlib
import os
import re
import subprocess
import sys
import tempfile
import time

from running import PROGRAM, SOURCE, expect, run, run_tests


PAGES = {"extract.md": ["extract"], "build.md": ["build", "update"],
         "forget.md": ["forget"], "export.md": ["export"], "rank.md": ["rank"], "seeds.md": ["seeds"], "liverank.md": ["liverank"], "explore.md": ["explore"],
         "ask.md": ["info", "verify", "url", "captures", "links", "diff", "stats"], "probe.md": ["probe"], "crawl.md": ["crawl"]}
# Their examples ask the web: the sample of 2023, served here, in the file `hosts`.
WEB_PAGES = ("probe.md", "crawl.md")


def test_pages_name_every_option():
    for name, commands in PAGES.items():
        page = (SOURCE / "docs" / name).read_text()
        for command in commands:
            code, help_text, _ = run(command, "--help")
            expect(code == 0 and "Example" in help_text, f"{command} --help shows no example")
            for option in set(re.findall(r"(--[a-z]+(?:-[a-z]+)*)", help_text.split("Example")[0])):
                expect(option in page, f"docs/{name} says nothing about {option} of {command}")


def test_pages_name_every_format():
    page = (SOURCE / "docs" / "extract.md").read_text()
    formats = run("extract", "--help")[1].split("zstd:\n", 1)[1].split("\n\n", 1)[0]
    for line in formats.splitlines():
        expect(f"`{line.split()[0]}`" in page, f"docs/extract.md says nothing about the format {line}")


def test_pages_name_every_form_of_export():
    page = (SOURCE / "docs" / "export.md").read_text()
    forms = run("export", "--help")[1].split("Forms:\n", 1)[1].split("\n\n", 1)[0]
    for line in forms.splitlines():
        expect(f"`--as {line.split()[0]}`" in page, f"docs/export.md says nothing about the form {line}")


def test_pages_name_every_method_and_form_of_seeds():
    page = (SOURCE / "docs" / "seeds.md").read_text()
    help_text = run("seeds", "--help")[1]
    for heading, words in {"Methods:": "`{}`", "Forms:": "`--as {}`"}.items():
        for line in help_text.split(heading + "\n", 1)[1].split("\n\n", 1)[0].splitlines():
            expect(words.format(line.split()[0]) in page, f"docs/seeds.md says nothing about {line}")


def lines_of(document, heading):
    text = (SOURCE / document).read_text().split(heading, 1)[1].split("\n## ", 1)[0]
    return [line.strip() for line in text.splitlines() if line.startswith("    ")]


@contextlib.contextmanager
def served_sample(hosts):
    sample = SOURCE / "examples" / "sample"
    server = subprocess.Popen([sys.executable, SOURCE / "examples" / "serve_warc.py", hosts, sample / "2023.warc.gz", "--known", sample / "2021.warc.gz"])
    try:
        while not os.path.exists(hosts):
            expect(server.poll() is None, "the sample is not served")
            time.sleep(0.05)
        yield
    finally:
        server.terminate()
        server.wait(20)


def run_examples(lines, with_web=False):
    """In one shell's folder, one after the other; words that a line defines are there for the next."""
    defined = ""
    with tempfile.TemporaryDirectory() as folder, served_sample(f"{folder}/hosts") if with_web else contextlib.nullcontext():
        subprocess.run(["ln", "-s", SOURCE / "examples", f"{folder}/examples"], check=True)
        for line in lines:
            line = line.replace("$webstrata", PROGRAM)
            line = re.sub(r"(^|&& )webstrata ", lambda found: f"{found[1]}{PROGRAM} ", line)
            if re.match(r"[a-z]+=|export ", line):
                defined += line + "\n"
                continue
            done = subprocess.run(["bash", "-c", defined + line], cwd=folder, capture_output=True, text=True)
            expect(done.returncode == 0, f"{line}\n{done.stderr}")
            expect(done.stdout or done.stderr or ">" in line or "--quiet" in line, f"{line}: printed nothing")


def test_examples_run():
    readme = [line for line in lines_of("README.md", "## Ten lines that work") if not line.startswith(("make", "webstrata="))]
    run_examples(readme)
    count = len(readme)
    for name in PAGES:
        page = lines_of(f"docs/{name}", "## Examples")
        run_examples(page, name in WEB_PAGES)
        count += len(page)
    print(f"    {count} examples")


def main():
    return run_tests(globals())


if __name__ == "__main__":
    sys.exit(main())
