# SPDX-License-Identifier: Apache-2.0
"""webstrata forget as a user sees it: what is deleted, what is printed, what stays out, which readers are waited for."""

import fcntl
import json
import os
import pty
import resource
import select
import signal
import subprocess
import sys
import time

from running import PROGRAM, SAMPLE, SOURCE, expect, expect_one_line, not_tried, program_for_all, run, run_tests

sys.path.insert(0, str(SOURCE / "tests" / "archive"))
from fault import fast_folder
from format_reader import decode_everything

HOST = "flickcurl-doc.docs.example"


def build(folder, name="lib.ws"):
    archive = folder / name
    code, _, errors = run("build", archive, "-q", SAMPLE / "2021.warc.gz", SAMPLE / "2023.warc.gz")
    expect(code == 0, errors)
    return archive


def mentions(archive, text):
    """Strings anywhere in the decoded archive, and raw bytes of its files, that hold `text` or its reversed host."""
    spellings = (text.encode(), ",".join(reversed(text.split("."))).encode())
    found = [word for word in decode_everything(archive) if any(spelling in word for spelling in spellings)]
    for path in archive.rglob("*"):
        if path.is_file() and any(spelling in path.read_bytes() for spelling in spellings):
            found.append(str(path))
    return found


def test_nothing_is_left(folder):
    archive = build(folder)
    expect(mentions(archive, HOST), "the host is not in the sample, so the test would show nothing")
    code, out, errors = run("forget", archive, "--host", HOST)
    expect(code == 0, errors)
    expect(not mentions(archive, HOST), f"left: {mentions(archive, HOST)[:5]}")
    records = out.splitlines()
    expect(len(records) > 50 and all(HOST in line for line in records), f"{len(records)} records told")
    expect("2021.warc.gz" in out and "2023.warc.gz" in out, "the crawl files are not named")
    expect(run("verify", archive)[0] == 0, "verify is not content")
    print(f"    {len(records)} records told")


def test_nothing_is_left_of_a_page_or_a_folder(folder):
    """In no block of any file, and in no other spelling: the archive is decoded by independent code."""
    archive = build(folder)
    rows = [json.loads(line) for line in run("url", archive, "--json", "--pages")[1].splitlines()]
    page = next(row for row in rows if row["url"].endswith(".html") and len(row["url"]) > 50)
    other = next(row for row in rows if row["url"].count("/") > 4 and row["key"].split(")")[0] != page["key"].split(")")[0])
    prefix = {name: text.rsplit("/", 1)[0] + "/" for name, text in (("url", other["url"]), ("key", other["key"]))}
    for words, what in ((["--url", page["url"].upper()], page), (["--prefix", prefix["url"]], prefix)):
        spellings = (what["url"].encode(), what["key"].encode(), what["url"].replace("http://", "https://").encode())
        holds = lambda text: any(spelling in text for spelling in spellings)
        expect(any(map(holds, decode_everything(archive))), f"{what} is not there")
        code, _, errors = run("forget", archive, *words)
        expect(code == 0, errors)
        left = [text for text in decode_everything(archive) if holds(text)]
        expect(not left, f"{words}: {left[:3]}")
        expect(not any(holds(path.read_bytes()) for path in archive.rglob("*") if path.is_file()), f"{words}: in the files")


def test_it_stays_out_until_it_is_taken_back(folder):
    archive = build(folder)
    before = json.loads(run("info", "--json", archive)[1])
    expect(run("forget", archive, "-q", "--prefix", f"http://{HOST}/")[0] == 0, "forget failed")
    without = json.loads(run("info", "--json", archive)[1])
    expect(without["pages"] < before["pages"], "nothing was forgotten")
    code, _, errors = run("update", archive, SAMPLE / "2021.warc.gz")
    expect(code in (0, 1), errors)
    expect("forgotten" in errors, f"the user is not told that something was left out: {errors}")
    again = json.loads(run("info", "--json", archive)[1])
    expect(again["pages"] == without["pages"], "what was forgotten came in again")
    expect(run("forget", archive, "--undo", "--prefix", f"http://{HOST}/")[0] == 0, "undo failed")
    expect(run("update", archive, "-q", SAMPLE / "2021.warc.gz", SAMPLE / "2023.warc.gz")[0] == 0, "update failed")
    back = json.loads(run("info", "--json", archive)[1])
    expect(back["pages"] == before["pages"], "it did not come back")
    expect(run("forget", archive, "--undo", "--host", "nobody.example")[0] == 1, "undo of nothing finds nothing")


