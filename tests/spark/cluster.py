# SPDX-License-Identifier: Apache-2.0
"""Helpers of the Spark tests: a session on executors of their own, archives compared byte by byte, faults."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from not_tried import skip  # noqa: E402

SOURCE = Path(os.environ["WEBSTRATA_SOURCE"])
PROGRAM = os.environ["WEBSTRATA_PROGRAM"]
PACKAGE = Path(os.environ["WEBSTRATA_BUILD"]) / "python"
FAULTS = Path(__file__).resolve().parent / "faults"
# JVMs that live for a minute: a better compiler or collector does not pay off.
BRIEF_JVM = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
SAMPLES = [str(SOURCE / "examples" / "sample" / name) for name in ("2021.warc.gz", "2023.warc.gz")]


def skip_unless_possible():
    """Spark, Java and the module, or the test says what is missing."""
    try:
        import pyarrow  # noqa: F401
        import pyspark  # noqa: F401
    except ImportError as error:
        skip(f"{error}; pip install -r tests/requirements.txt")
    if shutil.which("java") is None:
        skip("needs java (tools/packages.test)")
    if not list(PACKAGE.glob("webstrata/_core*.so")):
        skip("the Python module is not built")
    sys.path.insert(0, str(PACKAGE))
    os.environ.pop("PYTHONPATH", None)  # executors get it from session(), or not at all


def session(master, fault=None, package=PACKAGE, jvm=BRIEF_JVM, **settings):
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    builder = SparkSession.builder.master(master).appName("webstrata tests")
    values = {"spark.ui.enabled": "false", "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1",
              "spark.ui.showConsoleProgress": "false", "spark.sql.shuffle.partitions": "2",
              "spark.executor.memory": "512m", "spark.driver.memory": "768m",
              "spark.driver.extraJavaOptions": jvm, "spark.executor.extraJavaOptions": jvm,
              "spark.executorEnv.PYTHONPATH": str(package or ""), "spark.executorEnv.PYTHONDONTWRITEBYTECODE": "1"}
    if fault:
        values["spark.executorEnv.PYTHONPATH"] = f"{FAULTS}:{package}"
        values["spark.executorEnv.SPARK_TEST_FAULT"] = str(fault)
    values.update(settings)
    for name, value in values.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    return spark


class Standalone:
    """A master and two workers with one core each, processes of their own, on ports that the system chooses."""

    def __init__(self, folder, memory="1g"):
        import pyspark

        self.home = Path(pyspark.__file__).parent
        self.folder = Path(folder)
        self.processes = []
        self.environment = {**os.environ, "SPARK_HOME": str(self.home), "SPARK_NO_DAEMONIZE": "1", "SPARK_LOCAL_IP": "127.0.0.1",
                            "SPARK_DAEMON_MEMORY": "256m", "SPARK_DAEMON_JAVA_OPTS": BRIEF_JVM}
        log = self.start("master", "org.apache.spark.deploy.master.Master", "--host", "127.0.0.1", "--port", "0", "--webui-port", "0")
        self.master = self.wait_for(log, r"Starting Spark master at (spark://\S+)")
        logs = [self.start(f"worker{place}", "org.apache.spark.deploy.worker.Worker", "--host", "127.0.0.1", "--webui-port", "0",
                           "--cores", "1", "--memory", memory, "--work-dir", str(self.folder / f"work{place}"), self.master)
                for place in range(2)]
        for log in logs:
            self.wait_for(log, r"(Successfully registered with master)")

    def start(self, name, *command):
        log = self.folder / f"{name}.log"
        with open(log, "w") as out:
            self.processes.append(subprocess.Popen([str(self.home / "bin" / "spark-class"), *command], stdout=out, stderr=out,
                                                   env=self.environment, start_new_session=True))
        return log

    @staticmethod
    def wait_for(log, pattern, seconds=180):
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            found = re.search(pattern, log.read_text())
            if found:
                return found.group(1)
            time.sleep(0.1)
        raise RuntimeError(f"{log}: no {pattern} in {seconds} s")

    def stop(self):
        """Each with everything that it started."""
        for process in reversed(self.processes):
            try:
                os.killpg(process.pid, signal.SIGTERM)
            except ProcessLookupError:
                pass
        for process in self.processes:
            process.wait(60)


def layers(archive):
    """The files of the one generation that is there: layers of all strata, and columns of scores."""
    generations = sorted(Path(archive).glob("g*"))
    assert len(generations) == 1, generations
    return {str(path.relative_to(generations[0])): path.read_bytes() for path in generations[0].rglob("*") if path.is_file()}


def strata_of(archive):
    return json.loads(call("info", "--json", archive))["strata"]


def pieces(folder, sample, sizes):
    """The captures of a crawl file in files of these sizes, and the rest in one more."""
    lines = call("extract", "-q", sample).splitlines(keepends=True)
    paths = []
    for number, size in enumerate((*sizes, len(lines))):
        paths.append(Path(folder) / f"piece{number}.jsonl")
        paths[-1].write_text("".join(lines[:size]))
        lines = lines[size:]
    return list(map(str, paths))


def call(verb, *words):
    """The program, without Spark."""
    done = subprocess.run([PROGRAM, verb, *map(str, words)], capture_output=True, text=True)
    assert done.returncode == 0, (verb, words, done.stderr)
    return done.stdout


def single(folder, name, *inputs):
    """The same on one machine, without Spark."""
    archive = Path(folder) / name
    call("build", "-q", archive, *inputs)
    return layers(archive)


def differing(a, b):
    return sorted(name for name in a.keys() | b.keys() if a.get(name) != b.get(name))


def no_rubbish(archive):
    left = sorted(path.name for path in Path(archive).iterdir() if path.name not in ("MANIFEST", "lock"))
    assert len(left) == 1 and left[0].startswith("g"), left


def expect_error(call, *words):
    """webstrata.Error, in one line that names these words."""
    import webstrata

    try:
        call()
    except webstrata.Error as error:
        text = str(error)
        assert "\n" not in text, text
        for word in words:
            assert word in text, (word, text)
        return
    raise AssertionError(f"no error with {words}")


def run_examples(module, **names):
    """Those in the docstrings of a module."""
    import doctest

    result = doctest.testmod(module, extraglobs=names)
    assert result.attempted and not result.failed, (module, result)


class Clock:
    """Prints when each test was done."""

    def __init__(self):
        self.start = time.monotonic()

    def done(self, name):
        print(f"ok  {name.replace('test_', '').replace('_', ' ')}  ({time.monotonic() - self.start:.0f} s)", flush=True)


# A fault is a program that tasks run before and after the work of each step (faults/sitecustomize.py): "before read", "read",
# "before number", "number", "names", "pages", "in_links", "parts", "scores".
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
def is_a(process, name):
    with open(f"/proc/{{process}}/cmdline", "rb") as command: return name in command.read()
def fault(step):
    if step != {step!r}: return
    try:
        os.close(os.open({marks!r} + "killed", os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return
    executor = os.getppid()  # the daemon of the workers; above it is the executor
    while not is_a(executor, b"CoarseGrainedExecutorBackend"):
        executor = parent(executor)
    worker = parent(executor)
    if {with_worker!r}:
        assert is_a(worker, b"deploy.worker.Worker")
        os.kill(worker, signal.SIGKILL)
    os.kill(executor, signal.SIGKILL)
"""
