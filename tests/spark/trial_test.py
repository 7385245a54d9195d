# SPDX-License-Identifier: Apache-2.0
"""A short trial: trial.py says what is promised and how it is broken. The long one is `python tests/spark/trial.py --minutes 60`."""

import os
import random
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import trial
from cluster import Clock
from not_tried import ending

SEED = int(os.environ.get("WEBSTRATA_SEED", "20260117"))


def main():
    print(f"seed {SEED}")
    chance = random.Random(SEED)
    clock = Clock()
    with tempfile.TemporaryDirectory() as folder:
        bench = trial.Bench(folder)
        originals = trial.mutations.make_originals(folder)
        clock.done("an archive to begin with")
        try:
            for verb, point in (("build", "before pages"), ("update", "parts"), ("update", "publish")):
                trial.interrupt(bench, chance, trial.LOCAL, verb, point)
            clock.done("Ctrl-C")
            trial.two_writers(bench, chance)
            clock.done("two writers")
            trial.damaged_inputs(bench, chance, originals)
            clock.done("damaged inputs")
            for share in (0.5, 3):
                trial.fill_a_disk(bench, chance, share)
            clock.done("full disk")
            trial.kill_driver(bench, chance, trial.LOCAL, "build", "before names")
            clock.done("driver killed")
            trial.kill_driver(bench, chance, trial.EXECUTORS, "update", "parts")
            clock.done("driver killed, with executors")
            trial.print_counts(bench.counts)
        finally:
            bench.stop()
    return ending()


sys.exit(main())
