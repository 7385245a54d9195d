# SPDX-License-Identifier: Apache-2.0
"""One clear error out of what Spark says when a task fails."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import Any, Iterator

from ..._error import Error
from .own_jobs import own_jobs

REMEDY = "install webstrata in the workers' Python, or ship it with spark.archives (docs/SPARK.md)"
OF_EXECUTORS = "executors have variables of their own: --conf spark.executorEnv.AWS_ACCESS_KEY_ID=... (docs/SPARK.md)"


@contextmanager
def clear_errors(ending: str = "; the archive is unchanged") -> Iterator[None]:
    """Turns errors of Spark into webstrata.Error with the line that matters."""
    try:
        yield
    except Error:
        raise
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        failure = Error(f"{where}{error.strerror or error}{ending}")
        failure.kind = "io"
        raise failure from error
    except Exception as error:
        if type(error).__module__.split(".")[0] not in ("pyspark", "py4j"):
            raise
        raise Error(cause_of(str(error)) + ending) from error


def cause_of(text: str) -> str:
    """The last line of a Python traceback inside Spark's words, or the first line of these."""
    missing = re.search(r"ModuleNotFoundError: (No module named '(webstrata|pyarrow)[^']*')", text)
    if missing:
        return f"a worker cannot run webstrata: {missing.group(1)}; {REMEDY}"
    if "No space left on device" in text:
        return "a disk is full (No space left on device): the archive's, or that of spark.local.dir or the temporary folder"
    ours = re.findall(r"^(?:webstrata\._error\.|webstrata\.)?Error: (.*)$", text, re.MULTILINE)
    if ours:
        said = str(ours[-1]).strip()
        return f"{said}; {OF_EXECUTORS}" if "AWS_ACCESS_KEY_ID" in said else said
    lines = re.findall(r"^(?:Caused by: )?\w[\w.]*(?:Error|Exception|Interrupt|Exit): ?(.*)$", text, re.MULTILINE)
    reason = re.search(r"Job aborted due to stage failure: (.*)", text)
    if reason and not lines:
        return f"Spark gave up: {reason.group(1).strip()}"
    return f"Spark gave up: {(lines[-1] if lines else text.splitlines()[0]).strip()}"


def look_at_workers(spark: Any) -> None:
    """Asks some tasks whether they can run webstrata, and the same one."""
    from ... import _core

    wanted = _core.cluster.encoder_revision()

    # Local functions travel as code, so a worker without webstrata can say so.
    def probe(batches: Any) -> Any:
        import pyarrow

        try:
            from webstrata import _core

            told = str(_core.cluster.encoder_revision())
        except Exception as error:
            told = f"{type(error).__name__}: {error}"
        for _ in batches:
            yield pyarrow.RecordBatch.from_pydict({"version": pyarrow.array([told], pyarrow.string())})

    with clear_errors(), own_jobs(spark):
        count = max(2, spark.sparkContext.defaultParallelism)
        answers = {row.version for row in spark.range(0, count, 1, count).mapInArrow(probe, "version string").collect()}
    for told in sorted(answers - {str(wanted)}):
        if told.isdigit():
            raise Error(f"a worker has another webstrata (encoder revision {told}, here {wanted}); install the same one")
        raise Error(f"a worker cannot run webstrata: {told}; {REMEDY}")
