# SPDX-License-Identifier: Apache-2.0
"""The sample crawl in every format and compression that can be read: {file name: bytes}."""

import gzip
import io
import shutil
import subprocess
import zipfile

from running import PROGRAM, SAMPLE, SOURCE, not_tried

VERSION = b"1 0 Example\nURL IP-address Archive-date Content-type Archive-length\n\n"
ANSWER = b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=/b>b</a>"
ARC = (b"filedesc://x.arc 0.0.0.0 20210101000000 text/plain %d\n%s" % (len(VERSION), VERSION) +
       b"http://a.example/ 192.0.2.1 20210101000000 text/html %d\n%s\n" % (len(ANSWER), ANSWER))
CRAWL_LOG = (b"2021-01-01T00:00:00.000Z   200       1234 http://a.example/ - - text/html #001 20210101000000000+50 "
             b"sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ - -\n")
CDX = (b" CDX N b a m s k r M S V g\n"
       b"example,a)/ 20210101000000 http://a.example/ text/html 200 3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ - - 100 0 x.warc.gz\n")


def extracted(form):
    done = subprocess.run([PROGRAM, "extract", "--quiet", "--as", form, SAMPLE / "2021.warc.gz"], capture_output=True, check=True)
    return done.stdout


def packed(tool, content):
    """Compressed by a program; None if it is not installed."""
    if shutil.which(tool) is None:
        return None
    return subprocess.run([tool, "-q", "-c"], input=content, capture_output=True, check=True).stdout


def wacz(method, warc, name="archive/2021.warc.gz"):
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", method) as whole:
        whole.writestr("datapackage.json", "{}")
        whole.writestr(name, warc)
        whole.writestr("filler.bin", bytes(3_000_000))  # so that the directory is not in the first bytes
    return memory.getvalue()


def zipnum(cdxj):
    """An index in blocks of 100 lines, and its .idx."""
    lines = sorted(cdxj.splitlines(keepends=True))
    shard, index = b"", b""
    for place in range(0, len(lines), 100):
        block = gzip.compress(b"".join(lines[place:place + 100]), mtime=0)
        key = b" ".join(lines[place].split(b" ", 2)[:2])
        index += b"%s\tcdx-00000.gz\t%d\t%d\t%d\n" % (key, len(shard), len(block), place // 100 + 1)
        shard += block
    return index, shard


def all_forms():
    """The shards of a ZipNum index are among them: they have to lie next to it."""
    packed_warc = (SAMPLE / "2021.warc.gz").read_bytes()
    warc = gzip.decompress(packed_warc)
    cdxj, jsonl = extracted("cdxj"), extracted("jsonl")
    index, shard = zipnum(cdxj)
    forms = {
        "x.warc.gz": packed_warc, "x.warc": warc, "two words + 100% é.warc.gz": packed_warc,
        "x.warc.zst": packed("zstd", warc), "x.warc.lz4": packed("lz4", warc),
        "x.wacz": wacz(zipfile.ZIP_STORED, packed_warc), "deflated.wacz": wacz(zipfile.ZIP_DEFLATED, warc, "archive/2021.warc"),
        "x.cdxj": cdxj, "x.cdxj.gz": gzip.compress(cdxj, mtime=0), "cluster.idx": index, "cdx-00000.gz": shard,
        "x.cdx": CDX, "x.jsonl": jsonl, "x.jsonl.gz": gzip.compress(jsonl, mtime=0), "x.tsv": b"http://a.example/\t20210101000000\thttp://b.example/\thttp://c.example/\n",
        "x.arc": ARC, "crawl.log": CRAWL_LOG,
    }
    wat = SOURCE / "fuzz" / "corpus" / "wat"
    for place, path in enumerate(sorted(wat.iterdir())[:3] if wat.is_dir() else []):
        content = path.read_bytes()
        if content.startswith(b"WARC/"):
            forms[f"{place}.wat"] = content
    for name in [name for name, content in forms.items() if content is None]:
        not_tried(f"{name}: zstd or lz4 is not installed (tools/packages.test)")
        del forms[name]
    return forms
