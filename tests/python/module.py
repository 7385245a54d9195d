# SPDX-License-Identifier: Apache-2.0
"""Helpers of the tests of the Python module."""

import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from not_tried import skip  # noqa: E402

try:
    import webstrata
except ImportError as error:
    skip(f"the Python module is not there ({error}): pip install -r tests/requirements.txt, then build again")

SOURCE = Path(os.environ["WEBSTRATA_SOURCE"])
sys.path.insert(0, str(SOURCE / "tests" / "cli"))
from running import PROGRAM, SAMPLE, expect, run, run_tests  # noqa: E402, F401
from archives import digests_of, expect_same, temporary_folder, write  # noqa: E402, F401


def fails(kind, call, *words):
    """`call` must fail with webstrata.Error of that kind, in one line that names these words."""
    try:
        call()
    except webstrata.Error as error:
        expect(error.kind == kind, f"{error.kind} instead of {kind}: {error}")
        expect("\n" not in str(error), f"not one line: {error}")
        for word in words:
            expect(word in str(error), f"{word!r} is not in {error}")
        return
    raise AssertionError(f"no error of kind {kind}")
