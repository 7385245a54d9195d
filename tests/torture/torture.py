# SPDX-License-Identifier: Apache-2.0
"""Tries to break the program's promises for a number of minutes. tools/torture.sh starts it.

    tools/torture.sh [MINUTES] [SEED]              # default: 10 minutes, a seed from the clock, printed first
    tools/torture.sh --repeat SEED TRIAL NUMBER    # one case again: the words that a failure prints
    tools/torture.sh --list                        # the trials

A case is a separate process with its own folder: what it leaves is removed with them, unless a promise was broken; then the
folder is kept and named. Cases of all trials take turns, so that each gets about the same time. Exit: 0 no promise was broken, 1
one was, 2 it could not be tried.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parents[1]
sys.path[:0] = [str(HERE), *(str(SOURCE / "tests" / room) for room in ("cli", "fetch", "archive"))]
CASE_S = 600  # no case takes as long
TIMES = 3  # a trial that failed this often is not tried any more
OUTSIDE = {"spark": SOURCE / "tests" / "spark" / "trial.py", "python": SOURCE / "tests" / "python" / "trial.py"}


def trials():
    import damage
    import inputs
    import kills
    import limits

    return inputs.TRIALS | damage.TRIALS | kills.TRIALS | limits.TRIALS


def prepare(folder):
    """What all cases start from: an archive of two years with tombstones and scores, its twin's answers, and crawls to add."""
    import damage
    import webs
    from ground import Ground

    ground = Ground(folder, folder, 0, "prepare", 0)
    old, more = webs.write_crawl(folder / "old.jsonl", 150, 2001), webs.write_crawl(folder / "more.jsonl", 150, 2009)
    middle = webs.write_crawl(folder / "middle.jsonl", 150, 2005)
    ground.must("build", "-q", "lib.ws", old, middle)
    ground.must("forget", "-q", "lib.ws", "--url", "http://s5.example/5")
    ground.must("rank", "lib.ws", "--save", "pr", "--top", "1", "-q")
    ground.must("build", "-q", "other.ws", old)
    shutil.copytree(folder / "lib.ws", folder / "updated.ws")
    ground.must("update", "-q", "updated.ws", more)
    (folder / "updated.jsonl").write_bytes(ground.must("export", "updated.ws", "--as", "jsonl", "-q").out)
    (folder / "answers.json").write_text(json.dumps(damage.twin_answers(ground, folder)))


def run_case(seed, name, number, folder, prepared):
    """One case, in this process. Exit 0 with the counts on the last line, 1 with the broken promise."""
    from ground import Ground

    try:
        counts = trials()[name](Ground(folder, prepared, seed, name, number))
    except AssertionError:
        traceback.print_exc()
        return 1
    print(json.dumps(counts))
    return 0


