# SPDX-License-Identifier: Apache-2.0
"""Runs the notebooks of examples/notebooks and updates their outputs; --check runs them and compares.

    PATH=$PWD/build/dev:$PATH PYTHONPATH=$PWD/build/dev/python python tools/run_notebooks.py
"""

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).resolve().parent.parent / "examples" / "notebooks"


def is_progress(output):
    """A bar, which appears only if an operation takes long."""
    return output.get("output_type") == "display_data" and output["data"].get("text/plain", "").startswith("webstrata: ")


def executed(path):
    """The notebook with fresh outputs; what differs from run to run is removed."""
    book = nbformat.read(path, as_version=4)
    NotebookClient(book, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(FOLDER)}}).execute()
    for cell in book.cells:
        cell.metadata = {}
        if cell.cell_type == "code":
            cell.outputs = [output for output in cell.outputs if output.get("name") != "stderr" and not is_progress(output)]
            for output in cell.outputs:
                output.get("data", {}).pop("text/html", None)  # the text is enough, and small
    book.metadata.pop("language_info", None)
    return book


def texts_of(book):
    """What each cell printed or gave."""
    return [[output.get("text") or output.get("data", {}).get("text/plain") for output in cell.get("outputs", [])] for cell in book.cells]


def main():
    failed = 0
    for path in sorted(FOLDER.glob("*.ipynb")):
        book = executed(path)
        if "--check" not in sys.argv:
            nbformat.write(book, path)
        elif texts_of(book) != texts_of(nbformat.read(path, as_version=4)):
            print(f"{path.name}: the outputs differ; tools/run_notebooks.py writes them anew")
            failed = 1
        print(f"{path.name}: {sum(cell.cell_type == 'code' for cell in book.cells)} cells run")
    return failed


if __name__ == "__main__":
    sys.exit(main())
