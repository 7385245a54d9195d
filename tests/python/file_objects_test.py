# SPDX-License-Identifier: Apache-2.0
"""File objects and URLs as inputs: the archive is that of the local file, memory is bounded, and what an object raises is one clear error."""

import gc
import io
import os
import signal
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

from module import SAMPLE, expect, expect_same, fails, run_tests, temporary_folder, webstrata
from running import not_tried

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / folder) for folder in ("capture", "fetch")]
from file_server import FileServer  # noqa: E402

OLD, NEW = SAMPLE / "2021.warc.gz", SAMPLE / "2023.warc.gz"


class Named(io.BytesIO):
    """An object of another library: it has a path, and counts what is read of it."""

    def __init__(self, content, path):
        super().__init__(content)
        self.path, self.largest = path, 0

    def read(self, size=-1):
        self.largest = max(self.largest, size if size >= 0 else 1 << 62)
        return super().read(size)


def wacz(content):
    import zipfile

    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w") as whole:
        whole.writestr("archive/2021.warc.gz", content)
    return memory.getvalue()


def test_objects_give_the_bytes_of_the_files(folder):
    webstrata.build(folder / "files.ws", [OLD, NEW])
    with open(OLD, "rb") as old:
        one = Named(NEW.read_bytes(), "bucket/crawls/2023.warc.gz")
        written = webstrata.build(folder / "objects.ws", [old, one])
        expect(not old.closed and not one.closed, "objects of the caller were closed")
    expect([input.format for input in written.inputs] == ["warc", "warc"], written.inputs)
    expect(one.largest <= 1 << 20, f"{one.largest} bytes at once")
    expect_same(folder / "files.ws", folder / "objects.ws", "two objects")
    webstrata.build(folder / "one.ws", OLD)
    with open(NEW, "rb") as new:
        webstrata.update(folder / "one.ws", new)
    expect_same(folder / "files.ws", folder / "one.ws", "an object alone, in an update")
    webstrata.build(folder / "mixed.ws", [Named(OLD.read_bytes(), "2021.warc.gz"), str(NEW)])
    expect_same(folder / "files.ws", folder / "mixed.ws", "an object and a path")
    (folder / "x.wacz").write_bytes(wacz(OLD.read_bytes()))
    webstrata.build(folder / "wacz.ws", folder / "x.wacz")
    webstrata.build(folder / "wacz-object.ws", Named((folder / "x.wacz").read_bytes(), "x.wacz"))
    expect_same(folder / "wacz.ws", folder / "wacz-object.ws", "a WACZ, which is read here and there")


def test_many_objects_are_opened_one_after_the_other(folder):
    """Like fsspec.open_files(): none is open before its turn or after it."""
    open_now, most = set(), [0]

    class Later:
        def __init__(self, number):
            self.number, self.path = number, f"{number}.warc.gz"

        def open(self):
            open_now.add(self.number)
            most[0] = max(most[0], len(open_now))
            source = io.BytesIO(OLD.read_bytes())
            close = source.close
            source.close = lambda: (open_now.discard(self.number), close())
            return source

    written = webstrata.build(folder / "many.ws", [Later(number) for number in range(8)], threads=2)
    expect(len(written.inputs) == 8 and not open_now and most[0] <= 3, (most, open_now))


def test_fsspec(folder):
    try:
        import fsspec
    except ImportError:
        return not_tried("fsspec is not installed (tests/requirements.txt)")
    webstrata.build(folder / "files.ws", [OLD, NEW])
    memory = fsspec.filesystem("memory")
    for path in (OLD, NEW):
        memory.pipe(f"/crawls/{path.name}", path.read_bytes())
    webstrata.build(folder / "lazy.ws", fsspec.open_files("memory://crawls/*.warc.gz"))
    expect_same(folder / "files.ws", folder / "lazy.ws", "fsspec.open_files")
    webstrata.build(folder / "open.ws", [memory.open(f"/crawls/{path.name}") for path in (OLD, NEW)])
    expect_same(folder / "files.ws", folder / "open.ws", "open files of fsspec")
    rows = webstrata.read(fsspec.open(f"memory://crawls/{OLD.name}")).to_arrow().num_rows
    expect(rows == webstrata.read(OLD).to_arrow().num_rows > 500, rows)


