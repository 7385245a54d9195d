#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Do the tests notice bugs? Applies the one-line bugs of tools/mutants.toml one at a time and runs the tests of their room.

    tools/mutants.py                 # all of them: about half a minute each on a free core
    tools/mutants.py --only 'rank|redirects'   # those whose file or description holds one of these words
    tools/mutants.py --check         # only whether each still applies; builds nothing
    tools/mutants.py --without 'Verdict.Five*:Extra.*'   # also counts what would be caught without these tests

The tree is not touched: the file with the bug is compiled alone in a temporary folder, and the test program of build/dev is
linked again with that object before the libraries, so that its functions are found first. A bug is caught if a test fails,
crashes or hangs. Exit: 0 all were caught, 1 one survived or no longer applies, 2 the tests fail without any bug.
"""

import argparse
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1]
BUILD = SOURCE / "build" / "dev"
TEST_S = 1800


class Mutant:
    def __init__(self, fields):
        self.file, self.old, self.new, self.what = (fields[name] for name in ("file", "old", "new", "what"))
        self.room = self.file.split("/")[1]
        self.scripts = fields.get("scripts", [])
        self.compiled = fields.get("compiled", [self.file])  # of a header: what must be compiled with it
        has_program = any((SOURCE / "tests" / self.room).glob("*_test.cpp"))
        self.program = f"tests/{self.room}_test" if has_program else None

    def targets(self):
        return ([self.program] if self.program else []) + (["webstrata"] if self.scripts else [])

    def problem(self):
        """Why it cannot be applied; empty if it can."""
        path = SOURCE / self.file
        count = path.read_text().count(self.old) if path.exists() else 0
        return "" if count == 1 else f"the text is there {count} times in {self.file}"

    def write(self, folder):
        """The file with the bug, at its place under the folder: includes of it are found there first."""
        path = folder / self.file
        path.parent.mkdir(parents=True)
        path.write_text((SOURCE / self.file).read_text().replace(self.old, self.new))


def mutants(only):
    """Those whose file or description contains one of the words of `only`, in the order of these words."""
    found = [Mutant(fields) for fields in tomllib.loads((SOURCE / "tools" / "mutants.toml").read_text())["mutant"]]
    chosen = [each for word in only.split("|") for each in found if word in each.file or word in each.what]
    return list(dict.fromkeys(chosen))


def run(words, **options):
    return subprocess.run(["nice", *map(str, words)], capture_output=True, text=True, errors="replace", check=False, **options)


def commands_for(target):
    return run(["ninja", "-C", BUILD, "-t", "commands", target], timeout=100).stdout.splitlines()


def compile_alone(mutant, name, folder, commands):
    """Compiles one file as the build compiles its room, but alone, with the bug found first. None if it does not compile."""
    room = f"/{'webstrata_' + mutant.room if name.startswith('webstrata/') else mutant.room + '_test'}.dir/"
    words = shlex.split(next(line for line in commands if " -c " in line and room in line))
    words = words[next(i for i, word in enumerate(words) if word.endswith("/c++")):]
    for flag in ("-MT", "-MF", "-o"):
        del words[words.index(flag):words.index(flag) + 2]
    words = [word for word in words[:words.index("-c")] if word not in ("-MD", "-Werror", "-g", "-g1")]
    path = folder / name if (folder / name).exists() else SOURCE / name
    out = folder / (name.replace("/", "-") + ".o")
    done = run([words[0], f"-I{folder}", "-iquote", (SOURCE / name).parent, *words[1:], "-w", "-O1", "-o", out, "-c", path])
    return (out, "") if done.returncode == 0 else (None, done.stderr[-800:])


def link_again(target, objects, folder, commands):
    """The target with these objects before all others: of two definitions the first counts."""
    words = shlex.split(commands[-1])[2:-2]  # without ": &&" and "&& :"
    at, out = words.index("-o"), folder / f"linked_{Path(target).name}"
    first = next(i for i, word in enumerate(words) if word.endswith(".o"))
    words[at + 1] = str(out)
    done = run([*words[:first], "-s", "-Wl,--allow-multiple-definition", *objects, *words[first:]], cwd=BUILD)
    return out if done.returncode == 0 else sys.exit(f"cannot link {target}: {done.stderr[-2000:]}")


def run_test(words, program=None):
    """Whether it passes, and why not."""
    found = os.environ.get("WEBSTRATA_PYTHON", str(SOURCE / "build" / "venv" / "bin" / "python"))
    environment = dict(os.environ, WEBSTRATA_SOURCE=str(SOURCE), WEBSTRATA_BUILD=str(BUILD), WEBSTRATA_PROGRAM=str(program or BUILD / "webstrata"),
                       WEBSTRATA_SHARED=os.environ.get("WEBSTRATA_SHARED", str(SOURCE.parent / "shared")), PYTHONDONTWRITEBYTECODE="1")
    if str(words[0]).endswith(".py"):
        words = [found if Path(found).exists() else sys.executable, *words]
    try:
        done = run(words, cwd=BUILD, env=environment, timeout=TEST_S)
    except subprocess.TimeoutExpired:
        return False, "hangs"
    said = done.stdout + done.stderr
    names = re.findall(r"\[  FAILED  \] ([\w./]+)", said)
    return done.returncode in (0, 77), "" if done.returncode in (0, 77) else names[0] if names else f"{Path(words[-1]).name}, exit {done.returncode}: {said[-160:].strip()}"


def test_words(program, *more):
    return [program, "--gtest_brief=1", "--gtest_fail_fast", *more]


def script(name):
    return [SOURCE / "tests" / f"{name}.py"]


def check_tests(chosen):
    """All tests pass while there is no bug; otherwise every bug would seem to be caught."""
    for program in sorted({mutant.program for mutant in chosen if mutant.program}):
        passed, why = run_test(test_words(BUILD / program))
        if not passed:
            sys.exit(f"{program} fails without any bug: {why}")
    for name in sorted({name for mutant in chosen for name in mutant.scripts}):
        passed, why = run_test(script(name))
        if not passed:
            sys.exit(f"{name} fails without any bug: {why}")


def try_one(mutant, without):
    """'caught' with the test, 'SURVIVED', or why it was not tried; 'caught by' if all tests but `without` pass."""
    with tempfile.TemporaryDirectory(prefix="mutant-") as name:
        folder = Path(name)
        mutant.write(folder)
        commands = {target: commands_for(target) for target in mutant.targets()}
        objects = []
        for source in mutant.compiled:
            compiled, why = compile_alone(mutant, source, folder, next(iter(commands.values())))
            if compiled is None:
                return "NOT A BUG: does not compile", why
            objects.append(compiled)
        late = ""
        if mutant.program:
            program = link_again(mutant.program, objects, folder, commands[mutant.program])
            passed, why = run_test(test_words(program, *([f"--gtest_filter=-{without}"] if without else [])))
            if not passed:
                return "caught", why
            if without:
                late = run_test(test_words(program, f"--gtest_filter={without}"))[1]
        if mutant.scripts:
            program = link_again("webstrata", objects, folder, commands["webstrata"])
            for each in mutant.scripts:
                passed, why = run_test(script(each), program)
                if not passed:
                    return "caught", why
        return ("caught by", late) if late else ("SURVIVED", "")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--only", default="")
    parser.add_argument("--check", action="store_true", help="only whether each still applies")
    parser.add_argument("--without", default="", metavar="FILTER")
    parser.add_argument("--skip-baseline", action="store_true", help="do not run the tests without any bug first")
    flags = parser.parse_args()
    chosen = mutants(flags.only)
    stale = [(mutant, mutant.problem()) for mutant in chosen if mutant.problem()]
    for mutant, problem in stale:
        print(f"NO LONGER APPLIES: {mutant.what}: {problem}")
    if flags.check:
        print(f"{len(chosen) - len(stale)} of {len(chosen)} bugs in {len({each.room for each in chosen})} rooms apply")
        return 1 if stale else 0
    chosen = [mutant for mutant in chosen if not mutant.problem()]
    if not (BUILD / "build.ninja").exists():
        subprocess.run(["cmake", "--preset", "dev", "-Wno-dev"], cwd=SOURCE, check=True, stdout=subprocess.DEVNULL)
    done = run(["ninja", "-C", BUILD, *sorted({target for mutant in chosen for target in mutant.targets()})])
    if done.returncode != 0:
        sys.exit(f"the tests cannot be built: {done.stdout[-3000:]}")
    if not flags.skip_baseline:
        check_tests(chosen)
    caught = late = 0
    for mutant in chosen:
        begun = time.monotonic()
        verdict, why = try_one(mutant, flags.without)
        caught += verdict.startswith("caught")
        late += verdict == "caught by"
        print(f"{verdict:<9} {time.monotonic() - begun:4.0f} s  {mutant.room:<9} {mutant.what}{': ' + why if why else ''}", flush=True)
    print(f"{caught} of {len(chosen)} bugs were caught" + (f", {late} of them only by {flags.without}" if flags.without else ""))
    return 0 if caught == len(chosen) and not stale else 1


if __name__ == "__main__":
    sys.exit(main())
