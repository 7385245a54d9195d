# SPDX-License-Identifier: Apache-2.0
"""What users run is compiled to resist hostile inputs, and no source file weakens that.

A small program is built with the flags of a release (cmake/flags.cmake) and read with readelf and objdump; so is every
release binary that there is: build/release/webstrata of `make build`, and the Python module of a wheel.
"""

import os
import platform
import re
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path(os.environ["WEBSTRATA_SOURCE"])
IS_X86 = platform.machine() == "x86_64"

PROJECT = """
cmake_minimum_required(VERSION 3.25)
project(hardened LANGUAGES CXX)
include({source}/cmake/flags.cmake)
add_executable(hardened main.cpp)
target_link_libraries(hardened PRIVATE webstrata_flags)
"""
# A buffer whose size is known only at run time (that is what FORTIFY 3 adds to 2), and a frame of many pages.
PROGRAM = """
#include <cstdio>
#include <cstdlib>
#include <cstring>
int main(int count, char** words) {
  char* some = static_cast<char*>(std::malloc(static_cast<std::size_t>(count) * 8));
  std::memcpy(some, words[0], std::strlen(words[0]));
  char large[100000];
  if (std::fgets(large, sizeof large, stdin) != nullptr) std::puts(large);
  std::puts(some);
  return 0;
}
"""


def expect(truth, message):
    if not truth:
        raise AssertionError(message)


def read(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True, env=dict(os.environ, LC_ALL="C")).stdout


def missing_in(binary, *, is_library=False, has_large_frames=True):
    """What the binary lacks, by name."""
    header, segments, dynamic = read("readelf", "-hW", binary), read("readelf", "-lW", binary), read("readelf", "-dW", binary)
    symbols = read("readelf", "-sW", "--dyn-syms", binary)
    found = {
        "stack protector": "__stack_chk_fail" in symbols,
        "FORTIFY": re.search(r"\b__\w+_chk\b", symbols.replace("__stack_chk_fail", "")) is not None,
        "RELRO": "GNU_RELRO" in segments,
        "BIND_NOW (full RELRO)": re.search(r"\bBIND_NOW\b|\bNOW\b", dynamic) is not None,
        "PIE": is_library or ("DYN" in header and re.search(r"FLAGS_1.*\bPIE\b", dynamic) is not None),
        "a stack without code": re.search(r"GNU_STACK.* RW ", segments) is not None,
    }
    if IS_X86:
        code = read("objdump", "-d", "--no-show-raw-insn", binary)
        # The libraries' own start code has them in any case.
        entry = re.search(r"<(?:main|PyInit__core)(?:@@\w+)?>:\n[^\n]*", code)
        found["CET (endbr64)"] = entry is not None and "endbr64" in entry[0]
        if has_large_frames:
            found["stack clash protection"] = re.search(r"\bor[ql]? +\$0x0,(0x[0-9a-f]+)?\(%rsp\)", code) is not None
    return [name for name, is_there in found.items() if not is_there]


def cet_in(path):
    """What the property note of an object file or a program says about CET. The linker keeps only what all of its inputs have."""
    return {word for word in ("IBT", "SHSTK") if re.search(rf"x86 feature:.*\b{word}\b", read("readelf", "-nW", path))}


def check_cet(program, objects):
    """Our own code is compiled for CET (-fcf-protection) and says so. The program's note says so only where the start files of the C
    library do: those of Debian 12 do not, and then the processor does not enforce it, whatever we compile."""
    for path in objects:
        expect(cet_in(path) == {"IBT", "SHSTK"}, f"{path}: {cet_in(path)}")
    starts = [read("c++", f"-print-file-name={name}").strip() for name in ("Scrt1.o", "crti.o", "crtn.o")]
    due = set.intersection(*map(cet_in, starts))
    expect(due <= cet_in(program), f"the start files have {due}, {program} has {cet_in(program)}")
    print(f"    CET: in our object files; in the program's note: {', '.join(sorted(cet_in(program))) or 'not, since the start files lack it'}")


def test_a_program_with_the_flags_of_a_release():
    with tempfile.TemporaryDirectory(prefix="webstrata-") as name:
        folder = Path(name)
        (folder / "CMakeLists.txt").write_text(PROJECT.format(source=SOURCE))
        (folder / "main.cpp").write_text(PROGRAM)

        def built(kind):
            read("cmake", "-S", str(folder), "-B", str(folder / kind), f"-DCMAKE_BUILD_TYPE={kind}")
            read("cmake", "--build", str(folder / kind))
            return str(folder / kind / "hardened")

        release = built("Release")
        expect(missing_in(release) == [], f"a release lacks: {missing_in(release)}")
        if IS_X86:
            check_cet(release, map(str, (folder / "Release").rglob("main.cpp.o")))
        expect("__memcpy_chk" in read("readelf", "-sW", release), "FORTIFY knows no sizes of run time: it is not 3")
        expect(len(missing_in(built("None"))) > 2, "a build without the flags passes too: the test shows nothing")


def test_every_release_binary_that_is_there():
    binaries = {path: False for path in [SOURCE / "build" / "release" / "webstrata"] if path.exists()}
    binaries |= {path: True for path in SOURCE.glob("build/wheel/*/python/webstrata/_core*.so")}
    for path, is_library in binaries.items():
        missing = missing_in(str(path), is_library=is_library)
        expect(missing == [], f"{path} lacks: {missing}")
        print(f"    {path.relative_to(SOURCE)}: hardened")
    if not binaries:
        print("    no release binary is built here; `make build` makes one")


def test_no_source_file_weakens_it():
    for path in sorted((SOURCE / "webstrata").rglob("*.cpp")) + sorted((SOURCE / "python").rglob("*.cpp")):
        text = path.read_text()
        expect(not re.search(r"\bumask\(", text), f"{path}: changes the umask of the whole process; give a mode to open()")
        for call in re.findall(r"O_CREAT[^;]*;", text):
            expect("O_NOFOLLOW" in call or "O_EXCL" in call, f"{path}: a link under that name would be written through: {call}")


def main():
    for name, test in sorted(globals().items()):
        if name.startswith("test_"):
            test()
            print(f"ok  {name[5:].replace('_', ' ')}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
