# SPDX-License-Identifier: Apache-2.0
"""Bad use of archives: one clear line, the right exit code, no leftovers, the old generation untouched."""

import os
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path

from archives import digests_of, temporary_folder, write
from running import PROGRAM, SAMPLE, expect, expect_one_line, not_tried, run, run_tests

OLD = SAMPLE / "2021.warc.gz"
NEW = SAMPLE / "2023.warc.gz"


def expect_refused(arguments, *words, code=2):
    found, out, errors = run(*arguments)
    expect(found == code and out == "", f"{arguments}: {found} {out}")
    expect_one_line(errors, *words)


def names_in(folder):
    return sorted(path.name for path in folder.iterdir())


def test_wrong_words(folder):
    lib = folder / "lib.ws"
    for arguments, word in ((["build"], "ARCHIVE"), (["build", lib], "INPUT"), (["build", lib, OLD, "--range", "soon"], "soon"),
                            (["build", lib, OLD, "--memory", "lots"], "lots"), (["build", lib, OLD, "--memory", "64M"], "128"),
                            (["build", lib, OLD, "--digests", "half"], "half"), (["build", lib, OLD, "--links", "up"], "up"),
                            (["build", lib, OLD, "--schemes", "no"], "no")):
        expect_refused(arguments, word)
        expect(names_in(folder) == [], "a refused build left something")


def test_archives_that_are_none(folder):
    (folder / "empty").mkdir()
    (folder / "other").mkdir()
    (folder / "other" / "file").write_text("mine")
    (folder / "file").write_text("mine")
    asking = (["update", None, OLD], ["info", None], ["url", None, "0"], ["captures", None, "0"], ["links", None, "0"],
              ["export", None, "--as", "jsonl"], ["verify", None], ["diff", None, "2021", "2023"], ["stats", None])
    for name, word in (("missing", "no such archive"), ("empty", "not an archive"), ("other", "not an archive"),
                       ("file", "")):
        for command in asking:
            expect_refused([folder / name if part is None else part for part in command], name, word)
    expect_refused(["build", folder / "other", OLD], "other")
    expect_refused(["build", folder / "file", OLD], "file")
    expect_refused(["build", folder / "no" / "such", OLD], "such")
    expect(names_in(folder) == ["empty", "file", "other"] and names_in(folder / "other") == ["file"], names_in(folder))


def test_an_archive_that_is_there_already(folder):
    write("build", folder / "lib.ws", OLD)
    before = digests_of(folder / "lib.ws")
    expect_refused(["build", folder / "lib.ws", NEW], "is an archive already")
    expect(digests_of(folder / "lib.ws") == before, "a refused build changed the archive")


def test_options_that_were_fixed(folder):
    lib = folder / "lib.ws"
    write("build", lib, OLD)
    before = digests_of(lib)
    for option, words in ((["--range", "1d"], ("30d", "1d")), (["--links", "all"], ("navigation",)),
                          (["--digests", "none"], ("full", "none")), (["--schemes", "all"], ("web", "all")),
                          (["--compact"], ("--compact",))):
        expect_refused(["update", lib, NEW, *option], option[0], *words)
    expect(digests_of(lib) == before, "a refused update changed the archive")
    write("update", lib, NEW, "--range", "30d", "--links", "graph", "--digests", "full", "--schemes", "web")


