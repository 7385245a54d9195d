# SPDX-License-Identifier: Apache-2.0
"""Where no thread can start, or only a few, or memory is short, the program does with fewer or says so: it never aborts.

Threads are refused by a shim (tests/base/tools/threads_shim.cpp) beyond 0, 1, 2, ... at a time; memory by the limit of the
address space (ulimit -v). Whatever is printed with fewer threads is what all threads print.
"""

import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys
from pathlib import Path

SOURCE = Path(os.environ["WEBSTRATA_SOURCE"])
sys.path[:0] = [str(SOURCE / "tests" / "cli"), str(SOURCE / "tests" / "archive")]
from fault import fast_folder
from running import PROGRAM, expect, expect_one_line, skip

SHIM = Path(os.environ["WEBSTRATA_BUILD"]) / "tests" / "libthreads_shim.so"
THREADS = ["--threads", "4"]


def run(arguments, *, threads_max=None, memory_kb=None):
    environment = dict(os.environ)
    if threads_max is not None:
        environment.update(LD_PRELOAD=str(SHIM), THREADS_MAX=str(threads_max))

    def limit():
        if memory_kb is not None:
            resource.setrlimit(resource.RLIMIT_AS, (memory_kb << 10, memory_kb << 10))

    return subprocess.run([PROGRAM, *map(str, arguments)], env=environment, capture_output=True, timeout=300, check=False,
                          preexec_fn=limit)


def verbs(folder, archive, crawls):
    """Every verb that has threads, with what it needs; those that write use separate folders."""
    return {
        "build": ["build", folder / "new.ws", "-q", *crawls, *THREADS],
        "update": ["update", folder / "old.ws", "-q", crawls[1], *THREADS],
        "forget": ["forget", folder / "old.ws", "-q", "--host", "s3.example", *THREADS],
        "extract": ["extract", "-q", *crawls, *THREADS],
        "verify": ["verify", archive, "--json", *THREADS],
        "diff": ["diff", archive, "2021", "2023", "--json", *THREADS],
        "stats": ["stats", archive, "--json", *THREADS],
        "links": ["links", archive, "http://s1.example/1"],
        "export": ["export", archive, "--as", "tsv", *THREADS],
        "rank": ["rank", archive, "--json", *THREADS],
        "harmonic": ["rank", archive, "--by", "harmonic", "--json", *THREADS],
        "seeds": ["seeds", archive, "--json", *THREADS],
        "liverank": ["liverank", f"{archive}@2021", "--truth", f"{archive}@2023..", "--json", *THREADS],
        "probe": ["probe", "http://localhost:1/", "--agent", "test (mailto:test@example.org)", "--allow-private"],
    }


def write_crawls(folder):
    """Two small crawls: many runs cost little, and every command does its work on every thread all the same."""
    crawls = []
    for year in (2021, 2023):
        path = folder / f"{year}.jsonl"
        chance = random.Random(year)
        lines = [{"url": f"http://s{number % 7}.example/{number}", "time": f"{year}-01-01T00:00:00Z", "status": 200,
                  "links": [{"url": f"http://s{chance.randrange(7)}.example/{chance.randrange(400)}"} for _ in range(5)]} for number in range(300)]
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        crawls.append(path)
    return crawls


def make_archives(folder, crawls):
    older, archive = folder / "older", folder / "lib"
    for path, inputs in ((older, crawls[:1]), (archive, crawls)):
        done = run(["build", path, "-q", *inputs])
        expect(done.returncode == 0, done.stderr.decode())
    return older, archive


def prepare(folder, older):
    for name in ("new.ws", "old.ws"):
        shutil.rmtree(folder / name, ignore_errors=True)
    shutil.copytree(older, folder / "old.ws")


def made(folder):
    """The layers that a verb has written, by name."""
    return {path.name: path.read_bytes() for path in folder.glob("*.ws/g*/*") if path.parent.parent.name in ("new.ws", "old.ws")}


def without_times(output):
    """A probe reports how long it tried to connect."""
    return re.sub(rb"after \d+ ms", b"after some ms", output)


