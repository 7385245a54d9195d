# SPDX-License-Identifier: Apache-2.0
"""Uses an installed webstrata as a newcomer would: an archive, a ranking, a report, and requests to a server on loopback.

    python wheel_use.py examples/sample [inside]

Prints what it found. With ``inside``, no library may come from outside the environment except those of every Linux.
"""

import ctypes  # noqa: F401  # Python's own, with libffi, which numpy loads
import functools
import http.server
import pathlib
import ssl  # noqa: F401  # Python's own, with OpenSSL, which is not ours
import sys
import tempfile
import threading


def loaded():
    """The libraries of this process."""
    with open("/proc/self/maps", encoding="utf-8") as maps:
        return {pathlib.Path(line.split()[-1]) for line in maps if ".so" in line}


PYTHONS_OWN = loaded()
import webstrata  # noqa: E402

# What every Linux has: the libraries of glibc, of the compiler's run time, and zlib (PEP 600).
EVERYWHERE = ("ld-linux", "libc.so", "libm.so", "libpthread", "libdl", "librt", "libgcc_s", "libstdc++", "libz.so", "libresolv", "libnss", "libutil")


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format, *arguments):
        pass


def probed(folder):
    """What a probe of a server on this machine says; libcurl is loaded for it."""
    (folder / "site").mkdir()
    (folder / "site" / "index.html").write_text("<title>One</title>")
    handler = functools.partial(QuietHandler, directory=str(folder / "site"))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        found = webstrata.probe([f"http://127.0.0.1:{server.server_port}/", f"http://127.0.0.1:{server.server_port}/none.html"],
                                "test/1.0 (+https://test.example/)", delay="1ms", allow_private=True)
        server.shutdown()
    return sorted(page.outcome for page in found)


def outside():
    """Libraries that webstrata has loaded from outside its environment and that not every Linux has."""
    home = str(pathlib.Path(sys.prefix).resolve())
    return sorted(file.name for file in loaded() - PYTHONS_OWN if not str(file).startswith(home) and not file.name.startswith(EVERYWHERE)
                  and "/lib-dynload/" not in str(file))


def main():
    sample = pathlib.Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        written = webstrata.build(folder / "lib.ws", [sample / "2021.warc.gz", sample / "2023.warc.gz"])
        with webstrata.open(folder / "lib.ws") as library:
            graph = library.snapshot(at="2021", level="host")
            ranked = graph.rank("pagerank", report=folder / "rank.html")
            links = library.links(at="2021")
        print(f"{written.pages} pages, {len(links)} links in 2021, first of {graph.node_count} hosts: {ranked.top(1)[0][0]}")
        assert (folder / "rank.html").stat().st_size > 100_000
        try:
            links.to_pandas()
            print("pyarrow and pandas are there")
        except webstrata.Error as error:
            print(error)
        outcomes = probed(folder)
        print("a probe found", ", ".join(outcomes))
        assert outcomes == ["alive", "gone"], outcomes
    strange = outside()
    print("libraries from outside:", ", ".join(strange) or "none")
    assert "inside" not in sys.argv or not strange, strange


if __name__ == "__main__":
    main()
