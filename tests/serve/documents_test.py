#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The examples of docs/serve.md and docs/api.md work as they stand."""

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from serving import PROGRAM, SAMPLE, SOURCE, expect, serving  # noqa: E402
from archives import temporary_folder, write  # noqa: E402
from running import run_tests, skip  # noqa: E402

SERVED_AT = "http://127.0.0.1:8931/"
TOKEN = "a-token-of-some-length"


def lines_of_shell(page):
    for block in re.findall(r"^```sh\n(.*?)^```", (SOURCE / "docs" / page).read_text(), re.MULTILINE | re.DOTALL):
        yield from block.splitlines()


def test_servers_start_as_shown(folder):
    write("build", folder / "lib.ws", SAMPLE / "2021.warc.gz")
    shutil.copytree(SAMPLE, folder / "crawls")
    (folder / "jobs").mkdir()
    (folder / "campaign.tsv").write_text("webstrata liverank 1\n")
    (folder / "token.txt").write_text(TOKEN)
    there = {word: folder / word for word in ("lib.ws", "hosts.txt", "token.txt", "jobs/", "crawls/2021.warc.gz", "crawls/2023.warc.gz")} | {"lost=campaign.tsv": f"lost={folder / 'campaign.tsv'}"}
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
            if words[:1] != ["curl"] or address is None or "Bearer" in line:
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


def python_blocks(page):
    return re.findall(r"^```python\n(.*?)^```", (SOURCE / "docs" / page).read_text(), re.MULTILINE | re.DOTALL)


def test_changes_are_made_as_shown(folder):
    write("build", folder / "lib.ws", SAMPLE / "2021.warc.gz")
    (folder / "token.txt").write_text(TOKEN)
    (folder / "captures.jsonl").write_text('{"url": "http://d.example/", "time": "2024-05-01T12:00:00Z", "status": 200, "links": []}\n')
    asked = 0
    with serving(folder / "lib.ws", "--writable", "--token", folder / "token.txt", "--open-reading") as server:
        for line in [*lines_of_shell("serve.md"), *lines_of_shell("api.md")]:
            if "Bearer" not in line:
                continue
            line = line.replace(SERVED_AT, server.address).replace("webstrata extract examples/sample", f"{shlex.quote(PROGRAM)} extract {SAMPLE}")
            done = subprocess.run(["bash", "-o", "pipefail", "-ec", line.replace("curl ", "curl -fsS ")], cwd=folder, capture_output=True, timeout=300)
            expect(done.returncode == 0 and json.loads(done.stdout)["changed"], f"{line}: {done.returncode} {done.stdout[:300]} {done.stderr[-500:]}")
            asked += 1
        expect(asked == 3, f"{asked} changes are shown")


def test_python_reads_the_arrow_stream_as_shown(folder):
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        skip("pyarrow is not installed")
    write("build", folder / "lib.ws", SAMPLE / "2021.warc.gz")
    with serving(folder / "lib.ws") as server:
        blocks = [block for block in python_blocks("api.md") if "pyarrow" in block]
        found = {}
        exec(blocks[0].replace(SERVED_AT, server.address), found)
        expect(found["table"].num_rows > 300 and "url" in found["table"].column_names, str(found["table"].schema))


if __name__ == "__main__":
    sys.exit(run_tests(dict(globals()), folder=temporary_folder))
