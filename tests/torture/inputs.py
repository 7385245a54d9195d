# SPDX-License-Identifier: Apache-2.0
"""Mutated inputs of every format: the program ends as it promises, and what is next to the damage is read all the same."""

import asyncio
import gzip
import json
import re
import shutil
import subprocess

from ground import SOURCE, damaged, expect, shown
import webs

CORPUS = SOURCE / "fuzz" / "corpus"
FORMATS = ("warc", "arc", "wat", "wacz", "cdx", "cdxj", "zipnum", "crawl_log", "jsonl", "tsv")
EACH = 12  # mutated files in one case
FORMS = (["--as", "jsonl"], ["--as", "jsonl", "--links", "all", "--text", "--title", "--context"], ["--as", "tsv"], ["--as", "cdxj"], ["--stats"])


def packed(data, chance):
    """As it is, or compressed after the damage, so that checksums do not catch it."""
    how = chance.choice(("plain", "plain", "gzip", "zstd"))
    if how == "gzip":
        return gzip.compress(data, mtime=0)
    if how == "zstd" and shutil.which("zstd"):
        return subprocess.run(["zstd", "-qc"], input=data, capture_output=True, check=True).stdout
    return data


def seeds_of(name):
    files = sorted((CORPUS / name).iterdir())
    if name == "warc":
        sample = SOURCE / "examples" / "sample" / "2021.warc.gz"
        return [path.read_bytes() for path in files] + [b"".join(webs.members(sample, 12))]
    return [path.read_bytes() for path in files]


def mutated(name):
    def trial(ground):
        seeds, strict = seeds_of(name), 0
        for number in range(EACH):
            data, _ = damaged(ground.chance.choice(seeds), ground.chance)
            path = ground.folder / f"mutated-{number}"
            path.write_bytes(packed(data, ground.chance))
            words = ["extract", *ground.chance.choice(FORMS), path]
            ended = ground.run(*words)
            if ground.chance.random() < 0.25:
                one, three = (ground.run(*words, "--threads", n) for n in (1, 3))
                expect(one.out == three.out == ended.out, f"{shown(words)}: the number of threads changes the output")
            if ground.chance.random() < 0.25:
                strict += ground.run("extract", "--strict", path).code == 2
            if ground.chance.random() < 0.25:
                build_and_verify(ground, path, number)
            path.unlink()
        return {f"mutated {name} files": EACH}

    return trial


def build_and_verify(ground, path, number):
    """Whatever was read, the archive of it is valid, and an export of it makes the same archive again."""
    lib, again, lines = (ground.folder / f"{word}-{number}" for word in ("lib", "again", "lines"))
    if ground.run("build", "-q", lib, path).code == 2 and not (lib / "MANIFEST").exists():
        return
    if not (lib / "MANIFEST").exists():
        return
    ground.must("verify", "-q", lib)
    lines.write_bytes(ground.must("export", lib, "--as", "jsonl").out)
    ground.must("build", "-q", again, lines)
    one, two = (json.loads(ground.must("info", "--json", each).out)["facts_digest"] for each in (lib, again))
    expect(one == two, f"{path}: build, export, build gives other facts: {one} and {two}")
    for each in (lib, again):
        shutil.rmtree(each)
    lines.unlink()


# ---- what is next to the damage ---------------------------------------------------------------------------------------


def facts(out):
    """What was extracted, by URL, without the place in the file."""
    found = {}
    for line in out.splitlines():
        fact = json.loads(line)
        for place in ("offset", "length", "file"):
            fact.pop(place, None)
        found.setdefault(fact["url"], []).append(fact)
    return found


def expect_others(ground, path, twin, url, what):
    """All facts of the twin but those of the damaged record are there."""
    found = facts(ground.run("extract", "--as", "jsonl", path).out)
    missing = [other for other in twin if other != url and any(fact not in found.get(other, []) for fact in twin[other])]
    expect(not missing, f"{path}: {what}: {len(missing)} other records are lost or changed, such as {missing[:3]}: "
                        f"{[(twin[other], found.get(other)) for other in missing[:1]]}")


