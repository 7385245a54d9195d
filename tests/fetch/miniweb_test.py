# SPDX-License-Identifier: Apache-2.0
"""A real small web over real HTTP: built from a crawl of its first state, probed by LiveRank in its second, where hosts and
pages are missing. Every outcome must be what the files say, and the cost curve that of the simulation."""

import json
import os
import random
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from urllib.parse import quote

import web_server
from serving import AGENT
from running import expect, run, skip

MINIWEB = Path(os.environ["WEBSTRATA_SHARED"]) / "data" / "miniweb"
EVERYTHING = os.environ.get("WEBSTRATA_WHOLE_MINIWEB") == "1"  # all 6,949 pages; minutes
HOSTS, PAGES = (10**6, 10**6) if EVERYTHING else (10, 12)
SEED = 7


def unpack(release, folder, hosts, pages_max):
    """Unpacks at most this many pages of each of these hosts (None: of all); returns host → paths."""
    found = {}
    packed = subprocess.Popen(["zstd", "-dc", "--long=27", MINIWEB / f"{release}.tar.zst"], stdout=subprocess.PIPE)
    with packed, tarfile.open(fileobj=packed.stdout, mode="r|") as tar:
        for member in tar:
            host, _, path = member.name.partition("/")
            if not member.isfile() or not path.endswith(".html") or (hosts is not None and host not in hosts):
                continue
            if hosts is None and host not in found and len(found) == HOSTS:
                continue
            if len(found.setdefault(host, [])) < pages_max:
                found[host].append(path)
                tar.extract(member, folder, filter="data") if sys.version_info >= (3, 12) else tar.extract(member, folder)
    return found


def url_of(host, path):
    return f"http://{host}.docs.example/{quote(path)}"


def expect_run(*arguments, **options):
    code, output, errors = run(*arguments, timeout=1800, **options)
    expect(code == 0, f"{arguments[0]} ended with {code}: {errors}")
    return output, errors


def known_truth(old, new_root, special, gone_hosts):
    """URL → outcome, from the files of the second state and its server's configuration."""
    truth = {}
    for host, paths in old.items():
        for path in paths:
            is_there = (new_root / host / path).is_file()
            outcome = "alive" if is_there else "gone"
            if host in gone_hosts:
                outcome = "unreachable"
            elif special.get(host) == "refuses":
                outcome = "blocked"
            elif special.get(host) == "moved":
                outcome = "moved"
            elif special.get(host) in ("same", "home") and not is_there:
                outcome = "soft-gone"
            truth[url_of(host, path)] = outcome
    return truth


def choose_special(old, new_root, gone_hosts):
    """Some hosts behave like real ones: a page for every name, redirects of everything to the home page, a refusal, a new
    name."""
    random.seed(SEED)
    with_losses = [host for host, paths in old.items() if host not in gone_hosts
                   and any(not (new_root / host / path).is_file() for path in paths)
                   and any((new_root / host / path).is_file() for path in paths)]
    with_all = [host for host in old if host not in gone_hosts and host not in with_losses and (new_root / host).is_dir()]
    special = dict(zip(with_losses, ("same", "home")))
    special.update(zip(with_all, ("refuses", "moved")))
    return special


def server_words(kind, common):
    return {"same": "error_page 404 =200 /wrong-name.html; location = /wrong-name.html { root " + str(common) + "; }",
            "home": "error_page 404 = @home; location @home { return 302 /home.html; } "
                    "location = /home.html { root " + str(common) + "; }",
            "refuses": "location / { return 403; } location = /robots.txt { return 404; }",
            "moved": "location / { return 301 http://new-name.docs.example$request_uri; } location = /robots.txt { return 404; }",
            }[kind]


def check_archive(archive, truth):
    """The results were imported: the archive says about every page what the files say."""
    states = {"alive": "alive", "gone": "gone", "soft-gone": "soft-gone", "moved": "moved"}
    for outcome, word in states.items():
        url = next((url for url, known in truth.items() if known == outcome), None)
        if url is None:
            continue
        lines = expect_run("captures", archive, url)[0]
        expect(word in lines.splitlines()[-1], f"{url} is {outcome}, the archive says: {lines}")