def test_reading_objects(folder):
    with open(OLD, "rb") as old:
        captures = list(webstrata.read(old, NEW))
    expect(captures == list(webstrata.read(OLD, NEW)), "other captures")
    # A stream whose Reading nobody holds any more goes on; one that nobody holds at all ends its thread.
    try:
        import pyarrow
    except ImportError:
        return not_tried("pyarrow is not installed")
    batches = pyarrow.RecordBatchReader.from_stream(webstrata.read(Named(OLD.read_bytes(), "2021.warc.gz")))
    expect(batches.read_all().num_rows == webstrata.read(OLD).to_arrow().num_rows, "rows are missing")
    reading = webstrata.read(Named(OLD.read_bytes() * 20, "2021.warc.gz"))
    next(iter(reading))
    del reading, batches
    gc.collect()
    for thread in threading.enumerate():
        if thread.name == "webstrata file objects":
            thread.join(20)
            expect(not thread.is_alive(), "a thread still waits to feed")


def test_a_program_may_end_while_it_reads(folder):
    program = "import sys, webstrata; reading = webstrata.read(open(sys.argv[1], 'rb')); next(iter(reading)); print('end')"
    done = subprocess.run([sys.executable, "-c", program, str(OLD)], capture_output=True, text=True, timeout=100)
    expect(done.returncode == 0 and done.stdout == "end\n" and "terminate" not in done.stderr, (done.returncode, done.stderr))


def test_urls(folder):
    webstrata.build(folder / "files.ws", OLD)
    with FileServer({OLD.name: OLD.read_bytes()}) as server:
        webstrata.build(folder / "urls.ws", server.url("files", OLD.name))
        expect_same(folder / "files.ws", folder / "urls.ws", "a URL")
        expect(list(webstrata.read(server.url("broken", OLD.name))) == list(webstrata.read(OLD)), "other captures")
        fails("io", lambda: webstrata.build(folder / "no.ws", server.url("files", "no.warc.gz")), "no such file on the server")
    expect(not (folder / "no.ws").exists(), "an archive was left")


def test_bad_objects_are_clear_errors(folder):
    class Broken(io.BytesIO):
        name = "crawls/x.warc.gz"

        def read(self, size=-1):
            if self.tell() > 2_000_000:
                raise OSError("the disk is gone")
            return super().read(size)

    fails("io", lambda: webstrata.build(folder / "a.ws", Broken(OLD.read_bytes())), "x.warc.gz", "OSError: the disk is gone")
    with open(__file__) as text:
        fails("io", lambda: webstrata.build(folder / "a.ws", text), "open it in binary mode")
    fails("bad_input", lambda: webstrata.build(folder / "a.ws", [OLD, 7]), "7: neither a path nor a file object")
    fails("bad_input", lambda: webstrata.build(folder / "a.ws", []), "no input")
    expect(not (folder / "a.ws").exists(), "an archive was left")


def test_memory_is_bounded(folder):
    """An object that never ends its line: a gigabyte passes through."""
    program = textwrap.dedent("""
        import gzip, resource, sys, webstrata
        record = (b"WARC/1.0\\r\\nWARC-Type: response\\r\\nWARC-Target-URI: http://a.example/%d\\r\\nWARC-Date: 2021-01-01T00:00:00Z\\r\\n"
                  b"Content-Type: application/http; msgtype=response\\r\\nContent-Length: %d\\r\\n\\r\\n%s\\r\\n\\r\\n")
        body = b"HTTP/1.1 200 OK\\r\\nContent-Type: image/png\\r\\n\\r\\n" + bytes(1 << 20)
        class Endless:
            name = "x.warc"
            left, rest = 600, b""
            def read(self, size):
                while len(self.rest) < size and self.left:
                    self.left -= 1
                    self.rest += record % (self.left, len(body), body)
                data, self.rest = self.rest[:size], self.rest[size:]
                return data
        webstrata.build(sys.argv[1], Endless())
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        print(before)
    """)
    done = subprocess.run([sys.executable, "-c", program, str(folder / "a.ws")], capture_output=True, text=True, timeout=600)
    expect(done.returncode == 0, done.stderr)
    expect(int(done.stdout) < 300_000, f"{done.stdout} kB")


def test_ctrl_c_stops_an_object_that_hangs(folder):
    program = textwrap.dedent("""
        import sys, time, webstrata
        class Hanging:
            name = "x.warc.gz"
            def read(self, size):
                print("reading", flush=True)
                time.sleep(100)
        try:
            webstrata.build(sys.argv[1], Hanging())
        except KeyboardInterrupt:
            print("stopped", flush=True)
    """)
    child = subprocess.Popen([sys.executable, "-c", program, str(folder / "a.ws")], stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL, text=True)  # the thread that hangs leaks what it holds
    expect(child.stdout.readline() == "reading\n", "it does not read")
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=60)
    expect("stopped" in out, out)


if __name__ == "__main__":
    for variable in ("http_proxy", "all_proxy", "ALL_PROXY"):
        os.environ.pop(variable, None)
    sys.exit(run_tests(globals(), folder=temporary_folder))
