# SPDX-License-Identifier: Apache-2.0
"""Whatever stops a writer of a stack of strata, and whenever, the archive has the facts from before or those from after.

An update that adds a stratum, one that merges strata, compact and forget: calls that change files fail in turn (killed, torn in the
middle, no space, input/output error), the disk is full from a call on, and the process is killed at random instants. Afterwards the
archive answers as before or as after, the command can be repeated, `verify` finds nothing, and compacting gives the bytes of one build.

Every call is tried if WEBSTRATA_LAW_WHOLE is set, otherwise one of several, chosen by the seed.
"""

import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
import time

import fault
from crash_test import MODES, PROGRAM, SEED, expect, expect_no_copy_is_asked_for, names_in, run
from fault import fast_folder, replace_folder

IS_WHOLE = bool(os.environ.get("WEBSTRATA_LAW_WHOLE"))
CALLS_TRIED = 1000 if IS_WHOLE else 16  # for each verb and way to fail
RANDOM_KILLS = 40 if IS_WHOLE else 8
FORGOTTEN = "http://s3.example/"


def write_crawl(path, first, pages, year):
    """Pages of a few sites that link to each other, some of them pages of the years before."""
    chance = random.Random(year)
    with path.open("w") as out:
        for number in range(first, first + pages):
            links = [{"url": f"http://s{chance.randrange(5)}.example/{chance.randrange(300)}"} for _ in range(5)]
            page = {"url": f"http://s{number % 5}.example/{number}", "ts": f"{year}0101000000", "links": links}
            out.write(json.dumps(page) + "\n")
    return path


def strata_of(archive):
    return json.loads(run("info", "--json", archive).stdout)["strata"]


def facts_of(archive):
    """A hash of everything that an archive says: all captures with their links, and the links inverted."""
    digest = hashlib.sha256()
    for words in (["export", "-q", archive, "--as", "jsonl", "-"], ["links", archive, "http://s1.example/1", "--in", "--history"]):
        done = run(*words)
        expect(done.returncode in (0, 1), f"{words}: {done.stderr}")
        digest.update(done.stdout.encode())
    return digest.hexdigest()


def bytes_of(archive):
    """A hash of the layers of an archive of one stratum."""
    generation = json.loads((archive / "MANIFEST").read_text().splitlines()[0])["generation"]
    digest = hashlib.sha256()
    for path in sorted((archive / f"g{generation:06}").rglob("*")):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


class Change:
    """One command on a stack; what the archive says before and after it, and the bytes of one build from these facts."""

    def __init__(self, name, verb, words, start, folder, crawls):
        self.name, self.verb, self.words, self.start, self.folder = name, verb, words, start, folder
        self.archive = folder / "tried.ws"
        self.known = folder / "known.jsonl"
        self.before = facts_of(start)
        self.reset()
        begun = time.monotonic()
        done = run(*self.arguments())
        self.seconds = time.monotonic() - begun
        expect(done.returncode == 0, f"{name}: {done.stderr}")
        self.after = facts_of(self.archive)
        expect((self.after == self.before) == (verb == "compact"), f"{name}: the same facts before and after")
        self.strata = strata_of(self.archive)
        before, after = crawls
        self.build_of = {self.after: self.built(*after), self.before: self.built(*before)}

    def built(self, files, forgotten):
        archive = self.folder / "built.ws"
        shutil.rmtree(archive, ignore_errors=True)
        expect(run("build", archive, "-q", *files).returncode == 0, "build")
        if forgotten:
            expect(run("forget", archive, "-q", *forgotten).returncode == 0, "forget")
        return bytes_of(archive)

    def arguments(self):
        return [self.verb, self.archive, "-q", "--memory", "128M", *self.words]

    def reset(self):
        replace_folder(self.start, self.archive)

    def check(self, how):
        how = f"{self.name}, {how}"
        facts = facts_of(self.archive)
        expect(facts in (self.before, self.after), f"{how}: the archive says neither what it said before nor what it should say")
        expect_no_copy_is_asked_for(self.archive, how)
        done = run("update", self.archive, "-q", self.known)  # the next writer, which brings nothing new
        expect(done.returncode in (0, 1), f"{how}: the next update fails: {done.stderr}")
        done = run("verify", self.archive)
        expect(done.returncode == 0, f"{how}: verify says {done.stdout} {done.stderr}")
        expect(facts_of(self.archive) == facts, f"{how}: the next writer changes what it says")
        done = run("compact", self.archive, "-q")
        expect(done.returncode == 0, f"{how}: cannot be compacted: {done.stderr}")
        expect(bytes_of(self.archive) == self.build_of[facts], f"{how}: compacted, it has other bytes than one build")


