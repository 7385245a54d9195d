# SPDX-License-Identifier: Apache-2.0
"""Reads an archive without the program: written from docs/FORMAT.md, section by section, in plain Python.

    archive = Archive("lib.ws")           # everything is decoded and checked here; Damage tells what is wrong
    archive.keys[7]                       # b"org,a)/b\x01"; url_of_key() makes a url of it
    archive.rows[7]                       # [(time, {target: (kinds, count)}), ...], ascending
    archive.in_rows[7]                    # [(range, {source, ...}), ...], ascending
    archive.sightings[7]                  # [{"time": ..., "kind": ..., and what else is known}, ...]
    archive.strata                        # the base first; each with keys, rows, in_rows and sightings in its own numbers
    archive.texts(7)                      # {(time, target): {text, ...}, ...}, if the archive has texts

    decode_everything("lib.ws")           # all byte strings that anything in the folder decodes to

It is slow and meant for tests. Without the package `xxhash` checksums and digests are not compared: see HAS_XXHASH.
The chunks are decoded in format_codecs.py and format_texts.py, on top of format_bits.py.
"""

import json
import re
import struct
from bisect import bisect_left
from collections import defaultdict
from pathlib import Path

from format_bits import WORD, Bytes, Damage, check
from format_codecs import (SightingsChunk, decode_kinds, decode_links, decode_names, decode_presence, decode_times)
from format_texts import decode_texts

try:
    import xxhash
except ImportError:
    xxhash = None
HAS_XXHASH = xxhash is not None

__all__ = ["Archive", "Damage", "HAS_XXHASH", "decode_everything", "read_tombstones", "url_of_key"]

LAYERS = ("names", "links", "times", "presence", "kinds", "sightings", "in_links", "ranges", "in_presence")
OPTIONAL = {"texts": (decode_texts, True)}  # name: (bytes of a chunk -> for each node [] or a list for each column; whether facts_digest covers it)
NUMBERS = {name: number for number, name in enumerate((*LAYERS, *OPTIONAL))}
VERSION = 1
STACK_VERSION = 2  # of MANIFEST, if the archive is a stack of strata


def xxh3(data, seed=0):
    return xxhash.xxh3_64_intdigest(data, seed) if HAS_XXHASH else 0


def check_xxh3(data, expected, message):
    check(not HAS_XXHASH or xxh3(data) == expected, message)


def read_manifest(archive):
    line, last, rest = (Path(archive) / "MANIFEST").read_bytes().split(b"\n")
    check(rest == b"", "MANIFEST goes on")
    check_xxh3(line + b"\n", int(json.loads(last)["checksum"], 16), "MANIFEST: its checksum differs")
    manifest = json.loads(line)
    check(manifest["format_version"] <= STACK_VERSION, "a newer format")
    check(("strata" in manifest) == (manifest["format_version"] == STACK_VERSION), "a stack has format version 2, and nothing else")
    return manifest


class Block:
    """A block with its summary: nodes, filled, items, first, last, content."""

    def __init__(self, data, summary):
        self.summary = dict(zip(("nodes", "filled", "items", "first", "last", "content"), summary))
        source = Bytes(data)
        directory = [(source.varint(), source.varint(), source.varint()) for _ in range(source.varint())]
        self.chunks, end = [], 0  # (first node, number of nodes, bytes)
        for first, count, size in directory:
            check(first == end or first + 1 == end > 0, "chunks do not follow each other")
            check(1 <= count <= 1 << 16, "a chunk without nodes")
            self.chunks.append((first, count, source.take(size)))
            end = first + count
        check(source.place == len(data) and end == self.summary["nodes"], "a block of another size")


