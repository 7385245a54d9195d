#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the benchmarks of bench/benchmarks.toml against their peers and writes down what they printed.

    bench/run.py [--quick] [--rounds N] [--only NAME,...] [--list FILE.toml] [--results FOLDER] [--page FILE.md]

Rounds are interleaved: every benchmark runs once before any runs twice, so that a busy minute of the machine does not fall on one of them.
The results folder gets everything that was printed, results.json and results.csv; the page gets a row for each figure with its median, its
spread over the rounds, its goal, and a picture. What could not run (no data, no peer, a failure) is named at the end, and the exit code is 1.
"""

import argparse
import csv
import json
import math
import os
import platform
import re
import shlex
import statistics
import subprocess
import sys
import time
import tomllib
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1]


# ---- running


def flat(value, name=""):
    """The numbers of nested JSON by their path. Elements of a list are named by what they say of themselves."""
    if isinstance(value, dict):
        items = value.items()
    elif isinstance(value, list):
        items = ((label(item, place), item) for place, item in enumerate(value))
    else:
        return {name: value} if isinstance(value, (int, float)) and not isinstance(value, bool) else {}
    return {path: number for key, item in items for path, number in flat(item, f"{name}.{key}" if name else str(key)).items()}


def label(item, place):
    if isinstance(item, dict) and "ours" in item and "theirs" in item:
        return f"{item['ours']} / {item['theirs']}"
    return item["name"] if isinstance(item, dict) and "name" in item else place


def figures_of(benchmark, text, numbers):
    """Value by title, of the figures that this run printed."""
    found = {}
    for figure in benchmark["figures"]:
        match = re.search(figure["pattern"], text) if "pattern" in figure else None
        value = numbers.get(figure.get("key")) if match is None else float(match[1])
        if value is not None and math.isfinite(value):
            found[figure["title"]] = value
    return found


def run_once(benchmark, command, folder, number):
    """Runs it, keeps what it printed, and returns its figures and what it complained about."""
    stem = folder / f"{benchmark['name'].replace(' ', '_')}.{number}"
    numbers_path = stem.with_suffix(f".{number}.json")
    words = [word.format(release=SOURCE / "build/release", python=SOURCE / "build/venv/bin/python", json=numbers_path) for word in shlex.split(command)]
    started, load = time.monotonic(), os.getloadavg()[0]
    done = subprocess.run(words, cwd=SOURCE, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    text = done.stdout + done.stderr
    stem.with_suffix(f".{number}.txt").write_text(text)
    trouble = re.findall(r"^PEER (?:MISSING|FAILED).*", text, re.M)
    if done.returncode != 0:
        trouble.append(f"exit code {done.returncode}: {(text.strip().splitlines() or ['nothing printed'])[-1]}")
    try:
        numbers = flat(json.loads(numbers_path.read_text() if numbers_path.exists() else done.stdout))
    except json.JSONDecodeError:
        numbers = {}
    return {"figures": figures_of(benchmark, text, numbers), "trouble": trouble, "load": load,
            "seconds": time.monotonic() - started, "numbers": numbers}


def run_all(benchmarks, options):
    runs = {benchmark["name"]: [] for benchmark in benchmarks}
    for number in range(1, options.rounds + 1):
        for benchmark in benchmarks:
            command = benchmark["quick"] if options.quick else benchmark["run"]
            print(f"round {number}: {benchmark['name']} …", flush=True)
            run = run_once(benchmark, command, options.results, number)
            runs[benchmark["name"]].append(run)
            for title, value in run["figures"].items():
                print(f"    {value:10.4g}  {title}", flush=True)
            for line in run["trouble"]:
                print(f"    {line}", flush=True)
    return runs


# ---- rows


def reached(goal, value):
    """How far a value is past its goal, as a factor: 1.2 is 20 % better, 0.9 is 10 % short. None without a goal."""
    if goal is None:
        return None
    sign, number = goal.split()
    return float(number) / value if sign == "<=" else value / float(number)


def rows_of(benchmarks, runs, quick):
    rows = []
    for benchmark in benchmarks:
        for figure in benchmark["figures"]:
            values = [run["figures"][figure["title"]] for run in runs[benchmark["name"]] if figure["title"] in run["figures"]]
            if not values:
                continue
            middle = statistics.median(values)
            rows.append({"benchmark": benchmark["name"], "figure": figure["title"], "median": middle, "least": min(values), "most": max(values),
                         "rounds": len(values), "goal": figure.get("goal"), "factor": reached(figure.get("goal"), middle),
                         "command": benchmark["quick"] if quick else benchmark["run"]})
    return rows


def missing_figures(benchmarks, rows):
    known = {(row["benchmark"], row["figure"]) for row in rows}
    return [f"{benchmark['name']}: {figure['title']}" for benchmark in benchmarks for figure in benchmark["figures"]
            if (benchmark["name"], figure["title"]) not in known]


# ---- the page


def number(value):
    return f"{value:.4g}"


def verdict(row):
    if row["factor"] is None:
        return "no goal"
    return f"reached, {row['factor']:.2f} ×" if row["factor"] >= 1 else f"**missed, {row['factor']:.2f} ×**"


def short(command):
    return command.format(release="build/release", python="build/venv/bin/python", json="FILE")


def picture(rows):
    """Bars from the goal (1) to what was reached, on a logarithmic axis: green to the right, red to the left."""
    rows = [row for row in rows if row["factor"]]
    width, bar, left, scale = 900, 20, 520, 130  # scale: pixels per doubling
    lines = []
    for place, row in enumerate(rows):
        y = 30 + place * bar
        end = left + max(-1.0, min(2.5, math.log2(row["factor"]))) * scale
        colour = "#2a7f4f" if row["factor"] >= 1 else "#b3423a"
        lines.append(f'<text x="{left - 150}" y="{y + 13}" text-anchor="end">{escaped(row["figure"][:70])}</text>')
        lines.append(f'<rect x="{min(left, end):.1f}" y="{y + 3}" width="{max(1.0, abs(end - left)):.1f}" height="{bar - 7}" fill="{colour}"/>')
        lines.append(f'<text x="{max(left, end) + 6:.1f}" y="{y + 13}">{row["factor"]:.2f} ×</text>')
    height = 40 + len(rows) * bar
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="11">'
            f'<rect width="{width}" height="{height}" fill="white"/><text x="{left}" y="16" text-anchor="middle">goal</text>'
            f'<line x1="{left}" x2="{left}" y1="22" y2="{height - 8}" stroke="#888"/>{"".join(lines)}</svg>\n')


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;")


def commit():
    done = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=SOURCE, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"


def processor():
    names = re.findall(r"^model name\s*: (.*)", Path("/proc/cpuinfo").read_text(), re.M)
    return f"{len(names)} × {names[0]}" if names else platform.machine()


def page(rows, runs, trouble, image, options):
    loads = [run["load"] for each in runs.values() for run in each]
    met = sum(1 for row in rows if row["factor"] and row["factor"] >= 1)
    goals = sum(1 for row in rows if row["factor"])
    lines = [
        "# Results", "",
        f"Written by `make {'bench-quick' if options.quick else 'bench'}` (bench/run.py) at commit {commit()}, {time.strftime('%Y-%m-%d')}, on {processor()};",
        f"{options.rounds} interleaved rounds; load of the machine when the benchmarks began: {min(loads):.1f} to {max(loads):.1f}.",
        "A figure is the median over the rounds; each benchmark takes the best of its own repetitions. [BENCHMARKS](BENCHMARKS.md) explains them.", "",
        f"**{met} of {goals} goals reached.** Bars to the right of the line are better than the goal:", "",
        f"![Figures relative to their goals]({image})", "",
        "| figure | median | spread | goal | | command |", "| --- | --- | --- | --- | --- | --- |"]
    lines += [f"| {row['figure']} | {number(row['median'])} | {number(row['least'])} – {number(row['most'])} | {row['goal'] or ''} | {verdict(row)} | `{short(row['command'])}` |"
              for row in rows]
    if trouble:
        lines += ["", "## Not measured", "", *(f"- {line}" for line in trouble)]
    return "\n".join(lines) + "\n"


# ---- the story


def chosen(options):
    benchmarks = tomllib.loads(options.list.read_text())["benchmark"]
    names = [benchmark["name"] for benchmark in benchmarks]
    for name in options.only or []:
        if name not in names:
            sys.exit(f"run.py: {name}: no such benchmark. There are: {', '.join(names)}")
    wanted = [benchmark for benchmark in benchmarks if not options.only or benchmark["name"] in options.only]
    return [benchmark for benchmark in wanted if not options.quick or "quick" in benchmark]


def split_by_data(benchmarks, shared):
    able = [benchmark for benchmark in benchmarks if "data" not in benchmark or (shared / benchmark["data"]).is_dir()]
    return able, [f"{benchmark['name']}: there is no {benchmark['data']} in ../shared" for benchmark in benchmarks if benchmark not in able]


def write_results(rows, runs, options):
    (options.results / "results.json").write_text(json.dumps({"commit": commit(), "rows": rows, "runs": runs}, indent=1) + "\n")
    with open(options.results / "results.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, ["benchmark", "figure", "median", "least", "most", "rounds", "goal", "factor", "command"])
        writer.writeheader()
        writer.writerows(rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="the short form of each benchmark: minutes instead of an hour")
    parser.add_argument("--rounds", type=int, help="rounds (default 3, or 1 with --quick)")
    parser.add_argument("--only", type=lambda text: text.split(","), help="names of benchmarks, separated by commas")
    parser.add_argument("--list", type=Path, default=SOURCE / "bench" / "benchmarks.toml", help="what to run (default bench/benchmarks.toml)")
    parser.add_argument("--results", type=Path, default=SOURCE / "results", help="folder of the numbers (default results)")
    parser.add_argument("--page", type=Path, help="also write this page, with a picture next to it in measured/")
    options = parser.parse_args()
    options.rounds = options.rounds or (1 if options.quick else 3)
    options.results.mkdir(parents=True, exist_ok=True)

    benchmarks, trouble = split_by_data(chosen(options), SOURCE.parent / "shared")
    runs = run_all(benchmarks, options)
    rows = rows_of(benchmarks, runs, options.quick)
    write_results(rows, runs, options)
    trouble += list(dict.fromkeys(f"{name}: {line}" for name, each in runs.items() for run in each for line in run["trouble"]))
    trouble += [f"{line}: not printed" for line in missing_figures(benchmarks, rows)]
    if options.page:
        image = options.page.parent / "measured" / "results.svg"
        image.parent.mkdir(exist_ok=True)
        image.write_text(picture(rows))
        options.page.write_text(page(rows, runs, trouble, "measured/results.svg", options))
    for row in rows:
        print(f"{number(row['median']):>10}  {verdict(row).strip('*'):18} {row['figure']}")
    for line in trouble:
        print(f"not measured: {line}", file=sys.stderr)
    return 1 if trouble else 0


if __name__ == "__main__":
    sys.exit(main())
