# SPDX-License-Identifier: Apache-2.0
"""The version is stated once, in CMakeLists.txt: the program, the Python module and the package's metadata report the same one,
and CHANGELOG.md has a section for it."""

import os
import re
import subprocess
import sys
from pathlib import Path

SOURCE = Path(os.environ["WEBSTRATA_SOURCE"])
PROGRAM = os.environ["WEBSTRATA_PROGRAM"]
sys.path.insert(0, str(SOURCE / "tests"))
from not_tried import ending, not_tried  # noqa: E402

PATTERN = re.compile(r'^regex = \'(.*)\'$', re.M)


def main():
    cmake = (SOURCE / "CMakeLists.txt").read_text()
    version = re.search(r"^project\(webstrata VERSION (\d+\.\d+\.\d+) ", cmake, re.M)[1]

    printed = subprocess.run([PROGRAM, "--version"], check=True, capture_output=True, text=True).stdout.strip()
    assert printed == f"webstrata {version}", printed

    settings = (SOURCE / "pyproject.toml").read_text()
    project = settings.split("\n[project]\n")[1].split("\n[")[0]
    assert 'dynamic = ["version"]' in project and not re.search(r"^version\b", project, re.M), project
    assert re.search(PATTERN.search(settings)[1], cmake)["value"] == version, "pyproject.toml does not find the version in CMakeLists.txt"

    assert re.search(rf"^## {re.escape(version)}\b", (SOURCE / "CHANGELOG.md").read_text(), re.M), f"CHANGELOG.md has no section {version}"

    if list((Path(os.environ["WEBSTRATA_BUILD"]) / "python" / "webstrata").glob("_core*.so")):
        module = subprocess.run([sys.executable, "-c", "import webstrata; print(webstrata.__version__)"], check=True, capture_output=True, text=True).stdout.strip()
        assert module == version, f"the Python module says {module}"
    else:
        not_tried("the version of the Python module, which is not built")
    print(f"{version} everywhere")
    return ending()


if __name__ == "__main__":
    sys.exit(main())
