#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Requests per second over loopback: 1,000 virtual hosts of nginx, crawled by webstrata and by wget.

    throughput.py PROGRAM [HOSTS] [PAGES] [SECONDS]

webstrata crawls all of it, with WARC and ledger, every request on disk before it leaves. wget reaches the hosts through nginx as a
proxy, one request at a time, writes files, keeps no ledger, and is ended after SECONDS (60). Requests are counted in nginx's log.
"""

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "fetch"))
os.environ.setdefault("WEBSTRATA_SOURCE", "")
os.environ.setdefault("WEBSTRATA_PROGRAM", sys.argv[1])
import web_server  # noqa: E402

HOSTS, PAGES, SECONDS = (int(sys.argv[place]) if len(sys.argv) > place else usual for place, usual in ((2, 1000), (3, 20), (4, 60)))


def make_web(root):
    filler = "<p>" + "words and more words " * 150
    for host in range(HOSTS):
        folder = root / f"h{host}"
        folder.mkdir(parents=True)
        for page in range(PAGES):
            links = [f"http://h{host}.docs.example/{(page + step) % PAGES}.html" for step in (1, 2, 3)]
            links += [f"http://h{(host * 7 + page * 13 + step) % HOSTS}.docs.example/0.html" for step in range(5)]
            (folder / f"{page}.html").write_text("".join(f"<a href='{link}'>x</a>" for link in links) + filler)
        (folder / "robots.txt").write_text("User-agent: *\nDisallow: /private\n")


def measured(command, seconds_max=None):
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    if seconds_max:
        threading.Timer(seconds_max, process.terminate).start()
    output = process.stdout.read()
    _, _, usage = os.wait4(process.pid, 0)
    process.returncode = 0  # it has already ended
    return output, time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1000


def tell(name, requests, seconds, cpu, memory):
    print(f"{name:22} {requests:7} requests  {requests / seconds:8.0f}/s  {cpu / requests * 1e6:7.0f} us CPU each  {memory:6.0f} MB", flush=True)
    return requests / seconds


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        make_web(folder / "web")
        with web_server.Nginx(folder / "nginx", folder / "web") as server:
            seeds = folder / "seeds"
            seeds.write_text("".join(f"http://h{host}.docs.example/0.html\n" for host in range(HOSTS)))
            output, *figures = measured([sys.argv[1], "crawl", folder / "job", f"@{seeds}", "--agent", "bench (+https://bench.example/)",
                                         "--connect-to", f"127.0.0.1:{server.port}", "--delay", "0s", "--domain", "docs.example", "--json", "-q"])
            ours = tell("webstrata crawl", json.loads(output)["requests"], *figures)
            before = len(server.log())
            proxy = f"http://127.0.0.1:{server.port}"
            _, *figures = measured(["wget", "-q", "-r", "-l", "inf", "-H", "-D", "docs.example", "-i", seeds, "-P", folder / "mirror",
                                    "-e", "use_proxy=on", "-e", f"http_proxy={proxy}"], SECONDS)
            theirs = tell("wget -r", len(server.log()) - before, *figures)
            print(f"ratio {ours / theirs:.2f}")


if __name__ == "__main__":
    main()
