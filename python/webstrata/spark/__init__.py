# SPDX-License-Identifier: Apache-2.0
"""The same archive, built, updated and queried on Apache Spark.

    from webstrata import spark as webstrata_spark
    webstrata_spark.build(spark, ["/data/2015.warc.gz"], "/data/lib.ws")
    webstrata_spark.update(spark, "/data/lib.ws", ["/data/2016.warc.gz"])

The bytes are those of ``webstrata build``, ``update`` and ``compact``. docs/SPARK.md describes how it works
and how to run it; ``webstrata-spark`` does the same from a command line or spark-submit.
"""

from __future__ import annotations

from .driver.analysis import Graph, Scores, graph, layer
from .driver.job import Summary, build, compact, update
from .driver.rows import Rows, rows

__all__ = ["Graph", "Rows", "Scores", "Summary", "build", "compact", "graph", "layer", "rows", "update"]
