# SPDX-License-Identifier: Apache-2.0
"""Whatever stops build, update or forget, and whenever, the archive opens as the old generation or the new one.

Three ways to fail: every call that changes files fails in turn (killed, torn in the middle, no space, input/output error),
the disk is full from each call on, and the process is killed at random instants. Afterwards the archive is one of the two, the next writer finishes what was
left, and `verify` finds nothing; until then it says that a command was interrupted, and never that a copy is needed.
"""

import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

import fault
from fault import fast_folder, replace_folder

PROGRAM = os.environ["WEBSTRATA_PROGRAM"]
SEED = int(os.environ.get("WEBSTRATA_SEED", "20240607"))
RANDOM_KILLS = 70  # for each of the three verbs
MODES = ("kill", "torn", "enospc", "eio")


def expect(truth, message):
    if not truth:
        raise AssertionError(message)


def write_crawl(path, pages, year):
    """Pages of a few sites that link to each other; those of a later year are other ones in part."""
    chance = random.Random(year)
    with path.open("w") as out:
        for number in range(pages):
            links = [{"url": f"http://s{chance.randrange(5)}.example/{chance.randrange(pages * 2)}"} for _ in range(6)]
            page = {"url": f"http://s{number % 5}.example/{number + year % 3}", "ts": f"{year}0101000000", "links": links}
            out.write(json.dumps(page) + "\n")
    return path


def run(*words):
    return subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=300, check=False)


def state_of(archive):
    """A hash of the layer files of the current generation; None if there is no archive."""
    manifest = archive / "MANIFEST"
    if not manifest.exists():
        return None
    generation = json.loads(manifest.read_text().splitlines()[0])["generation"]
    digest = hashlib.sha256()
    for path in sorted(path for path in (archive / f"g{generation:06}").rglob("*") if path.is_file()):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


def names_in(archive):
    """Everything in an archive, or nothing if it is not there."""
    return sorted(str(path.relative_to(archive)) for path in archive.rglob("*"))


def expect_no_copy_is_asked_for(archive, how):
    """What a kill leaves needs the command again, never a copy: that may be from before a forget. True if verify says so."""
    done = run("verify", archive)
    said = done.stdout + done.stderr
    expect("restore" not in said and "build it" not in said, f"{how}: verify asks for a copy: {said}")
    is_interrupted = done.returncode != 0
    expect(not is_interrupted or ("interrupted" in done.stderr and "run the command again" in done.stderr), f"{how}: verify says {said}")
    return is_interrupted


class Verb:
    """One command, an archive to run it on, and the states before and after."""

    def __init__(self, name, start, words, folder):
        self.name, self.start, self.words = name, start, words
        self.archive = folder / "tried.ws"
        self.interrupted = 0  # times that verify said so
        self.folder = folder
        self.before = state_of(start) if start else None
        self.reset()
        begun = time.monotonic()
        done = run(*self.arguments())
        self.seconds = time.monotonic() - begun
        expect(done.returncode == 0, f"{name}: {done.stderr}")
        self.after = state_of(self.archive)
        expect(self.after != self.before, f"{name} changes nothing, so the test would show nothing")

    def arguments(self):
        return [self.name, self.archive, "-q", "--memory", "128M", *self.words]

    def reset(self):
        replace_folder(self.start, self.archive)

    def check(self, how):
        state = state_of(self.archive)
        expect(state in (self.before, self.after), f"{self.name}, {how}: neither the old archive nor the new one")
        if state is not None:
            self.interrupted += expect_no_copy_is_asked_for(self.archive, f"{self.name}, {how}")
        if state is None:
            done = run(*self.arguments())  # the remains of a killed build do no harm
            expect(done.returncode == 0, f"{self.name}, {how}: cannot be repeated: {done.stderr}")
            expect(state_of(self.archive) == self.after, f"{self.name}, {how}: repeated, it gives something else")
        else:
            # The next writer finishes what was left, whatever it has to do itself.
            done = run("update", self.archive, "-q", self.folder / "known.jsonl")
            expect(done.returncode in (0, 1), f"{self.name}, {how}: the next update fails: {done.stderr}")
        done = run("verify", self.archive)
        expect(done.returncode == 0, f"{self.name}, {how}: verify says {done.stdout} {done.stderr}")
        return state == self.after


def fail_at_every_call(verb):
    verb.reset()
    calls = fault.run([PROGRAM, *verb.arguments()], under=verb.archive)
    complaints = fault.not_durable_at_commit(calls.calls, verb.archive)
    expect(not complaints, f"{verb.name}: {complaints[:3]}")
    new = 0
    for number in range(1, len(calls.calls) + 1):
        mode = MODES[number % len(MODES)]
        verb.reset()
        result = fault.run([PROGRAM, *verb.arguments()], under=verb.archive, fail_at=number, mode=mode)
        if not result.killed and result.code != 0:
            expect(result.errors.count("\n") >= 1, f"{verb.name}, call {number} {mode}: fails without a word")
        new += verb.check(f"call {number} {mode}")
    print(f"    {verb.name}: {len(calls.calls)} calls failed in turn, {new} of them after the archive had changed; verify said "
          f"interrupted {verb.interrupted} times")
    expect(not verb.start or verb.interrupted > len(calls.calls) / 5, f"{verb.name}: verify notices too few kills")


