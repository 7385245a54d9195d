# SPDX-License-Identifier: Apache-2.0
"""An archive that is open in the same process: forget says so at once instead of waiting for itself, and every other writer
continues.

Each story runs in a process of its own, so that a call that waits forever is a failure of this test and not its end.
"""

import signal
import subprocess
import sys
import textwrap

from module import SAMPLE, expect, fails, run_tests, temporary_folder, webstrata

OLD, NEW = SAMPLE / "2021.warc.gz", SAMPLE / "2023.warc.gz"
HOST = "python-quart-doc.docs.example"
BEGIN = """
import gc, os, sys, threading, warnings, webstrata
archive, host, old, new = sys.argv[1:5]
def refused(*words):
    try:
        webstrata.forget(archive, host=host)
    except webstrata.Error as error:
        assert error.kind == "io", error.kind
        for word in (archive, *words):
            assert word in str(error), (word, str(error))
        return
    raise AssertionError("it was forgotten although the archive is open")
"""


def tell_story(archive, story, **options):
    program = BEGIN + textwrap.dedent(story)
    done = subprocess.run([sys.executable, "-c", program, archive, HOST, OLD, NEW], capture_output=True, text=True, timeout=120, **options)
    expect(done.returncode == 0, done.stdout + done.stderr)
    return done.stdout


def state_of(archive):
    """MANIFEST, and the names of all files."""
    return (archive / "MANIFEST").read_text(), sorted(str(path.relative_to(archive)) for path in archive.rglob("*"))


def is_forgotten(archive):
    """No name of the host, no other generation, no unneeded tombstone, nothing left of the work."""
    with webstrata.open(archive) as library:
        expect(len(library.urls(host=HOST)) == 0, "it is still there")
    expect(len(list(archive.glob("g*"))) == 1 and not (archive / "work").exists(), state_of(archive)[1])
    expect(webstrata.verify(archive).problems == [], "verify finds problems")


# Whatever reads an archive; `keep` holds it.
READERS = {
    "an Archive": "keep = webstrata.open(archive)",
    "two Archives": "keep = [webstrata.open(archive), webstrata.open(archive)]",
    "a graph": "keep = webstrata.open(archive).snapshot(at='2021')",
    "captures": "keep = iter(webstrata.open(archive).captures()); next(keep)",
    "a planner": "keep = webstrata.open(archive).snapshot(at='2021', columns=True).planner('indegree')",
    "an error": """
        try:
            library = webstrata.open(archive)
            library.links("http://nowhere.example/")
        except webstrata.Error as error:
            keep = error
        del library
        """,
}


def test_forget_refuses_and_changes_nothing(folder):
    for name, reader in READERS.items():
        archive = folder / "lib.ws"
        webstrata.build(archive, OLD)
        before = state_of(archive)
        story = textwrap.dedent(reader) + "\n" + textwrap.dedent("""
            refused("close()", "with", "graphs", "nothing was changed")
            print("refused", flush=True)
            """)
        tell_story(archive, story)
        expect(state_of(archive) == before, f"{name}: the archive is not what it was")
        out = tell_story(archive, textwrap.dedent(reader) + "\n" + textwrap.dedent("""
            for one in keep if isinstance(keep, list) else [keep]:
                if isinstance(one, webstrata.Archive):
                    one.close()
            keep = one = None
            print(webstrata.forget(archive, host=host).changed)
            """))
        expect(out.strip() == "True", (name, out))
        is_forgotten(archive)
        subprocess.run(["rm", "-r", archive], check=True)


def test_close_and_with(folder):
    archive = folder / "lib.ws"
    webstrata.build(archive, OLD)
    with webstrata.open(archive) as library:
        expect(not library.closed and library.node_count > 0, repr(library))
        graph = library.snapshot(at="2021")
    expect(library.closed and "closed" in repr(library) and library.path == archive, repr(library))
    library.close()
    for question in (lambda: library.node_count, lambda: library.info(), lambda: library.links(at="2021"), lambda: library.captures(),
                     lambda: library.snapshot(), lambda: library.save_scores("a", [1.0]), lambda: library.__enter__()):
        fails("bad_input", question, "lib.ws", "is closed", "webstrata.open()")
    expect(graph.name(0) and graph.pagerank().top(1), "a graph outlives its Archive")
    fails("io", lambda: webstrata.forget(archive, host=HOST), "once")
    del graph
    expect(webstrata.forget(archive, host=HOST).changed, "nothing was forgotten")
    try:
        with webstrata.open(archive) as library:
            raise ValueError("mine")
    except ValueError:
        expect(library.closed, "an error leaves it open")


def test_what_only_the_garbage_collector_finds_is_not_open(folder):
    webstrata.build(folder / "lib.ws", OLD)
    tell_story(folder / "lib.ws", """
        gc.disable()
        class Knot: pass
        knot = Knot()
        knot.self, knot.library = knot, webstrata.open(archive)
        del knot
        assert webstrata.forget(archive, host=host).changed
        """)
    is_forgotten(folder / "lib.ws")


