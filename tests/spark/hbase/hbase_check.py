# SPDX-License-Identifier: Apache-2.0
"""Loads the rows of an archive into a real HBase, split at the boundaries that `rows` writes, and reads back links at a time.

    mvn -q -f tests/spark/hbase/pom.xml dependency:copy-dependencies -DincludeScope=runtime -DoutputDirectory=/tmp/hbase
    WEBSTRATA_SOURCE=. WEBSTRATA_BUILD=build/dev WEBSTRATA_PROGRAM=build/dev/webstrata \
        python tests/spark/hbase/hbase_check.py /tmp/hbase

HBase runs as one process with its own ZooKeeper and a Thrift server, on loopback and in a temporary folder. It takes a few
hundred megabytes of jars, so it is not part of the test suite.
"""

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parent.parent))
import cluster
from cluster import SAMPLES, Clock, session, single

cluster.skip_unless_possible()

import pyarrow.parquet  # noqa: E402
import webstrata  # noqa: E402
from thrift2 import Connection, Refused  # noqa: E402
from webstrata import spark as on_spark  # noqa: E402

OPENED = ["java.base/java.lang", "java.base/java.lang.reflect", "java.base/java.nio", "java.base/sun.nio.ch", "java.base/java.util",
          "java.base/java.util.concurrent", "java.base/jdk.internal.ref", "java.base/java.net"]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class HBase:
    def __init__(self, jars, folder):
        self.folder = folder
        self.jars = jars
        self.processes = []
        self.port, keeper = free_port(), free_port()
        settings = {"hbase.rootdir": f"file://{folder}/root", "hbase.cluster.distributed": "false", "hbase.tmp.dir": f"{folder}/tmp",
                    "hbase.unsafe.stream.capability.enforce": "false", "hbase.zookeeper.property.dataDir": f"{folder}/keeper",
                    "hbase.zookeeper.property.clientPort": keeper, "hbase.zookeeper.quorum": "127.0.0.1",
                    "hbase.master.hostname": "127.0.0.1", "hbase.regionserver.hostname": "127.0.0.1",
                    "hbase.master.ipc.address": "127.0.0.1", "hbase.regionserver.ipc.address": "127.0.0.1",
                    "hbase.master.port": free_port(), "hbase.regionserver.port": free_port(),
                    "hbase.master.info.port": -1, "hbase.regionserver.info.port": -1, "hbase.thrift.info.port": -1,
                    "hbase.wal.provider": "filesystem", "hbase.regionserver.thrift.ipaddress": "127.0.0.1",
                    "hbase.regionserver.handler.count": 5, "hbase.localcluster.assign.random.ports": "false"}
        conf = folder / "conf"
        conf.mkdir()
        (conf / "hbase-site.xml").write_text("<configuration>" + "".join(
            f"<property><name>{name}</name><value>{value}</value></property>" for name, value in settings.items()) + "</configuration>")
        (conf / "log4j.properties").write_text("log4j.rootLogger=WARN,out\nlog4j.appender.out=org.apache.log4j.ConsoleAppender\n"
                                               "log4j.appender.out.layout=org.apache.log4j.PatternLayout\n"
                                               "log4j.appender.out.layout.ConversionPattern=%d{HH:mm:ss} %p %c{1}: %m%n\n")
        self.start("master", "org.apache.hadoop.hbase.master.HMaster", "start")
        self.start("thrift", "org.apache.hadoop.hbase.thrift2.ThriftServer", "-p", str(self.port), "--infoport", "-1", "start")

    def start(self, name, *command):
        opened = [word for package in OPENED for word in ("--add-opens", f"{package}=ALL-UNNAMED")]
        with open(self.folder / f"{name}.log", "w") as log:
            self.processes.append(subprocess.Popen(["java", "-Xmx512m", *opened, "-cp", f"{self.folder}/conf:{self.jars}/*", *command],
                                                   stdout=log, stderr=log, cwd=self.folder))

    def connect(self, seconds=240):
        """When it answers."""
        until = time.monotonic() + seconds
        last = None
        while True:
            if any(process.poll() is not None for process in self.processes) or time.monotonic() > until:
                logs = "".join((self.folder / f"{name}.log").read_text()[-3000:] for name in ("master", "thrift"))
                raise RuntimeError(f"HBase did not come up; last answer: {last}\n{logs}")
            try:
                connection = Connection(self.port)
                connection.table_count()
                return connection
            except (OSError, Refused) as error:
                last = error
                time.sleep(1)

    def stop(self):
        for process in reversed(self.processes):
            process.kill()
            process.wait(60)


def cells_of(row):
    """A cell for each layer: keys in hexadecimal, everything in JSON."""
    lists = {"links": [key.hex() for key in row["links"]], "in_links": [key.hex() for key in row["in_links"]]}
    plain = {name: row[name] for name in ("times", "presence", "kinds", "counts", "sightings", "ranges", "in_presence")}
    return {b"url": row["url"].encode(), **{name.encode(): json.dumps(value).encode() for name, value in {**lists, **plain}.items()}}


def links_at(store, key, moment):
    """The URLs that a page linked to at a time at which it existed: from its row and the rows of its targets."""
    cells = store.get(b"web", key)
    times = json.loads(cells[b"times"])
    row = max(place for place, time in enumerate(times) if time <= moment)
    links = json.loads(cells[b"links"])
    present = json.loads(cells[b"presence"])[row]
    return {store.get(b"web", bytes.fromhex(links[place]))[b"url"].decode() for place in present}


def main():
    jars = Path(sys.argv[1]).resolve()
    clock = Clock()
    with tempfile.TemporaryDirectory() as own:
        folder = Path(own)
        single(folder, "lib.ws", *SAMPLES)
        library = webstrata.open(folder / "lib.ws")
        hbase_folder = folder / "hbase"
        hbase_folder.mkdir()
        hbase = HBase(jars, hbase_folder)
        try:
            spark = session("local[2]")
            told = on_spark.rows(spark, str(folder / "lib.ws"), str(folder / "rows.parquet"), partitions=4)
            spark.stop()
            clock.done("rows are written")
            store = hbase.connect()
            clock.done("HBase is up")
            store.create_table(b"web", b"d", told.boundaries)
            assert store.region_starts(b"web") == sorted([b""] + told.boundaries), store.region_starts(b"web")
            rows = []
            for path in sorted((folder / "rows.parquet").glob("part-*.parquet")):
                rows += [(row["key"], cells_of(row)) for row in pyarrow.parquet.read_table(path).to_pylist()]
            for first in range(0, len(rows), 200):
                store.put(b"web", b"d", rows[first:first + 200])
            clock.done(f"{len(rows)} rows are loaded into {len(told.boundaries) + 1} regions")
            host = b"example,docs,python-quart-doc)"
            found = store.scan(b"web", host, host[:-1] + b"*", 10_000)
            due = library.urls(host="python-quart-doc.docs.example")
            assert len(found) == len(due) > 10, (len(found), len(due))
            asked = links = 0
            for moment in ("2021", "2022-06", "2023"):
                for url in library.urls(host="python-quart-doc.docs.example", pages=True).values("url"):
                    if library.state(url, at=moment).state != "present":
                        continue
                    at = webstrata._words.moment_of(moment)
                    expected = set(library.links(url, at=moment).values("url"))
                    assert links_at(store, library._core.key(library.url(url).uid).encode(), at) == expected, (url, moment)
                    asked, links = asked + 1, links + len(expected)
            assert asked > 20 and links > 200, (asked, links)
            clock.done(f"{links} links of {asked} pages at a time are those of the archive")
        finally:
            hbase.stop()


main()
