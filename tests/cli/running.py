# SPDX-License-Identifier: Apache-2.0
"""Helpers of the tests that run the program as a user would."""

import contextlib
import os
import shutil
import subprocess
import sys
import traceback
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from not_tried import SKIPPED, ending, not_tried, skip  # noqa: E402, F401

SOURCE = Path(os.environ["WEBSTRATA_SOURCE"])
PROGRAM = os.environ["WEBSTRATA_PROGRAM"]
SAMPLE = SOURCE / "examples" / "sample"


def run(*arguments, **options):
    """Runs webstrata; gives exit code, standard output and standard error as text."""
    options.setdefault("timeout", 300)
    options.setdefault("stdout", subprocess.PIPE)
    done = subprocess.run([PROGRAM, *map(str, arguments)], stderr=subprocess.PIPE, **options)
    return done.returncode, (done.stdout or b"").decode(), done.stderr.decode()


def expect(truth, message):
    if not truth:
        raise AssertionError(message)


def expect_one_line(errors, *words):
    """A failure is one line that contains these words."""
    lines = errors.splitlines()
    expect(len(lines) == 1 and lines[0].startswith("webstrata: "), f"not one clear line: {errors!r}")
    for word in words:
        expect(word in lines[0], f"{word!r} is not in {lines[0]!r}")


def program_for_all(folder, program=PROGRAM):
    """A copy of the program, with the module it loads, that every user may run, wherever the build folder is. Every user must be able
    to enter `folder`."""
    place = Path(folder) / "program"
    if not place.exists():
        place.mkdir()
        for path in (Path(program), Path(program).parent / "libwebstrata_store.so"):
            if path.exists():
                shutil.copy(path, place)
    for path in (place, *place.iterdir()):
        path.chmod(0o755)
    return str(place / Path(program).name)


def run_tests_together(names, *arguments, folder=None):
    """run_tests() for tests that mostly wait and share nothing: all at once, each in a process of its own."""
    children = {}
    for name, test in sorted(names.items()):
        if not name.startswith("test_"):
            continue
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            _end_after(lambda test=test, name=name: run_tests({name: test}, *arguments, folder=folder))
        children[name] = child
    codes = {name: os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for name, child in children.items()}
    failed = [name for name, code in codes.items() if code not in (0, SKIPPED)]
    expect(codes and not failed, f"failed: {failed}")
    return SKIPPED if SKIPPED in codes.values() else 0


def _end_after(test):
    """Ends this process with the code that the test gives, 1 if it fails."""
    code = 1
    try:
        code = test()
    except SystemExit as end:
        code = end.code
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code if isinstance(code, int) else 1)


def run_tests(names, *arguments, folder=None):
    """Runs every test_... among these names with the arguments; `folder` makes a new folder for each, given last.
    The exit code to end with: 0, or 77 if one of them left something out."""
    for name, test in sorted(names.items()):
        if name.startswith("test_"):
            with folder() if folder else contextlib.nullcontext() as own:
                test(*arguments, *([Path(own)] if own else []))
            print(f"ok  {name[5:].replace('_', ' ')}", flush=True)
    return ending()
