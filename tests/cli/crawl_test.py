#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""webstrata crawl as a user sees it: what it refuses, how it is resumed, what it prints."""

import asyncio
import gzip
import json
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "fetch"))
from running import PROGRAM, expect, expect_one_line, run  # noqa: E402
from serving import AGENT, Server  # noqa: E402

LARGE = "".join(f"<p>{n}" for n in range(400_000))
COSTLY_PATH = "/" + "a" * 1900
SITE = {f"/{n}": "".join(f"<a href='/{m}'>{m}</a>" for m in (2 * n + 1, 2 * n + 2)) for n in range(15)}


async def answer(exchange):
    if exchange.host.startswith("stalling") and exchange.path != "/robots.txt":
        await exchange.send(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n<p>a part")
        return await asyncio.sleep(600)
    if exchange.host == "costly.example":
        if exchange.path == "/robots.txt":
            rules = "".join(f"Disallow: /*a*a{n}\n" for n in range(20_000))
            return await exchange.answer(200, f"User-agent: *\n{rules}", kind="text/plain")
        return await exchange.answer(200, f"<a href='{COSTLY_PATH}'>x</a><a href='/plain'>y</a>")
    if exchange.path == "/large":
        return await exchange.answer(200, LARGE)
    if exchange.path == "/robots.txt":
        return await exchange.answer(200, "User-agent: *\nDisallow: /3\n", kind="text/plain")
    if exchange.path in SITE:
        return await exchange.answer(200, SITE[exchange.path])
    await exchange.answer(404, "no")


def flags(server, delay="20ms"):
    return ["--agent", AGENT, "--connect-to", f"127.0.0.1:{server.port}", "--delay", delay]


def ledger(job):
    code, output, errors = run("crawl", job, "--ledger")
    expect(code == 0, errors)
    return [json.loads(line) for line in output.splitlines()]


def test_nothing_is_asked_without_a_contact(server, folder):
    code, _, errors = run("crawl", folder / "job", "http://a.example/", "--connect-to", f"127.0.0.1:{server.port}",
                          env={"HOME": str(folder), "PATH": "/usr/bin"})
    expect(code == 2, "it went on without an agent")
    expect_one_line(errors, "give an agent")
    expect(not (folder / "job").exists(), "a job was begun")


def test_private_addresses_name_the_option(server, folder):
    """A crawl of this machine finds nothing unless that is allowed; the user must not have to guess why."""
    place = f"localhost:{server.port}/0"
    code, _, errors = run("crawl", folder / "refused", place, "--agent", AGENT, "--budget", "5")
    expect(code == 1 and "--allow-private" in errors, f"{code} {errors}")
    code, out, errors = run("crawl", folder / "refused2", place, "--agent", AGENT, "--budget", "5", "--json", "-q")
    expect(code == 1 and json.loads(out)["origins_refused"] == 1 and errors == "", f"{code} {out} {errors}")
    code, out, errors = run("crawl", folder / "allowed", place, "--agent", AGENT, "--budget", "3", "--delay", "20ms", "--allow-private", "--json")
    expect(code == 0 and json.loads(out)["origins_refused"] == 0 and "--allow-private" not in errors, f"{code} {out} {errors}")
    code, _, errors = run("probe", place, "--agent", AGENT)
    expect(code == 0 and "--allow-private" in errors, f"{code} {errors}")


def test_wrong_words_are_refused_in_one_line(server, folder):
    (folder / "rare.topic").write_text("@weigh tf-idf\nword\n")
    for words, named in ((["--rate", "many"], "--rate"), (["--time", "long"], "--time"), (["--surt", ""], "SURT"),
                         (["--bytes", "x"], "--bytes"), (["--by", "nonsense"], "nonsense"), (["--ca-file", folder / "none"], "none"),
                         (["--prefix-name", "../up"], "prefix name"), (["--prefix-name", "/tmp/x"], "prefix name"),
                         (["--prefix-name", "a/b"], "prefix name"), (["--prefix-name", ".hidden"], "prefix name"),
                         (["--topic", folder / "none"], "none"), (["--topic", folder / "rare.topic"], "tf-idf")):
        code, _, errors = run("crawl", folder / "job", "http://a.example/", *flags(server), *words)
        expect(code == 2, f"{words} was taken")
        expect_one_line(errors, named)
        expect(not (folder / "job").exists(), f"{words}: a job was begun")
    for words in ([folder / "job"], [folder / "job", "http://a.example/", "--resume"], [folder / "none", "--resume"],
                  [folder / "none", "--ledger"], [folder / "job", "not a url"]):
        code, _, errors = run("crawl", *words, *flags(server))
        expect(code == 2, f"{words} was taken")
        expect_one_line(errors)


def test_a_job_ends_and_goes_on_with_a_larger_budget(server, folder):
    job = folder / "job"
    code, output, errors = run("crawl", job, "http://a.example/0", "--budget", "5", "--json", *flags(server))
    told = json.loads(output)
    expect(code == 0 and told["end"] == "spent" and told["requests"] == 5, f"{output} {errors}")
    code, _, errors = run("crawl", job, "http://a.example/0", *flags(server))
    expect(code == 2, "a second job in the same folder")
    expect_one_line(errors, "resume it")
    code, output, errors = run("crawl", job, "--resume", "--budget", "100", "--json")
    told = json.loads(output)
    expect(code == 0 and told["end"] == "nothing-left", f"{output} {errors}")
    lines = ledger(job)
    urls = {line["url"]: line for line in lines if line["record"] == "url"}
    expect(urls["http://a.example/3"]["state"] == "dropped" and "Disallow: /3" in urls["http://a.example/3"]["evidence"], urls)
    expect(urls["http://a.example/0"]["outcome"] == "alive", urls)
    expect(urls["http://a.example/1"]["from"] == "http://a.example/0", urls)
    expect("/3" not in server.paths("a.example"), "robots.txt forbids it")
    expect(len(server.log) == lines[0]["requests"], "every request is charged, and nothing else")


def test_a_crawl_that_finds_nothing_says_so(server, folder):
    code, _, errors = run("crawl", folder / "job", "http://a.example/nowhere", *flags(server))
    expect(code == 1, errors)


def test_ctrl_c_lets_what_is_under_way_come_home(server, folder):
    job = folder / "job"
    crawl = subprocess.Popen([PROGRAM, "crawl", job, "http://a.example/0", *flags(server, "300ms")],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while len(server.log) < 4 and crawl.poll() is None:
        time.sleep(0.05)
    crawl.send_signal(signal.SIGINT)
    _, errors = crawl.communicate(timeout=60)
    expect(crawl.returncode == 0 and b"--resume" in errors, errors)
    expect(all(line["settled"] for line in ledger(job) if line["record"] == "charge"), "a charge is open")
    expect(not list((job / "warc").glob("*.open")), "a file is open")


def records(job):
    """The answers in the job's WARC files, by URL."""
    code, out, errors = run("extract", "--as", "cdxj", *sorted((job / "warc").iterdir()))
    expect(code == 0, errors)
    return {json.loads(line.split(" ", 2)[2])["url"] for line in out.splitlines()}


def test_every_file_that_counts_outlives_other_prefixes(server, folder):
    job, kept = folder / "job", {}
    for number, prefix in enumerate(("B", "A", "B", "C", "A")):
        words = ["http://a.example/0"] if number == 0 else ["--resume"]
        code, _, errors = run("crawl", job, *words, "--budget", str(3 + number), "--prefix-name", prefix, *flags(server))
        expect(code == 0, errors)
        for file, bytes_before in kept.items():
            expect(file.exists(), f"{file.name} is gone after a run with {prefix}")
            expect(file.read_bytes() == bytes_before, f"{file.name} was changed by a run with {prefix}")
        kept = {file: file.read_bytes() for file in (job / "warc").iterdir()}
    expect(len(kept) == 5 and not (job / "aside").exists(), kept.keys())
    charged = {line["url"] for line in ledger(job) if line["record"] == "charge" and "file" in line}
    expect(records(job) == charged, f"{records(job)} are in the files, {charged} in the ledger")


def test_files_that_do_not_count_are_moved_aside_and_reported(server, folder):
    job = folder / "job"
    run("crawl", job, "http://a.example/0", "--budget", "4", *flags(server))
    stray = job / "warc" / "WEBSTRATA-19990101000000-00042-localhost.warc.gz"
    stray.write_bytes(b"from elsewhere")
    code, out, errors = run("crawl", job, "--resume", "--budget", "5", "--json")
    expect(code == 0 and json.loads(out)["moved_aside"] == 1 and str(job / "aside") in errors, f"{out} {errors}")
    expect((job / "aside" / stray.name).read_bytes() == b"from elsewhere" and not stray.exists(), "it was not moved")


def forget(lib, *words):
    code, _, errors = run("forget", lib, *words)
    expect(code in (0, 1), errors)


def empty_archive(folder):
    lib, lines = folder / "lib.ws", folder / "lines.jsonl"
    lines.write_text('{"url": "http://other.example/", "time": "2020-01-01", "links": []}\n')
    code, _, errors = run("build", lib, lines, "-q")
    expect(code == 0, errors)
    return lib


def holds(job, text):
    return [path.name for path in (job / "ledger").rglob("*") if path.is_file() and text.encode() in path.read_bytes()]


def test_a_job_that_goes_on_asks_nothing_that_was_forgotten_meanwhile(server, folder):
    job, lib = folder / "job", empty_archive(folder)
    words = ["--archive", lib, "--domain", "example", *flags(server)]
    code, _, errors = run("crawl", job, "http://a.example/0", "http://secret.example/2", "--budget", "8", *words)
    expect(code == 0, errors)
    before = len(server.log)
    expect(holds(job, "secret.example") and any(host == "secret.example" for _, host, _ in server.log), "this shows nothing")
    forget(lib, "--host", "secret.example")
    forget(lib, "--url", "http://a.example/6")
    code, out, errors = run("crawl", job, "--resume", "--budget", "100", "--json")
    expect(code == 0 and json.loads(out)["end"] == "nothing-left", f"{out} {errors}")
    asked = {f"http://{host}{path}" for _, host, path in server.log[before:]}
    expect(len(asked) > 5, asked)
    expect(not [url for url in asked if "secret" in url or url.endswith("/6")], f"asked although forgotten: {asked}")
    expect(not holds(job, "secret.example"), f"the ledger still has it: {holds(job, 'secret.example')}")
    lines = ledger(job)
    expect(not [line for line in lines if line.get("url", "").endswith("a.example/6")], "the ledger still has the page")
    expect(len([line for line in lines if line["record"] == "charge"]) == len(server.log), "a request is not accounted for")


def test_a_job_whose_seed_was_forgotten_does_not_go_everywhere(server, folder):
    job, lib = folder / "job", empty_archive(folder)
    code, _, errors = run("crawl", job, "http://a.example/0", "--budget", "3", "--archive", lib, *flags(server))
    expect(code == 0, errors)
    forget(lib, "--url", "http://a.example/0")
    for _ in range(2):
        code, _, errors = run("crawl", job, "--resume", "--budget", "6")
        expect(code == 0, errors)
    expect({host for _, host, _ in server.log} == {"a.example"}, server.log)
    forget(lib, "--host", "a.example")
    before = len(server.log)
    for _ in range(2):
        code, _, errors = run("crawl", job, "--resume", "--budget", "100")
        expect(code in (1, 2), errors)
    expect(len(server.log) == before, server.log[before:])


def test_a_forget_holds_for_a_crawl_that_runs(server, folder):
    job, lib = folder / "job", empty_archive(folder)
    crawl = subprocess.Popen([PROGRAM, "crawl", job, "http://a.example/0", "http://b.example/0", "--archive", lib, *flags(server, "400ms")],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while len(server.paths("b.example")) < 3 and crawl.poll() is None:
        time.sleep(0.02)
    forget(lib, "--host", "b.example")
    time.sleep(1.5)  # the crawl checks once per second
    asked = len(server.paths("b.example"))
    _, errors = crawl.communicate(timeout=120)
    expect(crawl.returncode == 0, errors)
    expect(len(server.paths("b.example")) == asked < 10, f"{asked} requests, then {server.paths('b.example')[asked:]}")
    expect(len(server.paths("a.example")) > 15, "the rest was not crawled")


def test_lost_answers_cost_what_was_granted_and_are_shown_apart(server, folder):
    job = folder / "job"
    seeds = [f"http://stalling{n}.example/" for n in range(12)]
    crawl = subprocess.Popen([PROGRAM, "crawl", job, *seeds, *flags(server)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while sum(path == "/" for _, _, path in server.log) < 12 and crawl.poll() is None:
        time.sleep(0.02)
    crawl.kill()
    crawl.communicate()
    for line in (ledger(job)[0], json.loads(run("crawl", job, "--resume", "--budget", "24", "--json")[1])):
        expect(line["bytes"] < 12 * 300, f"only robots.txt was received: {line}")
        expect(12 * 100 < line["bytes_reserved"] <= 12 * 128 << 10, f"12 answers of 128 kB at most: {line}")
    lost = [line for line in ledger(job) if line["record"] == "charge" and "ended before" in line.get("evidence", "")]
    expect(len(lost) == 12 and all("bytes" not in line and line["bytes_reserved"] <= 128 << 10 for line in lost), lost)


def test_a_large_answer_comes_whole(server, folder):
    job = folder / "job"
    code, out, errors = run("crawl", job, "http://a.example/large", "--json", *flags(server))
    expect(code == 0, errors)
    told = json.loads(out)
    expect(len(LARGE) < told["bytes"] < len(LARGE) + 1000 and told["bytes_reserved"] == 0, told)
    stored = b"".join(gzip.decompress(file.read_bytes()) for file in (job / "warc").iterdir())
    expect(LARGE.encode() in stored, "the page is not in the WARC file")
    code, out, errors = run("crawl", folder / "cut", "http://a.example/large", "--max-body", "1000000", "--json", *flags(server))
    expect(code == 0 and 1_000_000 < json.loads(out)["bytes"] < 1_001_000, f"{out} {errors}")


def test_rules_that_are_too_much_work_are_counted(server, folder):
    code, out, errors = run("crawl", folder / "job", "http://costly.example/", "--json", *flags(server))
    expect(code == 0, errors)
    told = json.loads(out)
    expect(told["robots_capped"] == 1 and "takes too long" in errors, f"{told} {errors}")
    expect(sorted(set(server.paths("costly.example"))) == ["/", "/plain", "/robots.txt"], server.paths("costly.example"))


def test_a_narrower_scope_holds_for_urls_that_wait(server, folder):
    job = folder / "job"
    run("crawl", job, "http://a.example/0", "http://b.example/0", "--budget", "8", *flags(server))
    before = len(server.paths("b.example"))
    code, out, errors = run("crawl", job, "--resume", "--budget", "100", "--host", "a.example", "--json")
    expect(code == 0 and json.loads(out)["outside"] > 0 and "outside the scope" in errors, f"{out} {errors}")
    expect(len(server.paths("b.example")) == before, server.paths("b.example")[before:])


def main():
    for name, test in sorted(globals().items()):
        if name.startswith("test_"):
            with tempfile.TemporaryDirectory() as folder, Server(answer) as server:
                test(server, Path(folder))
            print(f"ok  {name[5:].replace('_', ' ')}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
