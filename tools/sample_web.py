# SPDX-License-Identifier: Apache-2.0
"""The little web that tools/make_sample.py crawls: a dozen documentation sites on loopback.

Each site is a folder of ../shared/data/miniweb, served as the virtual host <site>.docs.example on an address
of its own (127.0.0.2, 127.0.0.3, ...). What the pages say is theirs; how a site behaves is written in
SITES below: redirects, robots.txt, missing pages, Content-Type, encodings. Only one thing is done to the pages:
a link to another site of the sample by its public name (https://jinja.palletsprojects.com/...) or by its place
on a Debian disk (file:///usr/share/doc/...) is turned to the virtual host, path and all. Without this the sites
would be islands, although their authors did link them.

A portal, http://docs.example/, lists the sites; crawls start there.

The clock is stopped between requests and advances one second with each, so a crawl gives the same dates each time.
"""

import datetime
import email.utils
import gzip
import hashlib
import html
import http.server
import pathlib
import re
import threading
import time
from dataclasses import dataclass, field

DOMAIN = "docs.example"


@dataclass(frozen=True)
class Site:
    """How one host behaves."""

    public_names: tuple[str, ...] = ()  # places under which other sites link to it
    home: str = "index.html"  # where "/" leads
    home_status: int = 302  # how it leads there; 200 serves the home page at "/" too
    charset: str = "utf-8"  # sent in Content-Type; "" sends none
    robots: str | None = None  # None: the host has no robots.txt
    soft_404: bool = False  # unknown paths are answered with 200 and a page that says no
    gzip: bool = False
    chunked: bool = False
    moved: dict[str, str] = field(default_factory=dict)  # from 2023 on: old path -> new path, 301
    gone: tuple[str, ...] = ()  # from 2023 on: 410
    listed: bool = True  # on the portal; otherwise it has to be found by links


def disallow(*paths: str) -> str:
    return "User-agent: *\n" + "".join(f"Disallow: /{path}\n" for path in paths)


PORTAL = "portal"
STILL_LISTED = ("uncommons-watchmaker-doc",)  # by the portal of 2023, although no server answers there any more

SITES = {
    PORTAL: Site(home_status=200, charset="utf-8", robots="User-agent: *\nDisallow:\n", listed=False),
    "sphinx-doc": Site(
        public_names=("www.sphinx-doc.org", "sphinx-doc.org"),
        robots=disallow("_sources/", "_modules/", "extdev/", "genindex.html", "changes.html", "en/master/changes.html"),
    ),
    "python-jinja2-doc": Site(
        public_names=("jinja.palletsprojects.com", "jinja.pocoo.org"),
        moved={"changelog.html": "changes.html"},
    ),
    "python-werkzeug-doc": Site(
        public_names=("werkzeug.palletsprojects.com", "werkzeug.pocoo.org"),
        robots=disallow("changes.html"),
        gzip=True,
        gone=("deployment/cgi.html", "deployment/fastcgi.html"),
    ),
    "python-quart-doc": Site(
        public_names=("pgjones.gitlab.io/quart", "quart.palletsprojects.com"),
        charset="",
        robots=disallow("_sources/", "_modules/") + "Crawl-delay: 1\n",
        soft_404=True,
    ),
    "python-setuptools-doc": Site(
        public_names=("setuptools.readthedocs.io", "setuptools.pypa.io"),
        robots=disallow("_sources/", "history.html", "en/latest/history.html"),
        chunked=True,
    ),
    "mypy-doc": Site(
        public_names=("mypy.readthedocs.io", "www.mypy-lang.org", "mypy-lang.org"),
        robots=disallow("_sources/") + "\nUser-agent: greedy-bot\nDisallow: /\n",
        moved={"casts.html": "type_narrowing.html", "cheat_sheet.html": "cheat_sheet_py3.html"},
    ),
    "python3-aioresponses-doc": Site(charset="", robots=disallow("_sources/")),
    "libuncommons-maths-java-doc": Site(
        public_names=("/usr/share/doc/libuncommons-maths-java",),
        home="api/index.html",
        home_status=301,
        charset="",
    ),
    "uncommons-watchmaker-doc": Site(
        home="api/index.html",
        home_status=301,
        charset="",
        robots=disallow("api/index-all.html", "api/org/uncommons/watchmaker/swing/"),
    ),
    "flickcurl-doc": Site(public_names=("librdf.org/flickcurl",), home_status=200, charset="UTF-8"),
    "panko-doc": Site(),
    "python-simpy-doc": Site(
        public_names=("simpy.readthedocs.io", "simpy.sourceforge.net"),
        robots=disallow("_sources/", "Manuals/Manual.html"),
        listed=False,
    ),
}


