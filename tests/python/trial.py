# SPDX-License-Identifier: Apache-2.0
"""A long trial of the Python module: kills, Ctrl-C, full disks, damaged crawl files and two writers at once, at random.

    python tests/python/trial.py --minutes 10 --seed 7

What is promised, and checked after each of them: the archive is the old one or the new one; nothing holds its lock; after an error
or Ctrl-C nothing is left of the work, after a kill the next writer removes it and gives the expected bytes; damage in a crawl
file is reported as the program `webstrata` reports it, and gives the same bytes. Prints a line `name: count` for each kind, and
the seed. Exits with 1 on a broken promise, with 77 where the module is not built. tests/python/trial_test.py runs a short one.

The environment is that of the tests (WEBSTRATA_SOURCE, WEBSTRATA_PROGRAM, WEBSTRATA_BUILD, PYTHONPATH).
"""

import argparse
import json
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections import Counter
from pathlib import Path

import mutations
from module import SOURCE, run, temporary_folder, webstrata
from not_tried import not_tried  # module knows where it is
from trying import expect, is_tidy, lock_is_free, names_in, print_counts, small_disk, state_of, write_crawl

sys.path.insert(0, str(SOURCE / "tests" / "archive"))
import fault  # noqa: E402

PAGES = 1500
HANG_S = 240  # a call that takes longer hangs

# What a child does. It says "ready" first, and at the end how that went.
CHILD = """
import gc, sys, numpy, webstrata
verb, archive, more = sys.argv[1:4]
def graph():
    with webstrata.open(archive) as library:
        return library.snapshot(columns=True)
def crawl():
    known = graph()
    known.explore(numpy.ones(known.node_count), budget=400, by="extra", seed=3)
def everything():
    with webstrata.open(archive) as library:
        for capture in library.captures():
            pass
CALLS = {
    "build": lambda: webstrata.build(archive, more, threads=2),
    "update": lambda: webstrata.update(archive, more, threads=2),
    "forget": lambda: webstrata.forget(archive, host="s3.example", threads=2),
    "undo_forget": lambda: webstrata.undo_forget(archive, host="s4.example"),
    "save_scores": lambda: (lambda library: library.save_scores("rank", numpy.arange(library.node_count) / 7))(webstrata.open(archive)),
    "verify": lambda: webstrata.verify(archive),
    "diff": lambda: webstrata.open(archive).diff("2000", "2030", links=True),
    "snapshot": graph,
    "pagerank": lambda: graph().pagerank(tolerance=1e-15, iterations_max=100000),
    "seeds": lambda: graph().seeds(by="cores", count=20),
    "liverank": lambda: graph().liverank(lambda url: 200, by="lore", budget=300),
    "explore": crawl,
    "captures": everything,
    "read": lambda: [None for _ in webstrata.read(more)],
}
print("ready", flush=True)
try:
    CALLS[verb]()
    print("done", flush=True)
except KeyboardInterrupt:
    print("interrupted", flush=True)
except webstrata.Error as error:
    print("error", error.kind, error, flush=True)
"""
WRITERS = ("build", "update", "forget", "undo_forget", "save_scores")
READERS = ("verify", "diff", "snapshot", "pagerank", "seeds", "liverank", "explore", "captures", "read")


def finished(child, what):
    """The output of a child until its end, and its errors."""
    hanging = threading.Timer(HANG_S, child.kill)
    hanging.start()
    said, errors = child.stdout.read(), child.stderr.read()
    child.wait()
    expect(hanging.is_alive(), f"{what}: it hangs")
    hanging.cancel()
    return said.removeprefix("ready\n").strip(), errors


