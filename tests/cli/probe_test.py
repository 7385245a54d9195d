# SPDX-License-Identifier: Apache-2.0
"""webstrata probe as its users run it, against a small web on loopback."""

import gzip
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from running import PROGRAM, expect, expect_one_line, run, run_tests

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "fetch"))
from serving import AGENT, Server, probe  # noqa: E402

MENU = " ".join(f"item{number}" for number in range(100))
PAGES = {
    "/": "<title>Home</title><p>Welcome",
    "/a/live.html": f"<title>Eggs</title><p>{MENU} an article about the price of eggs",
    "/a/other.html": f"<title>Milk</title><p>{MENU} an article about the price of milk",
    "/says.html": "<title>Page Not Found</title><p>A page about error pages",
}


async def small_web(exchange):
    host, path = exchange.host, exchange.path
    if path == "/robots.txt":
        await exchange.answer(200, "user-agent: *\ndisallow: /private\n", kind="text/plain")
    elif host == "soft.example":
        await exchange.answer(200, f"<title>Oops</title><p>{MENU} we know nothing about {path}")
    elif host == "home.example" and path != "/":
        await exchange.answer(302, "", "Location: /")
    elif host == "parked.example":
        await exchange.answer(200, "<title>parked.example</title><p>This domain is for sale! Buy this domain now "
                                   "<script src='//www.sedoparking.com/x.js'></script>")
    elif path in ("/moved", "/moved-too"):
        await exchange.answer(301, "", "Location: /a/live.html")
    elif path == "/moved-on":
        await exchange.answer(301, "", "Location: /for-now")
    elif path == "/for-now":
        await exchange.answer(302, "", "Location: /a/live.html")
    elif path == "/lost":
        await exchange.answer(301, "", "Location: /nowhere")
    elif path == "/refuses":
        await exchange.answer(403)
    elif path == "/breaks":
        await exchange.answer(500)
    elif path in PAGES:
        await exchange.answer(200, PAGES[path])
    else:
        await exchange.answer(404, "<title>Not here</title>")


def place(server):
    return ("--connect-to", f"127.0.0.1:{server.port}", "--delay", "5ms")


def test_outcomes_with_evidence():
    truth = {
        "http://good.example/": "alive", "http://good.example/a/live.html": "alive", "http://good.example/a/gone.html": "gone",
        "http://good.example/moved": "moved", "http://good.example/lost": "gone", "http://good.example/refuses": "blocked",
        "http://good.example/private/x": "blocked", "http://good.example/breaks": "unreachable",
        "http://good.example/says.html": "alive",  # a phrase decides nothing
        "http://soft.example/old/page.html": "soft-gone", "http://soft.example/": "alive",
        "http://home.example/old/page.html": "soft-gone", "http://parked.example/": "soft-gone",
        "http://parked.example/old": "soft-gone",
    }
    with Server(small_web) as server:
        found, notes = probe(truth, *place(server))
        expect({url: line["outcome"] for url, line in found.items()} == truth, json.dumps(found, indent=1))
        for line in found.values():
            expect(set(line) >= {"url", "outcome", "status", "target", "evidence", "time"} and line["evidence"], line)
        expect(found["http://good.example/moved"]["target"] == "http://good.example/a/live.html", found)
        expect(found["http://good.example/moved"]["status"] == 301, found)
        expect("4 alive" in notes and "requests" in notes, notes)
        expect("/private/x" not in server.paths("good.example"), "robots.txt was not kept")


def test_the_papers_rule_and_table():
    with Server(small_web) as server, tempfile.TemporaryDirectory() as folder:
        hosts = Path(folder) / "hosts"
        hosts.write_text(f"127.0.0.1:{server.port} good.example\n")
        urls = ["http://good.example/a/live.html", "http://good.example/says.html", "http://good.example/moved",
                "http://good.example/moved-too", "http://good.example/x", "http://lost.example/x", "http://good.example/breaks",
                "http://good.example/moved-on"]  # a 302 is not followed, so its target does not count as alive
        found, notes = probe(urls, "--hosts", hosts, "--delay", "5ms", "--rule", "paper")
        outcomes = [found[url]["outcome"] for url in urls]
        expect(outcomes == ["alive", "soft-gone", "moved", "moved", "gone", "unreachable", "unreachable", "moved"], outcomes)
        rows = {line.split("\t")[0]: line.split("\t")[1] for line in notes.splitlines() if "\t" in line}
        expect({name: rows[name] for name in ("404", "host not found", "301", "redirect targets", "200", "true 200", "other", "total")}
               == {"404": "1", "host not found": "1", "301": "3", "redirect targets": "1", "200": "2", "true 200": "1",
                   "other": "1", "total": "8"}, notes)


