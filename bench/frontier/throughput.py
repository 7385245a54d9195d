#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a frontier service does per second, and what it needs.

    bench/frontier/throughput.py build/release                          # ours: 1, 8 and 64 clients, a million URLs in 1,000 and 100,000 queues
    bench/frontier/throughput.py build/release --restart 10000000       # also the time to start again with that many URLs
    bench/frontier/throughput.py build/release --peer 127.0.0.1:7072 --peer-pid 123    # the same load on another service, which must be empty

Load comes from frontier_bench on the same machine, so that both share its cores; CPU time is the service's alone. A get asks for
all URLs of as many queues as have about a thousand. The reference service is in no package registry: run it by hand and name it with --peer.
"""

import argparse
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def cpu_seconds(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def memory_mb(pid, name):
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(name):
            return int(line.split()[1]) / 1024
    return 0


def disk_mb(folder):
    return sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file()) / 2**20


class Ours:
    def __init__(self, build, folder):
        self.program, self.folder = Path(build) / "webstrata", folder
        self.port = free_port()
        self.address = f"127.0.0.1:{self.port}"

    def start(self):
        """The seconds until it answers."""
        begin = time.time()
        self.process = subprocess.Popen([self.program, "frontier", self.folder, "--port", str(self.port), "-q"], stdout=subprocess.PIPE)
        line = self.process.stdout.readline()  # the address, once it listens
        assert line, "the service did not start"
        self.pid = self.process.pid
        return time.time() - begin

    def stop(self):
        self.process.terminate()
        self.process.wait(120)


class Peer:
    def __init__(self, address, pid):
        self.address, self.pid, self.folder = address, pid or os.getpid(), None

    def start(self):
        return 0

    def stop(self):
        pass


def load(build, service, task, **words):
    """Items per second, and microseconds of the service's CPU time for each."""
    command = [Path(build) / "bench" / "frontier_bench", service.address, task]
    for name, value in words.items():
        command += ["--" + name.replace("_", "-"), str(value)]
    before = cpu_seconds(service.pid)
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    cpu = cpu_seconds(service.pid) - before
    return found["items"], found["items"] / found["seconds"], cpu / max(found["items"], 1) * 1e6


def about_a_thousand(urls, queues):
    """A get of N queues; without a limit per queue, since a queue with its fill in process gives nothing."""
    return {"queues_at_once": max(1, round(1000 * queues / urls)), "urls_per_queue": 10**6}


def measure(build, make, options):
    print(f"| queues | clients | puts/s | µs | gets/s | µs | reports/s | µs | memory, MB | peak |\n| {'--- | ' * 10}".rstrip())
    for queues in options.queues:
        for clients in options.clients:
            service = make()
            service.start()
            _, puts, put_cpu = load(build, service, "put", clients=clients, urls=options.urls, queues=queues)
            taken, gets, get_cpu = load(build, service, "get", clients=clients, seconds=options.seconds, **about_a_thousand(options.urls, queues))
            done, reports, report_cpu = load(build, service, "report", clients=clients, urls=options.urls // 4, queues=queues)
            print(f"| {queues:,} | {clients} | {puts:,.0f} | {put_cpu:.1f} | {gets:,.0f} | {get_cpu:.1f} | {reports:,.0f} | {report_cpu:.1f} | "
                  f"{memory_mb(service.pid, 'VmRSS'):.0f} | {memory_mb(service.pid, 'VmHWM'):.0f} |", flush=True)
            assert taken and done
            service.stop()
            if service.folder:
                shutil.rmtree(service.folder)


def measure_restart(build, make, urls, queues):
    service = make()
    service.start()
    _, puts, cpu = load(build, service, "put", clients=8, urls=urls, queues=queues)
    print(f"{urls:,} URLs in {queues:,} queues: {puts:,.0f} puts/s, {cpu:.1f} µs each; {memory_mb(service.pid, 'VmRSS'):.0f} MB in memory "
          f"(peak {memory_mb(service.pid, 'VmHWM'):.0f}), {disk_mb(service.folder):.0f} MB on disk", flush=True)
    service.process.kill()
    service.process.wait()
    first = service.start()
    _, gets, get_cpu = load(build, service, "get", clients=1, seconds=5, **about_a_thousand(urls, queues))
    print(f"after kill -9 it answers in {first:.2f} s, {memory_mb(service.pid, 'VmRSS'):.0f} MB; then {gets:,.0f} gets/s, {get_cpu:.1f} µs each")
    service.stop()
    print(f"after a stop it answers in {service.start():.2f} s")
    service.stop()
    shutil.rmtree(service.folder)


def main():
    numbers = lambda text: [int(one) for one in text.split(",")]  # noqa: E731
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", help="folder of a build with the program and frontier_bench")
    parser.add_argument("--clients", type=numbers, default=[1, 8, 64])
    parser.add_argument("--queues", type=numbers, default=[1000, 100_000])
    parser.add_argument("--urls", type=int, default=1_000_000)
    parser.add_argument("--seconds", type=float, default=20, help="the longest time for gets")
    parser.add_argument("--restart", type=int, default=0, help="URLs for the time to start again")
    parser.add_argument("--folder", help="where frontiers are stored (default: a temporary folder)")
    parser.add_argument("--peer", help="address of another service")
    parser.add_argument("--peer-pid", type=int, help="its process, for memory and CPU time")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        count = iter(range(10**6))
        make = lambda: Ours(options.build, Path(folder) / str(next(count)))  # noqa: E731
        if options.urls:
            measure(options.build, make, options)
            if options.peer:
                print(f"\n{options.peer}:")
                measure(options.build, lambda: Peer(options.peer, options.peer_pid), options)
        if options.restart:
            measure_restart(options.build, make, options.restart, options.queues[-1])


if __name__ == "__main__":
    main()
