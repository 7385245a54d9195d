# SPDX-License-Identifier: Apache-2.0
"""The law: layer files depend on the facts alone. Whole builds, updates, any order, threads, memory, and the way through
an export give the same bytes.

Of the large crawls every eighth page is taken, and a part of the updates is made, unless WEBSTRATA_LAW_WHOLE is set."""

import json
import os
import random
import shutil
import subprocess
import sys
import time
import zlib
from pathlib import Path

from archives import expect_same, temporary_folder, write
from running import SAMPLE, expect, run, skip

# Also runs as: shared

OLD = SAMPLE / "2021.warc.gz"
NEW = SAMPLE / "2023.warc.gz"
DATA = Path(os.environ["WEBSTRATA_SHARED"]) / "data"
SHARE = 1 if os.environ.get("WEBSTRATA_LAW_WHOLE") else 8
SEED = 20150601


def is_taken(url):
    return zlib.crc32(url) % SHARE == 0


def unpacked(path):
    """The lines of a zstd file."""
    process = subprocess.Popen(["zstd", "-dcq", "--long=27", path], stdout=subprocess.PIPE)
    yield from process.stdout
    expect(process.wait() == 0, f"{path} cannot be unpacked")


def through_export(folder, archive, *options):
    lines = folder / "exported.jsonl"
    code, _, errors = run("export", "--quiet", archive, "--as", "jsonl", lines)
    expect(code == 0, errors)
    write("build", folder / "again.ws", lines, *options)
    expect_same(archive, folder / "again.ws", "an export, built again")
    shutil.rmtree(folder / "again.ws")


def test_the_sample(folder):
    whole = folder / "whole.ws"
    write("build", whole, OLD, NEW)
    for name, options in {"shuffled": [NEW, OLD], "twice": [OLD, NEW, OLD], "1 thread": ["--threads", 1, OLD, NEW],
                          "3 threads": ["--threads", 3, OLD, NEW], "little memory": ["--memory", "128M", NEW, OLD],
                          "much memory": ["--memory", "4G", OLD, NEW], "elsewhere": ["--temp", folder, OLD, NEW]}.items():
        write("build", folder / name, *options)
        expect_same(whole, folder / name, name)
    for first, second in ((OLD, NEW), (NEW, OLD)):
        updated = folder / f"{first.name}.ws"
        write("build", updated, first)
        write("update", updated, second)
        write("compact", updated)
        expect_same(whole, updated, f"update with {second.name}")
        write("update", updated, first)
        expect_same(whole, updated, "an update with what is there")
    through_export(folder, whole)


def test_the_sample_with_other_options(folder):
    options = ["--links", "all", "--schemes", "all", "--range", "ever", "--digests", "64bit", "--compact", "--crawl", "x"]
    whole = folder / "whole.ws"
    write("build", whole, OLD, NEW, *options)
    write("build", folder / "updated.ws", NEW, *options)
    write("update", folder / "updated.ws", OLD, "--crawl", "x", "--merge-all")
    expect_same(whole, folder / "updated.ws", "update")
    through_export(folder, whole, *options)
    code, _, errors = run("verify", whole)
    expect(code == 0, errors)


ODD_FACTS = [
    {"url": "http://a.example/", "time": -5, "kind": "response", "status": 200, "digest": "???", "links": []},
    {"url": "http://a.example/", "time": -5, "kind": "response", "status": 200, "digest": "sha1:A", "title": "t",
     "links": [{"url": "http://b.example/", "kinds": "navigation+nofollow", "count": 255}, "mailto:a@b.example"]},
    {"url": "http://a.example/", "time": "2001", "kind": "revisit", "digest": "sha1:A", "profile": "identical-payload-digest"},
    {"url": "http://a.example/", "time": "2002", "kind": "revisit", "profile": "server-not-modified",
     "refers_to": {"time": "1969-12-31T23:59:55Z"}},
    {"url": "http://a.example/", "time": "2003", "kind": "revisit", "digest": "sha1:A", "refers_to": {"url": "http://c.example/"}},
    {"url": "http://a.example/", "time": "2004", "kind": "probe", "status": -6, "file": ""},
    {"url": "http://A.example/\u00e9", "time": "0001", "kind": "index", "outcome": "soft-gone", "crawl_hex": "e974e9",
     "spelling_hex": "ff01", "file_hex": "fe2e67", "offset": 0, "length": 2**63},
    {"url": "http://a.example/moved", "time": "9999", "status": 301, "redirect": "/elsewhere", "text": "x", "links": ["/elsewhere"]},
    {"url": "mailto:c@d.example", "time": "2005", "status": 200, "truncated": True},
]


