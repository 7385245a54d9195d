# SPDX-License-Identifier: Apache-2.0
"""Graph files with dates as captures: what goes in comes out at each date, in the archive's own order; what is wrong is refused."""

import gzip
import random

from archives import digests_of, expect_same, temporary_folder, write
from running import SAMPLE, expect, expect_one_line, run, run_tests

SEED = 19


def lines_of(*arguments):
    code, out, errors = run(*arguments)
    expect(code == 0, f"{arguments}: {errors}")
    return out.splitlines()


def url_of(reversed_host):
    return f"http://{'.'.join(reversed(reversed_host.split('.')))}/"


def release(folder, name, hosts, edges):
    """Common Crawl's two files; the links as pairs of URLs."""
    vertices = "".join(f"{i}\t{host}\n" for i, host in enumerate(hosts))
    (folder / f"{name}-vertices.txt.gz").write_bytes(gzip.compress(vertices.encode()))
    (folder / f"{name}-edges.txt.gz").write_bytes(gzip.compress("".join(f"{a}\t{b}\n" for a, b in sorted(edges)).encode()))
    return {(url_of(hosts[a]), url_of(hosts[b])) for a, b in edges}


def random_release(folder, name, chance):
    names = ["com", "org", "net", "example", "www", "a", "b-c", "d1"]
    hosts = sorted({".".join(chance.choice(names[:3] if i == 0 else names) for i in range(chance.randint(2, 4))) for _ in range(150)})
    edges = {(chance.randrange(len(hosts)), chance.randrange(len(hosts))) for _ in range(600)}
    return hosts, release(folder, name, hosts, edges)


def links_in(graph, *options):
    return {tuple(line.split("\t")) for line in lines_of("export", graph, "--as", "tsv", *options)}


def nodes_in(graph, folder):
    lines_of("export", graph, "--quiet", "--as", "bvgraph", folder / "nodes")
    return gzip.decompress((folder / "nodes.urls.gz").read_bytes()).decode().splitlines()


def test_each_date_has_the_graph_given(folder):
    print(f"seed {SEED}")
    chance = random.Random(SEED)
    old_hosts, old = random_release(folder, "cc-2023-host", chance)
    new_hosts, new = random_release(folder, "cc-2024-host", chance)
    lib = folder / "cc.ws"
    write("build", lib, "--graph", f"{folder}/cc-2023-host@2023-06", "--graph", f"{folder}/cc-2024-host@2024-05")
    for date, hosts, links in (("2023-06", old_hosts, old), ("2024-05", new_hosts, new)):
        expect(links_in(f"{lib}@{date}..{date}") == links, f"the links of {date}")
        expect(set(nodes_in(f"{lib}@{date}..{date}", folder)) == set(map(url_of, hosts)), f"the nodes of {date}")
    expect(links_in(f"{lib}@2023-06") == old, "at the first date only the first graph is known")
    # At a time: the last known links of each host. A host that is missing from the second graph is not known to be gone.
    later = {url_of(host) for host in new_hosts}
    expect(links_in(f"{lib}@2025") == new | {link for link in old if link[0] not in later}, "at the second date")
    expect(links_in(lib) == old | new, "ever")
    # Questions, differences and ranks over time.
    source = sorted(old & new)[0][0]
    found = {line.split("\t")[0] for line in lines_of("links", lib, source, "--at", "2024-05")}
    expect(found == {target for one, target in new if one == source}, f"links of {source}: {found}")
    changed = lines_of("diff", lib, "2023-06", "2024-05", "--json")[0]
    both = {url_of(host) for host in old_hosts} & later
    appeared = len({link for link in new - old if link[0] in both}) + len({link for link in new if link[0] not in both})
    expect(f'"links_appeared":{appeared}' in changed.replace(" ", ""), f"{appeared}: {changed}")
    ranked = lines_of("rank", f"{lib}@2023-06..2023-06", f"{lib}@2024-05..2024-05", "--top", "3")
    expect(len(ranked) >= 3, ranked)


