# SPDX-License-Identifier: Apache-2.0
"""The notebooks run from a fresh kernel, and say what they said when they were written."""

import os
import subprocess
import sys

from module import PROGRAM, SOURCE, expect, run_tests, webstrata

LARGEST = 20_000


def test_notebooks_run():
    package = os.path.dirname(os.path.dirname(webstrata.__file__))
    path = os.path.dirname(PROGRAM) + os.pathsep + os.environ["PATH"]
    done = subprocess.run([sys.executable, SOURCE / "tools" / "run_notebooks.py", "--check"], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": package, "PATH": path, "JUPYTER_PLATFORM_DIRS": "1"}, timeout=600)
    print(done.stdout.strip())
    expect(done.returncode == 0, done.stdout + done.stderr[-3000:])


def test_their_outputs_are_there_and_small():
    notebooks = sorted((SOURCE / "examples" / "notebooks").glob("*.ipynb"))
    expect(len(notebooks) == 4, notebooks)
    for path in notebooks:
        text = path.read_text()
        expect('"outputs": [\n' in text and len(text) < LARGEST, f"{path.name}: {len(text)} characters")


def test_their_code_has_types():
    import json
    import tempfile

    for path in sorted((SOURCE / "examples" / "notebooks").glob("*.ipynb")):
        cells = [cell for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] == "code"]
        with tempfile.TemporaryDirectory() as folder:
            script = os.path.join(folder, path.stem + ".py")
            with open(script, "w", encoding="utf-8") as out:
                out.write("\n".join("".join(cell["source"]) for cell in cells))
            done = subprocess.run([sys.executable, "-m", "mypy", "--ignore-missing-imports", "--cache-dir", os.path.join(folder, "cache"), script],
                                  capture_output=True, text=True, env={**os.environ, "MYPYPATH": str(SOURCE / "python")})
        expect(done.returncode == 0, done.stdout)


if __name__ == "__main__":
    sys.exit(run_tests(globals()))
