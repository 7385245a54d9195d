# SPDX-License-Identifier: Apache-2.0
"""A driver in its own process for the trials: it builds and updates on command, line by line, and reports the results.

    driver.py MASTER FAULT        (FAULT: the program that tasks run, see faults/sitecustomize.py)

A line of standard input is a JSON object: verb, archive, inputs, partitions, and perhaps publish_signal, which this process sends to
itself when the new generation is about to be put in place. The answer is a JSON object with "done", "interrupted" or "error".
"""

import json
import os
import sys
import warnings
from pathlib import Path

for name in ("LD_PRELOAD",):  # loaded here if at all; Java and the executors do without
    os.environ.pop(name, None)
sys.path.insert(0, str(Path(__file__).parent))
import cluster  # noqa: E402

cluster.skip_unless_possible()

import webstrata  # noqa: E402
from webstrata import spark as on_spark  # noqa: E402


def answer(**words):
    print(json.dumps(words), flush=True)


def run(spark, order):
    def tell(step):
        if step == "publish" and order.get("publish_signal"):
            os.kill(os.getpid(), order["publish_signal"])

    options = {"partitions": order["partitions"], "progress": tell}
    try:
        if order["verb"] == "build":
            options.update({name: order[name] for name in ("block_bits", "part_blocks") if name in order})
            summary = on_spark.build(spark, order["inputs"], order["archive"], **options)
        else:
            summary = on_spark.update(spark, order["archive"], order["inputs"], **options)
        answer(done=summary.is_changed, inputs=summary.inputs, left_out=summary.left_out)
    except webstrata.Error as error:
        answer(error=str(error), kind=error.kind)
    except KeyboardInterrupt:
        answer(interrupted=True)


def main():
    warnings.simplefilter("ignore")
    master, fault = sys.argv[1:3]
    spark = cluster.session(master, fault=fault)
    answer(ready=os.getpid())
    while True:
        try:
            line = sys.stdin.readline()
            if not line:
                break
            run(spark, json.loads(line))
        except KeyboardInterrupt:
            answer(late=True)  # the order was carried out before
    spark.stop()


main()
