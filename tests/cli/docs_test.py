# SPDX-License-Identifier: Apache-2.0
"""The documents agree with the program: every option and format is described, every example runs and prints what its page shows."""

import collections
import contextlib
import os
import re
import subprocess
import sys
import tempfile
import time

from running import PROGRAM, SOURCE, expect, run, run_tests


PAGES = {"extract.md": ["extract"], "build.md": ["build", "update", "compact"],
         "forget.md": ["forget"], "export.md": ["export"], "rank.md": ["rank"], "seeds.md": ["seeds"], "liverank.md": ["liverank"], "explore.md": ["explore"],
         "ask.md": ["info", "verify", "url", "captures", "links", "diff", "stats"], "probe.md": ["probe"], "crawl.md": ["crawl"], "frontier.md": ["frontier"], "serve.md": ["serve", "replay"]}
# Pages that are about the project itself, not about using it.
WITHOUT_EXAMPLES = {"ARCHITECTURE.md", "BENCHMARKS.md", "COMPARED.md", "DEPENDENCIES.md", "FORMAT.md", "GLOSSARY.md", "METHODS.md", "RELIABILITY.md", "SCALE.md"}
# Pages whose examples another test runs, with what it needs.
ELSEWHERE = {"SPARK.md": "tests/spark/documents_test.py", "python.md": "tests/python/documents_test.py",
             "api.md": "tests/serve/documents_test.py", "serve.md": "tests/serve/documents_test.py"}


# Options that many commands have, and docs/command_line.md describes.
COMMON = {"--as", "--header", "--no-header", "--quiet", "--color", "--config", "--no-config", "--include"}


def test_pages_name_every_option():
    common = (SOURCE / "docs" / "command_line.md").read_text()
    for option in COMMON:
        expect(f"`{option}" in common, f"docs/command_line.md says nothing about {option}")
    for name, commands in PAGES.items():
        page = (SOURCE / "docs" / name).read_text()
        for command in commands:
            code, help_text, _ = run(command, "--help")
            expect(code == 0 and "Example" in help_text, f"{command} --help shows no example")
            for option in set(re.findall(r"(--[a-z]+(?:-[a-z]+)*)", help_text.split("Example")[0])):
                expect(option in page or option in COMMON, f"docs/{name} says nothing about {option} of {command}")


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


# ---- examples
#
# An indented block whose first line is a command is an example, and every line of it is run. Where a line begins with "$ ",
# only such lines are commands, and the lines after one are what it prints (to standard error if it prints nothing else): "…"
# for any lines. A command with a word in capitals (ARCHIVE, GRAPH) is a synopsis: it is not run, but its options must exist.

COMMAND = re.compile(r"(\$ |webstrata |webstrata-spark |\$webstrata |export |printf |[a-z]+=)")
PLACEHOLDER = re.compile(r"(?:^| )[A-Z]+(?:\.\.\.|…|\||,| |$)")
Example = collections.namedtuple("Example", "line shown")  # shown: lines, or None where the page does not say


def blocks_of(text):
    """The indented blocks of a page, fenced code aside."""
    text = "\n\n" + re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
    for found in re.finditer(r"(?<=\n\n)(?:    .*(?:\n|\Z))+", text):
        yield [line[4:] for line in found[0].splitlines()]


def examples_of(text):
    examples = []
    for block in blocks_of(text):
        if not COMMAND.match(block[0]):
            continue
        shows_output = any(line.startswith("$ ") for line in block)
        for line in block:
            if not shows_output:
                examples.append(Example(re.sub(r" +# .*", "", line), None))
            elif line.startswith("$ "):
                examples.append(Example(re.sub(r" +# .*", "", line[2:]), []))
            else:
                examples[-1].shown.append(line)
    return [example if example.shown else example._replace(shown=None) for example in examples]


def page_examples(name):
    """Those of the section Examples, then the others: they may use what the section made. And the synopses."""
    text = (SOURCE / name).read_text()
    before, _, rest = text.partition("\n## Examples\n")
    section, heading, after = rest.partition("\n## ")
    found = [example for part in (section, before, heading + after) for example in examples_of(part)]
    synopses = [example.line for example in found if PLACEHOLDER.search(example.line)]
    return [example for example in found if example.line not in synopses], synopses


def matches(shown, printed):
    pattern = "".join("(?:.*\\n)*?" if line.strip() == "…" else ".*?".join(map(re.escape, line.rstrip().split("…"))) + " *\\n" for line in shown)
    return re.fullmatch(pattern, printed if printed.endswith("\n") else printed + "\n") is not None


@contextlib.contextmanager
def served_sample(hosts):
    sample = SOURCE / "examples" / "sample"
    server = subprocess.Popen([PROGRAM, "replay", sample / "2023.warc.gz", "--known", sample / "2021.warc.gz", "--hosts", hosts, "--port", "0", "--quiet"], stdout=subprocess.DEVNULL)
    try:
        while not os.path.exists(hosts):
            expect(server.poll() is None, "the sample is not served")
            time.sleep(0.05)
        yield
    finally:
        server.terminate()
        server.wait(20)