def chosen(calls, chance):
    """Numbers of calls: all, or an equal share of every part of the work, and always the last ones, which put it in place."""
    numbers = range(1, calls + 1)
    if calls <= CALLS_TRIED:
        return list(numbers)
    last = list(numbers)[-CALLS_TRIED // 3:]
    return sorted({*chance.sample(numbers, CALLS_TRIED - len(last)), *last})


def fail_at_calls(change, chance):
    change.reset()
    calls = fault.run([PROGRAM, *change.arguments()], under=change.archive).calls
    complaints = fault.not_durable_at_commit(calls, change.archive)
    expect(not complaints, f"{change.name}: {complaints[:3]}")
    numbers = chosen(len(calls), chance)
    for number in numbers:
        mode = chance.choice(MODES)
        change.reset()
        result = fault.run([PROGRAM, *change.arguments()], under=change.archive, fail_at=number, mode=mode)
        if not result.killed and result.code != 0:
            expect(result.errors.count("\n") >= 1, f"{change.name}, call {number} {mode}: fails without a word")
        change.check(f"call {number} {mode}")
    print(f"    {change.name}: {len(numbers)} of {len(calls)} calls failed in turn", flush=True)


def fill_the_disk_at_calls(change, chance):
    """A full disk is not a crash: one line, and what was begun is undone."""
    change.reset()
    names = names_in(change.archive)
    calls = len(fault.run([PROGRAM, *change.arguments()], under=change.archive).calls)
    refused, numbers = 0, chosen(calls, chance)
    for number in numbers:
        change.reset()
        result = fault.run([PROGRAM, *change.arguments()], under=change.archive, fail_at=number, mode="full")
        if result.code == 0:
            expect(facts_of(change.archive) == change.after, f"{change.name}, full at call {number}: done, but not there")
            continue
        refused += 1
        how = f"full at call {number}: {result.code} {result.errors}"
        expect(result.code == 2 and result.errors.count("\n") == 1 and "No space left" in result.errors, f"{change.name}, {how}")
        if change.before != change.after and facts_of(change.archive) == change.before:
            expect(names_in(change.archive) == names, f"{change.name}, {how} left {sorted(set(names_in(change.archive)) ^ set(names))}")
        change.check(how)
    expect(refused > 1, f"{change.name}: only {refused} of {len(numbers)} calls need space")
    print(f"    {change.name}: disk full at {len(numbers)} of {calls} calls, {refused} times too full to go on", flush=True)


def kill_at_random_instants(change, chance):
    kills = 0
    for _ in range(20 * RANDOM_KILLS):  # those that come too late do not count
        change.reset()
        process = subprocess.Popen([PROGRAM, *map(str, change.arguments())], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        instant = chance.uniform(0, change.seconds)
        time.sleep(instant)
        if process.poll() is None:
            process.kill()
            process.wait()
            kills += 1
            change.check(f"killed after {instant:.3f} s")
        if kills == RANDOM_KILLS:
            break
    expect(kills == RANDOM_KILLS, f"{change.name}: only {kills} kills hit it")
    print(f"    {change.name}: killed {kills} times within {change.seconds:.2f} s", flush=True)


def changes(folder):
    """A stack of three strata, and the commands that change it."""
    crawls = [write_crawl(folder / f"{year}.jsonl", first, pages, year)
              for year, first, pages in ((2001, 0, 200), (2002, 180, 30), (2003, 200, 7))]
    shutil.copy(crawls[0], folder / "known.jsonl")
    stack = folder / "stack.ws"
    expect(run("build", stack, "-q", crawls[0]).returncode == 0, "build")
    for crawl in crawls[1:]:
        expect(run("update", stack, "-q", "--no-merge", crawl).returncode == 0, "update")
    expect(strata_of(stack) == 3, f"{strata_of(stack)} strata")
    little, more = write_crawl(folder / "2004.jsonl", 230, 1, 2004), write_crawl(folder / "2005.jsonl", 190, 10, 2005)
    before = (crawls, [])
    found = [Change("update", "update", ["--no-merge", little], stack, folder, (before, ([*crawls, little], []))),
             Change("merge", "update", [more], stack, folder, (before, ([*crawls, more], []))),
             Change("compact", "compact", [], stack, folder, (before, before)),
             Change("forget", "forget", ["--prefix", FORGOTTEN], stack, folder, (before, (crawls, ["--prefix", FORGOTTEN])))]
    strata = {change.name: change.strata for change in found}
    expect(strata["update"] == 4 and strata["merge"] < 4 and strata["compact"] == 1, f"{strata} strata")
    return found


def main():
    print(f"seed {SEED}")
    chance = random.Random(SEED)
    with fast_folder() as folder:
        tried = changes(folder)
        for change in tried:
            kill_at_random_instants(change, chance)
        fault.skip_without_shim()
        for change in tried:
            fail_at_calls(change, chance)
            fill_the_disk_at_calls(change, chance)
    return 0


if __name__ == "__main__":
    sys.exit(main())