def host_name(site: str) -> str:
    return DOMAIN if site == PORTAL else f"{site}.{DOMAIN}"


def site_of(host: str) -> str:
    bare = host.lower().removeprefix("www.")
    return PORTAL if bare == DOMAIN else bare.removesuffix("." + DOMAIN)


def addresses() -> dict[str, str]:
    """One loopback address per site, the same in all years."""
    return {site: f"127.0.0.{number}" for number, site in enumerate(SITES, start=2)}


def host_names(site: str) -> list[str]:
    return [host_name(site), "www." + host_name(site)]


# Links -----------------------------------------------------------------------------------------------------


def virtual_root(public_name: str, site: str) -> bytes:
    """What replaces the public name in a page; a leading www. is kept, so it redirects here too."""
    www = "www." if public_name.startswith("www.") else ""
    return f"http://{www}{host_name(site)}".encode()


ROOTS = {name.encode(): virtual_root(name, site) for site, how in SITES.items() for name in how.public_names}
PUBLIC_LINK = re.compile(
    rb'(\shref=")(?:https?|file)://(' + b"|".join(re.escape(name) for name in ROOTS) + rb')(?=[/"#?])', re.IGNORECASE
)


def turn_links(page: bytes) -> bytes:
    return PUBLIC_LINK.sub(lambda match: match[1] + ROOTS[match[2].lower()], page)


# Answers ---------------------------------------------------------------------------------------------------


@dataclass
class Answer:
    status: int
    body: bytes
    headers: dict[str, str]


def small_page(title: str, text: str) -> bytes:
    return (
        f"<!DOCTYPE html>\n<html><head><title>{title}</title></head>\n"
        f"<body><h1>{title}</h1><p>{text}</p><p><a href=\"/\">Home</a></p></body></html>\n"
    ).encode()


def portal_page(year: int, present: list[str]) -> bytes:
    listed = [site for site, how in SITES.items() if how.listed and (site in present or site in STILL_LISTED)]
    lines = "".join(f'<li><a href="http://{host_name(site)}/">{site}</a></li>\n' for site in listed)
    return small_page(f"Documentation, {year}", f"The sites of this directory:</p>\n<ul>\n{lines}</ul>\n<p>")


class World:
    """All sites as they were in one year. `modified` gives a page's time by (site, path)."""

    def __init__(self, year: int, folder: pathlib.Path, modified: dict[tuple[str, str], datetime.datetime]):
        self.year = year
        self.pages = {site: self._read_pages(folder / site) for site in SITES if (folder / site).is_dir()}
        self.pages[PORTAL] = {"index.html": portal_page(year, self.sites())}
        self.modified = modified

    @staticmethod
    def _read_pages(folder: pathlib.Path) -> dict[str, bytes]:
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        return {path.relative_to(folder).as_posix(): turn_links(path.read_bytes()) for path in files}

    def sites(self) -> list[str]:
        return list(self.pages)

    def answer(self, host: str, target: str) -> Answer:
        site = site_of(host)
        if host != host_name(site):
            return self._redirect(301, f"http://{host_name(site)}{target}")
        path = target.partition("?")[0].lstrip("/")
        found = self._robots(site, path) or self._page(site, path) or self._elsewhere(site, path)
        return found or self._missing(site, path)

    def _robots(self, site: str, path: str) -> Answer | None:
        if path != "robots.txt" or SITES[site].robots is None:
            return None
        return Answer(200, SITES[site].robots.encode(), {"Content-Type": "text/plain"})

    def _page(self, site: str, path: str) -> Answer | None:
        how = SITES[site]
        headers = {}
        if path == "" and how.home_status == 200:
            path = how.home
            headers["Link"] = f'<http://{host_name(site)}/{path}>; rel="canonical"'
        if path not in self.pages[site]:
            return None
        body = self.pages[site][path]
        if (site, path) in self.modified:
            headers["Last-Modified"] = email.utils.format_datetime(self.modified[site, path], usegmt=True)
        headers["ETag"] = f'"{hashlib.sha1(body).hexdigest()[:16]}"'
        return Answer(200, body, self._html(site) | headers)

    def _elsewhere(self, site: str, path: str) -> Answer | None:
        """Redirects: the home page, pages that moved, and the ways in which public sites spell their paths."""
        how, pages = SITES[site], self.pages[site]
        if path == "":
            return self._redirect(how.home_status, f"/{how.home}")
        if self.year >= 2023 and path in how.moved:
            return self._redirect(301, f"/{how.moved[path]}")
        if versioned := re.match(r"(?:en|docs)(?:/(?:\d[\w.]*|latest|stable|master|main))?(?:/(.*))?$", path):
            return self._redirect(302, f"/{versioned[1] or ''}")
        if path.rstrip("/") + ".html" in pages:
            return self._redirect(301, f"/{path.rstrip('/')}.html")
        if path.rstrip("/") + "/index.html" in pages:
            return self._redirect(301, f"/{path.rstrip('/')}/index.html")
        return None

    def _missing(self, site: str, path: str) -> Answer:
        how = SITES[site]
        says_no = small_page("Page not found", f"There is no /{html.escape(path)} here.")
        body = self.pages[site].get("404.html") or says_no
        if how.soft_404:
            return Answer(200, body, self._html(site))
        if self.year >= 2023 and path in how.gone:
            return Answer(410, small_page("Gone", "This page was withdrawn."), self._html(site))
        return Answer(404, body, self._html(site))

    def _redirect(self, status: int, location: str) -> Answer:
        body = small_page("Moved", f'See <a href="{html.escape(location)}">{html.escape(location)}</a>.')
        return Answer(status, body, {"Location": location, "Content-Type": "text/html"})

    def _html(self, site: str) -> dict[str, str]:
        charset = SITES[site].charset
        return {"Content-Type": f"text/html; charset={charset}" if charset else "text/html"}


