# SPDX-License-Identifier: Apache-2.0
"""What we write opens in WebGraph itself, and what WebGraph's authors wrote we read as their library does.

Builds a small program with the Rust library `webgraph` in the build folder. Without cargo, without a registry to
fetch the library from, or if compiling takes too long (it continues next time), the test is skipped."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path(os.environ["WEBSTRATA_SOURCE"])
BUILD = Path(os.environ["WEBSTRATA_BUILD"])
LAW = Path(os.environ["WEBSTRATA_SHARED"]) / "data" / "law"
TOOL = BUILD / "tests" / "graph_tool"
BUILD_SECONDS = 850

sys.path.insert(0, str(SOURCE / "tests"))
from not_tried import skip  # noqa: E402

# Also runs as: shared


def build_peer():
    cargo = shutil.which("cargo")
    if cargo is None:
        skip("needs cargo (tools/packages.test); nothing was compared with WebGraph")
    # One target folder for all builds of a checkout: the library is compiled once.
    folder = SOURCE / "build" / "webgraph_peer"
    shutil.copytree(SOURCE / "tests" / "graph" / "webgraph_peer", folder, dirs_exist_ok=True)
    try:
        done = subprocess.run([cargo, "build", "--quiet"], cwd=folder, capture_output=True, text=True, timeout=BUILD_SECONDS)
    except subprocess.TimeoutExpired:
        skip(f"the peer did not compile in {BUILD_SECONDS} s")
    if done.returncode != 0:
        last = done.stderr.strip().splitlines()[-8:]
        if any("error[E" in line or "could not compile `webgraph_peer`" in line for line in done.stderr.splitlines()):
            sys.exit("the peer does not compile:\n" + done.stderr[-3000:])
        skip("cargo cannot build the library: " + " / ".join(last))
    return folder / "target" / "debug" / "webgraph_peer"


def ours(*words):
    done = subprocess.run([str(TOOL), *map(str, words)], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def theirs(peer, bases):
    done = subprocess.run([str(peer), *map(str, bases)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, f"WebGraph refuses one of {bases}: {done.stderr}"
    return done.stdout.split("\n")[:-1]


def check_random(peer, folder):
    bases, expected = [], []
    for seed in range(40):
        base = folder / f"random-{seed}"
        expected.append(ours("random", seed, base, *(["little"] if seed % 2 else [])))
        bases.append(base)
    for base, want, got in zip(bases, expected, theirs(peer, bases), strict=True):
        assert want == got, f"{base.name}: we wrote {want}, WebGraph reads {got}"
    print(f"{len(bases)} random graphs that we wrote are read by WebGraph link for link")


def check_law(peer, folder):
    bases = sorted(path.with_suffix("") for path in LAW.rglob("*.properties"))
    for base, got in zip(bases, theirs(peer, bases), strict=True):
        want = ours("hash", base)
        assert want == got, f"{base}: we read {want}, WebGraph reads {got}"
    copies = []
    for order in ("big", "little"):
        copies.append(folder / order)
        ours("bvgraph", LAW / "cnr-2000" / "cnr-2000", copies[-1], order)
    for got in theirs(peer, copies):
        assert got == ours("hash", LAW / "cnr-2000" / "cnr-2000"), got
    print(f"{len(bases)} graphs of LAW are the same to us and to WebGraph, and so are our copies")


def main():
    check = check_law if sys.argv[1:] == ["shared"] else check_random
    if check == check_law and not LAW.is_dir():
        skip(f"needs the graphs in {LAW}")
    peer = build_peer()
    with tempfile.TemporaryDirectory() as folder:
        check(peer, Path(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
