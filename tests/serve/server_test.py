#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`webstrata serve` over real connections: HTTP as it should be, hostile and slow clients, archives that change."""

import gzip
import http.client
import json
import signal
import socket
import sys
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from serving import HOME, SAMPLE, expect, read_all, serving  # noqa: E402
from archives import temporary_folder, write  # noqa: E402
from running import run, run_tests  # noqa: E402

LINKS = "api/v1/lib/links"


def sample_archive(folder):
    archive = folder / "lib.ws"
    write("build", archive, SAMPLE / "2021.warc.gz")
    return archive


def test_answers_are_those_of_the_command_line(folder):
    archive = sample_archive(folder)
    with serving(archive) as server:
        links = server.json(LINKS, url=HOME, at="2021")["links"]
        _, printed, _ = run("links", archive, HOME, "--at", "2021", "--json")
        expect(links == json.loads(printed)["links"], "links differ")
        captures = server.json("api/v1/lib/captures", url=HOME)["captures"]
        _, printed, _ = run("captures", archive, HOME)
        expect(len(captures) == len(printed.splitlines()), "captures differ")
        info = server.json("api/v1/lib/info")
        _, printed, _ = run("info", archive, "--json")
        expect(all(json.loads(printed)[name] == info[name] for name in ("nodes", "pages", "links", "span")), "info differs")
        pages = server.json("api/v1/lib/stats")
        _, printed, _ = run("stats", archive, "--json")
        expect(json.loads(printed) == pages, "stats differ")
        _, printed, _ = run("diff", archive, "2020", "2021", "--json")
        expect(json.loads(printed) == server.json("api/v1/lib/diff", **{"from": "2020", "to": "2021"}), "diff differs")


def test_long_lists_can_be_walked(folder):
    with serving(sample_archive(folder)) as server:
        whole = [entry["url"] for entry in server.json("api/v1/lib/urls", url="*.example", limit=100000)["urls"]]
        parts, after = [], {}
        while True:
            answer = server.json("api/v1/lib/urls", url="*.example", limit=97, **after)
            parts += [entry["url"] for entry in answer["urls"]]
            if "next" not in answer:
                break
            after = {"after": answer["next"]}
        expect(parts == whole and len(whole) > 300, f"{len(parts)} of {len(whole)}")
        status, headers, body = server.get("api/v1/lib/urls", headers={"Accept": "application/x-ndjson"}, url="*.example")
        expect(status == 200 and headers["Transfer-Encoding"] == "chunked", f"{status} {headers}")
        expect([json.loads(line)["url"] for line in body.splitlines()] == whole, "lines differ")
        status, headers, body = server.get("api/v1/lib/urls", headers={"Accept": "application/x-ndjson", "Accept-Encoding": "gzip"}, url="*.example")
        expect(headers["Content-Encoding"] == "gzip", str(headers))
        expect([json.loads(line)["url"] for line in gzip.decompress(body).splitlines()] == whole, "compressed lines differ")


def test_connections_are_kept_and_pipelined(folder):
    with serving(sample_archive(folder)) as server:
        connection = http.client.HTTPConnection(server.host, server.port, timeout=60)
        for _ in range(5):
            connection.request("GET", f"/{LINKS}?url={HOME}")
            expect(connection.getresponse().read(), "nothing")
        connection.close()
        head = f"Host: localhost:{server.port}\r\n"
        received = server.raw((f"GET /healthz HTTP/1.1\r\n{head}\r\n" * 20).encode())
        expect(received.count(b"HTTP/1.1 200 OK") == 20 and received.endswith(b"ok\n"), received[-200:])
        received = server.raw(b"GET /healthz HTTP/1.0\r\n\r\n")
        expect(received.startswith(b"HTTP/1.0 200") and b"Connection: close" in received, received)
        status, headers, body = server.get(LINKS, method="HEAD", url=HOME)
        expect(status == 200 and body == b"" and int(headers["Content-Length"]) > 100, f"{status} {headers}")


