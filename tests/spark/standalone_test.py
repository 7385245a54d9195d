# SPDX-License-Identifier: Apache-2.0
"""The same bytes on a standalone master with two workers, with 2, 7 and 50 partitions, and when a worker is lost. Executors get
webstrata by spark.archives: it is not installed there. A worker without it is reported before anything is read."""

import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import cluster
from cluster import KILL, NO_FAULT, PACKAGE, SAMPLES, Clock, Standalone, differing, expect_error, layers, no_rubbish, session, single

cluster.skip_unless_possible()

from webstrata import spark as on_spark  # noqa: E402


def packed(folder):
    """The package as pip would install it, as an archive for Spark."""
    shutil.copytree(PACKAGE / "webstrata", folder / "packed" / "webstrata", ignore=shutil.ignore_patterns("__pycache__"))
    for module in (folder / "packed" / "webstrata").glob("*.so"):
        subprocess.run(["strip", "--strip-debug", str(module)])  # only to make it smaller
    with tarfile.open(folder / "packed.tar.gz", "w:gz", compresslevel=1) as out:
        out.add(folder / "packed" / "webstrata", "webstrata")
    return folder / "packed.tar.gz"


def test_a_worker_without_webstrata(master, folder):
    spark = session(master, package=None)
    try:
        expect_error(lambda: on_spark.build(spark, SAMPLES, str(folder / "new.ws")), "No module named 'webstrata'", "spark.archives")
        assert not (folder / "new.ws").exists()
    finally:
        spark.stop()


def test_builds_and_updates(spark, folder, truth):
    """Every number of partitions once; bench/spark_equality.py does all of them both ways."""
    for partitions in (2, 50):
        built = folder / f"built-{partitions}.ws"
        on_spark.build(spark, SAMPLES, str(built), partitions=partitions)
        assert not differing(layers(built), truth), partitions
    updated = folder / "updated.ws"
    shutil.copytree(folder / "first.ws", updated)
    on_spark.update(spark, str(updated), SAMPLES[1:], partitions=7)
    assert not differing(layers(updated), truth)
    no_rubbish(updated)


def test_a_worker_is_lost(spark, folder, truth):
    (folder / "fault.py").write_text(KILL.format(step="pages", marks=str(folder / "lost-"), with_worker=True))
    on_spark.build(spark, SAMPLES, str(folder / "lost.ws"), partitions=7)
    (folder / "fault.py").write_text(NO_FAULT)
    assert (folder / "lost-killed").exists()
    assert not differing(layers(folder / "lost.ws"), truth)
    no_rubbish(folder / "lost.ws")


def main():
    clock = Clock()
    with tempfile.TemporaryDirectory() as own:
        folder = Path(own)
        truth = single(folder, "single.ws", *SAMPLES)
        single(folder, "first.ws", SAMPLES[0])
        (folder / "fault.py").write_text(NO_FAULT)
        standalone = Standalone(folder)
        try:
            test_a_worker_without_webstrata(standalone.master, folder)
            clock.done("a_worker_without_webstrata")
            spark = session(standalone.master, fault=folder / "fault.py", package="pack",
                            **{"spark.archives": f"{packed(folder)}#pack", "spark.cores.max": "2", "spark.executor.memory": "512m"})
            try:
                for test in (test_builds_and_updates, test_a_worker_is_lost):
                    test(spark, folder, truth)
                    clock.done(test.__name__)
            finally:
                spark.stop()
        finally:
            standalone.stop()


main()
