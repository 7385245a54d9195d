# SPDX-License-Identifier: Apache-2.0
"""Examples in docstrings and in docs/python.md run; the types hold; the stubs are those of the module."""

import ast
import contextlib
import doctest
import functools
import http.server
import importlib
import pkgutil
import re
import subprocess
import sys
import threading
from pathlib import Path

from module import SAMPLE, SOURCE, expect, run_tests, temporary_folder, webstrata

PACKAGE = SOURCE / "python" / "webstrata"


def modules():
    yield webstrata
    for found in pkgutil.iter_modules(webstrata.__path__):
        if found.name != "_core" and not found.ispkg:
            yield importlib.import_module(f"webstrata.{found.name}")


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format, *arguments):
        pass


@contextlib.contextmanager
def example_site(folder):
    """A site of two pages on loopback; gives its URL."""
    pages = folder / "site"
    pages.mkdir()
    (pages / "index.html").write_text("<title>One</title><a href='two.html'>two</a>")
    (pages / "two.html").write_text("<title>Two</title><a href='index.html'>one</a>")
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(QuietHandler, directory=str(pages))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def test_docstrings_run(folder):
    archive = folder / "lib.ws"
    webstrata.build(archive, [SAMPLE / "2021.warc.gz", SAMPLE / "2023.warc.gz"])
    count = 0
    with example_site(folder) as site:
        for module in modules():
            result = doctest.testmod(module, extraglobs={"webstrata": webstrata, "example_archive": archive, "example_sample": SAMPLE,
                                                         "example_site": site, "example_agent": "test/1.0 (+https://test.example/)"})
            expect(result.failed == 0, f"{module.__name__}: {result.failed} examples fail")
            count += result.attempted
    expect(count > 60, f"only {count} examples")
    print(f"    {count} examples")


def test_everything_public_has_a_docstring(folder):
    for name in webstrata.__all__:
        expect(getattr(webstrata, name).__doc__, f"{name} has no docstring")


def test_the_page_runs(folder):
    page = (SOURCE / "docs" / "python.md").read_text() + (SOURCE / "README.md").read_text()
    (folder / "examples").symlink_to(SOURCE / "examples")
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    expect(len(blocks) > 5, "no examples")
    done = subprocess.run([sys.executable, "-W", "error", "-c", "\n".join(blocks)], cwd=folder, capture_output=True, text=True)
    expect(done.returncode == 0, done.stderr)


def test_types_hold(folder):
    """The package itself, strictly, and everything that users may take for an example."""
    page = (SOURCE / "docs" / "python.md").read_text()
    (folder / "page.py").write_text("\n".join(re.findall(r"```python\n(.*?)```", page, re.DOTALL)))
    for files in (sorted(PACKAGE.glob("*.py")) + sorted(PACKAGE.glob("spark/**/*.py")), [folder / "page.py"]):
        done = subprocess.run([sys.executable, "-m", "mypy", "--config-file", SOURCE / "pyproject.toml", "--cache-dir", folder / "cache",
                               *files], cwd=SOURCE / "python", capture_output=True, text=True, env={"MYPYPATH": str(SOURCE / "python"), "PATH": "/usr/bin:/bin"})
        expect(done.returncode == 0, done.stdout + done.stderr)


def test_stubs_are_those_of_the_module(folder):
    done = subprocess.run([sys.executable, "-m", "nanobind.stubgen", "-q", "-r", "-m", "webstrata._core", "-O", folder], capture_output=True, text=True)
    expect(done.returncode == 0, done.stderr)
    made, kept = ({path.name: path.read_text() for path in (place / "_core").glob("*.pyi")} for place in (folder, PACKAGE))
    expect(made == kept and len(made) == 2, "python -m nanobind.stubgen -r -m webstrata._core -O python/webstrata writes them anew")


def test_the_package_runs_no_code_from_outside(folder):
    """No exec, no eval, and no look at the environment: nothing in it can make an executor run a file, as tests once did."""
    calls = {"exec", "eval", "compile", "__import__", "getenv", "run_path", "run_module", "spec_from_file_location"}
    names = {"environ", "environb", "getenv"}
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
            is_call = isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in calls
            is_regular = isinstance(node, ast.Call) and ast.unparse(node.func) == "re.compile"
            if (is_call and not is_regular) or name in names:
                found.append(f"{path.relative_to(PACKAGE)}:{node.lineno}: {ast.unparse(node)}")
    expect(not found, found)
    expect(len(list(PACKAGE.glob("spark/**/*.py"))) > 5, "the package is not where it was")


def test_progress_bars(folder):
    import io

    seen = io.StringIO()
    with contextlib.redirect_stderr(seen):
        webstrata.build(folder / "lib.ws", SAMPLE / "2021.warc.gz", progress=True)
        webstrata.verify(folder / "lib.ws", progress=True)
    expect(seen.getvalue(), "no bar was shown")
    quiet = io.StringIO()
    with contextlib.redirect_stderr(quiet):
        webstrata.verify(folder / "lib.ws")
    expect(quiet.getvalue() == "", f"not silent when piped: {quiet.getvalue()!r}")


if __name__ == "__main__":
    sys.exit(run_tests(globals(), folder=temporary_folder))