def test_nothing_is_asked_without_a_contact():
    clean = {name: value for name, value in os.environ.items() if name != "WEBSTRATA_AGENT"}
    with Server(small_web) as server, tempfile.TemporaryDirectory() as folder:
        clean["XDG_CONFIG_HOME"] = folder
        for flags in ((), ("--agent", "nobody"), ("--agent", "nobody/1.0 (+https://localhost/)")):
            code, output, errors = run("probe", "http://good.example/", *place(server), *flags, env=clean)
            expect(code == 2 and not output, (code, output))
            expect_one_line(errors, "contact")
        expect(not server.log, "somebody was asked")
        ways = {"environment": {**clean, "WEBSTRATA_AGENT": AGENT}, "file": clean}
        (Path(folder) / "webstrata").mkdir()
        (Path(folder) / "webstrata" / "config").write_text(f"# who we are\nagent = {AGENT}\n")
        for way, environment in [*ways.items(), ("quoted", clean)]:
            if way == "quoted":
                (Path(folder) / "webstrata" / "config").write_text(f'agent = "{AGENT}"\n')
            code, output, errors = run("probe", "http://good.example/", *place(server), env=environment)
            expect(code == 0 and output.startswith("alive\t200\thttp://good.example/\t-\t"), (output, errors))


def test_bad_words_are_named():
    for flags, word in {("--delay", "soon"): "--delay", ("--confirm", "3"): "3x3d", ("--rule", "mine"): "paper",
                        ("--connect-to", "here"): "127.0.0.1:8080", ("--hosts", "/no/such/file"): "/no/such/file"}.items():
        code, _, errors = run("probe", "http://good.example/", "--agent", AGENT, *flags)
        expect(code == 2, flags)
        expect_one_line(errors, word)
    code, _, errors = run("probe", "mailto:x@y.example", "--agent", AGENT)
    expect(code == 2, "mailto")
    expect_one_line(errors, "mailto:x@y.example")


def test_what_was_found_flows_back():
    with Server(small_web) as server, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        urls = ["http://good.example/a/live.html", "http://good.example/moved", "http://soft.example/old/p.html", "http://good.example/x"]
        probe(urls, *place(server), "--out", folder / "found")
        code, _, errors = run("build", folder / "lib.ws", *sorted((folder / "found").iterdir()))
        expect(code == 0, errors)
        for url, word in zip(urls, ("alive", "moved", "soft-gone", "gone")):
            lines = run("captures", folder / "lib.ws", url)[1]
            expect(word in lines.splitlines()[-1], f"{url}: {lines}")
        # Bytes that the archive knows need no twin.
        before = len(server.log)
        found, _ = probe([urls[0]], *place(server), "--archive", folder / "lib.ws")
        expect("the same bytes as archived" in " ".join(found[urls[0]]["evidence"]), found)
        expect(len(server.log) - before == 2, server.log[before:])
        # What it forgot is never requested.
        code, _, errors = run("forget", folder / "lib.ws", "--host", "good.example")
        expect(code == 0, errors)
        before = len(server.log)
        found, _ = probe([urls[0], urls[2]], *place(server), "--archive", folder / "lib.ws")
        expect(found[urls[0]]["outcome"] == "unknown" and "forgotten" in found[urls[0]]["evidence"][0], found)
        expect(found[urls[2]]["outcome"] == "soft-gone", found)
        expect(all(host != "good.example" for _, host, _ in server.log[before:]), server.log[before:])


