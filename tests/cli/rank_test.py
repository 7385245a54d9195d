# SPDX-License-Identifier: Apache-2.0
"""webstrata rank as a user sees it: order, forms, options, and what it refuses."""

import json
import math
import sys
import tempfile
from pathlib import Path

from running import SAMPLE, expect, run, run_tests

LINKS = [("a", "b"), ("a", "c"), ("b", "c"), ("d", "c"), ("c", "a")]  # nothing links to d


def ok(*arguments):
    code, out, errors = run("rank", *arguments)
    expect(code == 0 and errors == "", f"{arguments}: {code} {errors}")
    return out


def entries(*arguments):
    return [json.loads(line) for line in ok(*arguments, "--json").splitlines()]


def refused(*arguments, says, code=2):
    found, out, errors = run("rank", *arguments)
    expect(found == code and out == "", f"{arguments}: exit {found}, wrote {out!r}")
    expect(errors.count("\n") == 1 and says in errors, f"{arguments}: said {errors!r}, not {says!r}")


def tsv_graph(folder):
    path = folder / "links.tsv"
    path.write_text("".join(f"http://{a}.example/\thttp://{b}.example/\n" for a, b in LINKS))
    return path


def archive(folder):
    """Page a links to b until 2020, and to c until 2021."""
    def capture(page, time, targets):
        return {"url": f"http://{page}.example/", "time": time, "kind": "response", "status": 200, "outcome": "alive",
                "links": [{"url": f"http://{target}.example/", "kinds": "navigation"} for target in targets]}
    lines = [capture("a", "2020-01-01T00:00:00Z", "bc"), capture("a", "2021-01-01T00:00:00Z", "c"),
             capture("b", "2020-01-01T00:00:00Z", "a"), capture("c", "2020-01-01T00:00:00Z", "a")]
    (folder / "facts.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    code, _, errors = run("build", "--quiet", folder / "lib.ws", folder / "facts.jsonl")
    expect(code == 0, errors)
    return folder / "lib.ws"


def test_order_and_forms(folder):
    graph = tsv_graph(folder)
    told = entries(graph)
    scores = [entry["score"] for entry in told]
    expect(len(told) == 4 and scores == sorted(scores, reverse=True), told)
    expect(math.isclose(sum(scores), 1, abs_tol=1e-12), scores)
    expect(told[0]["url"] == "http://c.example/" and set(told[0]) == {"node", "url", "score"}, told[0])
    lines = [line.split("\t") for line in ok(graph).splitlines()]
    expect([(float(score), url) for score, url in lines] == [(e["score"], e["url"]) for e in told], lines)
    expect(ok(graph, "--top", 2).splitlines() == ok(graph).splitlines()[:2], "--top")
    expect(ok(graph, "--top", 0) == "", "--top 0")


def test_equal_scores_come_in_the_order_of_nodes(folder):
    told = entries(tsv_graph(folder), "--by", "outdegree")
    expect([e["score"] for e in told] == [2, 1, 1, 1], told)
    expect([e["node"] for e in told[1:]] == sorted(e["node"] for e in told[1:]), told)


def test_threads_give_the_same_bytes(folder):
    law = folder / "sample.ws"
    code, _, errors = run("build", "--quiet", law, SAMPLE / "2021.warc.gz", SAMPLE / "2023.warc.gz")
    expect(code == 0, errors)
    for by in ("pagerank", "hubs", "harmonic"):
        expect(len({ok(law, "--by", by, "--threads", n) for n in (1, 2, 3)}) == 1, by)
    for level in ("page", "host", "domain"):
        expect(entries(law, "--level", level, "--top", 3), level)
    expect(len(entries(law, "--level", "host")) < len(entries(law)), "hosts are fewer than pages")


def test_dead_ends(folder):
    graph = folder / "pair.tsv"
    graph.write_text("http://a.example/\thttp://b.example/\n")
    by_policy = {policy: {e["url"][7]: e["score"] for e in entries(graph, "--damping", 0.5, "--dead-ends", policy)}
                 for policy in ("uniform", "drop")}
    for policy, (a, b) in {"uniform": (0.4, 0.6), "drop": (0.25, 0.375)}.items():
        expect(math.isclose(by_policy[policy]["a"], a, abs_tol=1e-9), by_policy)
        expect(math.isclose(by_policy[policy]["b"], b, abs_tol=1e-9), by_policy)


def test_preference(folder):
    graph = tsv_graph(folder)
    (folder / "home").write_text("http://d.example/\t3\n\nhttp://a.example/\n")
    told = {e["url"][7]: e["score"] for e in entries(graph, "--preference", folder / "home")}
    expect(math.isclose(told["d"], 0.15 * 3 / 4, abs_tol=1e-9), told)  # only jumps lead there
    for text, says in {"http://x.example/\n": "not a node", "http://a.example/\tnan\n": "weight", "http://a.example/\t-1\n": "weight",
                       "http://a.example/\t1x\n": "weight", "http://a.example/\t0\n": "no weight", "": "no weight"}.items():
        (folder / "bad").write_text(text)
        refused(graph, "--preference", folder / "bad", says=says)
    refused(graph, "--preference", folder / "nowhere", says="nowhere")


def test_freshness(folder):
    lib = archive(folder)
    even = {e["url"][7]: e["score"] for e in entries(lib)}
    fresh = {e["url"][7]: e["score"] for e in entries(lib, "--freshness", "366d")}
    expect(math.isclose(even["b"], even["c"], abs_tol=1e-9), even)
    ratio = (fresh["b"] - 0.05) / (fresh["c"] - 0.05)  # b and c hold their jumps and shares of a
    expect(math.isclose(ratio, math.exp(-1), rel_tol=1e-6), fresh)
    refused(tsv_graph(folder), "--freshness", "90d", says="has no times")
    refused(lib, "--freshness", "soon", says="soon")
    refused(lib, "--freshness", "ever", says="freshness ever")


def test_saved_scores(folder):
    lib = archive(folder)
    told = entries(lib, "--save", "pr")
    code, out, _ = run("info", lib, "--json")
    expect(code == 0 and json.loads(out)["scores"] == ["pr"], out)
    expect("scores      pr\n" in run("info", lib)[1], "info does not list them")
    cold = run("rank", lib, "--iterations", 2)
    expect("tolerance" in cold[2], "two iterations from nothing cannot be enough")
    warm = entries(lib, "--start", "pr", "--iterations", 2)
    expect(all(math.isclose(a["score"], b["score"], abs_tol=1e-8) for a, b in zip(told, warm, strict=True)), (told, warm))

    (folder / "more.jsonl").write_text('{"url":"http://ab.example/","time":"2022","links":["http://a.example/"]}\n')
    code, _, errors = run("update", "--quiet", lib, folder / "more.jsonl")
    expect(code == 0, errors)
    expect(len(entries(lib, "--start", "pr")) == len(told) + 1, "saved scores do not fit the new pages")
    refused(lib, "--start", "glory", says="there are: pr")
    refused(lib, "--save", "a/b", says="cannot name scores")
    refused(lib, "--save", "x", "--level", "host", says="leave level and fold out")
    refused(lib, "--start", "pr", "--by", "hubs", says="--by pagerank")
    refused(tsv_graph(folder), "--save", "x", says="graph file")


def test_several_graphs(folder):
    lib = archive(folder)
    old, newer = f"{lib}@2020", f"{lib}@2021"
    told = entries(old, newer)
    expect({(e["graph"], e["date"]) for e in told} == {(old, "2020"), (newer, "2021")}, told)
    for word in (old, newer):
        alone = entries(word)
        expect([{key: e[key] for key in ("node", "url", "score")} for e in told if e["graph"] == word] == alone, word)
    lines = [line.split("\t") for line in ok(old, newer, "--top", 2).splitlines()]
    expect([line[0] for line in lines] == ["2020", "2020", "2021", "2021"], lines)
    expect([line[1:] for line in lines[2:]] == [line.split("\t") for line in ok(newer, "--top", 2).splitlines()], lines)
    graph = tsv_graph(folder)
    lines = [line.split("\t")[0] for line in ok(old, graph, "--top", 1).splitlines()]
    expect(lines == ["lib.ws@2020", "links.tsv"], f"a date does not tell a file apart: {lines}")
    expect("date" not in entries(graph, old)[0], "a file has no date")
    hosts = entries(old, newer, "--level", "host")
    expect({e["url"] for e in hosts} == {"a.example", "b.example", "c.example"}, hosts)
    refused(old, old, says="twice")
    refused(old, newer, "--save", "x", says="--save")
    refused(old, folder / "missing", says="missing")
    refused(old, f"{lib}@never", says="never")
    refused(old, newer, "--at", "2020", says="has its time already")


def test_refusals(folder):
    graph = tsv_graph(folder)
    refused(graph, "--by", "glory", says="harmonic")
    for damping in ("-0.1", "1", "nan"):
        refused(graph, f"--damping={damping}", says="damping")
    refused(graph, "--tolerance", 0, says="tolerance")
    refused(graph, "--iterations", 0, says="0 is not a whole number of at least 1")
    refused(graph, "--top", "-1", says="-1 is not a whole number of at least 0")
    refused(graph, "--by", "harmonic", "--seed", "-1", says="-1 is not a whole number of at least 0")
    refused(graph, "--dead-ends", "sink", says="--dead-ends sink")
    refused(graph, "--method", "magic", says="--method magic")
    refused(graph, "--by", "hubs", "--freshness", "90d", says="--freshness is for")
    refused(folder / "missing", says="missing")
    refused(archive(folder), "--during", "1999", says="no nodes", code=1)


def test_tells_what_is_not_exact(folder):
    graph = tsv_graph(folder)
    code, out, errors = run("rank", graph, "--iterations", 1)
    expect(code == 0 and len(out.splitlines()) == 4 and "tolerance" in errors, errors)
    code, out, errors = run("rank", graph, "--by", "harmonic", "--samples", 2, "--seed", 5)
    expect(code == 0 and "sample" in errors, errors)
    code, out, errors = run("rank", graph, "--by", "harmonic", "--registers", 1024, "--seed", 5)
    expect(code == 0 and len(out.splitlines()) == 4 and "standard error" in errors, errors)
    refused(graph, "--by", "harmonic", "--registers", 100, says="power of two")
    refused(graph, "--by", "harmonic", "--registers", 64, "--samples", 2, says="cannot be combined")


def main():
    return run_tests(globals(), folder=tempfile.TemporaryDirectory)


if __name__ == "__main__":
    sys.exit(main())
