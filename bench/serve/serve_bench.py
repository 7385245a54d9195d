#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Load on `webstrata serve`: requests per second, latency, CPU time and memory, with pywb's CDX server in the same run.

    bench/serve/serve_bench.py build/release/webstrata [INPUT...] [--seconds 5] [--connections 1,16,256,4096] [--out FOLDER]

Asks wrk (Debian package wrk) for random captured pages of an archive that is built from the inputs (default: the sample). Client
and server share the cores, so on a busy machine the CPU time of the server per request says more than requests per second.
`half load` repeats 16 connections with pauses, at about half the requests per second that were reached before.
"""

import argparse
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
SAMPLE = [SOURCE / "examples" / "sample" / name for name in ("2021.warc.gz", "2023.warc.gz")]
SEED = 1

LUA = """
local paths = {}
for line in io.lines("%s") do paths[#paths + 1] = line end
math.randomseed(%d)
request = function() return wrk.format("GET", paths[math.random(#paths)]) end
delay = function() return %d end
done = function(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format("RESULT %%d %%d %%f %%f %%d %%d\\n", summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
           errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
"""


def cpu_seconds(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory_mb(pid):
    return int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text()).group(1)) / 1024


def load(base, paths, connections, seconds, pid, folder, delay_ms=0):
    """One run of wrk: what it saw, and what the server used."""
    (folder / "paths.txt").write_text("\n".join(paths) + "\n")
    script = folder / "load.lua"
    script.write_text(LUA % (folder / "paths.txt", SEED, delay_ms))
    before = cpu_seconds(pid)
    done = subprocess.run(["wrk", "-t", str(min(2, connections)), "-c", str(connections), "-d", f"{seconds}s", "--timeout", "10s", "-s", script, base],
                          capture_output=True, text=True, check=True)
    used = cpu_seconds(pid) - before
    requests, micros, median, slow, bad, broken = map(float, re.search(r"RESULT (.*)", done.stdout).group(1).split())
    return {"connections": connections, "per_second": requests / (micros / 1e6), "p50_ms": median / 1e3, "p99_ms": slow / 1e3,
            "cpu_us": 1e6 * used / max(1, requests), "errors": int(bad + broken), "memory_mb": memory_mb(pid)}


def show(name, row):
    print(f"{name:34} {row['connections']:5} connections {row['per_second']:9.0f}/s  p50 {row['p50_ms']:8.2f} ms  p99 {row['p99_ms']:8.2f} ms  "
          f"{row['cpu_us']:7.1f} µs CPU  {row['errors']} errors  {row['memory_mb']:.0f} MB", flush=True)


class Server:
    """A process that answers at an address."""

    def __init__(self, command, address=None, **options):
        self.process = subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE if address is None else subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL, **options)
        self.address = address or self.process.stdout.readline().decode().strip()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(30)


def captured_urls(server):
    request = urllib.request.Request(f"{server.address}api/v1/lib/hosts?limit=100000")
    urls = []
    for host in json.load(urllib.request.urlopen(request))["hosts"]:
        query = urllib.parse.urlencode({"url": f"{host['host']}/*", "captured": "true", "limit": 100000})
        urls += [entry["url"] for entry in json.load(urllib.request.urlopen(f"{server.address}api/v1/lib/urls?{query}"))["urls"]]
    return sorted(urls)


def quoted(url):
    return urllib.parse.quote(url, safe="")


def update_again_and_again(program, archive, url, folder, stop, counts):
    """New captures of one page, one update after the other."""
    for number in range(100_000):
        if stop.is_set():
            return
        path = folder / "new.jsonl"
        time_text = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(1_900_000_000 + 86_400 * number))
        path.write_text(json.dumps({"url": url, "time": time_text, "kind": "response", "status": 200, "outcome": "alive", "mime": "text/html",
                                    "links": [{"url": f"{url}?{number}", "kinds": "navigation"}]}) + "\n")
        done = subprocess.run([program, "update", archive, path, "--quiet"], capture_output=True)
        counts["updates" if done.returncode == 0 else "failed"] = counts.get("updates" if done.returncode == 0 else "failed", 0) + 1


def pywb(archive_folder, inputs, folder):
    """pywb's CDX server over an index of the same files; None if it is not installed."""
    programs = Path(sys.executable).parent
    if not (programs / "cdx-server").exists():
        return None
    home = folder / "pywb"
    (home / "indexes").mkdir(parents=True)
    lines = set()
    for path in inputs:
        done = subprocess.run([programs / "cdxj-indexer", path], capture_output=True, text=True, check=True)
        lines |= set(done.stdout.splitlines())
    (home / "indexes" / "index.cdxj").write_text("\n".join(sorted(lines)) + "\n")
    (home / "config.yaml").write_text("collections:\n  lib: ./indexes/index.cdxj\n")
    port = random.Random(os.getpid()).randrange(20_000, 30_000)
    server = Server([programs / "cdx-server", "-p", port, "-t", "2"], f"http://127.0.0.1:{port}/", cwd=home)
    for _ in range(200):
        try:
            urllib.request.urlopen(server.address + "lib/index?url=example.org", timeout=1).read()
            return server
        except OSError:
            time.sleep(0.1)
    server.__exit__()
    return None


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("program", type=Path)
    words.add_argument("inputs", type=Path, nargs="*", default=SAMPLE)
    words.add_argument("--seconds", type=int, default=5, help="length of each run (default 5)")
    words.add_argument("--connections", default="1,16,256,4096")
    words.add_argument("--out", type=Path, help="also write the rows as JSON lines")
    given = words.parse_args()
    if not shutil.which("wrk"):
        sys.exit("wrk is not installed")
    print(f"seed {SEED}, {given.seconds} s each, load average {os.getloadavg()[0]:.1f}")
    rows = []

    def measure(name, *arguments, **options):
        row = load(*arguments, **options)
        show(name, row)
        rows.append({"name": name, **row})
        return row

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        archive = folder / "lib.ws"
        subprocess.run([given.program, "build", archive, *given.inputs, "--quiet"], check=True)
        connections = [int(word) for word in given.connections.split(",")]
        with Server([given.program, "serve", archive, "--port", "0", "--threads", "2", "--quiet"]) as server:
            pid, base = server.process.pid, server.address
            urls = captured_urls(server)
            size = memory_mb(pid)
            questions = {"links": [f"/api/v1/lib/links?url={quoted(url)}" for url in urls],
                         "links in": [f"/api/v1/lib/links?url={quoted(url)}&direction=in" for url in urls],
                         "links at": [f"/api/v1/lib/links?url={quoted(url)}&at=2022" for url in urls],
                         "captures": [f"/api/v1/lib/captures?url={quoted(url)}" for url in urls],
                         "prefix": [f"/api/v1/lib/urls?url={quoted(url[:-3])}&limit=10" for url in urls]}
            print(f"{len(urls)} pages, {size:.0f} MB at the beginning")
            best = 0
            for question, paths in questions.items():
                for count in connections:
                    row = measure(question, base, paths, count, given.seconds, pid, folder)
                    if question == "links" and count == 16:
                        best = row["per_second"]
            if best:
                measure("links, half load", base, questions["links"], 16, given.seconds, pid, folder, delay_ms=max(1, round(16 / (best / 2) * 1000)))
            stop, counts = threading.Event(), {}
            writer = threading.Thread(target=update_again_and_again, args=(given.program, archive, urls[0], folder, stop, counts))
            writer.start()
            try:
                for count in [count for count in connections if count > 1]:
                    measure("links, during updates", base, questions["links"], count, given.seconds, pid, folder)
            finally:
                stop.set()
                writer.join()
            print(f"{counts.get('updates', 0)} updates, {counts.get('failed', 0)} failed; {memory_mb(pid):.0f} MB at the end")
            cdx = [f"/cdx?url={quoted(url)}" for url in urls]
            peer = pywb(archive, given.inputs, folder)
            for count in [count for count in connections if count <= 16]:
                ours = measure("cdx", base, cdx, count, given.seconds, pid, folder)
                if peer is None:
                    continue
                theirs = measure("cdx of pywb", peer.address, [path.replace("/cdx", "/lib/index") for path in cdx], count, given.seconds, peer.process.pid, folder)
                print(f"{theirs['cpu_us'] / ours['cpu_us']:.1f} times less CPU time per request than pywb")
            if peer is None:
                print("pywb is not installed: not compared")
            else:
                peer.__exit__()
    if given.out:
        given.out.write_text("".join(json.dumps(row) + "\n" for row in rows))


if __name__ == "__main__":
    main()
