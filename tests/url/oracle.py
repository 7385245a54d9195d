# SPDX-License-Identifier: Apache-2.0
"""Runs tests/url/tools/url_oracle on many questions at once; and what every script here needs."""

import os
import pathlib
import subprocess
import sys

SOURCE = pathlib.Path(os.environ.get("WEBSTRATA_SOURCE", pathlib.Path(__file__).parents[2]))
SHARED = pathlib.Path(os.environ.get("WEBSTRATA_SHARED", SOURCE.parent / "shared"))
sys.path.insert(0, str(SOURCE / "tests"))
from not_tried import skip  # noqa: E402, F401

BUILD = pathlib.Path(os.environ.get("WEBSTRATA_BUILD", SOURCE / "build" / "dev"))


def need_shared():
    if not (SHARED / "data" / "debweb").is_dir():
        skip(f"needs debweb and openbsd-www in {SHARED}/data")


def field(data):
    return "x" + data.hex()


def ask(questions):
    program = BUILD / "tests" / "url_oracle"
    text = "".join(question + "\n" for question in questions)
    answer = subprocess.run([program], input=text.encode(), stdout=subprocess.PIPE, check=True)
    lines = answer.stdout.decode("latin-1").split("\n")[:-1]
    assert len(lines) == len(questions), (len(lines), len(questions))
    return lines


def resolve(pairs):
    return ask([f"resolve {field(pair.base.encode())} {field(pair.reference)}" for pair in pairs])


def fold(dialect, urls):
    """Keys as bytes; `urls` are bytes too."""
    return [bytes.fromhex(key) for key in ask([f"fold {dialect} {field(url)}" for url in urls])]
