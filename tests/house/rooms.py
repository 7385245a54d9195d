"""Reads the table of rooms and finds includes that point the wrong way."""

import re
from pathlib import Path

ROW = re.compile(r"^\| (\w+) \|([^|]*)\|")
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