def test_only_a_time(folder):
    archive = build(folder)
    code, out, errors = run("forget", archive, "--host", HOST, "--from", "2023")
    expect(code == 0, errors)
    expect(out and all(line.startswith("2023") for line in out.splitlines()), "other times were told")
    url = out.splitlines()[0].split()[1]
    code, left, _ = run("captures", archive, url)
    expect("2023" not in left.replace(url, ""), f"still there: {left}")


def test_a_reader_is_waited_for(folder):
    archive = build(folder)
    generation = next(archive.glob("g*"))
    reader = subprocess.Popen([sys.executable, "-c", "import fcntl, os, sys, time\n"
                               "folder = os.open(sys.argv[1], os.O_RDONLY)\n"
                               "fcntl.flock(folder, fcntl.LOCK_SH)\n"
                               "print('reading', flush=True)\ntime.sleep(600)", generation], stdout=subprocess.PIPE, text=True)
    try:
        expect(reader.stdout.readline() == "reading\n", "the reader does not read")
        forget = subprocess.Popen([PROGRAM, "forget", archive, "--host", HOST], stdout=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE, text=True)
        told = forget.stderr.readline()
        expect(str(reader.pid) in told, f"the reader {reader.pid} is not named: {told}")
        expect(generation.exists() and forget.poll() is None, "the reader was not waited for")
        expect(run("verify", archive)[0] == 2, "verify overlooks the old generation")
        reader.kill()
        reader.wait()
        expect(forget.wait(timeout=60) == 0, "forget failed")
        expect(not generation.exists(), "the old generation is still there")
    finally:
        reader.kill()
    expect(run("verify", archive)[0] == 0, "verify is not content")


def test_the_list_survives_an_interrupted_wait(folder):
    archive = build(folder)
    generation = next(archive.glob("g*"))
    reader = os.open(generation, os.O_RDONLY)
    fcntl.flock(reader, fcntl.LOCK_SH)
    forget = subprocess.Popen([PROGRAM, "forget", archive, "--host", HOST], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    expect("waiting for readers" in forget.stderr.readline(), "it does not wait")
    forget.send_signal(signal.SIGINT)
    records, _ = forget.communicate(timeout=60)
    os.close(reader)
    expect(forget.returncode == 2 and records.count(HOST) > 50, f"{forget.returncode}: {records[:200]}")


def files_in(archive):
    return {path.relative_to(archive): path.read_bytes() for path in archive.rglob("*") if path.is_file()}


def test_a_dry_run_shows_what_would_go(folder):
    archive = build(folder)
    before = files_in(archive)
    code, shown, errors = run("forget", archive, "--host", HOST, "--dry-run")
    expect(code == 0 and "would forget" in errors and "nothing was changed" in errors, errors)
    expect(files_in(archive) == before, "a dry run changes files")
    code, done, told = run("forget", archive, "--host", HOST)
    expect(code == 0 and shown == done, "other records went than were shown")
    losses = told.split("forgot ")[1].splitlines()[0]
    expect(f"would forget {losses};" in errors, f"{errors} is not {losses}")
    expect(run("forget", archive, "--host", "nobody.example", "--dry-run")[0] == 1, "nothing is there to be forgotten")


def on_terminal(words, answer):
    """Runs the program in its own terminal; returns the exit code and everything on the screen."""
    screen = b""
    child, terminal = pty.fork()
    if child == 0:
        os.execv(PROGRAM, [PROGRAM, *map(str, words)])
    is_answered = False
    limit = time.monotonic() + 120
    while True:
        if not select.select([terminal], [], [], max(0, limit - time.monotonic()))[0]:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            raise AssertionError(f"no end after {answer}: {screen.decode()}")
        try:
            more = os.read(terminal, 1 << 16)
        except OSError:  # the other side is closed
            break
        if not more:
            break
        screen += more
        if not is_answered and b"[y/N]" in screen:
            os.write(terminal, answer)
            is_answered = True
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), screen.decode()


