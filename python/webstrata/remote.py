# SPDX-License-Identifier: Apache-2.0
"""An archive on a server (``webstrata serve``), with the questions of an open archive."""

from __future__ import annotations

import json
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from types import TracebackType
from typing import TYPE_CHECKING, Any, Union

from ._html import ROWS_SHOWN, table_html
from ._words import Span, When, refused, spoken
from .archive import PageState
from .literals import Direction, Level
from .writing import Forgotten, ForgottenRecord, Input, Written, warn_of

if TYPE_CHECKING:
    import pandas

#: Fields of answers that are times.
_TIMES = frozenset({"time", "first", "last", "since", "until", "captured", "began", "changed", "not_before"})
_TIMEOUT_SECONDS = 120
#: A change takes as long as it takes; forget waits for readers.
_CHANGE_SECONDS = 24 * 3600

#: JSON lines as ``webstrata extract`` prints them, or one mapping for each capture.
Captures = Union[bytes, str, Iterable[Mapping[str, Any]]]


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def _with_times(row: dict[str, Any]) -> dict[str, Any]:
    return {name: _moment(value) if name in _TIMES and isinstance(value, str) else value for name, value in row.items()}


class Rows:
    """The rows of an answer; read like a ``Table``: ``column_names``, ``values(name)``, ``to_pandas()``, iteration."""

    def __init__(self, rows: list[dict[str, Any]], column_names: list[str] | None = None) -> None:
        self._rows = rows
        self.column_names = column_names or list(dict.fromkeys(name for row in rows for name in row))

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self._rows)

    def __repr__(self) -> str:
        return f"<webstrata.Rows: {len(self)} rows of {', '.join(self.column_names)}>"

    def _repr_html_(self) -> str:
        shown = [[row.get(name, "") for name in self.column_names] for row in self._rows[:ROWS_SHOWN]]
        return table_html(f"{len(self)} rows", self.column_names, shown)

    def values(self, name: str) -> list[Any]:
        """A column as a list; None where a value is missing."""
        if name not in self.column_names:
            raise refused(f"there is no column {name}; there are {', '.join(self.column_names)}", "not_found")
        return [row.get(name) for row in self._rows]

    def to_pandas(self) -> pandas.DataFrame:
        try:
            import pandas
        except ImportError:
            raise refused("to_pandas() needs pandas: pip install pandas", "not_found") from None
        return pandas.DataFrame(self._rows, columns=self.column_names)


