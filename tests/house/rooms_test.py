"""Includes point one way: as the table in docs/ARCHITECTURE.md says, and the check can fail."""

import sys
import tempfile
from pathlib import Path

from rooms import read_table, wrong_includes

SOURCE = Path(__file__).resolve().parents[2]
TABLE = "| room | may use | lives there |\n| --- | --- | --- |\n| base | | x |\n| url | base | x |\n"


def house_with(folder, file, include):
    (folder / "docs").mkdir()
    (folder / "docs" / "ARCHITECTURE.md").write_text(TABLE)
    path = folder / "webstrata" / file
    path.parent.mkdir(parents=True)
    path.write_text(f'#include "webstrata/{include}"\n')
    return folder


def check(file, include, expected):
    with tempfile.TemporaryDirectory() as folder:
        found = wrong_includes(house_with(Path(folder), file, include))
        assert len(found) == expected, (file, include, found)


def main():
    check("url/key.cpp", "base/time.h", 0)
    check("base/time.cpp", "url/key.h", 1)  # points back
    check("cellar/wine.cpp", "base/time.h", 1)  # no such room
    check("url/deep/inside.h", "attic/box.h", 1)

    rooms = read_table(SOURCE / "docs" / "ARCHITECTURE.md")
    assert {"base", "url", "facts", "capture", "cli"} <= set(rooms), rooms
    wrong = wrong_includes(SOURCE)
    print("\n".join(wrong) or f"{len(rooms)} rooms, every include points the right way")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