def test_on_a_terminal_it_asks(folder):
    archive = build(folder)
    before = files_in(archive)
    words = ["forget", archive, "--host", HOST]
    for answer in (b"n\n", b"\n", b"\x04", b"yesterday\n"):
        code, screen = on_terminal(words, answer)
        expect(code == 1 and "permanently" in screen and HOST in screen, f"{answer}: {code} {screen}")
        expect("nothing was forgotten" in screen and files_in(archive) == before, f"{answer}: it was forgotten")
    for _ in range(20):  # it may arrive between the question and the first wait for an answer
        code, screen = on_terminal(words, b"\x03")
        expect(code != 0 and files_in(archive) == before, f"Ctrl-C: {code} {screen}")
    code, screen = on_terminal([*words, "--dry-run"], b"y\n")
    expect(code == 0 and "[y/N]" not in screen and files_in(archive) == before, f"a dry run needs no answer: {screen}")
    code, screen = on_terminal(words, b"Y\n")
    expect(code == 0 and not mentions(archive, HOST), f"{code} {screen}")
    code, screen = on_terminal(["forget", archive, "--host", "python-quart-doc.docs.example", "--yes"], b"")
    expect(code == 0 and "[y/N]" not in screen, screen)


def test_the_owner_lists_what_was_forgotten(folder):
    archive = build(folder)
    expect(run("forget", archive, "--list")[0] == 1, "there is nothing to list")
    expect(json.loads(run("info", "--json", archive)[1])["tombstones"] == 0, "info counts none")
    expect(run("forget", archive, "-q", "--host", HOST)[0] == 0, "forget failed")
    expect(run("forget", archive, "-q", "--url", "http://me.example/x", "--to", "2015")[0] == 1, "it is not there, but stays out")
    code, out, errors = run("forget", archive, "--list")
    expect(code == 0 and sorted(line.split("\t")[0] for line in out.splitlines()) == ["host", "url"], out)
    expect("2 tombstones" in errors and HOST not in out, f"{out} {errors}")
    rows = [json.loads(line) for line in run("forget", archive, "--list", "--json")[1].splitlines()]
    expect({row["kind"] for row in rows} == {"host", "url"} and all(len(row["hash"]) == 32 for row in rows), rows)
    expect([row.get("to") for row in rows if row["kind"] == "url"] == ["2015-12-31T23:59:59Z"], rows)
    expect(run("forget", archive, "--list", "--url", f"https://{HOST}/any")[1].startswith("host\t"), "it is covered by its host")
    expect(run("forget", archive, "--list", "--url", "http://other.example/")[0] == 1, "that was not forgotten")
    expect(json.loads(run("info", "--json", archive)[1])["tombstones"] == 2, "info counts two")
    expect("tombstones                 2" in run("info", archive)[1], run("info", archive)[1])


def test_a_public_suffix_needs_force(folder):
    archive = build(folder)
    before = files_in(archive)
    for words in (["--host", "com"], ["--host", "co.uk"], ["--host", "example", "--dry-run"]):
        code, _, errors = run("forget", archive, *words)
        expect(code == 2 and "public suffix" in errors and "set force" in errors and errors.count("\n") == 1, f"{words}: {errors}")
    expect(files_in(archive) == before, "it was forgotten")
    code, _, errors = run("forget", archive, "--host", "example", "--force")
    expect(code == 0 and json.loads(run("info", "--json", archive)[1])["pages"] < 50, errors)
    expect(run("forget", archive, "--undo", "--host", "example")[0] == 0, "to take it back needs no force")


