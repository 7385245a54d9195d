# SPDX-License-Identifier: Apache-2.0
"""A long trial of webstrata.spark: kills of drivers, executors and workers in every step, Ctrl-C, full disks, damaged crawl files and two
writers at once, at random.

    python tests/spark/trial.py --minutes 10 --seed 7

What is promised, and checked after each of them: whatever tasks suffer, the bytes are those of the program `webstrata`; a driver that
is killed, interrupted or out of space leaves the old archive or the new one, and no lock; after an error or Ctrl-C nothing is left of
the work, after a kill the next writer sweeps it; damage in a crawl file is reported as the program reports it. Prints a line `name: count`
for each kind, and the seed. Exits with 1 on a broken promise, with 77 where there is no Spark. tests/spark/trial_test.py runs a short one.

The environment is that of the tests (WEBSTRATA_SOURCE, WEBSTRATA_PROGRAM, WEBSTRATA_BUILD).
"""

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import cluster  # noqa: E402
from cluster import KILL, NO_FAULT, PROGRAM, TWICE, call, differing, layers  # noqa: E402

cluster.skip_unless_possible()

sys.path += [str(cluster.SOURCE / "tests" / room) for room in ("python", "archive")]
import fault  # noqa: E402
import mutations  # noqa: E402
from not_tried import not_tried  # noqa: E402
from trying import expect, is_tidy, lock_is_free, names_in, print_counts, small_disk, state_of, write_crawl  # noqa: E402

HANG_S = 300  # an order that takes longer hangs
STEPS = ("read", "number", "names", "pages", "in_links", "parts", "scores")
POINTS = [f"{when}{step}" for step in STEPS for when in ("before ", "")]
LOCAL, EXECUTORS = "local[2]", "local-cluster[2,1,1024]"

# Sends a signal to the driver, once.
SIGNAL = """
import os
def fault(step):
    if step != {step!r}: return
    try:
        os.close(os.open({mark!r}, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return
    os.kill({process}, {number})
"""
# Ends the Python of the task, once.
KILL_WORKER = """
import os, signal
def fault(step):
    if step != {step!r}: return
    try:
        os.close(os.open({marks!r} + "killed", os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return
    os.kill(os.getpid(), signal.SIGKILL)
"""
# Waits until a file is there.
PAUSE = """
import os, time
def fault(step):
    if step != {step!r}: return
    open({mark!r}, "w").close()
    while not os.path.exists({go!r}): time.sleep(0.02)
"""


class Driver:
    """driver.py, and what it says."""

    def __init__(self, bench, master, shim=None):
        self.bench, self.master = bench, master
        self.log = open(bench.folder / "driver.log", "a")
        environment = {**os.environ, **(shim or {})}
        # A session of its own, as from a terminal: a signal to the group reaches all of it.
        self.process = subprocess.Popen([sys.executable, str(Path(__file__).parent / "driver.py"), master, str(bench.fault)],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log, text=True, env=environment,
                                        start_new_session=True)
        self.answers = []
        self.arrived = threading.Condition()
        threading.Thread(target=self.listen, daemon=True).start()
        expect("ready" in self.answer(), f"no driver: {self.last_words()}")

    def listen(self):
        for line in self.process.stdout:
            if line.startswith("{"):
                with self.arrived:
                    self.answers.append(json.loads(line))
                    self.arrived.notify_all()
        with self.arrived:
            self.answers.append(None)
            self.arrived.notify_all()

    def answer(self):
        """The next one; None if the driver has ended."""
        with self.arrived:
            if not self.arrived.wait_for(lambda: self.answers, HANG_S):
                raise AssertionError(f"the driver hangs: {self.last_words()}")
            return self.answers[0] if self.answers[0] is None else self.answers.pop(0)

    def last_words(self):
        return (self.bench.folder / "driver.log").read_text()[-2000:]

    def order(self, verb, archive, inputs, partitions, **more):
        self.process.stdin.write(json.dumps({"verb": verb, "archive": str(archive), "inputs": [str(path) for path in inputs],
                                             "partitions": partitions, **more}) + "\n")
        self.process.stdin.flush()

    def run(self, *words, **more):
        self.order(*words, **more)
        return self.answer()

    def stop(self):
        """It and whatever it started: all of them are in its session."""
        try:
            self.process.stdin.close()
        except OSError:
            pass
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            pass
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        self.log.close()


