# SPDX-License-Identifier: Apache-2.0
"""No check disappears: tools/run_tests.py reports every skip with its reason, and under CI=true treats it as a failure unless
tests/skips.txt allows it; a failed installation of the tools that tests need stops `make test` and leaves no stamp."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "tools"))
import run_tests  # noqa: E402

PROJECT = """
cmake_minimum_required(VERSION 3.25)
project(small NONE)
enable_testing()
"""
GOOD = 'add_test(NAME room/good COMMAND sh -c "echo fine")\n'
SKIPPED = """
add_test(NAME room/skipped COMMAND sh -c "echo 'SKIPPED: no such tool'; exit 77")
set_tests_properties(room/skipped PROPERTIES SKIP_RETURN_CODE 77)
"""
# As gtest_discover_tests sets it up.
GTEST_SKIPPED = """
add_test(NAME Room.Skipped COMMAND sh -c "echo 'room_test.cpp:3: Skipped'; echo 'no data'; echo; echo '[  SKIPPED ] Room.Skipped (0 ms)'")
set_tests_properties(Room.Skipped PROPERTIES SKIP_REGULAR_EXPRESSION "\\\\[  SKIPPED \\\\]")
"""
QUIET = 'add_test(NAME room/quiet COMMAND sh -c "seq 9999; echo \'NOT TRIED: half of it\'; seq 9999")\n'
DISABLED = "add_test(NAME room/disabled COMMAND true)\nset_tests_properties(room/disabled PROPERTIES DISABLED ON)\n"
FAILS = 'add_test(NAME room/fails COMMAND sh -c "echo oh no; exit 1")\n'
LOST = "add_test(NAME room/lost COMMAND /nowhere/at/all)\n"
LEAKS = GTEST_SKIPPED.replace("Room.Skipped", "Room.Leaks").replace('(0 ms)\'"', "(0 ms)'; echo 'ERROR: LeakSanitizer: 9 bytes'; exit 1\"")


LABELLED = "set_tests_properties(room/good PROPERTIES LABELS script)\n"


def run(tests, *, ci, skips="", shared=True, presets=("small",), meanwhile=None):
    """Exit code and output of tools/run_tests.py for a project with these tests."""
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        (folder / "CMakeLists.txt").write_text(PROJECT + tests)
        (folder / "CMakePresets.json").write_text(json.dumps({
            "version": 6, "configurePresets": [{"name": "small", "generator": "Ninja", "binaryDir": "${sourceDir}/build"}],
            "testPresets": [{"name": "small", "configurePreset": "small"}]}))
        (folder / "skips.txt").write_text("# test | condition | why\n" + skips)
        if shared:
            (folder / "shared" / "data").mkdir(parents=True)
        subprocess.run(["cmake", "--preset", "small"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        environment = {name: value for name, value in os.environ.items() if name != "CI"} | ({"CI": "true"} if ci else {})
        done = subprocess.run([sys.executable, SOURCE / "tools" / "run_tests.py", *presets, *(("--meanwhile", meanwhile) if meanwhile else ()), "--skips", folder / "skips.txt", "--shared", folder / "shared"],
                              cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return done.returncode, done.stdout


def expect(outcome, code, last, *words):
    assert outcome[0] == code and outcome[1].splitlines()[-1] == last, f"not {code} {last!r}: {outcome[1]}"
    for word in words:
        assert word in outcome[1], f"{word!r} is missing: {outcome[1]}"


def check_results():
    expect(run(GOOD, ci=True), 0, "1 passed, 0 failed, 0 skipped")
    expect(run(GOOD + FAILS + LOST, ci=False), 1, "1 passed, 2 failed, 0 skipped", "room/fails", "room/lost")
    expect(run(GOOD + LEAKS, ci=False), 1, "1 passed, 1 failed, 0 skipped", "Room.Leaks")
    expect(run("", ci=False), 1, "0 passed, 1 failed, 0 skipped")
    expect(run(GOOD + FAILS + LABELLED, ci=True, presets=["small/script"]), 0, "1 passed, 0 failed, 0 skipped")
    expect(run(GOOD + FAILS + LABELLED, ci=True, presets=["small/scrip"]), 1, "0 passed, 1 failed, 0 skipped")


def check_skips_at_a_desk():
    outcome = run(GOOD + SKIPPED + GTEST_SKIPPED + QUIET + DISABLED, ci=False)
    expect(outcome, 0, "1 passed, 0 failed, 4 skipped", "room/skipped (small): no such tool", "Room.Skipped (small): no data",
           "room/quiet (small): half of it", "room/disabled (small): disabled")


def check_skips_under_ci():
    for test in (SKIPPED, GTEST_SKIPPED, QUIET, DISABLED):
        expect(run(GOOD + test, ci=True), 1, "1 passed, 1 failed, 0 skipped", "skips.txt does not allow")
    expect(run(GOOD + SKIPPED, ci=True, skips="room/skip* | always | a reason\n"), 0, "1 passed, 0 failed, 1 skipped", "no such tool")
    expect(run(GOOD + SKIPPED, ci=True, skips="room/other | always | a reason\n"), 1, "1 passed, 1 failed, 0 skipped")
    needs = "room/skipped | no-shared | needs the data\n"
    expect(run(GOOD + SKIPPED, ci=True, skips=needs, shared=False), 0, "1 passed, 0 failed, 1 skipped")
    expect(run(GOOD + SKIPPED, ci=True, skips=needs, shared=True), 1, "1 passed, 1 failed, 0 skipped")
    for line in ("room/skipped | always\n", "room/skipped | sometimes | a reason\n", "room/skipped | always | \n"):
        code, output = run(GOOD, ci=True, skips=line)
        assert code != 0 and "skips.txt:2" in output, output


def test_names():
    """The names of all tests here: scripts with their parts, and those in C++."""
    for path in (SOURCE / "tests").glob("*/*_test.py"):
        name = f"{path.parent.name}/{path.stem}"
        yield name
        for parts in re.findall(r"^# Also runs as: (.*)", path.read_text(), re.M):
            yield from (f"{name}/{part}" for part in parts.split())
    for path in (SOURCE / "tests").glob("*/*_test.cpp"):
        for suite, name in re.findall(r"^TEST(?:_F|_P)?\((\w+), (\w+)\)", path.read_text(), re.M):
            yield f"{suite}.{name}"


def check_allowances():
    """Every line of tests/skips.txt names a test that there is."""
    names = list(test_names())
    allowances = run_tests.read_allowances(SOURCE / "tests" / "skips.txt", run_tests.conditions("shared"))
    for allowance in allowances:
        assert any(run_tests.fnmatch.fnmatchcase(name, allowance.pattern) for name in names), f"tests/skips.txt:{allowance.line}: no test is called {allowance.pattern}"
    return len(allowances)


def check_scripts():
    """Scripts leave things out by tests/not_tried.py alone: it says why, and they cannot pass."""
    for path in (SOURCE / "tests").glob("*/*.py"):
        if path.parent.name == "torture":  # not a test of ctest: tools/torture.sh prints what it left out
            continue
        found = re.search(r"^.*(?:exit\(77\)|return 77|print\(.*\b(?:skipped|not tried|not compared)\b).*$", path.read_text(), re.M | re.I)
        assert not found or path == Path(__file__), f"{path}: {found[0].strip()}: call skip() or not_tried() of tests/not_tried.py"


def check_installations():
    """pip and npm fail as they do without a network: make says so, fails, and tries again the next time."""
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        shutil.copy(SOURCE / "Makefile", folder)
        for name in ("tools", "tests", "web", "bin"):
            (folder / name).mkdir()
        (folder / "tests" / "requirements.txt").write_text("")
        (folder / "web" / "package-lock.json").write_text("{}")
        (folder / "tools" / "install_packages.sh").symlink_to(shutil.which("true"))
        tools = {"npm": "exit {npm}", "python3": 'mkdir -p "$3/bin"; printf "#!/bin/sh\\nexit {pip}\\n" > "$3/bin/pip"; chmod +x "$3/bin/pip"'}
        for pip, npm, stamps in ((1, 0, ["web"]), (0, 1, ["venv"]), (1, 1, []), (0, 0, ["venv", "web"])):
            for name, text in tools.items():
                (folder / "bin" / name).write_text("#!/bin/sh\n" + text.format(pip=pip, npm=npm) + "\n")
                (folder / "bin" / name).chmod(0o755)
            shutil.rmtree(folder / "build", ignore_errors=True)
            shutil.rmtree(folder / "web" / "node_modules", ignore_errors=True)
            (folder / "web" / "node_modules").mkdir()
            done = subprocess.run(["make", "--keep-going", "test-tools"], cwd=folder, capture_output=True, text=True,
                                  env={**os.environ, "PATH": f"{folder}/bin:{os.environ['PATH']}", "MAKEFLAGS": ""})
            made = [name for name, stamp in {"venv": "build/venv/ready", "web": "web/node_modules/ready"}.items() if (folder / stamp).exists()]
            assert made == stamps and (done.returncode == 0) == (pip == npm == 0), f"pip {pip}, npm {npm}: {made}\n{done.stdout}{done.stderr}"
            if pip:
                assert "tests/requirements.txt" in done.stderr, done.stderr


def check_meanwhile():
    """What the second preset needs is made while the first one runs; if that fails, the second one is not tried."""
    needs = 'add_test(NAME room/needs COMMAND sh -c "echo one >> ran; [ $(wc -l < ran) = 1 ] || [ -e made ]")\n'
    twice = ["small", "small"]
    expect(run(needs, ci=True, presets=twice), 1, "1 passed, 1 failed, 0 skipped")
    expect(run(needs, ci=True, presets=twice, meanwhile="sh -c 'sleep 1; touch build/made'"), 0, "2 passed, 0 failed, 0 skipped")
    expect(run(needs, ci=True, presets=twice, meanwhile="sh -c 'echo a compiler is missing; exit 3'"), 1, "1 passed, 1 failed, 0 skipped",
           "a compiler is missing", "exit code 3")


def main():
    check_results()
    check_meanwhile()
    check_skips_at_a_desk()
    check_skips_under_ci()
    check_installations()
    check_scripts()
    print(f"skips are reported, and {check_allowances()} are allowed under CI=true")
    return 0


if __name__ == "__main__":
    sys.exit(main())
