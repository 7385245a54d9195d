# SPDX-License-Identifier: Apache-2.0
"""However large a remote file is, and however fast its server, memory is bounded."""

import subprocess
import sys

from remote_test import PROGRAM, FileServer, expect, large_warc, run_tests

MEASURE = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def test_memory_is_bounded():
    """Only the reader limits the server."""
    forms = {"large.warc.gz": large_warc(200)}
    with FileServer(forms) as server:
        for fault in ("files", "whole"):
            done = subprocess.run([sys.executable, "-c", MEASURE, PROGRAM, "extract", "--quiet", "--threads", "2",
                                   server.url(fault, "large.warc.gz")], stdout=subprocess.PIPE, check=True)
            kilobytes = int(done.stdout.split()[-1])
            expect(kilobytes < 160_000, f"{fault}: {kilobytes} kB for {len(forms['large.warc.gz'])} bytes")
            print(f"{fault}: {kilobytes} kB")


if __name__ == "__main__":
    sys.exit(run_tests({"test_memory_is_bounded": test_memory_is_bounded}))
