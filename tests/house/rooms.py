# SPDX-License-Identifier: Apache-2.0
"""Reads the tables of rooms and areas and finds includes that point the wrong way, permissions that nothing uses, names that two headers give away, tests that are not there, and large sources that do not explain themselves."""

import re
from pathlib import Path

ROW = re.compile(r"^\| ([\w/]+) \|([^|]*)\|")
NAMESPACE = re.compile(r"^namespace ([\w:]+) \{", re.MULTILINE)
TYPE = re.compile(r"^(?:class|struct|enum|enum class) (\w+)(?: final)?(?: : [^;{]*)? \{", re.MULTILINE)
TESTED = re.compile(r"Tested by((?:.|\n(?=(?://|#) ))*)")
TEST = re.compile(r"\btests/[\w./*]*\w")
OPENING = re.compile(r"(?:// SPDX.*\n)?\n*((?://.*\n)*)")
LINES_WITHOUT_ESSAY = 200
INCLUDE = re.compile(r'^\s*#include\s+["<]webstrata/([\w/]+)\.(?:h|inc)[">]', re.MULTILINE)


def read_table(architecture):
    """Which rooms each room may use, and which areas each area ("archive/disk"), from the tables in docs/ARCHITECTURE.md.
    The files at the top of a room with areas are an area of their own, named like the room."""
    text = architecture.read_text()
    rooms, areas = {}, {}
    for head, table in (("| room | may use |", rooms), ("| area | may use |", areas)):
        if head not in text:
            continue
        for line in text[text.index(head) :].split("\n\n")[0].splitlines():
            row = ROW.match(line)
            if row and row[1] not in ("room", "area"):
                prefix = row[1].split("/")[0] + "/" if table is areas else ""
                table[row[1]] = {prefix + word for word in row[2].split()}
    return rooms, areas


def place_of(parts, areas):
    """The room, and the area if the room has any, of a path below webstrata/."""
    room = parts[0]
    inner = f"{room}/{parts[1]}" if len(parts) > 2 else room
    has_areas = any(area.split("/")[0] == room for area in areas)
    return room, inner if has_areas else None


def includes(source):
    """File, and the parts of the path that it includes."""
    for path in sorted((source / "webstrata").rglob("*")):
        if path.suffix in {".h", ".cpp"}:
            for used in INCLUDE.findall(path.read_text()):
                yield path.relative_to(source), used.split("/")


def wrong_includes(source):
    """One line for every include that the tables do not allow, and for every permission that no include needs."""
    rooms, areas = read_table(source / "docs" / "ARCHITECTURE.md")
    wrong, needed = [], set()
    for path, used in includes(source):
        room, area = place_of(path.parts[1:], areas)
        used_room, used_area = place_of(used, areas)
        needed |= {(room, used_room), (area, used_area)}
        if room not in rooms:
            wrong.append(f"{path}: room {room} is not in the table")
        elif used_room != room and used_room not in rooms[room]:
            wrong.append(f"{path}: {room} may not use {used_room}")
        elif used_room == room and area is not None and area not in areas:
            wrong.append(f"{path}: area {area} is not in the table")
        elif used_room == room and area != used_area and used_area not in areas[area]:
            wrong.append(f"{path}: {area} may not use {used_area}")
    for table in (rooms, areas):
        wrong += [f"docs/ARCHITECTURE.md: {place} uses nothing of {used}: take it out of the table"
                  for place, uses in table.items() for used in sorted(uses) if (place, used) not in needed]
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


def without_essay(source):
    """One line for every large source that does not begin with what it does, how, and where it is tested."""
    missing = []
    for path in sorted((source / "webstrata").rglob("*.cpp")):
        text = path.read_text()
        opening = OPENING.match(text)[1]
        essay = opening.split("// Tested by")[0].splitlines()
        if text.count("\n") > LINES_WITHOUT_ESSAY and (len(essay) < 2 or "Tested by" not in opening):
            missing.append(f"{path.relative_to(source)}: begin it with what it does, how, and where it is tested")
    return missing


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