def outputs_of(line):
    """The files and folders that a command is to write."""
    return re.findall(r"(?:> ?|--report |--csv |--cores |--out )([\w./-]+)", line)


def run_examples(examples):
    """Runs them in one folder, in order; variables that a line sets are known to the next. Returns how many showed their
    output."""
    defined, compared = "", 0
    asks_the_web = any("--hosts hosts" in example.line for example in examples)
    with tempfile.TemporaryDirectory() as folder, served_sample(f"{folder}/hosts") if asks_the_web else contextlib.nullcontext():
        subprocess.run(["ln", "-s", SOURCE / "examples", f"{folder}/examples"], check=True)
        os.mkdir(f"{folder}/bin")
        os.symlink(PROGRAM, f"{folder}/bin/webstrata")
        environment = {**os.environ, "PATH": f"{folder}/bin:{os.environ['PATH']}", "webstrata": "webstrata"}
        for line, shown in examples:
            if re.match(r"[a-z]+=|export ", line):
                defined += line + "\n"
                continue
            done = subprocess.run(["bash", "-c", f"set -euo pipefail\n{defined}{line}"], cwd=folder, env=environment, capture_output=True, text=True)
            expect(done.returncode == 0, f"{line}\nexit code {done.returncode}: {done.stderr}")
            printed = done.stdout or done.stderr
            written = outputs_of(line)
            for path in written:
                expect(os.path.isdir(f"{folder}/{path}") or os.path.getsize(f"{folder}/{path}") > 0, f"{line}: {path} is empty")
            if shown is None:
                expect(printed or written or "--quiet" in line or " -q " in line, f"{line}: printed nothing")
            else:
                expect(matches(shown, printed), f"{line}\n--- the page shows\n" + "\n".join(shown) + f"\n--- it prints\n{printed[:3000]}")
                compared += 1
    return compared


def test_the_checks_can_fail():
    expect(matches(["a …", "…", "z"], "a b c\nd\ne\nz\n") and matches(["…", "z"], "z\n"), "what is left out may be anything")
    for shown, printed in ((["a"], "b\n"), (["a"], "a\nb\n"), (["a", "b"], "a\n"), (["a …"], "a\n"), (["…", "z"], "a\ny\n")):
        expect(not matches(shown, printed), f"{shown} is not {printed!r}")
    text = "Text\n\n    $ webstrata info lib.ws     # why\n    pages 3\n\nand\n\n    webstrata a\n    webstrata b\n\n    not a command\n"
    expect(examples_of(text) == [("webstrata info lib.ws", ["pages 3"]), ("webstrata a", None), ("webstrata b", None)], examples_of(text))
    for lines in (["false | true"], ["true"], ["printf '' > empty"], ["no-such-program"]):
        try:
            run_examples([Example(line, None) for line in lines])
        except (AssertionError, OSError):
            continue
        raise AssertionError(f"{lines} passes")


def test_readme_runs():
    section = (SOURCE / "README.md").read_text().split("\n## Try it\n", 1)[1].split("\n## ", 1)[0]
    examples = [example for example in examples_of(section.replace("\n    make build ", "\n    webstrata=")) if not example.line.startswith("webstrata=")]
    expect(len(examples) >= 12, f"only {len(examples)} examples")
    for reader in ("archivists", "web scientists", "crawl engineers"):
        expect(len(examples_of(section.split(f"### For {reader}\n")[1].split("\n### ")[0])) == 3, f"not three commands for {reader}")
    run_examples(examples)


def test_examples_of_pages_run():
    count = compared = 0
    for path in sorted((SOURCE / "docs").glob("*.md")):
        examples, _ = page_examples(f"docs/{path.name}")
        if path.name in ELSEWHERE:
            expect((SOURCE / ELSEWHERE[path.name]).exists(), f"no test runs {path.name}")
            continue
        if not examples:
            expect(path.name in WITHOUT_EXAMPLES, f"docs/{path.name} has no examples")
            continue
        expect(path.name not in WITHOUT_EXAMPLES, f"docs/{path.name} has examples: take it off the list")
        start = time.monotonic()
        shown = run_examples(examples)
        expect(shown > 0, f"docs/{path.name} shows what none of its examples prints")
        print(f"    {path.name}: {len(examples)} examples, {shown} with what they print ({time.monotonic() - start:.0f} s)", flush=True)
        count, compared = count + len(examples), compared + shown
    print(f"    {count} examples, {compared} with what they print")


def test_synopses_name_options_that_exist():
    count = 0
    for path in sorted((SOURCE / "docs").glob("*.md")):
        for line in page_examples(f"docs/{path.name}")[1]:
            words = line.split()
            code, help_text, _ = run(words[1], *([words[2]] if words[2] in ("plan", "learn") else []), "--help")
            expect(code == 0, f"docs/{path.name}: {line}: there is no such command")
            for option in re.findall(r"--[a-z]+(?:-[a-z]+)*", line):
                expect(option in help_text, f"docs/{path.name}: {line}: {words[1]} has no {option}")
            count += 1
    expect(count > 10, f"only {count} synopses")


def main():
    return run_tests(globals())


if __name__ == "__main__":
    sys.exit(main())
