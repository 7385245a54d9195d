# SPDX-License-Identifier: Apache-2.0
"""Crawl files of every format, whole and damaged, for trials that compare two ways of reading them.

    originals = make_originals(folder)              # name -> bytes, of files that can be read
    name, damaged = mutated(chance, originals)      # `chance` is a random.Random: the same seed gives the same bytes
"""

import gzip
import os
import subprocess
import zlib
from pathlib import Path

SOURCE = Path(os.environ["WEBSTRATA_SOURCE"])
PROGRAM = os.environ["WEBSTRATA_PROGRAM"]
CORPUS = SOURCE / "fuzz" / "corpus"
RECORDS = 40
# Bytes that are special to parsers.
TOKENS = [b"\r\n", b"\r\r\n", b"\n\n", b"\x00", b"\xff\xfe", b"\x1b[2J", b"WARC/1.0\r\n", b"Content-Length: 99999999999\r\n", b"-1", b"{", b"}",
          b'"', b"\t", b" ", b"2020-02-30T00:00:00Z", b"\x1f\x8b\x08", b"http://\xc3\xa4.example/", b"\xc3", b"HTTP/1.1 200 OK\r\n\r\n"]


def members_of(path, count):
    """The first gzip members of a file, inflated."""
    rest = path.read_bytes()
    members = []
    while rest and len(members) < count:
        inflating = zlib.decompressobj(wbits=31)
        members.append(inflating.decompress(rest))
        rest = inflating.unused_data
    return members


def zipped(members):
    return b"".join(gzip.compress(one, 1, mtime=0) for one in members)


def wat_of(envelopes):
    """Records of metadata with these envelopes."""
    return [b"WARC/1.0\r\nWARC-Type: metadata\r\nWARC-Target-URI: http://a.example/%d\r\nWARC-Date: 2015-06-01T12:00:00Z\r\n"
            b"WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-%012d>\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n"
            % (place, place, len(envelope), envelope) for place, envelope in enumerate(envelopes)]


def extracted(form, path):
    return subprocess.run([PROGRAM, "extract", "-q", "--as", form, str(path)], capture_output=True, check=True).stdout


def make_originals(folder):
    """Small files of the formats that crawls come in."""
    folder = Path(folder)
    members = members_of(SOURCE / "examples" / "sample" / "2021.warc.gz", RECORDS)
    crawl = folder / "original.warc.gz"
    crawl.write_bytes(zipped(members))
    wat = wat_of([path.read_bytes() for path in sorted((CORPUS / "wat").iterdir())] * 3)
    originals = {"a.warc.gz": members, "a.warc": b"".join(members), "a.wat.gz": wat, "a.wat": b"".join(wat)}
    for form in ("jsonl", "cdxj", "tsv"):
        originals[f"a.{form}"] = extracted(form, crawl)
    for form in ("cdx", "arc", "crawl_log"):
        for place, path in enumerate(sorted((CORPUS / form).iterdir())[:4]):
            originals[f"{place}.{form}"] = path.read_bytes()
    originals["a.jsonl.gz"] = [originals["a.jsonl"]]
    crawl.unlink()
    return originals


def damage(chance, data):
    """One change of a kind that disks, networks and other programs make."""
    if not data:
        return data
    place = chance.randrange(len(data))
    length = min(len(data) - place, chance.choice([1, 2, 3, 17, 300, 5000]))
    kind = chance.randrange(8)
    if kind == 0:
        return data[:place] + bytes([data[place] ^ 1 << chance.randrange(8)]) + data[place + 1:]
    if kind == 1:
        return data[:place] + chance.randbytes(length) + data[place + length:]
    if kind == 2:
        return data[:place] + data[place + length:]
    if kind == 3:
        return data[:place] + data[place:place + length] * 2 + data[place + length:]
    if kind == 4:
        return data[:place]
    if kind == 5:
        return data[:place] + chance.choice(TOKENS) + data[place:]
    if kind == 6:
        return data[:place] + chance.choice(TOKENS) + data[place + length:]
    return data[:place] + bytes(length) + data[place + length:]


def mutated(chance, originals):
    """Name and bytes of a damaged file; one with gzip members is damaged before or after it is compressed."""
    name = chance.choice(sorted(originals))
    data = originals[name]
    changes = chance.choice([1, 1, 1, 2, 5])
    if isinstance(data, list):
        members = list(data)
        if chance.random() < 0.5:
            for _ in range(changes):
                place = chance.randrange(len(members))
                members[place] = damage(chance, members[place])
            return name, zipped(members)
        data = zipped(members)
    for _ in range(changes):
        data = damage(chance, data)
    return name, data


def whole(originals, name):
    data = originals[name]
    return zipped(data) if isinstance(data, list) else data


def write_batch(chance, originals, folder, count):
    """Damaged files, and a whole one, so that there is something to find. Gives their paths."""
    folder.mkdir(parents=True)
    paths = [folder / "whole.warc.gz"]
    paths[0].write_bytes(whole(originals, "a.warc.gz"))
    for place in range(count):
        name, data = mutated(chance, originals)
        paths.append(folder / f"{place:03}-{name}")
        paths[-1].write_bytes(data)
    return [str(path) for path in paths]


def same_words(text):
    """JSON has a replacement character for each byte that is not UTF-8, Python for each group of them."""
    while "\ufffd\ufffd" in text:
        text = text.replace("\ufffd\ufffd", "\ufffd")
    return text


def report_of_program(summary):
    """What `build --json` says about one input, in the form in which reports are compared."""
    return {"path": summary["file"], "format": summary["format"], "records": summary["records"], "captures": summary["captures"],
            "sightings": summary["sightings"], "links": summary["links"], "damage_count": summary["damaged_count"],
            "damages": [(one["offset"], same_words(one["reason"])) for one in summary["damaged"]],
            "left_out": {same_words(what): times for what, times in summary["left_out"].items()},
            "error": same_words(summary["error"]) if "error" in summary else None}


def report_of_python(summary):
    """The same of webstrata.Input as a dictionary, or of an input of webstrata.spark."""
    found = {name: summary[name] for name in ("path", "format", "records", "captures", "sightings", "links", "damage_count")}
    found["damages"] = [(offset, same_words(reason)) for offset, reason in summary["damages"]]
    found["left_out"] = {same_words(what): times for what, times in summary["left_out"].items()}
    found["error"] = same_words(summary["error"]) if summary["error"] else None
    return found
