# SPDX-License-Identifier: Apache-2.0
"""webstrata.spark gives the bytes of the single machine, also when executors die and tasks fail; a permanent failure leaves the
archive unchanged, with one clear error. On local-cluster: two executors in processes of their own."""

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(1, str(Path(__file__).parents[1] / "capture"))
sys.path.insert(1, str(Path(__file__).parents[1]))
import cluster
from cluster import (ALWAYS, KILL, NO_FAULT, PROGRAM, SAMPLES, TWICE, Clock, call, differing, expect_error, layers, no_rubbish, pieces, run_examples,
                     session, single, strata_of)

from file_server import FileServer
from not_tried import ending, not_tried

try:
    import s3_server
except ImportError:
    s3_server = None

cluster.skip_unless_possible()

import webstrata  # noqa: E402
from webstrata import spark as on_spark  # noqa: E402
from webstrata.spark.driver import job  # noqa: E402
from webstrata.spark.driver.errors import cause_of  # noqa: E402


def test_the_examples_build_and_update(spark, folder, truth):
    run_examples(job, spark=spark, example_sample=Path(SAMPLES[0]).parent, example_folder=folder)
    (folder / "lib.ws").rename(folder / "two.ws")
    assert not differing(layers(folder / "two.ws"), truth)
    no_rubbish(folder / "two.ws")
    assert subprocess.run([PROGRAM, "verify", str(folder / "two.ws")], capture_output=True).returncode == 0


def test_update_while_tasks_fail_and_an_executor_dies(spark, folder, truth):
    """Build with 7 partitions while a task fails twice; update while an executor is killed in the middle of a block."""
    fault = folder / "fault.py"
    fault.write_text(TWICE.format(step="read", marks=str(folder / "twice-")))
    on_spark.build(spark, SAMPLES[:1], str(folder / "seven.ws"), partitions=7)
    assert (folder / "twice-second").exists()
    fault.write_text(KILL.format(step="before pages", marks=str(folder / "kill-"), with_worker=False))
    on_spark.update(spark, str(folder / "seven.ws"), SAMPLES[1:], partitions=7)
    assert (folder / "kill-killed").exists()
    fault.write_text(NO_FAULT)
    assert not differing(layers(folder / "seven.ws"), truth)
    no_rubbish(folder / "seven.ws")


def test_many_blocks_and_parts_and_saved_scores(spark, folder, truth):
    """Blocks of 256 nodes, parts of two. The single machine updates a copy: all others agree with its bytes, including scores."""
    small = {"block_bits": 8, "part_blocks": 2}
    first, scored = folder / "small.ws", folder / "scored.ws"
    on_spark.build(spark, SAMPLES[:1], str(first), partitions=7, **small)
    shutil.copytree(first, scored)
    call("rank", "-q", f"{scored}", "--save", "rank")
    (folder / "web.topic").write_text("template\nrequest\n")
    call("update", "-q", scored, SAMPLES[0], "--topic", folder / "web.topic")
    call("rank", "-q", f"{scored}", "--by", "indegree", "--save", "rank")
    shutil.copytree(scored, folder / "scored-alone.ws")
    call("update", "-q", "--merge-all", folder / "scored-alone.ws", SAMPLES[1])
    due = layers(folder / "scored-alone.ws")
    assert [name for name in due if name.startswith("scores.rank")] and [name for name in due if name.startswith("link_scores.web")], due.keys()
    (folder / "fault.py").write_text(TWICE.format(step="scores", marks=str(folder / "scores-")))
    on_spark.update(spark, str(scored), SAMPLES[1:], partitions=7)
    (folder / "fault.py").write_text(NO_FAULT)
    assert (folder / "scores-second").exists()
    assert not differing(layers(scored), due)
    assert webstrata.open(scored).score_names == ["rank", "web"]
    assert not subprocess.run([PROGRAM, "verify", str(scored)], capture_output=True).returncode
    on_spark.update(spark, str(scored), SAMPLES[1:], partitions=2)  # nothing is new: the columns are linked
    call("update", "-q", "--merge-all", folder / "scored-alone.ws", SAMPLES[1])
    assert not differing(layers(scored), layers(folder / "scored-alone.ws"))
    on_spark.build(spark, SAMPLES, str(folder / "both.ws"), partitions=50, **small)
    layers_alone = {name: bytes for name, bytes in due.items() if "scores" not in name}
    assert len(layers_alone) > 30 and not differing(layers(folder / "both.ws"), layers_alone)


