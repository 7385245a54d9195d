"""Helpers of the Spark tests: a session on executors of their own, archives compared byte by byte, faults."""

import os
import subprocess
import sys
from pathlib import Path

SOURCE = Path(os.environ["WEBSTRATA_SOURCE"])
PROGRAM = os.environ["WEBSTRATA_PROGRAM"]
PACKAGE = Path(os.environ["WEBSTRATA_BUILD"]) / "python"
SAMPLES = [str(SOURCE / "examples" / "sample" / name) for name in ("2021.warc.gz", "2023.warc.gz")]


def skip_unless_possible():
    """Spark, Java and the module, or the test says what is missing."""
    try:
        import pyarrow  # noqa: F401
        import pyspark  # noqa: F401
    except ImportError as error:
        print(f"skipped: {error}")
        sys.exit(77)
    if subprocess.run(["java", "-version"], capture_output=True).returncode != 0:
        print("skipped: no java")
        sys.exit(77)
    if not list(PACKAGE.glob("webstrata/_core*.so")):
        print("skipped: the Python module is not built")
        sys.exit(77)
    sys.path.insert(0, str(PACKAGE))
    os.environ.pop("PYTHONPATH", None)  # executors get it from session(), or not at all


def session(master, fault=None, package=PACKAGE, **settings):
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master(master).appName("webstrata tests")
    values = {"spark.ui.enabled": "false", "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1",
              "spark.ui.showConsoleProgress": "false", "spark.sql.shuffle.partitions": "2",
              "spark.executor.memory": "512m", "spark.driver.memory": "768m",
              "spark.executorEnv.PYTHONPATH": str(package or ""), "spark.executorEnv.PYTHONDONTWRITEBYTECODE": "1"}
    if fault:
        values["spark.executorEnv.WEBSTRATA_SPARK_FAULT"] = str(fault)
    values.update(settings)
    for name, value in values.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    return spark


def layers(archive):
    """The layer files of the one generation that is there."""
    generations = sorted(Path(archive).glob("g*"))
    assert len(generations) == 1, generations
    return {path.name: path.read_bytes() for path in generations[0].iterdir()}


def single(folder, name, *inputs):
    """The same on one machine, without Spark."""
    archive = Path(folder) / name
    subprocess.run([PROGRAM, "build", "-q", str(archive), *inputs], check=True)
    return layers(archive)


def differing(a, b):
    return sorted(name for name in a.keys() | b.keys() if a.get(name) != b.get(name))


# A fault is a program that tasks run at the end of each step, before they yield what they wrote.
NO_FAULT = "def fault(step): pass\n"
ALWAYS = "def fault(step):\n    if step == {step!r}: raise ValueError('a fault of the test')\n"
TWICE = """
import os
def fault(step):
    if step != {step!r}: return
    for place in ("first", "second"):
        try:
            os.close(os.open({marks!r} + place, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            continue
        raise ValueError("a fault of the test")
"""
KILL = """
import os, signal
def parent(process):
    with open(f"/proc/{{process}}/stat") as stat: return int(stat.read().rsplit(")", 1)[1].split()[1])
def fault(step):
    if step != {step!r}: return
    try:
        os.close(os.open({marks!r} + "killed", os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return
    process = os.getppid()  # the daemon of the workers; its parent is the executor
    while b"CoarseGrainedExecutorBackend" not in open(f"/proc/{{process}}/cmdline", "rb").read():
        process = parent(process)
    os.kill(process, signal.SIGKILL)
"""
