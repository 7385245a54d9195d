# SPDX-License-Identifier: Apache-2.0
"""Operations that send requests and may last for days: probes, crawls, LiveRank campaigns."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Union, overload

from . import _core
from ._progress import ProgressWish, Showing
from ._words import PathLike, moment, refused, words_of
from .graph import Snapshot
from .literals import Outcome, PlannerName, PlannerTies, Rule, SampleKind, Sameness, Scope, Site, Target, Unsampled
from .table import polars_module

if TYPE_CHECKING:
    import pandas
    import polars

#: Seconds, or a word such as "500ms", "15m" or "3d".
Duration = Union[float, str]
#: A number of bytes, or a word such as "16M".
Amount = Union[int, str]
#: One word or several.
Words = Union[str, "Iterable[str]"]


def _urls(urls: Words) -> list[str]:
    return [urls] if isinstance(urls, str) else list(urls)


class Probed(NamedTuple):
    """What became of a page. ``outcome`` is alive, moved, blocked, unreachable, gone or soft-gone; ``evidence`` says why;
    ``again`` is when an unreachable page should be checked again."""

    url: str
    outcome: Outcome
    status: int | None
    target: str | None
    failure: str | None
    evidence: list[str]
    time: datetime
    again: datetime | None


class Probes(Sequence[Probed]):
    """The pages of a probe, in the order in which they were decided."""

    def __init__(self, pages: list[Probed], requests: int, files: list[str]) -> None:
        self._pages = pages
        #: Requests of the job so far, including those for robots.txt.
        self.requests = requests
        #: WARC files and sightings for ``webstrata.update``, if a folder ``out`` was given.
        self.files = files

    @overload
    def __getitem__(self, index: int) -> Probed: ...
    @overload
    def __getitem__(self, index: slice) -> list[Probed]: ...
    def __getitem__(self, index: int | slice) -> Probed | list[Probed]:
        return self._pages[index]

    def __len__(self) -> int:
        return len(self._pages)

    def __iter__(self) -> Iterator[Probed]:
        return iter(self._pages)

    @property
    def outcomes(self) -> dict[str, Outcome]:
        """The outcome of each URL: what ``Campaign.learn`` takes."""
        return {page.url: page.outcome for page in self._pages}

    def to_pandas(self) -> pandas.DataFrame:
        """One row for each page."""
        import pandas

        return pandas.DataFrame(self._pages, columns=list(Probed._fields))

    def to_polars(self) -> polars.DataFrame:
        """One row for each page."""
        columns = {name: [getattr(page, name) for page in self._pages] for name in Probed._fields}
        frame: polars.DataFrame = polars_module("to_polars()").DataFrame(columns)
        return frame

    def __repr__(self) -> str:
        return f"<webstrata.Probes of {len(self)} pages, {self.requests} requests>"


def probe(
    urls: Words, agent: str | None = None, *, archive: PathLike | None = None, delay: Duration | None = None,
    address_delay: Duration | None = None, connections: int | None = None, allow_private: bool | None = None,
    connect_to: str | None = None, hosts: PathLike | None = None, ca_file: PathLike | None = None, confirm: str | None = None,
    wait: bool | None = None, rule: Rule | None = None, head: bool | None = None, job: PathLike | None = None,
    out: PathLike | None = None, timeout: Duration | None = None, body: Amount | None = None, requests: int | None = None,
    seed: int | None = None, progress: ProgressWish = None,
) -> Probes:
    """Asks the web what became of pages: real requests, sent politely.

    The settings are those of ``webstrata probe``. The ``agent`` must name a contact; without one the environment's
    WEBSTRATA_AGENT or the user's configuration file is used. Ctrl-C waits for answers in flight; a ``job`` folder keeps
    what was found, and a later probe with the same folder continues.

    >>> found = webstrata.probe(example_site, example_agent, delay="10ms", allow_private=True)
    >>> found[0].outcome, found[0].status
    ('alive', 200)
    """
    words = words_of(dict(
        agent=agent, delay=delay, address_delay=address_delay, connections=connections, allow_private=allow_private,
        connect_to=connect_to, hosts=hosts, ca_file=ca_file, confirm=confirm, wait=wait, rule=rule, head=head, job=job, out=out,
        timeout=timeout, body=body, requests=requests, seed=seed))
    with Showing(progress) as tell:
        rows, count, files = _core.probe(_urls(urls), "" if archive is None else os.fspath(archive), words, tell)
    pages = []
    for url, outcome, status, target, failure, evidence, time, again in rows:
        decided = moment(time)
        assert decided is not None
        pages.append(Probed(url, outcome, status, target, failure, evidence, decided, moment(again)))
    return Probes(pages, count, files)


class Crawled(NamedTuple):
    """How a run of a crawl job ended. ``end`` is nothing-left, spent or stopped; counts are those of all runs of the job."""

    job: str
    end: str
    reason: str
    requests: int
    bytes: int
    bytes_reserved: int
    lost: int
    pages: int
    harvest: float
    waiting: int
    outside: int
    hosts: int
    robots_capped: int
    origins_refused: int
    moved_aside: list[str]

    @property
    def files(self) -> list[str]:
        """The WARC files of the job, for ``webstrata.update``."""
        return sorted(str(path) for path in (Path(self.job) / "warc").glob("*.warc.gz"))


def _crawl(job: PathLike, seeds: list[str] | None, settings: dict[str, Any], progress: ProgressWish) -> Crawled:
    with Showing(progress) as tell:
        return Crawled(os.fspath(job), **_core.crawl_job(os.fspath(job), seeds, words_of(settings), tell))


def crawl(
    job: PathLike, seeds: Words, agent: str | None = None, *, budget: int | None = None, bytes: Amount | None = None,
    time: Duration | None = None, host_budget: int | None = None, rate: str | None = None, host: Words | None = None,
    domain: Words | None = None, prefix: Words | None = None, surt: Words | None = None, anywhere: bool | None = None,
    depth: int | None = None, links: str | None = None, sitemaps: bool | None = None, by: str | None = None,
    seed: int | None = None, topic: PathLike | None = None, link_window: str | None = None, archive: PathLike | None = None,
    delay: Duration | None = None, address_delay: Duration | None = None, connections: int | None = None,
    allow_private: bool | None = None, connect_to: str | None = None, hosts: PathLike | None = None,
    ca_file: PathLike | None = None, backoff: Duration | None = None, give_up: int | None = None,
    timeout: Duration | None = None, max_body: Amount | None = None, host_urls: int | None = None,
    pattern_urls: int | None = None, copies: int | None = None, tries: int | None = None, prefix_name: str | None = None,
    wacz: bool | None = None, progress: ProgressWish = None,
) -> Crawled:
    """Starts a crawl job in the folder ``job`` and runs it until its budget is spent or nothing is left.

    The settings are those of ``webstrata crawl``, which can also resume the job. Every request is in the job's ledger
    before it is sent, and every answer in a WARC file. Ctrl-C waits for answers in flight; ``resume`` continues, even
    after a kill.

    >>> import tempfile
    >>> job = tempfile.mkdtemp() + "/job"
    >>> first = webstrata.crawl(job, example_site, example_agent, budget=2, delay="10ms", allow_private=True)
    >>> first.end, first.requests
    ('spent', 2)
    >>> webstrata.resume(job, budget=50).end
    'nothing-left'
    """
    settings = {name: value for name, value in locals().items() if name not in ("job", "seeds", "progress")}
    return _crawl(job, _urls(seeds), settings, progress)


def resume(job: PathLike, progress: ProgressWish = None, **settings: Any) -> Crawled:
    """Continues a crawl job, whether Python or the command line started it. Settings given now replace the job's own; they are
    those of ``crawl``."""
    return _crawl(job, None, settings, progress)


def ledger(job: PathLike) -> Iterator[dict[str, Any]]:
    """What a job knows, has requested and has spent: the lines of ``webstrata crawl JOB --ledger``."""
    import json

    for line in _core.ledger_lines(os.fspath(job)):
        yield json.loads(line)


class Plan(NamedTuple):
    """The pages to test next, best first, and what the campaign knows: ``decided`` of ``pages`` pages, ``live`` of them."""

    urls: list[str]
    pages: int
    decided: int
    live: int
    settled: int
    forgotten: int
    unknown_urls: int


def _word(answer: Any) -> str:
    """An answer as a list of results has it: True is alive, False gone, a number an HTTP status, None unknown."""
    if answer is None:
        return "unknown"
    if isinstance(answer, bool):
        return "alive" if answer else "gone"
    return str(answer)


class Campaign:
    """A LiveRank campaign over days: ``plan`` names pages, they are tested, ``learn`` receives the answers.

    Everything it knows is in the file ``state``, which ``webstrata liverank plan`` and ``learn`` read and write too. The
    options are those of ``webstrata liverank plan``, and stay the same for the whole campaign. The graph needs its columns.

    >>> import tempfile
    >>> old = webstrata.open(example_archive).snapshot(at="2021", columns=True)
    >>> campaign = webstrata.Campaign(tempfile.mkdtemp() + "/campaign.tsv", old, by="lore", seed=7)
    >>> monday = campaign.plan(20)
    >>> len(monday.urls)
    20
    >>> campaign.learn({url: "alive" for url in monday.urls})
    20
    >>> campaign.plan(20).live
    20
    """

    def __init__(
        self, state: PathLike, graph: Snapshot, by: PlannerName = "auto", seed: int = 1, target: Target = "present", same: Sameness = "auto",
        scope: Scope = "captured", undirected: bool = False, sample: SampleKind | None = None, sample_size: float | str | None = None,
        no_neighbours: bool = False, ties: PlannerTies | None = None, round: float | None = None, site: Site | int = "auto",
        unsampled: Unsampled = "last", active_within: str = "180d", dead_host: int = 0, budget: int | None = None,
        damping: float = 0.85, per_site: int = 0, dead_domain: int = 0,
    ) -> None:
        self.state = os.fspath(state)
        self._graph = graph
        self._words = _core.campaign_words(
            by, seed, target, same, scope, undirected, sample or "", "" if sample_size is None else str(sample_size),
            no_neighbours, ties or "", -1.0 if round is None else round, str(site), unsampled, active_within, dead_host, budget,
            damping, per_site, dead_domain)

    def plan(self, tests: int | None = None, threads: int = 0, progress: ProgressWish = None) -> Plan:
        """Names the next ``tests`` pages, or a number chosen by the method, and records them in the state."""
        with Showing(progress) as tell:
            return Plan(**_core.campaign_plan(
                self.state, self._graph._core, self._words, tests, self._graph._archives, threads, tell))

    def learn(self, answers: Mapping[str, Any] | Iterable[Probed] | PathLike) -> int:
        """Learns from answers and returns their number: URLs with outcomes or statuses, what ``probe`` found, or the name of a
        file of results."""
        if isinstance(answers, (str, os.PathLike)):
            return _core.campaign_learn_file(self.state, os.fspath(answers))
        if isinstance(answers, Mapping):
            return _core.campaign_learn(self.state, [(url, _word(answer)) for url, answer in answers.items()])
        pages = list(answers)
        if not all(isinstance(page, Probed) for page in pages):
            raise refused("answers are a mapping of URLs to outcomes, what probe() found, or the name of a file")
        return _core.campaign_learn(self.state, [(page.url, page.outcome) for page in pages])

    def __repr__(self) -> str:
        return f"<webstrata.Campaign in {self.state}>"
