# SPDX-License-Identifier: Apache-2.0
"""Archives made from Python have the same bytes; long work can be watched and stopped; bad input is one clear error."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
import warnings

from module import SAMPLE, expect, expect_same, fails, run_tests, temporary_folder, webstrata, write

OLD, NEW = SAMPLE / "2021.warc.gz", SAMPLE / "2023.warc.gz"


def test_the_bytes_are_those_of_the_program(folder):
    write("build", folder / "program.ws", OLD, NEW)
    written = webstrata.build(folder / "one.ws", [OLD, NEW])
    expect(written.changed and [one.format for one in written.inputs] == ["warc", "warc"], written)
    expect_same(folder / "program.ws", folder / "one.ws", "build from Python")
    webstrata.build(folder / "two.ws", OLD)
    webstrata.update(folder / "two.ws", str(NEW), memory="128M", merge="all")
    expect_same(folder / "program.ws", folder / "two.ws", "build and update from Python")
    again = webstrata.update(folder / "two.ws", NEW)
    expect(not again.changed and again.generation == 2, again)
    expect_same(folder / "program.ws", folder / "two.ws", "the same facts again")


def test_archives_as_inputs(folder):
    webstrata.build(folder / "whole.ws", [OLD, NEW])
    webstrata.build(folder / "old.ws", OLD)
    webstrata.build(folder / "new.ws", NEW)
    written = webstrata.build(folder / "joined.ws", [folder / "old.ws", NEW])
    expect([one.format for one in written.inputs] == ["archive", "warc"], written)
    expect_same(folder / "whole.ws", folder / "joined.ws", "an archive and a crawl file")
    expect(webstrata.update(folder / "old.ws", folder / "new.ws").changed, "an archive is new")
    webstrata.compact(folder / "old.ws")
    expect_same(folder / "whole.ws", folder / "old.ws", "update with an archive")
    expect(not webstrata.update(folder / "old.ws", [folder / "new.ws"]).changed, "nothing is new")
    webstrata.build(folder / "all.ws", OLD, links="all")
    fails("bad_input", lambda: webstrata.update(folder / "old.ws", folder / "all.ws"), "option links is all")
    fails("bad_input", lambda: webstrata.build(folder / "x.ws", [folder / "old.ws", folder / "all.ws"]), "option links is all")
    expect(not (folder / "x.ws").exists(), "something is left")
    fails("bad_input", lambda: list(webstrata.read(folder / "all.ws")), "is an archive")


def test_files_of_folders_are_chosen(folder):
    """include= is --include: without it a folder stands for all its crawl files."""
    crawls = folder / "crawls"
    (crawls / "below").mkdir(parents=True)
    (crawls / "old.warc.gz").symlink_to(OLD)
    (crawls / "below" / "new.warc.gz").symlink_to(NEW)
    webstrata.build(folder / "both.ws", [OLD, NEW])
    webstrata.build(folder / "old.ws", OLD)
    webstrata.build(folder / "chosen.ws", crawls, include="old*")
    expect(webstrata.verify(folder / "chosen.ws").problems == [], "sound")
    with webstrata.open(folder / "chosen.ws") as chosen, webstrata.open(folder / "old.ws") as old:
        expect(chosen.info()["captures"] == old.info()["captures"], "only the files that include names")
    expect(webstrata.update(folder / "chosen.ws", crawls, include=["new*", "none*"]).changed, "another pattern, another file")
    files = {row.file for row in webstrata.read(crawls, include="*new.warc.gz") if row.file}
    expect(files == {"new.warc.gz"}, files)


def test_graphs_with_dates(folder):
    webstrata.build(folder / "lib.ws", [OLD, NEW])
    truth = {}
    with webstrata.open(folder / "lib.ws") as library:
        for year in ("2021", "2023"):
            hosts = library.snapshot(during=year, level="host")
            truth[year] = set(hosts.to_networkx().edges)
            hosts.export(folder / f"hosts-{year}", "bvgraph")
    old, new = folder / "hosts-2021", folder / "hosts-2023"
    written = webstrata.build(folder / "hosts.ws", graphs=[f"{old}@2021-08", (new, "2023-08")])
    expect([one.format for one in written.inputs] == ["bvgraph", "bvgraph"] and written.captures > 10, written)
    with webstrata.open(folder / "hosts.ws") as library:
        for year in truth:
            found = library.snapshot(during=year, level="host").to_networkx().edges
            expect(set(found) == truth[year], f"{year}: {len(found)} links, not {len(truth[year])}")
    write("build", folder / "program.ws", "--graph", f"{old}@2021-08", "--graph", f"{new}@2023-08")
    expect_same(folder / "program.ws", folder / "hosts.ws", "graphs from Python")
    webstrata.build(folder / "steps.ws", graphs=(old, "2021-08", folder / "hosts-2021.urls.gz"))
    webstrata.update(folder / "steps.ws", graphs=f"{new}@2023-08")
    webstrata.compact(folder / "steps.ws")
    expect_same(folder / "program.ws", folder / "steps.ws", "graphs one by one")
    fails("bad_input", lambda: webstrata.build(folder / "x.ws", graphs=str(old)), "date is missing")
    fails("bad_input", lambda: webstrata.build(folder / "x.ws", graphs=[old]), "has no date")
    fails("bad_input", lambda: webstrata.build(folder / "x.ws", graphs=[(old, "soon")]), "soon")
    fails("not_found", lambda: webstrata.build(folder / "x.ws", graphs=[(folder / "none", "2021")]), "none")
    fails("bad_input", lambda: webstrata.build(folder / "x.ws"), "no input")
    expect(not (folder / "x.ws").exists(), "something is left")


def test_forget_and_verify(folder):
    archive = folder / "lib.ws"
    webstrata.build(archive, [OLD, NEW])
    host = "python-quart-doc.docs.example"
    done = webstrata.forget(archive, host=host)
    expect(done.changed and done.records and done.records[0].file == OLD.name, done)
    expect(len(webstrata.open(archive).urls(host=host)) == 0, "it is still there")
    webstrata.update(archive, OLD)
    expect(len(webstrata.open(archive).urls(host=host)) == 0, "it came back")
    expect(webstrata.undo_forget(archive, host=host) > 0, "no tombstone")
    expect(webstrata.verify(archive).problems == [], "not clean")
    layer = next(archive.glob("g*/links.*"))
    whole = layer.read_bytes()
    layer.write_bytes(whole[:200] + bytes([whole[200] ^ 1]) + whole[201:])
    expect(any("links" in problem for problem in webstrata.verify(archive).problems), "a flipped bit was not seen")


def test_forget_can_be_tried_and_guards_public_suffixes(folder):
    archive = folder / "lib.ws"
    webstrata.build(archive, OLD)
    before = {path: path.read_bytes() for path in archive.rglob("*") if path.is_file()}
    host = "python-quart-doc.docs.example"
    with webstrata.open(archive):
        tried = webstrata.forget(archive, host=host, dry_run=True)
    fails("bad_input", lambda: webstrata.forget(archive, host="com"), "com is a public suffix", "force")
    fails("bad_input", lambda: webstrata.forget(archive, host="com", dry_run=True), "com is a public suffix")
    expect({path: path.read_bytes() for path in archive.rglob("*") if path.is_file()} == before, "something was changed")
    done = webstrata.forget(archive, host=host)
    expect(tried == done and done.names > 0, (tried, done))
    expect(webstrata.forget(archive, host="com", force=True).tombstones == 1, "no tombstone")


def test_progress_is_told_on_the_calling_thread(folder):
    told = []
    webstrata.build(folder / "lib.ws", [OLD, NEW], progress=lambda now: told.append((now, threading.get_ident())))
    expect(told and all(thread == threading.get_ident() for _, thread in told), told)
    expect(all(now.done <= now.total or now.total == 0 for now, _ in told), told)


def test_a_callback_that_raises_stops_the_work(folder):
    class Enough(Exception):
        pass

    def raise_it(now):
        raise Enough(now.phase)

    try:
        webstrata.build(folder / "lib.ws", [OLD, NEW], progress=raise_it)
        raise AssertionError("nothing was raised")
    except Enough:
        expect(not (folder / "lib.ws" / "MANIFEST").exists(), "there is an archive all the same")


def test_the_gil_is_free_meanwhile(folder):
    """Another thread of Python continues while an archive is built."""
    counted, is_over = [0], threading.Event()

    def count():
        while not is_over.is_set():
            counted[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    webstrata.build(folder / "lib.ws", [OLD, NEW])
    is_over.set()
    thread.join()
    expect(counted[0] > 5, f"only {counted[0]} steps")


STOPPED = """
import sys, threading, time, os, signal, webstrata
def interrupt(now, done=[]):
    if not done:
        done.append(1)
        os.kill(os.getpid(), signal.SIGINT)