def test_hostile_requests_get_a_sentence(folder):
    with serving(sample_archive(folder)) as server:
        def answer_to(line, headers="", body=""):
            host = "" if "Host:" in headers else f"Host: localhost:{server.port}\r\n"
            return server.raw(f"{line}\r\n{host}{headers}\r\n{body}".encode("latin-1"))

        cases = [
            (answer_to("GET /" + "a" * 1_000_000 + " HTTP/1.1"), 414),
            (answer_to("GET /api/v1/lib/links?url=" + "a" * 9000 + " HTTP/1.1"), 414),
            (answer_to("GET / HTTP/1.1", "".join(f"X-{i}: {'y' * 100}\r\n" for i in range(1000))), 431),
            (answer_to("GET / HTTP/1.1", "X: " + "y" * 100_000 + "\r\n"), 431),
            (answer_to("POST /api/v1/lib/links HTTP/1.1", "Content-Length: 1000000\r\n", "x" * 1000), 413),
            (answer_to("POST /api/v1/lib/links HTTP/1.1", "Content-Length: 4\r\n", "abcd"), 405),
            (answer_to("GET / HTTP/1.1", "Content-Length: abc\r\n"), 400),
            (answer_to("GET / HTTP/1.1", "Content-Length: -1\r\n"), 400),
            (answer_to("GET / HTTP/1.1", "Bad Header\r\n"), 400),
            (answer_to("GET / HTTP/3.7"), 400),
            (answer_to("\x00\x01\x02 nonsense"), 400),
            (answer_to("GET / HTTP/1.1", "Host: a\r\nHost: b\r\n"), 400),
            (answer_to("GET /api/v1/lib/links?url=%E0%A4%A HTTP/1.1"), 400),
            (answer_to("GET /api/v1/lib/links?url=x.example/&at=2015-13 HTTP/1.1"), 400),
            (answer_to(f"GET /api/v1/lib/links?url={HOME}&limit=-5 HTTP/1.1"), 400),
            (answer_to("GET /../../etc/passwd HTTP/1.1"), 404),
            (answer_to("GET /a/../../etc/passwd HTTP/1.1"), 200),  # a view of the page
        ]
        for received, status in cases:
            head, _, body = received.partition(b"\r\n\r\n")
            expect(head.startswith(b"HTTP/1.1 %d " % status), f"not {status}: {received[:200]}")
            if status >= 400:
                expect(len(json.loads(body)["detail"]) > 10, body)
        expect(b"root:" not in cases[-1][0], "a file of the system was served")
        expect(server.get("healthz")[0] == 200, "it no longer answers")


def test_slow_and_half_closed_clients_do_not_stop_others(folder):
    with serving(sample_archive(folder)) as server:
        slow = []
        for i in range(300):
            stream = socket.create_connection((server.host, server.port))
            stream.sendall(b"GET /healthz HTTP/1.1\r\nHost: local"[: i % 30])
            if i % 3 == 0:
                stream.shutdown(socket.SHUT_WR)
            slow.append(stream)
        # One that asks for much and reads nothing.
        greedy = socket.create_connection((server.host, server.port))
        greedy.sendall(f"GET /api/v1/lib/urls?url=*.example HTTP/1.1\r\nHost: localhost\r\nAccept: application/x-ndjson\r\n\r\n".encode() * 50)
        for _ in range(50):
            expect(server.get(LINKS, url=HOME)[0] == 200, "others are not answered")
        for stream in (*slow, greedy):
            stream.close()


