#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Hostile or careless clients: huge metadata, streams that never end, answers that nobody reads, wrong keys and bytes,
a hundred thousand queues, wrong tokens, numbers at their limits. Each gets a clear status, the service keeps its memory within bounds,
and a client that behaves is served all the while.
"""

import contextlib
import itertools
import secrets
import socket
import sys
import tempfile
import threading
import time
from pathlib import Path

import grpc

from calling import FAIL, OK, SKIPPED, Calls, Service, discovered, info, known, pb
from running import expect, run_tests
from serving import make_certificate

Code = grpc.StatusCode
MEGABYTE = 1 << 20
MEMORY_MAX = 400 * MEGABYTE  # of the service, whatever clients do
BIG_NUMBER, BIGGER_NUMBER = 2**32 - 1, 2**64 - 1


def expect_served(service, within=60):
    """A client that behaves puts a URL and gets it. The limit is generous: one that is starved waits for ever."""
    name = secrets.token_hex(8)
    with service.calls("good") as good:
        url = f"http://{name}.example/"
        expect(good.put(discovered(url, crawl="good"), timeout=within) == [(url, OK)], "a good client cannot put")
        expect(good.get_within(within, key=f"{name}.example") == [url], "a good client gets nothing")


def expect_bounded(service, most=MEMORY_MAX):
    expect_served(service)
    peak = service.peak_memory()
    expect(peak < most, f"{peak / MEGABYTE:.0f} MB in memory, more than {most / MEGABYTE:.0f}")
    print(f"    peak {peak / MEGABYTE:.0f} MB", flush=True)


def code_of(action):
    try:
        action()
        return Code.OK
    except grpc.RpcError as error:
        return error.code()


def test_huge_metadata(folder):
    with Service(folder) as service, service.calls("bad") as calls:
        too_much = {"m": ["x" * 100_000] * 20}
        for i in range(50):
            acks = calls.put(discovered(f"http://a.example/{i}", crawl="bad", metadata=too_much), discovered(f"http://a.example/good{i}", crawl="bad"))
            expect(dict(acks) == {f"http://a.example/{i}": SKIPPED, f"http://a.example/good{i}": OK}, f"statuses: {acks}")
        many = {str(i): ["x"] for i in range(200_000)}
        expect(calls.put(discovered("http://a.example/many", crawl="bad", metadata=many))[0][1] == SKIPPED, "200,000 names of metadata")
        expect(calls.put(discovered("http://a.example/" + "x" * 1_000_000, crawl="bad"))[0][1] == SKIPPED, "a URL of a megabyte")
        for size in (5, 30):
            huge = discovered("http://a.example/huge", crawl="bad", metadata={"m": ["x" * size * MEGABYTE]})
            code = code_of(lambda huge=huge: calls.put(huge))
            expect(code == Code.RESOURCE_EXHAUSTED, f"a message of {size} MB: {code}")
        expect(calls.count() == 50, f"{calls.count()} URLs were stored")
        expect_bounded(service)


def never_ending(stop):
    while not stop.wait(0.2):
        yield from ()
        yield discovered(f"http://slow.example/{secrets.token_hex(4)}", crawl="bad")


def test_streams_that_never_end(folder):
    stop = threading.Event()
    with Service(folder) as service, contextlib.ExitStack() as stack:
        streams = []
        for _ in range(8):
            calls = stack.enter_context(service.calls("bad"))
            streams += [calls.stub.PutURLs(never_ending(stop)) for _ in range(25)]
            streams += [calls.stub.PutDiscovered(iter(lambda: stop.wait(60) and None, None)) for _ in range(5)]
        time.sleep(3)
        expect_served(service)
        stop.set()
        for stream in streams:
            stream.cancel()
        expect_bounded(service)


def test_answers_that_nobody_reads(folder):
    with Service(folder) as service, contextlib.ExitStack() as stack:
        calls = stack.enter_context(service.calls("bad"))
        calls.delay(0)
        urls = [info(f"http://h{i % 100}.example/{'x' * 1000}{i}", crawl="bad") for i in range(20_000)]
        calls.put_batches(*((str(at), urls[at:at + 1000]) for at in range(0, len(urls), 1000)))
        readers = []
        for _ in range(60):  # each could send 20 MB
            one = stack.enter_context(service.calls("bad"))
            readers.append(one.stub.ListURLs(pb.ListUrlParams(crawlID="bad", size=10**9)))
            readers.append(one.stub.GetURLs(pb.GetParams(crawlID="bad", delay_requestable=600)))
        time.sleep(3)
        expect_bounded(service)
        for reader in readers:
            reader.cancel()


def test_acknowledgements_that_nobody_reads(folder):
    with Service(folder) as service, contextlib.ExitStack() as stack:
        is_over = threading.Event()
        sent = [0] * 8

        def items(number):
            for i in itertools.count():
                if is_over.is_set():
                    return
                sent[number] = i
                yield discovered("not a url " + "y" * 2000, crawl="bad")  # its acknowledgement repeats it

        streams = [stack.enter_context(service.calls("bad")).stub.PutURLs(items(number)) for number in range(8)]
        time.sleep(6)
        expect_bounded(service)
        is_over.set()
        for stream in streams:
            stream.cancel()
        expect(sum(sent) > 1000, "nothing was sent")


def raw_call(service, name, written, kind="unary_unary"):
    """Bytes as they are instead of a message."""
    with grpc.insecure_channel(service.address) as channel:
        method = getattr(channel, kind)(f"/urlfrontier.URLFrontier/{name}", request_serializer=lambda data: data,
                                        response_deserializer=lambda data: data)
        if kind == "unary_unary":
            return code_of(lambda: method(written, timeout=20))
        if kind == "unary_stream":
            return code_of(lambda: list(method(written, timeout=20)))
        return code_of(lambda: list(method(iter([written]), timeout=20)))


def test_wrong_keys_and_bytes(folder):
    with Service(folder) as service, service.calls("bad") as calls:
        strange = ["a\nb", "a\0b", "ü" * 127, " ", "../../etc", "\U0001f578", "k" * 255]
        for key in strange:
            url = f"http://a.example/{key.encode().hex()[:40]}"
            expect(calls.put(discovered(url, key, "bad")) == [(url, OK)], f"the key {key!r}")
            expect([one.key for one in calls.get(key=key)] == [key], f"what is handed out for the key {key!r}")
        expect(sorted(calls.queues(size=100, include_inactive=True).values) == sorted(strange), "queues")
        expect(calls.put(discovered("http://a.example/", "k" * 256, "bad"))[0][1] == SKIPPED, "a key of 256 bytes")
        expect(calls.put(discovered("http://a.example/", crawl="c" * 100_000))[0][1] in (SKIPPED, FAIL), "a crawl with a long name")
        # A stream that cannot be understood ends; gRPC's server then knows no more than that it has ended.
        streams = ("PutURLs", "PutDiscovered")
        for call, kind in (("GetStats", "unary_unary"), ("DeleteQueue", "unary_unary"), ("GetURLs", "unary_stream"), ("ListURLs", "unary_stream"),
                           ("PutURLs", "stream_stream"), ("PutDiscovered", "stream_stream")):
            for written in (b"\xff" * 50, b"\x0a\xff\xff\xff\xff\x0f"):  # no message; a length too long
                code = raw_call(service, call, written, kind)
                expect(code in (Code.INTERNAL, Code.INVALID_ARGUMENT) or (call in streams and code == Code.OK),
                       f"{call} with the bytes {written!r}: {code}")
        code = raw_call(service, "GetStats", b"\x0a\x02\xff\xfe")
        expect(code in (Code.INTERNAL, Code.INVALID_ARGUMENT), f"a key that is not UTF-8: {code}")
        expect(raw_call(service, "NoSuchCall", b"") == Code.UNIMPLEMENTED, "a call that does not exist")
        expect_bounded(service)


def test_numbers_at_their_limits(folder):
    with Service(folder) as service, service.calls("bad") as calls:
        calls.put(discovered("http://a.example/1", crawl="bad"), known("http://a.example/2", BIGGER_NUMBER, crawl="bad"),
                  known("http://a.example/3", 1, crawl="bad"), known("http://a.example/4", 2**63, crawl="bad"))
        expect(calls.status("http://a.example/2", "a.example").known.refetchable_from_date == BIGGER_NUMBER, "the latest date")
        found = calls.get_names(urls=BIG_NUMBER, queues=BIG_NUMBER, lease=BIG_NUMBER)
        expect(sorted(found) == ["http://a.example/1", "http://a.example/3"], f"handed out: {found}")
        expect(calls.stats().inProcess == 2, "leases that end in 136 years")
        calls.delay(BIG_NUMBER, "a.example")
        calls.limit(BIG_NUMBER, "a.example")
        calls.put(discovered("http://a.example/5", crawl="bad"))
        expect(calls.get_within(1.5) == [], "a delay of 136 years")
        calls.delay(0, "a.example")
        calls.block(BIGGER_NUMBER, "a.example")
        expect(calls.get_within(1.5) == [], "a block for ever")
        calls.block(0, "a.example")
        expect(calls.get_within(3) == ["http://a.example/5"], "after the block")
        expect(calls.urls(start=BIG_NUMBER, size=BIG_NUMBER) == [], "a page far behind the end")
        expect(len(calls.urls(size=BIG_NUMBER)) == 5, "a page without a limit")
        expect(list(calls.queues(start=BIG_NUMBER, size=BIG_NUMBER).values) == [], "queues far behind the end")
        expect(calls.call("PurgeURLs", pb.PurgeUrlParams(crawlID="bad", days=BIG_NUMBER)).value == 0, "older than 11 million years")
        expect_bounded(service)


def put_queues(calls, count):
    batches = ((f"{at:09}", [info(f"http://q{i}.example/", crawl="bad") for i in range(at, at + 1000)]) for at in range(0, count, 1000))
    return [status for _, statuses in sorted(calls.put_batches(*batches)) for status in statuses]


def test_a_hundred_thousand_queues(folder):
    with Service(folder) as service, service.calls("bad") as calls:
        expect(set(put_queues(calls, 100_000)) == {OK}, "statuses")
        stats = calls.stats()
        expect((stats.numberOfQueues, stats.size) == (100_000, 100_000), "counts")
        expect_bounded(service)
        begin = time.time()
        expect(len(calls.get(queues=1000, urls=1)) == 1000, "a thousand queues")
        print(f"    1,000 of 100,000 queues in {time.time() - begin:.2f} s", flush=True)


def test_more_queues_than_are_allowed(folder):
    with Service(folder, "--max-queues", "2000") as service, service.calls("bad") as calls:
        statuses = put_queues(calls, 5000)
        expect(statuses[:1500] == [OK] * 1500 and set(statuses[2000:]) <= {FAIL, SKIPPED}, "statuses")
        expect(calls.stats().numberOfQueues <= 2000, "queues")
        expect(calls.put(discovered("http://q1.example/more", crawl="bad"))[0][1] == OK, "a queue that exists")
        expect(calls.call("DeleteQueue", pb.QueueWithinCrawlParams(key="q1.example", crawlID="bad")).value == 2, "a queue less")
        expect(calls.put(discovered("http://new.example/", crawl="bad"))[0][1] == OK, "a queue in its place")


def test_wrong_tokens(folder):
    token = folder / "token"
    token.write_text("a secret of some length\n")
    with Service(folder, "--token", token) as service:
        put = [discovered("http://a.example/")]
        for words in (None, [("authorization", "Bearer wrong")], [("authorization", "")], [("authorization", "Bearer ")],
                      [("authorization", "Bearer a secret of some lengt")], [("authorization", "Bearer " + "x" * 3000)]):
            with service.calls(metadata=words) as calls:
                for name, action in {"GetStats": calls.stats, "GetURLs": calls.get, "PutURLs": lambda: calls.put(*put),
                                     "PutDiscovered": lambda: calls.put_batches(("b", [info("http://a.example/")]))}.items():
                    code = code_of(action)
                    expect(code == Code.UNAUTHENTICATED, f"{name} with {words}: {code}")
        with service.calls(metadata=[("authorization", "Bearer a secret of some length")]) as calls:
            expect(calls.stats().size == 0, "something was put without the token")
            expect(calls.put(*put)[0][1] == OK, "with the token")


def test_tls(folder):
    certificate, key = make_certificate(folder, "localhost")
    with Service(folder, "--tls-cert", certificate, "--tls-key", key) as service:
        trusted = grpc.ssl_channel_credentials(Path(certificate).read_bytes())
        with Calls(f"localhost:{service.port}", credentials=trusted) as calls:
            expect(calls.put(discovered("http://a.example/"))[0][1] == OK, "over TLS")
        with Calls(f"localhost:{service.port}", credentials=grpc.ssl_channel_credentials()) as calls:
            expect(code_of(calls.stats) == Code.UNAVAILABLE, "a client that does not trust the certificate")
        with service.calls() as calls:
            expect(code_of(calls.stats) == Code.UNAVAILABLE, "a client without TLS")


def test_what_is_not_grpc(folder):
    with Service(folder) as service, contextlib.ExitStack() as stack:
        for i in range(200):
            other = stack.enter_context(socket.create_connection(("127.0.0.1", service.port)))
            with contextlib.suppress(OSError):
                if i % 3 == 0:
                    other.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
                elif i % 3 == 1:
                    other.sendall(secrets.token_bytes(5000))
        expect_bounded(service)


if __name__ == "__main__":
    sys.exit(run_tests({name: test for name, test in globals().items() if not sys.argv[1:] or name in sys.argv[1:]}, folder=tempfile.TemporaryDirectory))
