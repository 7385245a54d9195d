# SPDX-License-Identifier: Apache-2.0
"""Jobs of Spark that end with the Python that started them, however that ends."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
import uuid
from contextlib import contextmanager
from typing import Any, Iterator

GROUP = "spark.jobGroup.id"
INTERRUPTED = "spark.job.interruptOnCancel"
TASKS_END_S = 15.0


@contextmanager
def own_jobs(spark: Any) -> Iterator[None]:
    """Whatever ends the block early, Ctrl-C included, first ends the tasks of the jobs that it started."""
    context = spark.sparkContext
    group = f"webstrata-{uuid.uuid4().hex}"
    before = {name: context.getLocalProperty(name) for name in (GROUP, INTERRUPTED)}
    context.setLocalProperty(GROUP, group)
    context.setLocalProperty(INTERRUPTED, "true")
    try:
        with plain_interrupts():
            yield
    except BaseException:
        end_tasks(spark, group)
        raise
    finally:
        with contextlib.suppress(Exception):  # Java may be gone; the error that says so is on its way
            for name, value in before.items():
                context.setLocalProperty(name, value)


@contextmanager
def plain_interrupts() -> Iterator[None]:
    """Ctrl-C raises KeyboardInterrupt.

    PySpark's handler asks Java to cancel all jobs first. If the thread is waiting for an answer of Java just then, which it nearly
    always is, that fails, and the user sees an error of the network instead.
    """
    handler = signal.getsignal(signal.SIGINT)
    is_sparks = getattr(handler, "__module__", "").split(".")[0] == "pyspark"
    if not is_sparks or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)


def end_tasks(spark: Any, group: str) -> None:
    """Cancels the jobs of a group and waits until its tasks have ended: they write below the archive's work folder, and Spark
    recreates missing folders. Does nothing if Java is gone, and gives up after a while."""

    def run() -> None:
        with contextlib.suppress(Exception):
            spark.sparkContext.cancelJobGroup(group)
            until = time.monotonic() + TASKS_END_S
            while active_tasks(spark, group) and time.monotonic() < until:
                time.sleep(0.05)

    # On a thread of its own, which has a connection of its own to Java.
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(2 * TASKS_END_S)


def active_tasks(spark: Any, group: str) -> int:
    tracker = spark.sparkContext.statusTracker()
    jobs = [tracker.getJobInfo(job) for job in tracker.getJobIdsForGroup(group)]
    stages = [tracker.getStageInfo(stage) for job in jobs if job is not None for stage in job.stageIds]
    return sum(stage.numActiveTasks for stage in stages if stage is not None)
