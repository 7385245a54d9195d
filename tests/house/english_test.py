# SPDX-License-Identifier: Apache-2.0
"""Plain English where users read it: help texts, messages of C++ and Python, documents, notebooks and the demo have none of the idioms
below, and no file has a code that the repository does not define. What is found is shown with what to write instead."""

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

SOURCE = Path(os.environ["WEBSTRATA_SOURCE"])
PROGRAM = os.environ["WEBSTRATA_PROGRAM"]
COMMANDS = ("extract", "build", "update", "forget", "verify", "info", "url", "captures", "links", "diff", "stats", "export", "rank", "seeds",
            "liverank", "liverank plan", "liverank learn", "explore", "probe", "crawl")

IDIOMS = [(re.compile(pattern), instead) for pattern, instead in (
    (r"\b[Tt](ells?|old)\b", "prints, reports, shows, says"),
    (r"\b[Ss]o (many|long|much)\b", "N, the number of, the length of"),
    (r"\b[Bb]ehind\b", "after"),
    (r"\b[Bb]eside\b", "next to, besides"),
    (r"\banew\b", "again, from scratch"),
    (r"\b(looks|turn(s|ed|ing)?|turning links|links turned) round\b|\bround (a|the|its) (link|page)", "around; invert"),
    (r"\b(one|object|urls?|names?|requests?|pages?) a (line|day)\b", "per line, per day"),
    (r"(?<![Tt]here )\b(is|are) no (?!longer\b|better\b|worse\b|larger\b|more than\b)[a-z']", "is not a"),
    (r"\bof no (known )?(format|kind|form)\b", "unrecognised, unknown"),
    (r"\b(stands(?! for)|lies)\b", "is"),
    (r"\b(under way|comes? home|goes on|go on)\b", "in flight, finish, continues"),
    (r"\b([Nn]obody|[Ss]omebody|[Ww]hoever)\b", "name who: the user, another process, the caller"),
    (r"\bthat there is not\b|\bthat is not there\b", "a missing …"),
    (r"\b(gives? way|ha(s|ve) no more)\b", "is replaced by, no longer has"),
    (r"\b[Tt]ak(e|es|en|ing) (it |them |more )?in(to)?\b|\bfor good\b", "import, delete permanently"),
    (r"\bknows? no\b", "has no"),
    (r"\bsound\b", "valid"),
)]
URL = (re.compile(r"(?<![-`/.\w<@])urls?\b(?![-=(:./])"), "URL")

# Text that may stay, with the reason.
ALLOWED = {
    "links that are no URLs left out": "a field of the JSON output",
    "sightings of forgotten urls": "a field of the JSON output",
    "forgotten urls": "a field of the JSON output",
    "JSON lines with url, time and links": "the names of the fields",
    "url time status digest length": "the names of the columns",
    "node, url, score": "the names of the fields",
    "depth of its url": "the name of a feature in the output",
    "digits in its url": "the name of a feature in the output",
    "length of its url": "the name of a feature in the output",
}
# Rooms whose messages only users of the command line see.
ROOMS_WITH_FLAGS = ("webstrata/cli/", "webstrata/words/", "webstrata/show/")
FLAG = re.compile(r"(?<![\w-])--[a-z][\w-]*")

CODES = re.compile(r"\b(LR-[A-Z]\d|EX-\d|AG-\d|[Mm]ission ([A-Z]{2}-)?\d)")


def idioms_in(text, prose_urls=True):
    """(found, what to write instead) for each idiom in a sentence."""
    text = re.sub(r"(?m)^( +|Usage: )webstrata .*$|^  url +", "", text)  # examples, and the command `url`
    for sentence in ALLOWED:
        text = text.replace(sentence, "")
    return [(match.group(0), instead) for pattern, instead in [*IDIOMS, *([URL] if prose_urls else [])] for match in pattern.finditer(text)]


TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\((?:.*?)\)\1"|"((?:[^"\\\n]|\\.)*)"|\'(?:[^\'\\\n]|\\.)+\'', re.DOTALL)


def sentences_of(code):
    """(line, text) of each string literal with a space in it; neighbours are one."""
    found, end = [], -1
    for match in TOKEN.finditer(code):
        if match.group(2) is None:
            continue
        is_next = found and code[end:match.start()].strip() == ""
        if is_next:
            found[-1] = (found[-1][0], found[-1][1] + match.group(2))
        else:
            found.append((code.count("\n", 0, match.start()) + 1, match.group(2)))
        end = match.end()
    return [(line, text.replace("\\n", "\n")) for line, text in found if " " in text]


def python_sentences_of(code):
    """(line, text) of each string with a space in it, docstrings included, without the examples in them; of an f-string its fixed parts."""
    texts = ((node.lineno, node.value) for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Constant) and isinstance(node.value, str))
    return [(line, re.sub(r"(?ms)``[^`]*``|`[^`]*`|^ +>>> .*?(?=^\s*$|\Z)", "", text)) for line, text in texts if " " in text]


def problems_in_messages(files):
    """The texts of C++ sources, or of Python's if the name of a file says so."""
    return [f"{name}:{line}: \"{text}\": {found!r}; write: {instead}"
            for name, code in files for line, text in (python_sentences_of if name.endswith(".py") else sentences_of)(code)
            for found, instead in idioms_in(text)]


def flags_in_messages(files):
    """Python shows the messages of the library, too: they name the thing, not the flag of the command line."""
    return [f"{name}:{line}: \"{text}\": {match.group(0)} is a flag of the command line: name the thing instead"
            for name, code in files if not name.startswith(ROOMS_WITH_FLAGS) for line, text in sentences_of(code) for match in FLAG.finditer(text)]


def problems_in_help(pages):
    return [f"webstrata {command} --help: {found!r}; write: {instead}: {line.strip()}"
            for command, text in pages for line in text.splitlines() for found, instead in idioms_in(line)]


def prose_of(name, text):
    """(line number, sentence): no code blocks, nothing between backquotes; of the tables of rooms only what the rooms contain."""
    is_code = False
    for number, line in enumerate(text.splitlines(), 1):
        is_code ^= line.startswith("```")
        if not is_code and not line.startswith(("    ", "```")):
            row = re.match(r"\| [\w/]+ \|[^|]*\|", line) if name.endswith("ARCHITECTURE.md") else None
            yield number, re.sub(r"`[^`]*`", "", line[row.end():] if row else line)


def problems_in_documents(files):
    return [f"{name}:{number}: {found!r}; write: {instead}: {line.strip()[:120]}"
            for name, text in files for number, line in prose_of(name, text) for found, instead in idioms_in(line)]


def notebooks():
    """The text of each notebook, without code and output."""
    for name, text in read("examples/notebooks/*.ipynb"):
        cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "markdown"]
        yield name, "\n".join("".join(cell["source"]) for cell in cells)


def demo():
    """What the demo says."""
    return [(name, "\n".join(re.findall(r'(?m)^say "(.*)"$', text))) for name, text in read("examples/demo.sh")]


def codes_in(files):
    return [f"{name}:{number}: {match.group(0)!r} is a code that the repository does not define: {line.strip()[:120]}"
            for name, text in files for number, line in enumerate(text.splitlines(), 1) for match in CODES.finditer(line)]


def read(*patterns):
    paths = sorted({path for pattern in patterns for path in SOURCE.glob(pattern)})
    names = [(str(path.relative_to(SOURCE)), path) for path in paths if path.is_file()]
    return [(name, path.read_text()) for name, path in names]


def help_pages():
    return [(command, subprocess.run([PROGRAM, *command.split(), "--help"], capture_output=True, text=True, check=True).stdout)
            for command in ["", *COMMANDS]]


def check_that_it_can_fail():
    planted = 'say("the file is told of, so many times");  // nobody reads comments\n'
    assert len(problems_in_messages([("planted.cpp", planted)])) == 2, problems_in_messages([("planted.cpp", planted)])
    split = 'refuse("the list is "\n       "no list of urls");\n'
    assert len(problems_in_messages([("planted.cpp", split)])) == 2, problems_in_messages([("planted.cpp", split)])
    planted = 'refuse("--delay 3: not a time"); f("--x");\n'
    assert len(flags_in_messages([("webstrata/jobs/x.cpp", planted)])) == 1 and flags_in_messages([("webstrata/cli/x.cpp", planted)]) == []
    assert problems_in_messages([("good.cpp", 'say("the list is empty: give one URL per line"); f("url");')]) == []
    assert len(problems_in_help([("x", "  --n N    At most so many, one a line\n")])) == 2
    assert len(problems_in_documents([("x.md", "The writer lies beside it.\n\n    lies beside\n\n```\nlies\n```\n")])) == 2
    assert len(problems_in_messages([("x.py", 'raise Error(f"the file {name} is told of, so many times")  # nobody reads comments\n')])) == 2
    assert len(codes_in([("x.h", "// as LR-T1 says (mission 3.4)\n")])) == 2 and codes_in([("x.h", "// UTF-8, SHA-1, permission 3\n")]) == []
    print("ok  planted sentences are found")


def main():
    check_that_it_can_fail()
    problems = problems_in_help(help_pages()) + problems_in_messages(
        read("webstrata/**/*.cpp", "webstrata/**/*.h", "python/**/*.cpp", "python/**/*.h", "python/**/*.py", "examples/**/*.py"))
    problems += flags_in_messages(read("webstrata/**/*.cpp", "webstrata/**/*.h"))
    this = Path(__file__).name
    problems += codes_in([file for file in read("webstrata/**/*.cpp", "webstrata/**/*.h", "python/**/*.py", "python/**/*.cpp", "tests/**/*.py",
                                                "tests/**/*.cpp", "tests/**/*.h", "docs/**/*.md", "bench/**/*.cpp", "bench/**/*.py", "*.md")
                          if not file[0].endswith(this)])
    problems += problems_in_documents([*read("*.md", "docs/**/*.md", "examples/**/*.md"), *notebooks(), *demo()])
    for problem in problems:
        print(problem)
    print(f"{len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
