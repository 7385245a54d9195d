#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Serves the responses in WARC files on loopback, on a port that the system chooses: the web as it was, to try a crawl on.

    serve_warc.py HOSTS_FILE WARC... [--known WARC...]

Writes HOSTS_FILE when it is ready, in the form that webstrata reads with --hosts: the hosts in the files, and where they are
served; no other name is found. A revisit is answered with its payload from the --known files. Runs until it is terminated.
Needs only Python.
"""

import argparse
import gzip
import http.server
import os
import signal
import sys
from pathlib import Path
from urllib.parse import urlsplit

KEPT = ("content-type", "content-encoding", "location", "last-modified")


def records(path):
    """(named fields, block) of each record."""
    with gzip.open(path, "rb") as stream:
        while line := stream.readline():
            if not line.startswith(b"WARC/"):
                continue
            fields = {}
            while (line := stream.readline().strip()):
                name, _, value = line.decode().partition(":")
                fields[name.lower()] = value.strip()
            yield fields, stream.read(int(fields["content-length"]))


def answers(paths, payloads):
    """(host, path with query) → (status, headers, body), the last of each URL; and payloads by URL and digest."""
    found = {}
    for path in paths:
        for fields, block in records(path):
            if fields["warc-type"] not in ("response", "revisit"):
                continue
            head, _, body = block.partition(b"\r\n\r\n")
            lines = head.decode("latin-1").split("\r\n")
            headers = [(name, value.strip()) for name, _, value in (line.partition(":") for line in lines[1:])]
            url = urlsplit(fields["warc-target-uri"].strip("<>"))
            place = url.hostname, (url.path or "/") + (f"?{url.query}" if url.query else "")
            digest = fields.get("warc-payload-digest")
            if fields["warc-type"] == "response":
                payloads[place, digest] = body
            else:
                body = payloads.get((place, digest), body)
            found[place] = int(lines[0].split()[1]), [pair for pair in headers if pair[0].lower() in KEPT], body
    return found


def handler_of(found):
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            place = self.headers.get("Host", "").split(":")[0], self.path
            status, headers, body = found.get(place, (404, [("Content-Type", "text/html")], b"<title>Not here</title>"))
            self.send_response(status)
            for name, value in headers:
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments):
            pass

    return Handler


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True  # connections that are kept open end with the server
    request_queue_size = 128


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("hosts", type=Path)
    words.add_argument("warc", nargs="+")
    words.add_argument("--known", nargs="+", default=[])
    given = words.parse_args()
    payloads = {}
    answers(given.known, payloads)
    found = answers(given.warc, payloads)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with Server(("127.0.0.1", 0), handler_of(found)) as server:
        port = server.server_address[1]
        part = given.hosts.with_suffix(".part")  # so that no reader sees half of it
        part.write_text("".join(f"127.0.0.1:{port} {host}\n" for host in sorted({host for host, _ in found})))
        os.replace(part, given.hosts)
        server.serve_forever()


if __name__ == "__main__":
    main()