def test_small_updates_become_strata(spark, folder, truth):
    """The same stack as on one machine, update by update; a task fails on the way. Compacted, it has the bytes of one build, by Spark
    and by the program; scores are kept."""
    small = {"block_bits": 8, "part_blocks": 2}
    alone, together = folder / "stack-alone.ws", folder / "stack.ws"
    parts = pieces(folder, SAMPLES[1], (60, 20, 7))
    on_spark.build(spark, SAMPLES[:1], str(together), partitions=2, **small)
    shutil.copytree(together, alone)
    for part in parts[:3]:
        marks = folder / f"{Path(part).stem}-"
        (folder / "fault.py").write_text(TWICE.format(step="read", marks=str(marks)))
        summary = on_spark.update(spark, str(together), [part], partitions=2)
        (folder / "fault.py").write_text(NO_FAULT)
        assert Path(f"{marks}second").exists() and summary.is_changed and list(summary.seconds) == ["read", "add new facts"], summary.seconds
        call("update", "-q", alone, part)
        assert not differing(layers(together), layers(alone))
    assert strata_of(together) == 4, strata_of(together)
    assert not on_spark.update(spark, str(together), parts[1:2], partitions=2).is_changed
    no_rubbish(together)
    call("verify", together)
    shutil.copytree(together, folder / "merged.ws")
    on_spark.update(spark, str(folder / "merged.ws"), parts[3:], partitions=3)  # as much as the archive has: all is merged
    on_spark.build(spark, [SAMPLES[0], *parts], str(folder / "whole.ws"), partitions=2, **small)
    assert not differing(layers(folder / "merged.ws"), layers(folder / "whole.ws"))
    call("rank", "-q", together, "--save", "rank")
    manifest = (together / "MANIFEST").read_bytes()
    (folder / "fault.py").write_text(ALWAYS.format(step="parts"))
    expect_error(lambda: on_spark.compact(spark, str(together), partitions=2), "a fault of the test")
    (folder / "fault.py").write_text(NO_FAULT)
    assert (together / "MANIFEST").read_bytes() == manifest and strata_of(together) == 4
    shutil.rmtree(alone)
    shutil.copytree(together, alone)
    assert on_spark.compact(spark, str(together), partitions=3).is_changed and strata_of(together) == 1
    call("compact", "-q", alone)
    assert not differing(layers(together), layers(alone))
    assert webstrata.open(together).score_names == ["rank"]
    assert not on_spark.compact(spark, str(together)).is_changed


def test_what_fails_for_good_leaves_the_old_generation(spark, folder, truth):
    kept = folder / "kept.ws"
    before = single(folder, kept.name, SAMPLES[0])
    manifest = (kept / "MANIFEST").read_bytes()
    # The second crawl is as large as the first one, so it is merged with it; the driver alone would write a small one.
    for step in ("read", "parts"):
        (folder / "fault.py").write_text(ALWAYS.format(step=step))
        expect_error(lambda: on_spark.update(spark, str(kept), SAMPLES[1:], partitions=2), "a fault of the test")
        (folder / "fault.py").write_text(NO_FAULT)
        assert (kept / "MANIFEST").read_bytes() == manifest
        assert not differing(layers(kept), before)
        no_rubbish(kept)


