# SPDX-License-Identifier: Apache-2.0
"""`webstrata frontier` as a program: lines in and out, its address, metrics, one process per job, how it stops, what it refuses. The calls of the API have tests of
their own."""

import json
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from running import PROGRAM, expect, run  # noqa: E402


def line(url, **words):
    return json.dumps({"known": {"info": {"url": url, **words.pop("info", {})}, **words}})


def load(folder, *lines):
    path = folder / "lines.jsonl"
    path.write_text("".join(one + "\n" for one in lines))
    return run("frontier", folder / "job", "--load", path)


def dumped(folder):
    code, output, errors = run("frontier", folder / "job", "--dump")
    expect(code == 0, errors)
    return [json.loads(one) for one in output.splitlines()]


class Running:
    """The service on a free port."""

    def __init__(self, folder, *flags):
        self.process = subprocess.Popen([PROGRAM, "frontier", str(folder / "job"), "--port", "0", *flags], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()


def test_lines_that_were_loaded_are_dumped(folder):
    metadata = {"depth": {"values": ["1", "ü"]}}
    later = {"info": {"crawlID": "other", "key": "k", "metadata": metadata}, "refetchableFromDate": "4000000000"}
    code, output, errors = load(folder, line("http://a.example/done"), line("http://a.example/later", **later),
                                json.dumps({"discovered": {"info": {"url": "http://b.example/"}}}), line("http://a.example/", info={"key": "x" * 256}))
    expect(code == 0 and output == "stored 3 URLs, skipped 1\n", (code, output, errors))
    found = {one["known"]["info"]["url"]: one for one in dumped(folder)}
    expect(set(found) == {"http://a.example/done", "http://a.example/later", "http://b.example/"}, found)
    expect("refetchableFromDate" not in found["http://a.example/done"]["known"], found)
    expect(found["http://a.example/later"]["known"] == {"info": {"url": "http://a.example/later", **later["info"]}, "refetchableFromDate": "4000000000"}, found)
    expect(int(found["http://b.example/"]["known"]["refetchableFromDate"]) > 1_600_000_000, found)
    again = folder / "again"
    again.mkdir()
    code, _, errors = load(again, *(json.dumps(one) for one in found.values()))
    expect(code == 0, errors)
    expect({one["known"]["info"]["url"]: one for one in dumped(again)} == found, "a dump that is loaded gives the same dump, dates of creation included")


def test_a_line_that_is_none_is_named(folder):
    for wrong in ("no JSON", "{}", '{"known": {"info": {"url": 5}}}', '{"unknown": 1}'):
        code, _, errors = load(folder, line("http://a.example/"), wrong)
        expect(code == 2 and "line 2" in errors and len(errors.splitlines()) == 1, (wrong, code, errors))


def test_it_says_where_it_is_and_stops_when_asked(folder):
    for number in (signal.SIGTERM, signal.SIGINT):
        with Running(folder) as service:
            host, port = service.address.rsplit(":", 1)
            expect(host == "127.0.0.1", service.address)
            socket.create_connection((host, int(port)), 10).close()
            service.process.send_signal(number)
            expect(service.process.wait(60) == 0, service.process.stderr.read())


def test_metrics_are_given_on_a_port_of_their_own(folder):
    load(folder, line("http://a.example/done"), line("http://a.example/later", refetchableFromDate="4000000000"))
    with Running(folder, "--metrics-port", "0") as service:
        address = service.process.stdout.readline().strip()
        with urllib.request.urlopen(address, timeout=30) as answer:
            text = answer.read().decode()
        for wanted in ("webstrata_frontier_urls 1\n", "webstrata_frontier_completed 1\n", "webstrata_frontier_queues 1\n", "frontier_getURLs_calls_total 0\n"):
            expect(wanted in text, wanted)


def test_a_job_has_one_process_and_a_port_one_service(folder):
    with Running(folder) as service:
        code, _, errors = run("frontier", folder / "job", "--port", "0")
        expect(code == 2 and "another process" in errors, (code, errors))
        port = service.address.rsplit(":", 1)[1]
        code, _, errors = run("frontier", folder / "second", "--port", port)
        expect(code == 2 and "cannot listen" in errors, (code, errors))


def test_what_cannot_be_is_refused_in_one_line(folder):
    (folder / "short").write_text("secret\n")
    for words, part in ((["--tls-cert", "x.pem"], "--tls-key"), (["--score", "pagerank"], "--archive"), (["--token", folder / "short"], "16"),
                        (["--archive", folder / "none.ws"], "none.ws"), (["--load", folder / "none"], "none"), (["--listen", "nowhere"], "listen")):
        code, _, errors = run("frontier", folder / "job", "--port", "0", *words)
        lines = [one for one in errors.splitlines() if one.startswith("webstrata")]
        expect(code == 2 and len(lines) == 1 and part in lines[0], (words, code, errors))


def main():
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            with tempfile.TemporaryDirectory() as folder:
                test(Path(folder))


main()
