# SPDX-License-Identifier: Apache-2.0
"""The sample crawl, packed into lz4 frames by FastWARC, gives the captures that it gives in gzip, at the offsets that
FastWARC wrote them to."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from not_tried import skip  # noqa: E402

try:
    from fastwarc.stream_io import FileStream, GZipStream, LZ4Stream
    from fastwarc.warc import ArchiveIterator
except ImportError as missing:
    skip(f"{missing}; pip install -r tests/requirements.txt")

PROGRAM = os.environ["WEBSTRATA_PROGRAM"]
SAMPLE = Path(os.environ["WEBSTRATA_SOURCE"]) / "examples" / "sample" / "2021.warc.gz"


def pack(path):
    """Every record in a frame of its own; gives the offsets."""
    offsets = []
    with path.open("wb") as packed:
        stream = LZ4Stream(packed)
        for record in ArchiveIterator(GZipStream(FileStream(str(SAMPLE), "rb")), parse_http=False):
            offsets.append(packed.tell())
            record.write(stream)
            packed.flush()
        stream.close()
    return offsets


def extract(path, *options):
    done = subprocess.run([PROGRAM, "extract", "--quiet", *options, str(path)], capture_output=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def without_place(captures):
    return [{key: value for key, value in capture.items() if key not in ("file", "offset", "length")} for capture in captures]


def main():
    with tempfile.TemporaryDirectory() as name:
        packed = Path(name) / "sample.warc.lz4"
        offsets = set(pack(packed))
        ours, theirs = extract(packed), extract(SAMPLE)
        assert len(ours) == len(theirs) > 100, (len(ours), len(theirs))
        assert without_place(ours) == without_place(theirs)
        stats = extract(packed, "--stats")[0]
        assert stats["format"] == "warc" and stats["damaged_count"] == 0, stats
        assert {capture["offset"] for capture in ours} <= offsets, "offsets of frames"
        damaged = Path(name) / "damaged.warc.lz4"
        content = bytearray(packed.read_bytes())
        content[len(content) // 2] ^= 0x55
        damaged.write_bytes(content)
        stats = extract(damaged, "--stats")[0]
        assert stats["damaged_count"] >= 1 and stats["records"] > len(offsets) // 2, stats
        print(f"{len(ours)} captures in {len(offsets)} frames; {stats['records']} records with a flipped byte")
    return 0


if __name__ == "__main__":
    sys.exit(main())
