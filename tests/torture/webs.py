# SPDX-License-Identifier: Apache-2.0
"""Small crawls and archives for the trials, the same in every run."""

import gzip
import json
import random


def write_crawl(path, pages, year):
    """JSON lines: pages of seven sites that link to each other; a later year has other pages in part."""
    chance = random.Random(year)
    with path.open("w") as out:
        for number in range(pages):
            links = [{"url": f"http://s{chance.randrange(7)}.example/{chance.randrange(pages * 2)}", "text": f"word {number}"} for _ in range(6)]
            page = {"url": f"http://s{number % 7}.example/{number + year % 3}", "ts": f"{year}0101000000", "links": links}
            out.write(json.dumps(page) + "\n")
    return path


def members(path, count):
    """The first gzip members of a file, each as it is."""
    import zlib
    data, found, at = path.read_bytes(), [], 0
    while at < len(data) and len(found) < count:
        inflater = zlib.decompressobj(31)
        inflater.decompress(data[at:at + (4 << 20)])
        end = min(len(data), at + (4 << 20)) - len(inflater.unused_data)
        found.append(data[at:end])
        at = end
    return found


def write_warc(path, pages, chance):
    """A WARC with a gzip member for each record; gives the members."""
    found = []
    for number in range(pages):
        body = "".join(f"<a href='/{chance.randrange(100)}'>{chance.random()}</a>" for _ in range(chance.randrange(1, 40))).encode()
        http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body
        head = (f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{number:012}>\r\n"
                f"WARC-Target-URI: http://w.example/{number}\r\nWARC-Date: 2020-01-01T00:00:{number % 60:02}Z\r\n"
                f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n").encode()
        found.append(gzip.compress(head + http + b"\r\n\r\n", mtime=0))
    path.write_bytes(b"".join(found))
    return found