def test_the_law_and_the_other_format(folder):
    chance = random.Random(SEED + 1)
    _, old = random_release(folder, "a", chance)
    _, new = random_release(folder, "b", chance)
    one, two = f"{folder}/a@2023-06", f"{folder}/b@2024"
    write("build", folder / "both.ws", "--graph", two, "--graph", one, "--threads", "1")
    write("build", folder / "steps.ws", "--graph", one)
    write("update", folder / "steps.ws", "--graph", two, "--threads", "3", "--merge-all")
    expect_same(folder / "both.ws", folder / "steps.ws", "update of a build")
    before = digests_of(folder / "steps.ws")
    _, _, errors = run("update", folder / "steps.ws", "--graph", one)
    expect("unchanged" in errors and digests_of(folder / "steps.ws") == before, errors)
    # The same graph, written by us as BVGraph with URLs as names, and read under the same name.
    lines_of("export", f"{folder}/both.ws@2023-06..2023-06", "--quiet", "--as", "bvgraph", folder / "again")
    write("build", folder / "again.ws", "--graph", f"{folder}/again@2023-06", "--crawl", "a")
    write("build", folder / "first.ws", "--graph", one)
    expect_same(folder / "again.ws", folder / "first.ws", "BVGraph instead of vertices and edges")
    expect(old != new, "two releases")


def test_with_crawl_files(folder):
    release(folder, "cc", ["org.example", "org.example.www"], [(0, 1)])
    write("build", folder / "lib.ws", SAMPLE / "2021.warc.gz", "--graph", f"{folder}/cc@2020-02-03")
    found = lines_of("captures", folder / "lib.ws", "http://example.org/", "--as", "jsonl")
    expect(len(found) == 1 and "2020-02-03T00:00:00Z" in found[0] and '"crawl":"cc"' in found[0], found)
    expect(links_in(f"{folder}/lib.ws@2020") == {("http://example.org/", "http://www.example.org/")}, "the graph")


def test_names_that_are_no_hosts_are_left_out(folder):
    release(folder, "cc", ["org.a b", "org.example", "org.x"], [(0, 1), (1, 0), (1, 2)])
    code, _, errors = run("build", folder / "lib.ws", "--graph", f"{folder}/cc@2020")
    expect(code == 0 and "nodes whose names are not URLs: 1" in errors, errors)
    expect("links to nodes whose names are not URLs: 1" in errors, errors)
    expect(links_in(folder / "lib.ws") == {("http://example.org/", "http://x.org/")}, "the rest")


def test_what_is_refused(folder):
    release(folder, "cc", ["com.a", "org.b", "org.c"], [(0, 1), (2, 0)])
    (folder / "unsorted-vertices.txt").write_text("0\tcom.a\n1\torg.b\n")
    (folder / "unsorted-edges.txt").write_text("1\t0\n0\t1\n")
    lines_of("export", folder / "cc", "--quiet", "--as", "bvgraph", folder / "bv")
    (folder / "bv.urls.gz").rename(folder / "reversed.txt.gz")
    (folder / "two.txt").write_text("a.com\nb.org\n")
    cc, bv = f"{folder}/cc@2023", f"{folder}/bv@2023"
    for words, *says in (
            ([], "INPUT", "--graph"), (["--graph", folder / "cc"], "cc", "date is missing", "@2024-05"),
            (["--graph", f"{folder}/cc@soon"], "soon", "not a date"), (["--graph", f"{folder}/none@2023"], "none", "no such graph"),
            (["--graph", bv], "no names", "bv.urls.gz"), (["--graph", bv, "--graph-names", folder / "two.txt"], "2 names for 3 nodes"),
            (["--graph", bv, "--graph-names", folder / "reversed.txt.gz"], "reversed"),
            (["--graph", cc, "--graph", cc, "--graph-names", folder / "two.txt"], "--graph-names", "one for each"),
            (["--graph", f"{folder}/unsorted@2023"], "unsorted-edges.txt", "line 2", "sorted"),
            (["--graph", cc, "--links", "embed"], "navigation")):
        code, out, errors = run("build", folder / "lib.ws", *words)
        expect(code == 2 and out == "", f"{words}: {code} {errors}")
        expect_one_line(errors, *says)
        expect(not (folder / "lib.ws").exists(), f"{words}: something is left")