def next_to_damaged_members(ground):
    """Damage inside one gzip member of a WARC costs that record alone."""
    path = ground.folder / "crawl.warc.gz"
    parts = webs.write_warc(path, 30, ground.chance)
    twin = facts(ground.must("extract", "--as", "jsonl", path).out)
    expect(len(twin) == 30, f"{len(twin)} records of 30")
    for _ in range(EACH):
        hit = ground.chance.randrange(30)
        bad, what = damaged(parts[hit], ground.chance)
        path.write_bytes(b"".join([*parts[:hit], bad, *parts[hit + 1:]]))
        expect_others(ground, path, twin, f"http://w.example/{hit}", f"record {hit}: {what}")
    return {"damaged WARC records, the others compared with a twin": EACH}


def line_files():
    when = "2020-01-01T00:00:00Z"
    urls = [f"http://w.example/{number}" for number in range(40)]
    return {
        "jsonl": [json.dumps({"url": url, "time": when, "links": [{"url": url + "/x"}]}) for url in urls],
        "tsv": [f"{url}\t20200101000000\t{url}/x" for url in urls],
        "cdxj": [f'example,w)/{n} 20200101000000 {{"url": "{url}", "status": "200", "mime": "text/html"}}' for n, url in enumerate(urls)],
        "cdx": [" CDX N b a m s k r M S V g"] + [f"example,w)/{n} 20200101000000 {url} text/html 200 AAAA - - 10 {n} f.warc.gz" for n, url in enumerate(urls)],
    }