def main():
    if not web_server.is_there() or not MINIWEB.is_dir():
        skip(f"needs {MINIWEB} and nginx (tools/packages.test)")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        old_root, new_root = folder / "bullseye", folder / "bookworm"
        old = unpack("bullseye", old_root, None, PAGES)
        unpack("bookworm", new_root, set(old), 10**6)
        gone_hosts = {host for host in old if not (new_root / host).is_dir()}
        if not gone_hosts:  # of a few hosts none may be missing: take one away
            gone_hosts = {sorted(old)[0]}
        special = choose_special(old, new_root, gone_hosts)
        (folder / "common").mkdir()
        (folder / "common" / "wrong-name.html").write_text("<title>Oops</title><p>There is nothing here, try our search instead of that.")
        (folder / "common" / "home.html").write_text("<title>Home</title><p>Welcome to the home page of this documentation.")
        moved = [host for host, kind in special.items() if kind == "moved"]
        (new_root / "new-name").symlink_to(new_root / moved[0] if moved else new_root)

        polite = ("--agent", AGENT, "--delay", "1ms", "--quiet")
        urls = folder / "urls"
        urls.write_text("".join(url_of(host, path) + "\n" for host, paths in old.items() for path in paths))
        with web_server.Nginx(folder / "first", old_root) as server:
            expect_run("probe", f"@{urls}", *polite, "--connect-to", f"127.0.0.1:{server.port}", "--out", folder / "crawled")
        archive = folder / "lib.ws"
        expect_run("build", archive, *sorted((folder / "crawled").glob("*.warc.gz")))

        truth = known_truth(old, new_root, special, gone_hosts)
        (folder / "truth.tsv").write_text("".join(f"{url}\t{outcome}\n" for url, outcome in truth.items()))
        with web_server.Nginx(folder / "second", new_root,
                              {host: server_words(kind, folder / 'common') for host, kind in special.items()}) as server:
            hosts = folder / "hosts"
            hosts.write_text("".join(f"127.0.0.1:{server.port} {host}.docs.example\n"
                                     for host in [*old, "new-name"] if host not in gone_hosts))
            method = ("--seed", SEED, "--batch", 64, "--json")
            probed, notes = expect_run("liverank", archive, *method, "--probe", "--agent", AGENT, "--delay", "1ms",
                                       "--hosts", hosts, "--out", folder / "found", "--found", folder / "found.tsv",
                                       "--order", folder / "order", "--update")
        found = dict(line.split("\t") for line in (folder / "found.tsv").read_text().splitlines())
        wrong = [f"{url}: {found.get(url)} instead of {outcome}" for url, outcome in truth.items() if found.get(url) != outcome]
        expect(not wrong, f"{len(wrong)} of {len(truth)} outcomes are wrong:\n" + "\n".join(wrong[:20]))

        # The archive knows by now what became of its pages: the simulation starts from what the planner had.
        expect_run("build", folder / "before.ws", *sorted((folder / "crawled").glob("*.warc.gz")))
        simulated, _ = expect_run("liverank", folder / "before.ws", *method, "--truth", folder / "truth.tsv",
                                  "--order", folder / "simulated_order")
        expect((folder / "order").read_text() == (folder / "simulated_order").read_text(), "another order than the simulation's")
        one, other = json.loads(probed), json.loads(simulated)
        for part in ("cost", "curve", "area", "n_a"):
            expect(one[part] == other[part], f"{part}: {one[part]} instead of {other[part]}")

        check_archive(archive, truth)
        counts = {outcome: list(truth.values()).count(outcome) for outcome in sorted(set(truth.values()))}
        print(f"ok  {len(truth)} pages on {len(old)} hosts, every outcome right: {counts}; cost as simulated: {one['cost']}")
        print(f"ok  {notes.strip().splitlines()[0]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