def bits_of(number, width):
    return format(number, f"0{width}b")


def gamma_of(number):
    """Elias' gamma code of a natural number, as dsiutils writes it."""
    bits = format(number + 1, "b")
    return "0" * (len(bits) - 1) + bits


def labelled(folder, name, spec, codes):
    """The files that WebGraph writes next to the underlying graph: properties, and one stream of bits."""
    (folder / f"{name}.properties").write_text(
        "#BitStreamArcLabelledImmutableGraph properties\n"
        "graphclass=it.unimi.dsi.webgraph.labelling.BitStreamArcLabelledImmutableGraph\n"
        f"underlyinggraph=union-underlying\nlabelspec=it.unimi.dsi.webgraph.labelling.{spec}\n")
    bits = "".join(codes)
    bits += "0" * (-len(bits) % 8)
    (folder / f"{name}.labels").write_bytes(bytes(int(bits[at:at + 8], 2) for at in range(0, len(bits), 8)))
    (folder / f"{name}.urls.gz").write_bytes((folder / "union-underlying.urls.gz").read_bytes())


def test_a_union_graph_with_a_bit_for_each_snapshot(folder):
    """As LAW's uk-union-2006-06-2007-05: one graph, and for each link the snapshots that have it."""
    chance = random.Random(SEED)
    names = sorted(f"http://h{i % 7}.example/{i}" for i in range(60))
    edges = sorted({(chance.choice(names), chance.choice(names)) for _ in range(300)})
    (folder / "union.tsv").write_text("".join(f"{a}\t{b}\n" for a, b in edges))
    lines_of("export", folder / "union.tsv", "--quiet", "--as", "bvgraph", folder / "union-underlying")
    order = {name: i for i, name in enumerate(gzip.decompress((folder / "union-underlying.urls.gz").read_bytes()).decode().splitlines())}
    edges.sort(key=lambda edge: (order[edge[0]], order[edge[1]]))
    labels = [chance.randrange(1, 16) for _ in edges]
    dates = ["2006-06", "2006-07", "2006-08", "2007-05"]
    labelled(folder, "fixed", "FixedWidthIntLabel(SNAPSHOTS,12)", [bits_of(label, 12) for label in labels])
    labelled(folder, "gamma", "GammaCodedIntLabel(SNAPSHOTS)", map(gamma_of, labels))
    labelled(folder, "list", "FixedWidthIntListLabel(SNAPSHOTS, 4)",
             [gamma_of(label.bit_count()) + "".join(bits_of(bit, 4) for bit in range(4) if label >> bit & 1) for label in labels])
    for name in ("fixed", "gamma", "list"):
        lib = folder / f"{name}.ws"
        write("build", lib, "--graph", f"{folder}/{name}@{','.join(dates)}")
        for bit, date in enumerate(dates):
            expected = {edge for edge, label in zip(edges, labels) if label >> bit & 1}
            expect(links_in(f"{lib}@{date}..{date}") == expected, f"{name}: the links of {date}")
    expect(digests_of(folder / "fixed.ws").keys() == digests_of(folder / "gamma.ws").keys(), "layers")
    (folder / "fixed.labels").write_bytes((folder / "fixed.labels").read_bytes()[:-3])
    refused = ((f"fixed@{','.join(dates)}", "fewer labels"), (f"gamma@{','.join(dates)},soon", "soon"), ("other@2006", "FixedWidthIntLabel"))
    labelled(folder, "other", "MyLabel(SNAPSHOTS)", [])
    for word, said in refused:
        code, _, errors = run("build", "--quiet", folder / "none.ws", "--graph", f"{folder}/{word}")
        expect(code == 2 and not (folder / "none.ws").exists(), errors)
        expect_one_line(errors, said)


if __name__ == "__main__":
    raise SystemExit(run_tests(globals(), folder=temporary_folder))
