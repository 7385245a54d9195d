#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs ctest for each preset and reports at the end what was not tried, and why.

    tools/run_tests.py asan dev/script

A preset followed by a slash and a label runs only the tests with that label.

--meanwhile COMMAND builds what the later presets need while the first one runs: tests that wait for servers and clocks leave part of
the cores idle, and the command has a lower priority than they have.

The last line is "N passed, N failed, N skipped", over all presets. Normally a skip is only reported. With CI=true in the
environment it is a failure, unless tests/skips.txt allows it. A test that passes although it printed "SKIPPED" or "NOT TRIED"
counts as skipped: no check disappears silently inside a test that passes.
The exit code is 0 if nothing failed.
"""

import argparse
import fcntl
import fnmatch
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from collections import namedtuple
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1]

Result = namedtuple("Result", "preset name state reason")  # state: passed, failed or skipped
Allowance = namedtuple("Allowance", "pattern condition why line")

LEFT_OUT = re.compile(r"^\s*(?:SKIPPED|NOT TRIED)\b:?\s*(.*)", re.M)
# GoogleTest: file and line, then the reason until the line that ends the test.
GTEST_REASON = re.compile(r": Skipped\n(.*?)\n*(?=\[  SKIPPED \])", re.S)
SANITIZER = re.compile(r"ERROR: \w+Sanitizer|: runtime error: ")


# ---- what ctest found


def reason_of(output):
    found = GTEST_REASON.search(output)
    reasons = [found[1]] if found else re.findall(LEFT_OUT.pattern, output, re.M | re.I)
    return "; ".join(dict.fromkeys(" ".join(reason.split()) for reason in reasons if reason.strip())) or "no reason given"


def result_of(preset, case):
    output = case.findtext("system-out") or ""
    skipped = case.find("skipped")
    name = case.get("name")
    if case.get("status") == "disabled":
        return Result(preset, name, "skipped", "disabled in CMake or GoogleTest")
    if skipped is not None:
        # ctest also calls skipped what it could not start, and what printed GoogleTest's mark before a sanitizer stopped it.
        is_real = skipped.get("message", "").startswith("SKIP_") and not SANITIZER.search(output)
        return Result(preset, name, "skipped", reason_of(output)) if is_real else Result(preset, name, "failed", "")
    if case.get("status") != "run":
        return Result(preset, name, "failed", "")
    if LEFT_OUT.search(output):
        return Result(preset, name, "skipped", reason_of(output))
    return Result(preset, name, "passed", "")


def run_preset(preset, words):
    """Runs ctest, shows what it prints, and returns the results of the tests."""
    preset, _, label = preset.partition("/")
    words = [*(("-L", f"^{label}$") if label else ()), *words]
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        # The sizes keep reasons whole: ctest cuts what passing tests print to 1 KB.
        done = subprocess.run(["ctest", "--preset", preset, "--no-tests=error", "--output-junit", report,
                               "--test-output-size-passed", "1000000", "--test-output-size-failed", "1000000", *words], check=False)
        cases = ElementTree.parse(report).getroot().findall("testcase") if report.exists() else []
    results = [result_of(preset, case) for case in cases]
    if done.returncode != 0 and not any(result.state == "failed" for result in results):
        results.append(Result(preset, f"ctest --preset {preset}", "failed", f"exit code {done.returncode}"))
    return results


class Meanwhile:
    """A command that runs beside the first preset; its output is shown if it fails."""

    def __init__(self, command):
        self._command = command
        self._output = tempfile.TemporaryFile("w+") if command else None
        self._process = command and subprocess.Popen(
            ["nice", *shlex.split(command)], stdin=subprocess.DEVNULL, stdout=self._output, stderr=subprocess.STDOUT)

    def wait(self):
        """The result to report: one that failed, or none."""
        if not self._process or self._process.wait() == 0:
            return []
        self._output.seek(0)
        print(self._output.read(), flush=True)
        return [Result("meanwhile", self._command, "failed", f"exit code {self._process.returncode}")]


def run_presets(presets, words, command):
    meanwhile = Meanwhile(command)
    results = run_preset(presets[0], words)
    trouble = meanwhile.wait()
    if trouble:
        return [*results, *trouble]
    return [*results, *(result for preset in presets[1:] for result in run_preset(preset, words))]


# ---- what may be left out


def runs(*words, **options):
    try:
        return subprocess.run(words, capture_output=True, check=False, **options).returncode == 0
    except FileNotFoundError:
        return False


def can_fetch_crates():
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copytree(SOURCE / "tests" / "graph" / "webgraph_peer", Path(folder) / "peer")
        return runs("cargo", "fetch", "--quiet", cwd=copy)


def can_fetch_stubs():
    with tempfile.TemporaryDirectory() as folder:
        return runs("mvn", "-q", "-B", "-f", SOURCE / "tests" / "frontier" / "java" / "pom.xml", "dependency:copy-dependencies",
                    f"-DoutputDirectory={folder}")


def shows_locks():
    with tempfile.TemporaryFile() as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        return f" {os.getpid()} " in Path("/proc/locks").read_text()


def conditions(shared):
    """Where a skip may be allowed: the words of the second column of tests/skips.txt, and how to find out."""
    return {"always": lambda: True, "no-shared": lambda: not (Path(shared) / "data").is_dir(),
            "no-mount": lambda: not runs("unshare", "--mount", "true"), "no-crates": lambda: not can_fetch_crates(),
            "no-maven": lambda: not can_fetch_stubs(),
            "no-locks": lambda: not shows_locks()}


def read_allowances(path, known):
    allowances = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        fields = [field.strip() for field in line.split("|")]
        if len(fields) != 3 or not all(fields) or fields[1] not in known:
            sys.exit(f"{path}:{number}: not \"test | condition | reason\" with a condition among {', '.join(known)}")
        allowances.append(Allowance(*fields, number))
    return allowances


def is_allowed(result, allowances, holds):
    return any(fnmatch.fnmatchcase(result.name, allowance.pattern) and holds[allowance.condition]() for allowance in allowances)


# ---- what is shown


def show(title, results):
    """One line per test; the presets that agree on it are named together."""
    if not results:
        return
    print(f"\n{title}:")
    presets = {}
    for result in results:
        presets.setdefault((result.name, result.reason), []).append(result.preset)
    groups = {}
    for (name, reason), where in presets.items():
        groups.setdefault((reason, ", ".join(where)), []).append(name)
    for (reason, where), names in groups.items():
        names = names[:6] + ([f"and {len(names) - 6} more"] if len(names) > 6 else [])
        print(f"  {', '.join(names)} ({where})" + (f": {reason[:400]}" if reason else ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("presets", nargs="+", metavar="PRESET[/LABEL]")
    parser.add_argument("--skips", type=Path, default=SOURCE / "tests" / "skips.txt", help="the skips that CI=true allows")
    parser.add_argument("--shared", default=SOURCE.parent / "shared", help="folder with the large test data")
    parser.add_argument("--meanwhile", metavar="COMMAND", help="run while the first preset does, and before the others")
    parser.add_argument("--ctest", action="append", default=[], metavar="WORD", help="a word passed on to ctest")
    options = parser.parse_args()

    is_ci = os.environ.get("CI", "").lower() in ("true", "1")
    holds = conditions(options.shared)
    allowances = read_allowances(options.skips, holds)
    results = run_presets(options.presets, options.ctest, options.meanwhile)
    by_state = {state: [result for result in results if result.state == state] for state in ("passed", "failed", "skipped")}
    refused = [result for result in by_state["skipped"] if is_ci and not is_allowed(result, allowances, holds)]
    skipped = [result for result in by_state["skipped"] if result not in refused]

    show("Not tried", skipped)
    show("Failed", by_state["failed"])
    show(f"Failed, because CI=true and {options.skips.name} does not allow to leave them out", refused)
    failures = len(by_state["failed"]) + len(refused)
    print(f"\n{len(by_state['passed'])} passed, {failures} failed, {len(skipped)} skipped", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
