# SPDX-License-Identifier: Apache-2.0
"""SIGKILL at random instants of every command that writes: the old state or the new one, the next run finishes the work, nothing is lost."""

import hashlib
import json
import random
import re
import shutil

from ground import Broken, expect, shown

KILLS = 5  # in one case


def named_files(node):
    """The files that a MANIFEST names."""
    if isinstance(node, dict):
        if "name" in node and "size" in node:
            yield node["name"]
        for value in node.values():
            yield from named_files(value)
    elif isinstance(node, list):
        for value in node:
            yield from named_files(value)


def state_of(archive):
    """A hash of all that the MANIFEST names; None if there is no archive."""
    if not (archive / "MANIFEST").exists():
        return None
    manifest = json.loads((archive / "MANIFEST").read_text().splitlines()[0])
    folder, digest = archive / f"g{manifest['generation']:06}", hashlib.sha256()
    for name in sorted(named_files(manifest)):
        path = folder / name if (folder / name).exists() else archive / name  # tombstones are next to the generations
        digest.update(re.sub(r"^(\w*scores\..*)\.\d+$", r"\1", name).encode() + path.read_bytes())  # saved again, a column has another number
    return digest.hexdigest()


def words_of(verb, prepared, tried):
    return {
        "build": ["build", "-q", "--memory", "128M", tried, prepared / "old.jsonl", prepared / "more.jsonl"],
        "update": ["update", "-q", "--memory", "128M", tried, prepared / "more.jsonl"],
        "forget": ["forget", "-q", "--memory", "128M", tried, "--host", "s3.example"],
        "rank": ["rank", tried, "--save", "pr", "--damping", "0.7", "--top", "1", "-q"],
    }[verb]


def fresh(ground, verb):
    tried = ground.folder / "tried.ws"
    shutil.rmtree(tried, ignore_errors=True)
    if verb != "build":
        shutil.copytree(ground.prepared / "lib.ws", tried)
    return tried


def expect_finished(ground, tried, verb, after, how):
    """Repeating the command gives the new state; verify finds nothing, and nothing is left over."""
    words = words_of(verb, ground.prepared, tried)
    if verb != "build" or state_of(tried) != after:  # nothing is built over an archive
        ended = ground.run(*words, codes=(0, 1))
        expect(state_of(tried) == after, f"{shown(words)}, {how}, repeated (exit {ended.code}): another result than without")
    else:  # the next writer clears up
        ground.must("update", "-q", tried, ground.prepared / "old.jsonl")
        expect(state_of(tried) == after, f"{shown(words)}, {how}: an update with known facts changes it")
    ground.must("verify", "-q", tried)
    left = sorted(path.name for path in tried.iterdir() if path.name not in ("MANIFEST", "lock") and not path.name.startswith(("g0", "tombstones")))
    expect(not left, f"{shown(words)}, {how}, repeated: leaves {left}")


def killed_writer(verb):
    def trial(ground):
        tried = fresh(ground, verb)
        words = words_of(verb, ground.prepared, tried)
        before, seconds = state_of(tried), ground.seconds_of(*words)
        after, counts = state_of(tried), {"kills": 0, "new": 0}
        expect(before != after, f"{shown(words)} changes nothing, so the kills would show nothing")
        while counts["kills"] < KILLS:
            tried = fresh(ground, verb)
            instant = ground.chance.uniform(0, seconds)
            if not ground.kill_after(instant, words):
                seconds = max(0.01, seconds * 0.9)
                continue
            counts["kills"] += 1
            how = f"killed after {instant:.3f} s"
            now = state_of(tried)
            expect(now in (before, after), f"{shown(words)}, {how}: neither the old archive nor the new one")
            counts["new"] += now == after
            if now is not None:
                look_at_once(ground, tried, how)
            expect_finished(ground, tried, verb, after, how)
        return {f"kills of {verb}": counts["kills"], f"kills of {verb} after the commit": counts["new"]}

    return trial


def look_at_once(ground, tried, how):
    """Readers do not notice; verify finds no damage, at most that something is unfinished."""
    ground.must("url", tried, "--pages")
    ended = ground.run("verify", "-q", tried, codes=(0, 2))
    text = (ended.out + ended.errors).decode()
    expect(ended.code == 0 or "restore" not in text, f"{how}: verify advises a copy: {text}")


# ---- fetching ---------------------------------------------------------------------------------------------------------


