# SPDX-License-Identifier: Apache-2.0
"""Crashes of the storage alone: one failure at every call that changes a file, in every mode, while a small archive is
built, updated and forgotten from. Whatever happens, it opens as the old or the new generation, and the next writer
cleans up."""

import os
import subprocess
import sys
import traceback
from pathlib import Path

import fault

DRIVER = Path(os.environ["WEBSTRATA_BUILD"]) / "tests" / "storage_driver"
# Only write calls can be partially done.
EVERYWHERE = ("kill", "eio", "full")
AT_WRITES = ("torn", "short")


def expect(truth, message):
    if not truth:
        raise AssertionError(message)


def drive(verb, archive, *words, **options):
    return fault.run([DRIVER, verb, archive, *words], under=archive, **options)


def check(archive):
    done = subprocess.run([DRIVER, "check", archive], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout.split(), done.stderr


def tag_of(archive):
    """The tag of the current generation; None if it is not an archive. Anything else is a broken promise."""
    code, words, errors = check(archive)
    no_archive = ("no such archive", "not an archive (no MANIFEST)", "not an archive yet: its build was interrupted")
    if code == 2 and any(words in errors for words in no_archive):
        return None
    expect(code == 0, errors)
    return words[0]


def expect_clean(archive, tag):
    """After a writer that was not disturbed: the new generation and nothing else."""
    code, words, errors = check(archive)
    expect(code == 0 and words == [tag, "0"], (words, errors))
    names = {path.name for path in archive.iterdir()}
    generations = [name for name in names if name.startswith("g")]
    expect(names == {"MANIFEST", "lock", *generations} and len(generations) == 1, names)


def expect_promise_kept(archive, verb, before, call, mode):
    result = drive(verb, archive, "new", fail_at=call.number, mode=mode)
    what = f"{verb}, {mode} at {call}: {result.code} {result.errors}"
    tag = tag_of(archive)
    expect(tag in (before, "new"), f"{what}: {tag}")
    if mode in fault.DEADLY:
        expect(result.killed, what)
    else:
        expect(result.code == 0 or (result.code == 2 and result.errors.count("\n") == 1), what)
        expect(result.code != 0 or tag == "new", f"{what}: success is told, but it is {tag}")
    if call.name == "link" and mode == "eio":
        expect(result.code == 0, f"{what}: what cannot be linked is copied")
    after = drive(verb, archive, "newer")
    expect(after.code == 0, f"{what}: the next writer failed: {after.errors}")
    expect_clean(archive, "newer")


def fail_everywhere(folder, start, verb):
    """`start`: the archive before, or None. Returns how many failures were tried."""
    archive = folder / "lib.ws"
    before = None if start is None else "old"
    fault.replace_folder(start, archive)
    undisturbed = drive(verb, archive, "new")
    expect(undisturbed.code == 0, undisturbed.errors)
    expect_clean(archive, "new")
    complaints = fault.not_durable_at_commit(undisturbed.calls, archive)
    expect(not complaints, complaints)
    if start is not None:
        expect(any(call.name == "link" for call in undisturbed.calls), "the unchanged part was not linked")

    tried = 0
    for call in undisturbed.calls:
        for mode in EVERYWHERE + (AT_WRITES if call.name in ("write", "pwrite") else ()):
            fault.replace_folder(start, archive)
            expect_promise_kept(archive, verb, before, call, mode)
            tried += 1
    return tried


def test_a_build(folder):
    return fail_everywhere(folder, None, "write")


def test_an_update(folder):
    fault.replace_folder(None, folder / "start")
    expect(drive("write", folder / "start", "old").code == 0, "no archive to begin with")
    return fail_everywhere(folder, folder / "start", "write")


def test_a_forget(folder):
    fault.replace_folder(None, folder / "start")
    expect(drive("write", folder / "start", "old").code == 0, "no archive to begin with")
    return fail_everywhere(folder, folder / "start", "forget")


def main():
    fault.skip_without_shim()
    failed = False
    with fault.fast_folder() as folder:
        for name, test in list(globals().items()):
            if not name.startswith("test_"):
                continue
            try:
                print(f"ok   {name}: {test(folder)} failures survived")
            except AssertionError:
                failed = True
                print(f"FAIL {name}")
                traceback.print_exc()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