def next_to_damaged_lines(ground):
    """Damage inside one line costs that line alone."""
    tried = 0
    for name, lines in line_files().items():
        path = ground.folder / f"lines.{name}"
        path.write_text("\n".join(lines) + "\n")
        twin = facts(ground.must("extract", "--as", "jsonl", path).out)
        expect(len(twin) == 40, f"{name}: {len(twin)} records of 40")
        for _ in range(EACH // 4):
            hit = ground.chance.randrange(5, len(lines))  # the first lines say which format it is
            bad, what = damaged(lines[hit].encode(), ground.chance)
            bad = bad.replace(b"\n", b"?").replace(b"\r", b"?")
            path.write_bytes(b"\n".join(bad if n == hit else line.encode() for n, line in enumerate(lines)) + b"\n")
            url = f"http://w.example/{hit - (name == 'cdx')}"
            expect_others(ground, path, twin, url, f"line {hit}: {what}")
            tried += 1
    return {"damaged lines, the others compared with a twin": tried}


# ---- graphs and other files that the user hands over -------------------------------------------------------------------


def graphs(ground):
    tried = 0
    forms = {"bvgraph": ("g.graph", "g.offsets", "g.properties"), "ascii": ("g.graph-txt",), "tsv": ("g.tsv",),
             "commoncrawl": ("g-vertices.txt.gz", "g-edges.txt.gz")}
    for form, names in forms.items():
        out = {"bvgraph": "g", "ascii": "g.graph-txt", "tsv": "g.tsv", "commoncrawl": "g"}[form]
        level = ["--level", "host"] if form == "commoncrawl" else []
        ground.must("export", ground.prepared / "lib.ws", "--as", form, *level, out, "-q")
        for _ in range(3):
            name = ground.chance.choice(names)
            whole = (ground.folder / name).read_bytes()
            bad, _ = damaged(gzip.decompress(whole) if name.endswith(".gz") and ground.chance.random() < 0.5 else whole, ground.chance)
            (ground.folder / name).write_bytes(bad)
            for words in (["rank", names[0] if form != "bvgraph" else "g", "--top", "5"], ["seeds", names[0] if form != "bvgraph" else "g", "--count", "3"]):
                ground.run(*words, "-q")
            (ground.folder / name).write_bytes(whole)
            tried += 1
    return {"mutated graph files": tried}


def small_files(ground):
    """Lists of outcomes, topics, states of a campaign, preferences, hosts, URLs, score files."""
    lib, tried = ground.prepared / "lib.ws", 0
    pages = [line.split(b"\t")[1].decode() for line in ground.must("url", lib, "--pages", "--limit", "40").out.splitlines()]
    state = ground.folder / "state"
    ground.must("liverank", "plan", lib, "--state", state, "--tests", "10", "-q")
    files = {
        "truth": ("".join(f"{page}\talive\n" for page in pages), ["liverank", lib, "--truth"]),
        "state": (state.read_text(), ["liverank", "plan", lib, "--tests", "5", "--state"]),
        "topic": ("@name bridges\nbridge 2\nriver\n\"old bridge\" 3\n", ["extract", SOURCE / "examples" / "sample" / "2021.warc.gz", "--as", "scores", "--topic"]),
        "preference": ("".join(f"{page}\t{n + 1}\n" for n, page in enumerate(pages)), ["rank", lib, "--top", "3", "--preference"]),
        "scores": ("".join(f"{page}\t0.5\n" for page in pages), ["explore", lib, "--budget", "10", "--seeds", pages[0], "--topic"]),
        "urls": ("\n".join(pages), ["extract"]),
    }
    for name, (text, words) in files.items():
        for _ in range(2):
            path = ground.folder / name
            path.write_bytes(damaged(text.encode(), ground.chance)[0])
            ground.run(*words[:-1], words[-1], path if name != "urls" else f"@{path}")
            tried += 1
    return {"mutated lists, topics and states": tried}


# ---- answers of servers ----------------------------------------------------------------------------------------------


def answers(ground):
    """A server that sends damaged answers, robots.txt and sitemaps to probe and crawl: each URL has an outcome, and the WARC files are valid."""
    from serving import AGENT, Server

    heads = [path.read_bytes() for path in sorted((CORPUS / "http_answer").iterdir())]
    heads = [re.sub(rb"(?i)retry-after", b"Never-after", head) for head in heads]  # we would wait as long as they say
    robots = [re.sub(rb"(?i)crawl-delay", b"Crawl-never", path.read_bytes()) for path in sorted((CORPUS / "robots").iterdir())]
    maps = [path.read_bytes() for path in sorted((CORPUS / "sitemap").iterdir())]
    pages = [path.read_bytes() for path in sorted((CORPUS / "html").iterdir())][::9]
    chance, sent = ground.chance, [0]
    good = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n"

    async def handle(exchange):
        sent[0] += 1
        if exchange.path == "/robots.txt":
            body = damaged(chance.choice(robots), chance)[0]
            if chance.random() < 0.5:
                body = b"User-agent: *\nAllow: /\nSitemap: http://h0.example/map.xml\n"
            await exchange.send(good.replace(b"text/html", b"text/plain") + body)
        elif exchange.path == "/map.xml":
            await exchange.send(good.replace(b"text/html", b"application/xml") + damaged(chance.choice(maps), chance)[0])
        else:
            whole = chance.choice(heads) if chance.random() < 0.5 else good + b"<a href=/a>a</a><a href=/b>b</a>" + chance.choice(pages)
            await exchange.send(damaged(whole, chance)[0])
            if chance.random() < 0.2:
                exchange.reset()
        await asyncio.sleep(0)

    urls = [f"http://h{n}.example/{m}" for n in range(6) for m in range(3)]
    with Server(handle) as web:
        common = ["--agent", AGENT, "--connect-to", f"127.0.0.1:{web.port}", "--delay", "1ms", "--timeout", "3s", "--quiet"]
        probed = ground.must("probe", "--json", "--out", "found", *common, *urls)
        told = [json.loads(line)["url"] for line in probed.out.splitlines()]
        expect(sorted(told) == sorted(urls), f"probe: {len(told)} lines for {len(urls)} URLs")
        ground.run("crawl", "job", *urls[:6], "--anywhere", "--sitemaps", "--budget", "60", "--backoff", "10ms", "--tries", "1",
                   "--give-up", "2", *common)
        expect(not web.mistakes, web.mistakes)
    files = [*(ground.folder / "found").glob("*.warc*"), *(ground.folder / "job" / "warc").glob("*.warc*")]
    expect(not [path for path in files if path.name.endswith(".open")], f"left open: {files}")
    for path in files:
        expect_records(ground, path)
    return {"damaged answers of servers": sent[0]}


def expect_records(ground, path):
    """Damaged answers are in the file as received; the records around them are complete, by our reader and by warcio if it is
    there."""
    stats = json.loads(ground.run("extract", "--stats", path, codes=(0, 1)).out)
    try:
        from warcio.archiveiterator import ArchiveIterator
    except ImportError:
        return
    with path.open("rb") as stream:
        count = sum(1 for record in ArchiveIterator(stream, no_record_parse=True) if record.raw_stream.read() is not None)
    records = sum(part["records"] for part in stats.get("inputs", [stats]))
    expect(count == records, f"{path}: warcio reads {count} records, we read {records}")


TRIALS = {f"inputs/{name}": mutated(name) for name in FORMATS}
TRIALS |= {"inputs/next-to-records": next_to_damaged_members, "inputs/next-to-lines": next_to_damaged_lines, "inputs/graphs": graphs,
           "inputs/small-files": small_files, "inputs/answers": answers}
