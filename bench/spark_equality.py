"""Larger runs of webstrata.spark against the single machine: bytes compared, times told, and a worker lost on the way.

    WEBSTRATA_BIN=build/release/webstrata PYTHONPATH=build/release/python \
        python bench/spark_equality.py OUT [--master standalone|local-cluster[2,1,2048]] [--partitions 2,7,50] FIRST SECOND

FIRST is built, SECOND comes by an update; both are also built at once, on Spark and without it. `standalone` starts a
master and two workers on loopback and ends them; --lose-worker kills one of them, with its executor, in mid-build.
"""

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path


def layers(archive):
    generation, = Path(archive).glob("g*")
    return {path.name: path.read_bytes() for path in generation.iterdir()}


class Standalone:
    """A master and two workers, each a process of its own, on ports that the system chooses."""

    def __init__(self, folder):
        import pyspark

        self.home = Path(pyspark.__file__).parent
        self.folder = Path(folder)
        self.processes = []
        self.environment = {**os.environ, "SPARK_HOME": str(self.home), "SPARK_NO_DAEMONIZE": "1", "SPARK_LOCAL_IP": "127.0.0.1"}
        log = self.start("master", "org.apache.spark.deploy.master.Master", "--host", "127.0.0.1", "--port", "0", "--webui-port", "0")
        self.master = self.wait_for(log, r"Starting Spark master at (spark://\S+)")
        for place in range(2):
            log = self.start(f"worker{place}", "org.apache.spark.deploy.worker.Worker", "--host", "127.0.0.1", "--webui-port", "0",
                             "--cores", "1", "--memory", "2g", "--work-dir", str(self.folder / f"work{place}"), self.master)
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
            time.sleep(0.2)
        raise RuntimeError(f"{log}: no {pattern} in {seconds} s")

    def lose_worker(self):
        """The last worker with everything it started: its whole session."""
        os.killpg(self.processes.pop().pid, signal.SIGKILL)

    def stop(self):
        for process in reversed(self.processes):
            process.terminate()
        for process in self.processes:
            process.wait(30)


def session(master):
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master(master).appName("webstrata bench")
    for name, value in {"spark.ui.enabled": "false", "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1",
                        "spark.ui.showConsoleProgress": "false", "spark.executor.memory": "1g", "spark.cores.max": "2",
                        "spark.sql.shuffle.partitions": "2", "spark.executorEnv.PYTHONPATH": os.environ.get("PYTHONPATH", "")}.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    return spark


def main():
    flags = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    flags.add_argument("out")
    flags.add_argument("inputs", nargs="+")
    flags.add_argument("--master", default="standalone")
    flags.add_argument("--partitions", default="2,7,50")
    flags.add_argument("--lose-worker", action="store_true")
    flags = flags.parse_args()
    from webstrata import spark as on_spark

    out = Path(flags.out)
    out.mkdir(parents=True, exist_ok=True)
    program = os.environ["WEBSTRATA_BIN"]
    start = time.monotonic()
    subprocess.run([program, "build", "-q", str(out / "single.ws"), *flags.inputs], check=True)
    print(json.dumps({"single": round(time.monotonic() - start, 1)}), flush=True)
    truth = layers(out / "single.ws")

    with tempfile.TemporaryDirectory() as own:
        standalone = Standalone(own) if flags.master == "standalone" else None
        spark = session(standalone.master if standalone else flags.master)
        try:
            for count in map(int, flags.partitions.split(",")):
                built, updated = out / f"built{count}.ws", out / f"updated{count}.ws"
                if flags.lose_worker and standalone:
                    threading.Timer(20, standalone.lose_worker).start()
                start = time.monotonic()
                summary = on_spark.build(spark, flags.inputs, str(built), partitions=count)
                whole = time.monotonic() - start
                told = {"partitions": count, "build": round(whole, 1), "steps": summary.seconds, "equal": layers(built) == truth}
                if len(flags.inputs) > 1:
                    on_spark.build(spark, flags.inputs[:1], str(updated), partitions=count)
                    start = time.monotonic()
                    summary = on_spark.update(spark, str(updated), flags.inputs[1:], partitions=count)
                    told.update({"update": round(time.monotonic() - start, 1), "update_steps": summary.seconds,
                                 "update_equal": layers(updated) == truth})
                    shutil.rmtree(updated)
                print(json.dumps(told), flush=True)
                shutil.rmtree(built)
        finally:
            spark.stop()
            if standalone:
                standalone.stop()


main()