def test_odd_facts(folder):
    """Times before 1970, two captures in one second, all kinds of revisits, bytes that are not UTF-8, unknown values."""
    facts = folder / "facts.jsonl"
    facts.write_text("".join(json.dumps(fact) + "\n" for fact in ODD_FACTS))
    for options in ([], ["--schemes", "all"], ["--digests", "none"], ["--links", "all", "--schemes", "all"]):
        lib = folder / "lib.ws"
        code, out, errors = run("build", "--json", lib, facts, *options)
        expect(code == 0 and json.loads(out)["inputs"][0]["damaged_count"] == 0, errors)
        expect(json.loads(out)["sightings"] == len(ODD_FACTS) - ("all" not in options[-1:]), out)
        through_export(folder, lib, *options)
        shutil.rmtree(lib)


def pieces_of_site(folder, digits):
    """openbsd-www as JSON lines, a file for each year (4 digits) or month (6). Every line says where it comes from, so that its file does
    not matter."""
    years = {}
    for number, line in enumerate(unpacked(DATA / "openbsd-www" / "links_all_versions.tsv.zst")):
        source, moment, *targets = line.rstrip(b"\n").split(b"\t")
        if not is_taken(source):
            continue
        fact = {"url": source.decode(), "time": moment.decode(), "links": [target.decode("latin-1") for target in targets],
                "file": "links.tsv", "offset": number}
        years.setdefault(moment[:digits].decode(), []).append(json.dumps(fact))
    for year, lines in years.items():
        (folder / f"{year}.jsonl").write_text("\n".join(lines) + "\n")
    return [folder / f"{year}.jsonl" for year in sorted(years)], [line for lines in years.values() for line in lines]


def test_thirty_years_of_one_site(folder):
    pieces, lines = pieces_of_site(folder, 4)
    whole = folder / "whole.ws"
    write("build", whole, "--threads", 2, "--memory", "4G", *pieces)
    random.Random(SEED).shuffle(lines)
    (folder / "shuffled.jsonl").write_text("\n".join(lines))
    write("build", folder / "shuffled.ws", "--threads", 1, "--memory", "128M", folder / "shuffled.jsonl")
    expect_same(whole, folder / "shuffled.ws", f"shuffled with seed {SEED}, one thread, little memory")
    updated = folder / "updated.ws"
    write("build", updated, pieces[0])
    for piece in pieces[1:]:
        write("update", updated, piece)
    write("compact", updated)
    expect_same(whole, updated, f"{len(pieces) - 1} updates")
    parts = [folder / f"part{i}.ws" for i in range(3)]
    for number, part in enumerate(parts):
        write("build", part, *pieces[number::3])
    write("build", folder / "joined.ws", parts[0], *pieces[1::3], "--memory", "128M")
    write("update", folder / "joined.ws", *parts[1:])
    write("compact", folder / "joined.ws")
    expect_same(whole, folder / "joined.ws", "archives of every third year, joined")
    through_export(folder, whole)
    print(f"    {len(lines)} captures in {len(pieces)} years")


def expect_same_facts(archive, pieces, folder, what):
    """A stack exports what one build of the same pieces exports, and compacts to its bytes."""
    whole, copy = folder / "so-far.ws", folder / "copy.ws"
    write("build", whole, *pieces)
    exported = [run("export", "-q", lib, "--as", "jsonl", "-") for lib in (archive, whole)]
    expect(exported[0][0] == 0 and exported[0][1] == exported[1][1], f"{what}: another export")
    shutil.copytree(archive, copy)
    write("compact", copy)
    expect_same(whole, copy, what)
    expect(run("verify", "-q", archive)[0] == 0, f"{what}: verify")
    shutil.rmtree(whole)
    shutil.rmtree(copy)


