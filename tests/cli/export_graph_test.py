# SPDX-License-Identifier: Apache-2.0
"""webstrata export of graphs: every form, read back here by other means than our own."""

import gzip
import json
import os
import sys
import tempfile
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path
from urllib.parse import urlsplit

from running import SAMPLE, expect, run, run_tests, skip

# Also runs as: shared

LAW = Path(os.environ["WEBSTRATA_SHARED"]) / "data" / "law"
GRAPHML = "{http://graphml.graphdrawing.org/xmlns}"
GEXF = "{http://gexf.net/1.3}"

# By hand: the link to the hostile name is present, present, missing, and back.
HOSTILE = "http://b.example/it's?a=1&b=%3C%22%3E&c=\u00fc&amp;]]>"
OPAQUE = "mailto:\"<a>&'b@c.example"
STORY = [("2015-01-01", [HOSTILE, OPAQUE]), ("2015-06-01", [HOSTILE]), ("2016-01-01", ["http://www.a.example/2"]),
         ("2017-01-01", [HOSTILE])]


def ok(*arguments):
    code, out, errors = run(*arguments)
    expect(code == 0, f"{arguments}: {code} {errors}")
    expect(errors == "", f"{arguments}: said {errors!r} though nobody watches")
    return out


def build_sample(folder):
    ok("build", "--quiet", folder / "lib.ws", SAMPLE / "2021.warc.gz", SAMPLE / "2023.warc.gz")
    return folder / "lib.ws"


