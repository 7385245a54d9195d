#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Archive tools use what `serve` answers: pywb replays the sample with /cdx as its index, and reads our TimeMaps' mementos."""

import gzip
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from serving import SAMPLE, expect, serving  # noqa: E402
from archives import temporary_folder, write  # noqa: E402
from requests.utils import parse_header_links  # noqa: E402
from running import run_tests, skip  # noqa: E402

PAGE = "http://python-quart-doc.docs.example/tutorials/installation.html"
WAYBACK = Path(sys.executable).parent / "wayback"


def free_port():
    with socket.socket() as stream:
        stream.bind(("127.0.0.1", 0))
        return stream.getsockname()[1]


def fetched(address, headers=None, tries=1):
    for left in reversed(range(tries)):
        try:
            with urllib.request.urlopen(urllib.request.Request(address, headers=headers or {}), timeout=60) as answer:
                return answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.headers, error.read()
        except OSError:
            if left == 0:
                raise
            time.sleep(0.5)
    return None


def recorded_pages(path):
    """(url, body) of the HTML pages that a WARC file records, by warcio."""
    from warcio.archiveiterator import ArchiveIterator
    with open(path, "rb") as stream:
        for record in ArchiveIterator(stream):
            kind = record.http_headers and record.http_headers.get_header("Content-Type", "")
            if record.rec_type == "response" and record.http_headers.get_statuscode() == "200" and kind.startswith("text/html"):
                yield record.rec_headers.get_header("WARC-Target-URI"), record.content_stream().read()


def test_pywb_replays_with_our_index(folder):
    if not WAYBACK.exists():
        skip("pywb is not installed")
    write("build", folder / "lib.ws", SAMPLE / "2021.warc.gz", SAMPLE / "2023.warc.gz")
    warcs = folder / "warcs"
    warcs.mkdir()
    for name in ("2021.warc.gz", "2023.warc.gz"):
        shutil.copy(SAMPLE / name, warcs)
    port = free_port()
    with serving(folder / "lib.ws", "--replay", f"http://127.0.0.1:{port}/sample/{{timestamp}}id_/{{url}}") as server:
        (folder / "config.yaml").write_text(f"collections:\n  sample:\n    index: cdx+{server.address}cdx\n    archive_paths: {warcs}/\n")
        pywb = subprocess.Popen([WAYBACK, "-b", "127.0.0.1", "-p", str(port)], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            expect(fetched(f"http://127.0.0.1:{port}/", tries=120)[0] == 200, "pywb does not start")
            pages = list(recorded_pages(SAMPLE / "2021.warc.gz"))[:8]
            for url, body in pages:
                status, _, replayed = fetched(f"http://127.0.0.1:{port}/sample/2021id_/{url}")
                if replayed[:2] == b"\x1f\x8b":
                    replayed = gzip.decompress(replayed)
                expect(status == 200 and replayed == body, f"{url}: {status}, {len(replayed)} bytes instead of {len(body)}")
            # A memento of our TimeMap is one of pywb's.
            timemap = fetched(f"{server.address}timemap/link/{PAGE}")[2].decode()
            links = parse_header_links(timemap.replace("\n", ""))
            mementos = [(link["url"], link["datetime"]) for link in links if "memento" in link["rel"]]
            expect({"original", "self", "timegate"} <= {link["rel"] for link in links}, timemap)
            expect(len(mementos) >= 2, timemap)
            for address, date in mementos:
                status, headers, _ = fetched(address)
                expect(status == 200 and headers["Memento-Datetime"] == date, f"{address}: {status} {headers}")
            gate = fetched(f"{server.address}timegate/{PAGE}", {"Accept-Datetime": mementos[0][1]})
            expect(gate[0] == 200 and gate[1]["Memento-Datetime"] == mementos[0][1], str(gate[1]))
        finally:
            pywb.terminate()
            pywb.wait()


if __name__ == "__main__":
    sys.exit(run_tests(dict(globals()), folder=temporary_folder))