def read_part(path, layer, part, part_blocks, listed=None):
    data = path.read_bytes()
    check(data[:8] == b"wsLAYER\n" and data[-8:] == b"wsLAYEND", f"{path}: no part of a layer")
    header = struct.unpack("<IIIQQ", data[8:36])
    check(header == (VERSION, NUMBERS[layer], part_blocks, part, part * part_blocks), f"{path}: another header")
    count, checksum = struct.unpack("<QQ", data[-24:-8])
    table = len(data) - 24 - 72 * count
    check_xxh3(data[:36] + data[table:-16], checksum, f"{path}: checksum of header and table differs")
    if listed:
        is_listed = (listed["size"], int(listed["checksum"], 16)) == (len(data), checksum)
        check(is_listed, f"{path}: not what MANIFEST lists")
    blocks, end = [], 36
    for entry in struct.iter_unpack("<QQQQQQqqQ", data[table:-24]):
        offset, size, block_checksum = entry[:3]
        check(offset == end, f"{path}: a hole between blocks")
        end += size
        check_xxh3(data[offset:end], block_checksum, f"{path}: checksum of a block differs")
        blocks.append(Block(data[offset:end], entry[3:]))
    check(end == table and 1 <= count <= part_blocks, f"{path}: the table does not fit")
    return blocks


class Generation:
    """All layers of one folder. Without `listed` (the layers of MANIFEST) it takes the parts it finds."""

    def __init__(self, folder, options, listed=None):
        self.block_bits = options["block_bits"]
        self.blocks, self.strings = {}, set()
        has = [name for name in OPTIONAL if (name in listed if listed else list(folder.glob(f"{name}.[0-9]*")))]
        for layer in (*LAYERS, *has):
            files = listed[layer] if listed else [{"name": p.name} for p in sorted(folder.glob(f"{layer}.[0-9]*"))]
            check([f["name"] for f in files] == [f"{layer}.{i:05}" for i in range(len(files))], "parts are missing")
            parts = [read_part(folder / f["name"], layer, i, options["part_blocks"], f if listed else None)
                     for i, f in enumerate(files)]
            check(all(len(part) == options["part_blocks"] for part in parts[:-1]), "a part is too short")
            self.blocks[layer] = sum(parts, [])
        check(len({len(blocks) for blocks in self.blocks.values()}) == 1, "layers of different length")
        self.keys = self.read_names()
        self.sections = {"links": self.read_sections(LAYERS[1:5]), "in_links": self.read_sections(LAYERS[6:9])}
        self.rows = [self.joined_rows(sections) for sections in self.sections["links"]]
        self.in_rows = [[(time, set(row)) for time, row in self.joined_rows(sections)]
                        for sections in self.sections["in_links"]]
        self.sightings = self.read_sightings()
        self.optional = {name: self.read_optional(name) for name in has}

    def texts(self, uid):
        """Which text which link had in which row."""
        rows, found = self.rows[uid], defaultdict(set)
        targets = sorted(union(rows))
        for link, text, first, end in zip(*self.optional["texts"][uid]):
            check(link < len(targets), "texts: no such link")
            for time, row in rows[first:end or None]:
                if targets[link] in row:
                    found[time, targets[link]].add(text)
        return found

    def chunks(self, layer):
        """(uid of the first node, number of nodes, bytes) of all chunks of a layer."""
        for number, block in enumerate(self.blocks[layer]):
            for first, count, data in block.chunks:
                yield (number << self.block_bits) + first, count, data

    def read_names(self):
        all_keys = []
        for first, count, data in self.chunks("names"):
            keys, phrases = decode_names(data)
            check(first == len(all_keys) and count == len(keys), "names: other keys than told")
            all_keys += keys
            self.strings.update(phrases)
        check(all(a < b for a, b in zip(all_keys, all_keys[1:])), "names: keys do not ascend")
        return all_keys

    def read_optional(self, layer):
        rows = []
        for first, count, data in self.chunks(layer):
            chunk = OPTIONAL[layer][0](data)
            check(first == len(rows) and count == len(chunk), f"{layer}: other nodes than told")
            rows += chunk
        self.strings.update(item for row in rows for column in row for item in column if isinstance(item, bytes))
        return rows

    def read_sections(self, layers):
        """For each node its sections: targets, times, rows of columns, values of these (or None)."""
        nodes = [[] for _ in self.keys]
        for chunks in zip(*map(self.chunks, layers), strict=True):
            first, count = chunks[0][:2]
            check(all(chunk[:2] == (first, count) for chunk in chunks), f"{layers}: cut in different places")
            links = decode_links(chunks[0][2], first)
            times = decode_times(chunks[1][2])
            rows = decode_presence(chunks[2][2], list(map(len, links)))
            values = decode_kinds(chunks[3][2], rows) if len(chunks) > 3 else [None] * count
            check(count == len(links) == len(times) == len(rows) == len(values), f"{layers}: other nodes than told")
            for i, section in enumerate(zip(links, times, rows, values)):
                check(len(section[1]) == len(section[2]), f"{layers}: other rows than times")
                check(not section[0] or section[0][-1] < len(self.keys), f"{layers}: no such node")
                nodes[first + i].append(section)
        return nodes

    @staticmethod
    def joined_rows(sections):
        rows = defaultdict(dict)
        for links, times, ones, values in sections:
            for time, columns, beside in zip(times, ones, values or [[None] * len(row) for row in ones]):
                rows[time].update(zip((links[column] for column in columns), beside))
        return [(time, dict(sorted(rows[time].items()))) for time in sorted(rows)]

    def read_sightings(self):
        nodes = [[] for _ in self.keys]
        for first, count, data in self.chunks("sightings"):
            chunk = SightingsChunk(data)
            self.strings.update(chunk.texts)
            lists = chunk.decode(first, lambda uid: [time for time, _ in self.rows[uid]])
            check(len(lists) == count, "sightings: other nodes than told")
            for uid, records in enumerate(lists, first):
                nodes[uid] += records
        for uid, records in enumerate(nodes):
            times = {time for time, _ in self.rows[uid]}
            check(all(r["time"] in times for r in records if r["has_links"]), "a capture without row")
            check(all(r.get(f, 0) < len(self.keys) for r in records for f in ("redirect", "refers_to")), "no such node")
            for record in records:
                self.strings.update(value for value in record.values() if isinstance(value, bytes))
        return nodes


