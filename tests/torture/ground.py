# SPDX-License-Identifier: Apache-2.0
"""What all trials of the torture share: how the program is run, what it promises about its end, and how bytes are damaged.

A trial is a function `trial(ground)` that tries one case and returns its counts by name; a broken promise raises Broken.
Everything random comes from `ground.chance`, which is seeded with the seed of the run, the name of the trial and the number
of the case, so that one case can be repeated alone.
"""

import os
import random
import re
import resource
import subprocess
import time
from collections import namedtuple
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
HANG_S = 120  # for one command on a few kilobytes; the sanitizers and a busy machine need some of it
COMPLAINTS = ("AddressSanitizer", "LeakSanitizer", "UndefinedBehaviorSanitizer", "runtime error:", "terminate called", "Assertion `")
SANITIZERS = {"ASAN_OPTIONS": "detect_stack_use_after_return=1:allocator_may_return_null=1:max_allocation_size_mb=6000",
              "UBSAN_OPTIONS": "print_stacktrace=1"}
# Bytes that make a terminal do something. Line ends and tabs are ours.
CONTROLS = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]")


class Broken(AssertionError):
    """A promise was broken."""


def expect(truth, message):
    if not truth:
        raise Broken(message)


Ended = namedtuple("Ended", "words code out errors")


@dataclass
class Limits:
    """Resource limits of one command; None is no limit."""

    memory: int | None = None  # bytes of address space
    file_bytes: int | None = None
    files: int | None = None
    processes: int | None = None  # of a user of our own: root has no such limit

    def apply(self):
        for kind, value in ((resource.RLIMIT_AS, self.memory), (resource.RLIMIT_FSIZE, self.file_bytes),
                            (resource.RLIMIT_NOFILE, self.files)):
            if value is not None:
                resource.setrlimit(kind, (value, value))
        if self.processes is not None:
            if os.getuid() == 0:
                os.setgroups([])
                os.setgid(65534)
                os.setuid(64999)  # a number that runs nothing else, so that the count is that of this command
            resource.setrlimit(resource.RLIMIT_NPROC, (self.processes, self.processes))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Ground:
    """One case: the programs, a folder of its own, what was prepared for all cases, and its chance."""

    def __init__(self, folder, prepared, seed, name, number):
        self.program = os.environ["WEBSTRATA_PROGRAM"]  # with sanitizers where there is such a build
        self.plain_program = os.environ["WEBSTRATA_PLAIN_PROGRAM"]  # without: for limits of memory
        self.folder, self.prepared = folder, prepared
        self.chance = random.Random(f"{seed}/{name}/{number}")

    def start(self, *words, program=None, limits=None, **options):
        options.setdefault("stdout", subprocess.PIPE)
        options.setdefault("cwd", self.folder)
        return subprocess.Popen([program or self.program, *map(str, words)], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                env={**os.environ, **SANITIZERS}, preexec_fn=(limits or Limits()).apply, **options)

    def run(self, *words, codes=(0, 1, 2), timeout_s=HANG_S, **options):
        """Runs the program and checks what it promises about every end."""
        process = self.start(*words, **options)
        try:
            out, errors = process.communicate(timeout=timeout_s)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise Broken(f"{shown(words)}: hangs: not at its end after {timeout_s} s") from None
        ended = Ended(words, process.returncode, out or b"", errors)
        check_end(ended, codes)
        return ended

    def must(self, *words, **options):
        return self.run(*words, codes=(0,), **options)

    def seconds_of(self, *words, **options):
        """How long the command takes; it must succeed."""
        begun = time.monotonic()
        self.must(*words, **options)
        return time.monotonic() - begun

    def kill_after(self, seconds, words, **options):
        """Runs, and kills with SIGKILL after these seconds. Whether the kill came before the end."""
        process = self.start(*words, **options)
        try:
            out, errors = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return True
        check_end(Ended(words, process.returncode, out, errors), (0, 1, 2))
        return False


def shown(words):
    return " ".join(["webstrata", *map(str, words)])


