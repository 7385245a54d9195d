#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`webstrata serve --writable` over real connections: large bodies, reading meanwhile, one writer at a time, kills."""

import fcntl
import http.client
import json
import signal
import sys
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from serving import HOME, SAMPLE, expect, serving  # noqa: E402
from archives import expect_same, temporary_folder, write  # noqa: E402
from running import run, run_tests  # noqa: E402

TOKEN = "a-token-of-some-length"
BEARER = {"Authorization": f"Bearer {TOKEN}"}


def started(folder, *arguments):
    (folder / "token").write_text(TOKEN + "\n")
    if not (folder / "lib.ws").exists():
        write("build", folder / "lib.ws", SAMPLE / "2021.warc.gz")
    return serving(folder / "lib.ws", "--writable", "--open-reading", "--token", folder / "token", *arguments)


def lines_of_2023():
    code, lines, errors = run("extract", "--quiet", SAMPLE / "2023.warc.gz")
    expect(code == 0 and len(lines) > 200_000, errors)
    return lines.encode() if isinstance(lines, str) else lines


def post(server, path, body=b"", headers=BEARER, **more):
    """(status, answer) of a POST; a body that can be iterated over is sent in chunks."""
    connection = http.client.HTTPConnection(server.host, server.port, timeout=300)
    connection.request("POST", server.base + path, body=body, headers=headers | more, encode_chunked=not isinstance(body, bytes))
    answer = connection.getresponse()
    found = json.loads(answer.read())
    connection.close()
    return answer.status, found


def test_it_does_not_start_without_a_token(folder):
    write("build", folder / "lib.ws", SAMPLE / "2021.warc.gz")
    for wish in ("--writable", "--open-reading"):
        code, _, errors = run("serve", folder / "lib.ws", wish, "--port", "0")
        expect(code == 2 and f"{wish} needs --token" in errors and len(errors.strip().splitlines()) == 1, errors)


def test_an_update_is_that_of_the_command_line(folder):
    lines = lines_of_2023()
    with started(folder) as server:
        whole = http.client.HTTPConnection(server.host, server.port, timeout=300)
        whole.putrequest("POST", "/api/v1/lib/update")  # as curl sends a large body
        for name, value in (BEARER | {"Content-Length": str(len(lines)), "Expect": "100-continue"}).items():
            whole.putheader(name, value)
        whole.endheaders()
        expect(whole.sock.recv(64).startswith(b"HTTP/1.1 100 Continue\r\n\r\n"), "no 100")
        whole.send(lines)
        answer = whole.getresponse()
        found = json.loads(answer.read())
        expect(answer.status == 200 and found["changed"] and found["generation"] == 2 and found["read"]["damaged"] == 0, f"{answer.status} {found}")
        # In chunks: the same again, so that nothing changes.
        status, again = post(server, "api/v1/lib/update", iter([lines[:70_000], lines[70_000:]]))
        expect(status == 200 and not again["changed"], f"{status} {again}")
        status, compacted = post(server, "api/v1/lib/compact")
        info = server.json("api/v1/lib/info")
        expect(status == 200 and all(info[name] == count for name, count in compacted["archive"].items()), f"{status} {compacted} {info}")
    write("build", folder / "other.ws", SAMPLE / "2021.warc.gz")
    (folder / "upload.jsonl").write_bytes(lines)
    write("update", folder / "other.ws", folder / "upload.jsonl")
    for name in ("lib.ws", "other.ws"):
        run("compact", folder / name)  # also deletes the generation that the server had open
    expect_same(folder / "lib.ws", folder / "other.ws", "an update over HTTP")