def test_inputs_that_cannot_be_read(folder):
    lib = folder / "lib.ws"
    expect_refused(["build", "--quiet", lib, folder / "missing"], "missing")
    code, _, errors = run("build", "--quiet", "--strict", lib, folder / "missing", OLD)
    expect(code == 2 and "nothing was written" in errors and names_in(folder) == [], errors)
    (folder / "info.warc").write_bytes(b"WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n")
    expect_refused(["build", lib, folder / "info.warc"], "no captures", code=1)
    expect(not lib.exists(), "an archive of nothing")
    code, _, errors = run("build", "--quiet", lib, folder / "missing", OLD)
    expect(code == 2, "an input that cannot be read must show in the exit code")
    expect_one_line(errors, "missing")
    write("build", folder / "good.ws", OLD)
    expect(digests_of(lib) == digests_of(folder / "good.ws"), "the good input is not in the archive")
    damaged = folder / "cut.warc.gz"
    damaged.write_bytes(NEW.read_bytes()[:200_000])
    code, _, errors = run("update", "--quiet", "--strict", lib, damaged)
    expect(code == 2 and digests_of(lib) == digests_of(folder / "good.ws"), errors)
    code, _, errors = run("build", "--quiet", folder / "quiet.ws", OLD, damaged)
    expect(code == 0, errors)
    expect_one_line(errors, "damaged place", "1 input")
    code, _, errors = run("update", lib, damaged)
    expect(code == 0 and "damaged at" in errors, errors)


class Held:
    """A build or update that waits for the rest of its input."""

    def __init__(self, verb, lib, folder):
        self.fifo = folder / "fifo"
        os.mkfifo(self.fifo)
        self.process = subprocess.Popen([PROGRAM, verb, lib, self.fifo], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.stream = self.fifo.open("wb")
        self.stream.write(NEW.read_bytes()[:1_000_000])
        self.stream.flush()

    def interrupt(self):
        self.process.send_signal(2)
        try:
            self.stream.write(NEW.read_bytes()[1_000_000:])
            self.stream.close()
        except BrokenPipeError:
            pass
        errors = self.process.communicate(timeout=60)[1].decode()
        self.fifo.unlink()
        expect(self.process.returncode == 2, f"interrupted: {self.process.returncode}")
        expect_one_line(errors, "interrupted")


def test_a_second_writer(folder):
    lib = folder / "lib.ws"
    write("build", lib, OLD)
    before = digests_of(lib)
    first = Held("update", lib, folder)
    expect_refused(["update", "--quiet", lib, OLD], "lib.ws", str(first.process.pid))
    expect(run("info", lib)[0] == 0, "a reader must not wait for a writer")
    first.interrupt()
    expect(digests_of(lib) == before and "work" not in names_in(lib), names_in(lib))


def test_an_interrupt_leaves_what_was(folder):
    Held("build", folder / "new.ws", folder).interrupt()
    expect(names_in(folder) == [], f"an interrupted build left {names_in(folder)}")
    lib = folder / "lib.ws"
    write("build", lib, OLD)
    before, names = digests_of(lib), names_in(lib)
    Held("update", lib, folder).interrupt()
    expect(digests_of(lib) == before and names_in(lib) == names, f"an interrupted update left {names_in(lib)}")


def interrupt_at_any_time(folder, verb, words, before, after):
    """`before` is None where there is no archive yet."""
    lib = folder / "lib.ws"
    good = {False: before and digests_of(before), True: digests_of(after)}
    names = names_in(before) if before else None
    interrupted = 0
    for step in range(12):
        if before:
            shutil.copytree(before, lib)
        process = subprocess.Popen([PROGRAM, verb, "--quiet", lib, *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        time.sleep(0.03 * step)
        process.send_signal(2)
        errors = process.communicate(timeout=60)[1].decode()
        # Before the program has installed its handler, a signal ends it at once, without a message.
        if process.returncode == 2:
            expect_one_line(errors, "interrupted")
        interrupted += process.returncode != 0
        is_done = process.returncode == 0
        how = f"{verb}, step {step}: {process.returncode} {errors}"
        expect((digests_of(lib) if lib.exists() else None) == good[is_done], how)
        if not is_done and process.returncode >= 0 and before:
            expect(names_in(lib) == names, f"{how} left {names_in(lib)}")
        shutil.rmtree(lib, ignore_errors=True)
    print(f"    {verb}: {interrupted} of 12 interrupted")


def test_an_interrupt_at_any_time(folder):
    """Whatever phase it hits, the archive is the old one or the new one, and nothing else is left."""
    old, both, less = folder / "old.ws", folder / "both.ws", folder / "less.ws"
    write("build", old, OLD)
    write("build", both, OLD, NEW)
    shutil.copytree(both, less)
    host = ["--host", "docs.example"]
    expect(run("forget", less, "-q", *host)[0] == 0, "forget")
    interrupt_at_any_time(folder, "build", [OLD, NEW], None, both)
    interrupt_at_any_time(folder, "update", [NEW], old, both)
    interrupt_at_any_time(folder, "forget", host, both, less)


def test_a_full_disk(folder):
    disk = folder / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=160k", "tmpfs", disk], capture_output=True, check=False)
    if mounted.returncode != 0:
        not_tried("a full disk: this user may not mount a small one")
        return
    try:
        expect_refused(["build", "--quiet", "--links", "all", disk / "big.ws", OLD, NEW], "No space left")
        expect(names_in(disk) == [], f"a full disk: {names_in(disk)}")
        write("build", disk / "lib.ws", OLD, "--temp", folder)
        before = digests_of(disk / "lib.ws")
        (disk / "filler").write_bytes(b"x" * (os.statvfs(disk).f_bavail * os.statvfs(disk).f_bsize - 20_000))
        expect_refused(["update", "--quiet", disk / "lib.ws", NEW], "No space left")
        expect(digests_of(disk / "lib.ws") == before and "work" not in names_in(disk / "lib.ws"), "old generation")
    finally:
        subprocess.run(["umount", disk], check=True)


def test_a_limit_on_file_sizes(folder):
    """`ulimit -f` sends a signal that ends a program which does not expect it."""
    write("build", folder / "lib.ws", OLD)
    before = digests_of(folder / "lib.ws")
    limit = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))}
    for words in (["build", "--quiet", folder / "new.ws", OLD], ["update", "--quiet", folder / "lib.ws", NEW],
                  ["rank", folder / "lib.ws", "--save", "pr", "--top", "1", "-q"]):
        code, _, errors = run(*words, **limit)
        expect(code == 2, f"{words}: {code} {errors}")
        expect_one_line(errors, "File too large")
    expect(names_in(folder) == ["lib.ws"] and digests_of(folder / "lib.ws") == before, f"left: {names_in(folder)}")


