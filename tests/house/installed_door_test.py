"""The installed headers and libraries are enough: examples/read_captures builds against them alone and runs."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path(os.environ["WEBSTRATA_SOURCE"])
BUILD = Path(os.environ["WEBSTRATA_BUILD"])


def call(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{command[0]}: {done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout


def main():
    flags = []
    for line in (BUILD / "CMakeCache.txt").read_text().splitlines():
        if line.startswith("WEBSTRATA_SANITIZE:") and line.split("=", 1)[1]:
            flags = [f"-DCMAKE_CXX_FLAGS=-fsanitize={line.split('=', 1)[1]}"]
    with tempfile.TemporaryDirectory() as folder:
        prefix, build = Path(folder) / "prefix", Path(folder) / "build"
        call("cmake", "--install", BUILD, "--prefix", prefix)
        headers = sorted(prefix.rglob("*.h"))
        for header in headers:  # each stands on its own
            call("g++", "-std=c++20", "-fsyntax-only", "-x", "c++", f"-I{prefix / 'include'}", header)
        example = SOURCE / "examples" / "read_captures"
        call("cmake", "-G", "Ninja", "-S", example, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}", *flags)
        call("cmake", "--build", build)
        out = call(build / "read_captures", SOURCE / "examples" / "sample" / "2021.warc.gz")
        print(f"{len(headers)} installed headers; the example says:\n{out[:500]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
