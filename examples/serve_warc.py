#!/usr/bin/env python3
"""Serves the answers of WARC files again, on loopback, on a port that the system chooses: the web as it was, to try a crawl on.

    serve_warc.py PORT_FILE WARC...

Writes the port into PORT_FILE when it is ready, and serves until it is ended. Needs nothing but Python.
"""

import gzip
import http.server
import sys
from pathlib import Path
from urllib.parse import urlsplit


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


def answers(paths):
    """(host, path with query) → (status, type, body), the last of each url."""
    found = {}
    for path in paths:
        for fields, block in records(path):
            if fields["warc-type"] != "response":
                continue
            head, _, body = block.partition(b"\r\n\r\n")
            lines = head.decode("latin-1").split("\r\n")
            headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
            url = urlsplit(fields["warc-target-uri"].strip("<>"))
            place = url.path + (f"?{url.query}" if url.query else "")
            found[url.hostname, place] = (int(lines[0].split()[1]), headers.get("content-type", "text/html"), body)
    return found


def main():
    found = answers(sys.argv[2:])

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            host = self.headers.get("Host", "").split(":")[0]
            status, kind, body = found.get((host, self.path), (404, "text/html", b"<title>Not here</title>"))
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Path(sys.argv[1]).write_text(f"{server.server_address[1]}\n")
        server.serve_forever()


if __name__ == "__main__":
    main()
