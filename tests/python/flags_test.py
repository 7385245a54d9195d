# SPDX-License-Identifier: Apache-2.0
"""Functions take the words of the command line: every flag of a command is a parameter of the same name, and the reverse.

What differs on purpose is listed below, with the reason.
"""

import inspect
import re
import sys

from module import expect, run, run_tests, webstrata

# For all commands: the result is an object, progress is a parameter, and docstrings are the help.
EVERYWHERE = {"json": "the result is an object", "as": "the same", "header": "the same", "no_header": "the same", "color": "the same",
              "config": "arguments have their own defaults", "no_config": "the same", "quiet": "progress=False", "help": "the docstring"}

# Command: (function, {flag without a parameter: reason}, {parameter without a flag: reason}).
PROBE = (webstrata.probe, {}, {"urls": "the positional arguments URL", "progress": "the opposite of --quiet"})
CRAWL = (webstrata.crawl, {"resume": "webstrata.resume()", "ledger": "webstrata.ledger()",
                           **dict.fromkeys(("frontier", "crawl_id", "frontier_token", "frontier_ca_file"), "a shared plan: only the command line yet")},
         {"job": "positional", "seeds": "positional", "progress": "the opposite of --quiet"})
STATS = (webstrata.stats, {}, {"archive": "positional", "progress": "the opposite of --quiet"})
DIFF = (webstrata.diff, {"hosts": "the totals by host are always there: Diff.hosts"},
        {"archive": "positional", "t0": "positional", "t1": "positional", "progress": "the opposite of --quiet"})
EXPORT = (webstrata.export, {"as": "a word of Python: as_"},
          {"as_": "--as, which is a word of Python", "source": "positional", "path": "positional", "progress": "the opposite of --quiet"})
COMMANDS = {"probe": PROBE, "crawl": CRAWL, "stats": STATS, "diff": DIFF, "export": EXPORT}

# Methods of what is open take the same words, less those that the object already knows.
METHODS = {
    "stats": (webstrata.Archive.stats, set(), {"progress"}),
    "diff": (webstrata.Archive.diff, {"hosts"}, {"t0", "t1", "progress"}),
    "export": (webstrata.Archive.export, {"as", "at", "during", "carry", "level", "fold", "kinds", "without_inner_links", "urls", "threads"},
               {"path", "form", "progress"}),
}


def flags_of(command):
    """The long names in the help of a command, as Python writes them."""
    found = re.findall(r"^ {2}(?:-\w, )?--([a-z][a-z-]*)", run(command, "--help")[1], re.MULTILINE)
    expect(len(found) > 5 and len(set(found)) == len(found), f"{command}: {found}")
    return {name.replace("-", "_") for name in found}


def parameters_of(function):
    return {name for name in inspect.signature(function).parameters if name != "self"}


def test_functions_have_the_flags_of_their_commands():
    for command, (function, without, beyond) in COMMANDS.items():
        flags, parameters = flags_of(command), parameters_of(function)
        # An exception that is none any more must go.
        expect(set(without) <= flags and not set(without) & parameters, f"{command}: {set(without) - flags or set(without) & parameters}")
        expect(set(beyond) <= parameters and not set(beyond) & flags, f"{command}: {set(beyond) - parameters or set(beyond) & flags}")
        missing = flags - parameters - set(without) - set(EVERYWHERE)
        expect(not missing, f"webstrata.{command}() lacks {sorted(missing)}, which are flags of webstrata {command}")
        unknown = parameters - flags - set(beyond)
        expect(not unknown, f"webstrata.{command}() has {sorted(unknown)}, which are not flags of webstrata {command}")


def test_methods_have_them_too():
    for command, (method, without, beyond) in METHODS.items():
        flags, parameters = flags_of(command) - set(EVERYWHERE), parameters_of(method)
        expect(parameters - beyond == flags - without, f"{method.__qualname__}: {sorted((parameters - beyond) ^ (flags - without))}")


def test_defaults_are_those_of_the_methods():
    """The functions and the methods of the same name give the same answers."""
    for command in ("stats", "diff"):
        function, method = COMMANDS[command][0], METHODS[command][0]
        for name, parameter in inspect.signature(method).parameters.items():
            if name != "self":
                expect(inspect.signature(function).parameters[name].default == parameter.default, f"{command}: {name}")


if __name__ == "__main__":
    sys.exit(run_tests(globals()))
