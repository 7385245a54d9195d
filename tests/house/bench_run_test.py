# SPDX-License-Identifier: Apache-2.0
"""bench/run.py shows what the benchmarks printed: medians over interleaved rounds, what was reached and what was not, and everything
that could not be measured."""

import csv
import json
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]

# The first prints 1, 2 and 6 in its three rounds, and the order of all runs is in the file `order`.
LIST = r"""
[[benchmark]]
name = "growing"
run = '''sh -c "echo growing >> FOLDER/order; grep -c growing FOLDER/order | sed 's/3/6/; s/.*/{{\"a\": {{\"ratios\": [{{\"ours\": \"x\", \"theirs\": \"y\", \"cpu\": &}}]}}}}/'"'''
figures = [{key = "a.ratios.x / y.cpu", title = "small is good", goal = "<= 4"}, {key = "a.nothing", title = "never printed"}]

[[benchmark]]
name = "text"
run = '''sh -c "echo text >> FOLDER/order; echo PEER MISSING: cargo; echo ratio 1.5 wins"'''
quick = '''echo ratio 7'''
figures = [{pattern = "ratio ([0-9.]+)", title = "large is good", goal = ">= 2"}, {pattern = "(x)", title = "nor this", goal = ">= 1"}]

[[benchmark]]
name = "fails"
run = '''sh -c "echo before; echo oh no >&2; exit 3"'''
figures = []

[[benchmark]]
name = "no data"
run = "true"
data = "data/there is none"
figures = []
"""


def run(folder, *words):
    (folder / "list.toml").write_text(LIST.replace("FOLDER", str(folder)))
    done = subprocess.run([sys.executable, SOURCE / "bench" / "run.py", "--list", folder / "list.toml", "--results", folder / "results", *words],
                          capture_output=True, text=True, check=False)
    with open(folder / "results" / "results.csv", newline="") as file:
        return done, {row["figure"]: row for row in csv.DictReader(file)}


def test_rounds_are_interleaved_and_medians_count(folder):
    (folder / "docs").mkdir()
    done, rows = run(folder, "--page", folder / "docs" / "RESULTS.md")
    assert (folder / "order").read_text().split() == ["growing", "text"] * 3, (folder / "order").read_text()
    small, large = rows["small is good"], rows["large is good"]
    assert (float(small["median"]), float(small["least"]), float(small["most"]), small["rounds"]) == (2, 1, 6, "3"), small
    assert float(small["factor"]) == 2 and float(large["factor"]) == 0.75, (small, large)
    page = (folder / "docs" / "RESULTS.md").read_text()
    assert "1 of 2 goals reached" in page and "reached, 2.00 ×" in page and "**missed, 0.75 ×**" in page, page
    assert "small is good" in (folder / "docs" / "measured" / "results.svg").read_text()
    assert json.loads((folder / "results" / "results.json").read_text())["runs"]["text"][0]["trouble"] == ["PEER MISSING: cargo"]
    return done, page


def test_what_was_not_measured_is_named(folder):
    done, page = test_rounds_are_interleaved_and_medians_count(folder)
    assert done.returncode == 1, done
    for line in ("PEER MISSING: cargo", "fails: exit code 3: oh no", "no data: there is no data/there is none", "growing: never printed: not printed"):
        assert line in done.stderr and line in page, (line, done.stderr)
    assert "nor this" in done.stderr, done.stderr


def test_quick_runs_the_short_forms_once(folder):
    done, rows = run(folder, "--quick")
    assert list(rows) == ["large is good"] and rows["large is good"]["median"] == "7.0", rows
    assert rows["large is good"]["rounds"] == "1" and not (folder / "order").exists(), rows
    done = subprocess.run([sys.executable, SOURCE / "bench" / "run.py", "--list", folder / "list.toml", "--only", "nothing"], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "no such benchmark. There are: growing, text" in done.stderr, done.stderr


def main():
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            with tempfile.TemporaryDirectory() as folder:
                test(Path(folder))
            print(f"ok {name}", flush=True)


if __name__ == "__main__":
    main()