class RemoteArchive:
    """An archive on a server. It always answers with the current generation.

    Methods have the names and words of ``Archive``, as far as the server knows them; results are ``Rows`` and dictionaries.
    What needs the files of an archive (``snapshot``, ``export`` …) is refused.
    """

    def __init__(self, address: str, archive: str | None = None, token: str | None = None) -> None:
        if urllib.parse.urlsplit(address).scheme not in ("http", "https"):
            raise refused(f"{address}: not an address such as http://127.0.0.1:8931/")
        self.address = address if address.endswith("/") else address + "/"
        self._token = token
        names = [entry["name"] for entry in self._get("api/v1/archives", {})["archives"]]
        if archive is None and len(names) > 1:
            raise refused(f"{address} serves {', '.join(names)}: choose one with archive=")
        if archive is not None and archive not in names:
            raise refused(f"{address} does not serve {archive}, but {', '.join(names)}", "not_found")
        self.name = archive or names[0]

    def __repr__(self) -> str:
        return f"<webstrata.RemoteArchive {self.name!r} on {self.address}>"

    def __enter__(self) -> RemoteArchive:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Nothing is held open; for programs that close every archive."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        raise AttributeError(f"a server does not answer {name}(); open the archive itself with webstrata.open()")

    def _open(self, path: str, parameters: dict[str, Any], accept: str, body: bytes | None = None, content_type: str = "application/json") -> Any:
        said = {name: value for name, value in parameters.items() if value is not None}
        query = "?" + urllib.parse.urlencode(said) if said else ""
        request = urllib.request.Request(self.address + path + query, data=body, headers={"Accept": accept})
        if body is not None:
            request.add_header("Content-Type", content_type)
        if self._token:
            request.add_header("Authorization", f"Bearer {self._token}")
        return urllib.request.urlopen(request, timeout=_TIMEOUT_SECONDS if body is None else _CHANGE_SECONDS)

    def _get(self, path: str, parameters: dict[str, Any], accept: str = "application/json", body: bytes | None = None,
             content_type: str = "application/json") -> Any:
        try:
            with self._open(path, parameters, accept, body, content_type) as answer:
                return json.load(answer) if accept == "application/json" else answer.read().decode()
        except urllib.error.HTTPError as error:
            raise self._refusal(error) from None
        except (OSError, ValueError) as error:
            raise refused(f"{self.address}: no answer: {getattr(error, 'reason', error)}", "io") from None

    def _refusal(self, error: urllib.error.HTTPError) -> Exception:
        try:
            sentence = json.load(error)["detail"]
        except (ValueError, KeyError, OSError):
            sentence = f"status {error.code}"
        kind = {404: "not_found", 400: "bad_input"}.get(error.code, "io")
        return refused(f"{self.address}: {sentence}", kind)  # type: ignore[arg-type]

    def _ask(self, route: str, **parameters: Any) -> Any:
        return self._get(self._name_in(route), parameters)

    def _name_in(self, route: str) -> str:
        return f"api/v1/{urllib.parse.quote(self.name)}/{route}"

    def _list(self, route: str, **parameters: Any) -> Rows:
        """All of a list, one answer after the other."""
        name = route.rpartition("/")[2]
        rows: list[dict[str, Any]] = []
        after: str | None = None
        while True:
            answer = self._ask(route, limit=10_000, after=after, **parameters)
            rows += [_with_times(row) for row in answer[name]]
            after = answer.get("next")
            if after is None:
                return Rows(rows)

    def info(self) -> dict[str, Any]:
        """Counts, span of time and options."""
        found: dict[str, Any] = self._ask("info")
        found["first"], found["last"] = (_moment(time) for time in found["span"]) if found["span"] else (None, None)
        return found

    def hosts(self, match: str | None = None) -> Rows:
        """Hosts with their counts."""
        return self._list("hosts", match=match)

    def urls(self, host: str | None = None, domain: str | None = None, prefix: str | None = None, pages: bool = False) -> Rows:
        """URLs of a host, of a domain with its subdomains, or under a prefix; ``pages`` keeps what was captured."""
        said = [word for word in (host and f"{host}/*", domain and f"*.{domain}", prefix and f"{prefix}*") if word]
        if len(said) != 1:
            raise refused("give one of host, domain and prefix")
        return self._list("urls", url=said[0], captured="true" if pages else None)

    def captures(self, url: str, during: Span | None = None) -> Rows:
        """When a URL was captured or sighted, and what was found."""
        if during is None:
            return self._list("captures", url=url)
        first, _, last = spoken(during).partition("..")
        return self._list("captures", url=url, **{"from": first or None, "to": (last or None) if ".." in spoken(during) else first})

    def links(
        self, url: str, direction: Direction = "out", at: When | None = None, during: Span | None = None, kinds: str | None = None,
        level: Level | None = None, texts: bool = False,
    ) -> Rows:
        """Where a page links to (``direction="out"``) or which pages link to it (``"in"``), at a time, during one, or ever.

        With ``texts`` (of an archive built with it) links have ``texts``, a list of what they were called and when.
        """
        return self._list("links", url=url, direction=direction, at=at and spoken(at), during=_dates(during), kinds=kinds, level=level,
                          texts="1" if texts else None)

    def history(self, url: str, direction: Direction = "out", during: Span | None = None, kinds: str = "all") -> Rows:
        """When a page's links, or the links to it, existed: first and last time seen, in how many captures, kinds."""
        return self.links(url, direction, during=during, kinds=kinds)

    def page(self, url: str, at: When | None = None) -> dict[str, Any]:
        """The state of a page, its states over time, and numbers of captures and links."""
        found: dict[str, Any] = self._ask("page", url=url, at=at and spoken(at))
        return _with_times(found)

    def state(self, url: str, at: When) -> PageState:
        """Whether a page was there at a time, from what was known by then."""
        found = self.page(url, at)
        return PageState(found["state"], found.get("since"), found.get("captured"))

    def diff(self, t0: When, t1: When, kinds: str = "all") -> dict[str, Any]:
        """Pages and links that appeared, vanished, were kept or not seen since, by host: what ``webstrata diff --json`` prints."""
        found: dict[str, Any] = self._ask("diff", **{"from": spoken(t0), "to": spoken(t1), "kinds": kinds})
        return found

    def stats(self) -> dict[str, Any]:
        """How links appear and disappear, where they lead, and which belong to menus."""
        found: dict[str, Any] = self._ask("stats")
        return found

    def network(self, at: When | None = None, level: Level = "host", url: str | None = None, limit: int = 200) -> dict[str, Any]:
        """The nodes with the highest PageRank at a date, or those around a URL, with the links among them."""
        found: dict[str, Any] = self._ask("network", at=at and spoken(at), level=level, url=url, limit=limit)
        return found

    def update(self, captures: Captures, *, crawl: str = "", strict: bool = False) -> Written:
        """Imports captures: JSON lines, or mappings with ``url``, ``time``, ``status``, ``links`` … (docs/extract.md).

        The server must have been started with ``--writable``, and ``connect`` given its token. Damaged lines are left out and cause a
        warning; with ``strict`` they are an error, and nothing is changed.
        """
        answer = self._change("update", _lines_of(captures), "application/x-ndjson", crawl=crawl or None, strict="true" if strict else None)
        counts, read = answer["archive"], answer["read"]
        damages = [(one["offset"], one["reason"]) for one in read["damages"]]
        inputs = [Input("upload.jsonl", "jsonl", read["records"], read["captures"], read["sightings"], read["links"], read["bytes"],
                        damages, read["damaged"], read["left_out"], None)]
        warn_of(inputs, 3)
        return Written(answer["changed"], answer["generation"], counts["pages"], counts["captures"], counts["links"], answer["left_out"], inputs)

    def forget(
        self, *, url: str | list[str] | None = None, prefix: str | list[str] | None = None, host: str | list[str] | None = None,
        during: Span | None = None, exactly: bool = False, embedded: bool = False, force: bool = False, dry_run: bool = False,
    ) -> Forgotten:
        """Deletes captures, links and names permanently, as ``webstrata.forget`` does; it waits until no reader has them any more.

        The server must have been started with ``--writable``, and ``connect`` given its token.
        """
        words: dict[str, Any] = {name: [said] if isinstance(said, str) else list(said)
                                 for name, said in (("url", url), ("prefix", prefix), ("host", host)) if said}
        first, _, last = (_dates(during) or "").partition("..")
        words |= {name: date for name, date in (("from", first), ("to", last)) if date}
        words |= {name: True for name, wish in (("exactly", exactly), ("embedded", embedded), ("force", force), ("dry_run", dry_run)) if wish}
        answer = self._change("forget", json.dumps(words).encode(), "application/json")
        records = [ForgottenRecord(one["url"], _moment(one["time"]), one.get("file", ""), one.get("offset")) for one in answer["records"]]
        return Forgotten(answer["changed"], answer["names"], answer["sightings"], answer["tombstones"], answer["embedded"], records)

    def compact(self) -> bool:
        """Merges the strata of the archive into one. False if it has only one."""
        changed: bool = self._change("compact", b"", "application/json")["changed"]
        return changed

    def _change(self, route: str, body: bytes, content_type: str, **parameters: Any) -> Any:
        return self._get(self._name_in(route), parameters, body=body, content_type=content_type)

    def runs(self) -> Rows:
        """Crawls, probes, LiveRank campaigns and seeds that the server shows (``serve --runs``)."""
        return Rows([_with_times(row) for row in self._ask("runs")["runs"]])

    def run(self, name: str) -> RemoteRun:
        """One of them by name."""
        return RemoteRun(self, name)


