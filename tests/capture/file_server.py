# SPDX-License-Identifier: Apache-2.0
"""A web server on loopback that serves files, with the faults that servers have: the first part of a path names the fault.

    /files/x         ranges, ETag, If-Range
    /silent/x        ranges, but neither ETag nor time of change
    /whole/x         no ranges
    /chunked/x       no ranges, no length
    /broken/x        every answer of more than 200 kB ends after half of what it announced
    /halved/x        no ranges, and the connection breaks in the middle
    /once-broken/x   no ranges, and the first two connections break before a byte
    /busy/x          the first two answers for every range are 503
    /down/x          always 503
    /changing/x      from the third request on it is another file, with another ETag
    /quiet-change/x  the same, but If-Range is ignored
    /slow/x          a few bytes at a time
    /stalled/x       half of the first answer, then nothing for ten seconds
    /moved/x         302 to /files/x
    /circle/x        302 to itself
    /locked/x        wants the user "reader" with the password "s p"
    /forbidden/x     403
"""

import base64
import collections
import http.server
import socket
import struct
import threading
import time
import urllib.parse


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        _, fault, name = urllib.parse.unquote(self.path.partition("?")[0]).split("/", 2)
        wanted = self.headers.get("Range")
        files = self.server.files
        with self.server.lock:
            self.server.log.append((fault, name, wanted))
            self.server.asked[fault, name] += 1
            self.server.asked[fault, name, wanted] += 1
            times = self.server.asked[fault, name]
            times_this = self.server.asked[fault, name, wanted]
        if name not in files:
            return self.refuse(404)
        content = files[name]
        etag = '"one"'
        if fault in ("changing", "quiet-change") and times > 2:
            content, etag = content[::-1], '"two"'
        if fault == "forbidden":
            return self.refuse(403)
        if fault == "locked" and self.headers.get("Authorization") != "Basic " + base64.b64encode(b"reader:s p").decode():
            return self.refuse(401)
        if fault == "down" or fault == "busy" and times_this <= 2:
            return self.refuse(503)
        if fault in ("moved", "circle"):
            to = self.path.replace("/moved/", "/files/", 1)
            return self.head(302, 0, ("Location", to))
        if fault == "once-broken" and times <= 3:  # the first request is the one that looks at the file
            if times == 1:
                return self.answer_whole(content, etag)
            return self.reset()
        if fault in ("whole", "halved", "once-broken"):
            return self.answer_whole(content, etag, len(content) // 2 if fault == "halved" else None)
        if fault == "chunked":
            return self.answer_chunked(content)
        return self.answer_range(fault, content, etag, wanted)

    def answer_range(self, fault, content, etag, wanted):
        other_version = self.headers.get("If-Range") not in (None, etag)
        if wanted is None or (other_version and fault != "quiet-change"):
            return self.answer_whole(content, etag)
        begin, end = (int(word) for word in wanted.removeprefix("bytes=").split("-"))
        end = min(end + 1, len(content))
        if begin >= len(content):
            return self.head(416, 0, ("Content-Range", f"bytes */{len(content)}"))
        part = content[begin:end]
        fields = [("Content-Range", f"bytes {begin}-{end - 1}/{len(content)}")]
        if fault != "silent":
            fields.append(("ETag", etag))
        self.head(206, len(part), *fields)
        if fault == "broken" and len(part) > 200_000:
            self.wfile.write(part[:len(part) // 2])
            self.close_connection = True
            return None
        if fault == "slow":
            for place in range(0, len(part), 50_000):
                self.wfile.write(part[place:place + 50_000])
                time.sleep(0.01)
            return None
        if fault == "stalled":
            self.wfile.write(part[:len(part) // 2])
            self.wfile.flush()
            time.sleep(10)
            return self.reset()
        self.wfile.write(part)
        return None

    def answer_whole(self, content, etag, cut=None):
        self.head(200, len(content), ("ETag", etag))
        self.wfile.write(content[:cut])
        if cut is not None:
            self.reset()

    def answer_chunked(self, content):
        self.head(200, None, ("Transfer-Encoding", "chunked"))
        for place in range(0, len(content), 100_000):
            part = content[place:place + 100_000]
            self.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
        self.wfile.write(b"0\r\n\r\n")

    def refuse(self, status):
        self.head(status, 0)

    def head(self, status, length, *fields):
        self.send_response(status)
        for field, value in fields:
            self.send_header(field, value)
        if length is not None:
            self.send_header("Content-Length", str(length))
        self.end_headers()

    def reset(self):
        self.wfile.flush()
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True
        self.connection.close()


class FileServer(http.server.ThreadingHTTPServer):
    """Serves `files`, bytes by name, until the block is left; log holds fault, name and range of every request."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, files, context=None):
        super().__init__(("127.0.0.1", 0), Handler)
        self.files, self.log, self.asked = files, [], collections.Counter()
        self.lock = threading.Lock()
        self.scheme = "https" if context else "http"
        if context:
            self.socket = context.wrap_socket(self.socket, server_side=True)

    def handle_error(self, request, client_address):
        pass  # a client that went away

    def __enter__(self):
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()

    def url(self, fault, name, user=""):
        return f"{self.scheme}://{user}127.0.0.1:{self.server_address[1]}/{fault}/{urllib.parse.quote(name)}"
