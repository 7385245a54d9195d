# SPDX-License-Identifier: Apache-2.0
"""A short trial: trial.py says what is promised and how it is broken. The long one is `python tests/python/trial.py --minutes 60`."""

import os
import random
import sys

import mutations
import trial
from module import temporary_folder
from not_tried import ending, not_tried

SEED = int(os.environ.get("WEBSTRATA_SEED", "20260117"))


def main():
    print(f"seed {SEED}")
    chance = random.Random(SEED)
    with temporary_folder() as folder:
        bench = trial.Bench(folder, pages=600)
        originals = mutations.make_originals(folder)
        for verb in trial.WRITERS + trial.READERS:
            trial.interrupt(bench, chance, verb)
        for _ in range(8):
            trial.kill(bench, chance)
        for _ in range(4):
            trial.fill_a_disk(bench, chance)
        for _ in range(3):
            trial.two_writers(bench, chance)
        for _ in range(2):
            trial.damaged_inputs(bench, chance, originals)
        if trial.fault.SHIM.exists():
            for _ in range(20):
                trial.fail_a_call(bench, chance)
        else:
            not_tried(f"failing calls: {trial.fault.SHIM} is not there")
        trial.print_counts(bench.counts)
    return ending()


if __name__ == "__main__":
    sys.exit(main())
