#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Real pages over real HTTP: a crawl finds all that links lead to, its WARC files are read by others, an archive built from
them has the links of the files themselves, and the order of a crawl is the simulator's."""

import io
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

import miniweb_test
import web_server
from running import expect, run, skip
from serving import AGENT

SIMULATED_AGAIN = Path(os.environ["WEBSTRATA_BUILD"]) / "tests" / "simulated_again"


def crawl(server, job, seeds, *flags):
    code, output, errors = run("crawl", job, f"@{seeds}", "--agent", AGENT, "--connect-to", f"127.0.0.1:{server.port}",
                               "--delay", "0s", "--domain", "docs.example", "--json", *flags, timeout=600)
    expect(code == 0, errors)
    return json.loads(output)


def warc_files(job):
    return sorted((job / "warc").glob("*.warc.gz"))


def ledger(job):
    return [json.loads(line) for line in run("crawl", job, "--ledger")[1].splitlines()]


def file_of(root, url):
    """The file that the server answers with; None if it has none."""
    parts = urlsplit(url)
    path = root / parts.hostname.removesuffix(".docs.example") / unquote(parts.path).lstrip("/")
    path = path / "index.html" if parts.path.endswith("/") else path
    return path if path.is_file() else None


def expect_peers_read(files, answers):
    from fastwarc.warc import ArchiveIterator as FastIterator, WarcRecordType
    from warcio.archiveiterator import ArchiveIterator
    for file in files:
        with open(file, "rb") as stream:
            for record in ArchiveIterator(stream, check_digests="raise"):
                record.content_stream().read()
    done = subprocess.run([sys.executable, "-m", "warcio.cli", "check", *files], capture_output=True, text=True)
    expect(done.returncode == 0, f"warcio check: {done.stdout} {done.stderr}")
    count = 0
    for file in files:
        with open(file, "rb") as stream:
            count += sum(1 for _ in FastIterator(stream, record_types=WarcRecordType.response))
    expect(count == answers, f"fastwarc reads {count} responses, not {answers}")


def links_in(path):
    """(source, target) of every link."""
    code, output, errors = run("extract", "--as", "tsv", *path)
    expect(code == 0, errors)
    return {(line.split("\t")[1], line.split("\t")[2]) for line in output.splitlines()}


def warc_of_files(root, urls, path):
    """What the files hold, written by another tool."""
    from warcio.statusandheaders import StatusAndHeaders
    from warcio.warcwriter import WARCWriter
    with open(path, "wb") as out:
        writer = WARCWriter(out, gzip=True)
        for url in urls:
            body = file_of(root, url).read_bytes()
            headers = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
            writer.write_record(writer.create_warc_record(url, "response", payload=io.BytesIO(body), http_headers=headers))


def test_the_archive_is_that_of_the_files(server, root, seeds, folder):
    job = folder / "job"
    told = crawl(server, job, seeds)
    expect(told["end"] == "nothing-left", told)
    lines = ledger(job)
    found = {line["url"] for line in lines if line["record"] == "url" and line.get("outcome") == "alive"}
    answers = sum(1 for line in lines if line["record"] == "charge" and "file" in line)
    expect_peers_read(warc_files(job), answers)

    pages = sorted(url for url in found if urlsplit(url).path.endswith((".html", "/")))
    warc_of_files(root, pages, folder / "files.warc.gz")
    ours = {link for link in links_in(warc_files(job)) if link[0] in set(pages)}
    theirs = links_in([folder / "files.warc.gz"])
    expect(ours == theirs, f"{len(ours)} links, not {len(theirs)}: {sorted(ours ^ theirs)[:3]}")
    for _, target in theirs:
        there = urlsplit(target).netloc.endswith(".docs.example") and file_of(root, target)
        expect(not there or target in found or "?" in target, f"{target} was never asked")

    code, _, errors = run("build", folder / "lib.ws", *warc_files(job), "-q")
    expect(code == 0, errors)
    code, _, errors = run("update", folder / "lib.ws", *warc_files(job), "-q")
    expect(code == 0, errors)
    code, output, _ = run("info", folder / "lib.ws", "--json")
    expect(code == 0 and json.loads(output), output)
    print(f"  {len(found)} pages with {told['requests']} requests, {len(theirs)} links")

    # The second time everything is known: revisits, which say the same.
    told = crawl(server, folder / "again", seeds, "--archive", folder / "lib.ws")
    from warcio.archiveiterator import ArchiveIterator
    kinds = {}
    for file in warc_files(folder / "again"):
        with open(file, "rb") as stream:
            for record in ArchiveIterator(stream):
                kinds[record.rec_type] = kinds.get(record.rec_type, 0) + 1
    expect(kinds.get("revisit") == len(found), f"{kinds}, and {len(found)} pages are as they were")
    code, _, errors = run("update", folder / "lib.ws", *warc_files(folder / "again"), "-q")
    expect(code == 0, errors)


