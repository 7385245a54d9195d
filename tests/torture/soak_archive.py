# SPDX-License-Identifier: Apache-2.0
"""The archive of a soak: small crawls of a web that changes, a slow memory of them, the writer and those who ask.

The memory is a list of what each crawl saw, searched from end to end for every question. What the writer has in flight may or may not
be there yet, so an answer has to be that of one of the versions between the question and the end of its answer.
"""

import bisect
import datetime
import http.client
import json
import random
import threading
import time
from urllib.parse import urlencode

from ground import expect, shown

FIRST_DAY = datetime.datetime(2001, 1, 1)
HOSTS, PAGES_MAX, LINKS = 24, 1500, 9
GONE = None  # in the place of the links of a page that was not found


def stamp(moment):
    return moment.strftime("%Y%m%d%H%M%S")


class ChangingWeb:
    """Pages that appear, change a few links at a time, and are not found now and then; one crawl a day sees some of them."""

    def __init__(self, chance):
        self.chance, self.links = chance, {}
        for _ in range(200):
            self._add()

    def _add(self):
        url = f"http://s{self.chance.randrange(HOSTS)}.example/p{len(self.links)}"
        self.links[url] = self._some(LINKS, url)

    def _some(self, count, source):
        known = list(self.links)
        return {url for url in (self.chance.choice(known) for _ in range(count)) if url != source} if known else set()

    def crawl(self, day):
        """Captures (url, time, links or GONE), in the order in which they were made."""
        if len(self.links) < PAGES_MAX:
            for _ in range(self.chance.randrange(6)):
                self._add()
        seen = self.chance.sample(list(self.links), min(len(self.links), self.chance.randrange(5, 60)))
        begin = FIRST_DAY + datetime.timedelta(days=day)
        return [(url, stamp(begin + datetime.timedelta(seconds=second)), self._look_at(url)) for second, url in enumerate(seen)]

    def _look_at(self, url):
        if self.chance.random() < 0.04:
            return GONE
        links = self.links[url]
        for old in self.chance.sample(sorted(links), min(len(links), self.chance.randrange(3))):
            links.discard(old)
        links |= self._some(self.chance.randrange(3), url)
        return frozenset(links)


def write_crawl(path, captures):
    with path.open("w") as out:
        for url, moment, links in captures:
            line = {"url": url, "time": moment}
            line |= {"status": 404, "outcome": "gone"} if links is GONE else {"links": sorted(links)}
            out.write(json.dumps(line) + "\n")
    return path


class Memory:
    """What the archive has to know after each change; version n is the state after n changes."""

    def __init__(self):
        self.lock = threading.Lock()
        self.captures = {}  # url -> [(time, version, links or GONE)], by time
        self.sources = {}  # target -> pages that ever linked to it
        self.forgotten = {}  # url -> version
        self.days = 0
        self.begun = self.done = 0  # changes

    def begin(self, captures=(), forgotten=None):
        """A change is in flight."""
        with self.lock:
            self.begun += 1
            if forgotten:
                self.forgotten[forgotten] = self.begun
            for url, moment, links in captures:
                bisect.insort(self.captures.setdefault(url, []), (moment, self.begun, links), key=lambda row: row[0])
                for target in links or ():
                    self.sources.setdefault(target, set()).add(url)

    def acknowledge(self):
        with self.lock:
            self.done = self.begun

    def _knows(self, url, version):
        return self.forgotten.get(url, version + 1) > version

    def _rows(self, url, version):
        return [row for row in self.captures.get(url, ()) if row[1] <= version] if self._knows(url, version) else []

    def _links_at(self, url, moment, version):
        before = [row for row in self._rows(url, version) if row[0] <= moment]
        links = before[-1][2] if before else GONE
        return {target for target in links if self._knows(target, version)} if links is not GONE else set()

    def answer(self, question, version):
        kind, url, moment = question
        with self.lock:
            if kind == "captures":
                return {row[0] for row in self._rows(url, version)}
            if kind == "links":
                return self._links_at(url, moment, version)
            sources = self.sources.get(url, ()) if self._knows(url, version) else ()
            return {source for source in sources if url in self._links_at(source, moment, version)}

    def question(self, chance):
        with self.lock:
            return chance.choice(("captures", "links", "in")), chance.choice(list(self.captures)), \
                stamp(FIRST_DAY + datetime.timedelta(days=chance.uniform(0, self.days + 1)))

    def everything(self):
        """(url, time) of all acknowledged captures, and (url, target, time)."""
        with self.lock:
            rows = [(url, row) for url in self.captures for row in self._rows(url, self.done)]
            links = {(url, target, row[0]) for url, row in rows for target in row[2] or () if self._knows(target, self.done)}
            return {(url, row[0]) for url, row in rows}, links


