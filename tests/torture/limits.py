# SPDX-License-Identifier: Apache-2.0
"""Full disks and resource limits: the right result, or exit 2 with one clear line and the old state."""

import os
import shutil
import subprocess

from ground import Limits, did_not_start, expect, one_clear_line, shown
from kills import expect_finished, fresh, state_of, words_of
from running import program_for_all

VERBS = ("build", "update", "forget", "rank")
EACH = 4


def hold(ground, verb, tried, before, after, how, **options):
    """Runs under the limit; afterwards all is as before or as it should be. Whether it was refused."""
    words = words_of(verb, ground.prepared, tried)
    ended = ground.run(*words, codes=(0, 2, 127), **options)
    if not did_not_start(ended) and ended.code != 0:
        one_clear_line(ended)
    now = state_of(tried)
    expect(now == after if ended.code == 0 else now in (before, after), f"{shown(words)}, {how}: exit {ended.code}, and the archive is neither the old nor the new one")
    return ended.code != 0


def under(name, choose):
    """A trial of each writer under limits that `choose` draws."""

    def trial(ground):
        refused = tried_times = 0
        for _ in range(EACH):
            verb = ground.chance.choice(VERBS)
            tried = fresh(ground, verb)
            before = state_of(tried)
            ground.must(*words_of(verb, ground.prepared, tried), program=ground.plain_program)
            after = state_of(tried)
            tried = fresh(ground, verb)
            limits = choose(ground.chance)
            program = ground.plain_program
            if limits.processes is not None:
                open_to_all(ground)
                program = program_for_all(ground.folder, program)
            refused += hold(ground, verb, tried, before, after, str(limits), limits=limits, program=program)
            expect_finished(ground, tried, verb, after, str(limits))
            tried_times += 1
        return {f"commands under a limit of {name}": tried_times, f"of these refused ({name})": refused}

    return trial


def open_to_all(ground):
    """For the unprivileged user that simulates a container's limit of processes."""
    for folder, _, names in os.walk(ground.folder):
        os.chmod(folder, 0o777)
        for name in names:
            os.chmod(os.path.join(folder, name), 0o666)


def questions_under_memory(ground):
    """Commands that only read: the twin's answer, or one clear line."""
    import damage

    chance, refused = ground.chance, 0
    shutil.copytree(ground.prepared / "lib.ws", ground.folder / "lib.ws")
    for _ in range(EACH):
        words = chance.choice(damage.QUESTIONS)
        limits = Limits(memory=int(2 ** chance.uniform(24, 28))) if chance.random() < 0.6 else Limits(files=chance.randrange(3, 24))
        whole = ground.run(*words, program=ground.plain_program)
        ended = ground.run(*words, program=ground.plain_program, limits=limits, codes=(0, 1, 2, 127))
        if did_not_start(ended) or ended.code == 2:
            refused += 1
            if not did_not_start(ended):
                one_clear_line(ended)
        else:
            expect((ended.code, ended.out) == (whole.code, whole.out), f"{shown(words)}, {limits}: another answer")
    return {"questions under a limit": EACH, "questions under a limit refused": refused}


# ---- full disks -------------------------------------------------------------------------------------------------------


class SmallDisk:
    """A file system in memory of this size, in the case's own mount namespace: it ends with the case."""

    def __init__(self, path, size):
        self.path = path
        path.mkdir(exist_ok=True)
        self._mount("-t", "tmpfs", "-o", f"size={size}", "tmpfs", path)

    def resize(self, size):
        self._mount("-o", f"remount,size={size}", self.path)

    @staticmethod
    def _mount(*words):
        subprocess.run(["mount", *map(str, words)], check=True, capture_output=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        subprocess.run(["umount", "-l", str(self.path)], check=False, capture_output=True)


def full_disks(ground):
    refused = tried_times = 0
    for _ in range(EACH):
        verb = ground.chance.choice(VERBS)
        tried = fresh(ground, verb)
        before = state_of(tried)
        ground.must(*words_of(verb, ground.prepared, tried))
        after, needed = state_of(tried), 4 * size_of(tried) + 600_000
        with SmallDisk(ground.folder / "disk", "64m") as disk:
            place = disk.path / "tried.ws"
            used = 0
            if verb != "build":
                shutil.copytree(ground.prepared / "lib.ws", place)
                used = size_of(place)
            size = used + int(needed * ground.chance.random() ** 3) // 4096 * 4096 + 4096
            disk.resize(size)
            refused += hold(ground, verb, place, before, after, f"disk of {size} bytes")
            disk.resize("64m")
            expect_finished(ground, place, verb, after, f"disk of {size} bytes")
        tried_times += 1
    return {"writers on a full disk": tried_times, "writers on a full disk, refused": refused}


def size_of(folder):
    return sum(-(-path.stat().st_size // 4096) * 4096 + 4096 for path in folder.rglob("*"))


def full_disk_of_a_crawl(ground):
    """A crawl that runs out of space says so; with space again it resumes, and files and ledger agree."""
    import crawl_kill_test as kill
    from kills import guarded
    from serving import AGENT, Server

    with SmallDisk(ground.folder / "disk", f"{ground.chance.randrange(8, 200)}k") as disk, Server(kill.Site().answer) as web:
        words = ["crawl", "disk/job", "http://h0.example/0", "--anywhere", "--budget", "60", "-q", "--agent", AGENT, "--connect-to",
                 f"127.0.0.1:{web.port}", "--delay", "5ms", "--backoff", "20ms"]
        refused = ground.run(*words).code == 2
        disk.resize("200m")
        if refused and kill.has_begun(disk.path / "job"):
            ground.must("crawl", "disk/job", "--resume", "-q")
        elif refused:
            shutil.rmtree(disk.path / "job", ignore_errors=True)
            ground.must(*words)
        lines = kill.ledger(disk.path / "job")
        guarded(kill.expect_charged, web.log, lines)
        guarded(kill.expect_whole_files, disk.path / "job", lines)
        expect(lines[0]["requests"] <= 60 and len(web.log) <= 60, f"{lines[0]['requests']} charges and {len(web.log)} requests of a budget of 60")
    return {"crawls on a full disk": 1, "crawls on a full disk, refused": int(refused)}


TRIALS = {
    "limits/memory": under("memory", lambda chance: Limits(memory=int(2 ** chance.uniform(24, 28)))),
    "limits/file-size": under("file size", lambda chance: Limits(file_bytes=int(2 ** chance.uniform(0, 17)))),
    "limits/open-files": under("open files", lambda chance: Limits(files=chance.randrange(3, 30))),
    "limits/processes": under("processes", lambda chance: Limits(processes=chance.randrange(1, 6))),
    "limits/questions": questions_under_memory,
    "disks/full": full_disks,
    "disks/crawl": full_disk_of_a_crawl,
}
NEEDS_A_DISK = {"disks/full", "disks/crawl"}