def fill_the_disk_at_every_call(verb):
    """A full disk is not a crash: the program reports it in one line, undoes what it began, and the old archive is unchanged."""
    verb.reset()
    names = names_in(verb.archive)
    calls = len(fault.run([PROGRAM, *verb.arguments()], under=verb.archive).calls)
    refused = 0
    for number in range(1, calls + 1):
        verb.reset()
        result = fault.run([PROGRAM, *verb.arguments()], under=verb.archive, fail_at=number, mode="full")
        if result.code == 0:  # what was left to do needs no space
            expect(state_of(verb.archive) == verb.after, f"{verb.name}, full at call {number}: done, but not there")
            continue
        refused += 1
        how = f"{verb.name}, full at call {number}: {result.code} {result.errors}"
        expect(result.code == 2 and result.errors.count("\n") == 1 and "No space left" in result.errors, how)
        if state_of(verb.archive) == verb.before:
            expect(names_in(verb.archive) == names, f"{how} left {names_in(verb.archive)}")
        verb.check(how)
    expect(refused > calls / 4, f"{verb.name}: only {refused} of {calls} calls need space")
    print(f"    {verb.name}: disk full at each of {calls} calls, {refused} times too full to go on")


def kill_at_random_instants(verb, chance):
    """Kills that come too late do not count."""
    kills = amid = new = 0
    while kills < RANDOM_KILLS:
        verb.reset()
        process = subprocess.Popen([PROGRAM, *map(str, verb.arguments())], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        instant = chance.uniform(0, verb.seconds)
        time.sleep(instant)
        if process.poll() is not None:
            continue
        process.kill()
        process.wait()
        kills += 1
        amid += (verb.archive / "work").exists()
        new += verb.check(f"killed after {instant:.3f} s")
    print(f"    {verb.name}: killed {kills} times within {verb.seconds:.2f} s, {amid} times amid its work, {new} times behind it")
    expect(amid > RANDOM_KILLS / 4, f"{verb.name}: too few kills hit its work")


def kill_rank_at_every_call(start, folder):
    """rank --save writes into the current generation: the next one removes what a kill left there."""
    archive = folder / "ranked.ws"
    words = [PROGRAM, "rank", archive, "-q", "--save", "page"]
    replace_folder(start, archive)
    calls = len(fault.run(words, under=archive).calls)
    interrupted = 0
    for number in range(1, calls + 1):
        replace_folder(start, archive)
        fault.run(words, under=archive, fail_at=number, mode="torn")
        interrupted += expect_no_copy_is_asked_for(archive, f"rank --save, call {number}")
        expect(run(*words[1:]).returncode == 0, f"rank --save, call {number}: cannot be repeated")
        done = run("verify", archive)
        expect(done.returncode == 0, f"rank --save, call {number}, repeated: {done.stdout}")
    print(f"    rank --save: killed at each of {calls} calls; verify said interrupted {interrupted} times")
    expect(interrupted > calls / 3, "verify notices too few kills")


def fill_the_disk_in_rank(start, folder):
    """After an error rank --save leaves nothing behind, also where MANIFEST was what no longer fitted: Python's save_scores left the
    new column, and verify reported it."""
    archive = folder / "ranked.ws"
    words = [PROGRAM, "rank", archive, "-q", "--save", "page"]
    replace_folder(start, archive)
    calls = len(fault.run(words, under=archive).calls)
    refused = 0
    for number in range(1, calls + 1):
        replace_folder(start, archive)
        before = names_in(archive)
        ended = fault.run(words, under=archive, fail_at=number, mode="full")
        done = run("verify", archive)
        expect(done.returncode == 0, f"rank --save, disk full from call {number} of {calls} on: {done.stdout}{done.stderr}")
        if ended.code != 0:
            refused += 1
            expect(names_in(archive) == before, f"rank --save, disk full from call {number} on: left {names_in(archive)}")
    print(f"    rank --save: disk full from each of {calls} calls on, {refused} times refused")
    expect(refused > 2, "a full disk has no effect: this shows nothing")


def verbs(folder, pages):
    old, more = write_crawl(folder / "old.jsonl", pages, 2001), write_crawl(folder / "more.jsonl", pages, 2005)
    write_crawl(folder / "known.jsonl", 1, 2001)
    start = folder / "start.ws"
    shutil.rmtree(start, ignore_errors=True)
    expect(run("build", start, "-q", old).returncode == 0, "no archive to begin with")
    return [Verb("build", None, [old], folder), Verb("update", start, [more], folder),
            Verb("forget", start, ["--host", "s3.example"], folder)]


def main():
    print(f"seed {SEED}")
    with fast_folder() as folder:
        for verb in verbs(folder, 400):
            kill_at_random_instants(verb, random.Random(SEED))
        fault.skip_without_shim()
        for verb in verbs(folder, 12):
            fail_at_every_call(verb)
            fill_the_disk_at_every_call(verb)
        kill_rank_at_every_call(folder / "start.ws", folder)
        fill_the_disk_in_rank(folder / "start.ws", folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