# Serving ---------------------------------------------------------------------------------------------------


class Clock:
    """The time of the crawl, passed to libfaketime through a file: it advances one second per request."""

    def __init__(self, start: datetime.datetime, file: pathlib.Path):
        self.now = start
        self.file = file
        self._tell()

    def tick(self) -> None:
        self.now += datetime.timedelta(seconds=1)
        self._tell()

    def _tell(self) -> None:
        new = self.file.with_suffix(".new")
        new.write_text(self.now.strftime("%Y-%m-%d %H:%M:%S\n"))
        new.replace(self.file)


class Server:
    """Answers for a world on port 80 of every site's address while the `with` block lasts."""

    def __init__(self, world: World, clock: Clock):
        lock = threading.Lock()
        asked = self.asked = set()  # URLs

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = -1  # an answer leaves in one piece; otherwise each waits 40 ms for an acknowledgement

            def do_GET(self):
                with lock:
                    asked.add(f"http://{self.headers['Host']}{self.path}")
                    # wget reads the clock just after it has sent a request, and again when it has the answer.
                    # So time moves between the two, and both looks see the same time in every run.
                    date = email.utils.format_datetime(clock.now, usegmt=True)
                    time.sleep(0.015)
                    clock.tick()
                    send(self, world, date)

            def log_message(self, *_):
                pass

        where = addresses()
        self.servers = [http.server.ThreadingHTTPServer((where[site], 80), Handler) for site in world.sites()]

    def __enter__(self):
        for server in self.servers:
            threading.Thread(target=server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        for server in self.servers:
            server.shutdown()
            server.server_close()


def send(handler: http.server.BaseHTTPRequestHandler, world: World, date: str) -> None:
    host = handler.headers["Host"].lower()
    answer = world.answer(host, handler.path)
    how = SITES[site_of(host)]
    body, headers = answer.body, {"Date": date, "Server": "sample-web"} | answer.headers
    if how.gzip and answer.status == 200 and "gzip" in handler.headers.get("Accept-Encoding", ""):
        body = gzip.compress(body, mtime=0)
        headers |= {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
    chunked = how.chunked and answer.status == 200
    headers |= {"Transfer-Encoding": "chunked"} if chunked else {"Content-Length": str(len(body))}
    handler.log_request(answer.status)
    handler.send_response_only(answer.status)
    for name, value in headers.items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(in_chunks(body) if chunked else body)


def in_chunks(body: bytes, chunk_bytes: int = 8192) -> bytes:
    parts = [body[at : at + chunk_bytes] for at in range(0, len(body), chunk_bytes)]
    return b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"