class Torture:
    """Runs cases on all cores until the time is up."""

    def __init__(self, seed, seconds, jobs, folder):
        self.seed, self.folder, self.jobs = seed, folder, jobs
        self.prepared = folder / "prepared"
        self.end = time.monotonic() + seconds
        self.seconds = seconds
        self.counts, self.cases, self.spent = collections.Counter(), collections.Counter(), collections.Counter()
        self.broken, self.left_out = [], {}
        self.running, self.lock, self.stopped = {}, threading.Lock(), threading.Event()

    def command(self, name, number, folder):
        import limits

        words = [sys.executable, __file__, "--case", str(self.seed), name, str(number), str(folder), str(self.prepared)]
        return ["unshare", "--mount", *words] if name in limits.NEEDS_A_DISK else words

    def one(self, name, number):
        folder = self.folder / f"{name.replace('/', '-')}-{number}"
        folder.mkdir()
        begun = time.monotonic()
        code, text = self.wait_for(self.command(name, number, folder), CASE_S)
        with self.lock:
            self.spent[name] += time.monotonic() - begun
            if code == 0:
                self.cases[name] += 1
                self.counts.update(json.loads(text.splitlines()[-1]))
            elif not self.stopped.is_set():
                self.report(name, number, folder, text)
                return
        shutil.rmtree(folder, ignore_errors=True)

    def outside(self, name, minutes):
        """A trial that is a script of its own: `name: count` lines, and another exit code than 0 for a broken promise."""
        words = [sys.executable, str(OUTSIDE[name]), "--minutes", str(minutes), "--seed", str(self.seed)]
        # Python cannot load a module with sanitizers: the program that its results are compared with has none either.
        code, text = self.wait_for(words, 60 * minutes + CASE_S, env={**os.environ, "WEBSTRATA_PROGRAM": os.environ["WEBSTRATA_PLAIN_PROGRAM"]})
        with self.lock:
            if self.stopped.is_set() and code < 0:
                return
            if code == 77:
                self.left_out[name] = text.strip().splitlines()[-1] if text.strip() else "skipped"
                return
            for line in text.splitlines():
                what, colon, count = line.rpartition(": ")
                if colon and count.strip().isdigit() and what.strip() != "seed":
                    self.counts[f"{name}: {what.strip()}"] += int(count)
            if code != 0:
                self.broken.append(name)
                print(f"BROKEN {name}: exit {code}\n{text[-4000:]}\n  repeat: {' '.join(words)}", flush=True)

    def wait_for(self, words, timeout_s, env=None):
        """Exit code and output of a process with its children; they end with the run, or when they hang."""
        with tempfile.TemporaryFile() as out:
            process = subprocess.Popen(words, stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, env=env, start_new_session=True)
            with self.lock:
                self.running[process.pid] = process
            try:
                code, end = process.wait(timeout_s), ""
            except subprocess.TimeoutExpired:
                end_group(process)
                code, end = process.wait(), f"\nhangs: not at its end after {timeout_s} s"
            finally:
                with self.lock:
                    del self.running[process.pid]
                end_group(process)
            out.seek(0)
            return code, out.read().decode(errors="replace") + end

    def report(self, name, number, folder, text):
        self.broken.append(name)
        kept = Path(os.environ.get("WEBSTRATA_KEEP", SOURCE / "build" / "torture")) / f"{self.seed}-{folder.name}"
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(folder, kept, symlinks=True)
        (kept / "BROKEN.txt").write_text(text)
        shutil.rmtree(folder, ignore_errors=True)
        print(f"BROKEN {name}, case {number}:\n{text[-4000:]}\n  repeat: tools/torture.sh --repeat {self.seed} {name} {number}\n  files:  {kept}", flush=True)

    def stop(self, *_):
        self.stopped.set()
        with self.lock:
            for process in self.running.values():
                end_group(process)

    def worker(self, names, numbers):
        while not self.stopped.is_set() and time.monotonic() < self.end:
            with self.lock:
                names = [each for each in names if self.broken.count(each) < TIMES]
                if not names:
                    return
                name = min(names, key=lambda each: (numbers[each] > 0, self.spent[each] + self.underway[each]))
                numbers[name] += 1
                number = numbers[name]
                self.underway[name] += 1
            self.one(name, number)
            with self.lock:
                self.underway[name] -= 1

    def run(self, names):
        self.underway = collections.Counter()
        numbers = collections.Counter()
        names = [name for name in names if self.can_run(name)]
        # Cases that are still running at the end are abandoned, so that a run takes its minutes and little more.
        timer = threading.Timer(self.seconds + 20, self.stop)
        timer.start()
        minutes = max(1, round(self.seconds / 60 / 6))
        with concurrent.futures.ThreadPoolExecutor(self.jobs + 1) as pool:
            workers = [pool.submit(self.worker, names, numbers) for _ in range(self.jobs)]
            for name, script in OUTSIDE.items():
                if not script.exists():
                    self.left_out[name] = f"no {script.relative_to(SOURCE)}"
                elif self.seconds < 300:
                    self.left_out[name] = "a run of less than five minutes"
                else:
                    workers.append(pool.submit(self.outside, name, minutes))
            for worker in workers:
                worker.result()
        timer.cancel()

    def can_run(self, name):
        import limits

        if name in limits.NEEDS_A_DISK and subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False).returncode != 0:
            self.left_out[name] = "no right to mount a small disk here"
            return False
        if name == "limits/processes" and os.getuid() != 0:
            self.left_out[name] = "needs root, to become a user without other processes"
            return False
        return True

    def summary(self):
        for name in sorted(self.counts):
            print(f"{name}: {self.counts[name]}")
        for name in sorted(self.left_out):
            print(f"NOT TRIED {name}: {self.left_out[name]}")
        print(f"{sum(self.cases.values())} cases of {len(self.cases)} trials, {len(self.broken)} broken promises"
              + (f" ({', '.join(sorted(set(self.broken)))})" if self.broken else ""))


def end_group(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def repeat(seed, name, number, folder):
    prepare_in(folder)
    own = folder / "case"
    own.mkdir()
    words = Torture(seed, 0, 1, folder).command(name, number, own)
    return subprocess.run(words, check=False).returncode


def prepare_in(folder):
    (folder / "prepared").mkdir()
    prepare(folder / "prepared")
    for path in folder.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)


def main():
    parser = argparse.ArgumentParser(prog="tools/torture.sh", description=__doc__.split("\n\n")[0])
    parser.add_argument("minutes", nargs="?", type=float, default=10)
    parser.add_argument("seed", nargs="?", type=int, default=int(time.time()) % 1_000_000)
    parser.add_argument("--only", default="", help="trials whose name begins with this")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--list", action="store_true", help="print the trials and end")
    parser.add_argument("--repeat", nargs=3, metavar=("SEED", "TRIAL", "NUMBER"), help="one case again")
    parser.add_argument("--case", nargs=5, help=argparse.SUPPRESS)
    words = parser.parse_args()
    if words.case:
        seed, name, number, folder, prepared = words.case
        return run_case(int(seed), name, int(number), Path(folder), Path(prepared))
    if words.list:
        print("\n".join([*trials(), *OUTSIDE]))
        return 0
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="webstrata-torture-", dir=memory) as name:
        folder = Path(name)
        folder.chmod(0o755)
        if words.repeat:
            return repeat(int(words.repeat[0]), words.repeat[1], int(words.repeat[2]), folder)
        print(f"seed {words.seed}, {words.minutes:g} minutes, {words.jobs} at a time, {os.environ['WEBSTRATA_PROGRAM']}", flush=True)
        prepare_in(folder)
        torture = Torture(words.seed, 60 * words.minutes, words.jobs, folder)
        signal.signal(signal.SIGINT, torture.stop)
        signal.signal(signal.SIGTERM, torture.stop)
        torture.run([each for each in trials() if each.startswith(words.only)])
        torture.summary()
        return 1 if torture.broken else 0


if __name__ == "__main__":
    sys.exit(main())
