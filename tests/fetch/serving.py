# SPDX-License-Identifier: Apache-2.0
"""Web servers for the tests, on loopback, on ports that the system chooses; and webstrata run against them."""

import asyncio
import contextlib
import json
import socket
import ssl
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from running import run  # noqa: E402

AGENT = "webstrata-test (+https://archive.example/test)"


class Exchange:
    """A request that arrived, and the means to answer it in any way, also wrong ones."""

    def __init__(self, writer, host, path, head):
        self.writer, self.host, self.path, self.head = writer, host, path, head

    async def send(self, data):
        self.writer.write(data if isinstance(data, bytes) else data.encode())
        await self.writer.drain()

    async def answer(self, status, body=b"", *headers, kind="text/html"):
        body = body if isinstance(body, bytes) else body.encode()
        lines = [f"HTTP/1.1 {status} X", f"Content-Type: {kind}", f"Content-Length: {len(body)}", "Connection: close",
                 *headers, "", ""]
        await self.send("\r\n".join(lines).encode() + body)

    def reset(self):
        """Breaks the connection at once."""
        connection = self.writer.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort()


class Server:
    """Serves `handle(exchange)` until the block is left, at a port of the system's choice or at a bound socket; log holds (time, host, path) of every request."""

    def __init__(self, handle, certificate=None, socket=None):
        self.handle, self.certificate, self.socket = handle, certificate, socket
        self.log = []
        self.mistakes = []

    def __enter__(self):
        started = threading.Event()
        self.thread = threading.Thread(target=lambda: asyncio.run(self._main(started)), daemon=True)
        self.thread.start()
        started.wait(20)
        return self

    def __exit__(self, *_):
        self.loop.call_soon_threadsafe(self.stopped.set)
        self.thread.join(20)

    async def _main(self, started):
        self.loop = asyncio.get_running_loop()
        self.stopped = asyncio.Event()
        self.tasks = set()
        context = None
        if self.certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*self.certificate)
        where = {"sock": self.socket} if self.socket else {"host": "127.0.0.1", "port": 0}
        server = await asyncio.start_server(self._serve, **where, ssl=context)
        self.address, self.port = server.sockets[0].getsockname()[:2]
        started.set()
        await self.stopped.wait()
        server.close()
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    async def _serve(self, reader, writer):
        self.tasks.add(asyncio.current_task())
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError, ssl.SSLError):
            first = await reader.readexactly(1)
            if first == b"\x16":  # a TLS handshake, where plain HTTP is spoken
                raise ConnectionError
            head = (first + await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            path = head.split(" ", 2)[1]
            host = next(line[6:] for line in head.split("\r\n") if line.lower().startswith("host: ")).rsplit(":", 1)[0]
            self.log.append((time.time(), host, path))
            try:
                await self.handle(Exchange(writer, host, path, head))
            except (ConnectionError, asyncio.CancelledError):
                raise
            except Exception as error:  # a mistake of the test itself
                self.mistakes.append(error)
        with contextlib.suppress(Exception):
            writer.close()
        self.tasks.discard(asyncio.current_task())

    def paths(self, host):
        return [path for _, name, path in self.log if name == host]

    def times(self, host):
        return [moment for moment, name, _ in self.log if name == host]


def probe(urls, *flags, **options):
    """Probes; returns a dictionary from URL to the JSON object of its line, and standard error."""
    code, output, errors = run("probe", "--json", "--agent", AGENT, *flags, "--", *urls, **options)
    if code != 0:
        raise AssertionError(f"probe ended with {code}: {errors}")
    return {line["url"]: line for line in map(json.loads, output.splitlines())}, errors


def make_certificate(folder, host, name="certificate"):
    """A self-signed certificate for one host; gives the paths of certificate and key."""
    certificate, key = folder / f"{name}.pem", folder / ("key.pem" if name == "certificate" else f"{name}.key.pem")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "36500", "-subj", f"/CN={host}",
                    "-addext", f"subjectAltName=DNS:{host}", "-keyout", key, "-out", certificate],
                   check=True, capture_output=True)
    return certificate, key