class Writer:
    """Changes the archive again and again; some runs are killed and repeated until they are done."""

    def __init__(self, soak, archive, inbox):
        self.soak, self.archive, self.inbox = soak, archive, inbox
        self.chance = random.Random(f"{soak.seed}/writer")
        self.web, self.memory = ChangingWeb(random.Random(f"{soak.seed}/web")), Memory()
        self.inputs, self.seconds, self.steps = [], 0.5, 0
        (soak.folder / "inputs").mkdir()

    def first(self, *others):
        captures, path = self._next_crawl()
        self.memory.begin(captures)
        self.inputs += others
        self.soak.must("build", "-q", self.archive, path, *others)
        self.memory.acknowledge()

    def _next_crawl(self):
        captures = self.web.crawl(self.memory.days)
        self.memory.days += 1
        path = write_crawl(self.soak.folder / "inputs" / f"day{self.memory.days:06}.jsonl", captures)
        self.inputs.append(path)
        return captures, path

    def step(self):
        self.steps += 1
        crawled, drawn = sorted(self.inbox.glob("*.warc.gz")), self.chance.random()
        if self.steps % 40 == 0:
            self.soak.must("verify", "-q", self.archive)
            self.soak.count("verified while in use")
        if crawled:
            path = crawled[0].rename(self.soak.folder / "inputs" / crawled[0].name)
            self.inputs.append(path)
            self.memory.begin()
            self._until_done("updates with crawled WARC files", "update", "-q", self.archive, path)
        elif drawn < 0.05:
            self.memory.begin()
            self._until_done("compactions", "compact", "-q", self.archive)
        elif drawn < 0.07:
            forgotten = self.chance.choice(sorted(self.memory.captures))
            self.memory.begin(forgotten=forgotten)
            self._until_done("pages forgotten", "forget", "-q", self.archive, "--url", forgotten, codes=(0, 1))
        else:
            captures, path = self._next_crawl()
            self.memory.begin(captures)
            self._until_done("updates", "update", "-q", self.archive, path)
        self.memory.acknowledge()

    def _until_done(self, name, *words, codes=(0,)):
        while self.chance.random() < 0.35:
            instant = self.chance.uniform(0, 1.2 * self.seconds)
            if not self.soak.kill_after(instant, words):
                break
            self.soak.count(f"kills of {words[0]}")
            self.soak.say(f"killed after {instant:.3f} s: {shown(words)}")
        begun = time.monotonic()
        self.soak.ground.run(*words, codes=codes)  # again, where it was not killed: nothing new then
        self.seconds = 0.8 * self.seconds + 0.2 * (time.monotonic() - begun)
        self.soak.count(name)

    def run(self):
        while not self.soak.is_over():
            self.step()


# ---- those who ask ----------------------------------------------------------------------------------------------------


def by_command(soak, archive, question):
    kind, url, moment = question
    words = {"captures": ["captures", archive, url, "--as", "jsonl"], "links": ["links", archive, url, "--at", moment],
             "in": ["links", archive, url, "--in", "--at", moment]}[kind]
    out = soak.ground.run(*words, codes=(0, 1)).out.decode()
    if kind == "captures":
        return {digits(json.loads(line)["time"]) for line in out.splitlines()}
    return {line.split("\t")[0] for line in out.splitlines()}


def digits(rfc3339):
    return "".join(letter for letter in rfc3339 if letter.isdigit())


def by_server(server, question):
    """The same from `serve`. OSError or HTTPException if it does not answer."""
    kind, url, moment = question
    query = {"url": url, "limit": 100_000}
    if kind != "captures":
        query |= {"at": moment, "direction": "in" if kind == "in" else "out"}
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    try:
        connection.request("GET", f"/api/v1/lib/{'captures' if kind == 'captures' else 'links'}?{urlencode(query)}")
        answer = connection.getresponse()
        body = answer.read()
    finally:
        connection.close()
    if answer.status == 404:
        return set()
    expect(answer.status == 200, f"{question}: the server answers {answer.status}: {body[:300]}")
    found = json.loads(body)
    return {digits(each["time"]) for each in found["captures"]} if kind == "captures" else {each["url"] for each in found["links"]}


class Asker:
    """Asks the program and both servers the same questions, and compares them with the memory and with each other."""

    def __init__(self, soak, writer, servers, number):
        self.soak, self.writer, self.memory, self.servers = soak, writer, writer.memory, servers
        self.chance = random.Random(f"{soak.seed}/asker/{number}")

    def generation(self):
        return json.loads((self.writer.archive / "MANIFEST").read_text().splitlines()[0])["generation"]

    def ask(self, who, question, answer):
        """Its answer, which must be that of a version between now and then."""
        before = self.memory.done
        found = answer()
        versions = range(before, self.memory.begun + 1)
        expect(any(found == self.memory.answer(question, version) for version in versions),
               f"{who}: {question}: versions {versions}: {sorted(found)} instead of {sorted(self.memory.answer(question, before))}")
        self.soak.count(f"answers of {who} equal to the memory's")
        return found

    def ask_server(self, server, question):
        """None if it was killed meanwhile."""
        life = server.lives
        try:
            return self.ask(server.name, question, lambda: by_server(server, question))
        except (OSError, http.client.HTTPException) as error:
            time.sleep(0.3)
            expect(server.is_killed and (server.lives != life or server.is_down), f"{server.name} does not answer: {error!r}")
            self.soak.count(f"questions without an answer, since {server.name} was killed")
            return None

    def round(self):
        question, generation = self.memory.question(self.chance), self.generation()
        if self.chance.random() < 0.05:
            words = ["links", self.writer.archive, question[1], "--in", "--history"]
            self.soak.kill_after(self.chance.uniform(0, 0.03), words)
            self.soak.count("kills of questions")
        answers = [self.ask_server(server, question) for server in self.servers]
        answers.append(self.ask("the command line", question, lambda: by_command(self.soak, self.writer.archive, question)))
        if self.generation() == generation:
            answers = [answer for answer in answers if answer is not None]
            expect(all(answer == answers[0] for answer in answers), f"{question}: server and command line differ at generation {generation}")
            self.soak.count("answers of serve equal to the command line's of the same generation", len(answers) - 1)

    def run(self):
        while not self.soak.is_over():
            self.round()