class Bench:
    """An archive to begin with, and the state after each verb."""

    def __init__(self, folder, pages=PAGES):
        self.folder = Path(folder)
        self.old = write_crawl(self.folder / "old.jsonl", pages, 2001)
        self.more = write_crawl(self.folder / "more.jsonl", pages, 2005)
        self.start = self.folder / "start.ws"
        self.archive = self.folder / "tried.ws"
        webstrata.build(self.start, self.old)
        webstrata.forget(self.start, host="s4.example")
        self.counts = Counter()
        self.seconds, self.after, self.before = {}, {}, {}
        for verb in WRITERS + READERS:
            self.reset(verb)
            self.before[verb] = state_of(self.archive)
            child = self.child(verb)
            child.stdout.readline()
            begun = time.monotonic()
            said, errors = finished(child, verb)
            self.seconds[verb] = time.monotonic() - begun
            expect(said == "done", f"{verb}: {said} {errors}")
            self.after[verb] = state_of(self.archive)
            expect((self.after[verb] != self.before[verb]) == (verb in WRITERS), f"{verb}: {self.before[verb]} {self.after[verb]}")

    def reset(self, verb):
        fault.replace_folder(None if verb == "build" else self.start, self.archive)

    def words(self, verb):
        return [sys.executable, "-c", CHILD, verb, str(self.archive), str(self.more)]

    def child(self, verb):
        return subprocess.Popen(self.words(verb), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def check(self, verb, how, is_killed):
        """The old archive or the new one, and the next writer gives what is due."""
        what = f"{verb}, {how}"
        state = state_of(self.archive)
        expect(state in (self.before[verb], self.after[verb]), f"{what}: neither the old archive nor the new one")
        expect(lock_is_free(self.archive), f"{what}: a lock is left")
        if not is_killed:
            expect(is_tidy(self.archive), f"{what}: left {names_in(self.archive)}")
        if verb in WRITERS and state == self.before[verb]:
            said, errors = finished(self.child(verb), what)
            expect(said == "done", f"{what}: cannot be repeated: {said} {errors}")
            expect(state_of(self.archive) == self.after[verb], f"{what}: repeated, it gives something else")
        if is_killed and (self.archive / "MANIFEST").exists():
            webstrata.undo_forget(self.archive, url="http://nowhere.example/")  # changes nothing, and cleans up like every writer
        expect(is_tidy(self.archive), f"{what}: the next writer left {names_in(self.archive)}")
        if self.archive.exists():
            found = webstrata.verify(self.archive).problems
            if not is_killed and found and all("interrupted; run the command again" in problem for problem in found):
                # A forget that has deleted the facts but could not clean up is an error, and the next writer finishes it.
                webstrata.undo_forget(self.archive, url="http://nowhere.example/")
                self.counts["finished by the next writer"] += 1
                found = webstrata.verify(self.archive).problems
            expect(not found, f"{what}: verify says {found}")
        return state == self.after[verb]


def kill(bench, chance):
    verb = chance.choice(WRITERS)
    bench.reset(verb)
    child = bench.child(verb)
    child.stdout.readline()
    instant = bench.seconds[verb] * chance.random() ** 2  # a loaded machine measured long, and is faster now
    time.sleep(instant)
    child.kill()
    if finished(child, verb)[0] == "done":
        bench.counts["kills that came too late"] += 1
    bench.counts[f"kill in {verb}"] += 1
    bench.check(verb, f"killed after {instant:.4f} s", is_killed=True)


def interrupt(bench, chance, verb=None):
    verb = verb or chance.choice(WRITERS + READERS)
    bench.reset(verb)
    child = bench.child(verb)
    child.stdout.readline()
    instant = bench.seconds[verb] * chance.random() ** 2  # a loaded machine measured long, and is faster now
    time.sleep(instant)
    child.send_signal(signal.SIGINT)
    how = f"Ctrl-C after {instant:.4f} s"
    said, errors = finished(child, f"{verb}, {how}")
    # A signal after the end of the call arrives while Python exits.
    is_over = said == "done" and child.returncode in (0, 1, -signal.SIGINT, 130)
    expect(said == "interrupted" or is_over, f"{verb}, {how}: {child.returncode} {said!r} {errors}")
    bench.counts["Ctrl-C that came too late" if is_over else f"Ctrl-C in {verb}"] += 1
    bench.check(verb, how, is_killed=False)


def fail_a_call(bench, chance, modes=("kill", "torn", "full", "enospc", "eio")):
    """One call of the system that changes files fails: the shim of tests/archive counts them."""
    verb = chance.choice(WRITERS)
    mode = chance.choice(modes)
    key = f"calls of {verb}"
    if key not in bench.seconds:
        bench.reset(verb)
        bench.seconds[key] = fault.count_calls(bench.words(verb), under=bench.archive)
    number = chance.randrange(1, bench.seconds[key] + 1)
    bench.reset(verb)
    done = fault.run(bench.words(verb), under=bench.archive, fail_at=number, mode=mode, timeout_s=HANG_S)
    how = f"{mode} at call {number} of {bench.seconds[key]}"
    said = done.out.split("\n", 1)[-1].strip()
    if not done.killed:
        expect(said == "done" or said.startswith("error "), f"{verb}, {how}: {done.code} {done.out!r} {done.errors}")
        if said.startswith("error ") and mode in ("full", "enospc"):
            expect("No space left" in said, f"{verb}, {how}: {said}")
    bench.counts[f"{mode} in {verb}"] += 1
    # A disk that fails during clean-up leaves what it could not delete to the next writer.
    bench.check(verb, how, is_killed=done.killed or mode in ("enospc", "eio"))


def fill_a_disk(bench, chance):
    """A real disk that is too small for the work, or just not."""
    verb = chance.choice(("build", "update", "forget"))
    size = sum(path.stat().st_size for path in bench.start.rglob("*") if path.is_file())
    with small_disk(int(size * (1 + chance.uniform(0.05, 4))) + (1 << 16)) as disk:
        if disk is None:
            not_tried("a full disk: this user may not mount a small one")
            return
        own = disk / "tried.ws"
        fault.replace_folder(None if verb == "build" else bench.start, own)
        before, held = state_of(own), bench.archive
        bench.archive = own
        try:
            done = subprocess.run(bench.words(verb), capture_output=True, text=True, timeout=HANG_S)
            said = done.stdout.split("\n", 1)[-1].strip()
            expect(said == "done" or (said.startswith("error io") and "No space left" in said), f"{verb} on a small disk: {said} {done.stderr}")
            state = state_of(own)
            expect(state == (bench.after[verb] if said == "done" else before), f"{verb} on a small disk: {said}: not the archive that is due")
            expect(is_tidy(own) and lock_is_free(own), f"{verb} on a small disk: left {names_in(own)}")
            expect(not own.exists() or not webstrata.verify(own).problems, f"{verb} on a small disk: verify finds problems")
        finally:
            bench.archive = held
        bench.counts[f"small disk in {verb}: {said.split()[0]}"] += 1


def two_writers(bench, chance):
    """Both begin at once. A writer that finds another says which; the final result of both is one build of all."""
    verbs = [chance.choice(("update", "forget", "save_scores")) for _ in range(2)]
    bench.reset("update")
    children = [bench.child(verb) for verb in verbs]
    said = [finished(child, f"two writers, {verbs}")[0] for child in children]
    expect("done" in said, f"two writers, {verbs}: {said}")
    for verb, words in zip(verbs, said):
        # save_scores may find that the generation it was opened for no longer exists.
        is_told = "is changing it" in words or (verb == "save_scores" and words.startswith("error"))
        expect(words == "done" or is_told, f"two writers, {verbs}: {said}")
    expect(is_tidy(bench.archive) and lock_is_free(bench.archive), f"two writers, {verbs}: left {names_in(bench.archive)}")
    expect(not webstrata.verify(bench.archive).problems, f"two writers, {verbs}: verify finds problems")
    for verb, words in zip(verbs, said):
        if words != "done":
            expect(finished(bench.child(verb), verb)[0] == "done", f"{verb} cannot be repeated")
    bench.counts["two writers"] += 1
    bench.counts["two writers, one refused"] += said.count("done") == 1


def damaged_inputs(bench, chance, originals, count=30):
    """Python and the program read the same damaged files: the same reports, the same bytes."""
    place = bench.folder / "damaged"
    shutil.rmtree(place, ignore_errors=True)
    paths = mutations.write_batch(chance, originals, place / "inputs", count)
    code, out, errors = run("build", "--json", "-q", place / "program.ws", *paths)
    expect(code in (0, 2) and out, f"damaged inputs: {code} {errors}")
    due = [mutations.report_of_program(one) for one in json.loads(out)["inputs"]]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        written = webstrata.build(place / "python.ws", paths, skip_unreadable=True)
    found = [mutations.report_of_python(one._asdict()) for one in written.inputs]
    for one, other in zip(due, found, strict=True):
        expect(one == other, f"{one['path']}: the program reports {one}, Python {other}")
    expect(state_of(place / "program.ws") == state_of(place / "python.ws"), f"{place}: the bytes differ")
    with webstrata.open(place / "python.ws") as library:
        for capture in library.captures():
            str(capture)
        library.snapshot(columns=True).pagerank()
    bench.counts["damaged inputs"] += count
    bench.counts["damaged inputs, damage reported"] += sum(one["damage_count"] > 0 for one in due)
    bench.counts["damaged inputs, unreadable"] += sum(one["error"] is not None for one in due)


def kinds_of_trial(originals):
    """What a round draws from, some more often than others."""
    kinds = [kill, kill, interrupt, interrupt, fill_a_disk, two_writers, lambda bench, chance: damaged_inputs(bench, chance, originals)]
    if fault.SHIM.exists():
        kinds += [fail_a_call] * 3
    return kinds


def main():
    parser = argparse.ArgumentParser(description="Kills, Ctrl-C, full disks, damaged files and two writers, for the Python module.")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    flags = parser.parse_args()
    print(f"seed: {flags.seed}", flush=True)
    until = time.monotonic() + 60 * flags.minutes
    chance = random.Random(flags.seed)
    with temporary_folder() as folder:
        bench = Bench(folder)
        originals = mutations.make_originals(folder)
        kinds = kinds_of_trial(originals)
        if not fault.SHIM.exists():
            not_tried(f"failing calls: {fault.SHIM} is not there")
        try:
            while time.monotonic() < until:
                chance.choice(kinds)(bench, chance)
                bench.counts["rounds"] += 1
        except AssertionError as error:
            print_counts(bench.counts)
            print(f"broken promise (seed {flags.seed}, round {bench.counts['rounds'] + 1}): {error}")
            return 1
        print_counts(bench.counts)
    return 0


if __name__ == "__main__":
    sys.exit(main())