class Stratum(Generation):
    """A folder of layers that were written together, checked against what MANIFEST says about them."""

    def __init__(self, folder, options, listed):
        super().__init__(folder, options, listed["layers"])
        check(self.summaries() == {layer: [block.summary for block in blocks] for layer, blocks in self.blocks.items()},
              "summaries differ")
        counts = counts_of(self.keys, self.rows, self.sightings)
        check(counts == listed["counts"], f"{folder}: {counts}, MANIFEST says {listed['counts']}")
        check(not HAS_XXHASH or self.facts_digest() == listed["facts_digest"], f"{folder}: another digest of facts")

    def summaries(self):
        """What the tables of the parts must contain. (A node of several sections would count its rows in each.)"""
        return {layer: [self.summary(layer, number, block) for number, block in enumerate(blocks)]
                for layer, blocks in self.blocks.items()}

    def summary(self, layer, number, block):
        start = number << self.block_bits
        nodes = range(start, min(start + (1 << self.block_bits), len(self.keys)))
        rows = self.in_rows if layer in ("in_links", "ranges", "in_presence") else self.rows
        filled = sum(bool(rows[n]) for n in nodes)
        if layer in OPTIONAL:
            items = [max(map(len, self.optional[layer][n]), default=0) for n in nodes]
            filled = sum(map(bool, items))
        elif layer in ("names", "sightings"):
            items = [len(self.sightings[n]) if layer == "sightings" else 1 for n in nodes]
            filled = sum(map(bool, items))
        elif layer in ("links", "in_links"):
            items = [len(union(rows[n])) for n in nodes]
            filled = sum(map(bool, items))
        elif layer in ("times", "ranges"):
            items = [len(rows[n]) for n in nodes]
        else:
            items = [sum(len(row) for _, row in rows[n]) for n in nodes]
        dated = {"times": rows, "ranges": rows}.get(layer) if layer != "sightings" else self.sightings
        times = [x["time"] if layer == "sightings" else x[0] for n in nodes for x in dated[n]] if dated else []
        content = sum(self.content(layer, n) for n in nodes) % WORD if HAS_XXHASH else block.summary["content"]
        return {"nodes": len(nodes), "filled": filled, "items": sum(items), "first": min(times, default=0),
                "last": max(times, default=0), "content": content}

    def content(self, layer, node):
        """The digest of what a layer says about a node."""
        if layer == "names":
            return xxh3(self.keys[node], node)
        if layer == "links" and self.rows[node]:
            targets = [target for _, row in self.rows[node] for target in row]
            ends = [sum(len(row) for _, row in self.rows[node][:i + 1]) for i in range(len(self.rows[node]))]
            seed = xxh3(struct.pack(f"<{len(ends)}q", *(time for time, _ in self.rows[node])), node)
            seed = xxh3(struct.pack(f"<{len(ends)}I", *ends), seed)
            seed = xxh3(struct.pack(f"<{len(targets)}Q", *targets), seed)
            return xxh3(b"".join(bytes(value) for _, row in self.rows[node] for value in row.values()), seed)
        if layer == "sightings" and (self.rows[node] or self.sightings[node]):
            return xxh3(b"".join(map(plain_record, self.sightings[node])), node)
        if layer == "in_links":
            return sum(xxh3(struct.pack("<Qq", source, number), node)
                       for number, row in self.in_rows[node] for source in row)
        if layer in OPTIONAL and any(self.optional[layer][node]):
            return xxh3(b"".join(map(plain_list, self.optional[layer][node])), node)
        return 0

    def facts_digest(self):
        sums = [sum(block.summary["content"] for block in self.blocks[layer]) % WORD
                for layer in ("names", "links", "sightings", *(name for name in self.optional if OPTIONAL[name][1]))]
        return xxhash.xxh3_128_hexdigest(struct.pack(f"<{len(sums)}Q", *sums))


