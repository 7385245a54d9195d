# SPDX-License-Identifier: Apache-2.0
"""The generator of dated webs and the laws of the scale benchmark: what they say is checked by hand, and the shape by that of real crawls."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
MAKER = Path(os.environ["WEBSTRATA_BUILD"]) / "bench" / "dated_web"
sys.path.insert(0, str(SOURCE / "bench" / "scale"))
import scale_bench  # noqa: E402
import web_shape  # noqa: E402

# What web_shape.py says of debweb (docs/SCALE.md): the lower of its two releases, the higher, and how far from them a generated web may be.
DEBWEB = {"links per page": (27, 45.3, 1.3), "links: same folder": (0.61, 0.70, 1.15), "links: elsewhere": (0.085, 0.118, 1.4),
          "links that the page before has": (0.77, 0.85, 1.15), "bytes of a URL": (68.1, 68.2, 1.25), "targets per page": (2.07, 2.27, 1.4)}
BETWEEN = {"pages that die": (0.18, 1.35), "pages that are new": (0.22, 1.35), "pages whose links change": (0.43, 1.35), "links that die on pages that live": (0.11, 1.5)}


def expect(truth, message):
    if not truth:
        raise AssertionError(message)


def make(folder, *words):
    done = subprocess.run([MAKER, folder, *map(str, words)], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def files(folder):
    return {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir())}


def test_laws_are_fitted():
    rows = [{"facts": size, "cost": 3 * size ** 1.5} for size in (10, 20, 40, 80)]
    factor, exponent = scale_bench.law(rows, "cost")
    expect(abs(factor - 3) < 1e-9 and abs(exponent - 1.5) < 1e-12, (factor, exponent))


def test_shapes_are_measured(folder):
    """Two pages of five lists of the first folder have the same menu; the numbers were counted by hand."""
    pages = {f"http://a.example/x/{n}": ["http://a.example/x/0", "http://a.example/y/", "http://b.example/"] for n in range(1, 6)}
    pages["http://b.example/"] = ["http://a.example/x/1"]
    (folder / "one").write_text("".join(json.dumps({"url": url, "ts": "20200101", "links": links}) + "\n" for url, links in pages.items()))
    later = {url: links[:2] if url.endswith("1") else links for url, links in pages.items() if not url.endswith("5")}
    (folder / "two").write_text("".join("\t".join([url, "20210101", *links]) + "\n" for url, links in later.items()))
    names = web_shape.Names()
    one, two = (web_shape.read(folder / name, names) for name in ("one", "two"))
    found = web_shape.shape(one, names)
    expect((found["pages"], found["hosts"], found["links"]) == (6, 2, 16), found)
    expect((found["links: same folder"], found["links: same host"], found["links: elsewhere"]) == (5 / 16, 5 / 16, 6 / 16), found)
    expect((found["links in menus of hosts"], found["links that the page before has"]) == (15 / 16, 12 / 16), found)
    moved = web_shape.change(one, two, names)
    expect((moved["pages that die"], moved["pages whose links change"], moved["links that die on pages that live"]) == (1 - 5 / 6, 1 / 5, 1 - 12 / 13), moved)


def test_the_seed_decides(folder):
    for name, seed in (("one", 1), ("same", 1), ("other", 2)):
        make(folder / name, "--hosts", 30, "--crawls", 3, "--days", 2, "--day-captures", 50, "--seed", seed)
    expect(files(folder / "one") == files(folder / "same"), "the same seed makes another web")
    expect(all(files(folder / "one")[name] != data for name, data in files(folder / "other").items()), "another seed makes the same web")
    expect(sorted(files(folder / "one")) == ["crawl0.tsv", "crawl1.tsv", "crawl2.tsv", "day0.tsv", "day1.tsv"], sorted(files(folder / "one")))
    for data in files(folder / "one").values():
        lines = [line.split(b"\t") for line in data.splitlines()]
        expect(all(len(line) == len(set(line)) for line in lines), "a link twice")
        expect(len({line[0] + line[1] for line in lines}) == len(lines) > 40, "a page twice in a second")


def test_counts_are_those_of_the_archive(folder):
    told = make(folder / "web", "--hosts", 40, "--crawls", 2)
    program = os.environ["WEBSTRATA_PROGRAM"]
    subprocess.run([program, "build", "-q", "--strict", folder / "lib.ws", *sorted((folder / "web").iterdir())], check=True)
    info = json.loads(subprocess.run([program, "info", "--json", folder / "lib.ws"], capture_output=True, text=True, check=True).stdout)
    expect((info["captures"], info["link_facts"]) == (told["captures"], told["link_facts"]), (info, told))


def test_the_shape_is_that_of_real_crawls(folder):
    make(folder / "web", "--hosts", 836)
    names = web_shape.Names()
    one, two = (web_shape.read(path, names) for path in sorted((folder / "web").iterdir()))
    found = web_shape.shape(one, names)
    wrong = {name: found[name] for name, (least, most, factor) in DEBWEB.items() if not least / factor <= found[name] <= most * factor}
    expect(not wrong, f"not like debweb: {wrong}")
    moved = web_shape.change(one, two, names)
    wrong = {name: moved[name] for name, (real, factor) in BETWEEN.items() if not real / factor <= moved[name] <= real * factor}
    expect(not wrong, f"does not change like debweb: {wrong}")


def test_the_benchmark_and_its_model_run(folder):
    """In small; a build that fails ends it."""
    words = [sys.executable, SOURCE / "bench" / "scale" / "scale_bench.py", os.environ["WEBSTRATA_BUILD"], "--mfacts", "0.1,0.2", "--folder", folder, "--json", folder / "scale.json"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    expect(done.returncode == 0 and "predicted" in done.stdout, done.stdout + done.stderr)
    found = json.loads((folder / "scale.json").read_text())
    expect(set(found["exponents"]) == set(scale_bench.FIGURES) == set(found["errors"]), found["exponents"])
    expect(all(row[figure] > 0 for row in [*found["rows"], found["actual"]] for figure in ("build_s", "bytes", "compact_s", "liverank_s")), found["rows"])
    done = subprocess.run([sys.executable, SOURCE / "bench" / "scale" / "cost_model.py", folder / "scale.json"], capture_output=True, text=True, check=True)
    rows = [line for line in done.stdout.splitlines() if line.startswith("| ")]
    expect(len(rows) > 20 and "measured" in done.stdout, done.stdout)


def main():
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # its builds and updates wait for a disk otherwise
    for name, test in sorted(globals().items()):
        if name.startswith("test_"):
            with tempfile.TemporaryDirectory(dir=memory) as folder:
                test(*([Path(folder)] if test.__code__.co_argcount else []))
            print(f"ok  {name[5:].replace('_', ' ')}", flush=True)


if __name__ == "__main__":
    main()
