# SPDX-License-Identifier: Apache-2.0
"""Building stays inside --memory: peak resident memory <= 1.1 x memory + 64 MB, and the bytes are the same for all.

The inputs are unpacked first: they were packed with a window of 128 MB, which a zstd decoder must hold on top.
"""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

from fault import fast_folder, skip

PROGRAM = os.environ["WEBSTRATA_PROGRAM"]
DATA = Path(os.environ["WEBSTRATA_SHARED"]) / "data"
INPUTS = [DATA / "debweb" / "captures.bullseye.jsonl.zst", DATA / "debweb" / "captures.bookworm.jsonl.zst",
          DATA / "openbsd-www" / "links_all_versions.tsv.zst"]
SIZES_MB = (128, 256, 1024)


def layers(archive):
    digest = hashlib.sha256()
    for path in sorted(archive.glob("g*/*")):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


def unpacked(folder):
    for path in INPUTS:
        subprocess.run(["zstd", "-q", "-d", "--long=27", path, "-o", folder / path.stem], check=True)
    return [folder / path.stem for path in INPUTS]


def build(archive, memory_mb, inputs):
    """Builds in a child of its own and gives the child's peak in MB."""
    child = subprocess.Popen([PROGRAM, "build", "-q", "--memory", f"{memory_mb}M", archive, *inputs])
    _, status, usage = os.wait4(child.pid, 0)
    assert os.waitstatus_to_exitcode(status) == 0, "the build failed"
    return usage.ru_maxrss / 1024


def main():
    if not all(path.exists() for path in INPUTS):
        skip(f"needs the crawls in {DATA}")
    if "asan" in os.environ["WEBSTRATA_BUILD"] or "tsan" in os.environ["WEBSTRATA_BUILD"]:
        skip("sanitizers take memory of their own")
    states = set()
    with fast_folder() as folder:
        inputs = unpacked(folder)
        for memory_mb in SIZES_MB:
            archive = folder / f"{memory_mb}.ws"
            peak_mb = build(archive, memory_mb, inputs)
            bound_mb = 1.1 * memory_mb + 64
            print(f"--memory {memory_mb}M: peak {peak_mb:.0f} MB, bound {bound_mb:.0f} MB")
            assert peak_mb <= bound_mb, "too much memory"
            states.add(layers(archive))
    assert len(states) == 1, "the layer files depend on --memory"
    return 0


if __name__ == "__main__":
    sys.exit(main())
