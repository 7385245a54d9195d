# SPDX-License-Identifier: Apache-2.0
"""Includes point one way, as the tables in docs/ARCHITECTURE.md say, and need all that the tables allow; a type has one header; tests that comments name are there;
large sources begin with an essay; and the checks can fail."""

import sys
import tempfile
from pathlib import Path

from rooms import missing_tests, read_table, repeated_names, without_essay, wrong_includes

SOURCE = Path(__file__).resolve().parents[2]
TABLE = """| room | may use | contents |
| --- | --- | --- |
| base | | x |
| url | base | x |

| area | may use | contents |
| --- | --- | --- |
| url/deep | | x |
| url | deep | x |

"""


def house_with(folder, file, include):
    (folder / "docs").mkdir()
    (folder / "docs" / "ARCHITECTURE.md").write_text(TABLE)
    path = folder / "webstrata" / file
    path.parent.mkdir(parents=True)
    path.write_text(f'#include "webstrata/{include}"\n')
    # Includes that need all that the tables allow.
    (folder / "webstrata" / "url").mkdir(exist_ok=True)
    (folder / "webstrata" / "url" / "all.cpp").write_text('#include "webstrata/base/time.h"\n#include "webstrata/url/deep/well.h"\n')
    return folder


def check(file, include, expected):
    with tempfile.TemporaryDirectory() as folder:
        found = wrong_includes(house_with(Path(folder), file, include))
        assert len(found) == expected, (file, include, found)


def check_permissions():
    with tempfile.TemporaryDirectory() as folder:
        house = house_with(Path(folder), "url/key.cpp", "base/time.h")
        (house / "webstrata" / "url" / "all.cpp").unlink()
        assert wrong_includes(house) == ["docs/ARCHITECTURE.md: url uses nothing of url/deep: take it out of the table"], wrong_includes(house)


def check_names():
    with tempfile.TemporaryDirectory() as folder:
        for room, namespace in (("url", "webstrata"), ("base", "webstrata"), ("graph", "webstrata::deep")):
            path = Path(folder) / "webstrata" / room / "key.h"
            path.parent.mkdir(parents=True)
            path.write_text(f"namespace {namespace} {{\nclass Key : public Name {{\n}};\nstruct Later;\n}}\n")
        assert repeated_names(Path(folder)) == ["webstrata::Key: webstrata/base/key.h and webstrata/url/key.h"]


def check_tests():
    with tempfile.TemporaryDirectory() as folder:
        house = house_with(Path(folder), "url/key.cpp", "base/time.h")
        (house / "tests").mkdir()
        (house / "tests" / "key_test.cpp").write_text("")
        (house / "webstrata" / "url" / "name.cpp").write_text("// Tested by tests/key_test.cpp, tests/k*_test.cpp and\n// tests/name_test.cpp.\n")
        assert missing_tests(house) == ["webstrata/url/name.cpp: there is no tests/name_test.cpp"], missing_tests(house)


def check_essays():
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "webstrata" / "url" / "key.cpp"
        path.parent.mkdir(parents=True)
        path.write_text("// SPDX-License-Identifier: Apache-2.0\n\n// One line.\n// Tested by tests/key_test.cpp.\n" + "\n" * 300)
        assert len(without_essay(Path(folder))) == 1
        path.write_text("// SPDX-License-Identifier: Apache-2.0\n\n// What it does,\n// and how.\n// Tested by tests/key_test.cpp.\n" + "\n" * 300)
        assert without_essay(Path(folder)) == []


def main():
    check_names()
    check_essays()
    check_tests()
    check("url/key.cpp", "base/time.h", 0)
    check("base/time.cpp", "url/key.h", 1)  # points back
    check("cellar/wine.cpp", "base/time.h", 1)  # no such room
    check("url/deep/inside.h", "attic/box.h", 1)
    check("url/key.cpp", "url/deep/well.h", 0)
    check("url/deep/well.cpp", "url/key.h", 1)  # an area points back to the top of its room
    check("url/shallow/pond.cpp", "url/key.h", 1)  # no such area
    check_permissions()

    rooms, areas = read_table(SOURCE / "docs" / "ARCHITECTURE.md")
    assert {"base", "url", "facts", "capture", "cli"} <= set(rooms), rooms
    wrong = wrong_includes(SOURCE) + repeated_names(SOURCE) + missing_tests(SOURCE) + without_essay(SOURCE)
    print("\n".join(wrong) or f"{len(rooms)} rooms, {len(areas)} areas, every include points the right way, every type has one header, every test is there")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
