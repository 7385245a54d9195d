# SPDX-License-Identifier: Apache-2.0
"""A frontier service that runs, and the calls of URL Frontier in few words. The stubs are generated from our protocol file, so what a
test says goes over the wire as any client of that file says it.

    with Service(folder) as service:
        calls = service.calls()
        calls.put(discovered("http://a.example/"))        # [("http://a.example/", OK)]
        calls.get(max_urls_per_queue=1)                   # [URLInfo, …]
"""

import importlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "fetch"))
from running import PROGRAM, SOURCE, expect, skip  # noqa: E402
from web_server import free_port  # noqa: E402

try:
    import grpc
    from grpc_tools import protoc
except ImportError:
    skip("needs grpcio and grpcio-tools (tests/requirements.txt)")

PROTOCOL = SOURCE / "webstrata" / "frontier" / "urlfrontier.proto"
STARTS_WITHIN = 60  # seconds; generous, since other tests run at the same time


def generated():
    """The modules that protoc writes from our protocol: messages and stubs."""
    folder = tempfile.TemporaryDirectory(prefix="webstrata-stubs-")
    code = protoc.main(["protoc", f"-I{PROTOCOL.parent}", f"--python_out={folder.name}", f"--grpc_python_out={folder.name}", str(PROTOCOL)])
    expect(code == 0, "protoc does not take urlfrontier.proto")
    sys.path.insert(0, folder.name)
    modules = importlib.import_module("urlfrontier_pb2"), importlib.import_module("urlfrontier_pb2_grpc")
    sys.path.remove(folder.name)
    folder.cleanup()
    return modules


pb, stubs = generated()
OK, SKIPPED, FAIL = (pb.AckMessage.Status.Value(name) for name in ("OK", "SKIPPED", "FAIL"))


def info(url, key="", crawl="", metadata=None):
    lists = {name: pb.StringList(values=values) for name, values in (metadata or {}).items()}
    return pb.URLInfo(url=url, key=key, crawlID=crawl, metadata=lists)


def discovered(url, key="", crawl="", metadata=None, name=""):
    return pb.URLItem(discovered=pb.DiscoveredURLItem(info=info(url, key, crawl, metadata)), ID=name)


def known(url, again_at=0, key="", crawl="", metadata=None, name=""):
    """A report: the URL may be fetched again from that second on; 0: never."""
    item = pb.KnownURLItem(info=info(url, key, crawl, metadata), refetchable_from_date=int(again_at))
    return pb.URLItem(known=item, ID=name)


def crawl_of(name):
    return {"crawlID": name}


