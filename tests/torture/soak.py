# SPDX-License-Identifier: Apache-2.0
"""Everything at once, for long: one archive under updates, questions and a server, crawls of `replay`, frontiers; and kills. tools/soak.sh starts it.

    tools/soak.sh [MINUTES] [SEED]     # default: 60 minutes, a seed from the clock, printed first

Nothing may be lost: each answer while it runs is compared with a slow memory of what was acknowledged; in the end the archive has all of it,
`verify` finds nothing, and compacted it has the bytes of one build from all inputs. Nothing may grow: memory, open files and folders of the
last third are compared with those of the first. soak.log and soak.json are in --out. Ctrl-C ends the load and goes on with the checks, a
second one ends at once. Exit: 0 no promise was broken, 1 one was, 2 it could not be tried.
"""

import argparse
import collections
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parents[1]
sys.path[:0] = [str(HERE), *(str(SOURCE / "tests" / room) for room in ("cli", "fetch", "archive", "frontier"))]


def apart(folder, seed):
    """Runs the program in sessions of its own, so that Ctrl-C ends the soak and not what it has just started."""
    from ground import Ground

    class Apart(Ground):
        def start(self, *words, **options):
            return super().start(*words, start_new_session=True, **options)

    return Apart(folder, folder, seed, "soak", 0)


class Soak:
    """What all parts share: the folder, the clock, the log, the counts and what was broken."""

    def __init__(self, seed, seconds, folder, out, least=0):
        self.seed, self.seconds, self.folder, self.least = seed, seconds, folder, least
        self.ground = apart(folder, seed)
        self.begun, self.end = time.monotonic(), time.monotonic() + seconds
        self.lock, self.stopped = threading.Lock(), threading.Event()
        self.counts, self.broken, self.left_out = collections.Counter(), [], {}
        out.mkdir(parents=True, exist_ok=True)
        self.out, self.log = out, (out / "soak.log").open("w")

    def is_over(self):
        return self.stopped.is_set() or (time.monotonic() > self.end and self.counts["updates"] >= self.least)

    def say(self, text, is_shown=False):
        with self.lock:
            print(f"{time.monotonic() - self.begun:8.2f} {text}", file=self.log, flush=True)
            if is_shown:
                print(text, flush=True)

    def count(self, name, number=1):
        with self.lock:
            self.counts[name] += number

    def broke(self, part, text):
        """The rest ends early, so that the files are as they were."""
        self.broken.append({"part": part, "after_s": round(time.monotonic() - self.begun, 2), "what": text})
        self.say(f"BROKEN {part}: {text}", is_shown=True)
        self.stopped.set()

    def must(self, *words):
        return self.ground.run(*words, codes=(0,), timeout_s=600)

    def kill_after(self, seconds, words):
        return self.ground.kill_after(seconds, words)

    def guarded(self, name, function):
        """The function, so that what breaks in it is reported."""

        def work():
            try:
                function()
            except BaseException:  # noqa: BLE001: a failure of the soak itself must not pass, either
                self.broke(name, traceback.format_exc(limit=-4))

        return work


def servers_of(soak, archive):
    from soak_players import Killable
    from web_server import free_port

    words = ["serve", archive, "-q", "--threads", "2"]
    return [Killable("the server", free_port(), words, soak.folder / "steady.log", is_killed=False),
            Killable("the server that is killed", free_port(), words, soak.folder / "killed.log")]


def kill_server(soak, server):
    import random

    chance = random.Random(f"{soak.seed}/server")
    while not soak.stopped.wait(chance.uniform(0.2, 4)) and not soak.is_over():
        server.kill()
        soak.count("kills of serve")
        soak.stopped.wait(chance.uniform(0, 0.2))
        server.start()


def watched(soak, writer, servers, players):
    from soak_growth import Growth, bytes_in, files_in

    def facts():
        found = json.loads(soak.must("info", "--json", writer.archive).out)
        return found["link_facts"] + found["sightings"]

    growth = Growth(soak.seconds)
    growth.watch_process("serve", servers[0].process.pid)
    for player in players:
        pid = player.steady_pid()
        if pid:
            growth.watch_process({"crawl": "replay"}.get(player.name, player.name), pid)
    growth.watch("the archive", "files", lambda: files_in(writer.archive))
    growth.watch("the archive", "bytes per fact", lambda: bytes_in(writer.archive) / facts())
    growth.watch("the crawl's job", "files", lambda: files_in(soak.folder / "crawl" / "job"))
    growth.watch("the folder for temporary files", "files", lambda: files_in(os.environ["TMPDIR"]))
    return growth


