"""Reads the table of rooms and finds includes that point the wrong way, names that two headers give away, and tests that are not there."""

import re
from pathlib import Path

ROW = re.compile(r"^\| (\w+) \|([^|]*)\|")
NAMESPACE = re.compile(r"^namespace ([\w:]+) \{", re.MULTILINE)
TYPE = re.compile(r"^(?:class|struct|enum|enum class) (\w+)(?: final)?(?: : [^;{]*)? \{", re.MULTILINE)
TESTED = re.compile(r"Tested by((?:.|\n(?=(?://|#) ))*)")
TEST = re.compile(r"\btests/[\w./*]*\w")
INCLUDE = re.compile(r'^\s*#include\s+["<]webstrata/(\w+)/', re.MULTILINE)


def read_table(architecture):
    """Which rooms each room may use, from the table in docs/ARCHITECTURE.md."""
    table = {}
    text = architecture.read_text()
    for line in text[text.index("| room | may use |") :].split("\n\n")[0].splitlines():
        row = ROW.match(line)
        if row and row[1] != "room":
            table[row[1]] = set(table) if "all above" in row[2] else set(row[2].split())
    return table


def wrong_includes(source):
    """One line for every include that the table does not allow."""
    table = read_table(source / "docs" / "ARCHITECTURE.md")
    wrong = []
    for path in sorted((source / "webstrata").rglob("*")):
        if path.suffix not in {".h", ".cpp"}:
            continue
        room = path.relative_to(source / "webstrata").parts[0]
        for used in INCLUDE.findall(path.read_text()):
            if room not in table:
                wrong.append(f"{path.relative_to(source)}: room {room} is not in the table")
            elif used != room and used not in table[room]:
                wrong.append(f"{path.relative_to(source)}: {room} may not use {used}")
    return wrong


def repeated_names(source):
    """One line for every type that two headers define under the same full name: the linker would mix them up in silence."""
    places = {}
    for path in sorted((source / "webstrata").rglob("*.h")):
        text = path.read_text()
        namespace = NAMESPACE.search(text)
        for name in TYPE.findall(text):
            full = f"{namespace[1]}::{name}" if namespace else name
            places.setdefault(full, []).append(str(path.relative_to(source)))
    return [f"{name}: {' and '.join(where)}" for name, where in places.items() if len(where) > 1]


def missing_tests(source):
    """One line for every test that a "Tested by" names, with or without stars, and that is not there."""
    missing = []
    for folder in ("webstrata", "python"):
        for path in sorted((source / folder).rglob("*")):
            if path.suffix not in {".h", ".cpp", ".py"}:
                continue
            for comment in TESTED.findall(path.read_text()):
                missing += [f"{path.relative_to(source)}: there is no {test}" for test in TEST.findall(comment)
                            if not any(source.glob(test))]
    return missing
