# SPDX-License-Identifier: Apache-2.0
"""A web on loopback whose origins differ: several ports of one name, http and https, certificates that hold and that do not,
and a name that points to two servers. Every origin has its own truth; the servers' logs are one log."""

import contextlib
import socket
import time

from serving import Server, make_certificate
from running import expect

HOST, TWO, SECOND, SLOW, PATIENT = (f"{name}.example" for name in ("site", "two", "second", "slow", "patient"))
LIVE, GONE = "/d/live.html", "/d/gone.html"
BUSY = "/busy"  # always sends Retry-After
ADDRESSES = {HOST: "127.0.0.1", TWO: "127.0.0.1 127.0.0.2", SECOND: "127.0.0.2", SLOW: "127.0.0.3", PATIENT: "127.0.0.4"}
CRAWL_DELAY, RETRY_AFTER = 0.3, 4  # of SLOW, of PATIENT


def bound_sockets(addresses):
    """Sockets of one port at each of the addresses, not listening yet."""
    while True:
        sockets = []
        try:
            for address in addresses:
                sockets.append(socket.socket())
                sockets[-1].bind((address, sockets[0].getsockname()[1] if len(sockets) > 1 else 0))
            return sockets
        except OSError:
            for one in sockets:
                one.close()


class Origin:
    """What a server does, and what a probe must find: the outcomes of a page that is there and of one that is not."""

    def __init__(self, name, live="alive", gone="gone", word="", robots="", pages=None, certificate=None, host=HOST, scheme=None,
                 at=("127.0.0.1",)):
        self.name, self.live, self.gone, self.word = name, live, gone, word
        self.robots, self.pages, self.certificate, self.host, self.at = robots, pages or {}, certificate, host, at
        self.scheme = scheme or ("https" if certificate else "http")
        self.sockets = bound_sockets(ADDRESSES[host].split())  # without servers they refuse
        self.port = self.sockets[0].getsockname()[1]
        self.asked_for_patience = []

    def url(self, path=""):
        return f"{self.scheme}://{self.host}:{self.port}{path}"

    async def answer(self, exchange):
        path = exchange.path
        if path == "/robots.txt":
            await self.answer_robots(exchange)
        elif self.host == PATIENT and path == BUSY:
            self.asked_for_patience.append(time.time())
            await exchange.answer(429, "later", f"Retry-After: {RETRY_AFTER}")
        elif path in self.pages:
            status, place = self.pages[path]
            await exchange.answer(status, "", f"Location: {place}")
        elif self.name == "soft" and path != "/":
            await exchange.answer(200, "<title>Oops</title><p>we know nothing about that")
        elif path == LIVE:
            await exchange.answer(200, f"<title>{self.name}</title><p>the words of {self.name} alone")
        elif path == "/":
            pages = (*((BUSY,) if self.host == PATIENT else ()), LIVE, GONE, *self.pages)
            links = "".join(f"<a href='{page}'>x</a>" for page in pages)
            await exchange.answer(200, f"<p>home of {self.name} {links}")
        else:
            await exchange.answer(404)

    async def answer_robots(self, exchange):
        if isinstance(self.robots, int):
            await exchange.answer(self.robots)
        elif "://" in self.robots:
            await exchange.answer(301, "", f"Location: {self.robots}")
        else:
            await exchange.answer(200, self.robots, kind="text/plain")