class Calls:
    """The calls of one client; `crawl` is the crawl that it speaks about."""

    def __init__(self, address, crawl="", credentials=None, metadata=None, options=()):
        self.crawl, self.metadata = crawl, metadata
        # A connection of its own, as other processes have.
        options = [("grpc.max_receive_message_length", -1), ("grpc.use_local_subchannel_pool", 1), *options]
        self.channel = (grpc.secure_channel(address, credentials, options) if credentials else grpc.insecure_channel(address, options))
        self.stub = stubs.URLFrontierStub(self.channel)

    def close(self):
        self.channel.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def call(self, name, message, timeout=60):
        return getattr(self.stub, name)(message, timeout=timeout, metadata=self.metadata)

    def put(self, *items, timeout=60):
        """One stream; the acknowledgements as (ID, status), in the order in which they come."""
        return [(ack.ID, ack.status) for ack in self.call("PutURLs", iter(items), timeout)]

    def put_batches(self, *batches):
        messages = (pb.DiscoveredBatch(ID=name, items=infos) for name, infos in batches)
        return [(ack.ID, list(ack.statuses)) for ack in self.call("PutDiscovered", messages)]

    def get(self, key="", urls=0, queues=0, lease=0, crawl=None, any_crawl=False):
        params = pb.GetParams(key=key, max_urls_per_queue=urls, max_queues=queues, delay_requestable=lease)
        if any_crawl:
            params.anyCrawlID.SetInParent()
        else:
            params.crawlID = self.crawl if crawl is None else crawl
        return list(self.call("GetURLs", params))

    def get_names(self, *arguments, **words):
        return [one.url for one in self.get(*arguments, **words)]

    def get_within(self, seconds, count=1, **words):
        """Names that arrive within these seconds, asked for again and again; ends when there are `count`."""
        names, end = [], time.time() + seconds
        while len(names) < count and time.time() < end:
            names += self.get_names(**words)
            if len(names) < count:
                time.sleep(0.1)
        return names

    def stats(self, key="", crawl=None):
        return self.call("GetStats", pb.QueueWithinCrawlParams(key=key, crawlID=self.crawl if crawl is None else crawl))

    def delay(self, seconds, key=""):
        self.call("SetDelay", pb.QueueDelayParams(key=key, delay_requestable=seconds, crawlID=self.crawl))

    def block(self, until, key):
        self.call("BlockQueueUntil", pb.BlockQueueParams(key=key, time=int(until), crawlID=self.crawl))

    def limit(self, count, key):
        self.call("SetCrawlLimit", pb.CrawlLimitParams(key=key, limit=count, crawlID=self.crawl))

    def status(self, url, key=""):
        """The URLItem, or None if the service does not know it."""
        try:
            return self.call("GetURLStatus", pb.URLStatusRequest(url=url, key=key, crawlID=self.crawl))
        except grpc.RpcError as error:
            expect(error.code() == grpc.StatusCode.NOT_FOUND, f"GetURLStatus of an unknown URL: {error.code()}")
            return None

    def queues(self, **words):
        return self.call("ListQueues", pb.Pagination(crawlID=self.crawl, **words))

    def urls(self, **words):
        return list(self.call("ListURLs", pb.ListUrlParams(crawlID=self.crawl, **words)))

    def count(self, **words):
        return self.call("CountURLs", pb.CountUrlParams(crawlID=self.crawl, **words)).value


class Service:
    """`webstrata frontier` on a port of loopback. It can be killed and started again on the same folder."""

    def __init__(self, folder, *flags, job="job", prefix=()):
        self.folder, self.flags, self.prefix = Path(folder) / job, flags, list(prefix)
        self.port = free_port()
        self.process = None

    @property
    def address(self):
        return f"127.0.0.1:{self.port}"

    def start(self, wait=True):
        command = [*self.prefix, PROGRAM, "frontier", str(self.folder), "--port", str(self.port), *map(str, self.flags)]
        self.log = open(f"{self.folder}.log", "ab")
        self.process = subprocess.Popen(command, stdout=self.log, stderr=self.log)
        if wait:
            self.wait_until_it_answers()
        return self

    def wait_until_it_answers(self):
        end = time.time() + STARTS_WITHIN
        while time.time() < end:
            expect(self.process.poll() is None, f"the service ended: {self.said()}")
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                time.sleep(0.02)
        raise AssertionError(f"the service did not answer within {STARTS_WITHIN} s: {self.said()}")

    def said(self):
        return Path(f"{self.folder}.log").read_text(errors="replace")[-2000:]

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(60)
        return self.process.returncode if self.process else None

    def peak_memory(self):
        """Bytes that it had in memory at most so far."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
        raise AssertionError("no VmHWM")

    def calls(self, crawl="", **words):
        return Calls(self.address, crawl, **words)

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        try:
            code = self.stop()
        except subprocess.TimeoutExpired:
            self.kill()
            raise
        expect(code in (0, -signal.SIGKILL), f"the service ended with {code}: {self.said()}")


class Elsewhere:
    """A service that runs already: WEBSTRATA_FRONTIER=host:port, for trying a test on another program."""

    def __init__(self):
        self.address = os.environ["WEBSTRATA_FRONTIER"]

    def calls(self, crawl="", **words):
        return Calls(self.address, crawl, **words)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass
