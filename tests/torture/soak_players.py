# SPDX-License-Identifier: Apache-2.0
"""Parts of a soak that run as processes of their own: a crawl of `webstrata replay`, and two services of `webstrata frontier`.

soak.py starts one as `soak.py --player NAME FOLDER SEED`. It prints what happens, works until the file `stop` is in its folder, checks
everything once more, and prints its counts as JSON on the last line. The pid of a process that is never killed is written to steady.pid.
"""

import gzip
import http.client
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections import Counter
from pathlib import Path
from urllib.parse import urlsplit

from ground import SOURCE, check_end, expect, Ended

SAMPLE = SOURCE / "examples" / "sample" / "2023.warc.gz"
PROGRAM = os.environ.get("WEBSTRATA_PROGRAM", "")
BUDGET = 40  # requests of one crawl


class Stage:
    """Where a player works, what it has counted, and when it has to end."""

    def __init__(self, name, folder, seed):
        self.folder, self.chance, self.counts, self.parent = folder, random.Random(f"{seed}/{name}"), Counter(), os.getppid()

    def is_over(self):
        return (self.folder / "stop").exists() or os.getppid() != self.parent

    def say(self, text):
        print(text, flush=True)


class Killable:
    """A server on a fixed port that can be killed and started again."""

    def __init__(self, name, port, words, log, is_killed=True):
        self.name, self.port, self.words, self.log, self.is_killed = name, port, list(map(str, words)), log, is_killed
        self.lives, self.is_down, self.process = 0, True, None

    def start(self):
        with open(self.log, "ab") as errors:
            self.process = subprocess.Popen([PROGRAM, *self.words, "--port", str(self.port)], stdin=subprocess.DEVNULL,
                                            stdout=subprocess.PIPE, stderr=errors, start_new_session=True)
        expect(self.process.stdout.readline().startswith(b"http://"), f"{self.name} does not start: {self._said()}")
        self.lives, self.is_down = self.lives + 1, False
        return self

    def kill(self):
        expect(self.process.poll() is None, f"{self.name} ended by itself with {self.process.returncode}: {self._said()}")
        self.is_down = True
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def stop(self):
        """It has to end well."""
        if self.process is None:
            return
        expect(self.process.poll() is None, f"{self.name} ended by itself with {self.process.returncode}: {self._said()}")
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(60)
        self.process.stdout.close()
        expect(code in (0, 130, 143), f"{self.name} ended with {code}: {self._said()}")
        check_end(Ended([*self.words], 0, b"", self._said().encode()), (0,))

    def end(self):
        """Whatever happened."""
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def _said(self):
        return Path(self.log).read_text(errors="replace")[-2000:]


# ---- a crawl of a recorded web ----------------------------------------------------------------------------------------


def crawl(stage):
    """Crawls, one after the other, killed and resumed; the web that they crawl is killed, too. What they wrote goes to `inbox`."""
    from web_server import free_port

    log, inbox = stage.folder / "replay.log", stage.folder / "inbox"
    inbox.mkdir(exist_ok=True)
    web = Killable("replay", free_port(), ["replay", SAMPLE, "-q"], log)
    steady = Killable("the other replay", free_port(), ["replay", SAMPLE, "-q"], log, is_killed=False)
    try:
        steady.start()
        (stage.folder / "steady.pid").write_text(str(steady.process.pid))
        web.start()
        pages = recorded_pages()
        while not stage.is_over():
            one_crawl(stage, web, pages, inbox)
            look_at_replay(stage, steady, pages)
        steady.stop()
        web.stop()
    finally:
        web.end()
        steady.end()


def recorded_pages():
    """url -> body as it was recorded, of the pages that were found."""
    from warcio.archiveiterator import ArchiveIterator

    found = {}
    with open(SAMPLE, "rb") as stream:
        for record in ArchiveIterator(stream):
            if record.rec_type == "response" and record.http_headers.get_statuscode() == "200":
                body = record.content_stream().read()
                if "html" in (record.http_headers.get_header("Content-Type") or ""):
                    found[record.rec_headers.get_header("WARC-Target-URI")] = body
    return found


def look_at_replay(stage, server, pages):
    for url in stage.chance.sample(sorted(pages), 20):
        parts = urlsplit(url)
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        connection.request("GET", parts.path + ("?" + parts.query if parts.query else ""), headers={"Host": parts.netloc})
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        body = gzip.decompress(body) if answer.headers.get("Content-Encoding") == "gzip" else body
        expect(answer.status == 200 and body == pages[url], f"replay: {url}: {answer.status}, {len(body)} bytes instead of {len(pages[url])}")
        stage.counts["answers of replay equal to the recorded ones"] += 1


def one_crawl(stage, web, pages, inbox):
    import crawl_kill_test as kill

    job = stage.folder / "job"
    seeds = sorted(page for page in pages if "//www." not in page)  # those redirect, robots.txt as well, so that the other host's is paid twice
    shutil.rmtree(job, ignore_errors=True)
    first = ["crawl", job, *stage.chance.sample(seeds, 3), "--budget", BUDGET, "-q", "--agent", kill.AGENT,
             "--connect-to", f"127.0.0.1:{web.port}", "--delay", "20ms", "--backoff", "50ms", "--give-up", "500", "--tries", "50"]
    words, told = first, {}
    while stage.chance.random() < 0.7:
        is_finished = run_for(stage, stage.chance.uniform(0.05, 0.9), words, web)
        if words is first and kill.has_begun(job):
            words = ["crawl", job, "--resume", "-q"]
        if is_finished:
            break
        stage.counts["kills of crawl"] += 1
        if words is not first:
            now = kill.done(kill.ledger(job))
            kill.expect_kept(told, now, "after a kill")
            told = now
    if words is first and job.exists() and not kill.has_begun(job):
        shutil.rmtree(job)
    code, _, errors = kill.run(*words)
    expect(code == 0, f"crawl: exit {code}: {errors}")
    check_crawl(stage, job, told)
    for path in sorted((job / "warc").iterdir()):
        stage.counts["WARC files handed over"] += 1
        path.rename(inbox / f"crawl{stage.counts['crawls']:05}-{path.name}")


def run_for(stage, seconds, words, web):
    """Lets it run, and kills it after this time; sometimes its web first. Whether it came to its end."""
    process = subprocess.Popen([PROGRAM, *map(str, words)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        if stage.chance.random() < 0.3:
            time.sleep(seconds / 2)
            web.kill()
            stage.counts["kills of replay"] += 1
            time.sleep(stage.chance.uniform(0, 0.3))
            web.start()
        _, errors = process.communicate(timeout=seconds)
        check_end(Ended(words, process.returncode, b"", errors), (0, 1))
        return True
    except subprocess.TimeoutExpired:
        return False
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()


def check_crawl(stage, job, told):
    """Files, index, log and ledger say the same, nothing was paid twice, and the budget holds."""
    import crawl_kill_test as kill

    lines = kill.ledger(job)
    charges = kill.charges_of(lines)
    kill.expect_kept(told, kill.done(lines), "at the end")
    kill.expect_paid_once(lines)
    kill.expect_whole_files(job, lines)
    kill.expect_logged(job, lines)
    expect(len(charges) == lines[0]["requests"] <= BUDGET and all(charge["settled"] for charge in charges),
           f"{len(charges)} charges, {lines[0]['requests']} requests of {BUDGET}")
    stage.counts["crawls"] += 1
    stage.counts["requests of crawls"] += len(charges)
    stage.counts["answers lost in kills, and charged"] += lines[0]["lost"]


# ---- frontiers --------------------------------------------------------------------------------------------------------


def frontier(stage):
    """Two services under puts, gets and reports: one is killed again and again, the other runs on."""
    import kill_test as kill
    from calling import Service

    class Clients(kill.Clients):
        """Those of the test, without taking all cores."""

        def put(self, *words):
            super().put(*words)
            time.sleep(0.03)

        def take(self, *words):
            super().take(*words)
            time.sleep(0.03)

    steady, killed = Service(stage.folder, "-q", job="steady"), Service(stage.folder, "-q", job="killed")
    truths = kill.Truth(), kill.Truth()
    clients = None
    try:
        steady.start()
        (stage.folder / "steady.pid").write_text(str(steady.process.pid))
        with steady.calls() as calls:
            kill.set_up(calls, truths[0])
        clients = Clients(steady, truths[0], stage.chance.randrange(10**6))
        clients.start()
        kill_again_and_again(stage, kill, killed, truths[1], Clients)
        clients.join()
        for service, truth in ((steady, truths[0]), (killed, truths[1])):
            check_frontier(stage, kill, service, truth)
    finally:
        if clients:
            clients.is_over = True
        for service in (steady, killed):
            if service.process and service.process.poll() is None:
                service.kill()


def kill_again_and_again(stage, kill, service, truth, make_clients):
    while not stage.is_over():
        service.start()
        with service.calls() as calls:
            if stage.counts["kills of frontier"]:
                kill.check_start(calls, truth, stage.chance)
            else:
                kill.set_up(calls, truth)
        clients = make_clients(service, truth, stage.chance.randrange(10**6))
        clients.start()
        end = time.monotonic() + stage.chance.choice((0.3, 1, 3, 10))
        while time.monotonic() < end and not stage.is_over():
            time.sleep(0.05)
        service.kill()
        clients.join()
        stage.counts["kills of frontier"] += 1
        expect(not truth.wrong, f"after kill {stage.counts['kills of frontier']}: " + "; ".join(truth.wrong))
    service.start()


def check_frontier(stage, kill, service, truth):
    expect(not truth.wrong, "; ".join(truth.wrong))
    with service.calls() as calls:
        kill.check_start(calls, truth, stage.chance)
        kill.check_all_known(calls, truth)
        kill.check_all_handed_out(calls, truth)
    expect(service.stop() == 0, f"frontier does not end well: {service.said()}")
    stage.counts["URLs acknowledged by frontiers, all there"] += len(truth.pages)
    stage.counts["URLs handed out by frontiers"] += truth.handed_out


PLAYERS = {"crawl": crawl, "frontier": frontier}


def play(name, folder, seed):
    """Exit 0 with the counts on the last line; 1 with the broken promise; 77 if it cannot run here."""
    stage = Stage(name, folder, seed)
    code = 1
    try:
        PLAYERS[name](stage)
        code = 0
    except SystemExit as end:
        code = end.code
    except BaseException:  # noqa: BLE001: whatever it was, the soak has to say it
        traceback.print_exc(file=sys.stdout)
    print(json.dumps(stage.counts), flush=True)
    sys.stdout.flush()
    os._exit(code if isinstance(code, int) else 1)  # threads of clients may still wait for an answer


class Player:
    """A player as the soak sees it."""

    def __init__(self, soak, name):
        self.soak, self.name, self.folder, self.last = soak, name, soak.folder / name, ""
        self.folder.mkdir()
        self.process = subprocess.Popen([sys.executable, Path(__file__).parent / "soak.py", "--player", name, self.folder, str(soak.seed)],
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True)
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()

    def _read(self):
        for line in self.process.stdout:
            self.last = line.rstrip("\n")
            if not self.last.startswith("{"):
                self.soak.say(f"{self.name}: {self.last}")
        if self.process.wait() not in (0, 77):
            self.soak.broke(self.name, f"it ended with {self.process.returncode}: the lines above say why")

    def steady_pid(self, timeout_s=90):
        """Of its process that is never killed, once it runs; None if the player ended before."""
        path, end = self.folder / "steady.pid", time.monotonic() + timeout_s
        while self.process.poll() is None and time.monotonic() < end:
            if path.exists() and path.read_text():
                return int(path.read_text())
            time.sleep(0.05)
        return None

    def stop(self, timeout_s=300):
        (self.folder / "stop").touch()
        try:
            self.process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            self.soak.say(f"{self.name} does not end")
            self.end()
        self.thread.join(10)
        if self.process.returncode == 77:
            self.soak.left_out[self.name] = "it cannot run here: soak.log says why"
        if self.last.startswith("{"):
            for name, count in json.loads(self.last).items():
                self.soak.count(name, count)

    def end(self):
        """With all that it started."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
