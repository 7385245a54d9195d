# SPDX-License-Identifier: Apache-2.0
"""The examples of docs/SPARK.md run, in the order of the page, with the sample crawls in place of those under /shared. The
commands run in this process: a JVM for each would take most of the time."""

import contextlib
import io
import os
import re
import shlex
import shutil
import sys
import tempfile
import textwrap
from pathlib import Path

import cluster

cluster.skip_unless_possible()
sys.path.insert(0, str(cluster.SOURCE / "tests" / "cli"))

from docs_test import examples_of, matches  # noqa: E402
from pyspark.sql import SparkSession  # noqa: E402
from webstrata.spark.__main__ import main as webstrata_spark  # noqa: E402

SETTINGS = """spark.master local[2]
spark.ui.enabled false
spark.driver.host 127.0.0.1
spark.driver.bindAddress 127.0.0.1
spark.ui.showConsoleProgress false
spark.sql.shuffle.partitions 2
spark.driver.extraJavaOptions -XX:TieredStopAtLevel=1 -XX:+UseSerialGC
"""
PAGE = (cluster.SOURCE / "docs" / "SPARK.md").read_text()


def here(text, folder):
    """Paths, masters and numbers of a cluster become those of this machine."""
    return text.replace("/shared", f"{folder}/shared").replace("spark://head:7077", "local[2]").replace("400", "2")


def blocks():
    """The examples of the page, indented and fenced, in order."""
    for found in re.finditer(r"(?<=\n\n)((?:    [^\n]*\n|\n(?=    ))+)|^```\w*\n(.*?)^```$", PAGE, re.M | re.S):
        yield found[1] or found[2]


def run_command(line, shown):
    """One line of a shell, and what the page says that it prints, or None."""
    words = shlex.split(line, comments=True)
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        if words[0] == "spark-submit":
            submit = re.search(r"where `submit.py` is `(.*?)`", PAGE)[1]
            sys.argv = words[words.index("submit.py"):]
            try:
                exec(submit, {})
                code = "submit.py does not end with an exit code"
            except SystemExit as end:
                code = end.code
        else:
            code = webstrata_spark(words[1:])
    assert code == 0, f"{line}: {code}\n{said.getvalue()}"
    assert matches(shown or ["…", "webstrata-spark: …", "…"], said.getvalue()), f"{line}\n--- the page shows\n{shown}\n--- it prints\n{said.getvalue()}"
    print(f"ok  {line}\n{said.getvalue()}", flush=True)


def prepare(folder):
    """The shared folder of the page, and Spark's settings where a user has them."""
    (folder / "shared" / "tmp").mkdir(parents=True)
    for name, sample in zip(("2015-01", "2016-01"), cluster.SAMPLES, strict=True):
        shutil.copy(sample, folder / "shared" / f"{name}.warc.gz")
    (folder / "files.txt").write_text(f"{folder}/shared/2015-01.warc.gz\n{folder}/shared/2016-01.warc.gz\n")
    (folder / "examples").symlink_to(cluster.SOURCE / "examples")
    (folder / "spark-defaults.conf").write_text(SETTINGS + f"spark.executorEnv.PYTHONPATH {cluster.PACKAGE}\n")
    os.environ |= {"SPARK_CONF_DIR": str(folder), "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
    os.chdir(folder)


def main():
    commands = programs = 0
    with tempfile.TemporaryDirectory() as own:
        folder = Path(own)
        prepare(folder)
        names = {"test": lambda url: True}
        for block in blocks():
            block = here(block, folder)
            if "on_spark" not in block:
                for line, shown in examples_of(block):
                    if " build " in line:
                        shutil.rmtree(shlex.split(line)[shlex.split(line).index("build") + 1], ignore_errors=True)
                    run_command(line, shown)
                    commands += 1
            else:
                names["spark"] = SparkSession.builder.getOrCreate()  # commands end theirs
                with contextlib.redirect_stdout(io.StringIO()):
                    exec(textwrap.dedent(block), names)
                print("ok  " + block.splitlines()[-1].strip(), flush=True)
                programs += 1
        SparkSession.builder.getOrCreate().stop()
        os.chdir("/")
    assert commands >= 4 and programs >= 2, f"only {commands} commands and {programs} programs"
    print(f"{commands} commands and {programs} programs of docs/SPARK.md")
    return 0


if __name__ == "__main__":
    sys.exit(main())
