#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Two processes of the Scrapy example crawl a replay of the sample through one service, and request each page once, whatever the page
holds: one that only refreshes to another page was followed by Scrapy itself once, so the service never heard of it and waited for it.

The order of the archive is judged on a site whose pages die by directories (docs/frontier.md).
"""

# Also runs as: shared

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from running import PROGRAM, SOURCE, expect, skip  # noqa: E402

BENCH = SOURCE / "bench" / "frontier" / "living_pages.py"


def crawled(*words):
    done = subprocess.run([sys.executable, BENCH, PROGRAM, "--json", "--seconds", "240", *map(str, words)], capture_output=True, text=True)
    expect(done.returncode == 0, f"{done.stdout}\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


def main():
    if importlib.util.find_spec("scrapy") is None or importlib.util.find_spec("grpc_tools") is None:
        skip("needs scrapy and grpcio-tools (tests/requirements.txt)")
    if "shared" not in sys.argv[1:]:
        found = crawled()
        expect(found["living"] == 371 and found["pages"] == 512, str(found))
        return 0
    data = Path(os.environ["WEBSTRATA_SHARED"]) / "data" / "openbsd-www"
    if not data.is_dir():
        skip("no openbsd-www: the order of an archive was not judged")
    found = crawled("--openbsd", data)
    expect(found["archive"] > 0.7 > 0.55 > found["first in, first out"], str(found))
    return 0


sys.exit(main())