class RemoteRun:
    """A crawl, probe, LiveRank campaign or list of seeds on a server, perhaps still running."""

    def __init__(self, archive: RemoteArchive, name: str) -> None:
        self._archive, self.name = archive, name
        self._route = f"runs/{urllib.parse.quote(name, safe='')}"
        self.status()

    def __repr__(self) -> str:
        return f"<webstrata.RemoteRun {self.name!r} on {self._archive.address}>"

    def status(self) -> dict[str, Any]:
        """How far it is: tests, what was found, outcomes, requests, budget."""
        return _with_times(self._archive._ask(self._route))

    def curve(self, points: int = 500) -> Rows:
        """What was found against tests, in at most ``points`` points."""
        found = self._archive._ask(f"{self._route}/curve", limit=points)
        return Rows([dict(zip(found["columns"], point)) for point in found["points"]], found["columns"])

    def pages(self, outcome: str | None = None, state: str | None = None, match: str | None = None) -> Rows:
        """What became of each page, with the evidence."""
        return self._archive._list(f"{self._route}/pages", outcome=outcome, state=state, match=match)

    def why(self, url: str) -> dict[str, Any]:
        """Why this URL: the way to it from a seed, and every request."""
        found = _with_times(self._archive._ask(f"{self._route}/why", url=url))
        found["requests"] = [_with_times(request) for request in found["requests"]]
        return found

    def plan(self) -> list[str]:
        """What is to be requested next."""
        text: str = self._archive._get(self._archive._name_in(f"{self._route}/plan"), {}, "text/plain")
        return text.split()

    def watch(self) -> Iterator[dict[str, Any]]:
        """The status now and whenever it changes, until the run no longer runs or the server ends the stream."""
        path = self._archive._name_in(f"{self._route}/events")
        try:
            with self._archive._open(path, {}, "text/event-stream") as answer:
                for line in answer:
                    if not line.startswith(b"data: "):
                        continue
                    status = _with_times(json.loads(line[6:]))
                    yield status
                    if not status["running"]:
                        return
        except urllib.error.HTTPError as error:
            raise self._archive._refusal(error) from None
        except OSError as error:
            raise refused(f"{self._archive.address}: no answer: {getattr(error, 'reason', error)}", "io") from None


def _lines_of(captures: Captures) -> bytes:
    if isinstance(captures, bytes):
        return captures
    if isinstance(captures, str):
        return captures.encode()
    return "".join(json.dumps(dict(one), default=spoken) + "\n" for one in captures).encode()


def _dates(span: Span | None) -> str | None:
    """An interval in the words of the server: a single date is all of it."""
    if span is None:
        return None
    text = spoken(span)
    return text if ".." in text else f"{text}..{text}"


def connect(address: str, archive: str | None = None, token: str | None = None) -> RemoteArchive:
    """An archive on a server that ``webstrata serve`` started. ``archive`` chooses one of several by name; ``token`` is the
    word in the file of ``--token``.

        library = webstrata.connect("http://127.0.0.1:8931/")
        library.links("http://www.example.org/", direction="in", at="2021").to_pandas()
    """
    return RemoteArchive(address, archive, token)
