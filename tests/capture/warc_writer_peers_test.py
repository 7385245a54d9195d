# SPDX-License-Identifier: Apache-2.0
"""What we write passes `warcio check`, and warcio and fastwarc read the same records back. Headers with mixed line ends
are compared with warcio alone: fastwarc finds no body after most of them."""

import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from not_tried import skip  # noqa: E402

try:
    from fastwarc.warc import ArchiveIterator as FastIterator
    from warcio.archiveiterator import ArchiveIterator
except ImportError as missing:
    skip(f"{missing}; pip install -r tests/requirements.txt")

EXPECTED = Counter({"warcinfo": 1, "response": 50, "request": 50, "metadata": 50, "revisit": 100})


def with_warcio(path):
    """(type, URL, payload) of every record."""
    with path.open("rb") as stream:
        for record in ArchiveIterator(stream, check_digests="raise"):
            payload = record.content_stream().read()
            yield record.rec_type, record.rec_headers.get_header("WARC-Target-URI"), payload


def with_fastwarc(path):
    for record in FastIterator(str(path), fsspec_args=False):
        yield record.headers["WARC-Type"], record.headers.get("WARC-Target-URI"), record.reader.read()


def check_digests(path):
    check = subprocess.run([sys.executable, "-m", "warcio.cli", "check", "-v", str(path)], capture_output=True, text=True)
    assert check.returncode == 0, check.stdout
    assert "digest pass" in check.stdout and "fail" not in check.stdout, check.stdout[:2000]


def check_mixed_line_ends(path):
    check_digests(path)
    bodies = [payload for kind, _, payload in with_warcio(path) if kind == "response"]
    assert bodies == [b"\r\n<p>%d</p>" % i for i in range(27)], bodies
    print(f"{path.name}: 27 mixtures of line ends, warcio finds the same bodies, digests pass")


def main():
    tool = Path(os.environ["WEBSTRATA_BUILD"]) / "tests" / "write_warc"
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([tool, folder], check=True)
        files = sorted(Path(folder).iterdir())
        assert len(files) == 3, files
        check_mixed_line_ends(files.pop(0))
        for path in files:
            check_digests(path)
            theirs = list(with_warcio(path))
            assert Counter(kind for kind, _, _ in theirs) == EXPECTED, path
            assert sorted(theirs, key=str) == sorted(with_fastwarc(path), key=str), path
            bodies = {url: payload for kind, url, payload in theirs if kind == "response"}
            assert all(len(bodies[f"http://a.example/{i}?q=ä"]) == 1000 * i for i in range(50))
            print(f"{path.name}: {len(theirs)} records, warcio and fastwarc agree, digests pass")
    return 0


if __name__ == "__main__":
    sys.exit(main())
