# SPDX-License-Identifier: Apache-2.0
"""The door: what `cmake --install` copies is what README.md promises and what that includes, nothing else; every promised header compiles
alone against the installed copy, and two examples build against it and run, found by CMake and by pkg-config."""

import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SOURCE = Path(os.environ["WEBSTRATA_SOURCE"])
BUILD = Path(os.environ["WEBSTRATA_BUILD"])
PROGRAM = os.environ["WEBSTRATA_PROGRAM"]
PROMISED_MAX = 40
INCLUDE = re.compile(r"""^\s*#include\s+["<](webstrata/[\w/.]+)[">]""", re.MULTILINE)


def call(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{command[0]}: {done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout


def built_example(name, prefix, build, flags):
    call("cmake", "-G", "Ninja", "-S", SOURCE / "examples" / name, "-B", build / name, f"-DCMAKE_PREFIX_PATH={prefix}", *flags)
    call("cmake", "--build", build / name)
    return build / name / name


def built_with_pkg_config(name, prefix, build, flags):
    os.environ["PKG_CONFIG_PATH"] = str(next(prefix.rglob("webstrata.pc")).parent)
    words = call("pkg-config", "--cflags", "--libs", "webstrata").split()
    program = build / f"{name}-pkg-config"
    call("g++", *(flag.partition("=")[2] for flag in flags), SOURCE / "examples" / name / "main.cpp", *words, "-o", program)
    return program


def headers_of_readme(text):
    """The table of README.md: after `webstrata/room/a.h`, the word `b.h` is a header in the same folder."""
    found, folder = [], None
    for line in text.split("| header | for |\n", 1)[1].split("\n\n", 1)[0].splitlines()[1:]:
        for word in re.findall(r"`([^`]+)`", line.split("|")[1]):
            if "/" in word:
                folder = word.rsplit("/", 1)[0]
            found.append(f"{folder}/{word.rsplit('/', 1)[-1]}")
    return found


def closure(headers, read):
    """The headers, and all of ours that they include."""
    found, unread = set(), set(headers)
    while unread:
        header = unread.pop()
        found.add(header)
        unread |= set(INCLUDE.findall(read(header))) - found
    return found


def problems(readme, promised, installed, read):
    """What is wrong with a door. `promised` is what CMake promises, `read` returns the text of an installed header."""
    wrong = [f"{header}: promised, but not in the table of README.md" for header in sorted(set(promised) - set(readme))]
    wrong += [f"{header}: in the table of README.md, but no room's DOOR names it" for header in sorted(set(readme) - set(promised))]
    wrong += [f"{header}: twice in README.md" for header in sorted(set(readme)) if readme.count(header) > 1]
    wrong += [f"{header}: promised, but not installed" for header in sorted(set(promised) - installed)]
    if len(promised) > PROMISED_MAX:
        wrong.append(f"{len(promised)} promised headers; at most {PROMISED_MAX}")
    if not wrong:
        needed = closure(promised, read)
        wrong += [f"{header}: installed, but no promised header includes it" for header in sorted(installed - needed)]
    return wrong


def check_the_checks():
    texts = {"webstrata/a.h": '#include "webstrata/b.h"\n', "webstrata/b.h": "", "webstrata/c.h": ""}

    def found(readme, promised, installed):
        return len(problems([f"webstrata/{name}.h" for name in readme], [f"webstrata/{name}.h" for name in promised],
                            {f"webstrata/{name}.h" for name in installed}, texts.__getitem__))

    assert found("a", "a", "ab") == 0
    assert found("", "a", "ab") == 1 and found("ac", "a", "ab") == 1 and found("ac", "ac", "ab") == 1 and found("a", "a", "abc") == 1
    many = [str(number) for number in range(PROMISED_MAX + 1)]
    assert found(many, many, many) == 1
    assert headers_of_readme("| header | for |\n| --- | --- |\n| `webstrata/x/a.h`, `b.h` | letters |\n\n") == ["webstrata/x/a.h", "webstrata/x/b.h"]


def check_door(include):
    """How many headers are promised, and how many installed."""
    listed = (include / "webstrata" / "HEADERS").read_text().split("\n\n")
    promised, needed = ([line for line in part.splitlines() if not line.startswith("#")] for part in listed)
    installed = {str(path.relative_to(include)) for path in include.rglob("*.h")}
    readme = headers_of_readme((SOURCE / "README.md").read_text())
    wrong = problems(readme, promised, installed, lambda header: (include / header).read_text())
    if installed != set(promised) | set(needed):
        wrong.append("HEADERS does not list what is installed")
    for path in SOURCE.glob("examples/*/main.cpp"):
        wrong += [f"{path.parent.name} includes {header}, which is not promised" for header in INCLUDE.findall(path.read_text()) if header not in promised]
    if wrong:
        sys.exit("\n".join(wrong))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda header: call("g++", "-std=c++20", "-fsyntax-only", "-x", "c++", f"-I{include}", include / header), promised))
    return len(promised), len(installed)


def check_store(prefix, folder):
    """The installed program finds the library that it loads for ledgers (docs/decisions/017-start-up.md), and reports if it is missing."""
    def ledger():
        return subprocess.run([prefix / "bin" / "webstrata", "crawl", folder / "no-job", "--ledger"], capture_output=True, text=True)

    done = ledger()
    assert done.returncode == 2 and "libwebstrata_store" not in done.stderr, done.stderr
    next(prefix.rglob("libwebstrata_store.so")).unlink()
    done = ledger()
    assert done.returncode == 2 and "libwebstrata_store" in done.stderr and done.stderr.count("\n") == 1, done.stderr


def main():
    check_the_checks()
    flags = []
    for line in (BUILD / "CMakeCache.txt").read_text().splitlines():
        if line.startswith("WEBSTRATA_SANITIZE:") and line.split("=", 1)[1]:
            flags = [f"-DCMAKE_CXX_FLAGS=-fsanitize={line.split('=', 1)[1]}"]
    with tempfile.TemporaryDirectory() as folder:
        prefix, build = Path(folder) / "prefix", Path(folder) / "build"
        call("cmake", "--install", BUILD, "--prefix", prefix)
        promised, installed = check_door(prefix / "include")
        print(f"{promised} promised headers, {installed} installed with what they include")
        sample = SOURCE / "examples" / "sample" / "2021.warc.gz"
        read_captures = built_example("read_captures", prefix, build, flags)
        print(f"an example says:\n{call(read_captures, sample)[:500]}")
        archive = Path(folder) / "lib.ws"
        call(PROGRAM, "build", "-q", archive, sample)
        who_links = built_example("who_links", prefix, build, flags)
        page = "http://python-quart-doc.docs.example/tutorials/installation.html"
        pages = call(who_links, archive, page, "2021").splitlines()
        assert len(pages) == len(call(PROGRAM, "links", archive, page, "--in", "--at", "2021").splitlines()) > 0, pages
        print(f"another finds {len(pages)} pages that link to {page}")
        by_pkg_config = built_with_pkg_config("who_links", prefix, build, flags)
        assert call(by_pkg_config, archive, page, "2021").splitlines() == pages, "built with pkg-config, it finds others"
        check_store(prefix, Path(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
