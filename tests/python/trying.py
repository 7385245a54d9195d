# SPDX-License-Identifier: Apache-2.0
"""Helpers of the trials (trial.py here and in tests/spark): crawls, states of archives, small disks."""

import contextlib
import fcntl
import hashlib
import json
import random
import subprocess
import tempfile
from pathlib import Path


def expect(truth, message):
    if not truth:
        raise AssertionError(message)


def write_crawl(path, pages, year):
    """Pages of five sites that link to each other; those of another year are other ones in part."""
    chance = random.Random(year)
    with path.open("w") as out:
        for number in range(pages):
            links = [{"url": f"http://s{chance.randrange(5)}.example/{chance.randrange(pages * 2)}"} for _ in range(8)]
            out.write(json.dumps({"url": f"http://s{number % 5}.example/{number + year % 3}", "ts": f"{year}0101000000", "links": links}) + "\n")
    return path


def state_of(archive):
    """A hash of the files of the current generation, and the number of bytes of tombstones; None if there is no archive."""
    if not (archive / "MANIFEST").exists():
        return None
    manifest = json.loads((archive / "MANIFEST").read_text().splitlines()[0])
    digest = hashlib.sha256()
    for path in sorted(path for path in (archive / f"g{manifest['generation']:06}").rglob("*") if path.is_file()):
        digest.update(path.name.encode() + path.read_bytes())
    tombstones = manifest.get("tombstones")
    return digest.hexdigest(), tombstones["size"] if tombstones else 0


def names_in(archive):
    """Everything in an archive except names that differ between generations."""
    return sorted(path.name for path in archive.iterdir()) if archive.exists() else []


def is_tidy(archive):
    """One generation, and nothing of any work; or nothing at all."""
    kept = ("MANIFEST", "lock")
    names = [name for name in names_in(archive) if name not in kept and not name.startswith("tombstones.")]
    return not archive.exists() or (len(names) == 1 and names[0].startswith("g"))


def lock_is_free(archive):
    path = archive / "lock"
    if not path.exists():
        return True
    with path.open("r+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
    return True


@contextlib.contextmanager
def small_disk(size_bytes):
    """A folder on a disk of its own. None where this process may not mount one."""
    with tempfile.TemporaryDirectory() as place:
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size_bytes}", "tmpfs", place], capture_output=True).returncode == 0
        try:
            yield Path(place) if mounted else None
        finally:
            if mounted:
                # Lazily: Java keeps files open that it could not finish.
                subprocess.run(["umount", "-l", place], check=True)


def print_counts(counts):
    for name, count in sorted(counts.items()):
        print(f"{name}: {count}", flush=True)
