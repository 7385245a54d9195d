# SPDX-License-Identifier: Apache-2.0
"""docs/FORMAT.md is true: archives that the program builds are decoded by format_reader.py, which was written from that
page, and hold what went in. Counts, summaries, checksums and digests are compared by the reader itself."""

import collections
import datetime
import json
import os
import random
import re
import struct
import subprocess
import sys
from pathlib import Path

from fault import ending, fast_folder, not_tried
from format_bits import FIRSTS, SHAPES, TOKENS, lengths_of
from format_reader import HAS_XXHASH, Archive, Damage, decode_everything, read_tombstones, url_of_key

SOURCE = Path(os.environ["WEBSTRATA_SOURCE"])
PROGRAM = os.environ["WEBSTRATA_PROGRAM"]
SAMPLES = sorted((SOURCE / "examples" / "sample").glob("*.warc.gz"))
PAGE = (SOURCE / "docs" / "FORMAT.md").read_text()
SEED = 20240229

KINDS = ("navigation", "embed", "redirect", "relation", "form", "refresh", "sitemap", "nofollow")
OUTCOMES = ("unknown", "alive", "moved", "blocked", "unreachable", "gone", "soft-gone")
SIGHTINGS = ("response", "revisit", "probe", "index")
PROFILES = (None, "identical-payload-digest", "server-not-modified")


def expect(truth, message):
    if not truth:
        raise AssertionError(message)


def webstrata(*arguments):
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, check=False)
    expect(done.returncode == 0, f"{arguments}: {done.stderr.decode()}")
    return done.stdout


def build(folder, *arguments):
    webstrata("build", "--quiet", folder, *arguments)
    return Archive(folder)


def rfc3339(time):
    moment = datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=time)
    return moment.isoformat() + "Z"


# Facts in the words of `webstrata extract` ---------------------------------------------------------------------------

def url(archive, uid):
    return url_of_key(archive.keys[uid]).decode()


def links_of_row(archive, row):
    links = {}
    for target, (kinds, count) in row.items():
        names = "+".join(name for bit, name in enumerate(KINDS) if kinds >> bit & 1)
        links[url(archive, target)] = (names, count)
    return links


def line_of(archive, uid, record):
    """A sighting as a JSON line has it, links aside."""
    line = {"url": url(archive, uid), "time": rfc3339(record["time"]), "kind": SIGHTINGS[record["kind"]],
            "outcome": OUTCOMES[record["outcome"]]}
    for field in ("status", "text_length", "offset", "length"):
        if field in record:
            line[field] = record[field]
    for field in ("mime", "digest", "text_digest", "spelling", "file", "crawl"):
        try:
            line[field] = record.get(field, b"").decode()
        except UnicodeDecodeError:
            line[f"{field}_hex"] = record[field].hex()
    line = {field: value for field, value in line.items() if value != "" or field == "file"}
    if "title" in record:
        line["title_hash"] = f"{record['title']:016x}"
    if "redirect" in record:
        line["redirect"] = url(archive, record["redirect"])
    if record["truncated"]:
        line["truncated"] = True
    if record["profile"]:
        line["profile"] = PROFILES[record["profile"]]
    refers_to = {"url": url(archive, record["refers_to"])} if "refers_to" in record else {}
    if "refers_to_time" in record:
        refers_to["time"] = rfc3339(record["refers_to_time"])
    return {**line, "refers_to": refers_to} if refers_to else line


def facts_of_archive(archive):
    """(line, links or None) of all sightings, in the order of the archive."""
    for uid, records in enumerate(archive.sightings):
        rows = dict(archive.rows[uid])
        for record in records:
            links = links_of_row(archive, rows[record["time"]]) if record["has_links"] else None
            yield line_of(archive, uid, record), links


def facts_of_lines(lines):
    for line in lines:
        fact = json.loads(line)
        links = fact.pop("links", None)
        yield fact, None if links is None else {link["url"]: (link["kinds"], link.get("count", 1)) for link in links}


