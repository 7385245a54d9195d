"""The documents agree with the program: every option and format is described, every example of the README runs."""

import re
import subprocess
import sys
import tempfile

from running import PROGRAM, SOURCE, expect, run


def test_extract_page_names_every_option_and_format():
    page = (SOURCE / "docs" / "extract.md").read_text()
    _, help_text, _ = run("extract", "--help")
    for option in set(re.findall(r"(--[a-z]+)", help_text)):
        expect(option in page, f"docs/extract.md says nothing about {option}")
    formats = help_text.split("zstd:\n", 1)[1].split("\n\n", 1)[0]
    for line in formats.splitlines():
        expect(f"`{line.split()[0]}`" in page, f"docs/extract.md says nothing about the format {line}")


def test_export_page_names_every_option_and_form():
    page = (SOURCE / "docs" / "export.md").read_text()
    _, help_text, _ = run("export", "--help")
    for option in set(re.findall(r"(--[a-z]+(?:-[a-z]+)*)", help_text)):
        expect(f"`{option}" in page, f"docs/export.md says nothing about {option}")
    forms = help_text.split("Forms:\n", 1)[1].split("\n\n", 1)[0]
    for line in forms.splitlines():
        expect(f"`{line.split()[0]}`" in page, f"docs/export.md says nothing about the form {line}")


def lines_of(document, heading):
    text = (SOURCE / document).read_text().split(heading, 1)[1].split("\n## ", 1)[0]
    return [line.strip() for line in text.splitlines() if line.startswith("    ")]


def test_examples_run():
    readme = [line for line in lines_of("README.md", "## Ten lines that work") if not line.startswith(("make", "webstrata="))]
    page = lines_of("docs/extract.md", "## Examples") + lines_of("docs/export.md", "## Examples")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["ln", "-s", SOURCE / "examples", f"{folder}/examples"], check=True)
        for line in readme + page:
            line = line.replace("$webstrata", PROGRAM)
            if line.startswith("webstrata "):
                line = line.replace("webstrata", PROGRAM, 1)
            done = subprocess.run(["bash", "-c", line], cwd=folder, capture_output=True, text=True)
            expect(done.returncode == 0, f"{line}\n{done.stderr}")
            expect(done.stdout or ">" in line, f"{line}: printed nothing")
    print(f"    {len(readme) + len(page)} examples")


def main():
    for name, test in sorted(globals().items()):
        if name.startswith("test_"):
            test()
            print(f"ok  {name[5:].replace('_', ' ')}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
