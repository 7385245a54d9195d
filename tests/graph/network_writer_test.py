# SPDX-License-Identifier: Apache-2.0
"""GraphML and GEXF are valid XML whatever the labels hold, and say what was meant. Parsed by Python's own parser."""

import os
import random
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

BUILD = Path(os.environ["WEBSTRATA_BUILD"])
TOOL = BUILD / "tests" / "graph_tool"

HOSTILE = [
    b"http://example.org/plain",
    b"http://example.org/?a=\"1\"&b='2'",
    b"</node><node id=\"99\"/>",
    b"]]> <![CDATA[ &amp; &lt; &#0; <!-- -->",
    b"tab\there, line\nthere, return\rtoo",
    b"control \x01\x02\x08\x0b\x0c\x0e\x1f\x7f",
    b"not UTF-8: \xff\xfe\xc0\xaf\xe9",
    b"surrogate \xed\xa0\x80, overlong \xc0\x80, too high \xf4\x90\x80\x80",
    "no characters: \ufffe \uffff, but \U0001f578 \u00e9 \u2028 \ue000".encode(),
    b"",
    b"   spaces   ",
]


def as_xml_can_say(label):
    """The text that must come back: U+FFFD for what is not UTF-8 (as WHATWG decodes it) or not XML."""
    text = label.decode("utf-8", "replace")
    allowed = lambda c: c in "\t\n\r" or ("\x20" <= c and c not in "\ufffe\uffff")
    return "".join(c if allowed(c) else "\ufffd" for c in text)


def labels_of(seed):
    chance = random.Random(seed)
    more = [bytes(chance.choice(b"<>&\"'\x00ab\xc3\xa9\xff\x1b\n"[1:] + b"&;#") for _ in range(chance.randrange(30))) for _ in range(300)]
    return HOSTILE + [label.replace(b"\0", b"") for label in more]


def check_graphml(path, expected):
    space = {"g": "http://graphml.graphdrawing.org/xmlns"}
    root = ElementTree.parse(path).getroot()
    keys = {key.get("id") for key in root.findall("g:key", space)}
    assert {"label", "weight", "crawlDate"} <= keys, keys
    nodes = root.findall("g:graph/g:node", space)
    assert [node.find("g:data", space).text or "" for node in nodes] == expected
    edges = root.findall("g:graph/g:edge", space)
    assert len(edges) == len(nodes) - 1
    data = {item.get("key"): item.text for item in edges[5].findall("g:data", space)}
    assert data == {"weight": "5", "crawlDate": "20150601", "lastSeen": "20151224"}, data


def check_gexf(path, expected):
    space = {"g": "http://gexf.net/1.3"}
    root = ElementTree.parse(path).getroot()
    assert root.get("version") == "1.3"
    graph = root.find("g:graph", space)
    assert (graph.get("mode"), graph.get("timeformat")) == ("dynamic", "date")
    nodes = graph.findall("g:nodes/g:node", space)
    assert [node.get("label") for node in nodes] == expected
    assert (nodes[0].get("start"), nodes[0].get("end")) == ("2015-06-01", "2015-06-02")
    edges = graph.findall("g:edges/g:edge", space)
    assert len({edge.get("id") for edge in edges}) == len(nodes) - 1
    spells = [(s.get("start"), s.get("end")) for s in edges[0].findall("g:spells/g:spell", space)]
    assert spells == [("2015-06-01", "2015-06-02"), ("2015-12-24", "2015-12-24")], spells


def main():
    for seed in range(3):
        labels = labels_of(seed)
        expected = [as_xml_can_say(label) for label in labels]
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "labels").write_bytes(b"".join(label + b"\0" for label in labels))
            subprocess.run([TOOL, "network", f"{folder}/labels", f"{folder}/out"], check=True)
            check_graphml(f"{folder}/out.graphml", expected)
            check_gexf(f"{folder}/out.gexf", expected)
    print(f"{3 * len(labels)} labels came back out of both formats")
    return 0


if __name__ == "__main__":
    sys.exit(main())
