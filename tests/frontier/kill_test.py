#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""kill -9 of the frontier at random instants under load, judged by what its clients were told.

Clients put URLs, take them and report what became of them, and write down what was acknowledged and when. Whatever happened to the
service: a URL that was acknowledged is known for ever after; none is handed out before its lease, its date, the delay or the block of
its queue is over, or when it is done; limits hold; and after each start the counts are those of the acknowledgements, give or take what
was in flight when it was killed. In the end everything that is not done is handed out.

WEBSTRATA_FRONTIER_KILLS is the number of kills (100 in `make check-all`), WEBSTRATA_SEED chooses the instants.
"""

import collections
import os
import random
import sys
import tempfile
import threading
import time

import grpc

from calling import OK, SKIPPED, Service, discovered, known, pb
from running import expect

KILLS = int(os.environ.get("WEBSTRATA_FRONTIER_KILLS", 6))
SEED = int(os.environ.get("WEBSTRATA_SEED", 23))
LEASE = 3
SLOW_DELAY = 2
CRAWLS = ("one", "two")
QUEUES = [f"q{i}.example" for i in range(24)]
SLOW = [f"slow{i}.example" for i in range(4)]
BLOCKED = [f"blocked{i}.example" for i in range(4)]
LIMITED = [f"limited{i}.example" for i in range(4)]
LIMIT = 3
PUT_MAX = 60_000  # URLs in all


class Page:
    """What clients know about a URL that the service has acknowledged."""

    __slots__ = ("not_before", "is_done", "is_unsure", "seen")

    def __init__(self):
        self.not_before = 0  # it may not be handed out earlier
        self.is_done = False
        self.is_unsure = False  # a report was lost: it may be done or not
        self.seen = 0  # when it was handed out, while no report was sent


class Truth:
    def __init__(self):
        self.lock = threading.Lock()
        self.pages = {}  # (crawl, url) -> Page; acknowledged
        self.sent = {}  # (crawl, url): sent and never acknowledged
        self.served = {}  # (crawl, key) -> when the request began that was served last
        self.blocked = {}  # (crawl, key) -> until
        self.done_of_limited = collections.Counter()  # (crawl, key), acknowledged
        self.wrong = []
        self.handed_out = 0

    def complain(self, text):
        if len(self.wrong) < 20:
            self.wrong.append(text)

    def take(self, crawl, one, begun, now):
        """A URL was handed out by a request that began then."""
        key = (crawl, one.key)
        page = self.pages.get((crawl, one.url))
        self.handed_out += 1
        if page is None:
            if (crawl, one.url) not in self.sent:
                self.complain(f"{one.url} was never put")
            page = self.pages[(crawl, one.url)] = Page()
            self.sent.pop((crawl, one.url), None)
        if page.is_done:
            self.complain(f"{one.url} of {crawl} was done, and is handed out")
        elif now < page.not_before and not page.is_unsure:
            self.complain(f"{one.url} of {crawl} is handed out {page.not_before - now:.2f} s before it may be")
        if now < self.blocked.get(key, 0):
            self.complain(f"{one.key} of {crawl} is blocked, and gives {one.url}")
        if one.key in LIMITED and self.done_of_limited[key] >= LIMIT:
            self.complain(f"{one.key} of {crawl} is over its limit, and gives {one.url}")
        last = self.served.get(key)
        if one.key in SLOW and last is not None and last != begun and now - last < SLOW_DELAY:
            self.complain(f"{one.key} of {crawl} is served again after {now - last:.2f} s")
        self.served[key] = begun
        page.not_before, page.seen = begun + LEASE, now


class Clients:
    """They work until the service is gone."""

    def __init__(self, service, truth, seed):
        self.service, self.truth, self.seed = service, truth, seed
        self.threads = []
        self.is_over = False

    def start(self):
        for number, work in enumerate((self.put, self.put, self.take, self.take)):
            rng = random.Random(self.seed * 100 + number)
            self.threads.append(threading.Thread(target=self.until_killed, args=(work, rng, number)))
        for thread in self.threads:
            thread.start()

    def join(self):
        self.is_over = True
        for thread in self.threads:
            thread.join()

    def until_killed(self, work, rng, number):
        with self.service.calls() as calls:
            try:
                while not self.is_over:
                    work(calls, rng, number)
            except grpc.RpcError as error:
                if error.code() not in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED):
                    self.truth.complain(f"a call ended with {error.code()}: {error.details()}")
            except Exception as error:  # noqa: BLE001
                self.truth.complain(f"a client failed: {error!r}")

    def put(self, calls, rng, number):
        """A stream of new URLs, of known ones, and of reports about nothing that was handed out."""
        crawl = rng.choice(CRAWLS)
        names = []
        with self.truth.lock:
            if len(self.truth.pages) < PUT_MAX:
                for _ in range(rng.randrange(1, 60)):
                    key = rng.choice(QUEUES if rng.random() < 0.8 else SLOW + BLOCKED + LIMITED)
                    names.append((f"http://{key}/{self.seed}/{number}/{rng.randrange(10**15)}", key))
                    self.truth.sent[(crawl, names[-1][0])] = key
        for name, status in calls.put(*(discovered(url, crawl=crawl) for url, _ in names), timeout=20):
            with self.truth.lock:
                if status != OK:
                    self.truth.complain(f"{name}: status {status}")
                self.truth.sent.pop((crawl, name), None)
                self.truth.pages.setdefault((crawl, name), Page())
        if not names:
            time.sleep(0.02)

    def take(self, calls, rng, number):
        crawl = rng.choice(CRAWLS)
        begun = time.time()
        params = pb.GetParams(max_urls_per_queue=rng.choice((1, 5, 40)), max_queues=rng.choice((1, 4, 30)), delay_requestable=LEASE,
                              crawlID=crawl)
        taken = []
        for one in calls.call("GetURLs", params, 20):
            now = time.time()
            with self.truth.lock:
                self.truth.take(crawl, one, begun, now)
            taken.append(one)
        reports = [one for one in taken if rng.random() < 0.7 and time.time() < begun + LEASE - 1.5]
        self.report(calls, rng, crawl, reports)
        if not taken:
            time.sleep(0.02)

    def report(self, calls, rng, crawl, taken):
        items, wanted = [], {}
        with self.truth.lock:
            for one in taken:
                page = self.truth.pages[(crawl, one.url)]
                again = rng.choice((0, 0, int(time.time()) + 4, int(time.time()) - 1))
                wanted[one.url] = (again, one.key, page.not_before)
                page.seen = 0  # from now on its lease may have ended
                if again == 0:
                    page.is_unsure = True
                else:
                    page.not_before = min(page.not_before, again)
                items.append(known(one.url, again, one.key, crawl))
        for name, status in calls.put(*items, timeout=20):
            with self.truth.lock:
                again, key, leased_until = wanted[name]
                page = self.truth.pages[(crawl, name)]
                if status != OK:
                    self.truth.complain(f"report about {name}: status {status}")
                elif time.time() >= leased_until - 0.5:
                    page.is_unsure = True  # another client may have got it before
                elif again == 0:
                    page.is_done, page.is_unsure = True, False
                    self.truth.done_of_limited[(crawl, key)] += key in LIMITED
                else:
                    page.not_before = again


def set_up(calls, truth):
    """Delays, blocks and limits: once, and they must last. A queue is made by its first URL."""
    calls.delay(0)
    for crawl in CRAWLS:
        calls.crawl = crawl
        for key in SLOW + BLOCKED + LIMITED:
            calls.put(discovered(f"http://{key}/first", crawl=crawl))
            truth.pages[(crawl, f"http://{key}/first")] = Page()
        for key in SLOW:
            calls.delay(SLOW_DELAY, key)
        for key in LIMITED:
            calls.limit(LIMIT, key)
        for i, key in enumerate(BLOCKED):
            until = int(time.time()) + (5, 20, 3600, 7200)[i]
            calls.block(until, key)
            truth.blocked[(crawl, key)] = until


def check_start(calls, truth, rng):
    """After a start, before any client works: counts are right, and nothing that was acknowledged is new."""
    for crawl in CRAWLS:
        calls.crawl = crawl
        stats = calls.stats()
        mine = {url: page for (name, url), page in truth.pages.items() if name == crawl}
        flying = sum(name == crawl for name, _ in truth.sent)
        done = sum(page.is_done for page in mine.values())
        unsure = sum(page.is_unsure and not page.is_done for page in mine.values())
        total = stats.size + stats.counts["completed"]
        expect(len(mine) <= total <= len(mine) + flying, f"{crawl}: {total} URLs, {len(mine)} acknowledged, {flying} more sent")
        expect(done <= stats.counts["completed"] <= done + unsure, f"{crawl}: {stats.counts['completed']} done, {done} of them surely")
        expect(calls.count() == total, f"{crawl}: CountURLs says {calls.count()}, GetStats {total}")
        parts = [calls.stats(key) for key in calls.queues(size=10_000, include_inactive=True).values]
        expect(stats.size == sum(part.size for part in parts), f"{crawl}: queues do not add up")
        expect(stats.numberOfQueues == len(parts), f"{crawl}: {stats.numberOfQueues} queues, {len(parts)} are listed")
        asked = time.time()
        leased = sum(asked + 1 < page.not_before <= page.seen + LEASE for page in mine.values() if not (page.is_done or page.is_unsure))
        expect(calls.stats().inProcess >= leased or time.time() > asked + 1, f"{crawl}: leases were lost")
        some = rng.sample(sorted(mine), min(len(mine), 200))
        acks = calls.put(*(discovered(url, crawl=crawl) for url in some))
        lost = [name for name, status in acks if status != SKIPPED]
        expect(len(acks) == len(some) and not lost, f"{crawl}: {len(lost)} acknowledged URLs were lost, such as {lost[:3]}")


def check_all_known(calls, truth):
    """In the end: every URL that was acknowledged is listed, and those that are done are done."""
    for crawl in CRAWLS:
        calls.crawl = crawl
        listed = {one.known.info.url: one.known.refetchable_from_date for one in calls.urls(size=10**7)}
        mine = {url: page for (name, url), page in truth.pages.items() if name == crawl}
        lost = set(mine) - set(listed)
        expect(not lost, f"{crawl}: {len(lost)} URLs are not listed, such as {sorted(lost)[:3]}")
        wrong = [url for url, page in mine.items() if not page.is_unsure and page.is_done != (listed[url] == 0)]
        expect(not wrong, f"{crawl}: wrong states of {len(wrong)} URLs, such as {wrong[:3]}")
        strange = {url for url in set(listed) - set(mine) if (crawl, url) not in truth.sent}
        expect(not strange, f"{crawl}: never put: {sorted(strange)[:3]}")


def check_all_handed_out(calls, truth):
    """Blocks, limits and delays are lifted; then everything that is not done comes out once its lease and date are over."""
    truth.blocked.clear()
    for crawl in CRAWLS:
        calls.crawl = crawl
        for key in SLOW + BLOCKED + LIMITED:
            calls.block(0, key)
            calls.limit(0, key)
            calls.delay(0, key)
        left = {url for (name, url), page in truth.pages.items() if name == crawl and not (page.is_done or page.is_unsure)}
        end = time.time() + 60
        while left and time.time() < end:
            found = calls.get_names(lease=600)
            left -= set(found)
            if not found:
                time.sleep(0.2)
        expect(not left, f"{crawl}: {len(left)} URLs are never handed out, such as {sorted(left)[:3]}")


def kill_again_and_again(service, truth, rng):
    for number in range(KILLS):
        service.start()
        with service.calls() as calls:
            if number == 0:
                set_up(calls, truth)
            else:
                check_start(calls, truth, rng)
        clients = Clients(service, truth, SEED * 1000 + number)
        clients.start()
        time.sleep(rng.uniform(0.05, 1.5))
        service.kill()
        clients.join()
        expect(not truth.wrong, f"after kill {number + 1}: " + "; ".join(truth.wrong))
    service.start()
    with service.calls() as calls:
        check_start(calls, truth, rng)
        check_all_known(calls, truth)
        check_all_handed_out(calls, truth)
    expect(service.stop() == 0, f"the service does not end well: {service.said()}")


def main():
    rng = random.Random(SEED)
    print(f"seed {SEED}, {KILLS} kills", flush=True)
    truth = Truth()
    with tempfile.TemporaryDirectory() as folder:
        service = Service(folder)
        try:
            kill_again_and_again(service, truth, rng)
        finally:
            service.stop()
    done = sum(page.is_done for page in truth.pages.values())
    expect(len(truth.pages) > 30 * KILLS and truth.handed_out > 5 * KILLS and done > KILLS, "too little load")
    print(f"ok  {len(truth.pages)} URLs acknowledged, {truth.handed_out} handed out, {done} done", flush=True)


if __name__ == "__main__":
    sys.exit(main())
