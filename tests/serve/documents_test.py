#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The examples of docs/serve.md and docs/api.md work as they stand."""

import re
import shlex
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from serving import SAMPLE, SOURCE, expect, serving  # noqa: E402
from archives import temporary_folder, write  # noqa: E402
from running import run_tests  # noqa: E402

SERVED_AT = "http://127.0.0.1:8931/"


def lines_of_shell(page):
    for block in re.findall(r"^```sh\n(.*?)^```", (SOURCE / "docs" / page).read_text(), re.MULTILINE | re.DOTALL):
        yield from block.splitlines()


def test_servers_start_as_shown(folder):
    write("build", folder / "lib.ws", SAMPLE / "2021.warc.gz")
    shutil.copytree(SAMPLE, folder / "crawls")
    (folder / "jobs").mkdir()
    (folder / "campaign.tsv").write_text("webstrata liverank 1\n")
    there = {word: folder / word for word in ("lib.ws", "hosts.txt", "jobs/", "crawls/2021.warc.gz", "crawls/2023.warc.gz")} | {"lost=campaign.tsv": f"lost={folder / 'campaign.tsv'}"}
    started = 0
    for line in lines_of_shell("serve.md"):
        words = shlex.split(line)
        if words[:2] in (["webstrata", "serve"], ["webstrata", "replay"]):
            named = [path for word in words[2:] for path in (sorted(folder.glob(word)) if "*" in word else [word])]
            arguments = [there.get(word, word) for word in named]
            with serving(*arguments, verb=words[1]) as server:
                expect(server.get("healthz")[0] in (200, 404), line)
            started += 1
    expect(started >= 3, f"{started} servers are shown")


def test_requests_are_answered_as_shown(folder):
    write("build", folder / "lib.ws", SAMPLE / "2021.warc.gz", SAMPLE / "2023.warc.gz")
    asked = 0
    with serving(folder / "lib.ws") as server:
        for line in lines_of_shell("serve.md"):
            words = shlex.split(line)
            address = next((word for word in words if word.startswith(SERVED_AT)), None)
            if words[:1] != ["curl"] or address is None:
                continue
            header = words[words.index("-H") + 1] if "-H" in words else "Accept: */*"
            status, _, body = server.get(address[len(SERVED_AT):], headers=dict([header.split(": ", 1)]))
            expect(status == 200 and len(body) > 100, f"{line}: {status} {body[:200]}")
            asked += 1
        # The examples of the API are about a web of their own: what they ask must be understood.
        for path in re.findall(r"^`(api/v1/[^`]+)`", (SOURCE / "docs" / "api.md").read_text(), re.MULTILINE):
            status, _, body = server.get(path)
            expect(status in (200, 404) and b"no such address" not in body, f"{path}: {status} {body[:200]}")
            asked += 1
    expect(asked > 12, f"{asked} requests are shown")


if __name__ == "__main__":
    sys.exit(run_tests(dict(globals()), folder=temporary_folder))