def soak_all(soak):
    """The load, and afterwards the checks."""
    from soak_archive import Asker, Writer
    from soak_checks import check_archive, check_growth
    from soak_players import PLAYERS, Player

    archive = soak.folder / "lib.ws"
    players = [Player(soak, name) for name in PLAYERS]
    writer = Writer(soak, archive, soak.folder / "crawl" / "inbox")
    writer.first(SOURCE / "examples" / "sample" / "2021.warc.gz")
    servers = servers_of(soak, archive)
    try:
        for server in servers:
            server.start()
        growth = watched(soak, writer, servers, players)
        growth.start()
        parts = {"update": writer.run, "kill serve": lambda: kill_server(soak, servers[1])}
        parts |= {f"ask {number}": Asker(soak, writer, servers, number).run for number in range(2)}
        threads = [threading.Thread(target=soak.guarded(name, part)) for name, part in parts.items()]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        soak.stopped.set()
        growth.stop()
        for player in players:
            player.stop()
        for server in servers:
            soak.guarded(server.name, server.stop)()
        soak.guarded("the archive", lambda: check_archive(soak, writer))()
        return soak.guarded("growth", lambda: check_growth(soak, growth)), growth
    finally:
        for each in (*players, *servers):
            each.end()


def summary(soak, growth):
    for name in sorted(soak.counts):
        soak.say(f"{name}: {soak.counts[name]}", is_shown=True)
    for name in sorted(soak.left_out):
        soak.say(f"NOT TRIED {name}: {soak.left_out[name]}", is_shown=True)
    parts = ", ".join(sorted({each["part"] for each in soak.broken}))
    soak.say(f"{time.monotonic() - soak.begun:.0f} s, {len(soak.broken)} broken promises" + (f" ({parts})" if parts else ""), is_shown=True)
    found = {"seed": soak.seed, "seconds": soak.seconds, "program": os.environ["WEBSTRATA_PROGRAM"], "counts": soak.counts, "growth": growth.rows(),
             "broken": soak.broken, "not_tried": soak.left_out}
    (soak.out / "soak.json").write_text(json.dumps(found, indent=1) + "\n")


def interrupted(soak):
    def handle(*_):
        if soak.stopped.is_set():
            raise KeyboardInterrupt
        soak.say("interrupted: the checks follow", is_shown=True)
        soak.stopped.set()

    return handle


def run(seed, seconds, out, least):
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) and shutil.disk_usage("/dev/shm").free > 2 << 30 else None
    with tempfile.TemporaryDirectory(prefix="webstrata-soak-", dir=memory, ignore_cleanup_errors=True) as name:
        folder = Path(name)
        (folder / "tmp").mkdir()
        os.environ["TMPDIR"] = str(folder / "tmp")  # of all processes of the soak
        soak = Soak(seed, seconds, folder, out, least)
        signal.signal(signal.SIGINT, interrupted(soak))
        signal.signal(signal.SIGTERM, interrupted(soak))
        soak.say(f"seed {seed}, {seconds / 60:g} minutes, {os.environ['WEBSTRATA_PROGRAM']}", is_shown=True)
        soak.say(f"in {folder}")
        judge_growth, growth = soak_all(soak)
        judge_growth()
        summary(soak, growth)
        if soak.broken:
            kept = out / "kept"
            shutil.rmtree(kept, ignore_errors=True)
            shutil.copytree(folder, kept, symlinks=True)
            print(f"files: {kept}", flush=True)
        return 1 if soak.broken else 0


def main():
    parser = argparse.ArgumentParser(prog="tools/soak.sh", description=__doc__.split("\n\n")[0])
    parser.add_argument("minutes", nargs="?", type=float, default=60)
    parser.add_argument("seed", nargs="?", type=int, default=int(time.time()) % 1_000_000)
    parser.add_argument("--out", type=Path, default=SOURCE / "build" / "soak", help="folder of soak.log and soak.json (default build/soak)")
    parser.add_argument("--updates", type=int, default=0, help="go on until there were that many updates, for slow machines")
    parser.add_argument("--player", nargs=3, help=argparse.SUPPRESS)
    words = parser.parse_args()
    if words.player:
        from soak_players import play

        return play(words.player[0], Path(words.player[1]), words.player[2])
    if not os.environ.get("WEBSTRATA_PROGRAM"):
        print("soak: start it by tools/soak.sh", file=sys.stderr)
        return 2
    try:
        return run(words.seed, 60 * words.minutes, words.out, words.updates)
    except (OSError, subprocess.SubprocessError) as error:
        print(f"soak: cannot run: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
