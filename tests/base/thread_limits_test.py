# SPDX-License-Identifier: Apache-2.0
"""Where no thread can start, or only a few, or memory is short, the program does with fewer or says so: it never aborts.

Threads are refused by a shim (tests/base/tools/threads_shim.cpp) beyond 0, 1, 2, ... at a time; memory by the limit of the
address space (ulimit -v). Whatever is printed with fewer threads is what all threads print.
"""

import os
import re
import resource
import shutil
import subprocess
import sys
from pathlib import Path

SOURCE = Path(os.environ["WEBSTRATA_SOURCE"])
sys.path[:0] = [str(SOURCE / "tests" / "cli"), str(SOURCE / "tests" / "archive")]
from fault import fast_folder
from running import PROGRAM, SAMPLE, expect, expect_one_line, skip

SHIM = Path(os.environ["WEBSTRATA_BUILD"]) / "tests" / "libthreads_shim.so"
THREADS = ["--threads", "4"]
CRAWLS = [SAMPLE / "2021.warc.gz", SAMPLE / "2023.warc.gz"]


def run(arguments, *, threads_max=None, memory_mb=None):
    environment = dict(os.environ)
    if threads_max is not None:
        environment.update(LD_PRELOAD=str(SHIM), THREADS_MAX=str(threads_max))

    def limit():
        if memory_mb is not None:
            resource.setrlimit(resource.RLIMIT_AS, (memory_mb << 20, memory_mb << 20))

    return subprocess.run([PROGRAM, *map(str, arguments)], env=environment, capture_output=True, timeout=300, check=False,
                          preexec_fn=limit)


def verbs(folder, archive):
    """Every verb that has threads, with what it needs; those that write use separate folders."""
    ids = ["http://python-werkzeug-doc.docs.example/index.html"]
    return {
        "build": ["build", folder / "new.ws", "-q", *CRAWLS, *THREADS],
        "update": ["update", folder / "old.ws", "-q", CRAWLS[1], *THREADS],
        "forget": ["forget", folder / "old.ws", "-q", "--host", "flickcurl-doc.docs.example", *THREADS],
        "extract": ["extract", *CRAWLS, *THREADS],
        "verify": ["verify", archive, "--json", *THREADS],
        "diff": ["diff", archive, "2021", "2023", "--json", *THREADS],
        "stats": ["stats", archive, "--json", *THREADS],
        "links": ["links", archive, *ids],
        "export": ["export", archive, "--as", "tsv", *THREADS],
        "rank": ["rank", archive, "--json", *THREADS],
        "harmonic": ["rank", archive, "--by", "harmonic", "--json", *THREADS],
        "seeds": ["seeds", archive, "--json", *THREADS],
        "liverank": ["liverank", f"{archive}@2021", "--truth", f"{archive}@2023..", "--json", *THREADS],
        "probe": ["probe", "http://localhost:1/", "--agent", "test (mailto:test@example.org)", "--allow-private"],
    }


def make_archives(folder):
    older, archive = folder / "older", folder / "lib"
    for path, crawls in ((older, CRAWLS[:1]), (archive, CRAWLS)):
        done = run(["build", path, "-q", *crawls])
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
    older, archive = make_archives(folder)
    for name, words in verbs(folder, archive).items():
        prepare(folder, older)
        whole = run(words, threads_max=1000)
        expect(name == "probe" or whole.returncode == 0, f"{name}: {whole.stderr.decode()}")
        written, refused = made(folder), []
        for threads_max in [*range(8), *range(8, 32, 4)] if name == "probe" else range(8):
            prepare(folder, older)
            done = run(words, threads_max=threads_max)
            if check(name, f"{threads_max} threads", done, whole, folder, written):
                expect(b"cannot start a thread" in done.stderr, done.stderr)
                refused.append(threads_max)
        print(f"    {name}: refused with {refused or 'no number of'} threads, the same with more")
        expect(len(refused) < (14 if name == "probe" else 3), f"{name} needs too many threads")


def test_memory_that_is_short(folder):
    older, archive = make_archives(folder)
    refused_in_all = 0
    for name in ("build", "update", "verify", "diff", "rank"):
        words = verbs(folder, archive)[name]
        prepare(folder, older)
        whole = run(words)
        written, refused, done_with = made(folder), 0, 0
        for memory_mb in [*range(16, 160, 8), *range(160, 640, 32)]:
            prepare(folder, older)
            done = run(words, memory_mb=memory_mb)
            # The loader itself fails below what the program's libraries take, before main.
            if done.returncode == 127 and b"error while loading shared libraries" in done.stderr:
                continue
            if check(name, f"{memory_mb} MB", done, whole, folder, written):
                refused += 1
            else:
                done_with += 1
        print(f"    {name}: refused {refused} limits of memory, did with {done_with}")
        expect(done_with > 0, f"{name}: the limits show nothing")
        refused_in_all += refused
    # Commands that need little more than their libraries either load and run, or do not load.
    expect(refused_in_all > 0, "no limit was too small: this shows nothing")


def main():
    for test in (test_threads_that_cannot_start, test_memory_that_is_short):
        with fast_folder() as folder:
            test(folder)
        print("ok  " + test.__name__.removeprefix("test_").replace("_", " "))
    return 0


if __name__ == "__main__":
    sys.exit(main())