class Archive:
    """The current generation of an archive, checked against MANIFEST: its strata, and their facts together."""

    def __init__(self, folder):
        self.manifest = read_manifest(folder)
        self.folder = Path(folder) / f"g{self.manifest['generation']:06}"
        listed = [dict(one) for one in self.manifest.get("strata", [self.manifest])]
        listed[0]["layers"] = self.manifest["layers"]
        check(len(listed) > 1 or "strata" not in self.manifest, "a stack of one stratum")
        folders = [self.folder, *(self.folder / f"stratum.{number}" for number in range(1, len(listed)))]
        options = self.manifest["options"]
        self.strata = [Stratum(place, options, one) for place, one in zip(folders, listed)]
        base = self.strata[0]
        self.keys, self.rows, self.in_rows, self.sightings = base.keys, base.rows, base.in_rows, base.sightings
        self.whole_pages = [[] for _ in self.strata]  # of each stratum, in its own numbers
        if len(self.strata) > 1:
            self.join(folders, listed)
            check(self.manifest["facts_digest"] == "", "a stack has no digest of its facts")
            counts = counts_of(self.keys, self.rows, self.sightings)
            check(counts == self.manifest["counts"], f"{counts}, MANIFEST says {self.manifest['counts']}")

    def texts(self, uid):
        """An archive with texts has one stratum, with the numbers of the archive."""
        check(len(self.strata) == 1, "texts in a stack")
        return self.strata[0].texts(uid)

    def join(self, folders, listed):
        self.keys = sorted({key for stratum in self.strata for key in stratum.keys})
        uid_of_key = {key: uid for uid, key in enumerate(self.keys)}
        rows, self.sightings = [defaultdict(dict) for _ in self.keys], [[] for _ in self.keys]
        sources = [set() for _ in self.keys]  # (range, source) for each node
        below = set()
        for number, stratum in enumerate(self.strata):
            uids = [uid_of_key[key] for key in stratum.keys]
            if number > 0:
                self.whole_pages[number] = read_places(folders[number], listed[number]["places"], stratum.keys, sorted(below))
                replaced = {uids[node] for node in self.whole_pages[number]}
                for uid in replaced:
                    rows[uid], self.sightings[uid] = defaultdict(dict), []
                if replaced:
                    sources = [{pair for pair in pairs if pair[1] not in replaced} for pairs in sources]
            below.update(stratum.keys)
            for node, uid in enumerate(uids):
                add_rows(rows[uid], stratum.rows[node], uids)
                add_sightings(self.sightings[uid], stratum.sightings[node], uids)
                sources[uid] |= {(time, uids[source]) for time, row in stratum.in_rows[node] for source in row}
        self.rows = [[(time, dict(sorted(row.items()))) for time, row in sorted(one.items())] for one in rows]
        self.in_rows = [by_range(pairs) for pairs in sources]
        for records in self.sightings:
            records.sort(key=order_of_record)


def add_rows(rows, more, uids):
    """The rows of a stratum into those of the page; no two strata have the same target in the same row."""
    for time, row in more:
        for target, value in row.items():
            check(uids[target] not in rows[time], "two strata have the same link")
            rows[time][uids[target]] = value
        rows[time]  # which may be empty  # pylint: disable=pointless-statement


def add_sightings(records, more, uids):
    for record in more:
        known = {field: uids[record[field]] for field in ("redirect", "refers_to") if field in record}
        check({**record, **known} not in records, "two strata have the same sighting")
        records.append({**record, **known})


def by_range(pairs):
    ranges = defaultdict(set)
    for number, source in pairs:
        ranges[number].add(source)
    return sorted(ranges.items())


def read_places(folder, listed, keys, below):
    """Checks the file `places` of a stratum with these keys against the keys of all strata below; returns its whole pages."""
    data = (folder / listed["name"]).read_bytes()
    check(len(data) == listed["size"], "places: not what MANIFEST lists")
    check_xxh3(data, int(listed["checksum"], 16), "places: not what MANIFEST lists")
    check(data[:8] == b"wsPLACE\n", "places: another file")
    source = Bytes(data[8:])
    check(source.varint() == len(keys), "places: of another number of keys")
    position = 0
    for key in keys:
        step = source.varint()
        position += step >> 1
        due = bisect_left(below, key)
        check(position == due, f"places: {key} is at {position}, not at {due}")
        check(step & 1 == (due < len(below) and below[due] == key), f"places: whether {key} is known")
    pages, page = [], 0
    for _ in range(source.varint()):
        page += source.varint()
        check(page < len(keys) and (not pages or page > pages[-1]), "places: no such page")
        pages.append(page)
    check(source.place == len(source.data), "places: bytes after the last page")
    return pages


def order_of_record(record):
    """The order of the sightings of a node."""
    def known(field):
        return (1, record[field]) if field in record else (0, 0)
    return (record["time"], record["kind"], record["outcome"], record["profile"], record["has_links"], record["truncated"],
            *map(known, ("status", "text_length", "title", "offset", "length", "refers_to_time", "redirect", "refers_to")),
            *(record.get(field, b"") for field in ("digest", "text_digest", "mime", "spelling", "file", "crawl")))


def counts_of(keys, all_rows, sightings):
    times = [record["time"] for records in sightings for record in records]
    span = {"first": min(times), "last": max(times)} if times else {}
    return {"nodes": len(keys), "pages": sum(map(bool, all_rows)), "captures": sum(map(len, all_rows)),
            "sightings": len(times), "links": sum(len(union(rows)) for rows in all_rows),
            "link_facts": sum(len(row) for rows in all_rows for _, row in rows), **span}


def union(rows):
    return {target for _, row in rows for target in row}


def varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes(out + bytes([number]))


def zigzag_varint(number):
    return varint(2 * number if number >= 0 else -2 * number - 1)


def plain_list(items):
    """A column of an optional layer as its digest sees it."""
    numbers = [item for item in items if isinstance(item, int)]
    texts = [item for item in items if isinstance(item, bytes)]
    return (varint(len(numbers)) + struct.pack(f"<{len(numbers)}q", *numbers) +
            varint(len(texts)) + b"".join(varint(len(text)) + text for text in texts))


def plain_record(record):
    """A sighting as its digest sees it."""
    known = ("status", "text_length", "title", "offset", "length", "refers_to_time", "redirect", "refers_to")
    fields = sum(1 << i for i, field in enumerate(known) if field in record)
    fields |= record["has_links"] << 8 | record["truncated"] << 9
    out = varint(fields) + zigzag_varint(record["time"]) + bytes([record["kind"], record["outcome"], record["profile"]])
    for field in known:
        if field in record:
            out += (zigzag_varint if field in ("status", "refers_to_time") else varint)(record[field])
    for field in ("digest", "text_digest", "mime", "spelling", "file", "crawl"):
        text = record.get(field, b"")
        out += varint(len(text)) + text
    return out


def read_tombstones(folder):
    """(kind, hash, size of a prefix or None, (first, last) or None) of all tombstones; the hash that identifies the key.
    Of several lists: the first, and then a pair for each of the others."""
    listed = read_manifest(folder)["tombstones"]
    data = (Path(folder) / listed["name"]).read_bytes()
    check(listed["size"] == len(data), "tombstones: another file")
    check_xxh3(data, int(listed["checksum"], 16), "tombstones: not what MANIFEST lists")
    if data[:7] != b"WSTOMB\x02":
        return read_tombstone_list(data)
    check_xxh3(data[:-8], *struct.unpack("<Q", data[-8:]), "tombstones: the checksum differs")
    source = Bytes(data[7:-8])
    lists = [read_tombstone_list(source.take(source.varint())) for _ in range(source.varint())]
    check(len(lists) > 1 and source.place == len(source.data), "tombstones: bytes behind the last list")
    return *lists[0], *lists[1:]


def read_tombstone_list(data):
    check(data[:7] == b"WSTOMB\x01", "tombstones: another file")
    check_xxh3(data[:-8], *struct.unpack("<Q", data[-8:]), "tombstones: the checksum differs")
    source = Bytes(data[7:-8])
    key_hash, entries = source.take(16), []
    for _ in range(source.varint()):
        kind, digest = source.u8(), source.take(16)
        size = source.varint() if kind & 7 in (2, 3) else None
        entries.append((kind & 7, digest, size, struct.unpack("<qq", source.take(16)) if kind & 8 else None))
    check(source.place == len(source.data), "tombstones: bytes behind the last")
    return entries, key_hash


def url_of_key(key):
    """The URL, as bytes."""
    scheme = key[-1]
    if scheme == 4:
        return key[1:-1]
    host, rest = key[:-1].split(b")", 1)
    labels = [re.sub(rb"%(2[1-9A-C])", lambda m: bytes([int(m[1], 16)]), label) for label in host.split(b",")]
    return {1: b"http", 2: b"https", 3: b"ftp"}[scheme] + b"://" + b".".join(reversed(labels)) + rest


def decode_everything(folder):
    """The set of all byte strings that the files of an archive decode to, whatever their purpose: keys, URLs, phrases, texts of
    sightings and of their tables. Generations that wait to be deleted are read too, and all other files, such as MANIFEST and
    tombstones, are strings as they are. After a forget, nothing of what was forgotten may be inside any of them:

        assert not any(b"http://a.org/secret" in string for string in decode_everything("lib.ws"))
    """
    folder = Path(folder)
    options = read_manifest(folder)["options"]
    generations = [path for path in folder.iterdir() if re.fullmatch(r"g\d{6,}", path.name)]
    generations += [path for generation in generations for path in generation.iterdir() if path.is_dir()]  # strata
    strings = {path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.parent not in generations}
    for generation in (Generation(path, options) for path in generations):
        strings |= generation.strings | set(generation.keys) | set(map(url_of_key, generation.keys))
    return strings
