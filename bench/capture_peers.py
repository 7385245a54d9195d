#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The peers of capture_bench, one task a call; prints one JSON object with the CPU seconds of the task alone.

    capture_peers.py iterate FILE.warc.gz      fastwarc: every record with its payload
    capture_peers.py lexbor PAGES.bin STRIDE   selectolax (lexbor): a[href] of every STRIDE-th page
"""

import json
import struct
import sys
import time


def iterate(path):
    from fastwarc.warc import ArchiveIterator

    records = size = 0
    for record in ArchiveIterator(path, fsspec_args=False):
        records += 1
        size += len(record.reader.read())
    return {"items": records, "bytes": size}


def pages_of(path, stride):
    data = open(path, "rb").read()
    pages = []
    at = 0
    while at < len(data):
        (size,) = struct.unpack_from("<I", data, at)
        pages.append(data[at + 4 : at + 4 + size])
        at += 4 + size
    return pages[::stride]


def lexbor(pages):
    from selectolax.lexbor import LexborHTMLParser

    links = sum(len(LexborHTMLParser(page).css("a[href]")) for page in pages)
    return {"items": links, "bytes": sum(map(len, pages))}


def main():
    task, path = sys.argv[1:3]
    pages = pages_of(path, int(sys.argv[3])) if task == "lexbor" else None
    start = time.process_time()
    result = iterate(path) if task == "iterate" else lexbor(pages)
    result["cpu_seconds"] = time.process_time() - start
    print(json.dumps(result))


if __name__ == "__main__":
    main()