def killed_crawl(ground):
    import crawl_kill_test as kill

    lib = kill.forgetful_archive(ground.folder)
    name = ground.chance.choice(list(kill.ROUNDS))
    (ground.folder / "own").mkdir()
    told = guarded(kill.kill_one_crawl, ground.folder / "own", lib, name, KILLS, random.Random(ground.chance.random()))
    return {"kills of crawl": told[0], "requests of killed crawls": told[1], "answers lost in kills": told[3]}


def killed_probe(ground):
    import crawl_kill_test as kill

    lib = kill.forgetful_archive(ground.folder)
    (ground.folder / "own").mkdir()
    told = guarded(kill.kill_one_probe, ground.folder / "own", lib, KILLS, random.Random(ground.chance.random()))
    return {"kills of probe": told[0], "requests of killed probes": told[1], "answers lost in kills": told[3]}


def guarded(function, *arguments):
    try:
        return function(*arguments)
    except AssertionError as broken:
        raise Broken(str(broken)) from broken


PAGES = [f"http://h{host}.example/{page}" for host in range(8) for page in (0, 1, 2, 99)]


def fetch_words(verb, port):
    """A probe, or a plan that probes, whose findings go into the archive."""
    from serving import AGENT

    common = ["--agent", AGENT, "--connect-to", f"127.0.0.1:{port}", "--delay", "20ms", "--job", "job", "--out", "found", "--update", "--quiet"]
    if verb == "probe":
        common.remove("--update")
        return ["probe", "--json", "--archive", "old.ws", *common, *PAGES]
    return ["liverank", "old.ws", "--probe", "--found", "found.tsv", "--batch", "8", "--json", *common]


def take_in(ground, verb):
    """As docs/probe.md says: `webstrata update lib.ws found/*`."""
    if verb == "probe":
        ground.must("update", "-q", "old.ws", *sorted((ground.folder / "found").iterdir()))


def sighted(ground):
    """The outcome of each page by the archive: that of its latest sighting."""
    found = {}
    for page in PAGES:
        lines = ground.must("captures", "old.ws", page, "--as", "jsonl").out.splitlines()
        latest = json.loads(lines[-1])
        found[page] = (latest["time"][:4] > "2020", latest.get("outcome"), latest.get("status"))
    return found


def archive_of_pages(ground):
    shutil.rmtree(ground.folder / "old.ws", ignore_errors=True)
    lines = ground.folder / "old.jsonl"
    lines.write_text("".join(json.dumps({"url": page, "time": "2019-01-01", "links": [PAGES[(n * 7) % len(PAGES)]]}) + "\n" for n, page in enumerate(PAGES)))
    ground.must("build", "-q", "old.ws", lines)


def killed_update_by_fetch(verb):
    """What was requested before a kill is in the archive after the next complete run: no page is called decided and lost."""

    def trial(ground):
        import crawl_kill_test as kill
        from serving import Server

        with Server(kill.Site().answer) as web:
            archive_of_pages(ground)
            seconds = ground.seconds_of(*fetch_words(verb, web.port))
            take_in(ground, verb)
            twin = sighted(ground)
            fetched = [page for page, known in twin.items() if known[0]]
            expect(len(fetched) > len(PAGES) / 2, f"only {len(fetched)} pages were stored: this shows too little")
            for name in ("job", "found"):
                shutil.rmtree(ground.folder / name, ignore_errors=True)
            archive_of_pages(ground)
            kills = sum(ground.kill_after(ground.chance.uniform(0, seconds), fetch_words(verb, web.port)) for _ in range(KILLS))
            ground.run(*fetch_words(verb, web.port), codes=(0, 1))
            take_in(ground, verb)
            now = sighted(ground)
        lost = [page for page in PAGES if now[page] != twin[page]]
        expect(not lost, f"{verb} --update with {kills} kills: {len(lost)} pages differ from the run without: {[(page, twin[page], now[page]) for page in lost[:3]]}")
        ground.must("verify", "-q", "old.ws")
        files = list((ground.folder / "found").iterdir())
        expect(not [path for path in files if path.name.endswith(".open")], f"{verb}: left open: {files}")
        return {f"kills of {verb} --update": kills}

    return trial


TRIALS = {f"kills/{verb}": killed_writer(verb) for verb in ("build", "update", "forget", "rank")}
TRIALS |= {"kills/crawl": killed_crawl, "kills/probe": killed_probe, "kills/probe-update": killed_update_by_fetch("probe"),
           "kills/liverank-probe": killed_update_by_fetch("liverank")}