def expect_same(found, expected, what):
    found, expected = list(found), list(expected)
    for a, b in zip(found, expected):
        expect(a == b, f"{what}:\n  decoded {a}\n  not     {b}")
    expect(len(found) == len(expected), f"{what}: {len(found)} facts, not {len(expected)}")


def in_order(facts):
    return sorted(facts, key=lambda fact: json.dumps(fact, sort_keys=True))


def expect_export(archive, folder):
    lines = webstrata("export", "--as", "jsonl", "--quiet", folder).splitlines()
    expect_same(facts_of_archive(archive), facts_of_lines(lines), "export")


def expect_in_links(archive):
    length = archive.manifest["options"]["range_seconds"]
    pairs = [collections.defaultdict(set) for _ in archive.keys]
    for source, rows in enumerate(archive.rows):
        for time, row in rows:
            for target in row:
                pairs[target][time // length if length else 0].add(source)
    expect([sorted(ranges.items()) for ranges in pairs] == archive.in_rows, "in-links are not the links turned round")


def expect_derived_rows(archive):
    """A row without a capture is that of a revisit, and a copy of a captured one."""
    for records, rows in zip(archive.sightings, archive.rows):
        captured = {record["time"] for record in records if record["has_links"]}
        revisits = {record["time"] for record in records if record["kind"] == 1}
        originals = [row for time, row in rows if time in captured]
        for time, row in rows:
            expect(time in captured or (time in revisits and row in originals), f"a row at {time} from nowhere")


# Tests ---------------------------------------------------------------------------------------------------------------

def test_samples_decode_to_what_extract_prints(folder):
    for name, kinds, more in (("plain", "graph", []),
                              ("all", "all", ["--compact", "--range", "1d", "--crawl", "first"]),
                              ("ever", "navigation", ["--range", "ever", "--digests", "64bit"])):
        archive = build(folder / name, "--links", kinds, *more, *SAMPLES)
        expect_export(archive, folder / name)
        expect_in_links(archive)
        expect_derived_rows(archive)
        if name == "ever":
            continue  # extract knows no short digests
        crawl = ["--crawl", "first"] if "--crawl" in more else []
        lines = webstrata("extract", "--quiet", "--links", kinds, *crawl, *SAMPLES).splitlines()
        extracted = list(facts_of_lines(lines))
        decoded = [fact for fact, _ in facts_of_archive(archive)]
        expect_same(in_order(decoded), in_order(fact for fact, _ in extracted), "extract")
        places = {key: uid for uid, key in enumerate(map(url_of_key, archive.keys))}
        for fact, links in extracted:
            if links is not None:
                rows = {rfc3339(time): row for time, row in archive.rows[places[fact["url"].encode()]]}
                expect(links_of_row(archive, rows[fact["time"]]) == links, f"other links than extracted: {fact}")


def texts_of_export(line):
    return {link["url"]: {text.encode() for text in link.get("texts", [link["text"]] if "text" in link else [])}
            for link in json.loads(line).get("links", [])}


def test_texts_decode_to_what_extract_prints(folder):
    archive = build(folder / "a.ws", "--texts", *SAMPLES)
    places = {key: uid for uid, key in enumerate(map(url_of_key, archive.keys))}
    expected = collections.defaultdict(set)
    for line in webstrata("extract", "--quiet", "--text", *SAMPLES).splitlines():
        fact = json.loads(line)
        uid = places[fact["url"].encode()]
        for target, texts in texts_of_export(line).items():
            cut = {" ".join(text.decode().split())[:100].strip().encode() for text in texts} - {b""}
            expected[uid, fact["time"], target] |= cut
    expect(sum(map(len, expected.values())) > 20000, "the sample has few texts")
    found = collections.defaultdict(set)
    for uid in range(len(archive.keys)):
        for (time, target), texts in archive.texts(uid).items():
            found[uid, rfc3339(time), url(archive, target)] = texts
    expected = {place: texts for place, texts in expected.items() if texts}
    expect(dict(found) == expected, f"other texts: {[x for x in found if found[x] != expected.get(x)][:3]}")
    exported = build(folder / "again.ws", "--texts", write(folder / "a.jsonl", webstrata("export", "--as", "jsonl", "-q", folder / "a.ws")))
    expect(exported.manifest["facts_digest"] == archive.manifest["facts_digest"], "an export loses texts")


def write(path, data):
    path.write_bytes(data)
    return path


def test_every_url_of_a_sample_is_in_what_is_decoded(folder):
    webstrata("build", "--quiet", folder / "a.ws", SAMPLES[0])
    strings = decode_everything(folder / "a.ws")
    for fact, links in facts_of_lines(webstrata("extract", "--quiet", SAMPLES[0]).splitlines()):
        for text in (fact["url"], *(links or ()), fact.get("digest"), fact.get("spelling"), fact["file"]):
            expect(text is None or text.encode() in strings, f"{text} is missing")


def test_later_generations_decode_like_the_first(folder):
    (folder / "seen.tsv").write_text("http://docs.example/\t20220101000000\t404\t-\t12\n")
    at_once = build(folder / "at_once.ws", *SAMPLES, folder / "seen.tsv")
    webstrata("build", "--quiet", folder / "grown.ws", SAMPLES[0])
    webstrata("update", "--quiet", "--merge-all", folder / "grown.ws", *SAMPLES[1:])
    webstrata("update", "--quiet", "--merge-all", folder / "grown.ws", folder / "seen.tsv")
    grown = Archive(folder / "grown.ws")
    expect(grown.manifest["generation"] == 3, "there is no third generation")
    for what in ("keys", "rows", "in_rows", "sightings"):
        expect(getattr(grown, what) == getattr(at_once, what), f"other {what} after an update")


def odd_facts(chance):
    """Sightings with all fields, known and unknown, of few URLs with much in common and some with nothing."""
    hosts = ("http://a.org", "https://a.org", "http://a.org:8080", "http://www.a.org", "http://b.co.uk", "ftp://f.net",
             "http://127.0.0.1", "http://[2001:db8::1]", "http://a-b.org", "http://xn--bcher-kva.example",
             "http://a.org.")
    paths = ["/", "/b", "/b/", "/b?c=d&e=%2C", "/%C3%A9", "/~x,(y)!", "/" + "long/" * 400, "/?q", "/B"]
    paths += [f"/news/{year}/{day}.html" for year in (2019, 2020) for day in range(20)]
    urls = [host + path for host in hosts for path in paths]
    base32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
    digests = ["sha1:" + "".join(chance.choices(base32, k=32)) for _ in range(30)]
    digests += [f"md5:{chance.getrandbits(128):032x}" for _ in range(10)]
    digests += [f"sha256:{chance.getrandbits(256):064x}" for _ in range(10)]
    digests += ["crc:neither hex nor base32!", "sha1:ABC"]

    def some(probability, value):
        return value() if chance.random() < probability else None

    for address in chance.sample(urls, 200):
        time = chance.randrange(-2_000_000_000, 2_000_000_000)
        targets = chance.sample(urls, chance.choice((0, 1, 5, 60)))
        for _ in range(chance.choice((1, 1, 2, 5, 40))):
            kind = chance.choice((0, 0, 0, 0, 1, 2, 3))
            fact = {"url": address, "time": rfc3339(time), "kind": SIGHTINGS[kind], "outcome": chance.choice(OUTCOMES),
                    "status": some(0.9, lambda: chance.choice((200, 200, 200, 301, 404, 503, -2, -5001))),
                    "mime": some(0.8, lambda: chance.choice(("text/html", "text/html", "image/png", "x/y"))),
                    "digest": some(0.9, lambda: chance.choice(digests)),
                    "text_digest": some(0.3, lambda: chance.choice(digests)),
                    "text_length": some(0.4, lambda: chance.choice((0, 7, chance.getrandbits(40), 2**64 - 1))),
                    "title_hash": some(0.5, lambda: f"{chance.choice((0, 7, chance.getrandbits(64))):016x}"),
                    "redirect": some(0.1, lambda: chance.choice(urls)),
                    "truncated": some(0.1, lambda: True),
                    "spelling": some(0.1, lambda: address.replace("a", "A") + chance.choice(("", "#x", " "))),
                    "spelling_hex": some(0.05, lambda: (b"HTTP://\xff\x00" + chance.randbytes(3)).hex()),
                    "file": chance.choice(("", "crawl-0000.warc.gz", "crawl-0001.warc.gz", "other.arc")),
                    "offset": some(0.9, lambda: chance.choice((0, chance.getrandbits(30), 2**64 - 1))),
                    "length": some(0.9, lambda: chance.choice((0, 1234, chance.getrandbits(20)))),
                    "crawl": some(0.5, lambda: chance.choice(("first", "second")))}
            if fact["spelling_hex"]:
                fact["spelling"] = None
            if kind == 1:
                fact["profile"] = PROFILES[chance.choice((1, 2))]
                refers_to = {"url": some(0.2, lambda: chance.choice(urls)),
                             "time": some(0.5, lambda: rfc3339(time - chance.getrandbits(24)))}
                fact["refers_to"] = {field: value for field, value in refers_to.items() if value is not None} or None
            links = None
            if kind == 0 and chance.random() < 0.9:
                kept = [target for target in targets if chance.random() < 0.95]
                links = {target: ("navigation", 1) for target in kept}
                for target in chance.sample(kept, len(kept) // 20):
                    names = chance.sample(KINDS, chance.randrange(1, 5))
                    links[target] = ("+".join(name for name in KINDS if name in names), chance.choice((1, 2, 255)))
            yield {field: value for field, value in fact.items() if value is not None}, links
            time += chance.choice((1, 86400, chance.getrandbits(25) + 1))


def test_odd_facts_come_back(folder):
    print(f"    seed {SEED}")
    facts = list(odd_facts(random.Random(SEED)))
    write_lines(folder / "odd.jsonl", facts)
    archive = build(folder / "odd.ws", "--links", "all", "--range", "1y", folder / "odd.jsonl")
    expect_same(in_order(facts_of_archive(archive)), in_order(facts), "input")
    expect_export(archive, folder / "odd.ws")
    expect_in_links(archive)
    expect_derived_rows(archive)


def write_lines(path, facts):
    with open(path, "w", encoding="utf-8") as out:
        for fact, links in facts:
            linked = {} if links is None else {"links": [{"url": target, "kinds": kinds, "count": count}
                                                         for target, (kinds, count) in links.items()]}
            out.write(json.dumps({**fact, **linked}) + "\n")
    return path


def changes_of_a_revisit():
    """Facts about one page whose later part changes what the earlier part says: the revisit repeats another capture than before."""
    page = {"url": "http://a.org/late", "outcome": "alive", "status": 200, "digest": "sha1:" + "A" * 32, "file": ""}
    captures = [{**page, "time": rfc3339(time), "kind": "response"} for time in (1_300_000_000, 1_400_000_000)]
    revisit = {**page, "time": rfc3339(1_500_000_000), "kind": "revisit", "profile": PROFILES[1]}
    return ([(captures[0], {"http://b.org/old": ("navigation", 1)}), (revisit, None)],
            [(captures[1], {"http://b.org/new": ("navigation", 1)})])


def stack_of_odd_facts(folder):
    """An archive of several strata from random facts, cut into shares that become smaller, and one build from all of them."""
    chance = random.Random(SEED)
    facts = list(odd_facts(chance))
    chance.shuffle(facts)
    early, late = changes_of_a_revisit()
    borders = [0, *(len(facts) * share // 100 for share in (70, 90, 97)), len(facts)]
    shares = [facts[first:end] for first, end in zip(borders, borders[1:])]
    shares[0] += early
    shares[-1] += late
    files = [write_lines(folder / f"share{number}.jsonl", share) for number, share in enumerate(shares)]
    options = ["--links", "all", "--range", "1y"]
    whole = build(folder / "whole.ws", *options, *files)
    webstrata("build", "--quiet", folder / "stack.ws", *options, files[0])
    for file in files[1:]:
        webstrata("update", "--quiet", "--no-merge", folder / "stack.ws", file)
    return Archive(folder / "stack.ws"), whole


def test_a_stack_decodes_to_what_one_build_has(folder):
    print(f"    seed {SEED}")
    stack, whole = stack_of_odd_facts(folder)
    expect(len(stack.strata) > 2 and stack.manifest["format_version"] == 2, f"{len(stack.strata)} strata")
    replaced = sum(map(len, stack.whole_pages))
    known = sum(key in set(stack.strata[0].keys) for stratum in stack.strata[1:] for key in stratum.keys)
    expect(replaced > 0 and known > replaced, f"{replaced} pages are replaced, {known} keys known")
    for what in ("keys", "rows", "in_rows", "sightings"):
        expect(getattr(stack, what) == getattr(whole, what), f"other {what} in a stack")
    expect_export(stack, folder / "stack.ws")
    expect_in_links(stack)
    expect_derived_rows(stack)
    strings = decode_everything(folder / "stack.ws")
    expect(all(url_of_key(key) in strings for key in whole.keys), "a URL is in no stratum")
    webstrata("compact", "--quiet", folder / "stack.ws")
    compacted = Archive(folder / "stack.ws")
    expect(len(compacted.strata) == 1 and compacted.manifest["facts_digest"] == whole.manifest["facts_digest"], "compact")


def test_every_flipped_byte_of_a_stack_is_noticed(folder):
    if not HAS_XXHASH:
        return
    stack, _ = stack_of_odd_facts(folder)
    chance = random.Random(SEED)
    top = stack.folder / f"stratum.{len(stack.strata) - 1}"
    for path in [folder / "stack.ws" / "MANIFEST", *top.iterdir()]:
        good = path.read_bytes()
        for place in chance.sample(range(len(good) - 1), 2):
            path.write_bytes(good[:place] + bytes([good[place] ^ 1 << chance.randrange(8)]) + good[place + 1:])
            try:
                Archive(folder / "stack.ws")
            except (Damage, ValueError, KeyError, OSError):
                continue
            raise AssertionError(f"{path.name}: byte {place} of a stack is changed, and the reader did not notice")
        path.write_bytes(good)


def test_what_outgrows_a_block_or_a_chunk(folder):
    """70,001 targets of one page; 45 rows of 12,000 links, which exceed a section; 66,000 sightings of one URL; a page that
    changes 200 times."""
    chance = random.Random(SEED)
    with open(folder / "links.tsv", "w", encoding="utf-8") as out:
        def row(page, time, paths):
            out.write("\t".join([page, str(time), *(f"http://t.org/{path:x}" for path in sorted(paths))]) + "\n")
            expected.setdefault(page, []).append(set(paths))
        expected = {}
        row("http://wide.org/", 20200101000000, range(70_001))
        row("http://wide.org/", 20210101000000, range(0, 70_001, 3))
        for i in range(45):
            row("http://many.org/", 20200101000000 + i, range(i, i + 12_000))
        paths = set(range(300))
        for i in range(200):
            row("http://busy.org/", 20100101000000 + 10_000_000_000 * (i // 20) + i % 20, paths)
            paths ^= set(chance.sample(range(400), chance.choice((0, 1, 2, 9))))
    with open(folder / "seen.tsv", "w", encoding="utf-8") as out:
        for i in range(66_000):
            time = 20200101000000 + i // 3600 * 10000 + i // 60 % 60 * 100 + i % 60
            out.write(f"http://seen.org/\t{time}\t200\tsha1:{i // 1000:040x}\t{i}\n")
    archive = build(folder / "large.ws", folder / "links.tsv", folder / "seen.tsv")
    urls = list(map(url_of_key, archive.keys))
    places = {key: uid for uid, key in enumerate(urls)}
    path_of = [int(address.removeprefix(b"http://t.org/"), 16) if b"t.org" in address else None for address in urls]
    for page, rows in expected.items():
        found = [set(map(path_of.__getitem__, row)) for _, row in archive.rows[places[page.encode()]]]
        expect(found == rows, f"{page}: other rows")
    expect(len(archive.strata[0].blocks["names"]) == 2, "there is one block only")
    expect(len(archive.strata[0].sections["links"][places[b"http://many.org/"]]) == 2, "there is one section only")
    seen = archive.sightings[places[b"http://seen.org/"]]
    expect({record["length"] for record in seen} == set(range(66_000)), "other sightings")
    node = places[b"http://seen.org/"]
    segments = [first for first, count, _ in archive.strata[0].chunks("sightings") if first <= node < first + count]
    expect(len(segments) == 2, "the sightings are in one chunk")
    expect_in_links(archive)


def siphash128(low, high, data):
    """SipHash-2-4 with 128 bits, after the paper of Aumasson and Bernstein and its reference code."""
    mask = (1 << 64) - 1
    v = [low ^ 0x736f6d6570736575, high ^ 0x646f72616e646f6d ^ 0xee,
         low ^ 0x6c7967656e657261, high ^ 0x7465646279746573]

    def rounds(count):
        for _ in range(count):
            for a, b, turn, also in ((0, 1, 13, True), (2, 3, 16, False), (0, 3, 21, False), (2, 1, 17, True)):
                v[a] = v[a] + v[b] & mask
                v[b] = (v[b] << turn | v[b] >> 64 - turn) & mask ^ v[a]
                if also:
                    v[a] = (v[a] << 32 | v[a] >> 32) & mask

    padded = data + bytes(7 - len(data) % 8) + bytes([len(data) & 255])
    for (word,) in struct.iter_unpack("<Q", padded):
        v[3] ^= word
        rounds(2)
        v[0] ^= word
    halves = []
    for place, constant in ((2, 0xee), (1, 0xdd)):
        v[place] ^= constant
        rounds(4)
        halves.append(v[0] ^ v[1] ^ v[2] ^ v[3])
    return struct.pack("<QQ", *halves)


def test_tombstones_decode_to_what_was_forgotten(folder):
    vector = siphash128(0x0706050403020100, 0x0f0e0d0c0b0a0908, bytes(range(15)))
    expect(vector.hex() == "5493e99933b0a8117e08ec0f97cfc3d9", "not what the reference code of SipHash gives")
    webstrata("build", "--quiet", folder / "a.ws", SAMPLES[0])
    webstrata("forget", "--quiet", folder / "a.ws", "--url", "http://docs.example/")
    webstrata("forget", "--quiet", folder / "a.ws", "--prefix", "http://mypy-doc.docs.example/")
    webstrata("forget", "--quiet", folder / "a.ws", "--host", "sphinx-doc.docs.example", "--to", "2021-12-31T23:59:59Z")
    low, high = struct.unpack("<QQ", (folder / "a.ws" / "tombstones.key").read_bytes())
    entries, key_hash = read_tombstones(folder / "a.ws")
    expect(key_hash == siphash128(low, high ^ 255, b""), "the key is not told")
    patterns = [(0, b"example,docs)/"), (2, b"example,docs,mypy-doc)/"), (4, b"example,docs,sphinx-doc")]
    found = [(kind, digest, size) for kind, digest, size, _ in entries]
    expected = [(kind, siphash128(low, high ^ kind, pattern), len(pattern) if kind == 2 else None)
                for kind, pattern in patterns]
    expect(found == expected, f"{found} are not {expected}")
    spans = [span for _, _, _, span in entries]
    expect(spans[:2] == [None, None] and spans[2][1] == 1640995199, f"dated {spans}")
    # An archive that is joined brings its list under its own key.
    webstrata("build", "--quiet", folder / "b.ws", SAMPLES[1])
    webstrata("forget", "--quiet", folder / "b.ws", "--url", "http://docs.example/")
    webstrata("update", "--quiet", "--merge-all", folder / "a.ws", folder / "b.ws")
    own, own_hash, (others, other_hash) = read_tombstones(folder / "a.ws")
    expect(own == entries and own_hash == key_hash, "its own list is another one")
    low, high = struct.unpack("<QQ", (folder / "a.ws" / "tombstones.key").read_bytes()[16:])
    expect(other_hash == siphash128(low, high ^ 255, b""), "the second key")
    expect(others == [(0, siphash128(low, high, patterns[0][1]), None, None)], others)
    strings = decode_everything(folder / "a.ws")
    for text in (b"http://docs.example/", b"mypy-doc.docs.example/", b"example,docs,mypy-doc)"):
        expect(not any(text in string for string in strings), f"{text} is still there")


def test_page_tells_the_default_codes():
    for name, lengths in (("tokens", TOKENS), ("firsts", FIRSTS), ("shapes", SHAPES)):
        line = re.search(rf"^    {name} +((\d+\*\d+ ?)+)$", PAGE, re.MULTILINE)
        expect(line and lengths_of(line[1]) == lengths, f"FORMAT.md and format_bits.py differ in {name}")


def test_example_of_the_page(folder):
    example = PAGE.split("\n## An example\n")[1]
    rows = re.findall(r"^    (http://\S+) (\S+) (.*)$", example, re.MULTILINE)
    text = "".join("\t".join([page, re.sub(r"\D", "", time), *targets.split()]) + "\n" for page, time, targets in rows)
    (folder / "tiny.tsv").write_text(text)
    build(folder / "tiny.ws", folder / "tiny.tsv")
    dump = "".join(re.findall(r"^    [0-9a-f]{4}  ((?:[0-9a-f]{2} ?)+)", example, re.MULTILINE))
    written = (folder / "tiny.ws/g000001/links.00000").read_bytes()
    expect(bytes.fromhex(dump) == written, "the file of the example differs")
    chunks = re.findall(r"^    ([a-z_]+) +((?:[0-9a-f]{2} )*[0-9a-f]{2})$", example, re.MULTILINE)
    expect(len(chunks) == 8, f"the example has {len(chunks)} chunks")
    archive = Archive(folder / "tiny.ws")
    for layer, written in chunks:
        (_, _, data), = archive.strata[0].chunks(layer)
        expect(bytes.fromhex(written) == data, f"the chunk of {layer} in the example differs: {data.hex(' ')}")


def test_every_flipped_byte_is_noticed(folder):
    if not HAS_XXHASH:
        return
    (folder / "a.tsv").write_text("http://a.org/\t20200101000000\thttp://b.org/\n")
    archive = build(folder / "a.ws", folder / "a.tsv")
    chance = random.Random(SEED)
    for path in [folder / "a.ws" / "MANIFEST", *archive.folder.iterdir()]:
        good = path.read_bytes()
        for place in chance.sample(range(len(good) - 1), 20):
            path.write_bytes(good[:place] + bytes([good[place] ^ 1 << chance.randrange(8)]) + good[place + 1:])
            try:
                Archive(folder / "a.ws")
            except (Damage, ValueError, KeyError, OSError):
                continue
            raise AssertionError(f"{path.name}: byte {place} is changed and nobody noticed")
        path.write_bytes(good)


def main():
    if not HAS_XXHASH:
        not_tried("checksums and digests were not compared: they need the package xxhash (tests/requirements.txt)")
    for name, test in sorted(globals().items()):
        if name.startswith("test_"):
            with fast_folder() as folder:
                test(*[folder] * test.__code__.co_argcount)
            print(f"ok  {name[5:].replace('_', ' ')}", flush=True)
    return ending()


if __name__ == "__main__":
    sys.exit(main())