def expect_grounds(order, job):
    """The ledger says by what each page was chosen. Every page is worth 1 here, so nh-n-sum is the number of pages that came
    before and link to it: one at least."""
    asked = [line for line in ledger(job) if line["record"] == "charge" and line["kind"] == "page"]
    expect(asked[0]["why"] == "seed" and asked[0]["score"] == 0, asked[0])
    for charge in asked[1:]:
        expect(charge["why"].split(":")[0] == order, charge)
        expect(order != "nh-n-sum" or (charge["score"] >= 1 and charge["score"] == int(charge["score"])), charge)
    experts = {charge["why"] for charge in asked[1:]}
    expect(order != "extra" or experts <= {"extra: learner", "extra: cash", "extra: siblings"}, experts)


def test_the_order_is_the_simulators(server, root, seeds, folder):
    first = folder / "first"
    first.write_text(seeds.read_text().splitlines()[0] + "\n")
    for order in ("bf", "extra", "nh-n-sum"):
        job = folder / order
        told = crawl(server, job, first, "--by", order, "--seed", "3", "--budget", "32", "--connections", "1")
        done = subprocess.run([SIMULATED_AGAIN, job, order, "3", "32"], capture_output=True, text=True)
        expect(done.returncode == 0, f"{order}: {done.stdout[-500:]} {done.stderr}")
        steps = done.stdout.splitlines()
        expect(len(steps) > 20, f"{order}: {told}")
        expect_grounds(order, job)
        print(f"  {order}: harvest {steps[-1].split()[2]} after {len(steps)} pages, as simulated")


def curve(job):
    """The harvest after each page, according to the ledger."""
    return [line["harvest"] for line in ledger(job) if line["record"] == "page"]


def test_a_topic_crawl_harvests_what_the_simulator_says(server, root, seeds, folder):
    """With all pages of the hosts, by EXTRA and breadth first; the harvest is the sum of what pages are about the topic."""
    wide = folder.parent / "wide"
    found = miniweb_test.unpack("bullseye", wide, None, 10**6)
    starts, topic = folder / "starts", folder / "network.topic"
    starts.write_text("".join(f"http://{host}.docs.example/{quote(paths[0])}\n" for host, paths in found.items()))
    topic.write_text("network\nrequest\nrequests\nsocket\nserver\n")
    curves = {}
    with web_server.Nginx(folder.parent / "nginx-wide", wide) as server:
        for order in ("extra", "bf"):
            job = folder / order
            told = crawl(server, job, starts, "--by", order, "--topic", topic, "--seed", "3", "--budget", "200", "--connections", "1")
            expect(told["end"] == "spent" and told["requests"] == 200, told)
            done = subprocess.run([SIMULATED_AGAIN, job, order, "3", "200"], capture_output=True, text=True)
            expect(done.returncode == 0, f"{order}: {done.stdout[-500:]} {done.stderr}")
            simulated = [float(line.split("\t")[2]) for line in done.stdout.splitlines()]
            curves[order] = curve(job)
            # The seeds come first, the simulator counts them before its first step.
            ours = curves[order][-len(simulated):]
            expect(all(abs(a - b) < 1e-5 for a, b in zip(ours, simulated)), f"{order}: {ours[-3:]}, simulated {simulated[-3:]}")
            expect(abs(told["harvest"] - simulated[-1]) < 1e-5, f"{told['harvest']} is not {simulated[-1]}")
            points = [round(curves[order][len(curves[order]) * part // 4 - 1], 1) for part in (1, 2, 3, 4)]
            print(f"  {order}: harvest {points} at the quarters of {len(curves[order])} pages, as simulated")
    # In the middle of the crawl: at its end any order has found most pages.
    middle = {order: harvests[len(harvests) // 2] for order, harvests in curves.items()}
    expect(middle["extra"] > middle["bf"], f"EXTRA finds less about the topic than breadth first: {middle}")


def main():
    if not miniweb_test.MINIWEB.exists() or not web_server.is_there() or not SIMULATED_AGAIN.exists():
        skip(f"needs {miniweb_test.MINIWEB}, nginx (tools/packages.test) and the built tool simulated_again")
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        folder.chmod(0o755)  # the server is another user
        root = folder / "web"
        found = miniweb_test.unpack("bullseye", root, None, miniweb_test.PAGES)
        seeds = folder / "seeds"
        seeds.write_text("".join(f"http://{host}.docs.example/{quote(paths[0])}\n" for host, paths in found.items()))
        with web_server.Nginx(folder / "nginx", root) as server:
            for name, test in sorted(globals().items()):
                if name.startswith("test_"):
                    own = folder / name
                    own.mkdir()
                    test(server, root, seeds, own)
                    print(f"ok  {name[5:].replace('_', ' ')}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