def check(name, how, done, whole, folder, written):
    """Whether the command was refused; otherwise it must have done what it does without limits."""
    if done.returncode == -6 and done.stderr.startswith(b"Fatal glibc error: failed to register TLS destructor"):
        return True  # glibc ends the process when it has no memory for the end of a thread; no program can prevent that
    expect(done.returncode in (0, 1, 2), f"{name}, {how}: ends with {done.returncode}: {done.stderr.decode()}")
    if done.returncode != 2 or whole.returncode == 2:
        expect(done.returncode == whole.returncode and without_times(done.stdout) == without_times(whole.stdout), f"{name}, {how}: prints something else")
        expect(made(folder) == written, f"{name}, {how}: writes something else")
        return False
    expect_one_line(done.stderr.decode())
    return True


def test_threads_that_cannot_start(folder):
    if not SHIM.exists():
        skip(f"{SHIM} is not there (builds with sanitizers have none)")
    crawls = write_crawls(folder)
    older, archive = make_archives(folder, crawls)
    for name, words in verbs(folder, archive, crawls).items():
        prepare(folder, older)
        whole = run(words, threads_max=1000)
        expect(name == "probe" or whole.returncode == 0, f"{name}: {whole.stderr.decode()}")
        written, refused = made(folder), []
        for threads_max in [*range(8), *range(8, 32, 4)] if name == "probe" else range(6):
            prepare(folder, older)
            done = run(words, threads_max=threads_max)
            if check(name, f"{threads_max} threads", done, whole, folder, written):
                expect(b"cannot start a thread" in done.stderr, done.stderr)
                refused.append(threads_max)
        print(f"    {name}: refused with {refused or 'no number of'} threads, the same with more")
        expect(len(refused) < (14 if name == "probe" else 3), f"{name} needs too many threads")


def did_not_start(done):
    """The system's loader itself fails below what the program's libraries take, before main."""
    return done.returncode == 127 and not done.stdout and not done.stderr.startswith(b"webstrata: ")


def smallest_kb(low, high, is_enough):
    """The smallest limit in kilobytes, to 16, that is enough; `high` is known to be."""
    while high - low > 16:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return high


def test_memory_that_is_short(folder):
    """Each command is refused between what loading the program takes and what the command takes, in one line, and nowhere else."""
    crawls = write_crawls(folder)
    older, archive = make_archives(folder, crawls)
    loaded_kb = smallest_kb(1 << 10, 1 << 20, lambda kb: not did_not_start(run(["--version"], memory_kb=kb)))
    for name in ("build", "update", "forget", "extract", "verify", "diff", "stats", "export", "rank", "seeds"):
        words = verbs(folder, archive, crawls)[name]
        prepare(folder, older)
        whole = run(words)
        expect(whole.returncode == 0, f"{name}: {whole.stderr.decode()}")
        written, refused = made(folder), []

        def is_enough(kb, name=name, words=words, whole=whole, written=written, refused=refused):
            prepare(folder, older)
            done = run(words, memory_kb=kb)
            if did_not_start(done):  # where in the address space libraries are loaded differs
                return False
            is_refused = check(name, f"{kb} KB", done, whole, folder, written)
            if is_refused:
                refused.append(kb)
            return not is_refused

        needed_kb = smallest_kb(loaded_kb, 1 << 20, is_enough)
        # Where memory ends decides what fails: the places in between are not those of the search.
        for part in range(1, 6):
            is_enough(loaded_kb + (needed_kb - loaded_kb) * part // 6)
        is_enough(needed_kb + 32 * 1024)
        print(f"    {name}: needs {needed_kb} KB, refused at {len(refused)} limits from {loaded_kb} KB")
        expect(len(refused) >= 5, f"{name}: hardly a limit was too small: this shows nothing")


def main():
    for test in (test_threads_that_cannot_start, test_memory_that_is_short):
        with fast_folder() as folder:
            test(folder)
        print("ok  " + test.__name__.removeprefix("test_").replace("_", " "))
    return 0


if __name__ == "__main__":
    sys.exit(main())