class LoopbackWeb:
    """Serves all origins until the block is left."""

    def __init__(self, folder):
        self.folder, self.stack, self.servers = folder, contextlib.ExitStack(), []
        trusted = make_certificate(folder, HOST, "trusted")
        stranger = make_certificate(folder, HOST, "stranger")
        other_name = make_certificate(folder, "other.example", "other")
        self.ca_file = folder / "ca.pem"
        self.ca_file.write_bytes(trusted[0].read_bytes() + other_name[0].read_bytes())
        well = Origin("well")
        refused = Origin("refused", "unreachable", "unreachable", "refused", at=())
        untrusted = Origin("untrusted", "unreachable", "unreachable", "tls", certificate=stranger)
        secure = Origin("secure", certificate=trusted)
        self.origins = [
            refused, untrusted,  # what fails comes first
            Origin("wrong name", "unreachable", "unreachable", "tls", certificate=other_name),
            Origin("closed", "blocked", "blocked", "Disallow: /", robots="user-agent: *\ndisallow: /\n"),
            Origin("overloaded", "unreachable", "unreachable", "robots.txt answers 503", robots=503),
            Origin("rules elsewhere", "unreachable", "unreachable", "robots.txt, which moved", robots=refused.url("/rules")),
            Origin("soft", "soft-gone", "soft-gone", "a made-up name"),
            well, secure,
            Origin("leading on", pages={"/to-well": (301, well.url(LIVE)), "/to-untrusted": (302, untrusted.url(LIVE)),
                                        "/to-gone": (301, secure.url(GONE))}),
            Origin("two servers", host=TWO, at=("127.0.0.1", "127.0.0.2")),
            Origin("one of two servers", host=TWO, at=("127.0.0.2",)),
            Origin("on the second", host=SECOND, at=("127.0.0.2",)),
            Origin("slow", host=SLOW, at=("127.0.0.3",), robots=f"user-agent: *\ncrawl-delay: {CRAWL_DELAY}\n"),
            Origin("not slow", host=SLOW, at=("127.0.0.3",)),  # another port of that host
            Origin("patient", host=PATIENT, at=("127.0.0.4",)),
        ]
        # TLS where http is spoken, and http where TLS is: the same port, and another origin.
        for name, origin, scheme, word in (("tls to http", well, "https", "tls"), ("http to tls", secure, "http", "")):
            wrong = Origin(name, "unreachable", "unreachable", word, scheme=scheme, at=())
            wrong.port = origin.port
            self.origins.insert(2, wrong)
        self.hosts = folder / "hosts"
        self.hosts.write_text("".join(f"{address} {name}\n" for name, addresses in ADDRESSES.items() for address in addresses.split()))

    def __enter__(self):
        for origin in self.origins:
            for one in origin.sockets:
                if one.getsockname()[0] in origin.at:
                    self.servers.append(self.stack.enter_context(Server(origin.answer, origin.certificate, one)))
        return self

    def __exit__(self, *_):
        self.stack.close()
        for origin in self.origins:
            for one in origin.sockets:
                one.close()

    def origin(self, name):
        return next(origin for origin in self.origins if origin.name == name)

    def truth(self):
        """What a probe must say of each page: outcome, and a word of the evidence."""
        found = {self.origin("patient").url(BUSY): ("blocked", "429")}
        for origin in self.origins:
            found[origin.url(LIVE)] = (origin.live, origin.word)
            found[origin.url(GONE)] = (origin.gone, origin.word)
        leading = self.origin("leading on")
        found[leading.url("/to-well")] = ("moved", "")
        found[leading.url("/to-untrusted")] = ("unreachable", "tls")
        found[leading.url("/to-gone")] = ("gone", "404")
        return found

    def flags(self, delay, address_delay):
        return ["--hosts", self.hosts, "--ca-file", self.ca_file, "--delay", f"{delay}s", "--address-delay", f"{address_delay}s"]

    def log(self):
        """(time, host, address, port, path) of every request, in order."""
        return sorted((moment, host, server.address, server.port, path) for server in self.servers for moment, host, path in server.log)

    def expect_polite(self, delay, address_delay):
        """Requests to one host keep its delay, whatever the port; those to one address likewise, whatever the host. Returns the
        number of gaps."""
        last, gaps, is_slow = {}, 0, False
        for moment, host, address, port, path in self.log():
            # Before a page, its robots.txt must have been read.
            is_slow = is_slow or (port == self.origin("slow").port and path != "/robots.txt")
            for place, least in ((host, CRAWL_DELAY if host == SLOW and is_slow else delay), (address, address_delay)):
                gap = moment - last.get(place, 0)
                expect(gap >= least, f"{place} was asked for {path} {gap * 1000:.0f} ms after the request before, not {least * 1000:.0f}")
                gaps += place in last
                last[place] = moment
        expect(not any(server.mistakes for server in self.servers), [server.mistakes for server in self.servers])
        return gaps

    def expect_patient(self, kills=()):
        """After Retry-After no request comes early, unless the answer was lost in a kill. Returns how often a kill came during
        the wait."""
        across = 0
        requests = [moment for moment, host, *_ in self.log() if host == PATIENT]
        for asked in self.origin("patient").asked_for_patience:
            later = [moment for moment in requests if moment > asked + 0.001]
            was_lost = any(asked <= kill <= asked + 0.5 for kill in kills)
            if later and not was_lost:
                expect(later[0] - asked >= RETRY_AFTER, f"{PATIENT} was asked {later[0] - asked:.3f} s after Retry-After: {RETRY_AFTER}")
                across += any(asked < kill < asked + RETRY_AFTER for kill in kills)
        return across


def expect_truth(web, found):
    wrong = []
    for url, (outcome, word) in web.truth().items():
        line = found.get(url)
        if line is None or line["outcome"] != outcome or word not in " ".join(line["evidence"]):
            wrong.append(f"{url}: expected {outcome} ({word}), found {line}")
    expect(not wrong, "\n".join(wrong))
