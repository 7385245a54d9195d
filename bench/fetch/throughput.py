#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Requests per second over loopback: 1,000 virtual hosts of nginx, crawled by webstrata and by wget.

    throughput.py PROGRAM [HOSTS] [PAGES] [SECONDS]

Both start from one page, from which all others can be reached. webstrata writes WARC and a ledger, with every request on disk before it
leaves. wget reaches the hosts through nginx as a proxy, one request at a time, writes files, keeps no ledger, and is ended after SECONDS
(120). Requests are counted, and their rate is computed, from the first to the last line of nginx's log: what a program does before and
after its requests does not count.
"""

import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "fetch"))
os.environ.setdefault("WEBSTRATA_SOURCE", "")
os.environ.setdefault("WEBSTRATA_PROGRAM", sys.argv[1])
import web_server  # noqa: E402

HOSTS, PAGES, SECONDS = (int(sys.argv[place]) if len(sys.argv) > place else usual for place, usual in ((2, 1000), (3, 20), (4, 120)))


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


def measured(command, server, seconds_max=None):
    """Requests, seconds from the first to the last of them, CPU seconds and MB of memory of a crawl."""
    before = len(server.log())
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if seconds_max:
        threading.Timer(seconds_max, process.terminate).start()
    _, _, usage = os.wait4(process.pid, 0)
    process.returncode = 0  # it has already ended
    times = [request[0] for request in server.log()[before:]]
    return len(times), max(times) - min(times), usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1000


def show(name, requests, seconds, cpu, memory):
    print(f"{name:22} {requests:7} requests  {requests / seconds:8.0f}/s  {cpu / requests * 1e6:7.0f} us CPU each  {memory:6.0f} MB", flush=True)
    return requests / seconds


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        make_web(folder / "web")
        with web_server.Nginx(folder / "nginx", folder / "web") as server:
            seed = "http://h0.docs.example/0.html"
            ours = show("webstrata crawl", *measured([sys.argv[1], "crawl", folder / "job", seed, "--agent", "bench (+https://bench.example/)",
                                                      "--connect-to", f"127.0.0.1:{server.port}", "--delay", "0s", "--domain", "docs.example", "-q"], server))
            theirs = show("wget -r", *measured(["wget", "-q", "-r", "-l", "inf", "-H", "-D", "docs.example", seed, "-P", folder / "mirror",
                                                "-e", "use_proxy=on", "-e", f"http_proxy=http://127.0.0.1:{server.port}"], server, SECONDS))
            print(f"ratio {ours / theirs:.2f}")


if __name__ == "__main__":
    main()