def test_where_a_page_leads_may_be_forgotten():
    """The target of a redirect is not requested, and named neither in lines and messages nor in the job or the updated archive."""
    secret = "secret-name.html"

    async def leading_web(exchange):
        if exchange.path == "/leads":
            await exchange.answer(301, "", f"Location: http://good.example/a/{secret}")
        elif exchange.path == "/leads-far":
            await exchange.answer(302, "", "Location: /leads")
        else:
            await small_web(exchange)

    with Server(leading_web) as server, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        target = f"http://good.example/a/{secret}"
        (folder / "old.jsonl").write_text("".join(json.dumps({"url": url, "time": "2020-01-01T00:00:00Z", "links": []}) + "\n"
                                                  for url in (target, "http://good.example/leads")))
        for words in (["build", "-q", folder / "lib.ws", folder / "old.jsonl"], ["forget", "-q", folder / "lib.ws", "--url", target]):
            code, _, errors = run(*words)
            expect(code == 0, errors)
        urls = ["http://good.example/leads", "http://good.example/leads-far", "http://good.example/a/live.html"]
        words = ["probe", "--json", "--agent", AGENT, *place(server), "--archive", folder / "lib.ws", "--out", folder / "found", "--job", folder / "job", *urls]
        code, out, errors = run(*words)
        expect(code == 0, errors)
        found = {line["url"]: line for line in map(json.loads, out.splitlines())}
        expect(set(found) == set(urls) and found[urls[2]]["outcome"] == "alive", out)
        for url in urls[:2]:
            expect(found[url]["outcome"] not in ("gone", "soft-gone"), f"what was not asked says nothing: {found[url]}")
        expect(all(secret not in path for path in paths(server)), server.log)
        expect(secret not in out + errors, out + errors)
        code, again, errors = run(*words)
        expect(code == 0 and secret not in again + errors, again + errors)
        # The answer of the page that leads there is stored as it came, with its Location; there is no record of the target.
        (warc,) = (folder / "found").glob("*.warc.gz")
        heads = [line for line in gzip.decompress(warc.read_bytes()).splitlines() if line.startswith(b"WARC-Target-URI:")]
        expect(heads and not any(secret.encode() in line for line in heads), heads)
        code, _, errors = run("update", "-q", folder / "lib.ws", warc)
        expect(code == 0, errors)
        known = run("export", folder / "lib.ws", "--as", "jsonl", "-q")[1]
        expect(urls[0] in known and secret not in known, known)
        for path in [*(folder / "job").rglob("*"), *(folder / "lib.ws").rglob("*")]:
            expect(path.is_dir() or secret.encode() not in path.read_bytes(), f"{path} names what was forgotten")


def paths(server):
    return [entry[2] for entry in server.log]


def test_a_job_remembers():
    with Server(small_web) as server, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        hosts = folder / "hosts"
        hosts.write_text(f"127.0.0.1:{server.port} good.example\n")
        urls = ["http://good.example/a/live.html", "http://lost.example/x"]
        flags = ("--hosts", hosts, "--delay", "5ms", "--job", folder / "job", "--confirm", "2x1s")
        found, _ = probe(urls, *flags)
        expect(found[urls[1]]["outcome"] == "unreachable" and "again" in found[urls[1]], found)
        asked = len(server.log)
        time.sleep(1.2)
        found, _ = probe(urls, *flags)
        expect(found[urls[1]]["outcome"] == "gone", found)
        expect(found[urls[0]]["outcome"] == "alive" and len(server.log) == asked, "what was decided was asked again")
        found, _ = probe([urls[1]], "--hosts", hosts, "--confirm", "3x1s", "--wait")
        expect(found[urls[1]]["outcome"] == "gone", found)


def test_a_budget_of_requests():
    with Server(small_web) as server:
        urls = [f"http://h{number}.example/a/live.html" for number in range(10)]
        found, _ = probe(urls, *place(server), "--requests", 7)
        expect(len(server.log) <= 7, f"{len(server.log)} requests")
        expect(sum(line["outcome"] == "unknown" for line in found.values()) >= 7, found)


def test_interrupted():
    async def slow(exchange):
        await exchange.answer(404)
    with Server(slow) as server:
        urls = [f"http://good.example/{number}" for number in range(100)]
        process = subprocess.Popen([PROGRAM, "probe", "--agent", AGENT, "--connect-to", f"127.0.0.1:{server.port}",
                                    "--delay", "300ms", *urls], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        expect(process.returncode == 2 and len(server.log) < 50, (process.returncode, errors))


def test_what_was_found_before_an_interruption_is_kept():
    with Server(small_web) as server, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        urls = [f"http://h{number}.example/a/live.html" for number in range(3)] + [f"http://good.example/{number}" for number in range(99)]
        process = subprocess.Popen([PROGRAM, "probe", "--agent", AGENT, "--connect-to", f"127.0.0.1:{server.port}", "--delay", "300ms",
                                    "--out", folder / "found", *urls], bufsize=0, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        told = [process.stdout.readline().decode().split("\t") for _ in range(4)]
        process.send_signal(signal.SIGINT)
        rest, errors = process.communicate(timeout=60)
        told += [line.split("\t") for line in rest.decode().splitlines()]
        expect(process.returncode == 2 and len(told) < 50, (process.returncode, errors))
        files = sorted((folder / "found").iterdir())
        expect([file.suffix for file in files] == [".gz", ".jsonl"], files)
        kept = {line["url"]: line["outcome"] for line in map(json.loads, files[1].read_text().splitlines())}
        expect(kept == {line[2]: line[0] for line in told}, f"{kept}, and told was {told}")
        code, _, errors = run("build", folder / "lib.ws", *files)
        expect(code == 0, errors)


if __name__ == "__main__":
    sys.exit(run_tests(dict(globals())))
