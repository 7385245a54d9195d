#!/usr/bin/env python3
"""webstrata crawl as a user meets it: what it refuses, how it goes on, what it prints."""

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

SITE = {f"/{n}": "".join(f"<a href='/{m}'>{m}</a>" for m in (2 * n + 1, 2 * n + 2)) for n in range(15)}


async def answer(exchange):
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
    expect_one_line(errors, "--agent")
    expect(not (folder / "job").exists(), "a job was begun")


def test_wrong_words_are_refused_in_one_line(server, folder):
    (folder / "rare.topic").write_text("@weigh tf-idf\nword\n")
    for words, named in ((["--rate", "many"], "--rate"), (["--time", "long"], "--time"), (["--surt", ""], "SURT"),
                         (["--bytes", "x"], "--bytes"), (["--by", "nonsense"], "nonsense"), (["--ca-file", folder / "none"], "none"),
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
    expect_one_line(errors, "--resume")
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


def main():
    for name, test in sorted(globals().items()):
        if name.startswith("test_"):
            with tempfile.TemporaryDirectory() as folder, Server(answer) as server:
                test(server, Path(folder))
            print(f"ok  {name[5:].replace('_', ' ')}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
