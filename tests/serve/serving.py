# SPDX-License-Identifier: Apache-2.0
"""Helpers of the tests that drive `webstrata serve` and `webstrata replay` over real connections."""

import contextlib
import http.client
import json
import signal
import socket
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlencode, urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from running import PROGRAM, SAMPLE, SOURCE, expect  # noqa: E402, F401

HOME = "http://python-quart-doc.docs.example/"


class Served:
    """A running server: its process and its address."""

    def __init__(self, process, address):
        self.process, self.address = process, address
        parts = urlsplit(address)
        self.host, self.port, self.base = parts.hostname, parts.port, parts.path

    def get(self, path, method="GET", headers=None, **parameters):
        """(status, headers, body) of one request on a connection of its own."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=60)
        target = self.base + path + ("?" + urlencode(parameters) if parameters else "")
        connection.request(method, target, headers=headers or {})
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer.status, answer.headers, body

    def json(self, path, **parameters):
        status, _, body = self.get(path, **parameters)
        expect(status == 200, f"{path}: {status} {body[:300]}")
        return json.loads(body)

    def raw(self, sent, timeout=30):
        """What comes back for bytes as they are, until the server closes."""
        with socket.create_connection((self.host, self.port), timeout=timeout) as stream:
            with contextlib.suppress(OSError):  # the server may have answered and closed before it got all
                stream.sendall(sent)
                stream.shutdown(socket.SHUT_WR)
            return read_all(stream)


def read_all(stream):
    received = b""
    while piece := stream.recv(1 << 16):
        received += piece
    return received


@contextlib.contextmanager
def serving(*arguments, verb="serve"):
    """Starts the server on a free port, and stops it afterwards: it must end well."""
    process = subprocess.Popen([PROGRAM, verb, *map(str, arguments), "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        address = process.stdout.readline().decode().strip()
        expect(address.startswith("http://"), f"no address: {address!r} {process.stderr.read() if not address else b''}")
        yield Served(process, address)
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=60)
        errors = process.stderr.read().decode()
        expect(process.returncode in (0, 130, 143), f"ended with {process.returncode}: {errors}")
        expect("ERROR" not in errors and "runtime error" not in errors, errors)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