def test_processes_that_were_forked(folder):
    """A child inherits open files; an inherited lock has the process number of the parent."""
    webstrata.build(folder / "lib.ws", OLD)
    tell_story(folder / "lib.ws", """
        library = webstrata.open(archive)
        child = os.fork()
        if child == 0:
            refused("close()")
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
        hold, let_go = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(let_go)
            os.read(hold, 1)
            os._exit(0)
        library.close()
        refused("forked", "forget again")
        os.close(let_go)
        os.waitpid(child, 0)
        webstrata.forget(archive, host=host)
        """)
    is_forgotten(folder / "lib.ws")


def test_an_archive_that_is_opened_meanwhile(folder):
    """Progress is reported every 50 ms, perhaps after the commit or never. An archive that was opened before the commit has what was to be
    forgotten and is always an error; one that was opened after it has nothing of it, and never is."""
    story = """
        opened = []
        def meanwhile(now):
            if not opened:
                library = webstrata.open(archive)
                opened.append((library, len(library.urls(host=host)) > 0))
        try:
            webstrata.forget(archive, host=host, progress=meanwhile)
            failed = None
        except webstrata.Error as error:
            failed = str(error)
        is_old = bool(opened) and opened[0][1]
        assert (failed is not None) == is_old, (failed, opened)
        if failed:
            assert "opened it during the forget" in failed and "forget again" in failed, failed
        for library, _ in opened:
            library.close()
        webstrata.forget(archive, host=host)
        print("before" if is_old else "after" if opened else "never")
        """
    times = []
    while "before" not in times and len(times) < 40:
        archive = folder / f"{len(times)}.ws"
        webstrata.build(archive, OLD)
        times.append(tell_story(archive, story).strip())
        is_forgotten(archive)
    expect("before" in times, f"no archive was opened before the commit: {times}")


READER = "import sys, webstrata; library = webstrata.open(sys.argv[1]); print('open', flush=True); sys.stdin.read()"


def test_other_processes_are_waited_for_and_named(folder):
    archive = folder / "lib.ws"
    webstrata.build(archive, OLD)
    reader = subprocess.Popen([sys.executable, "-c", READER, archive], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    reader.stdout.readline()
    story = BEGIN + textwrap.dedent("""
        warnings.simplefilter("always")
        warnings.showwarning = lambda message, *rest: print(message, flush=True)
        try:
            webstrata.forget(archive, host=host)
            print("done")
        except KeyboardInterrupt:
            print("interrupted")
        """)
    for ending in ("interrupted", "done"):
        writer = subprocess.Popen([sys.executable, "-c", story, archive, HOST, OLD, NEW], stdout=subprocess.PIPE, text=True)
        told = writer.stdout.readline()
        expect("waiting" in told and str(reader.pid) in told, told)
        if ending == "interrupted":
            writer.send_signal(signal.SIGINT)
        else:
            reader.communicate(timeout=60)
        expect(writer.communicate(timeout=60)[0].strip() == ending, ending)
    is_forgotten(archive)


def test_no_other_writer_waits_for_readers(folder):
    archive = folder / "lib.ws"
    webstrata.build(archive, OLD)
    webstrata.forget(archive, url="http://nowhere.example/")
    out = tell_story(archive, """
        library = webstrata.open(archive)
        nodes = library.node_count
        library.save_scores("half", [0.5] * nodes)
        assert webstrata.undo_forget(archive, url="http://nowhere.example/") == 1
        assert webstrata.update(archive, new).changed
        assert library.node_count == nodes and library.url(nodes - 1) is not None
        assert webstrata.open(archive).node_count > nodes
        assert webstrata.verify(archive).problems == []
        try:
            webstrata.build(archive, new)
        except webstrata.Error as error:
            print(error.kind)
        """)
    expect(out.strip() == "bad_input", out)


def test_two_writers_of_one_process(folder):
    """The second one fails at once, while the first is running."""
    webstrata.build(folder / "lib.ws", OLD)
    out = tell_story(folder / "lib.ws", """
        said = []
        def meanwhile(now):
            if said:
                return
            for write in (lambda: webstrata.update(archive, new), lambda: webstrata.forget(archive, host=host),
                          lambda: webstrata.undo_forget(archive, host=host)):
                try:
                    write()
                    said.append("written")
                except webstrata.Error as error:
                    assert f"process {os.getpid()} is changing it" in str(error), error
                    said.append(error.kind)
        webstrata.update(archive, new, progress=meanwhile)
        print(said)
        """)
    expect(out.strip() == "['io', 'io', 'io']", out)


if __name__ == "__main__":
    sys.exit(run_tests(globals(), folder=temporary_folder))
