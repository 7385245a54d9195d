# SPDX-License-Identifier: Apache-2.0
"""The failing disk itself: every mode, at every call of a program whose calls are known."""

import errno
import sys
import traceback

import fault

# Eleven calls that change files, one on each line that says so.
PROGRAM = """
import os, sys
os.chdir(sys.argv[1])
try:
    os.mkdir("d")                                             # 1
    f = os.open("d/a", os.O_WRONLY | os.O_CREAT, 0o666)       # 2
    sent = 0
    while sent < 8: sent += os.write(f, b"12345678"[sent:])   # 3
    os.fsync(f)                                               # 4
    os.pwrite(f, b"ABCD", 8)                                  # 5
    os.fdatasync(f)                                           # 6
    os.ftruncate(f, 10)                                       # 7
    os.link("d/a", "d/b")                                     # 8
    os.rename("d/b", "d/c")                                   # 9
    os.unlink("d/c")                                          # 10
    os.mkdir("e")
    os.rmdir("e")
except OSError as error:
    sys.exit(100 + error.errno)
"""
NAMES = ["mkdir", "open", "write", "fsync", "pwrite", "fdatasync", "ftruncate", "link", "rename", "unlink", "mkdir", "rmdir"]
# The files that exist after each number of calls.
STATES = [{}, {"d": None}, {"d/a": b""}, {"d/a": b"12345678"}, {"d/a": b"12345678"}, {"d/a": b"12345678ABCD"},
          {"d/a": b"12345678ABCD"}, {"d/a": b"12345678AB"}, {"d/a": b"12345678AB", "d/b": b"12345678AB"},
          {"d/a": b"12345678AB", "d/c": b"12345678AB"}, {"d/a": b"12345678AB"}, {"d/a": b"12345678AB", "e": None},
          {"d/a": b"12345678AB"}]


def expect(truth, message):
    if not truth:
        raise AssertionError(message)


def state_of(folder):
    """Files with their bytes, and empty folders."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_file():
            found[name] = path.read_bytes()
        elif not any(path.iterdir()):
            found[name] = None
    return found


def run(place, **options):
    fault.replace_folder(None, place)
    place.mkdir()
    (place.parent / "program.py").write_text(PROGRAM)
    result = fault.run([sys.executable, "-S", place.parent / "program.py", place], under=place, **options)
    return result, state_of(place)


def test_calls_are_counted_and_named(place):
    result, state = run(place)
    expect(result.code == 0 and [call.name for call in result.calls] == NAMES, result)
    expect([call.number for call in result.calls] == list(range(1, len(NAMES) + 1)), result.calls)
    expect(result.calls[8].path == f"{place}/d/b" and result.calls[8].second == f"{place}/d/c", result.calls[8])
    expect(state == STATES[-1], state)


def test_a_kill_leaves_what_was_done_before(place):
    for number in range(1, len(NAMES) + 1):
        for mode in ("kill", "exit"):
            result, state = run(place, fail_at=number, mode=mode)
            expect(result.killed and len(result.calls) == number, (number, mode, result))
            expect(state == STATES[number - 1], (number, mode, state))


def test_a_torn_write_leaves_half(place):
    for number in range(1, len(NAMES) + 1):
        result, state = run(place, fail_at=number, mode="torn")
        half = {3: {"d/a": b"1234"}, 5: {"d/a": b"12345678AB"}}
        expect(result.killed and state == half.get(number, STATES[number - 1]), (number, state))


def test_an_error_reaches_the_program(place):
    for number in range(1, len(NAMES) + 1):
        for mode, code in (("enospc", errno.ENOSPC), ("eio", errno.EIO)):
            result, state = run(place, fail_at=number, mode=mode)
            expect(result.code == 100 + code, (number, mode, result))
            expect(state == STATES[number - 1], (number, mode, state))


def test_a_short_write_fails_when_it_goes_on(place):
    result, state = run(place, fail_at=3, mode="short")
    expect(result.code == 100 + errno.ENOSPC and state == {"d/a": b"1234"}, (result, state))


def test_a_full_disk_stays_full_but_gives_back(place):
    result, state = run(place, fail_at=9, mode="full")  # rename and unlink need no space, mkdir does
    expect(result.code == 100 + errno.ENOSPC and len(result.calls) == 11, result)
    expect(state == STATES[10], state)


def test_other_folders_do_not_count(place):
    place.mkdir(exist_ok=True)
    elsewhere = place.parent / "elsewhere"
    fault.replace_folder(None, elsewhere)
    elsewhere.mkdir()
    result = fault.run([sys.executable, "-S", "-c", PROGRAM, elsewhere], under=place, fail_at=1, mode="kill")
    expect(result.code == 0 and result.calls == [], result)


def test_what_is_not_durable_is_told(_):
    call = fault.Call
    good = [call(1, "mkdir", "/a/work/g"), call(2, "open", "/a/work/g/f"), call(3, "write", "/a/work/g/f"),
            call(4, "fsync", "/a/work/g/f"), call(5, "fsync", "/a/work/g"), call(6, "rename", "/a/work/g", "/a/g1"),
            call(7, "fsync", "/a"), call(8, "open", "/a/MANIFEST.tmp1"), call(9, "write", "/a/MANIFEST.tmp1"),
            call(10, "fsync", "/a/MANIFEST.tmp1"), call(11, "rename", "/a/MANIFEST.tmp1", "/a/MANIFEST")]
    expect(fault.not_durable_at_commit(good, "/a") == [], fault.not_durable_at_commit(good, "/a"))
    for number, path in ((4, "/a/g1/f"), (5, "/a/g1"), (7, "/a"), (10, "/a/MANIFEST.tmp1")):
        complaints = fault.not_durable_at_commit([step for step in good if step.number != number], "/a")
        expect(len(complaints) == 1 and f" {path} " in complaints[0], (number, complaints))


def main():
    fault.skip_without_shim()
    failed = False
    with fault.fast_folder() as folder:
        for name, test in list(globals().items()):
            if not name.startswith("test_"):
                continue
            try:
                test(folder / "place")
                print(f"ok   {name}")
            except AssertionError:
                failed = True
                print(f"FAIL {name}")
                traceback.print_exc()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
