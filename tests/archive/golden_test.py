"""The sample crawls give these very bytes, whatever compiler, flags and processor: the law's part that one build cannot test.

tools/compilers.sh runs this test on programs built with -O0, with -O3 -march=native and with clang. A change of the format
or of an encoder changes the hash, and then kEncoderRevision in archive/manifest.h must rise.
"""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

from fault import fast_folder

PROGRAM = os.environ["WEBSTRATA_PROGRAM"]
SAMPLE = Path(os.environ["WEBSTRATA_SOURCE"]) / "examples" / "sample"
GOLDEN = {
    "fast": "e1341008c0d4414aa3218227378020c9999e97519abfe5cf0972a7b424367665",
    "compact": "dd5227656191f0953e17a160956a5abb13e7f04379bddc8cea5a1ccf194034fb",
}


def built(folder, name, *flags):
    archive = folder / f"{name}.ws"
    subprocess.run([PROGRAM, "build", "-q", archive, *flags, SAMPLE / "2021.warc.gz", SAMPLE / "2023.warc.gz"], check=True)
    digest = hashlib.sha256()
    for path in sorted(archive.glob("g*/*")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def main():
    with fast_folder() as folder:
        seen = {"fast": built(folder, "fast"), "compact": built(folder, "compact", "--compact", "--range", "ever", "--links", "all")}
    for name, digest in seen.items():
        print(f"{name}: {digest}")
    return 0 if seen == GOLDEN else 1


if __name__ == "__main__":
    sys.exit(main())