def test_a_limit_on_open_files(folder):
    """It is a property of the process, not of the inputs: one line that says what to raise, not one per input. Also where nothing can
    be deleted, because that takes an open folder, the build can be repeated."""
    inputs = [folder / f"{number}.jsonl" for number in range(3)]
    for number, path in enumerate(inputs):
        path.write_text(f'{{"url": "http://s{number}.example/", "time": "2020-01-01T00:00:00Z", "links": []}}\n')
    write("build", folder / "whole.ws", *inputs)
    whole, refused, of_sanitizer = digests_of(folder / "whole.ws"), [], 0
    words = ["build", "-q", folder / "new.ws", *inputs]
    for files in range(4, 24):
        code, _, errors = run(*words, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (files, files)))  # noqa: B023
        if code == 127:  # the system's loader needs some for the libraries
            continue
        if "does not point to an object of type" in errors:  # UBSan needs two to look at memory, and takes their lack for a wrong pointer
            of_sanitizer += 1
            shutil.rmtree(folder / "new.ws", ignore_errors=True)
            continue
        expect(code in (0, 2), f"{files} files: {code} {errors}")
        if code == 2:
            expect_one_line(errors, "Too many open files", "ulimit -n")
            refused.append(files)
            code, _, errors = run(*words)
            expect(code == 0, f"cannot be repeated after {files} files: {errors}")
        expect(digests_of(folder / "new.ws") == whole, f"{files} files: another archive")
        shutil.rmtree(folder / "new.ws")
    expect(refused or of_sanitizer, "no limit was too small: this shows nothing")


def main():
    return run_tests(globals(), folder=temporary_folder)


if __name__ == "__main__":
    sys.exit(main())
