"""Larger runs of webstrata.spark against the single machine: bytes compared, times told step by step.

    WEBSTRATA_PROGRAM=build/release/webstrata WEBSTRATA_BUILD=build/release \
        python bench/spark_equality.py OUT [--master standalone|local-cluster[2,1,2048]] [--partitions 2,7,50] FIRST [SECOND ...]

FIRST is built, the others come by an update; all are also built at once, on Spark and without it. `standalone` starts a
master and two workers on loopback and ends them. One JSON object a line: seconds of each step, records a second of the
tasks that read (one core each), and whether the bytes are equal.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent
os.environ.setdefault("WEBSTRATA_SOURCE", str(SOURCE))
sys.path.insert(0, str(SOURCE / "tests" / "spark"))
import cluster  # noqa: E402


def timed(work):
    start = time.monotonic()
    result = work()
    return round(time.monotonic() - start, 1), result


def told(seconds, summary, archive, truth):
    records = sum(one["records"] for one in summary.inputs)
    tasks = min(summary.partitions, len(summary.inputs))
    return {"seconds": seconds, "steps": summary.seconds, "records": records, "runs": summary.runs,
            "records_a_second_and_core": round(records / summary.seconds["read"] / min(tasks, 2)),
            "equal": not cluster.differing(cluster.layers(archive), truth)}


def compare(spark, on_spark, out, inputs, truth, count):
    built, updated = out / f"built{count}.ws", out / f"updated{count}.ws"
    seconds, summary = timed(lambda: on_spark.build(spark, inputs, str(built), partitions=count))
    print(json.dumps({"partitions": count, "build": told(seconds, summary, built, truth)}), flush=True)
    shutil.rmtree(built)
    if len(inputs) == 1:
        return
    shutil.copytree(out / "first.ws", updated)
    seconds, summary = timed(lambda: on_spark.update(spark, str(updated), inputs[1:], partitions=count))
    print(json.dumps({"partitions": count, "update": told(seconds, summary, updated, truth)}), flush=True)
    shutil.rmtree(updated)


def main():
    flags = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    flags.add_argument("out")
    flags.add_argument("inputs", nargs="+")
    flags.add_argument("--master", default="standalone")
    flags.add_argument("--partitions", default="2,7,50")
    flags = flags.parse_args()
    cluster.skip_unless_possible()
    from webstrata import spark as on_spark

    out = Path(flags.out).resolve()
    out.mkdir(parents=True, exist_ok=True)
    for name, inputs in (("single", flags.inputs), ("first", flags.inputs[:1])):
        seconds, _ = timed(lambda: subprocess.run([cluster.PROGRAM, "build", "-q", out / f"{name}.ws", *inputs], check=True))
        print(json.dumps({f"{name} without Spark": seconds}), flush=True)
    shutil.copytree(out / "first.ws", out / "alone.ws")
    if len(flags.inputs) > 1:
        words = [cluster.PROGRAM, "update", "-q", out / "alone.ws", *flags.inputs[1:]]
        print(json.dumps({"update without Spark": timed(lambda: subprocess.run(words, check=True))[0]}), flush=True)
    truth = cluster.layers(out / "single.ws")
    with tempfile.TemporaryDirectory() as own:
        standalone = cluster.Standalone(own, memory="2g") if flags.master == "standalone" else None
        try:
            spark = cluster.session(standalone.master if standalone else flags.master,
                                    **{"spark.executor.memory": "1g", "spark.cores.max": "2"})
            try:
                for count in map(int, flags.partitions.split(",")):
                    compare(spark, on_spark, out, flags.inputs, truth, count)
            finally:
                spark.stop()
        finally:
            if standalone:
                standalone.stop()


main()
