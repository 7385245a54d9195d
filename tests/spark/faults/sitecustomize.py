# SPDX-License-Identifier: Apache-2.0
"""Makes tasks of the Spark tests fail. Executors load it because their PYTHONPATH begins with this folder; webstrata knows nothing of it.

When webstrata._core is imported, the functions of its cluster part are replaced by ones that call fault(step) before and after
their work. The program named by SPARK_TEST_FAULT defines fault(); it is read each time, so a test can change it.
"""

import importlib.abc
import importlib.machinery
import os
import sys

PROGRAM = os.environ.get("SPARK_TEST_FAULT")

# What a step ends with: a function, or a method of a class. The step of update's own blocks has the name of that of the inputs.
FUNCTIONS = {"read_runs": "read", "read_slice": "read", "write_names": "names", "join_blocks": "parts", "carry_columns": "scores"}
METHODS = {("KeyNumbering", "finish"): "number", ("PageBlock", "finish"): "pages", ("InBlock", "finish"): "in_links"}


def fault(step):
    namespace = {}
    with open(PROGRAM) as program:
        exec(program.read(), namespace)
    namespace["fault"](step)


def surrounded(function, step):
    def run(*words, **options):
        fault(f"before {step}")
        result = function(*words, **options)
        fault(step)
        return result

    return run


def prepare(cluster):
    for name, step in FUNCTIONS.items():
        setattr(cluster, name, surrounded(getattr(cluster, name), step))
    for (name, method), step in METHODS.items():
        original = getattr(cluster, name)
        setattr(cluster, name, type(name, (original,), {method: surrounded(getattr(original, method), step)}))


class Preparing(importlib.abc.Loader):
    """The loader of the module, and then prepare()."""

    def __init__(self, loader):
        self.loader = loader

    def create_module(self, spec):
        return self.loader.create_module(spec)

    def exec_module(self, module):
        self.loader.exec_module(module)
        prepare(module.cluster)


class Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name != "webstrata._core":
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = Preparing(spec.loader)
        return spec


if PROGRAM:
    sys.meta_path.insert(0, Finder())