def check_end(ended, codes):
    """0 done, 1 nothing found, 2 failed with a line that says why; never a signal, a sanitizer's complaint or a raw control character."""
    text = ended.errors.decode(errors="replace")
    what = f"{shown(ended.words)}: exit {ended.code}: {text[-3000:]}"
    for complaint in COMPLAINTS:
        expect(complaint not in text, what)
    expect(ended.code in codes, f"not one of {codes}: {what}")
    if ended.code == 2:
        expect(any(line.startswith("webstrata: ") for line in text.splitlines()), f"fails without a word: {what}")
    expect(not CONTROLS.search(ended.errors), f"control characters on standard error: {ended.errors[-300:]!r} of {shown(ended.words)}")


def did_not_start(ended):
    """The system's loader had too little of something before the program could begin. Its last words differ ("error while loading
    shared libraries", "out of memory", "cannot allocate TLS data structures"); the program itself never ends with 127."""
    return ended.code == 127 and not ended.out and not any(line.startswith(b"webstrata: ") for line in ended.errors.splitlines())


def one_clear_line(ended):
    lines = ended.errors.decode(errors="replace").splitlines()
    expect(len(lines) == 1 and lines[0].startswith("webstrata: "), f"not one clear line: {shown(ended.words)}: {lines[-5:]}")


# ---- damage -----------------------------------------------------------------------------------------------------------


def damaged(data, chance, strokes=None):
    """The bytes after one to four random changes, and what was done."""
    data, done = bytearray(data), []
    for _ in range(strokes or chance.choice((1, 1, 1, 2, 4))):
        stroke = chance.choice(STROKES)
        done.append(stroke(data, chance))
    return bytes(data), "; ".join(done)


def _place(data, chance, longest=64):
    at = chance.randrange(len(data) + 1)
    return at, min(len(data), at + chance.randrange(1, longest))


def flip(data, chance):
    if not data:
        return "nothing to flip"
    at, bit = chance.randrange(len(data)), chance.randrange(8)
    data[at] ^= 1 << bit
    return f"bit {bit} of byte {at} flipped"


def overwrite(data, chance):
    at, end = _place(data, chance)
    data[at:end] = chance.randbytes(end - at)
    return f"bytes {at}-{end} overwritten"


def zero(data, chance):
    at, end = _place(data, chance, 5000)
    data[at:end] = bytes(end - at)
    return f"bytes {at}-{end} zeroed"


def cut(data, chance):
    at = chance.randrange(len(data) + 1)
    del data[at:]
    return f"cut to {at} bytes"


def remove(data, chance):
    at, end = _place(data, chance, 3000)
    del data[at:end]
    return f"bytes {at}-{end} removed"


def repeat(data, chance):
    at, end = _place(data, chance, 3000)
    data[at:at] = data[at:end] * chance.choice((1, 2, 20))
    return f"bytes {at}-{end} repeated"


def insert(data, chance):
    at = chance.randrange(len(data) + 1)
    word = chance.choice(WORDS)
    data[at:at] = word
    return f"{word[:20]!r} inserted at {at}"


def number(data, chance):
    """Replaces a number in the text by an implausible one."""
    found = [match.span() for match in re.finditer(rb"[0-9]+", bytes(data[:200000]))]
    if not found:
        return flip(data, chance)
    at, end = chance.choice(found)
    data[at:end] = chance.choice((b"0", b"-1", b"18446744073709551616", b"9" * 40, b"4294967295", b"99999999999"))
    return f"number at {at} changed"


WORDS = (b"\x00", b"\n", b"\r\n\r\n", b"\x1b]0;x\x07\x1b[2J", b"\xff\xfe", b"\x1f\x8b\x08\x00", b"(\xb5/\xfd", b"PK\x03\x04", b"WARC/1.0\r\n",
         b"\xed\xa0\x80", b"A" * 70000, b"<a href='" * 2000, b"{" * 20000, b"[" * 20000, b"%00", b"\xe2\x80\xae", b"\t" * 300)
STROKES = (flip, flip, flip, overwrite, zero, cut, remove, repeat, insert, insert, number)

