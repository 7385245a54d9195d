# SPDX-License-Identifier: Apache-2.0
"""An open archive that answers questions: who linked to whom, and when."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, Union

from . import _core
from ._html import table_html
from ._progress import ProgressWish, Showing
from ._tables import Captures
from ._words import PathLike, Span, When, moment, moment_of, refused, report_of, span_of, spoken
from .graph import Snapshot
from .literals import CaptureSchema, Dialect, Direction, KeyDialect, Level, LineForm
from .strata import Strata
from .table import Table

if TYPE_CHECKING:
    import numpy

    from ._core import Archive as OpenArchive

#: What a notebook shows of an archive.
_SHOWN = ("pages", "nodes", "captures", "sightings", "links", "first", "last", "generation", "bytes")
#: A url, or the uid of a node.
UrlOrUid = Union[str, int]


class Url(NamedTuple):
    """A node of an archive. Its uid is the rank of its key; it changes when an update adds new URLs."""

    uid: int
    url: str
    key: str


class PageState(NamedTuple):
    """What was known about a page at a time: ``present``, ``moved``, ``gone`` or ``unknown``, since when, and when its
    links were seen."""

    state: str
    since: datetime | None
    captured: datetime | None


class Diff(NamedTuple):
    """What changed between two times: totals by host, with a last row, without a host, for all of them; and, on request,
    every page (its target is missing) and link that appeared or vanished, and every page that was not seen since.

    *Kept* was seen again after the first time, *vanished* was seen to be gone; *not seen* was there at the first time and was
    not looked at again, so the archive does not know."""

    hosts: Table
    changes: Table | None

    @property
    def total(self) -> dict[str, int]:
        """All hosts together."""
        *_, last = self.hosts
        return {name: count for name, count in last.items() if name != "host"}


class Archive:
    """An archive as it was when it was opened; later updates do not change it.

    While it is open, ``forget`` refuses to run in the same process. ``close()`` it, or use it in a ``with`` statement. Graphs,
    planners, runs and captures that came from it keep it open until they are deleted.

    >>> import webstrata
    >>> library = webstrata.open(example_archive)
    >>> page = "http://python-quart-doc.docs.example/tutorials/installation.html"
    >>> library.links(page, direction="in", at="2021").values("url")[0]
    'http://python-quart-doc.docs.example/index.html'
    >>> [capture.status for capture in library.captures(page)]
    [200, 200]
    """

    def __init__(self, core: OpenArchive) -> None:
        self._opened: OpenArchive | None = core
        self._path = Path(core.path)

    @property
    def _core(self) -> OpenArchive:
        if self._opened is None:
            raise refused(f"{self._path}: this Archive is closed; webstrata.open() opens the archive again")
        return self._opened

    def __repr__(self) -> str:
        state = "closed" if self._opened is None else f"{self._opened.node_count} nodes"
        return f"<webstrata.Archive {str(self._path)!r}: {state}>"

    def _repr_html_(self) -> str:
        """What a notebook shows: counts and the span of time."""
        if self._opened is None:
            return table_html(f"webstrata.Archive {self._path}, closed", ["", ""], [])
        found = self.info()
        found["bytes"] = sum(found["bytes"].values())
        rows = [(name.replace("_", " "), found[name]) for name in _SHOWN if name in found]
        return table_html(f"webstrata.Archive {self._path}", ["", ""], rows)

    def __enter__(self) -> Archive:
        self._core  # a closed one is an error here, not at the first question
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Closes the archive; using it afterwards is an error. Closing it twice does no harm.

        >>> with webstrata.open(example_archive) as library:
        ...     known = library.node_count
        >>> library.closed
        True
        """
        self._opened = None

    @property
    def closed(self) -> bool:
        """Whether ``close()`` was called."""
        return self._opened is None

    @property
    def path(self) -> Path:
        return self._path

    @property
    def node_count(self) -> int:
        """Number of URLs: pages, and everything that they link to."""
        return self._core.node_count

    def info(self) -> dict[str, Any]:
        """Counts, span of time, options and the bytes of every layer.

        >>> library = webstrata.open(example_archive)
        >>> library.info()["captures"] > 0
        True
        """
        found = self._core.info()
        found["first"], found["last"] = moment(found["first"]), moment(found["last"])
        return found

    def _nodes(self, url: UrlOrUid, fold: Dialect | None) -> list[int]:
        if isinstance(url, int):
            return [url] if 0 <= url < self.node_count else []
        return self._core.nodes_of(url, fold or "")

    def _found(self, url: UrlOrUid, fold: Dialect | None) -> list[int]:
        nodes = self._nodes(url, fold)
        if nodes:
            return nodes
        others = [self._core.url(node) for node in self._core.nodes_of(url, "ia")[:3]] if isinstance(url, str) else []
        hint = f"; it has {', '.join(others)} (fold='ia' treats such spellings as one)" if others and not fold else ""
        raise refused(f"{self.path}: {url} is not in it{hint}", "not_found")

    def url(self, url: UrlOrUid) -> Url | None:
        """Looks up a URL or uid; None if it is not in the archive.

        >>> library = webstrata.open(example_archive)
        >>> library.url(library.url(0).url).uid
        0
        >>> library.url("http://nowhere.example/") is None
        True
        """
        nodes = self._nodes(url, None)
        return Url(nodes[0], self._core.url(nodes[0]), self._core.key(nodes[0])[:-1]) if nodes else None

    def urls(
        self, host: str | None = None, domain: str | None = None, prefix: str | None = None, during: Span | None = None,
        pages: bool = False,
    ) -> Table:
        """Uid and URL of all nodes, or of those of a host, a domain with its subdomains, or under a prefix.

        ``pages`` keeps what was captured, ``during`` what was captured then.

        >>> library = webstrata.open(example_archive)
        >>> len(library.urls(host="python-quart-doc.docs.example", pages=True)) > 10
        True
        """
        import numpy

        said = [(kind, text) for kind, text in (("host", host), ("domain", domain), ("prefix", prefix)) if text is not None]
        if len(said) > 1:
            raise refused("give only one of host, domain and prefix")
        first, end = self._core.range(*said[0]) if said else (0, self.node_count)
        if pages or during is not None:
            found = self._core.pages(span_of(during)).numpy()
            uids = found[(found >= first) & (found < end)]
        else:
            uids = numpy.arange(first, end, dtype=numpy.uint64)
        column = _core.uid_column(numpy.ascontiguousarray(uids))
        return Table(_core.Table([column, self._core.urls(column)]))

    def captures(
        self, url: UrlOrUid | None = None, during: Span | None = None, fold: Dialect | None = None, schema: CaptureSchema = "webstrata"
    ) -> Captures:
        """When a URL was captured or sighted, and what was found; without a URL, everything in the archive.

        ``schema="commoncrawl"`` gives the columns of Common Crawl's index instead; see Captures.to_parquet.

        >>> library = webstrata.open(example_archive)
        >>> page = "http://python-quart-doc.docs.example/tutorials/installation.html"
        >>> for capture in library.captures(page, during="2021"):
        ...     print(capture.time.date(), capture.status, len(capture.links))
        2021-08-14 200 22
        """
        ranges = [(0, self.node_count)] if url is None else [(node, node + 1) for node in self._found(url, fold)]
        core, span = self._core, span_of(during)
        return Captures(lambda: core.captures(ranges, span, schema), schema)

    def links(
        self, url: UrlOrUid | None = None, direction: Direction = "out", at: When | None = None, during: Span | None = None,
        kinds: str | None = None, fold: Dialect | None = None, texts: bool = False,
    ) -> Table:
        """Where a page links to (``direction="out"``) or which pages link to it (``"in"``), at a time, during one, or ever.

        The columns are ``url`` and ``uid`` of the other end; with ``at`` also ``kinds`` and ``count``. Without a URL:
        all links of the archive, with ``source`` and ``target``, and their kinds, counts, first and last time seen;
        ``kinds`` is then ``graph`` unless you say ``all`` or a list such as ``navigation+embed``.

        With ``texts`` (of an archive built with it) a link has a row for each of its texts, with ``text``, ``text_captures``, ``text_first``
        and ``text_last``; a link without text has one row, and ``text`` is null.

        >>> library = webstrata.open(example_archive)
        >>> page = "http://python-quart-doc.docs.example/tutorials/installation.html"
        >>> sorted(library.links(page, at="2021").column_names)
        ['count', 'kinds', 'uid', 'url']
        >>> frame = library.links(during="2021").to_pandas()
        >>> len(frame) > 1000
        True
        """
        if direction not in ("out", "in"):
            raise refused(f"direction={direction!r}: not out or in")
        if at is not None and during is not None:
            raise refused("give at or during, not both")
        if url is None:
            if texts:
                raise refused("texts=True needs a URL; the layer texts has those of all pages")
            return self.snapshot(at=at, during=during, kinds=kinds or "graph", columns=True).links(names=True)
        nodes = self._found(url, fold)
        return Table(self._core.links(nodes, direction == "in", moment_of(at), span_of(during), kinds or "all", False, texts))

    def anchor_texts(
        self, url: UrlOrUid, at: When | None = None, during: Span | None = None, kinds: str = "all", fold: Dialect | None = None,
    ) -> Table:
        """What others call a page: the texts of the links to it, those of most pages first.

        The columns are ``text``, ``pages`` (how many link to it with this text), ``captures`` of those pages that have it, and when it was
        seen ``first`` and ``last``. The archive must have been built with ``texts=True``.

        >>> import tempfile, webstrata
        >>> archive = tempfile.mkdtemp() + "/texts.ws"
        >>> webstrata.build(archive, example_sample / "2021.warc.gz", texts=True).pages
        533
        >>> with webstrata.open(archive) as library:
        ...     found = library.anchor_texts("http://python-quart-doc.docs.example/tutorials/installation.html")
        >>> found.column_names
        ['text', 'pages', 'captures', 'first', 'last']
        """
        if at is not None and during is not None:
            raise refused("give at or during, not both")
        return Table(self._core.anchor_texts(self._found(url, fold), moment_of(at), span_of(during), kinds))

    def link_count(
        self, url: UrlOrUid, direction: Direction = "out", at: When | None = None, during: Span | None = None,
        kinds: str | None = None, fold: Dialect | None = None,
    ) -> int:
        """How many pages a page links to, or how many link to it: the length of ``links()``.

        >>> library = webstrata.open(example_archive)
        >>> page = "http://python-quart-doc.docs.example/tutorials/installation.html"
        >>> library.link_count(page) == len(library.links(page))
        True
        """
        return len(self.links(url, direction, at, during, kinds, fold))

    def history(
        self, url: UrlOrUid, direction: Direction = "out", during: Span | None = None, kinds: str = "all", fold: Dialect | None = None
    ) -> Table:
        """When a page's links, or the links to it, existed: first and last time seen, in how many captures, kinds.

        >>> library = webstrata.open(example_archive)
        >>> library.history("http://python-quart-doc.docs.example/").column_names
        ['url', 'uid', 'kinds', 'first', 'last', 'captures']
        """
        if direction not in ("out", "in"):
            raise refused(f"direction={direction!r}: not out or in")
        return Table(self._core.links(self._found(url, fold), direction == "in", None, span_of(during), kinds, True))

    def strata(
        self, url: UrlOrUid, direction: Direction = "out", during: Span | None = None, kinds: str = "all", fold: Dialect | None = None,
        report: PathLike | None = None,
    ) -> Strata:
        """When each link of a page was there, capture by capture. A notebook draws it: rows are links, columns captures.

        ``direction="in"`` shows the pages that linked here. ``report`` names a file for the same page as HTML.

        >>> library = webstrata.open(example_archive)
        >>> found = library.strata("http://python-quart-doc.docs.example/tutorials/installation.html")
        >>> len(found.times), len(found.links), found.present.shape
        (2, 25, (25, 2))
        """
        if direction not in ("out", "in"):
            raise refused(f"direction={direction!r}: not out or in")
        nodes, span, file = self._found(url, fold), span_of(during), report_of(report)
        word = self._core.url(nodes[0])
        command = f"library.strata({word!r})" if direction == "out" else f"library.strata({word!r}, direction='in')"
        asked = (self._core, nodes, direction == "in", span, kinds)
        found = Strata(word, json.loads(_core.strata(*asked)), _core.strata_page(*asked, command))
        if file:
            found.save(file)
        return found

    def state(self, url: UrlOrUid, at: When) -> PageState:
        """Whether a page was there at a time, from what was known by then.

        >>> library = webstrata.open(example_archive)
        >>> library.state("http://python-quart-doc.docs.example/", at="2021").state
        'moved'
        """
        moment_at = moment_of(at)
        assert moment_at is not None
        found = self._core.state(self._found(url, None)[0], moment_at)
        return PageState(found["state"], moment(found["since"]), moment(found["captured"]))

    def diff(
        self, t0: When, t1: When, links: bool = False, kinds: str = "all", threads: int = 0, progress: ProgressWish = None,
        report: PathLike | None = None,
    ) -> Diff:
        """Pages and links that appeared, vanished, were kept or not seen since, from the last second of ``t0`` to that of
        ``t1``. ``report`` names a file for a report page.

        >>> library = webstrata.open(example_archive)
        >>> changed = library.diff("2021", "2023", links=True)
        >>> changed.total["pages_vanished"], changed.total["pages_not_seen"]
        (9, 134)
        >>> changed.changes.column_names
        ['change', 'source', 'target']
        """
        first, last = moment_of(t0, "t0"), moment_of(t1, "t1")
        assert first is not None and last is not None
        with Showing(progress) as tell:
            hosts, changes = self._core.diff(first, last, kinds, links, threads, tell, report_of(report), self.path.name)
        return Diff(Table(hosts), Table(changes) if links else None)

    def stats(
        self, kinds: str = "all", menu_share: float = 0.8, menu_pages: int = 5, threads: int = 0, progress: ProgressWish = None,
        report: PathLike | None = None, patterns: int = 0,
    ) -> dict[str, Any]:
        """How links appear and disappear, where they lead, and which belong to menus: what ``webstrata stats --json`` prints.

        A target that a share ``menu_share`` of the pages of a host or directory link to belongs to a menu, if there are at
        least ``menu_pages`` of them. ``patterns`` is how many sets of links to find that appear and disappear together on the
        pages of a host. ``report`` names a file for a report page.

        >>> library = webstrata.open(example_archive)
        >>> found = library.stats()
        >>> sorted(found["years"]), found["births"] >= found["deaths"]
        (['2021', '2023'], True)
        """
        with Showing(progress) as tell:
            found = _core.stats(self._core, kinds, menu_share, menu_pages, threads, tell, report_of(report), self.path.name, patterns)
        known: dict[str, Any] = json.loads(found)
        return known

    def snapshot(
        self, at: When | None = None, during: Span | None = None, level: Level = "page", fold: Dialect | None = None,
        kinds: str = "graph", carry: bool = False, inner_links: bool = True, columns: bool = False, threads: int = 0,
        progress: ProgressWish = None,
    ) -> Snapshot:
        """One graph in memory: as it was at a time, during one, or ever.

        ``level`` joins pages to hosts or domains, ``fold`` joins spellings, ``carry`` (with ``during``) adds what was
        there at its first second, ``columns`` also loads what is known about nodes and links.

        >>> library = webstrata.open(example_archive)
        >>> library.snapshot(at="2021", level="host").names[:2]
        ['arcade.academy', 'docs.h2o.ai']
        """
        if at is not None and during is not None:
            raise refused("give at or during, not both")
        if carry and during is None:
            raise refused("carry needs a time from .. to (during='2015..2016')")
        with Showing(progress) as tell:
            core = _core.snapshot(
                self._core, moment_of(at), span_of(during), carry, level, fold or "", kinds, inner_links, columns, threads,
                tell)
        when = at if at is not None else during
        title = self.path.name if when is None else f"{self.path.name}@{spoken(when)}"
        return Snapshot(core, [str(self.path.absolute())], title, level)

    def export(
        self, path: PathLike, form: LineForm = "jsonl", key: KeyDialect = "pywb", name: str = "", progress: ProgressWish = None
    ) -> None:
        """Writes all of the archive as lines of text: ``jsonl`` (``build`` makes the same archive from it), ``cdxj`` (an index
        line for each sighting, with keys of the dialect ``key``) or ``scores`` (the column ``name``).

        The file appears only when it is complete; a name that ends in ``.gz`` is compressed. ``Snapshot.export`` writes graphs.

        >>> import pathlib, tempfile
        >>> file = pathlib.Path(tempfile.mkdtemp()) / "lib.jsonl"
        >>> webstrata.open(example_archive).export(file)
        >>> len(file.read_text().splitlines()) > 1000
        True
        """
        if form == "scores" and not name:
            raise refused("the form scores needs the name of a column: score_names lists them")
        with Showing(progress) as tell:
            _core.export_lines(self._core, form, os.fspath(path), key, name, tell)

    @property
    def score_names(self) -> list[str]:
        """Columns of scores that are kept in the archive."""
        return self._core.score_names()

    def scores(self, name: str) -> numpy.ndarray[Any, Any]:
        """A column of scores, one for each uid; NaN where it is not known."""
        return self._core.load_scores(name).numpy()

    def topic(self, name: str, graph: Snapshot) -> tuple[numpy.ndarray[Any, Any], numpy.ndarray[Any, Any]]:
        """Scores of the nodes and links of a graph of this archive for a topic that ``build --topic`` saved.

        What has no score gets 0. Any other column of scores can be used as a topic, too; then all links have 0.

        >>> import tempfile
        >>> archive = tempfile.mkdtemp() + "/lib.ws"
        >>> _ = webstrata.build(archive, example_sample / "2021.warc.gz")
        >>> library = webstrata.open(archive)
        >>> library.save_scores("about", [1.0] * library.node_count)
        >>> graph = library.snapshot(at="2021")
        >>> pages, links = library.topic("about", graph)
        >>> bool((pages == 1).all()), bool((links == 0).all())
        (True, True)
        """
        nodes, links = _core.topic(self._core, graph._core, name)
        return nodes.numpy(), links.numpy()

    def save_scores(self, name: str, values: Iterable[float]) -> None:
        """Saves a score for each uid in the archive; updates carry it over to the new uids.

        The archive must not have changed since it was opened.
        """
        import numpy

        self._core.save_scores(name, numpy.ascontiguousarray(values, dtype=numpy.float64))


def open(path: PathLike) -> Archive:
    """Opens an archive. Use it in a ``with`` statement, or call ``close()``, if the same process changes the archive later.

    >>> import webstrata
    >>> with webstrata.open(example_archive) as library:
    ...     library.node_count > 1000
    True
    """
    return Archive(_core.open(os.fspath(path)))
