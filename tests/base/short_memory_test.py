# SPDX-License-Identifier: Apache-2.0
"""If one allocation fails, any one, a command gives the right answer or says that memory is short: never another answer, never
a signal.

A shim (tests/base/tools/memory_shim.cpp) refuses one allocation. Libraries report that in their own ways (zlib, zstd, brotli,
simdjson, OpenSSL, libidn2, iconv), and each was once taken for damage of the input: records, links and digests were lost
with exit 0. The inputs are as small as possible, so that most allocations can be tried.
"""

import gzip
import json
import os
import random
import struct
import subprocess
import sys
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SOURCE = Path(os.environ["WEBSTRATA_SOURCE"])
sys.path[:0] = [str(SOURCE / "tests" / "cli"), str(SOURCE / "tests" / "archive")]
from fault import fast_folder
from running import PROGRAM, ending, expect, not_tried, skip

SHIM = Path(os.environ["WEBSTRATA_BUILD"]) / "tests" / "libmemory_shim.so"
EARLY, LAST = 60, 140  # refused allocations of each command: some at random, and all of the last ones
SEED = 20261118
OUT_OF_MEMORY = "webstrata: out of memory; use fewer --threads\n"
# The C library ends a program that has no memory for the destructor of a thread_local object, and nothing can prevent that.
FATAL_IN_LIBRARY = "Fatal glibc error: failed to register TLS destructor: out of memory"


def run(words, folder, fail_at=0, count=None, with_openssl=False):
    environment = dict(os.environ, LD_PRELOAD=str(SHIM), MEMORY_FAIL_AT=str(fail_at))
    if not with_openssl:
        environment["MEMORY_EXCEPT"] = "libcrypto.so"
    if count:
        environment["MEMORY_COUNT"] = str(count)
    done = subprocess.run([PROGRAM, *map(str, words)], env=environment, cwd=folder, capture_output=True, timeout=120, check=False)
    return done.returncode, done.stdout, done.stderr.decode(errors="replace")


def allocations(words, folder, **options):
    """The command's answer, and how many allocations it takes."""
    with fast_folder() as own:
        answer = run(words, folder, count=own / "count", **options)
        return answer, int((own / "count").read_text())


def check(words, folder, numbers, whole, **options):
    """How many of these allocations ended the command."""
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        answers = pool.map(lambda number: (number, run(words, folder, number, **options)), numbers)
        refused = 0
        for number, (code, out, errors) in answers:
            how = f"webstrata {' '.join(map(str, words))}, allocation {number} of {numbers[-1]} refused"
            if code == -6 and FATAL_IN_LIBRARY in errors:
                continue
            if code == -11 and options:  # OpenSSL, in its own initialisation
                continue
            if code == 2:
                expect(errors == OUT_OF_MEMORY or "cannot start a thread" in errors, f"{how}: {errors!r}")
                refused += 1
                continue
            expect((code, out) == whole[:2], f"{how}: exit {code}, another answer {out[:400]!r}, {errors!r}")
    return refused


def try_all(folder, commands):
    if not SHIM.exists():
        skip(f"{SHIM} is not there (builds with sanitizers have none)")
    for name, words in commands.items():
        whole, count = allocations(words, folder)
        expect(whole[0] == 0 and whole[1], f"{name}: {whole}")
        chance = random.Random(f"{SEED}/{name}")
        # Parsing the command line is most of it, and the same for all.
        early = chance.sample(range(1, count - LAST), EARLY)
        numbers = sorted([*early, *range(count - LAST, count + 1)])
        refused = check(words, folder, numbers, whole)
        print(f"    {name}: {len(numbers)} of {count} allocations, refused {refused}")
        expect(refused > 0, f"{name}: no refusal had an effect: this shows nothing")


# ---- inputs -----------------------------------------------------------------------------------------------------------


def codings():
    """Ways to send a page, by their name in Content-Encoding."""
    raw = zlib.compressobj(9, zlib.DEFLATED, -15)
    known = {"identity": lambda body: body, "gzip": lambda body: gzip.compress(body, mtime=0), "deflate": zlib.compress,
             "deflate, raw": lambda body: raw.compress(body) + raw.flush()}
    try:
        import brotli
        known["br"] = brotli.compress
    except ImportError:
        not_tried("pages sent with brotli: no Python module brotli")
    return known


