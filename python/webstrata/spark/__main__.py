# SPDX-License-Identifier: Apache-2.0
"""webstrata-spark: builds, updates and compacts archives on Apache Spark, and writes them as rows for online stores.

Runs as a program of its own (then Spark takes its settings from spark-defaults.conf), as
``python -m webstrata.spark``, or by spark-submit, with a file of two lines:

    from webstrata.spark.__main__ import main
    raise SystemExit(main())
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
import warnings
from typing import Any, Dict, List, Optional

from .._error import Error
from .driver.inputs import existing
from .driver.job import Summary, build, compact, update
from .driver.rows import rows

EXAMPLES = """examples:
  webstrata-spark build lib.ws examples/sample/2021.warc.gz --master 'local[2]'
  webstrata-spark update lib.ws examples/sample/2023.warc.gz --master 'local[2]'
  webstrata-spark compact lib.ws --master 'local[2]'
  webstrata-spark rows lib.ws rows.parquet --master 'local[2]'
  spark-submit --master spark://head:7077 submit.py build /shared/lib.ws @files.txt --partitions 400

Exit: 0 done, 1 nothing found, 2 failed: then the archive is unchanged."""


def parser() -> argparse.ArgumentParser:
    whole = argparse.ArgumentParser(prog="webstrata-spark", description="Builds, updates and compacts archives on Apache Spark, with the "
                                    "same bytes as webstrata build, update and compact, and writes them as rows for online stores.", epilog=EXAMPLES,
                                    formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = whole.add_subparsers(dest="verb", required=True, metavar="build | update | compact | rows")
    for verb, what in (("build", "build an archive from crawl files"), ("update", "import more crawl files into an archive")):
        one = verbs.add_parser(verb, help=what, description=what, epilog=EXAMPLES,
                               formatter_class=argparse.RawDescriptionHelpFormatter)
        one.add_argument("archive", metavar="ARCHIVE", help="folder that the driver and all executors share")
        one.add_argument("inputs", metavar="INPUT", nargs="+", help="crawl files on a shared path, or http://, https://, s3://; @FILE for a list")
        one.add_argument("--range", help="length of the time ranges of in-links: 30d (default), 1d, 1y, ever")
        one.add_argument("--links", help="kinds of links: graph (default), all, or a list such as navigation,embed")
        one.add_argument("--digests", choices=["full", "64bit", "none"], help="digests of payloads: full (default), 64bit, none")
        one.add_argument("--schemes", choices=["web", "all"], help="web (default) or all")
        one.add_argument("--compact", action="store_true", help="smaller links layers, slower to write and to read")
        one.add_argument("--texts", action="store_true", help="store the texts of links, cut at 100 characters")
        one.add_argument("--crawl", default="", help="name of the crawl, kept with every sighting")
        declare_memory(one)
        declare_common(one)
    what = "merge the strata of an archive into one"
    one = verbs.add_parser("compact", help=what, description=what, epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter)
    one.add_argument("archive", metavar="ARCHIVE", help="folder that the driver and all executors share")
    declare_memory(one)
    declare_common(one)
    what = "write one row for each document, sorted by key, as Parquet"
    one = verbs.add_parser("rows", help=what, description=what, epilog=EXAMPLES,
                           formatter_class=argparse.RawDescriptionHelpFormatter)
    one.add_argument("archive", metavar="ARCHIVE", help="folder that the driver and all executors share")
    one.add_argument("out", metavar="OUT", help="folder of the Parquet files; it must not exist")
    one.add_argument("--boundaries", metavar="FILE", help="hosts or URLs at which ranges begin, one per line, in the order of keys")
    one.add_argument("--sample", type=int, metavar="N", help="take the boundaries from a random sample of N captured documents: ranges then have "
                     "about the same number of links instead of documents")
    one.add_argument("--seed", type=int, default=1, help="seed of the sample (default 1)")
    declare_common(one)
    return whole


def declare_memory(one: argparse.ArgumentParser) -> None:
    one.add_argument("--memory", type=int, default=256, metavar="MB", help="MB that a task may use outside the JVM (default 256)")


def declare_common(one: argparse.ArgumentParser) -> None:
    one.add_argument("--partitions", type=int, help="number of tasks of a step, or of ranges of rows (default: Spark's default parallelism)")
    one.add_argument("--master", help="where Spark runs (default: as Spark is configured)")
    one.add_argument("--json", action="store_true", help="print a summary as one JSON object")
    one.add_argument("-q", "--quiet", action="store_true", help="no progress, no summary")


def expanded(inputs: List[str]) -> List[str]:
    paths: List[str] = []
    for word in inputs:
        if not word.startswith("@"):
            paths.append(word)
            continue
        try:
            with open(word[1:]) as lines:
                paths.extend(line.strip() for line in lines if line.strip())
        except OSError as error:
            raise Error(f"{word[1:]}: {error.strerror}") from error
    return paths


DAMAGES_SHOWN = 3


def tell_damage(summary: Summary) -> None:
    """The same lines as `webstrata build`."""
    for one in summary.inputs:
        for offset, reason in one["damages"][:DAMAGES_SHOWN]:
            print(printable(f"webstrata-spark: {one['path']}: damaged at {offset}: {reason}"), file=sys.stderr)
        if one["damage_count"] > DAMAGES_SHOWN:
            print(f"webstrata-spark: {one['path']}: {one['damage_count'] - DAMAGES_SHOWN} more damaged places (--json lists them)",
                  file=sys.stderr)


def printable(text: str) -> str:
    """Text from a crawl must not control the terminal."""
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape", "surrogatepass").decode() for sign in text)


def tell(archive: str, summary: Summary) -> None:
    counts = summary.manifest["counts"]
    for what, times in summary.left_out.items():
        print(f"webstrata-spark: {what}: {times}", file=sys.stderr)
    if not summary.is_changed:
        print(f"webstrata-spark: {archive}: unchanged: it already has all these facts", file=sys.stderr)
    print(f"webstrata-spark: {archive}: generation {summary.manifest['generation']}: {counts['pages']} pages, "
          f"{counts['captures']} captures, {counts['links']} links", file=sys.stderr)
    for step, seconds in summary.seconds.items():
        print(f"webstrata-spark: {step:18}{seconds:9.1f} s", file=sys.stderr)


def work_options(flags: argparse.Namespace) -> Dict[str, Any]:
    return dict(partitions=flags.partitions, memory_bytes=flags.memory << 20,
                progress=None if flags.quiet else lambda text: print(f"webstrata-spark: {text}", file=sys.stderr))


def compacted(spark: Any, flags: argparse.Namespace) -> int:
    summary = compact(spark, flags.archive, **work_options(flags))
    if flags.json:
        print(json.dumps({"archive": flags.archive, "changed": summary.is_changed, "manifest": summary.manifest, "seconds": summary.seconds}))
    elif not flags.quiet and not summary.is_changed:
        print(f"webstrata-spark: {flags.archive}: has one stratum already", file=sys.stderr)
    elif not flags.quiet:
        tell(flags.archive, summary)
    return 0


def written(spark: Any, flags: argparse.Namespace) -> int:
    """build and update."""
    options = dict(range=flags.range, links=flags.links, digests=flags.digests, schemes=flags.schemes,
                   compact=flags.compact, texts=flags.texts, crawl=flags.crawl, **work_options(flags))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # of damage, which is printed below
        if flags.verb == "build":
            summary = build(spark, flags.inputs, flags.archive, **options)
        else:
            summary = update(spark, flags.archive, flags.inputs, **options)
    if not flags.quiet:
        tell_damage(summary)
    if not summary.manifest:
        print(f"webstrata-spark: the inputs contain nothing to import into {flags.archive}", file=sys.stderr)
        return 1
    if flags.json:
        print(json.dumps({"archive": flags.archive, "changed": summary.is_changed, "manifest": summary.manifest, "inputs": summary.inputs,
                          "left_out": summary.left_out, "seconds": summary.seconds, "runs": summary.runs}))
    elif not flags.quiet:
        tell(flags.archive, summary)
    return 0


def written_as_rows(spark: Any, flags: argparse.Namespace) -> int:
    boundaries = expanded(["@" + flags.boundaries]) if flags.boundaries else None
    found = rows(spark, flags.archive, flags.out, flags.partitions, boundaries, flags.sample, flags.seed)
    if flags.json:
        print(json.dumps({"archive": flags.archive, "out": found.path, "rows": found.rows, "documents": found.documents,
                          "bytes": found.bytes, "imbalance": found.imbalance, "boundaries": [key.hex() for key in found.boundaries]}))
    elif not flags.quiet:
        print(f"webstrata-spark: {found.path}: {found.rows} rows in {len(found.bytes)} ranges; the largest has {found.imbalance:.2f} times "
              "the mean number of bytes", file=sys.stderr)
    return 0


def main(arguments: Optional[List[str]] = None) -> int:
    flags = parser().parse_args(arguments)
    # Py4J logs a traceback of every Ctrl-C to whoever listens, by default to the terminal.
    logging.getLogger().addHandler(logging.NullHandler())
    try:
        if flags.partitions is not None and flags.partitions < 1:
            raise Error("--partitions: at least 1")
        if flags.verb in ("build", "update"):
            flags.inputs = existing(expanded(flags.inputs))  # before Spark starts, which takes a while
        try:
            from pyspark.sql import SparkSession
        except ImportError as error:
            raise Error("pyspark is not installed: pip install 'webstrata[spark]'") from error
        builder = SparkSession.builder.appName(f"webstrata {flags.verb} {flags.archive}")
        if flags.master:
            builder = builder.master(flags.master)
        spark = builder.getOrCreate()
        try:
            verb = {"rows": written_as_rows, "compact": compacted}.get(flags.verb, written)
            return verb(spark, flags)
        finally:
            spark.stop()
    except Error as error:
        print(printable(f"webstrata-spark: {error}"), file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        # Ctrl-C may come while the new generation is put in place, which is not interrupted.
        print("webstrata-spark: interrupted; the archive is unchanged, unless the job was at its last step: then it is the new one",
              file=sys.stderr)
        return 2


if __name__ == "__main__":
    raise SystemExit(main())
