# SPDX-License-Identifier: Apache-2.0
"""Reads every file that other tools use in their tests: counts equal an independent reader's where it found the file valid,
damage is reported where it is broken, and memory stays bounded."""

import csv
import json
import os
import resource
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from not_tried import skip  # noqa: E402

SHARED = Path(os.environ["WEBSTRATA_SHARED"])
PROGRAM = os.environ["WEBSTRATA_PROGRAM"]
CORPUS = SHARED / "data" / "warc-corpus"
MEMORY_MAX_KB = 200 * 1024

# Files on purpose broken, and what must be said about them (a part of a reason). Where the count differs from
# the independent reader's, which counts every "WARC/" at the start of a line, the second value is ours and the
# third says why.
BROKEN = {
    "example-trunc.warc": "no WARC record",
    "invalid-warcfile-record-then-garbage.warc": "no WARC record",
    "invalid-arcfile-record-then-garbage.arc": "no ARC header",
    "unparsable-date.warc.gz": "not a time",
    "bad.arc": "no ARC header",
    "badexample.arc.gz": "ARC",
    "test-arc-1.0-dashed-fields.arc": "no ARC header",
    "test-arc-1.0-invalid-fields.arc": "no ARC header",
}
OUR_COUNT = {
    "valid-warcfile-upper-lower-case.warc": (5, "two begin with warc/1.0 in lower case, which the grammar allows"),
    "example-space-in-url.arc": (2, "a URL with spaces"),
    "IAH-20080430204825-00000-blackbook-truncated.arc": (9, "as many as the gzip members of the same file"),
    "IAH-20080430204825-00000-blackbook-truncated.arc.gz": (9, "as many as its gzip members"),
}


def stats(path):
    """What webstrata says about one file, and the most memory it used."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    done = subprocess.run([PROGRAM, "extract", "--stats", "--quiet", str(path)], capture_output=True, timeout=120)
    after = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    assert done.returncode in (0, 1, 2), f"{path}: ended with {done.returncode}: {done.stderr[-500:]!r}"
    return json.loads(done.stdout), max(before, after)


def problems_of(row, found):
    """Messages about what is wrong with one file."""
    name = Path(row["file"]).name
    reasons = " / ".join(damage["reason"] for damage in found["damaged"])
    expected = int(row["warc_records"]) + int(row["arc_headers"])
    ours = OUR_COUNT.get(name, (expected, ""))[0]
    if found["format"] in ("warc", "arc") and found["records"] != ours:
        yield f"{found['records']} records, expected {ours} ({reasons})"
    if row["decompress_error"] and not found["damaged"]:
        yield "broken compression was not reported"
    if name in BROKEN and BROKEN[name] not in reasons:
        yield f"broken, but {BROKEN[name]!r} is not among: {reasons}"
    for damage in found["damaged"]:
        if not 0 <= damage["offset"] <= found["bytes"] or not damage["reason"]:
            yield f"damage without place or reason: {damage}"


def main():
    if not (CORPUS / "VERIFY.tsv").exists():
        skip(f"needs {CORPUS}")
    rows = list(csv.DictReader((CORPUS / "VERIFY.tsv").open(), delimiter="\t", quoting=csv.QUOTE_NONE))
    failed = memory = compared = 0
    for row in rows:
        found, memory = stats(CORPUS / row["file"])
        compared += found["format"] in ("warc", "arc")
        for problem in problems_of(row, found):
            print(f"{row['file']}: {problem}")
            failed += 1
    sanitized = "asan" in os.environ["WEBSTRATA_BUILD"]
    if memory > MEMORY_MAX_KB and not sanitized:
        print(f"memory: {memory // 1024} MB")
        failed += 1
    print(f"{len(rows)} files, {compared} WARC or ARC compared, most memory {memory // 1024} MB, {failed} problems")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