def build_story(folder):
    lines = [{"url": "http://www.a.example/1", "time": f"{day}T12:00:00Z", "kind": "response", "status": 200, "outcome": "alive",
              "links": [{"url": url, "kinds": "navigation"} for url in links]} for day, links in STORY]
    (folder / "story.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    ok("build", "--quiet", "--schemes", "all", folder / "story.ws", folder / "story.jsonl")
    return folder / "story.ws"


def tsv(*arguments):
    return [tuple(line.split("\t")) for line in ok("export", "--as", "tsv", *arguments).splitlines()]


def names_of(path):
    return gzip.open(path, "rt").read().splitlines()


def graphml(text):
    root = ET.fromstring(text)
    keys = {key.get("id"): key.get("attr.name") for key in root.iter(GRAPHML + "key")}
    expect({"label", "weight", "crawlDate"} <= set(keys.values()), f"AUT's keys are missing: {keys}")
    data = lambda element: {keys[item.get("key")]: item.text for item in element.findall(GRAPHML + "data")}
    labels = {node.get("id"): data(node)["label"] for node in root.iter(GRAPHML + "node")}
    links = {(labels[e.get("source")], labels[e.get("target")]): data(e) for e in root.iter(GRAPHML + "edge")}
    return set(labels.values()), links


def gexf(text):
    root = ET.fromstring(text)
    labels = {node.get("id"): node.get("label") for node in root.iter(GEXF + "node")}
    links = {}
    for edge in root.iter(GEXF + "edge"):
        spells = edge.findall(f"{GEXF}spells/{GEXF}spell") or ([edge] if edge.get("start") else [])
        links[labels[edge.get("source")], labels[edge.get("target")]] = [(s.get("start"), s.get("end")) for s in spells]
    return set(labels.values()), links


def test_tsv_holds_the_links_that_info_counts(folder, lib, story):
    links = tsv(lib)
    info = json.loads(ok("info", "--json", lib))
    expect(len(links) == len(set(links)) == info["links"], f"{len(links)} lines, {info['links']} links")
    expect(all(urlsplit(url).scheme in ("http", "https", "ftp") for link in links for url in link), "names are urls")
    source = links[len(links) // 2][0]
    expect(ok("links", lib, source).splitlines() == [b for a, b in links if a == source], f"other links of {source}")
    expect(tsv(lib, "--threads", "1") == tsv(lib, "--threads", "2") == links, "threads change the result")


def test_times_as_word_and_as_options(folder, lib, story):
    expect(tsv(f"{lib}@2021") == tsv(lib, "--at", "2021") != tsv(lib), "lib.ws@2021")
    expect(tsv(f"{lib}@2021..2022") == tsv(lib, "--during", "2021..2022"), "lib.ws@2021..2022")
    expect(tsv(f"{lib}@2021..") == tsv(lib), "lib.ws@2021..")
    carried = set(tsv(f"{lib}@2022..2023", "--carry"))
    expect(carried == set(tsv(f"{lib}@2022..2023")) | set(tsv(f"{lib}@2022-01-01T00:00:00Z")), "--carry")
    page = tsv(f"{lib}@2021")[0][0]
    told = [line.split()[0] for line in ok_links(lib, page, "--at", "2021")]
    expect(told == [b for a, b in tsv(f"{lib}@2021") if a == page], f"links --at of {page}")
    a, b = "http://www.a.example/1", "http://www.a.example/2"
    expect(tsv(f"{story}@2016") == [(a, b)], "the story in 2016")
    expect((a, b) not in tsv(f"{story}@2015-12") and len(tsv(f"{story}@2015-01")) == 2, "the story in 2015")
    expect(tsv(f"{story}@2014") == [], "nothing is known before the first capture")


def ok_links(*arguments):
    code, out, errors = run("links", *arguments)
    expect(code == 0, errors)
    return out.splitlines()


def test_kinds_choose_links(folder, lib, story):
    everything, redirects = tsv(lib, "--kinds", "all"), tsv(lib, "--kinds", "redirect")
    expect(0 < len(redirects) < len(everything) and set(redirects) < set(everything), "--kinds redirect")


def test_levels_and_inner_links_add_up(folder, lib, story):
    pages = Counter((urlsplit(a).hostname, urlsplit(b).hostname) for a, b in tsv(lib))
    _, hosts = graphml(ok("export", "--as", "graphml", "--level", "host", lib))
    expect({ends: int(data["weight"]) for ends, data in hosts.items()} == dict(pages), "hosts count other links than their pages have")
    without = tsv(lib, "--level", "host", "--without-inner-links")
    expect(set(without) == {(a, b) for a, b in pages if a != b}, "--without-inner-links at hosts")
    outer = [(a, b) for a, b in tsv(lib) if urlsplit(a).hostname != urlsplit(b).hostname]
    expect(tsv(lib, "--without-inner-links") == outer, "--without-inner-links at pages")
    # Of hosts under .example and .org the registered domain is known without the list of suffixes.
    known = lambda ends: all(host.split(".")[-1] in ("example", "org") for host in ends)
    domains = {tuple(".".join(host.split(".")[-2:]) for host in ends) for ends in pages if known(ends)}
    told = {ends for ends in tsv(lib, "--level", "domain") if known(ends)}
    expect(("docs.example", "docs.example") in told, "hosts of one domain link to each other")
    expect({ends for ends in told if not any("github" in name or name.count(".") > 1 for name in ends)} <= domains, f"{told - domains}")
    expect(len(told) >= 0.8 * len(domains), f"{domains - told}")


def test_folding_joins_spellings(folder, lib, story):
    folded = tsv(lib, "--fold", "ia")
    expect(0 < len(folded) <= len(tsv(lib)), "--fold ia")
    expect(len({url.split("://", 1)[1].lower() for link in folded for url in link}) == len({url for link in folded for url in link}),
           "http and https are two nodes")


def test_bvgraph_comes_back(folder, lib, story):
    links = tsv(lib)
    ok("export", "--as", "bvgraph", lib, folder / "bv")
    properties = dict(line.split("=", 1) for line in (folder / "bv.properties").read_text().splitlines() if "=" in line)
    names = names_of(folder / "bv.urls.gz")
    expect(int(properties["arcs"]) == len(links) and int(properties["nodes"]) == len(names), f"{properties}")
    expect([(names[int(a)], names[int(b)]) for a, b in tsv(folder / "bv")] == links, "numbers and names")
    expect(tsv(folder / "bv", "--urls", folder / "bv.urls.gz") == links, "with --urls")
    (folder / "plain.urls").write_text("".join(name + "\n" for name in names))
    expect(tsv(folder / "bv", "--urls", folder / "plain.urls", "--level", "host") == tsv(lib, "--level", "host"), "plain --urls")
    (folder / "bv.offsets").unlink()
    expect(tsv(folder / "bv", "--urls", folder / "plain.urls") == links, "without offsets")
    expect(tsv(folder / "bv.graph", "--urls", folder / "bv.urls.gz", "--level", "host") == tsv(lib, "--level", "host"), "hosts of a file")


def test_ascii_comes_back(folder, lib, story):
    path = folder / "lib.graph-txt"
    ok("export", "--as", "ascii", lib, path)
    count, *lists = path.read_text().splitlines()
    names = names_of(folder / "lib.urls.gz")
    expect(int(count) == len(lists) == len(names), "a line for each node")
    links = [(names[a], names[int(b)]) for a, targets in enumerate(lists) for b in targets.split()]
    expect(links == tsv(lib), "other links")
    expect(len(tsv(path)) == len(links), "our own reader disagrees")
    expect(ok("export", "--as", "ascii", lib) == path.read_text(), "standard output differs")


def test_common_crawl_form(folder, lib, story):
    ok("export", "--as", "commoncrawl", "--level", "host", lib, folder / "cc")
    names = [line.split("\t") for line in names_of(folder / "cc-vertices.txt.gz")]
    edges = [line.split("\t") for line in names_of(folder / "cc-edges.txt.gz")]
    expect([int(row[0]) for row in names] == list(range(len(names))), "vertices are numbered")
    expect([row[1] for row in names] == sorted(row[1] for row in names), "vertices are sorted")
    host = lambda number: ".".join(reversed(names[int(number)][1].split(".")))
    expect({(host(a), host(b)) for a, b in edges} == set(tsv(lib, "--level", "host")), "other links")
    expect(len(tsv(folder / "cc-vertices.txt.gz")) == len(edges), "our own reader disagrees")


def test_graphml_has_dates_and_survives_hostile_names(folder, lib, story):
    nodes, links = graphml(ok("export", "--as", "graphml", lib))
    expect(set(links) == set(tsv(lib)), "other links than tsv")
    expect({data["crawlDate"][:4] for data in links.values()} == {"2021", "2023"}, "dates of the crawls")
    nodes, links = graphml(ok("export", "--as", "graphml", story))
    expect(set(links) == set(tsv(story)) and len(links) == 3, f"{links.keys()}")
    hostile = [name for name in nodes if "it's" in name]
    expect(len(hostile) == 1 and "&amp;" in hostile[0] and "&b=" in hostile[0], f"{nodes}")
    expect(any(name.startswith("mailto:") and "&" in name for name in nodes), f"{nodes}")
    data = links["http://www.a.example/1", hostile[0]]
    expect((data["crawlDate"], data["lastSeen"], data["weight"]) == ("20150101", "20170101", "1"), f"{data}")


def test_gexf_tells_spells(folder, lib, story):
    ok("export", "--as", "gexf", story, folder / "story.gexf")
    nodes, links = gexf((folder / "story.gexf").read_text())
    expect(set(links) == set(tsv(story)), "other links than tsv")
    spells = {name: spells for (_, name), spells in links.items()}
    hostile = next(name for name in spells if "it's" in name)
    expect(spells[hostile] == [("2015-01-01", "2015-06-01"), ("2017-01-01", "2017-01-01")], f"{spells}")
    expect(spells["http://www.a.example/2"] == [("2016-01-01", "2016-01-01")], f"{spells}")
    _, hosts = gexf(ok("export", "--as", "gexf", "--level", "host", "--without-inner-links", story))
    expect(hosts == {("www.a.example", "b.example"): spells[hostile]}, f"{hosts}")


def test_gexf_of_the_sample_agrees_with_histories(folder, lib, story):
    text = ok("export", "--as", "gexf", lib)
    nodes, links = gexf(text)
    days = {node.get("label"): (node.get("start"), node.get("end")) for node in ET.fromstring(text).iter(GEXF + "node")}
    for ends, spells in links.items():
        expect(all(days[name][0] <= start and end <= days[name][1] for name in ends for start, end in spells), f"{ends} outlives an end")
    expect(set(links) == set(tsv(lib)), "other links than tsv")
    expect(all(spells and all(start <= end for start, end in spells) for spells in links.values()), "a spell is missing or turned round")
    for source in sorted({a for a, _ in links})[::40]:
        for line in json.loads(ok("links", "--json", "--history", lib, source))["links"]:
            spells = links[source, line["url"]]
            expect(spells[0][0] == line["first"][:10] and spells[-1][1] == line["last"][:10], f"{line} {spells}")


def shared_cnr_2000_comes_back(folder):
    base = LAW / "cnr-2000-java2006" / "cnr-2000"
    if not base.with_suffix(".graph").exists():
        skip(f"needs {base}")
    ok("export", "--as", "bvgraph", base, folder / "cnr")
    ok("export", "--as", "ascii", folder / "cnr", folder / "cnr.graph-txt")
    published = gzip.open(base.with_suffix(".graph-txt.gz"), "rt").read().splitlines()
    written = (folder / "cnr.graph-txt").read_text().splitlines()
    expect([line.split() for line in written] == [line.split() for line in published], "other arcs than published")
    expect(sum(len(line.split()) for line in written) - 1 == 3216152, "arcs")


def test_bad_words_are_one_line(folder, lib, story):
    (folder / "links.tsv").write_text("0\t1\n1\t0\n")
    file = folder / "links.tsv"
    for arguments in ([f"{lib}@someday"], [f"{lib}@2021", "--at", "2022"], [f"{lib}@2022..2021"], [lib, "--level", "continent"],
                      [lib, "--carry"], [lib, "--kinds", "blue"], [lib, "--fold", "x"], [lib, "--urls", file], [f"{file}@2021"],
                      [file, "--at", "2021"], [file, "--kinds", "all"], [file, "--level", "host"], [folder / "missing"],
                      [f"{folder / 'missing'}@2021"]):
        code, out, errors = run("export", "--as", "tsv", *arguments)
        expect(code == 2 and out == "", f"{arguments}: {code} {out[:100]}")
        expect(errors.count("\n") == 1 and errors.startswith("webstrata: "), f"{arguments}: {errors}")
    for arguments in (["--as", "bvgraph", lib], ["--as", "commoncrawl", lib, "-"], ["--as", "jsonl", "--at", "2021", lib], ["--as", "xml", lib]):
        code, _, errors = run("export", *arguments)
        expect(code == 2 and errors.count("\n") == 1, f"{arguments}: {code} {errors}")


def test_an_output_is_whole_or_not_there(folder, lib, story):
    for form in ("tsv", "graphml", "gexf", "ascii"):
        code, _, errors = run("export", "--as", form, lib, folder / "nowhere" / "out")
        expect(code == 2 and errors.count("\n") == 1 and not (folder / "nowhere").exists(), f"{form}: {errors}")
    names = set(os.listdir(folder))
    ok("export", "--as", "tsv", lib, folder / "whole.tsv.gz")
    expect(set(os.listdir(folder)) - names == {"whole.tsv.gz"}, "something is left over")
    expect(len(names_of(folder / "whole.tsv.gz")) == len(tsv(lib)), "gzip")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if sys.argv[1:] == ["shared"]:
            shared_cnr_2000_comes_back(folder)
            return 0
        return run_tests(globals(), folder, build_sample(folder), build_story(folder))


if __name__ == "__main__":
    sys.exit(main())