class Bench:
    """Small crawls, an archive to begin with that has many blocks and a saved column of scores, and the expected state after each
    verb."""

    def __init__(self, folder, pages=300):
        self.folder = Path(folder)
        self.counts = Counter()
        self.fault = self.folder / "fault.py"
        self.fault.write_text(NO_FAULT)
        self.archive = self.folder / "tried.ws"
        self.old = [write_crawl(self.folder / f"old{place}.jsonl", pages // 2, 2001 + place) for place in range(2)]
        self.more = [write_crawl(self.folder / f"more{place}.jsonl", pages // 2, 2005 + place) for place in range(2)]
        self.start = self.folder / "start.ws"
        self.drivers = {}
        said = self.driver(LOCAL).run("build", self.start, self.old, 2, block_bits=8, part_blocks=2)
        expect(said.get("done"), f"no archive to begin with: {said}")
        call("rank", "-q", self.start, "--save", "rank")
        call("build", "-q", self.folder / "due-build.ws", *self.more)
        shutil.copytree(self.start, self.folder / "due-update.ws")
        call("update", "-q", "--merge-all", self.folder / "due-update.ws", *self.more)
        self.due = {verb: layers(self.folder / f"due-{verb}.ws") for verb in ("build", "update")}
        self.after = {verb: state_of(self.folder / f"due-{verb}.ws") for verb in ("build", "update")}
        self.before = {"build": None, "update": state_of(self.start)}
        self.marks = 0
        self.decks = {}

    def driver(self, master):
        if master not in self.drivers:
            self.drivers[master] = Driver(self, master)
        return self.drivers[master]

    def lose(self, master):
        self.drivers.pop(master).stop()

    def stop(self):
        for master in list(self.drivers):
            self.lose(master)

    def reset(self, verb):
        shutil.rmtree(self.archive, ignore_errors=True)
        if verb == "update":
            shutil.copytree(self.start, self.archive)

    def mark(self):
        self.marks += 1
        return str(self.folder / f"mark-{self.marks}-")

    def order(self, verb, partitions):
        return verb, self.archive, self.more, partitions

    def check_new(self, verb, how):
        wrong = differing(layers(self.archive), self.due[verb])
        expect(not wrong, f"{verb}, {how}: these files differ: {wrong}")
        expect(is_tidy(self.archive) and lock_is_free(self.archive), f"{verb}, {how}: left {names_in(self.archive)}")

    def check_either(self, verb, how):
        """The old archive or the new one, and no process holds its lock."""
        state = state_of(self.archive)
        expect(state in (self.before[verb], self.after[verb]), f"{verb}, {how}: neither the old archive nor the new one")
        expect(lock_is_free(self.archive), f"{verb}, {how}: a lock is left")
        return state == self.after[verb]

    def repeat(self, verb, how, master=None, partitions=2):
        """By Spark, or by the program."""
        if master:
            said = self.driver(master).run(*self.order(verb, partitions))
            expect(said and said.get("done"), f"{verb}, {how}: Spark cannot repeat it: {said}")
        else:
            done = subprocess.run([PROGRAM, verb, "-q", self.archive, *self.more], capture_output=True, text=True, timeout=HANG_S)
            expect(done.returncode == 0, f"{verb}, {how}: the program cannot repeat it: {done.stderr}")
        self.check_new(verb, how)
        done = subprocess.run([PROGRAM, "verify", self.archive], capture_output=True, text=True)
        expect(done.returncode == 0, f"{verb}, {how}: verify says {done.stdout} {done.stderr}")


def points_of(verb):
    return [point for point in POINTS if verb == "update" or "scores" not in point]


def drawn(bench, chance, kind, more=()):
    """A verb and a point in it. Each comes once before any comes again, so that a long trial tries every step."""
    deck = bench.decks.setdefault(kind, [])
    if not deck:
        deck += [(verb, point) for verb in ("build", "update") for point in (*points_of(verb), *more)]
        chance.shuffle(deck)
    return deck.pop()


def lose_tasks(bench, chance, kind=None):
    """Tasks fail, their Pythons or their executors die: Spark runs them again, and the bytes are the same."""
    kind = kind or chance.choice(("fails twice", "worker killed", "executor killed"))
    verb, point = drawn(bench, chance, kind)
    partitions = chance.choice((2, 3, 7))
    marks = bench.mark()
    program = {"fails twice": TWICE, "worker killed": KILL_WORKER, "executor killed": KILL}[kind]
    bench.fault.write_text(program.format(step=point, marks=marks, with_worker=False))
    bench.reset(verb)
    said = bench.driver(EXECUTORS).run(*bench.order(verb, partitions))
    bench.fault.write_text(NO_FAULT)
    how = f"{kind} at {point!r} with {partitions} partitions"
    expect(said and said.get("done"), f"{verb}, {how}: {said}")
    expect(list(bench.folder.glob(f"{Path(marks).name}*")), f"{verb}, {how}: it did not happen")
    bench.check_new(verb, how)
    bench.counts[f"{kind} in {verb}"] += 1


def kill_driver(bench, chance, master=None, verb=None, point=None):
    """The next writer comes at once, while executors of the dead driver may still be at work."""
    if point is None:
        verb, point = drawn(bench, chance, "driver killed", ["publish"])
    partitions = chance.choice((2, 3))
    master = master or chance.choice((LOCAL, EXECUTORS))
    driver = bench.driver(master)
    more = {"publish_signal": signal.SIGKILL} if point == "publish" else {}
    bench.fault.write_text(SIGNAL.format(step=point, mark=bench.mark(), process=driver.process.pid, number=int(signal.SIGKILL)))
    bench.reset(verb)
    said = driver.run(*bench.order(verb, partitions), **more)
    bench.fault.write_text(NO_FAULT)
    how = f"driver on {master} killed at {point!r}"
    expect(said is None, f"{verb}, {how}: {said}")
    is_new = bench.check_either(verb, how)
    by_spark = chance.random() < 0.3
    if not is_new and not by_spark:
        bench.repeat(verb, how)
    bench.lose(master)
    if not is_new and by_spark:
        bench.repeat(verb, how, master, 5)
    bench.counts[f"driver killed in {verb}"] += 1


def kill_driver_at_a_call(bench, chance):
    """The driver dies at one of its own calls that change files of the archive: also while it puts the new generation in place."""
    if not fault.SHIM.exists():
        not_tried(f"failing calls of the driver: {fault.SHIM} is not there")
        return
    verb, mode = chance.choice(("build", "update")), chance.choice(("kill", "torn", "full", "eio"))
    bench.reset(verb)
    number = chance.randrange(1, 60)
    shim = {"LD_PRELOAD": str(fault.SHIM), "FAULT_UNDER": os.path.realpath(bench.archive), "FAULT_AT": str(number), "FAULT_MODE": mode}
    driver = Driver(bench, LOCAL, shim)
    try:
        said = driver.run(*bench.order(verb, 2))
    finally:
        driver.stop()
    how = f"{mode} at call {number} of the driver"
    is_new = bench.check_either(verb, how)
    expect(said is None or "error" in said or (said.get("done") and is_new), f"{verb}, {how}: {said}")
    if said is not None and "error" in said and mode == "full":
        expect("No space left" in said["error"], f"{verb}, {how}: {said}")
    if not is_new:
        bench.repeat(verb, how)
    bench.counts[f"driver's call fails ({mode}) in {verb}"] += 1


def interrupt(bench, chance, master=None, verb=None, point=None):
    """Ctrl-C. The session lives on, and can do it again."""
    if point is None:
        verb, point = drawn(bench, chance, "Ctrl-C", ["publish"])
    partitions = chance.choice((2, 3))
    master = master or chance.choice((LOCAL, EXECUTORS))
    driver = bench.driver(master)
    more = {"publish_signal": signal.SIGINT} if point == "publish" else {}
    bench.fault.write_text(SIGNAL.format(step=point, mark=bench.mark(), process=driver.process.pid, number=int(signal.SIGINT)))
    bench.reset(verb)
    said = driver.run(*bench.order(verb, partitions), **more)
    bench.fault.write_text(NO_FAULT)
    how = f"Ctrl-C on {master} at {point!r}"
    expect(said and ("interrupted" in said or said.get("done")), f"{verb}, {how}: {said} {driver.last_words()}")
    is_new = bench.check_either(verb, how)
    expect(is_tidy(bench.archive), f"{verb}, {how}: left {names_in(bench.archive)}")
    bench.counts[f"Ctrl-C in {verb}" if "interrupted" in said else "Ctrl-C that came too late"] += 1
    if not is_new:
        bench.repeat(verb, how, master, 3)


def fill_a_disk(bench, chance, share=None):
    """The archive is on a disk that is too small for the work, or just not."""
    verb = chance.choice(("build", "update"))
    size = sum(path.stat().st_size for path in (bench.folder / f"due-{verb}.ws").rglob("*") if path.is_file())
    share = share or chance.uniform(0.3, 12)
    with small_disk(int(size * (1 + share)) + (1 << 16)) as disk:
        if disk is None:
            not_tried("a full disk: this user may not mount a small one")
            return
        own = disk / "tried.ws"
        if verb == "update":
            shutil.copytree(bench.start, own)
        said = bench.driver(LOCAL).run(verb, own, bench.more, 2)
        how = f"{verb} on a disk of {share:.1f} times its size"
        expect(said and (said.get("done") or "No space left" in said.get("error", "")), f"{how}: {said}")
        state = state_of(own)
        expect(state == (bench.after[verb] if said.get("done") else bench.before[verb]), f"{how}: not the archive that is due")
        expect(is_tidy(own) and lock_is_free(own), f"{how}: left {names_in(own)}")
        bench.counts[f"small disk in {verb}: {'done' if said.get('done') else 'refused'}"] += 1


def two_writers(bench, chance, master=LOCAL):
    """While a job is running, another writer is refused with the number of its process; so is Spark, while the program is
    running."""
    point = chance.choice(points_of("update"))
    mark, go = bench.mark(), bench.mark()
    driver = bench.driver(master)
    bench.reset("update")
    bench.fault.write_text(PAUSE.format(step=point, mark=mark, go=go))
    driver.order(*bench.order("update", 2))
    try:
        until = time.monotonic() + HANG_S
        while not Path(mark).exists() and time.monotonic() < until:
            time.sleep(0.02)
        for words in (["update", "-q", bench.archive, *bench.more], ["forget", "-q", bench.archive, "--host", "s3.example"],
                      ["rank", "-q", bench.archive, "--save", "other"]):
            done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=HANG_S)
            expect(done.returncode == 2 and f"process {driver.process.pid} is changing it" in done.stderr, f"{words[0]}: {done.stderr}")
    finally:
        Path(go).touch()
        said = driver.answer()
        bench.fault.write_text(NO_FAULT)
    expect(said and said.get("done"), f"two writers at {point!r}: {said}")
    bench.check_new("update", f"two writers at {point!r}")
    bench.reset("update")
    holder = subprocess.Popen([PROGRAM, "update", "-q", str(bench.archive), "-"], stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        until = time.monotonic() + HANG_S
        while not (bench.archive / "work").exists() and time.monotonic() < until:
            time.sleep(0.02)
        said = driver.run(*bench.order("update", 2))
        expect(said and f"process {holder.pid} is changing it" in said.get("error", ""), f"two writers: {said}")
    finally:
        holder.stdin.close()
        holder.wait(60)
    expect(bench.check_either("update", "two writers") is False, "two writers: it changed")
    bench.counts["two writers"] += 2


def damaged_inputs(bench, chance, originals, count=24, master=LOCAL):
    """Spark and the program read the same damaged files: the same reports, the same bytes."""
    place = bench.folder / "damaged"
    shutil.rmtree(place, ignore_errors=True)
    paths = mutations.write_batch(chance, originals, place / "inputs", count)
    done = subprocess.run([PROGRAM, "build", "--json", "-q", str(place / "program.ws"), *paths], capture_output=True, text=True, timeout=HANG_S)
    expect(done.returncode in (0, 2) and done.stdout, f"damaged inputs: {done.returncode} {done.stderr}")
    due = [mutations.report_of_program(one) for one in json.loads(done.stdout)["inputs"]]
    partitions = chance.choice((2, 3, 5))
    readable = [one["path"] for one in due if one["error"] is None]
    driver = bench.driver(master)
    if len(readable) < len(due):
        said = driver.run("build", place / "none.ws", paths, partitions)
        named = [one["error"] for one in due if one["error"] and one["error"] in mutations.same_words(said.get("error", ""))]
        expect(named and "nothing was written" in said["error"], f"unreadable inputs: {said}")
        expect(not (place / "none.ws").exists(), "unreadable inputs: an archive is left")
    said = driver.run("build", place / "spark.ws", readable, partitions)
    expect(said and said.get("done"), f"damaged inputs: {said}")
    found = [mutations.report_of_python(one) for one in said["inputs"]]
    for one, other in zip([one for one in due if one["error"] is None], found, strict=True):
        expect(one == other, f"{one['path']}: the program reports {one}, Spark {other}")
    wrong = differing(layers(place / "spark.ws"), layers(place / "program.ws"))
    expect(not wrong, f"{place}: these files differ: {wrong}")
    bench.counts["damaged inputs"] += count
    bench.counts["damaged inputs, damage reported"] += sum(one["damage_count"] > 0 for one in due)
    bench.counts["damaged inputs, unreadable"] += len(due) - len(readable)


def kinds_of_trial(originals):
    """What a round draws from, some more often than others."""
    return ([lose_tasks] * 4 + [kill_driver] * 2 + [interrupt] * 3 + [fill_a_disk] * 2 + [two_writers, kill_driver_at_a_call] +
            [lambda bench, chance: damaged_inputs(bench, chance, originals)] * 2)


def main():
    parser = argparse.ArgumentParser(description="Kills, Ctrl-C, full disks, damaged files and two writers, for webstrata.spark.")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    flags = parser.parse_args()
    print(f"seed: {flags.seed}", flush=True)
    until = time.monotonic() + 60 * flags.minutes
    chance = random.Random(flags.seed)
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder)
        originals = mutations.make_originals(folder)
        kinds = kinds_of_trial(originals)
        try:
            while time.monotonic() < until:
                chance.choice(kinds)(bench, chance)
                bench.counts["rounds"] += 1
        except AssertionError as error:
            print_counts(bench.counts)
            print(f"broken promise (seed {flags.seed}, round {bench.counts['rounds'] + 1}): {error}")
            return 1
        finally:
            bench.stop()
        print_counts(bench.counts)
    return 0


if __name__ == "__main__":
    sys.exit(main())
