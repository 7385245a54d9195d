# SPDX-License-Identifier: Apache-2.0
"""A memory for web crawls: a compressed link graph with history.

    import webstrata

    webstrata.build("lib.ws", ["2021.warc.gz", "2023.warc.gz"])
    library = webstrata.open("lib.ws")
    library.links("http://www.example.org/", direction="in", at="2021").to_pandas()
    library.snapshot(at="2021", level="host").pagerank().top(10)

The names are those of the command line and of the C++ library; docs/python.md shows more.
"""

from __future__ import annotations

from typing import cast

from . import _core, literals
from ._error import Error
from ._progress import Progress
from ._tables import Capture, Captures, Link
from .archive import Archive, Diff, PageState, Url, open
from .exploring import Crawl
from .graph import Scores, Snapshot, load_graph
from .jobs import Campaign, Crawled, Plan, Probed, Probes, crawl, ledger, probe, resume
from .planning import Core, LiveRun, Planner, Reason, Replaced, Seed, Seeds
from .reading import Reading, read
from .remote import RemoteArchive, RemoteRun, Rows, connect
from .strata import Strata
from .table import Table
from .verbs import diff, export, stats
from .writing import Forgotten, ForgottenRecord, Input, Verified, Written, build, compact, forget, undo_forget, update, verify

__version__ = _core.version()


def rankings() -> dict[literals.Ranking, str]:
    """The rankings of ``Snapshot.rank``, with a description of each.

    >>> import webstrata
    >>> "pagerank" in webstrata.rankings()
    True
    """
    return cast("dict[literals.Ranking, str]", dict(_core.rankings()))


def seed_methods() -> dict[literals.SeedMethod, str]:
    """The methods of ``Snapshot.seeds``, with a description of each."""
    return cast("dict[literals.SeedMethod, str]", dict(_core.seed_methods()))


def planners() -> dict[literals.PlannerName, str]:
    """The methods of ``Snapshot.liverank``, with a description of each."""
    return cast("dict[literals.PlannerName, str]", dict(_core.planners()))


def estimators() -> dict[literals.Estimator, str]:
    """The estimators of ``Snapshot.explore``, with a description of each."""
    return cast("dict[literals.Estimator, str]", dict(_core.estimators()))


__all__ = [
    "Archive", "Campaign", "Capture", "Captures", "Core", "Crawl", "Crawled", "Diff", "Error", "Forgotten", "ForgottenRecord", "Input", "Link", "LiveRun",
    "PageState", "Plan", "Planner", "Probed", "Probes", "Progress", "Reading", "Reason", "RemoteArchive", "RemoteRun", "Replaced", "Rows", "Scores", "Seed", "Seeds", "Snapshot", "Strata",
    "Table", "Url", "Verified", "Written", "build", "compact", "connect", "crawl", "diff", "estimators", "export", "forget", "ledger", "literals", "load_graph", "open", "planners", "probe",
    "rankings", "read",
    "resume", "seed_methods", "stats", "undo_forget", "update", "verify",
]