def test_bodies_are_refused_before_they_are_read(folder):
    lines = lines_of_2023()
    with started(folder, "--upload", "100k") as server:
        head = f"POST /api/v1/lib/update HTTP/1.1\r\nHost: localhost\r\nContent-Length: {10 ** 12}\r\n"
        for headers, status in (("", 401), ("Authorization: Bearer wrong-but-long-enough\r\n", 401), (f"Authorization: Bearer {TOKEN}\r\n", 413)):
            received = server.raw(f"{head}{headers}\r\n".encode())
            expect(received.startswith(b"HTTP/1.1 %d " % status), f"{headers}: {received[:200]}")
        received = server.raw(f"POST /api/v1/lib/update HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nAuthorization: Bearer {TOKEN}\r\n\r\n".encode()
                              + b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (lines[at:at + 50_000] for at in range(0, 200_000, 50_000))) + b"0\r\n\r\n")
        expect(received.startswith(b"HTTP/1.1 413 "), received[:200])
        # Half a body changes nothing.
        received = server.raw(f"POST /api/v1/lib/update HTTP/1.1\r\nHost: localhost\r\nContent-Length: 90000\r\nAuthorization: Bearer {TOKEN}\r\n\r\n".encode() + lines[:50_000])
        expect(b" 200 " not in received[:20], received[:100])
        expect(server.json("api/v1/lib/info")["generation"] == 1, "it was changed")


def test_reading_goes_on_meanwhile(folder):
    lines = lines_of_2023()
    with started(folder, "--timeout", "5s") as server:
        ends, answers = threading.Event(), []

        def read():
            while not ends.is_set():
                answers.append(server.get("api/v1/lib/links", url=HOME, at="2021")[0])

        readers = [threading.Thread(target=read) for _ in range(2)]
        for reader in readers:
            reader.start()
        outcomes = []

        def change(number):
            mine = [line for place, line in enumerate(lines.splitlines(keepends=True)) if place % 4 == number]
            outcomes.append(post(server, "api/v1/lib/update", b"".join(mine)))

        writers = [threading.Thread(target=change, args=(number,)) for number in range(4)]
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join()
        expect({status for status, _ in outcomes} <= {200, 409} and 200 in {status for status, _ in outcomes}, str(outcomes)[:500])
        expect(all("try again" in answer["detail"] for status, answer in outcomes if status == 409), str(outcomes)[:500])
        status, forgotten = post(server, "api/v1/lib/forget", json.dumps({"host": ["docs.example"]}).encode())
        expect(status == 200 and forgotten["changed"] and forgotten["records"], f"{status} {str(forgotten)[:300]}")
        expect(server.get("api/v1/lib/links", url=HOME, at="2021")[0] == 404, "what was forgotten is still there")
        ends.set()
        for reader in readers:
            reader.join()
        # Until it was forgotten, everything was answered.
        expect(set(answers) <= {200, 404} and answers[0] == 200 and answers == sorted(answers), str(sorted(set(answers))))
        print(f"{len(answers)} answers meanwhile, {sum(status == 200 for status, _ in outcomes)} of 4 updates at once went through")
    code, _, errors = run("verify", folder / "lib.ws")
    expect(code == 0, errors)


def test_another_writer_is_a_conflict(folder):
    with started(folder) as server, open(folder / "lib.ws" / "lock", "a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for verb, body in (("update", lines_of_2023()), ("forget", b'{"url": ["a.example/"]}'), ("compact", b"")):
            status, answer = post(server, f"api/v1/lib/{verb}", body)
            expect(status == 409 and "try again" in answer["detail"], f"{verb}: {status} {answer}")
        fcntl.flock(lock, fcntl.LOCK_UN)
        expect(post(server, "api/v1/lib/compact")[0] == 200, "after the conflict")


def test_a_killed_server_leaves_an_archive(folder):
    lines = lines_of_2023()
    process = None
    try:
        with started(folder) as server:
            process = server.process
            sender = threading.Thread(target=lambda: expect_no_answer(server, lines))
            sender.start()
            while not any((folder / "lib.ws" / "work").glob("*")) and sender.is_alive():
                pass
            process.send_signal(signal.SIGKILL)
            sender.join()
    except AssertionError as error:
        expect(process.returncode == -signal.SIGKILL, str(error))  # serving() wants it to end well
    with started(folder) as server:
        status, answer = post(server, "api/v1/lib/update", lines)
        expect(status == 200, f"after the kill: {status} {answer}")
    code, _, errors = run("verify", folder / "lib.ws")  # what was interrupted is gone by now
    expect(code == 0, errors)


def expect_no_answer(server, lines):
    try:
        post(server, "api/v1/lib/update", lines)
    except (OSError, http.client.HTTPException):
        pass


if __name__ == "__main__":
    sys.exit(run_tests(dict(globals()), folder=temporary_folder))
