# SPDX-License-Identifier: Apache-2.0
"""What a test script could not try here. A script that left something out ends with code 77, which ctest and
tools/run_tests.py report as skipped with its reason, and never with 0.

    skip("needs nginx (tools/packages.test)")                      # nothing is left to try: ends the script
    not_tried("the crawl files were not read with warcio")         # the other checks run
    sys.exit(ending())                                             # 77 if something was left out, else 0
"""

import sys

SKIPPED = 77
_left_out = []


def skip(reason):
    print(f"SKIPPED: {reason}", flush=True)
    sys.exit(SKIPPED)


def not_tried(what):
    """Remembers it, and prints it once."""
    if what not in _left_out:
        _left_out.append(what)
        print(f"NOT TRIED: {what}", flush=True)


def ending():
    return SKIPPED if _left_out else 0
