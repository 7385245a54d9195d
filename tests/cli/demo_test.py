# SPDX-License-Identifier: Apache-2.0
"""`make demo` runs through: its circle finds more than a random order does, its server ends with it, also when it fails, and the
last lines name the first report and its files."""

import os
import socket
import subprocess
import sys
from pathlib import Path

from archives import temporary_folder
from running import PROGRAM, SOURCE, expect


def expect_circle(out):
    rows = [line.split() for line in (out / "circle.tsv").read_text().splitlines()[1:]]
    tests, found, _, _, random = rows[-1][:5]
    expect(len(rows) == 6 and int(tests) == 120, f"not 120 tests: {rows}")
    expect(int(found) > float(random), f"a random order finds {random} of what LiveRank finds {found}")
    told = [line.split("\t")[1] for line in (out / "found.tsv").read_text().splitlines()]
    expect(len(told) == 120 and told.count("alive") == int(found), f"{len(told)} outcomes, {told.count('alive')} alive")
    # Two hosts of 2021 have no name in 2023: one failed look does not make them gone.
    expect("unreachable" in told and "unknown" not in told, sorted(set(told)))


def expect_nobody_serves(out):
    address, port = (out / "hosts").read_text().split()[0].split(":")
    try:
        socket.create_connection((address, int(port)), 5).close()
    except ConnectionRefusedError:
        return
    raise AssertionError("the server is still there")


def test_a_demo_that_fails_leaves_no_server(out):
    """A program that cannot crawl: everything before that works."""
    out.mkdir()
    program = out.parent / "webstrata"
    program.write_text(f"""#!/bin/sh\n[ "$1" = crawl ] && exit 2\nexec "{PROGRAM}" "$@"\n""")
    program.chmod(0o755)
    environment = {**os.environ, "DEMO_FOLDER": str(out), "WEBSTRATA_PROGRAM": str(program)}
    done = subprocess.run([SOURCE / "examples" / "demo.sh"], env=environment, capture_output=True, text=True, timeout=600)
    expect(done.returncode == 2, f"it went on: {done.returncode}")
    expect_nobody_serves(out)


def main():
    with temporary_folder() as name:
        out = Path(name) / "demo"
        environment = {**os.environ, "DEMO_FOLDER": str(out)}  # WEBSTRATA_PROGRAM is there already
        done = subprocess.run([SOURCE / "examples" / "demo.sh"], env=environment, capture_output=True, text=True, timeout=600)
        expect(done.returncode == 0, done.stdout[-500:] + done.stderr)
        named = [Path(word) for word in " ".join(done.stdout.splitlines()[-5:-3]).split()]
        expect([path.name for path in named] == ["rank.html", "rank.txt", "seeds.html", "seeds.txt"], named)
        expect(int((out / "page").read_text().split()[0]) > 100 and (out / "address").read_text().strip() in done.stdout.splitlines()[-1], "the page")
        for path in named:
            expect(path.stat().st_size > 0, f"{path} is empty")
            if path.suffix == ".txt":
                expect(path.read_text() in done.stdout, f"{path} is not what was shown")
            else:
                expect(path.read_text().rstrip().endswith("</html>"), f"{path} is not whole")
        expect_circle(out)
        expect_nobody_serves(out)
        test_a_demo_that_fails_leaves_no_server(Path(name) / "failing")
    print(f"the demo ends with {', '.join(path.name for path in named)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