def test_several_archives_and_new_generations(folder):
    first, second = sample_archive(folder), folder / "other.ws"
    write("build", second, SAMPLE / "2023.warc.gz")
    with serving(first, f"new={second}") as server:
        expect([entry["name"] for entry in server.json("api/v1/archives")["archives"]] == ["lib", "new"], "names")
        before = server.json("api/v1/lib/info")
        tag = server.get(LINKS, url=HOME)[1]["ETag"]
        expect(server.get(LINKS, headers={"If-None-Match": tag}, url=HOME)[0] == 304, "not cached")
        stop = threading.Event()
        failures = []

        def keep_asking():
            while not stop.is_set():
                status, _, body = server.get(LINKS, url=HOME)
                if status != 200:
                    failures.append((status, body))

        asking = threading.Thread(target=keep_asking)
        asking.start()
        write("update", first, SAMPLE / "2023.warc.gz")
        stop.set()
        asking.join()
        expect(not failures, f"{failures[:3]}")
        after = server.json("api/v1/lib/info")
        expect(after["generation"] > before["generation"] and after["captures"] > before["captures"], f"{after}")
        expect(server.get(LINKS, headers={"If-None-Match": tag}, url=HOME)[0] == 200, "an old answer counts as fresh")
        code, _, errors = run("forget", first, "--host", "python-quart-doc.docs.example", "--yes", "--quiet")
        expect(code == 0, errors)
        expect(server.get(LINKS, url=HOME)[0] == 404, "a forgotten page is still served")
        body = server.get("api/v1/lib/urls", headers={"Accept": "application/x-ndjson"}, url="*.example")[2]
        expect(b"quart" not in body, "a forgotten host is still listed")


def test_access_log_token_and_proxy(folder):
    archive = sample_archive(folder)
    (folder / "token").write_text("a-token-of-many-characters\n")
    log = folder / "access.log"
    with serving(archive, "--token", folder / "token", "--access-log", log, "--base-path", "/ws", "--trusted-proxy", "127.0.0.1") as server:
        expect(server.address.endswith("/ws/"), server.address)
        expect(server.get(LINKS, url=HOME)[0] == 401, "no token was needed")
        headers = {"Authorization": "Bearer a-token-of-many-characters", "X-Forwarded-For": "192.0.2.9", "X-Forwarded-Host": "archive.example", "X-Forwarded-Proto": "https", "User-Agent": "me"}
        expect(server.get(LINKS, headers=headers, url=HOME)[0] == 200, "the token is not known")
        document = json.loads(server.get("api/v1/openapi.json", headers=headers)[2])
        expect(document["servers"] == [{"url": "https://archive.example/ws"}], document["servers"])
        metrics = server.get("metrics", headers=headers)[2].decode()
        expect('webstrata_requests_total{route="api/v1/{archive}/links",status="2xx"} 1' in metrics, metrics)
    lines = [line for line in log.read_text().splitlines() if '"GET /ws/api/v1/lib/links?url=' in line and '" 200 ' in line]
    expect(len(lines) == 1 and lines[0].startswith("192.0.2.9 - - [") and lines[0].endswith('"-" "me"'), lines)


def test_requests_in_flight_are_finished(folder):
    with serving(sample_archive(folder)) as server:
        stream = socket.create_connection((server.host, server.port), timeout=60)
        stream.sendall(f"GET /api/v1/lib/stats HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        stream.settimeout(60)
        first = stream.recv(1)
        server.process.send_signal(signal.SIGTERM)
        received = first + read_all(stream)
        expect(received.startswith(b"HTTP/1.1 200") and received.endswith(b"}\n"), received[:200])
        server.process.wait(timeout=60)


def test_bad_use_is_one_line(folder):
    archive = sample_archive(folder)
    for arguments, word in [
        (("nowhere.ws",), "nowhere.ws"),
        ((archive, archive), "NAME="),
        ((archive, "--listen", "example.org"), "example.org"),
        ((archive, "--token", folder / "none"), "none"),
        ((archive, "--replay", "http://a.example/"), "{timestamp}"),
        ((archive, "--base-path", "a b"), "a b"),
    ]:
        code, _, errors = run("serve", *arguments, "--port", "0")
        expect(code == 2 and word in errors and len(errors.splitlines()) == 1, f"{arguments}: {code} {errors}")
    with serving(archive) as server:
        code, _, errors = run("serve", archive, "--port", server.port)
        expect(code == 2 and "another port" in errors, errors)


if __name__ == "__main__":
    sys.exit(run_tests(dict(globals()), folder=temporary_folder))
