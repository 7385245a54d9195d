# SPDX-License-Identifier: Apache-2.0
"""Damaged archives: every answer is that of the untouched twin or an error that says so, and verify finds the damage."""

import json
import shutil

from ground import cut, damaged, expect, flip, shown

PAGE = "http://s1.example/1"
QUESTIONS = (
    ["info", "--json", "lib.ws"], ["url", "lib.ws", "--pages"], ["url", "lib.ws", "--host", "s2.example"], ["url", "lib.ws", PAGE],
    ["captures", "lib.ws", PAGE], ["captures", "lib.ws", PAGE, "--as", "cdxj"], ["links", "lib.ws", PAGE], ["links", "lib.ws", PAGE, "--history"],
    ["links", "lib.ws", PAGE, "--in"], ["links", "lib.ws", PAGE, "--in", "--at", "2003"], ["links", "lib.ws", PAGE, "--in", "--history"],
    ["diff", "lib.ws", "2003", "2006", "--links", "-q"], ["stats", "lib.ws", "--json", "-q"], ["export", "lib.ws", "--as", "jsonl", "-q"],
    ["export", "lib.ws", "--as", "tsv", "-q"], ["export", "lib.ws", "--as", "scores", "--name", "pr", "-q"], ["rank", "lib.ws", "--top", "9", "-q"],
)


def twin_answers(ground, folder):
    return [[ended.code, ended.out.decode()] for ended in (ground.run(*words, cwd=folder) for words in QUESTIONS)]


def files_of(archive):
    return sorted(path for path in archive.rglob("*") if path.is_file() and path.name != "lock")


def strike(ground, archive):
    """Damages the archive in one way, and says which."""
    chance, files = ground.chance, files_of(archive)
    path = chance.choice(files)
    name = path.relative_to(archive)
    how = chance.choice(("bit", "bit", "bit", "bytes", "bytes", "cut", "delete", "swap", "stale"))
    if how == "bit":
        data = bytearray(path.read_bytes())
        what = flip(data, chance)
        path.write_bytes(data)
    elif how == "bytes":
        data, what = damaged(path.read_bytes(), chance)
        path.write_bytes(data)
    elif how == "cut":
        data = bytearray(path.read_bytes())
        what = cut(data, chance)
        path.write_bytes(data)
    elif how == "delete":
        path.unlink()
        what = "deleted"
    elif how == "swap":
        other = chance.choice(files)
        one, two = path.read_bytes(), other.read_bytes()
        path.write_bytes(two)
        other.write_bytes(one)
        what = f"swapped with {other.relative_to(archive)}"
    else:  # the file of the same name in another archive; with its MANIFEST it would be that archive
        others = [each for each in files_of(ground.prepared / "other.ws") if each.name == path.name != "MANIFEST"]
        if others:
            shutil.copyfile(others[0], path)
        what = "replaced by that of another archive"
    return how, f"{name}: {what}"


def digest(archive):
    return [(str(path.relative_to(archive)), path.read_bytes()) for path in files_of(archive)]


def damaged_archives(ground):
    archive, counts = ground.folder / "lib.ws", {}
    twin = json.loads((ground.prepared / "answers.json").read_text())
    for _ in range(2):
        shutil.rmtree(archive, ignore_errors=True)
        shutil.copytree(ground.prepared / "lib.ws", archive)
        whole = digest(archive)
        how, what = strike(ground, archive)
        if digest(archive) == whole:
            continue
        refused = 0
        for words, (code, out) in zip(QUESTIONS, twin):
            ended = ground.run(*words)
            if ended.code == 2:
                refused += 1
                continue
            expect((ended.code, ended.out.decode()) == (code, out), f"{what}: {shown(words)} gives another answer than the twin, and no error")
        found = ground.run("verify", "-q", "lib.ws")
        expect(found.code == 2, f"{what}: verify finds nothing")
        counts[f"archives damaged ({how})"] = counts.get(f"archives damaged ({how})", 0) + 1
        counts["answers of damaged archives equal to the twin's"] = counts.get("answers of damaged archives equal to the twin's", 0) + len(QUESTIONS) - refused
        counts["answers refused"] = counts.get("answers refused", 0) + refused
        if ground.chance.random() < 0.4:
            write_to_damaged(ground, archive, what)
    return counts


def write_to_damaged(ground, archive, what):
    """A writer refuses the damage or does not touch it; then it gives the result of the intact archive, or verify still finds the
    damage."""
    if ground.run("update", "-q", "lib.ws", ground.prepared / "more.jsonl").code != 0:
        return
    if ground.run("verify", "-q", "lib.ws").code != 0:
        return
    lines = ground.must("export", "lib.ws", "--as", "jsonl", "-q").out
    expect(lines == (ground.prepared / "updated.jsonl").read_bytes(), f"{what}: update takes it for valid and gives other facts than the twin's update")


TRIALS = {"archives/damaged": damaged_archives}
