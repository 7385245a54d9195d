# SPDX-License-Identifier: Apache-2.0
"""docs/RELIABILITY.md: every promise has a test, and every test and script that the page names is there; and the check can fail."""

import re
import sys
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
PATH = re.compile(r"`((?:tests|tools|fuzz)/[\w./]*)`")
PART = re.compile(r"`(tests/[\w./]*)` \(((?:`\w+`(?:, )?)+)\)")


def problems(text, source):
    found = [f"no {path}" for path in PATH.findall(text) if not (source / path).exists()]
    for path, parts in PART.findall(text):
        for part in re.findall(r"`(\w+)`", parts):
            if (source / path).exists() and not re.search(rf"\b{part}\b", (source / path).read_text()):
                found.append(f"no {part} in {path}")
    rows = [line for line in text.split("## Promises")[1].split("\n## ")[0].splitlines() if line.startswith("| ")][2:]
    found += [f"no test for: {row}" for row in rows if not PATH.search(row.split("|")[2])]
    return found, len(rows)


def main():
    head = "## Promises\n\n| promise | tests |\n| --- | --- |\n"
    assert problems(head + "| a | `tests/house/reliability_test.py` (`problems`) |\n", SOURCE) == ([], 1)
    for row in ("| a | |", "| a | `tests/house/no_such_test.py` |"):
        assert problems(head + row, SOURCE)[0], row
    assert problems(head + "| a | `tests/house/rooms.py` (`no_such_name`) |", SOURCE)[0]
    found, promises = problems((SOURCE / "docs" / "RELIABILITY.md").read_text(), SOURCE)
    print("\n".join(found) or f"{promises} promises, every test is there")
    return 1 if found or promises < 15 else 0


if __name__ == "__main__":
    sys.exit(main())
