# SPDX-License-Identifier: Apache-2.0
"""Every verb that takes a graph refuses what is none, with the list of the formats, and takes what is one."""

import gzip
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = os.environ["WEBSTRATA_PROGRAM"]
SOURCE = Path(os.environ["WEBSTRATA_SOURCE"])
SAMPLE = SOURCE / "examples" / "sample" / "2021.warc.gz"
FORMATS = ("archive", "BVGraph", "table of links", "ASCII graph", "Common Crawl")

VERBS = [
    ["rank"],
    ["seeds", "--count", "3"],
    ["explore", "--topic", "SCORES", "--by", "bf", "--budget", "3"],
    ["liverank", "--truth", "TRUTH"],
    ["export", "--as", "tsv"],
    ["export", "--as", "graphml"],
]


def run(*words, stdin=None):
    return subprocess.run([PROGRAM, *map(str, words)], capture_output=True, timeout=120, stdin=stdin)


def check_refused(words, name, **more):
    done = run(*words, **more)
    said = done.stderr.decode()
    assert done.returncode == 2, f"{words}: {done.returncode} {done.stdout[:200]!r} {said}"
    assert done.stdout == b"", f"{words}: {done.stdout[:200]!r}"
    assert said.startswith(f"webstrata: {name}: not a graph: ") and said.count("\n") == 1, f"{words}: {said}"
    for form in FORMATS:
        assert form in said, f"{words}: {said}"


def not_graphs(folder):
    """Files of all kinds that people have next to their graphs."""
    (folder / "page.html").write_text('<a href="/x">the link</a>\n<a href="/y">another</a>\n')
    (folder / "graph.gexf").write_text('<?xml version="1.0"?>\n<gexf><graph/></gexf>\n')
    (folder / "prose.txt").write_text("It was a bright cold day\nin April\n")
    (folder / "plain.warc").write_bytes(gzip.decompress(SAMPLE.read_bytes()))
    (folder / "pages.jsonl").write_text('{"url": "http://a.example/", "time": "2021", "links": []}\n')
    (folder / "program").write_bytes(Path(PROGRAM).read_bytes()[:100_000])
    (folder / "links.csv").write_text("source,target\na,b\n")
    links = run("extract", "--quiet", "--as", "tsv", SAMPLE).stdout
    (folder / "extracted.tsv").write_bytes(links)
    archive = folder.parent / f"{folder.name}-own.ws"
    run("build", archive, SAMPLE, "--quiet")
    page = run("url", archive, "--pages").stdout.split()[1].decode()
    (folder / "ranked.tsv").write_bytes(run("rank", archive).stdout)
    (folder / "captures.tsv").write_bytes(run("captures", archive, page).stdout)
    (folder / "outcomes.tsv").write_text(f"{page}\talive\n")
    shutil.rmtree(archive)
    assert all((folder / name).stat().st_size > 20 for name in ("ranked.tsv", "captures.tsv", "outcomes.tsv"))
    cdxj = run("extract", "--quiet", "--as", "cdxj", SAMPLE).stdout
    (folder / "index.cdxj").write_bytes(cdxj)
    return [SAMPLE, SOURCE / "README.md", SOURCE / "CMakeLists.txt", *sorted(folder.iterdir())]


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = not_graphs(folder)
        places = {"TRUTH": folder / "truth.txt", "SCORES": folder / "scores.tsv"}
        places["TRUTH"].write_text("http://a.example/\n")
        places["SCORES"].write_text("http://a.example/\t1\n")
        for verb in VERBS:
            words = [str(places.get(word, word)) for word in verb]
            for file in files:
                check_refused([words[0], str(file), *words[1:]], file)
        with (SOURCE / "README.md").open("rb") as stream:
            check_refused(["rank", "-"], "-", stdin=stream)

        graph = folder / "good.tsv"
        graph.write_text("http://a.example/\thttp://b.example/\nhttp://b.example/\thttp://a.example/\n")
        assert run("rank", graph).returncode == 0
        with graph.open("rb") as stream:
            assert run("rank", "-", stdin=stream).returncode == 0
        # A pipe with a name is read only once.
        piped = subprocess.run(
            ["bash", "-c", '"$0" rank <(cat "$1")', PROGRAM, str(graph)], capture_output=True, timeout=120
        )
        assert piped.returncode == 0 and piped.stdout.count(b"\n") == 2, piped
        print(f"{len(files)} files refused by {len(VERBS)} verbs; a graph is taken from a file and two pipes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
