#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How early two crawlers find the pages that are still alive: a frontier in the archive's order against first in, first out.

    bench/frontier/living_pages.py build/release/webstrata                                       # the sample crawls
    bench/frontier/living_pages.py build/release/webstrata --openbsd ../shared/data/openbsd-www --picture docs/pictures/frontier.svg

An archive is built from the older crawl files, and all of its pages are put into the frontier in the order of that crawl. Two processes of
examples/scrapy_frontier take them from the service, fetch them from a replay of the newer files and report the status. Prints, for shares
of all requests, how many of the living pages had been found.
"""

import argparse
import gzip
import io
import json
import random
import socket
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
EXAMPLE = SOURCE / "examples" / "scrapy_frontier"
SAMPLE = SOURCE / "examples" / "sample"
SHARES = (0.1, 0.2, 0.3, 0.5, 0.7, 1.0)
COLOURS = {"archive": "#1b6ca8", "first in, first out": "#b8552b", "best possible": "#999999"}


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


class Running:
    """A command that prints its address and serves until it is stopped."""

    def __init__(self, *words):
        self.process = subprocess.Popen(list(map(str, words)), stdout=subprocess.PIPE, text=True)
        self.line = self.process.stdout.readline().strip()
        assert self.line, f"{words} did not start"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(60)


def write_warc(path, pages, date):
    from warcio.statusandheaders import StatusAndHeaders  # noqa: PLC0415
    from warcio.warcwriter import WARCWriter  # noqa: PLC0415

    with open(path, "wb") as out:
        writer = WARCWriter(out, gzip=True)
        for url, body in pages:
            head = StatusAndHeaders("200 OK", [("Content-Type", "text/html"), ("Content-Length", str(len(body)))], protocol="HTTP/1.1")
            writer.write_record(writer.create_warc_record(url, "response", payload=io.BytesIO(body), http_headers=head,
                                                          warc_headers_dict={"WARC-Date": date}))


def openbsd_crawls(data, folder, seed):
    """www.openbsd.org as it was on 2006-01-01, in a random order, and its pages that were still alive on 2026-08-22."""
    plain = lambda url: url.replace("https:", "http:")  # noqa: E731; a replay has no TLS
    with gzip.open(data / "liveness_20260822.tsv.gz", "rt") as lines:
        next(lines)
        alive = {plain(url): last == "1" for url, _, _, last in (line.rstrip("\n").split("\t") for line in lines)}
    with tarfile.open(data / "html_20060101.tar.gz") as files:
        pages = [(f"http://www.openbsd.org/{one.name.removeprefix('./')}", files.extractfile(one).read()) for one in files if one.isfile()]
    pages = [(url, body) for url, body in pages if url.endswith(".html") and url in alive]
    random.Random(seed).shuffle(pages)
    print(f"seed {seed}")
    write_warc(folder / "2006.warc.gz", pages, "2006-01-01T00:00:00Z")
    write_warc(folder / "2026.warc.gz", [(url, b"<html>alive</html>") for url, _ in pages if alive[url]], "2026-08-22T00:00:00Z")
    return [folder / "2006.warc.gz"], [folder / "2026.warc.gz"]


def make_stubs(folder):
    protocol = SOURCE / "webstrata" / "frontier" / "urlfrontier.proto"
    subprocess.run([sys.executable, "-m", "grpc_tools.protoc", f"-I{protocol.parent}", f"--python_out={folder}",
                    f"--grpc_python_out={folder}", protocol], check=True)


def pages_of(program, old):
    """URLs of the old crawl, in its order, each once."""
    found = subprocess.run([program, "extract", *map(str, old), "--as", "jsonl"], capture_output=True, text=True, check=True).stdout
    urls = (json.loads(line) for line in found.splitlines())
    return list(dict.fromkeys(one["url"] for one in urls if one.get("status") == 200 and one["url"].startswith("http")))


def put_all(address, urls, folder):
    sys.path.insert(0, str(folder))
    sys.path.insert(0, str(EXAMPLE))
    from frontier_scheduler import Frontier  # noqa: PLC0415
    import urlfrontier_pb2 as pb  # noqa: PLC0415

    frontier = Frontier(address)
    frontier.stub.SetActive(pb.Active(state=False))  # until both crawlers run
    frontier.stub.SetDelay(pb.QueueDelayParams(delay_requestable=0))
    assert frontier.discover(urls) == len(urls)
    return lambda: frontier.stub.SetActive(pb.Active(state=True))


def crawl(options, folder, order, urls, proxy):
    """Statuses of the requests of both crawlers, in their order."""
    port = free_port()
    job = folder / order.replace(" ", "-").replace(",", "")
    archive = ["--archive", folder / "old.ws"] if order == "archive" else []
    with Running(options.program, "frontier", job, "--port", port, "-q", *archive):
        begin_now = put_all(f"127.0.0.1:{port}", urls, folder)
        logs = [folder / f"{job.name}-{number}.tsv" for number in range(2)]
        command = [sys.executable, EXAMPLE / "crawl.py", f"127.0.0.1:{port}", "--proxy", proxy, "--no-links", "--concurrent",
                   options.concurrent]
        crawlers = [subprocess.Popen([*map(str, command), "--log", str(log)], env={"PYTHONPATH": f"{folder}:{EXAMPLE}", "PATH": "/usr/bin:/bin"})
                    for log in logs]
        try:
            while not all(log.exists() for log in logs):
                assert all(crawler.poll() is None for crawler in crawlers), "a crawler failed"
                time.sleep(0.1)
            time.sleep(1)
            begin = time.time()
            begin_now()
            for crawler in crawlers:
                assert crawler.wait(options.seconds) == 0, "a crawler failed"
        finally:
            for crawler in crawlers:
                crawler.kill()
    lines = [line.split("\t") for log in logs for line in log.read_text().splitlines()]
    counts = [sum(1 for _ in log.open()) for log in logs]
    print(f"{order}: {len(lines):,} requests by two crawlers ({counts[0]:,} and {counts[1]:,}) in {time.time() - begin:.0f} s", flush=True)
    assert sorted(url for _, _, url in lines) == sorted(urls), "not every page was requested once"
    return [int(status) == 200 for _, status, _ in sorted(lines, key=lambda line: float(line[0]))]


def found_after(alive):
    """Living pages found after 0, 1, 2, … requests."""
    sums = [0]
    for one in alive:
        sums.append(sums[-1] + one)
    return sums


def area(sums):
    """Mean share of the living pages that were found, over all numbers of requests."""
    return sum(sums) / len(sums) / max(sums[-1], 1)


def picture(curves):
    """Lines of living pages against requests, as SVG."""
    width, height, left, bottom = 640, 400, 60, 50
    most = max(len(sums) for sums in curves.values()) - 1
    top = max(sums[-1] for sums in curves.values())
    x = lambda number: left + number / most * (width - left - 20)  # noqa: E731
    y = lambda number: height - bottom - number / top * (height - bottom - 20)  # noqa: E731
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="13">',
             f'<rect width="{width}" height="{height}" fill="#fff"/>',
             f'<path d="M{left} 20V{height - bottom}H{width - 20}" fill="none" stroke="#444"/>',
             f'<text x="{(left + width) / 2}" y="{height - 12}" text-anchor="middle">requests ({most:,})</text>',
             f'<text transform="rotate(-90)" x="-{(height - bottom) / 2}" y="18" text-anchor="middle">living pages found ({top:,})</text>']
    for i in range(5):
        parts.append(f'<text x="{x(most * i / 4):.0f}" y="{height - bottom + 18}" text-anchor="middle">{most * i // 4:,}</text>')
        parts.append(f'<text x="{left - 6}" y="{y(top * i / 4) + 4:.0f}" text-anchor="end">{top * i // 4:,}</text>')
    for row, (name, sums) in enumerate(curves.items()):
        step = max(1, len(sums) // 300)
        points = [*range(0, len(sums), step), len(sums) - 1]
        line = " ".join(f"{x(at):.1f},{y(sums[at]):.1f}" for at in points)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{COLOURS[name]}" stroke-width="2"/>')
        parts.append(f'<text x="{width - 180}" y="{height - bottom - 70 + row * 20}" fill="{COLOURS[name]}">{name}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="webstrata")
    parser.add_argument("--old", nargs="+", default=[SAMPLE / "2021.warc.gz"], help="files of the older crawl")
    parser.add_argument("--new", nargs="+", default=[SAMPLE / "2023.warc.gz"], help="files of the newer crawl")
    parser.add_argument("--openbsd", type=Path, help="take www.openbsd.org of 2006 and of 2026 instead: the folder of its data")
    parser.add_argument("--seed", type=int, default=1, help="order of the pages of --openbsd")
    parser.add_argument("--pages", type=int, default=0, help="take every nth page so that about as many are left (default: all)")
    parser.add_argument("--concurrent", type=int, default=4, help="requests at a time of each crawler")
    parser.add_argument("--seconds", type=int, default=1800, help="the longest time for a crawl")
    parser.add_argument("--picture", help="write the curves there, as SVG")
    parser.add_argument("--json", action="store_true", help="also print the figures as a line of JSON")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_stubs(folder)
        if options.openbsd:
            options.old, options.new = openbsd_crawls(options.openbsd, folder, options.seed)
        subprocess.run([options.program, "build", folder / "old.ws", *map(str, options.old), "-q"], check=True)
        urls = pages_of(options.program, options.old)
        if options.pages and options.pages < len(urls):
            urls = urls[:: max(1, len(urls) // options.pages)]
        with Running(options.program, "replay", *options.new, "--port", "0", "-q") as replay:
            curves = {order: found_after(crawl(options, folder, order, urls, replay.line)) for order in ("archive", "first in, first out")}
        living = max(sums[-1] for sums in curves.values())
        curves["best possible"] = found_after([True] * living + [False] * (len(urls) - living))
        print(f"\n{len(urls):,} pages, {living:,} of them alive\n\n| living pages found | {' | '.join(f'{share:.0%}' for share in SHARES)} | mean |")
        print("| --- " * (len(SHARES) + 2) + "|")
        for order, sums in curves.items():
            print(f"| {order} | " + " | ".join(f"{sums[round(share * len(urls))] / living:.0%}" for share in SHARES) + f" | {area(sums):.3f} |")
        if options.picture:
            Path(options.picture).write_text(picture(curves))
        if options.json:
            print(json.dumps({"pages": len(urls), "living": living, **{order: area(sums) for order, sums in curves.items()}}))


if __name__ == "__main__":
    main()
