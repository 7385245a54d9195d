# SPDX-License-Identifier: Apache-2.0
"""Larger runs of webstrata.spark against the single machine: bytes compared, times printed step by step.

    WEBSTRATA_PROGRAM=build/release/webstrata WEBSTRATA_BUILD=build/release \
        python bench/spark_equality.py OUT [--master standalone|local-cluster[2,1,2048]] [--partitions 2,7,50] [--first 1] INPUT ...
        python bench/spark_equality.py OUT --sizes 2,4,8,16 --partitions 16 INPUT ...

The first of the inputs, or the first --first of them, are built, and the others are added by an update; all are also built at
once, on Spark and without it. With --sizes, these numbers of inputs are built at once instead, to see how time grows.
`standalone` starts a master and two workers on loopback and ends them. One JSON object per line: seconds of each step and CPU
seconds of all JVMs and Pythons together, records per second of the tasks that read (one core each), and whether the bytes are
equal. bench/spark_inputs.py cuts inputs into files.
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


def cpu_seconds():
    """Of all processes below this one, and of those that they waited for."""
    ticks, children = {}, {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue  # it has ended
        process = int(folder.name)
        children.setdefault(int(words[1]), []).append(process)
        ticks[process] = sum(map(int, words[11:15]))
    below, total = [os.getpid()], 0
    while below:
        process = below.pop()
        total += ticks.get(process, 0)
        below += children.get(process, [])
    return total / os.sysconf("SC_CLK_TCK")


class CpuOfSteps:
    """A `progress` that takes the CPU time of each step."""

    def __init__(self):
        self.name, self.start, self.seconds = "before", cpu_seconds(), {}

    def __call__(self, name):
        now = cpu_seconds()
        self.seconds[self.name] = round(now - self.start, 1)
        self.name, self.start = name, now


def alone(verb, archive, inputs):
    """Seconds without Spark, and CPU seconds."""
    before = cpu_seconds()
    seconds = timed(lambda: subprocess.run([cluster.PROGRAM, verb, "-q", *(["--merge-all"] if verb == "update" else []), archive, *inputs], check=True))[0]
    return seconds, round(cpu_seconds() - before, 1)


def tell(**what):
    print(json.dumps(what), flush=True)


def told(work, archive, truth):
    cpu = CpuOfSteps()
    seconds, summary = timed(lambda: work(cpu))
    cpu("end")
    records = sum(one["records"] for one in summary.inputs)
    tasks = min(summary.partitions, len(summary.inputs))
    return {"seconds": seconds, "steps": summary.seconds, "cpu": round(sum(cpu.seconds.values()), 1), "cpu_of_steps": cpu.seconds,
            "records": records, "runs": summary.runs,
            "records_a_cpu_second": round(records / cpu.seconds["read"]),
            "records_a_second_and_core": round(records / summary.seconds["read"] / min(tasks, 2)),
            "equal": not cluster.differing(cluster.layers(archive), truth)}


def built(spark, on_spark, out, inputs, truth, count):
    archive = out / f"built{count}.ws"
    found = told(lambda cpu: on_spark.build(spark, inputs, str(archive), partitions=count, progress=cpu), archive, truth)
    shutil.rmtree(archive)
    return found


def updated(spark, on_spark, out, inputs, truth, count):
    archive = out / f"updated{count}.ws"
    shutil.copytree(out / "first.ws", archive)
    found = told(lambda cpu: on_spark.update(spark, str(archive), inputs, partitions=count, progress=cpu), archive, truth)
    shutil.rmtree(archive)
    return found


def compare(spark, on_spark, out, flags):
    """Everything at once, and the first inputs updated with the others."""
    first, others = flags.inputs[:flags.first], flags.inputs[flags.first:]
    tell(without_spark="all", build=alone("build", out / "single.ws", flags.inputs))
    truth = cluster.layers(out / "single.ws")
    if others:
        tell(without_spark="first", build=alone("build", out / "first.ws", first))
        shutil.copytree(out / "first.ws", out / "alone.ws")
        tell(without_spark="others", update=alone("update", out / "alone.ws", others),
             equal=not cluster.differing(cluster.layers(out / "alone.ws"), truth))
    for count in flags.partitions:
        tell(partitions=count, build=built(spark, on_spark, out, flags.inputs, truth, count))
        if others:
            tell(partitions=count, update=updated(spark, on_spark, out, others, truth, count))


def grow(spark, on_spark, out, flags):
    """More and more of the inputs. The first build of a session is slower, so the smallest is done twice."""
    for place, size in enumerate([flags.sizes[0], *flags.sizes]):
        archive = out / f"single{place}.ws"
        seconds = alone("build", archive, flags.inputs[:size])
        truth = cluster.layers(archive)
        tell(inputs=size, is_first=place == 0, without_spark=seconds,
             build=built(spark, on_spark, out, flags.inputs[:size], truth, flags.partitions[0]))


def numbers(text):
    return [int(word) for word in text.split(",")]


def main():
    flags = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    flags.add_argument("out")
    flags.add_argument("inputs", nargs="+")
    flags.add_argument("--master", default="standalone")
    flags.add_argument("--partitions", type=numbers, default=[2, 7, 50])
    flags.add_argument("--first", type=int, default=1)
    flags.add_argument("--sizes", type=numbers)
    flags = flags.parse_args()
    cluster.skip_unless_possible()
    from webstrata import spark as on_spark

    out = Path(flags.out).resolve()
    out.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as own:
        standalone = cluster.Standalone(own, memory="2g") if flags.master == "standalone" else None
        try:
            spark = cluster.session(standalone.master if standalone else flags.master, jvm="",
                                    **{"spark.executor.memory": "1g", "spark.cores.max": "2"})
            try:
                (grow if flags.sizes else compare)(spark, on_spark, out, flags)
            finally:
                spark.stop()
        finally:
            if standalone:
                standalone.stop()


main()
