"""webstrata.spark gives the bytes of the single machine, also when executors die and tasks fail; what fails for good
leaves the archive as it was, with one clear error. On local-cluster: two executors in processes of their own."""

import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import cluster
from cluster import ALWAYS, KILL, NO_FAULT, PROGRAM, SAMPLES, TWICE, differing, layers, session, single

cluster.skip_unless_possible()

import webstrata  # noqa: E402
from webstrata import spark as on_spark  # noqa: E402
from webstrata.spark.errors import cause_of  # noqa: E402


def expect_error(call, *words):
    try:
        call()
    except webstrata.Error as error:
        text = str(error)
        assert "\n" not in text, text
        for word in words:
            assert word in text, (word, text)
        return
    raise AssertionError(f"no error with {words}")


def no_rubbish(archive):
    left = sorted(path.name for path in Path(archive).iterdir() if path.name not in ("MANIFEST", "lock"))
    assert len(left) == 1 and left[0].startswith("g"), left


def test_build(spark, folder, truth):
    on_spark.build(spark, SAMPLES, str(folder / "two.ws"), partitions=2)
    assert not differing(layers(folder / "two.ws"), truth)
    no_rubbish(folder / "two.ws")
    assert subprocess.run([PROGRAM, "verify", str(folder / "two.ws")], capture_output=True).returncode == 0


def test_update_while_tasks_fail_and_an_executor_dies(spark, folder, truth):
    """Build with 7 partitions while a task fails twice; update while an executor is killed between writing and yielding."""
    fault = folder / "fault.py"
    fault.write_text(TWICE.format(step="read", marks=str(folder / "twice-")))
    on_spark.build(spark, SAMPLES[:1], str(folder / "seven.ws"), partitions=7)
    assert (folder / "twice-second").exists()
    fault.write_text(KILL.format(step="pages", marks=str(folder / "kill-")))
    on_spark.update(spark, str(folder / "seven.ws"), SAMPLES[1:], partitions=7)
    assert (folder / "kill-killed").exists()
    fault.write_text(NO_FAULT)
    assert not differing(layers(folder / "seven.ws"), truth)
    no_rubbish(folder / "seven.ws")


def test_what_fails_for_good_leaves_the_old_generation(spark, folder, truth):
    shutil.copytree(folder / "two.ws", folder / "kept.ws")
    manifest = (folder / "kept.ws" / "MANIFEST").read_bytes()
    (folder / "fault.py").write_text(ALWAYS.format(step="parts"))
    expect_error(lambda: on_spark.update(spark, str(folder / "kept.ws"), SAMPLES[:1], partitions=2), "a fault of the test")
    (folder / "fault.py").write_text(NO_FAULT)
    assert (folder / "kept.ws" / "MANIFEST").read_bytes() == manifest
    assert not differing(layers(folder / "kept.ws"), truth)
    no_rubbish(folder / "kept.ws")


def test_bad_input(spark, folder, truth):
    new, old = str(folder / "new.ws"), str(folder / "two.ws")
    expect_error(lambda: on_spark.build(spark, [str(folder / "none.warc")], new), "none.warc")
    bad = folder / "bad.warc"
    bad.write_bytes(bytes(range(256)) * 64)
    expect_error(lambda: on_spark.build(spark, [SAMPLES[0], str(bad)], new, partitions=2), "bad.warc", "nothing was written")
    assert not Path(new).exists()
    expect_error(lambda: on_spark.update(spark, old, SAMPLES[:1], range="1d"), "range 30d", "1d")
    expect_error(lambda: on_spark.update(spark, old, SAMPLES[:1], links="all"), "links")
    expect_error(lambda: on_spark.build(spark, SAMPLES, new, links="everything"), "everything")
    expect_error(lambda: on_spark.build(spark, SAMPLES, old), "two.ws")
    expect_error(lambda: on_spark.update(spark, new, SAMPLES), "new.ws")
    assert not differing(layers(old), truth)


def test_an_archive_that_somebody_else_writes(spark, folder, truth):
    old = folder / "two.ws"
    holder = subprocess.Popen([PROGRAM, "update", "-q", str(old), "-"], stdin=subprocess.PIPE)
    try:
        until = time.monotonic() + 60
        while not (old / "work").exists() and time.monotonic() < until:
            time.sleep(0.05)
        expect_error(lambda: on_spark.update(spark, str(old), SAMPLES[:1]), "two.ws", str(holder.pid))
    finally:
        holder.stdin.close()
        holder.wait(60)
    assert not differing(layers(old), truth)


def test_words_of_spark_become_one_line(spark, folder, truth):
    assert "No module named 'webstrata'" in cause_of("x\nModuleNotFoundError: No module named 'webstrata'\n")
    assert cause_of("a\nwebstrata._error.Error: disk full\n\n at org.x") == "disk full"
    assert "gave up" in cause_of("Job aborted due to stage failure: Task 0 failed 4 times")


def test_a_worker_without_webstrata(folder):
    spark = session("local-cluster[1,1,512]", package=None)
    try:
        expect_error(lambda: on_spark.build(spark, SAMPLES, str(folder / "new.ws")), "No module named 'webstrata'", "spark.archives")
        assert not (folder / "new.ws").exists()
    finally:
        spark.stop()


def main():
    with tempfile.TemporaryDirectory() as own:
        folder = Path(own)
        truth = single(folder, "single.ws", *SAMPLES)
        (folder / "fault.py").write_text(NO_FAULT)
        start = time.monotonic()
        spark = session("local-cluster[2,1,1024]", fault=folder / "fault.py")
        for test in (test_build, test_update_while_tasks_fail_and_an_executor_dies,
                     test_what_fails_for_good_leaves_the_old_generation, test_bad_input,
                     test_an_archive_that_somebody_else_writes, test_words_of_spark_become_one_line):
            test(spark, folder, truth)
            print(f"ok  {test.__name__[5:].replace('_', ' ')}  ({time.monotonic() - start:.0f} s)", flush=True)
        spark.stop()
        test_a_worker_without_webstrata(folder)
        print(f"ok  a worker without webstrata  ({time.monotonic() - start:.0f} s)", flush=True)


main()
