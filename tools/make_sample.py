#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes examples/sample/2021.warc.gz and 2023.warc.gz: two crawls of a dozen documentation sites.

    tools/make_sample.py [--shared ../shared] [--work build/sample] [--out examples/sample]

GNU wget crawls the little web of tools/sample_web.py, which is served on loopback from the pages in
../shared/data/miniweb. The crawl happens in a network namespace of its own, where the hosts' names are in
/etc/hosts and port 80 is free: wget resolves, connects and asks as it would outside, and a name that is
not there fails to resolve as it would outside. libfaketime sets wget's clock to the time of the crawl.

2021: follow links from the portal.
2023: the same; then request the pages of 2021 that were not found (an archive wants to know what became of them). Pages whose
bytes did not change become revisit records.

Needs wget, faketime, zstd, iproute2, and unshare of util-linux (as root, or where users may make namespaces).
The result is the same each time except for the record ids.
"""

import argparse
import datetime
import glob
import json
import os
import pathlib
import shutil
import subprocess
import sys

from sample_web import DOMAIN, SITES, STILL_LISTED, Clock, Server, World, addresses, host_names

RELEASES = {2021: "bullseye", 2023: "bookworm"}
UTC = datetime.timezone.utc
STARTS = {2021: datetime.datetime(2021, 8, 14, 10, tzinfo=UTC), 2023: datetime.datetime(2023, 6, 10, 10, tzinfo=UTC)}
INSIDE = "MAKE_SAMPLE_INSIDE"  # set in the environment once we are in the namespace


def main() -> int:
    options = parse_options()
    if INSIDE not in os.environ:
        return enter_namespace()
    run("ip", "link", "set", "lo", "up")
    shutil.rmtree(options.work, ignore_errors=True)
    options.work.mkdir(parents=True)
    crawl_2021(options)
    crawl_2023(options)
    return 0


def parse_options() -> argparse.Namespace:
    root = pathlib.Path(__file__).resolve().parent.parent
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shared", type=pathlib.Path, default=root / ".." / "shared", help="folder with data/miniweb")
    parser.add_argument("--work", type=pathlib.Path, default=root / "build" / "sample", help="emptied first")
    parser.add_argument("--out", type=pathlib.Path, default=root / "examples" / "sample")
    return parser.parse_args()


def enter_namespace() -> int:
    again = ["unshare", "--user", "--map-root-user", "--net", "--mount", sys.executable, *sys.argv]
    return subprocess.run(again, env=os.environ | {INSIDE: "1"}).returncode


def crawl_2021(options: argparse.Namespace) -> None:
    with serving(2021, options):
        wget(options.work, "2021", ["--recursive", "--level=inf"], [f"http://{DOMAIN}/"])
    shutil.copy(options.work / "2021.warc.gz", options.out / "2021.warc.gz")


def crawl_2023(options: argparse.Namespace) -> None:
    revisits = ["--warc-dedup=2021.cdx"]
    with serving(2023, options) as server:
        wget(options.work, "2023", [*revisits, "--recursive", "--level=inf"], [f"http://{DOMAIN}/"])
        unmet = [url for url in captured_pages(options.work / "2021.cdx") if url not in server.asked]
        wget(options.work, "2023-unmet", revisits, unmet)
    with open(options.out / "2023.warc.gz", "wb") as both:
        both.write((options.work / "2023.warc.gz").read_bytes() + (options.work / "2023-unmet.warc.gz").read_bytes())


# The web ---------------------------------------------------------------------------------------------------


def serving(year: int, options: argparse.Namespace) -> Server:
    folder = unpack(year, options)
    world = World(year, folder, page_times(year, options))
    (options.work / "hosts").write_text(hosts_file(world))
    run("mount", "--bind", str(options.work / "hosts"), "/etc/hosts")
    return Server(world, Clock(STARTS[year], options.work / "clock"))


def unpack(year: int, options: argparse.Namespace) -> pathlib.Path:
    folder = options.work / f"pages-{year}"
    folder.mkdir()
    archive = options.shared / "data" / "miniweb" / f"{RELEASES[year]}.tar.zst"
    run("tar", "--extract", "--use-compress-program=zstd --long=27", f"--file={archive}", f"--directory={folder}")
    return folder


def page_times(year: int, options: argparse.Namespace) -> dict[tuple[str, str], datetime.datetime]:
    """When each page was last modified: miniweb does not keep it, debweb (the same pages) does."""
    archive = options.shared / "data" / "debweb" / f"captures.{RELEASES[year]}.jsonl.zst"
    times = {}
    with subprocess.Popen(["zstd", "-dc", "--long=27", str(archive)], stdout=subprocess.PIPE, text=True) as lines:
        for line in lines.stdout:
            host, _, path = line.partition('"url":"http://')[2].partition('"')[0].partition("/")
            site = host.removesuffix("." + DOMAIN)
            if site in SITES:
                time = datetime.datetime.strptime(json.loads(line)["mtime"], "%Y%m%d%H%M%S")
                times[site, path] = time.replace(tzinfo=UTC)
    return times


def hosts_file(world: World) -> str:
    """Names outlive servers: a site that the portal still lists resolves, though no server answers."""
    named = [site for site in SITES if site in world.sites() or site in STILL_LISTED]
    return "".join(f"{addresses()[site]} {' '.join(host_names(site))}\n" for site in named)


# The crawler -----------------------------------------------------------------------------------------------


def wget(work: pathlib.Path, name: str, how: list[str], urls: list[str]) -> None:
    (work / f"{name}.txt").write_text("".join(url + "\n" for url in urls))
    command = ["wget", *how, "--span-hosts", f"--domains={DOMAIN}", "--follow-tags=a,area,frame,iframe",
               r"--reject-regex=/index\.html\?", "--trust-server-names", "--compression=auto", "--tries=1",
               "--no-verbose", "--no-config", "--no-hsts", "--user-agent=webstrata-sample (loopback)",
               f"--input-file={name}.txt", f"--directory-prefix={name}", f"--warc-file={name}", "--warc-cdx",
               "--warc-tempdir=.", "--warc-header=description: webstrata sample, see examples/sample/README.md"]
    environment = {"PATH": os.environ["PATH"], "TZ": "UTC", "LC_ALL": "C.UTF-8", "FAKETIME_NO_CACHE": "1",
                   "LD_PRELOAD": fake_clock_library(), "FAKETIME_TIMESTAMP_FILE": str(work.resolve() / "clock")}
    with open(work / f"{name}.log", "wb") as log:
        code = subprocess.run(command, cwd=work, env=environment, stdout=log, stderr=log).returncode
    # 8 says that some page was answered with an error, 4 that some host was not there: both belong to the sample.
    if code not in (0, 4, 8):
        raise SystemExit(f"make_sample: wget ended with {code}; see {work / name}.log")


def fake_clock_library() -> str:
    found = glob.glob("/usr/lib/*/faketime/libfaketime.so.1")
    if not found:
        raise SystemExit("make_sample: libfaketime is missing; install the package faketime")
    return found[0]


def captured_pages(cdx: pathlib.Path) -> list[str]:
    """The URLs answered with 200 in a CDX file of wget (columns: url date url type status ...), each once."""
    rows = [line.split(" ") for line in cdx.read_text().splitlines()[1:]]
    return list(dict.fromkeys(row[0] for row in rows if row[4] == "200"))


def run(*command: str) -> None:
    subprocess.run(command, check=True)


if __name__ == "__main__":
    sys.exit(main())