try:
    webstrata.build(sys.argv[1], [sys.argv[2]] * 40, threads=1, progress=interrupt)
    print("finished")
except KeyboardInterrupt:
    print("interrupted", os.path.exists(sys.argv[1] + "/MANIFEST"))
"""


def test_ctrl_c_stops_and_leaves_nothing(folder):
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(STOPPED), folder / "lib.ws", OLD], capture_output=True, text=True,
                          timeout=300)
    expect(done.stdout.strip() == "interrupted False", done.stdout + done.stderr)


def test_bad_input_is_one_clear_error_and_nothing_is_written(folder):
    archive = folder / "lib.ws"
    fails("io", lambda: webstrata.build(archive, [OLD, folder / "missing.warc.gz"]), "missing.warc.gz", "skip_unreadable")
    expect(not (archive / "MANIFEST").exists(), "an archive is there")
    (folder / "rubbish").write_bytes(os.urandom(5000))
    fails("io", lambda: webstrata.build(archive, folder / "rubbish"), "rubbish")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        webstrata.build(archive, [OLD, folder / "missing.warc.gz"], skip_unreadable=True)
    expect(len(caught) == 1 and "missing.warc.gz" in str(caught[0].message), caught)
    fails("bad_input", lambda: webstrata.build(archive, OLD), "lib.ws")
    fails("bad_input", lambda: webstrata.update(archive, NEW, range="1d"), "other options")
    fails("bad_input", lambda: webstrata.update(archive, NEW, merge="some"), "'some' is not True, False")
    fails("bad_input", lambda: webstrata.update(archive, NEW, memory="some"), "some")
    fails("not_found", lambda: webstrata.update(folder / "no.ws", NEW), "no.ws")
    fails("bad_input", lambda: webstrata.forget(archive), "name what to forget")
    fails("bad_input", lambda: webstrata.forget(archive, url="::"), "::")
    fails("bad_input", lambda: webstrata.build(folder / "other.ws", OLD, digests="many"), "many")


def test_damage_is_warned_of_or_strict(folder):
    whole = OLD.read_bytes()
    (folder / "damaged.warc.gz").write_bytes(whole[: len(whole) // 2] + b"damage" + whole[len(whole) // 2 + 6 :])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        written = webstrata.build(folder / "lib.ws", folder / "damaged.warc.gz")
    expect(written.inputs[0].damage_count > 0 and "damaged at" in str(caught[0].message), written.inputs)
    fails("corrupt", lambda: webstrata.build(folder / "strict.ws", folder / "damaged.warc.gz", strict=True), "damaged at")
    expect(not (folder / "strict.ws").exists(), "strict wrote something")


def test_another_writer_is_named(folder):
    archive = folder / "lib.ws"
    webstrata.build(archive, OLD)
    holder = subprocess.Popen([sys.executable, "-c", f"import fcntl, sys, time; lock = open({str(archive / 'lock')!r}, 'a'); "
                               "fcntl.flock(lock, fcntl.LOCK_EX); print('held', flush=True); time.sleep(60)"], stdout=subprocess.PIPE)
    try:
        holder.stdout.readline()
        fails("io", lambda: webstrata.update(archive, NEW), "lib.ws", "is changing it")
    finally:
        holder.send_signal(signal.SIGKILL)
        holder.wait()


if __name__ == "__main__":
    sys.exit(run_tests(globals(), folder=temporary_folder))
