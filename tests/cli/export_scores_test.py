# SPDX-License-Identifier: Apache-2.0
"""GEXF and GraphML carry scores and counts: the rules of GEXF 1.3 are kept, networkx reads both, and the numbers are those of the
archive and of `webstrata rank`."""

import importlib.util
import json
import math
import xml.etree.ElementTree as ElementTree

from archives import temporary_folder, write
from gexf_rules import SPACE, problems_of
from running import SAMPLE, expect, expect_one_line, not_tried, run, run_tests


def built(folder):
    lib = folder / "lib.ws"
    write("build", lib, SAMPLE / "2021.warc.gz", SAMPLE / "2023.warc.gz")
    return lib


def ranked(lib, *words):
    code, out, errors = run("rank", lib, *words)
    expect(code == 0, errors)
    return {name: float(score) for score, name in (line.split("\t")[:2] for line in out.splitlines())}


def exported(lib, form, folder, *words):
    path = folder / f"out.{form}"
    code, _, errors = run("export", lib, "--quiet", "--as", form, path, *words)
    expect(code == 0, errors)
    return path


def read_by_networkx(path):
    import networkx

    read = networkx.read_gexf if path.suffix == ".gexf" else networkx.read_graphml
    network = read(path)
    return {data["label"]: data for _, data in network.nodes(data=True)}, network


def expect_near(one, other, what):
    expect(one.keys() == other.keys(), f"{what}: {sorted(one.keys() ^ other.keys())[:3]}")
    worst = max(one, key=lambda name: abs(one[name] - other[name]))
    expect(math.isclose(one[worst], other[worst], rel_tol=1e-5, abs_tol=1e-9), f"{what}: {worst}: {one[worst]} {other[worst]}")


def test_gexf_keeps_the_rules(folder):
    lib = built(folder)
    for words in ([], ["--level", "host"], ["--at", "2021"], ["--during", "2021..2022", "--level", "domain"]):
        expect(not (found := problems_of(exported(lib, "gexf", folder, *words))), f"{words}: {found[:5]}")
    (folder / "links.tsv").write_text("http://a.org/\thttp://b.org/\n")
    expect(not problems_of(exported(folder / "links.tsv", "gexf", folder)), "a graph file")
    # The check itself can fail.
    path = exported(lib, "gexf", folder, "--level", "host")
    for good, bad in (('type="double"', 'type="real"'), ('for="captures"', 'for="other"'), ('<edge id="0" source="', '<edge id="0" from="'),
                      ('version="1.3"', 'version="1.4"'), ("<nodes>", "<nodes><edge/>")):
        text = path.read_text()
        expect(good in text, good)
        (folder / "bad.gexf").write_text(text.replace(good, bad, 1))
        expect(problems_of(folder / "bad.gexf"), f"{bad} is not noticed")


def test_numbers_are_those_of_the_archive(folder):
    if not importlib.util.find_spec("networkx"):
        return not_tried("GEXF and GraphML were not read with networkx (tests/requirements.txt)")
    lib = built(folder)
    captured = {}
    code, out, errors = run("export", lib, "--as", "jsonl")
    lines = [json.loads(line) for line in out.splitlines()]
    known = {line["url"] for line in lines if "links" in line}
    for line in lines:
        if "links" in line or (line["kind"] == "revisit" and line["url"] in known):  # it has the links of its original
            captured.setdefault(line["url"], []).append(line["time"])
    for form in ("gexf", "graphml"):
        nodes, network = read_by_networkx(exported(lib, form, folder))
        expect_near({name: data["pagerank"] for name, data in nodes.items()}, ranked(lib), f"{form}: PageRank")
        expect(math.isclose(sum(data["pagerank"] for data in nodes.values()), 1, rel_tol=1e-6), "the scores sum to 1")
        wrong = [name for name, data in nodes.items() if data["captures"] != len(set(captured.get(name, [])))]
        expect(not wrong, f"{form}: captures of {wrong[:3]}: {[(nodes[name], captured.get(name)) for name in wrong[:1]]}")
        # Seen at the latest when first captured; a link may have been seen earlier.
        early = [name for name, times in captured.items() if name in nodes and nodes[name]["firstSeen"].replace("-", "") > min(times)[:10].replace("-", "")]
        late = [name for name, times in captured.items() if name in nodes and nodes[name]["lastSeen"].replace("-", "") < max(times)[:10].replace("-", "")]
        expect(not early and not late, f"{form}: {early[:3]} {late[:3]}")
        expect(network.number_of_edges() > 1000 and network.is_directed(), network)
        hosts, _ = read_by_networkx(exported(lib, form, folder, "--level", "host"))
        expect_near({name: data["pagerank"] for name, data in hosts.items()}, ranked(lib, "--level", "host"), f"{form}: PageRank of hosts")
        code, out, _ = run("export", f"{lib}", "--quiet", "--as", form, "--at", "2021")
        expect(code == 0 and "computed with damping 0.85" in out, "it says where the scores come from")


def test_saved_scores_are_taken_by_name(folder):
    lib = built(folder)
    code, _, errors = run("rank", lib, "--by", "indegree", "--save", "popular")
    expect(code == 0, errors)
    scores = dict(line.split("\t")[:2] for line in run("export", lib, "--as", "scores", "--name", "popular")[1].splitlines())
    path = exported(lib, "gexf", folder, "--name", "popular")
    expect(not problems_of(path), "the rules")
    root = ElementTree.parse(path).getroot()
    titles = {one.get("title"): one.get("id") for one in root.iter(f"{SPACE}attribute")}
    expect("popular" in titles and "pagerank" not in titles, titles)
    expect("saved in the archive" in root.find(f"{SPACE}meta/{SPACE}description").text, "where they come from")
    for node in root.iter(f"{SPACE}node"):
        values = {one.get("for"): one.get("value") for one in node.iter(f"{SPACE}attvalue")}
        expect(float(values[titles["popular"]]) == float(scores[node.get("label")]), node.attrib)
    expect("saved in the archive" in exported(lib, "graphml", folder, "--name", "popular").read_text(), "GraphML")
    for words, *says in ((["--name", "none"], "none"), (["--name", "popular", "--level", "host"], "--name", "single pages")):
        for form in ("gexf", "graphml"):
            code, out, errors = run("export", lib, "--quiet", "--as", form, *words)
            expect(code == 2 and out == "", f"{form} {words}: {errors}")
            expect_one_line(errors, *says)


if __name__ == "__main__":
    raise SystemExit(run_tests(globals(), folder=temporary_folder))
