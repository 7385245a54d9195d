"""The installed headers and libraries are enough: two examples build against them alone and run."""

import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SOURCE = Path(os.environ["WEBSTRATA_SOURCE"])
BUILD = Path(os.environ["WEBSTRATA_BUILD"])
PROGRAM = os.environ["WEBSTRATA_PROGRAM"]


def call(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{command[0]}: {done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout


def built_example(name, prefix, build, flags):
    call("cmake", "-G", "Ninja", "-S", SOURCE / "examples" / name, "-B", build / name, f"-DCMAKE_PREFIX_PATH={prefix}", *flags)
    call("cmake", "--build", build / name)
    return build / name / name


def main():
    flags = []
    for line in (BUILD / "CMakeCache.txt").read_text().splitlines():
        if line.startswith("WEBSTRATA_SANITIZE:") and line.split("=", 1)[1]:
            flags = [f"-DCMAKE_CXX_FLAGS=-fsanitize={line.split('=', 1)[1]}"]
    with tempfile.TemporaryDirectory() as folder:
        prefix, build = Path(folder) / "prefix", Path(folder) / "build"
        call("cmake", "--install", BUILD, "--prefix", prefix)
        headers = sorted(prefix.rglob("*.h"))
        with ThreadPoolExecutor(os.cpu_count()) as pool:  # each header compiles alone
            list(pool.map(lambda header: call("g++", "-std=c++20", "-fsyntax-only", "-x", "c++", f"-I{prefix / 'include'}", header), headers))
        sample = SOURCE / "examples" / "sample" / "2021.warc.gz"
        read_captures = built_example("read_captures", prefix, build, flags)
        print(f"{len(headers)} installed headers; an example says:\n{call(read_captures, sample)[:500]}")
        archive = Path(folder) / "lib.ws"
        call(PROGRAM, "build", "-q", archive, sample)
        who_links = built_example("who_links", prefix, build, flags)
        page = "http://python-quart-doc.docs.example/tutorials/installation.html"
        pages = call(who_links, archive, page, "2021").splitlines()
        assert len(pages) == len(call(PROGRAM, "links", archive, page, "--in", "--at", "2021").splitlines()) > 0, pages
        print(f"another finds {len(pages)} pages that link to {page}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
