# SPDX-License-Identifier: Apache-2.0
"""Every source file names its licence near its top, and the licence is the one of LICENSE and pyproject.toml."""

import os
import sys
from pathlib import Path

SOURCE = Path(os.environ["WEBSTRATA_SOURCE"])
FOLDERS = ("bench", "cmake", "examples", "fuzz", "python", "tests", "tools", "web/src", "webstrata")
ENDINGS = {".h", ".cpp", ".py", ".sh", ".ts", ".rs", ".cmake"}
LINE = "SPDX-License-Identifier: Apache-2.0"


def main():
    assert "Apache License" in (SOURCE / "LICENSE").read_text(), "LICENSE is not the Apache License"
    assert "Apache-2.0" in (SOURCE / "pyproject.toml").read_text(), "pyproject.toml does not name Apache-2.0"
    sources = [file for folder in FOLDERS for file in (SOURCE / folder).rglob("*") if file.suffix in ENDINGS and "target" not in file.parts]
    assert len(sources) > 1000, f"only {len(sources)} sources found"
    without = [str(file.relative_to(SOURCE)) for file in sources if not any(LINE in line for line in file.read_text().split("\n")[:2])]
    assert not without, f"no line \"{LINE}\" at the top of: {', '.join(without)}"
    print(f"{len(sources)} sources name their licence")


if __name__ == "__main__":
    sys.exit(main())