def test_bad_input(spark, folder, truth):
    new, old = str(folder / "new.ws"), str(folder / "two.ws")
    expect_error(lambda: on_spark.build(spark, [str(folder / "none.warc")], new), "none.warc")
    expect_error(lambda: on_spark.build(spark, SAMPLES, "s3://bucket/lib.ws"), "s3://bucket/lib.ws", "mount")
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


def test_inputs_on_a_server(spark, folder, truth):
    with FileServer({Path(path).name: Path(path).read_bytes() for path in SAMPLES}) as server:
        urls = [server.url("files", Path(path).name) for path in SAMPLES]
        on_spark.build(spark, urls, str(folder / "http.ws"), partitions=2)
        assert not differing(layers(folder / "http.ws"), truth)
        expect_error(lambda: on_spark.build(spark, [server.url("files", "none.warc")], str(folder / "new.ws")), "no such file on the server")
    for name, remedy in (("s3a://bucket/x.warc.gz", "write s3://bucket/x.warc.gz"), ("hdfs://host/x", "mount it")):
        expect_error(lambda: on_spark.build(spark, [name], str(folder / "new.ws")), name, remedy, "spark.executorEnv.AWS_ENDPOINT_URL")


def test_inputs_in_a_bucket(spark, folder, truth):
    """Driver and executors sign for themselves."""
    if s3 is None:
        not_tried("S3: moto is not installed (tests/requirements.txt)")
        return
    s3.client.create_bucket(Bucket="private")
    for path in SAMPLES:
        s3.client.upload_file(path, "private", f"a crawl/{Path(path).name}")
    urls = [f"s3://private/a crawl/{Path(path).name}" for path in SAMPLES]
    on_spark.build(spark, urls, str(folder / "s3.ws"), partitions=2)
    assert not differing(layers(folder / "s3.ws"), truth)
    assert all(code is None and is_signed for code, _, is_signed, _ in s3.log), s3.log
    os.environ["AWS_SECRET_ACCESS_KEY"] = "wrong"
    try:
        expect_error(lambda: on_spark.build(spark, urls, str(folder / "new.ws")), "SignatureDoesNotMatch", "AWS_SECRET_ACCESS_KEY")
    finally:
        os.environ["AWS_SECRET_ACCESS_KEY"] = s3_server.SECRET


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
    assert "spark.executorEnv.AWS_ACCESS_KEY_ID" in cause_of("a\nwebstrata._error.Error: s3://b/k: set AWS_ACCESS_KEY_ID\n")
    assert "gave up" in cause_of("Job aborted due to stage failure: Task 0 failed 4 times")


def main():
    clock = Clock()
    with tempfile.TemporaryDirectory() as own:
        folder = Path(own)
        truth = single(folder, "single.ws", *SAMPLES)
        (folder / "fault.py").write_text(NO_FAULT)
        variables = {} if s3 is None else {"AWS_ENDPOINT_URL": s3.url, "AWS_ACCESS_KEY_ID": s3_server.KEY,
                                           "AWS_SECRET_ACCESS_KEY": s3_server.SECRET}
        os.environ.update(variables)
        spark = session("local-cluster[2,1,1024]", fault=folder / "fault.py",
                        **{f"spark.executorEnv.{name}": value for name, value in variables.items()})
        try:
            for test in (test_the_examples_build_and_update, test_update_while_tasks_fail_and_an_executor_dies, test_many_blocks_and_parts_and_saved_scores,
                         test_small_updates_become_strata,
                         test_what_fails_for_good_leaves_the_old_generation, test_bad_input,
                         test_inputs_on_a_server, test_inputs_in_a_bucket, test_an_archive_that_somebody_else_writes, test_words_of_spark_become_one_line):
                test(spark, folder, truth)
                clock.done(test.__name__)
        finally:
            spark.stop()


with contextlib.ExitStack() as stack:
    s3 = stack.enter_context(s3_server.s3_server()) if s3_server else None
    main()
sys.exit(ending())
