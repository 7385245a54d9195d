# SPDX-License-Identifier: Apache-2.0
"""The torture itself: it passes what keeps its promises, notices each kind of broken promise, and leaves no files."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path(os.environ["WEBSTRATA_SOURCE"])
PROGRAM = os.environ["WEBSTRATA_PROGRAM"]
TORTURE = SOURCE / "tests" / "torture" / "torture.py"

# Programs that do what webstrata does, except for one lie. {program} is the real one.
LIES = {
    "a crash": ("inputs/jsonl", 'import os, sys\nif sys.argv[1] == "extract": os.abort()\n'),
    "an exit code that nobody knows": ("inputs/jsonl", 'import sys\nif sys.argv[1] == "extract": sys.exit(7)\n'),
    "a failure without a word": ("inputs/jsonl", 'import sys\nif sys.argv[1] == "extract": sys.exit(2)\n'),
    "a control character": ("inputs/jsonl", 'import sys\nif sys.argv[1] == "extract": print("webstrata: \\x1b[2J", file=sys.stderr)\n'),
    "a lost record": ("inputs/next-to-records", 'import sys\nif sys.argv[1] == "extract":\n'
                      '    sys.argv[1:] = ["extract", "--as", "jsonl", sys.argv[-1]]\n'
                      '    import subprocess\n    out = subprocess.run(["{program}", *sys.argv[1:]], capture_output=True)\n'
                      '    lines = out.stdout.splitlines(True)\n    bad = len(lines) < 30\n'
                      '    sys.stdout.buffer.write(b"".join(lines[1:] if bad else lines))\n    sys.exit(out.returncode)\n'),
    "verify finds nothing": ("archives/damaged", 'import sys\nif sys.argv[1] == "verify": sys.exit(0)\n'),
    "another answer": ("archives/damaged", 'import os, sys\nif sys.argv[1] == "stats" and not os.getcwd().endswith("prepared"): print("{{}}"); sys.exit(0)\n'),
    "a reader that fails after a kill": ("kills/update", 'import sys\nif sys.argv[1] == "url" and "tried" in sys.argv[2]: sys.exit(2)\n'),
}


def torture(*words, program=PROGRAM, kept):
    environment = dict(os.environ, WEBSTRATA_PROGRAM=str(program), WEBSTRATA_PLAIN_PROGRAM=PROGRAM, WEBSTRATA_KEEP=str(kept))
    return subprocess.run([sys.executable, TORTURE, *map(str, words)], env=environment, capture_output=True, text=True, check=False, timeout=800)


def expect(truth, message):
    if not truth:
        raise AssertionError(message)


def left_behind():
    return [path for place in ("/dev/shm", "/tmp") for path in Path(place).glob("webstrata-torture-*")]


def lying_program(folder, number, lines):
    path = folder / f"liar-{number}"
    path.write_text(f"#!{sys.executable}\n" + lines.replace("{program}", PROGRAM).replace("{{}}", "{}")
                    + f'\nimport os, sys\nos.execv("{PROGRAM}", ["webstrata", *sys.argv[1:]])\n')
    path.chmod(0o755)
    return path


def check_what_did_not_start():
    """`captures` under a limit of memory "gave another answer": the loader had ended with words that the trial did not know."""
    sys.path.insert(0, str(SOURCE / "tests" / "torture"))
    from ground import Ended, did_not_start

    for words in (b"/usr/bin/webstrata: error while loading shared libraries: libz.so.1: failed to map segment from shared object\n", b"out of memory\n",
                  b"cannot allocate TLS data structures for initial thread\n"):
        expect(did_not_start(Ended([], 127, b"", words)), words)
    for ended in (Ended([], 127, b"an answer", b"out of memory\n"), Ended([], 127, b"", b"webstrata: out of memory\n"), Ended([], 0, b"", b"out of memory\n")):
        expect(not did_not_start(ended), ended)
    print("ok  a program that could not be loaded gave no answer")


def main():
    check_what_did_not_start()
    before = set(left_behind())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        listed = torture("--list", kept=folder).stdout.split()
        expect(len(listed) > 20 and "kills/forget" in listed, listed)
        done = torture("0.02", "1", "--only", "inputs/next-to-records", "--jobs", "2", kept=folder / "kept")
        expect(done.returncode == 0 and done.stdout.startswith("seed 1,") and "0 broken promises" in done.stdout, done.stdout + done.stderr)
        expect("others compared with a twin: " in done.stdout, done.stdout)
        print("ok  a program that keeps its promises passes")
        for number, (lie, (trial, lines)) in enumerate(LIES.items()):
            program = lying_program(folder, number, lines)
            done = torture("--repeat", "1", trial, "1", program=program, kept=folder / "kept")
            expect(done.returncode == 1 and "Broken" in done.stderr + done.stdout, f"{lie} is not noticed: {done.returncode} {done.stdout} {done.stderr}")
            print(f"ok  {lie} is noticed")
        done = torture("0.02", "1", "--only", "inputs/jsonl", "--jobs", "1", program=folder / "liar-0", kept=folder / "kept")
        expect(done.returncode == 1 and "--repeat 1 inputs/jsonl 1" in done.stdout, done.stdout + done.stderr)
        expect((folder / "kept" / "1-inputs-jsonl-1" / "BROKEN.txt").exists(), "the files of the failure are not kept")
        print("ok  a failure says how to repeat it and keeps its files")
    expect(set(left_behind()) <= before, f"left behind: {left_behind()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
