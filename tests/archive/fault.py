# SPDX-License-Identifier: Apache-2.0
"""Runs programs on a disk that fails on demand (tests/archive/tools/fault_shim.cpp explains how).

    calls = fault.count_calls([PROGRAM, "update", archive, crawl], under=archive)
    for number in range(1, calls + 1):
        result = fault.run([PROGRAM, "update", archive, crawl], under=archive, fail_at=number, mode="kill")
        expect(result.killed or ...)

A program must be linked dynamically and not be built with a sanitizer.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from not_tried import ending, not_tried, skip  # noqa: E402, F401

SHIM = Path(os.environ["WEBSTRATA_BUILD"]) / "tests" / "libfault_shim.so"
# The modes that stop a program, and those that return an error to it.
DEADLY = ("kill", "torn", "exit")
FAILING = ("enospc", "eio", "short", "full")


def skip_without_shim():
    """Ends the test as skipped where the shim is not built."""
    if not SHIM.exists():
        skip(f"{SHIM} is not there (builds with sanitizers have none)")


@dataclass
class Call:
    """One call that changes files: its number, its name, and what it was about, with links of the system resolved."""

    number: int
    name: str
    path: str
    second: str = ""  # the new name, of rename and link


@dataclass
class Result:
    code: int  # of subprocess: negative for a signal
    out: str
    errors: str
    calls: list = field(default_factory=list)

    @property
    def killed(self):
        return self.code in (-signal.SIGKILL, 9)


def run(arguments, *, under, fail_at=0, mode="", timeout_s=120):
    """Runs a program; call number `fail_at` (from 1; 0: none) of those that change files under the folder `under` fails
    as `mode` says. The folder need not exist."""
    with tempfile.NamedTemporaryFile(prefix="fault-", suffix=".log") as log:
        environment = dict(os.environ, LD_PRELOAD=str(SHIM), FAULT_UNDER=os.path.realpath(under), FAULT_LOG=log.name,
                           FAULT_AT=str(fail_at), FAULT_MODE=mode)
        done = subprocess.run([str(word) for word in arguments], env=environment, capture_output=True,
                              timeout=timeout_s, check=False)
        lines = Path(log.name).read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    calls = []
    for line in lines:
        number, name, path, second = line.split("\t")
        calls.append(Call(int(number), name, path, second))
    return Result(done.returncode, done.stdout.decode(), done.stderr.decode(), calls)


def count_calls(arguments, *, under):
    """How many calls there are to fail at. The program must succeed."""
    result = run(arguments, under=under)
    if result.code != 0:
        raise AssertionError(f"{arguments} ends with {result.code}: {result.errors}")
    return len(result.calls)


@contextmanager
def fast_folder():
    """A temporary folder, in memory where possible: hundreds of runs with fsync take their time on a disk."""
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    path = Path(tempfile.mkdtemp(prefix="webstrata-", dir=memory)).resolve()
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def replace_folder(source, target):
    """Makes `target` a copy of the archive `source`, which may not exist."""
    shutil.rmtree(target, ignore_errors=True)
    if source is not None:
        shutil.copytree(source, target)


def not_durable_at_commit(calls, archive):
    """What a power cut could destroy after MANIFEST is in place: a list of complaints about the order of calls.

    At each rename to MANIFEST every file of the archive must have been synced after its last write, and every folder
    after the last new name in it. What is in work/ then does not matter.
    """
    archive = os.path.realpath(archive)
    work = archive + "/work"
    unsynced = {}  # path -> the call that changed it
    complaints = []

    def lies_in(path, folder):
        return path == folder or path.startswith(folder + "/")

    def new_name(path, call):
        passing = path in (work, archive + "/lock") or path.startswith(archive + "/MANIFEST.tmp")
        if not passing:  # else it need not survive
            unsynced[os.path.dirname(path)] = call

    for call in calls:
        if call.name in ("write", "pwrite", "ftruncate") and call.path != archive + "/lock":
            unsynced[call.path] = call
        elif call.name in ("fsync", "fdatasync"):
            unsynced.pop(call.path, None)
        elif call.name in ("open", "mkdir"):
            new_name(call.path, call)
        elif call.name == "link":
            new_name(call.second, call)
        elif call.name in ("unlink", "rmdir"):
            unsynced = {path: made for path, made in unsynced.items() if not lies_in(path, call.path)}
        elif call.name == "rename":
            if call.second == archive + "/MANIFEST":
                complaints += [f"call {call.number}: {path} is not synced since {made.name} (call {made.number})"
                               for path, made in unsynced.items() if lies_in(path, archive) and not lies_in(path, work)]
            unsynced = {call.second + path[len(call.path):] if lies_in(path, call.path) else path: made
                        for path, made in unsynced.items()}
            new_name(call.second, call)
    return complaints