def record(number, coding, body, charset, digest="WARC-Payload-Digest: sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ\r\n"):
    http = (f"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset={charset}\r\nContent-Encoding: {coding.split(',')[0]}\r\n\r\n").encode() + body
    head = (f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{number:012}>\r\n"
            f"WARC-Target-URI: http://w.example/{number}\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n"
            f"{digest}Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n").encode()
    return head + http + b"\r\n\r\n"


def lz4_frame(data):
    """One block that is stored as it is."""
    return b"\x04\x22\x4d\x18\x60\x40\x82" + struct.pack("<I", len(data) | 1 << 31) + data + bytes(4)


def zstd_frame(data):
    """The same for zstd (RFC 8878): a window of 1 KB, and the last block, raw."""
    return b"\x28\xb5\x2f\xfd\x00\x00" + struct.pack("<I", len(data) << 3 | 1)[:3] + data


def write_inputs(folder):
    """A small crawl for each way in which bytes are packed; gives the commands that read them."""
    page = "<title>\u65e5\u672c</title><a href='/one?q=\u65e5'>1</a><a href='http://b\u00fccher.example/'>2</a>" + "<!-- text -->" * 40
    commands = {}
    for number, (coding, pack) in enumerate(codings().items()):
        path = folder / f"{number}.warc.gz"
        path.write_bytes(gzip.compress(record(number, coding, pack(page.encode()), "utf-8"), mtime=0))
        commands[f"extract, {coding}"] = ["extract", "-q", "--threads", "1", path.name]
    japanese = "<title>\u65e5</title><a href='/one?q=\u65e5'>1</a>".encode("euc-jp")
    (folder / "digest.warc").write_bytes(record(1, "identity", page.encode(), "utf-8", digest=""))
    commands["extract, no digest"] = ["extract", "-q", "--threads", "1", "digest.warc"]
    (folder / "charset.warc").write_bytes(record(1, "identity", japanese, "euc-jp"))
    commands["extract, charset"] = ["extract", "-q", "--threads", "1", "charset.warc"]
    lines = "".join(json.dumps({"url": f"http://s{n}.example/", "time": "2020-01-01T00:00:00Z", "links": [{"url": f"http://s{n + 1}.example/"}]}) + "\n"
                    for n in range(3))
    (folder / "lines.jsonl").write_text(lines)
    commands["extract, JSON lines"] = ["extract", "-q", "--threads", "1", "lines.jsonl"]
    (folder / "lines.jsonl.lz4").write_bytes(lz4_frame(lines.encode()))
    (folder / "lines.jsonl.zst").write_bytes(zstd_frame(lines.encode()))
    for suffix in ("lz4", "zst"):
        commands[f"extract, {suffix}"] = ["extract", "-q", "--threads", "1", f"lines.jsonl.{suffix}"]
    return commands


def test_inputs(folder):
    try_all(folder, write_inputs(folder))


def test_digests(folder):
    """A digest that cannot be computed was made of memory that was never written."""
    write_inputs(folder)
    words = ["extract", "-q", "--threads", "1", "digest.warc"]
    whole, count = allocations(words, folder, with_openssl=True)
    expect(b'"digest":"sha1:' in whole[1], whole)
    numbers = sorted(random.Random(SEED).sample(range(count // 4, count + 1), 500))
    refused = check(words, folder, numbers, whole, with_openssl=True)
    print(f"    digests: {len(numbers)} of {count} allocations, refused {refused}")
    expect(refused > 0, "no refusal had an effect: this shows nothing")


def test_questions(folder):
    write_inputs(folder)
    build = run(["build", "-q", "lib.ws", "lines.jsonl", "charset.warc"], folder)
    expect(build[0] == 0, build)
    page = "http://s1.example/"
    try_all(folder, {
        "captures": ["captures", "lib.ws", page, "--as", "cdxj"],
        "links": ["links", "lib.ws", page, "--in", "--history"],
        "info": ["info", "lib.ws", "--json"],
        "url": ["url", "lib.ws", "--pages"],
    })


def main():
    for test in (test_inputs, test_digests, test_questions):
        with fast_folder() as folder:
            test(folder)
        print("ok  " + test.__name__.removeprefix("test_").replace("_", " "), flush=True)
    return ending()


if __name__ == "__main__":
    sys.exit(main())