def in_updates(folder, pieces, checks):
    """Builds the first piece and adds the others one by one; `checks` times, and in the end, it is what one build gives."""
    lib, most = folder / "daily.ws", 1
    write("build", lib, pieces[0])
    chance = random.Random(SEED)
    checked = {*chance.sample(range(1, len(pieces) - 1), checks), len(pieces) - 1}
    for number in range(1, len(pieces)):
        write("update", lib, pieces[number], *(["--no-merge"] if chance.random() < 0.1 else []))
        strata = json.loads(run("info", "--json", lib)[1])["strata"]
        expect(strata <= 8, f"{strata} strata after update {number}")
        most = max(most, strata)
        if number in checked:
            expect_same_facts(lib, pieces[:number + 1], folder, f"{number} of {len(pieces) - 1} updates")
    expect(most > 2, "there was no stack")
    print(f"    {len(pieces) - 1} updates, up to {most} strata")


def test_one_site_month_by_month(folder):
    pieces, _ = pieces_of_site(folder, 6)
    in_updates(folder, pieces if SHARE == 1 else pieces[:60], 3)


def test_a_web_in_daily_crawls(folder):
    """A release as the base, and the next one in a hundred crawls of random pages."""
    days = 100 if SHARE == 1 else 25
    base = release(folder, "bullseye")
    crawls = [[] for _ in range(days)]
    chance = random.Random(SEED)
    for line in release(folder, "bookworm").read_text().splitlines(keepends=True):
        chance.choice(crawls).append(line)
    pieces = [folder / f"day{number}.jsonl" for number in range(days)]
    for piece, lines in zip(pieces, crawls):
        piece.write_text("".join(lines))
    in_updates(folder, [base, *pieces], 1)


def release(folder, name):
    """debweb's crawl of a release as JSON lines that say where they come from."""
    path = folder / f"{name}.jsonl"
    with path.open("w") as out:
        for number, line in enumerate(unpacked(DATA / "debweb" / f"captures.{name}.jsonl.zst")):
            fact = json.loads(line)
            if is_taken(fact["url"].encode()):
                out.write(json.dumps(fact | {"file": f"{name}.jsonl", "offset": number}) + "\n")
    return path


def test_two_releases_of_a_web(folder):
    old, new = release(folder, "bullseye"), release(folder, "bookworm")
    whole = folder / "whole.ws"
    write("build", whole, old, new, "--threads", 2, "--memory", "4G")
    lines = old.read_text().splitlines() + new.read_text().splitlines()
    random.Random(SEED).shuffle(lines)
    (folder / "shuffled.jsonl").write_text("\n".join(lines))
    write("build", folder / "shuffled.ws", folder / "shuffled.jsonl", "--threads", 1, "--memory", "128M")
    expect_same(whole, folder / "shuffled.ws", f"shuffled with seed {SEED}, one thread, little memory")
    write("build", folder / "updated.ws", old, "--memory", "128M")
    write("update", folder / "updated.ws", new, "--threads", 1)
    write("compact", folder / "updated.ws", "--threads", 1)
    expect_same(whole, folder / "updated.ws", "bullseye, then bookworm")
    through_export(folder, whole)
    print(f"    {len(lines)} captures")


def main():
    tests = [test_odd_facts, test_the_sample, test_the_sample_with_other_options]
    if sys.argv[1:] == ["shared"]:
        tests = [test_thirty_years_of_one_site, test_two_releases_of_a_web, test_one_site_month_by_month, test_a_web_in_daily_crawls]
        if not (DATA / "openbsd-www").is_dir() or not (DATA / "debweb").is_dir() or not shutil.which("zstd"):
            skip(f"needs openbsd-www and debweb in {DATA}, and zstd")
    for test in tests:
        start = time.monotonic()
        with temporary_folder() as folder:
            test(Path(folder))
        print(f"ok  {test.__name__[5:].replace('_', ' ')} ({time.monotonic() - start:.0f} s)", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
