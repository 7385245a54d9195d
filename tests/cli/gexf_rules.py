# SPDX-License-Identifier: Apache-2.0
"""The rules of GEXF 1.3 that a reader such as Gephi relies on, checked element by element: which elements and attributes there are,
which values they may have, and that everything referred to is declared. Written from the description of the format, not from its schema."""

import xml.etree.ElementTree as ElementTree
from datetime import date

SPACE = "{http://gexf.net/1.3}"
# Element: attributes it needs, attributes it may have, children it may have.
ELEMENTS = {
    "gexf": ({"version"}, set(), ["meta", "graph"]),
    "meta": (set(), {"lastmodifieddate"}, ["creator", "keywords", "description"]),
    "creator": (set(), set(), []),
    "description": (set(), set(), []),
    "graph": (set(), {"mode", "defaultedgetype", "timeformat", "timerepresentation", "idtype", "start", "end"}, ["attributes", "nodes", "edges"]),
    "attributes": ({"class"}, {"mode", "start", "end"}, ["attribute"]),
    "attribute": ({"id", "title", "type"}, set(), ["default", "options"]),
    "nodes": (set(), {"count"}, ["node"]),
    "edges": (set(), {"count"}, ["edge"]),
    "node": ({"id"}, {"label", "start", "end", "pid"}, ["attvalues", "spells"]),
    "edge": ({"source", "target"}, {"id", "label", "start", "end", "type", "kind", "weight"}, ["attvalues", "spells"]),
    "attvalues": (set(), set(), ["attvalue"]),
    "attvalue": ({"for", "value"}, {"start", "end"}, []),
    "spells": (set(), set(), ["spell"]),
    "spell": (set(), {"start", "end"}, []),
}
VALUES = {
    ("graph", "mode"): {"static", "dynamic"},
    ("graph", "defaultedgetype"): {"directed", "undirected", "mutual"},
    ("graph", "timeformat"): {"integer", "double", "date", "dateTime"},
    ("graph", "timerepresentation"): {"interval", "timestamp"},
    ("graph", "idtype"): {"integer", "string"},
    ("attributes", "class"): {"node", "edge"},
    ("attributes", "mode"): {"static", "dynamic"},
    ("attribute", "type"): {"integer", "long", "double", "float", "boolean", "short", "byte", "string", "char", "anyURI", "liststring",
                            "bigdecimal", "biginteger"},
}
READ = {"integer": int, "long": int, "double": float, "float": float, "string": str}


def _check_element(element, problems):
    name = element.tag.removeprefix(SPACE)
    if name == element.tag or name not in ELEMENTS:
        problems.append(f"{element.tag}: no such element")
        return
    needed, allowed, children = ELEMENTS[name]
    has = set(element.attrib)
    if needed - has or has - needed - allowed:
        problems.append(f"{name}: attributes {sorted(has)}")
    for attribute, value in element.attrib.items():
        if value not in VALUES.get((name, attribute), {value}):
            problems.append(f"{name} {attribute}={value}")
    order = [child.tag.removeprefix(SPACE) for child in element]
    if any(child not in children for child in order) or [child for child in children if child in order] != list(dict.fromkeys(order)):
        problems.append(f"{name}: children {list(dict.fromkeys(order))}")
    for child in element:
        _check_element(child, problems)


def _check_times(element, problems):
    if "start" in element.attrib or "end" in element.attrib:
        start, end = (date.fromisoformat(element.get(word)) for word in ("start", "end"))
        if start > end:
            problems.append(f"{element.tag}: ends before it begins: {element.attrib}")


def problems_of(path):
    """What is wrong with a file; nothing if it keeps the rules."""
    root = ElementTree.parse(path).getroot()
    problems = []
    _check_element(root, problems)
    if root.get("version") != "1.3":
        problems.append(f"version {root.get('version')}")
    graph = root.find(f"{SPACE}graph")
    types = {one.get("id"): one.get("type") for one in graph.iterfind(f"{SPACE}attributes/{SPACE}attribute")}
    ids = [node.get("id") for node in graph.iterfind(f"{SPACE}nodes/{SPACE}node")]
    if len(set(ids)) < len(ids):
        problems.append("two nodes have one id")
    for value in graph.iter(f"{SPACE}attvalue"):
        if value.get("for") not in types:
            problems.append(f"attvalue for {value.get('for')}, which is not declared")
        else:
            READ.get(types[value.get("for")], str)(value.get("value"))  # throws if it is not one
    known = set(ids)
    for edge in graph.iterfind(f"{SPACE}edges/{SPACE}edge"):
        if edge.get("source") not in known or edge.get("target") not in known:
            problems.append(f"edge {edge.attrib} leads to no node")
        float(edge.get("weight", "1"))
    for element in graph.iter():
        if element.tag != f"{SPACE}graph":
            _check_times(element, problems)
    return problems
