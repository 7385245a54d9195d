# SPDX-License-Identifier: Apache-2.0
"""Helpers of the tests that make archives."""

import hashlib
import tempfile
from pathlib import Path

from running import expect, run


def temporary_folder():
    """In memory where that is possible: making files durable is slow on some disks, and not what is tested."""
    shared_memory = Path("/dev/shm")
    return tempfile.TemporaryDirectory(dir=shared_memory if shared_memory.is_dir() else None)


def write(verb, archive, *arguments):
    """build or update; must succeed."""
    code, out, errors = run(verb, "--quiet", archive, *arguments)
    expect(code == 0, f"{verb} {archive}: {errors}")
    return out


def generation_of(archive):
    """The one generation that is there."""
    folders = [path for path in Path(archive).iterdir() if path.name.startswith("g0")]
    expect(len(folders) == 1, f"{archive}: {[path.name for path in folders]}")
    return folders[0]


def digests_of(archive):
    """SHA-256 of every layer file, by name, in all strata."""
    generation = generation_of(archive)
    files = sorted(path for path in generation.rglob("*") if path.is_file())
    return {str(path.relative_to(generation)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def expect_same(archive, other, what):
    one, two = digests_of(archive), digests_of(other)
    differing = sorted(name for name in one.keys() | two.keys() if one.get(name) != two.get(name))
    expect(one and not differing, f"{what}: these layer files differ: {differing}")
