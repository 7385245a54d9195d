# SPDX-License-Identifier: Apache-2.0
"""What Python exports is, byte for byte, what the command line exports."""

import gzip
import sys

from module import SAMPLE, expect, fails, run, run_tests, temporary_folder, webstrata


def archive_in(folder):
    lib = folder / "lib.ws"
    webstrata.build(lib, [SAMPLE / "2021.warc.gz", SAMPLE / "2023.warc.gz"])
    return lib


def content(path):
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()


def expect_files(folder, write, *words):
    """`write(path)` makes the files that the command writes."""
    here, there = folder / "here", folder / "there"
    for place in (here, there):
        place.mkdir()
    write(here / "out")
    code, _, errors = run("export", *words[:1], there / "out", *words[1:], "-q")
    expect(code == 0, errors)
    made, wanted = ({path.name: content(path) for path in place.iterdir()} for place in (here, there))
    expect(made.keys() == wanted.keys() and made, f"{words}: {made.keys()} instead of {wanted.keys()}")
    for name in made:
        expect(made[name] == wanted[name], f"{words}: {name} differs")
    for place in (here, there):
        for path in place.iterdir():
            path.unlink()
        place.rmdir()


def test_graphs(folder):
    lib = archive_in(folder)
    library = webstrata.open(lib)
    for form in ("tsv", "ascii", "bvgraph"):
        graph = library.snapshot(at="2021")
        expect_files(folder, lambda path: graph.export(path, form), f"{lib}@2021", "--as", form)
    hosts = library.snapshot(level="host")
    expect_files(folder, lambda path: hosts.export(path, "commoncrawl"), lib, "--level", "host", "--as", "commoncrawl")
    dated = library.snapshot(at="2021", columns=True)
    expect_files(folder, lambda path: dated.export(path, "graphml"), f"{lib}@2021", "--as", "graphml")
    fails("bad_input", lambda: hosts.export(folder / "x", "xml"), "xml")
    hosts.export(folder / "hosts.gexf", "gexf")
    expect("<gexf" in (folder / "hosts.gexf").read_text(), "not GEXF")
    hosts.export(folder / "graph", "bvgraph")
    expect(webstrata.load_graph(folder / "graph", urls=folder / "graph.urls.gz").names == hosts.names, "another graph comes back")


def test_archives(folder):
    lib = archive_in(folder)
    with webstrata.open(lib) as library:
        library.save_scores("mine", [0.5 if uid % 2 else float("nan") for uid in range(library.node_count)])
    library = webstrata.open(lib)
    expect_files(folder, lambda path: library.export(path), lib, "--as", "jsonl")
    for key in ("pywb", "ia"):
        expect_files(folder, lambda path: library.export(path, "cdxj", key=key), lib, "--as", "cdxj", "--key", key)
    expect_files(folder, lambda path: library.export(path, "scores", name="mine"), lib, "--as", "scores", "--name", "mine")
    library.export(folder / "lib.jsonl.gz")
    webstrata.build(folder / "again.ws", folder / "lib.jsonl.gz")
    expect(webstrata.open(folder / "again.ws").info()["facts_digest"] == library.info()["facts_digest"], "other facts come back")
    fails("bad_input", lambda: library.export(folder / "x", "tsv"), "tsv")
    fails("bad_input", lambda: library.export(folder / "x", "scores"), "name")
    fails("bad_input", lambda: library.export(folder / "x", "cdxj", key="none"), "key")
    expect(not (folder / "x").exists(), "a file was begun")


if __name__ == "__main__":
    sys.exit(run_tests(globals(), folder=temporary_folder))