def test_verify_looks_at_the_key(folder):
    archive = build(folder)
    expect(run("forget", archive, "-q", "--host", HOST)[0] == 0, "forget failed")
    key = archive / "tombstones.key"
    whole = key.read_bytes()
    for how, damaged in (("flipped", bytes([whole[0] ^ 1]) + whole[1:]), ("cut", whole[:7]), ("deleted", None)):
        key.unlink()
        if damaged is not None:
            key.write_bytes(damaged)
        code, out, errors = run("verify", archive)
        expect(code == 2 and "tombstones.key" in out, f"{how}: {code} {out} {errors}")
        expect("made after the last forget" in errors and "repeat every forget" in errors, f"{how}: an old copy or a new build would bring it back: {errors}")
        key.write_bytes(whole)
        key.chmod(0o600)
        expect(run("verify", archive)[0] == 0, f"{how} and restored")
    key.chmod(0o644)
    code, _, errors = run("verify", archive)
    expect(code == 0 and "chmod 600" in errors, f"others may read the key: {code} {errors}")


def test_a_damaged_list_is_no_answer(folder):
    """info took a list that it could not read for one that this user may not read, and answered without it."""
    archive = build(folder)
    expect(run("forget", archive, "-q", "--host", HOST)[0] == 0, "forget failed")
    (path,) = (path for path in archive.glob("tombstones*") if path.name != "tombstones.key")
    whole = path.read_bytes()
    for how, damaged in (("flipped", whole[:-1] + bytes([whole[-1] ^ 1])), ("cut", whole[:-3]), ("empty", b""), ("deleted", None)):
        path.unlink()
        if damaged is not None:
            path.write_bytes(damaged)
        for words in (["info", archive], ["info", "--json", archive]):
            code, out, errors = run(*words)
            expect(code == 2 and out == "" and path.name in errors, f"{how}: {code} {out} {errors}")
        path.write_bytes(whole)
    whole_answer = run("info", "--json", archive)
    for files in range(3, 9):
        answer = run("info", "--json", archive, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (files, files)))  # noqa: B023
        # UBSan needs two files to look at memory, and takes their lack for a wrong pointer.
        expect(answer == whole_answer or answer[0] in (2, 127) or "does not point to an object of type" in answer[2], f"at most {files} open files: {answer}")
    path.unlink()
    path.mkdir()  # cannot be read as a file, and not for want of a permission
    code, out, errors = run("info", archive)
    expect(code == 2 and out == "", f"a folder: {code} {out} {errors}")


def test_what_another_user_may_do(folder):
    """The key is the owner's alone: without it no other user can update, and the message says who can."""
    if os.getuid() != 0:
        not_tried("another user: only root can become one")
        return
    archive = build(folder)
    expect(run("forget", archive, "-q", "--host", HOST)[0] == 0, "forget failed")
    count = json.loads(run("info", "--json", archive)[1])["tombstones"]
    (tombstones,) = (path for path in archive.glob("tombstones*") if path.name != "tombstones.key")
    for path in (folder, archive, *archive.rglob("*")):
        path.chmod(0o777 if path.is_dir() else 0o666)
    (archive / "tombstones.key").chmod(0o600)
    program = program_for_all(folder)

    def as_another(*words):
        done = subprocess.run([program, *map(str, words)], user=64999, group=65534, extra_groups=[], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr

    code, _, errors = as_another("update", "-q", archive, SAMPLE / "2023.warc.gz")
    expect(code == 2, f"an update without the key: {code} {errors}")
    expect_one_line(errors, "tombstones.key", "only the archive's owner may read it", "run this as the owner")
    code, out, errors = as_another("info", "--json", archive)
    expect(code == 0 and json.loads(out)["tombstones"] == count, f"{code} {out} {errors}")
    tombstones.chmod(0o600)
    code, out, errors = as_another("info", "--json", archive)
    expect(code == 0 and json.loads(out).get("tombstones") is None, f"a list that may not be read: {code} {out} {errors}")


def test_bad_use(folder):
    archive = build(folder)
    for words in (["forget", archive], ["forget", archive, "--url", "http://"], ["forget", folder / "none", "--url", "http://a.org/"],
                  ["forget", archive, "--url", "http://a.org/", "--from", "2020", "--to", "2019"],
                  ["forget", archive, "--url", "http://a.org/", "--from", "yesterday"]):
        code, _, errors = run(*words)
        expect(code == 2 and errors.count("\n") == 1, f"{words}: {code} {errors}")
    expect(run("forget", archive, "--host", "nobody.example")[0] == 1, "what is not there is not found")


def main():
    return run_tests(globals(), folder=fast_folder)


if __name__ == "__main__":
    sys.exit(main())
