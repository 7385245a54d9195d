# SPDX-License-Identifier: Apache-2.0
"""The end of a soak: what is in the archive, and what has grown."""

import json

from ground import expect
from soak_archive import digits


def exported(soak, archive):
    """(url, time) of all captures and sightings of the archive, and (url, target, time) of all links."""
    captures, links = set(), set()
    for line in soak.must("export", "-q", archive, "--as", "jsonl").out.decode().splitlines():
        fact = json.loads(line)
        moment = digits(fact["time"])
        captures.add((fact["url"], moment))
        links |= {(fact["url"], link["url"], moment) for link in fact.get("links") or ()}
    return captures, links


def ours(facts):
    """Those of the changing web."""
    return {fact for fact in facts if fact[0].startswith("http://s") and fact[0].split("/")[2].endswith(".example") and "docs" not in fact[0]}


def recorded(path):
    """(url, time) of the pages that a WARC file of a crawl has."""
    from warcio.archiveiterator import ArchiveIterator

    with open(path, "rb") as stream:
        return {(record.rec_headers.get_header("WARC-Target-URI"), digits(record.rec_headers.get_header("WARC-Date")))
                for record in ArchiveIterator(stream) if record.rec_type == "response" and record.http_headers.get_statuscode() == "200"}


def layers_of(archive):
    """The bytes of the layers by name; a compacted archive has one stratum."""
    generation = json.loads((archive / "MANIFEST").read_text().splitlines()[0])["generation"]
    return {path.name: path.read_bytes() for path in sorted((archive / f"g{generation:06}").rglob("*")) if path.is_file()}


def check_archive(soak, writer):
    """All that was acknowledged is there and nothing else, verify finds nothing, and compacted it is one build from all inputs."""
    archive, twin = writer.archive, soak.folder / "twin.ws"
    soak.must("verify", "-q", archive)
    captures, links = exported(soak, archive)
    known_captures, known_links = writer.memory.everything()
    expect(ours(captures) == known_captures, f"captures: lost {sorted(known_captures - ours(captures))[:3]}, strange {sorted(ours(captures) - known_captures)[:3]}")
    expect(ours(links) == known_links, f"links: lost {sorted(known_links - ours(links))[:3]}, strange {sorted(ours(links) - known_links)[:3]}")
    crawled = set().union(*(recorded(path) for path in writer.inputs if path.name.startswith("crawl")))
    expect(crawled <= captures, f"of crawls: lost {sorted(crawled - captures)[:3]}")
    soak.count("acknowledged captures, all in the archive", len(known_captures))
    soak.count("acknowledged links, all in the archive", len(known_links))
    soak.count("crawled answers, all in the archive", len(crawled))
    soak.must("compact", "-q", archive)
    names = soak.folder / "inputs.txt"
    names.write_text("".join(f"{path}\n" for path in writer.inputs))
    soak.must("build", "-q", twin, f"@{names}")
    for url in writer.memory.forgotten:
        soak.ground.run("forget", "-q", twin, "--url", url, codes=(0, 1))
    soak.must("compact", "-q", twin)
    one, two = layers_of(archive), layers_of(twin)
    expect(one == two, f"compacted, it differs from one build in {[name for name in one | two if one.get(name) != two.get(name)]}")
    soak.count("bytes of the compacted archive, equal to one build's", sum(map(len, one.values())))
    left = sorted(path.name for path in archive.iterdir() if path.name not in ("MANIFEST", "lock") and not path.name.startswith(("g0", "s0", "tombstones")))
    expect(not left, f"left over in the archive: {left}")


def check_growth(soak, growth):
    for row in growth.rows():
        verdict = "" if row["held"] else f", more than {row['bound']:.6g}"
        soak.say(f"{row['what']}, {row['measure']}: {row['first']:.6g} in the first third, {row['last']:.6g} in the last{verdict}", is_shown=True)
    grown = [f"{row['what']}, {row['measure']}" for row in growth.rows() if not row["held"]]
    expect(not grown, f"grown: {'; '.join(grown)}")
