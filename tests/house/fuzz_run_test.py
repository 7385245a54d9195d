# SPDX-License-Identifier: Apache-2.0
"""What a fuzzer finds is not lost: fuzz/run.sh carries it into the corpus that the ordinary tests replay, and runs the other
targets all the same. The fuzzers here are scripts that speak as libFuzzer does."""

import hashlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
CRASHING = """#!/bin/sh
for word in "$@"; do
  case $word in
    -minimize_crash=1) small=yes ;;
    -exact_artifact_path=*) out=${word#*=} ;;
    -artifact_prefix=*) prefix=${word#*=} ;;
  esac
done
if [ "${small:-}" ]; then printf tiny > "$out"; exit 1; fi
printf 'a long input' > "${prefix}crash-0123"; printf 'a slow input' > "${prefix}timeout-4567"; printf fine > "${prefix}slow-unit-89"
echo "ERROR: libFuzzer: deadly signal"; exit 77
"""
GOOD = "#!/bin/sh\necho 'stat::number_of_executed_units: 1234'\n"


def run(folder, programs):
    for name, text in programs.items():
        path = folder / "build" / "fuzz" / f"{name}_fuzz"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)
        (folder / "corpus" / name).mkdir(parents=True, exist_ok=True)
    done = subprocess.run([SOURCE / "fuzz" / "run.sh", "1"], capture_output=True, text=True,
                          env={**os.environ, "FUZZ_BUILD": str(folder / "build"), "FUZZ_CORPUS": str(folder / "corpus")})
    return done.returncode, done.stdout


def named(text):
    return "found-" + hashlib.sha256(text.encode()).hexdigest()[:16]


def main():
    with tempfile.TemporaryDirectory() as folder:
        code, output = run(Path(folder), {"bad": CRASHING, "good": GOOD})
        assert code == 1 and "FINDING in bad" in output and "1234 executions" in output and "findings in 1 targets" in output, output
        found = {path.name: path.read_text() for path in (Path(folder) / "corpus" / "bad").iterdir()}
        assert found == {named("tiny"): "tiny", named("a slow input"): "a slow input"}, found
    with tempfile.TemporaryDirectory() as folder:
        code, output = run(Path(folder), {"good": GOOD})
        assert code == 0 and output.endswith("1234 executions without a finding\n"), output
    print("findings are carried into the corpus")
    return 0


if __name__ == "__main__":
    sys.exit(main())
