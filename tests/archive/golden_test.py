# SPDX-License-Identifier: Apache-2.0
"""The sample crawls give these very facts and bytes, whatever compiler, flags and processor: the law's part that one build cannot test.

Other tests of the law compare the program with itself. A change of the facts (reading, URLs, links) changes FACTS and the layers;
a change of the encoding alone changes the layers.

tools/compilers.sh runs this test on programs built with -O0, with -O3 -march=native and with clang, and with
WEBSTRATA_LAW_WHOLE set: then whole large crawls are built too, and it compares what the programs print. A change of the
format or of an encoder changes the hash, and then kEncoderRevision in archive/disk/manifest.h must rise.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from fault import ending, fast_folder, not_tried

PROGRAM = os.environ["WEBSTRATA_PROGRAM"]
SAMPLE = Path(os.environ["WEBSTRATA_SOURCE"]) / "examples" / "sample"
GOLDEN = {
    "fast": "e1341008c0d4414aa3218227378020c9999e97519abfe5cf0972a7b424367665",
    "compact": "dd5227656191f0953e17a160956a5abb13e7f04379bddc8cea5a1ccf194034fb",
    "texts": "7bd09ac67d4df7cd7e7c4715be91336f7ad2458cf5f87b0938e681574e2c78db",
}


# What MANIFEST says about the facts: their digest, which depends on the facts alone and not on how they are stored, and counts.
FACTS = {
    "fast": {"facts_digest": "b2788848f6d7b385bc8c8133131b7f58", "nodes": 2571, "pages": 660, "captures": 1089, "sightings": 1194,
             "links": 15511, "link_facts": 22438, "first": 1628935200, "last": 1686391803},
    "compact": {"facts_digest": "88782eb144e324c8b9e803c6f6609484", "nodes": 2838, "pages": 660, "captures": 1089, "sightings": 1194,
                "links": 21902, "link_facts": 32238, "first": 1628935200, "last": 1686391803},
}
FACTS["texts"] = {**FACTS["fast"], "facts_digest": "4bc733d277545f6202e5ded79edc5917"}


def built(folder, name, inputs, *flags):
    """A hash of the layer files of an archive of these inputs, and what MANIFEST says about its facts."""
    archive = folder / f"{name}.ws"
    subprocess.run([PROGRAM, "build", "-q", archive, *flags, *inputs], check=True)
    digest = hashlib.sha256()
    for path in sorted(archive.glob("g*/*")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    manifest = json.loads((archive / "MANIFEST").read_text().splitlines()[0])
    shutil.rmtree(archive)
    return digest.hexdigest(), {"facts_digest": manifest["facts_digest"], **manifest["counts"]}


def whole_crawls():
    """The large crawls by name, if they are wanted; loudly none if they are not here."""
    if not os.environ.get("WEBSTRATA_LAW_WHOLE"):
        return {}
    data = Path(os.environ["WEBSTRATA_SHARED"]) / "data"
    crawls = {"openbsd-www": [data / "openbsd-www" / "links_all_versions.tsv.zst"],
              "debweb": [data / "debweb" / f"captures.{name}.jsonl.zst" for name in ("bullseye", "bookworm")]}
    if not all(path.exists() for paths in crawls.values() for path in paths):
        not_tried(f"openbsd-www and debweb were not built: they are not in {data}")
        return {}
    return crawls


def main():
    sample = [SAMPLE / "2021.warc.gz", SAMPLE / "2023.warc.gz"]
    with fast_folder() as folder:
        seen = {"fast": built(folder, "fast", sample),
                "compact": built(folder, "compact", sample, "--compact", "--range", "ever", "--links", "all"),
                "texts": built(folder, "texts", sample, "--texts")}
        whole = {name: built(folder, name, inputs) for name, inputs in whole_crawls().items()}
    for name, (digest, facts) in (seen | whole).items():
        print(f"{name}: {digest} {json.dumps(facts)}")
    other = [f"{name}: the facts are {facts}, not {FACTS[name]}" for name, (_, facts) in seen.items() if facts != FACTS[name]]
    other += [f"{name}: the layers are {digest}, not {GOLDEN[name]}" for name, (digest, _) in seen.items() if digest != GOLDEN[name]]
    print("\n".join(other), end="\n" if other else "")
    return 1 if other else ending()


if __name__ == "__main__":
    sys.exit(main())
