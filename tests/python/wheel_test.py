# SPDX-License-Identifier: Apache-2.0
"""A wheel is built from the source as pip does it, and works in a virtual environment that has nothing else.

It is compiled as the tests are, in a folder as deep as theirs (ccache then has most of it); `pip install .` compiles a release.
"""

import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from module import SAMPLE, SOURCE, expect, skip

BUILD = Path(os.environ["WEBSTRATA_BUILD"])

USED = """
import pathlib, sys, webstrata
assert "build" not in pathlib.Path(webstrata.__file__).parts, webstrata.__file__
written = webstrata.build("lib.ws", [sys.argv[1] + "/2021.warc.gz", sys.argv[1] + "/2023.warc.gz"])
library = webstrata.open("lib.ws")
graph = library.snapshot(at="2021", level="host")
print(written.pages, graph.pagerank().top(1)[0][0], len(library.links(at="2021")))
try:
    library.links(at="2021").to_pandas()
except webstrata.Error as error:
    print(error)
"""


def call(*words, **options):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, **options)
    expect(done.returncode == 0, f"{words[:4]}: {done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout


def main():
    flags = {}
    for line in (BUILD / "CMakeCache.txt").read_text().splitlines():
        name, _, value = line.partition("=")
        flags[name.split(":")[0]] = value
    settings = {"cmake.build-type": "None", "cmake.define.CMAKE_CXX_FLAGS": flags["CMAKE_CXX_FLAGS"], "cmake.define.WEBSTRATA_WERROR": "ON",
                "build-dir": BUILD.parent / (BUILD.name + "-wheel")}
    # In full: pip 23.0, which Debian 12 has, does not know the short form -C.
    words = [word for name, value in settings.items() for word in ("--config-settings", f"{name}={value}")]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment.setdefault("CMAKE_BUILD_PARALLEL_LEVEL", "2")
    # As CMake names them: ccache takes g++ and c++ for two compilers.
    environment |= {"CC": "cc", "CXX": "c++"}
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        # The test's environment has what pyproject.toml asks for, so the build needs no network.
        call(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", *words, "-w", folder, SOURCE, env=environment)
        wheel = next(folder.glob("webstrata-*.whl"))
        names = zipfile.ZipFile(wheel).namelist()
        for name in ("webstrata/__init__.py", "webstrata/_core/__init__.pyi", "webstrata/_core/cluster.pyi", "webstrata/spark/driver/job.py", "webstrata/py.typed"):
            expect(name in names, names)
        expect(not [name for name in names if not name.startswith(("webstrata/", "webstrata-"))], names)
        call(sys.executable, "-m", "venv", folder / "clean", env=environment)
        clean = folder / "clean" / "bin" / "python"
        try:
            call(clean, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel, env=environment)
        except AssertionError as error:
            skip(f"numpy, which the wheel needs, could not be installed: {error}")
        told = call(clean, "-W", "error", "-c", USED, SAMPLE, cwd=folder, env=environment)
        expect("pip install pyarrow" in told, told)
        print(f"{wheel.name}, {wheel.stat().st_size >> 20} MB, says: {told}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
