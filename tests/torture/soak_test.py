# SPDX-License-Identifier: Apache-2.0
"""The soak in its short form: it passes what keeps its promises, notices what does not, and leaves no process and no file."""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path(os.environ["WEBSTRATA_SOURCE"])
PROGRAM = os.environ["WEBSTRATA_PROGRAM"]
SOAK = SOURCE / "tests" / "torture" / "soak.py"
sys.path.insert(0, str(SOURCE / "tests"))
from not_tried import ending, not_tried  # noqa: E402

SHORT_MINUTES = 0.4
# What the short form has to have done; less would show too little.
WANTED = ("updates", "kills of update", "kills of serve", "crawls", "kills of crawl", "kills of replay", "kills of frontier",
          "answers of serve equal to the command line's of the same generation", "answers of the server that is killed equal to the memory's",
          "answers of replay equal to the recorded ones", "acknowledged links, all in the archive", "crawled answers, all in the archive",
          "URLs acknowledged by frontiers, all there")

# Programs that do what webstrata does, except for one lie; `words` are the arguments. What the soak then says is next to it.
LIES = {
    "an update that says done and does nothing": ("lost", 'if words[0] == "update" and "day000003" in words[-1]: sys.exit(0)\n'),
    "an answer of the command line that lacks a link": ("instead of", 'if words[0] == "links" and "--history" not in words:\n'
                                                        '    done = subprocess.run([program, *words], capture_output=True)\n'
                                                        '    sys.stdout.buffer.write(b"".join(done.stdout.splitlines(True)[1:]))\n    sys.exit(done.returncode)\n'),
}


def soak(minutes, updates, out, program=PROGRAM):
    environment = dict(os.environ, WEBSTRATA_PROGRAM=str(program), WEBSTRATA_PLAIN_PROGRAM=str(program))
    return subprocess.run([sys.executable, SOAK, str(minutes), "1", "--updates", str(updates), "--out", out], env=environment, capture_output=True, text=True, check=False, timeout=800)


def expect(truth, message):
    if not truth:
        raise AssertionError(message)


def expect_nothing_left(out):
    """No folder and no process of the run whose log is there; another soak may run at the same time."""
    for name in set(re.findall(r"webstrata-soak-\w+", (out / "soak.log").read_text())):
        expect(not [place for place in ("/dev/shm", tempfile.gettempdir()) if (Path(place) / name).exists()], f"left behind: {name}")
        expect(not processes_of(name.encode()), f"still running: {processes_of(name.encode())}")


def processes_of(words):
    """Processes whose command line has this text."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if words in path.read_bytes():
                found.append(path)
        except OSError:
            pass
    return found


def lying_program(folder, number, lines):
    path = folder / f"liar-{number}"
    path.write_text(f'#!{sys.executable}\nimport os, subprocess, sys\nprogram, words = "{PROGRAM}", sys.argv[1:]\n{lines}os.execv(program, [program, *words])\n')
    path.chmod(0o755)
    return path


def check_short_form(folder):
    done = soak(SHORT_MINUTES, 12, folder / "out")
    told = done.stdout + done.stderr
    expect(done.returncode == 0 and done.stdout.startswith("seed 1,") and "0 broken promises" in done.stdout, told)
    found = json.loads((folder / "out" / "soak.json").read_text())
    for name, why in found["not_tried"].items():
        not_tried(f"{name}: {why}")
    missing = [name for name in WANTED if not found["counts"].get(name)]
    expect(not missing or found["not_tried"], f"not done at all: {missing}: {told}")
    expect(all(row["samples"] > 10 for row in found["growth"]) and len(found["growth"]) >= 7, f"grown things were not looked at: {found['growth']}")
    expect("killed after" in (folder / "out" / "soak.log").read_text(), "the log does not say what was killed")
    expect_nothing_left(folder / "out")
    print("ok  a program that keeps its promises passes")


def check_lies(folder):
    for number, (lie, (words, lines)) in enumerate(LIES.items()):
        done = soak(0.1, 5, folder / f"out-{number}", lying_program(folder, number, lines))
        told = done.stdout + done.stderr
        expect(done.returncode == 1 and "BROKEN" in told and words in told, f"{lie} is not noticed: {done.returncode} {told}")
        expect((folder / f"out-{number}" / "kept" / "inputs").is_dir(), "the files of the failure are not kept")
        expect_nothing_left(folder / f"out-{number}")
        print(f"ok  {lie} is noticed")


def check_growth():
    """Of a process that keeps more and more memory, and of a folder that fills."""
    sys.path.insert(0, str(SOAK.parent))
    import soak_growth

    growth = soak_growth.Growth(1)
    numbers = iter(range(10_000))
    growth.watch("a folder", "files", lambda: 10 * next(numbers))
    growth.watch("another", "files", lambda: 10)
    hoarder = subprocess.Popen([sys.executable, "-c", "kept = []\nwhile True:\n    input()\n    kept.append(bytearray(b'x' * 4_000_000))\n    print(flush=True)"],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        growth.watch_process("a hoarder", hoarder.pid)
        for _ in range(60):
            hoarder.stdin.write("\n")
            hoarder.stdin.flush()
            hoarder.stdout.readline()
            growth.sample()
    finally:
        hoarder.kill()
        hoarder.communicate()
    grown = {(row["what"], row["measure"]) for row in growth.rows() if not row["held"]}
    expect(grown == {("a folder", "files"), ("a hoarder", "memory")}, f"grown: {grown}: {growth.rows()}")
    print("ok  what grows is noticed")


def main():
    check_growth()
    with tempfile.TemporaryDirectory() as name:
        check_short_form(Path(name))
        check_lies(Path(name))
    return ending()


if __name__ == "__main__":
    sys.exit(main())
