# SPDX-License-Identifier: Apache-2.0
"""http:// and https:// inputs, from a real server (nginx) and from one with every fault that a server can have: the archive is that of
the local file, byte for byte, or there is one clear error and none."""

import os
import signal
import socket
import ssl
import subprocess
import sys
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / folder) for folder in ("cli", "fetch")]
import web_server  # noqa: E402
from archives import expect_same, temporary_folder  # noqa: E402
from crawl_forms import all_forms  # noqa: E402
from file_server import FileServer  # noqa: E402
from running import PROGRAM, expect, expect_one_line, not_tried, run, run_tests  # noqa: E402
from serving import make_certificate  # noqa: E402

for variable in ("http_proxy", "https_proxy", "all_proxy", "HTTPS_PROXY", "ALL_PROXY", "SSL_CERT_FILE"):
    os.environ.pop(variable, None)

FORMS = all_forms()
SHARDS = ("cdx-00000.gz",)  # read through their index
NGINX = """
daemon off; worker_processes 1; pid {folder}/nginx.pid; error_log {folder}/error.log;
events {{ worker_connections 64; }}
http {{
  default_type application/octet-stream; log_format ranges '$status $http_range $uri'; access_log {folder}/access.log ranges;
  client_body_temp_path {folder}/t1; proxy_temp_path {folder}/t2; fastcgi_temp_path {folder}/t3;
  uwsgi_temp_path {folder}/t4; scgi_temp_path {folder}/t5;
  server {{ listen 127.0.0.1:{port}; root {folder}/web; }}
}}
"""


def large_warc(megabytes, seed=7):
    """Records that cannot be compressed, in members of their own: enough to be cut into parts."""
    import gzip
    import random
    dice = random.Random(seed)
    records = []
    for number in range(megabytes):
        page = b"".join(b'<a href="/%d">x</a>' % dice.randrange(1000) for _ in range(20))
        for url, kind, body in ((b"p%d" % number, b"text/html", page), (b"i%d" % number, b"image/png", dice.randbytes(1 << 20))):
            answer = b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s" % (kind, len(body), body)
            records.append(gzip.compress(
                b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://large.example/%s\r\nWARC-Date: 2021-01-01T00:00:00Z\r\n"
                b"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n" % (url, len(answer), answer),
                1, mtime=0))
    return b"".join(records)


def built(folder, name, *inputs, **options):
    code, _, errors = run("build", "--quiet", folder / name, *inputs, **options)
    expect(code == 0, f"{inputs}: {errors}")
    return folder / name


def refused(folder, url, *words, **options):
    """One clear error, and no archive."""
    code, _, errors = run("build", "--quiet", "--strict", folder / "refused.ws", url, **options)
    expect(code == 2, f"{url}: {code} {errors}")
    expect("(--strict)" in errors.splitlines()[-1], errors)
    expect_one_line("".join(errors.splitlines()[:-1]), *words)
    expect(not (folder / "refused.ws").exists(), f"{url}: an archive was left")
    return errors


def with_files(folder, forms=FORMS):
    for name, content in forms.items():
        (folder / name).write_bytes(content)
    return folder


def test_every_format_gives_the_bytes_of_the_local_file(folder):
    local = with_files(folder)
    with FileServer(FORMS) as server:
        for name in FORMS:
            if name in SHARDS:
                continue
            built(folder, "local.ws", local / name)
            for fault, threads in (("files", 1), ("files", 2), ("whole", 2)):
                built(folder, "remote.ws", server.url(fault, name), "--threads", threads)
                expect_same(folder / "local.ws", folder / "remote.ws", f"{name}, {fault}, {threads} threads")
                subprocess.run(["rm", "-r", folder / "remote.ws"], check=True)
            subprocess.run(["rm", "-r", folder / "local.ws"], check=True)


def test_every_fault_gives_the_same_bytes(folder):
    local = with_files(folder)
    built(folder, "local.ws", local / "x.warc.gz")
    with FileServer(FORMS) as server:
        for fault in ("silent", "chunked", "broken", "once-broken", "busy", "slow", "moved"):
            built(folder, f"{fault}.ws", server.url(fault, "x.warc.gz"))
            expect_same(folder / "local.ws", folder / f"{fault}.ws", fault)
        built(folder, "locked.ws", server.url("locked", "x.warc.gz", "reader:s%20p@"))
        expect_same(folder / "local.ws", folder / "locked.ws", "with a password")
        built(folder, "query.ws", server.url("files", "x.warc.gz") + "?signature=1#fragment")
        expect_same(folder / "local.ws", folder / "query.ws", "with a query")


def test_a_large_file_is_read_in_parts(folder):
    forms = {"large.warc.gz": large_warc(40)}
    local = with_files(folder, forms)
    built(folder, "local.ws", local / "large.warc.gz")
    with FileServer(forms) as server:
        for fault in ("files", "broken", "whole"):
            for threads in (1, 2):
                built(folder, f"{fault}{threads}.ws", server.url(fault, "large.warc.gz"), "--threads", threads)
                expect_same(folder / "local.ws", folder / f"{fault}{threads}.ws", f"{fault}, {threads} threads")
        ranges = [one for one in server.log if one[0] == "files"]
        asked = sum(int(end) - int(begin) + 1 for begin, end in (one[2].removeprefix("bytes=").split("-") for one in ranges))
        expect(asked < 2 * 1.25 * len(forms["large.warc.gz"]), f"{asked} bytes were requested twice for {len(forms['large.warc.gz'])}")


def test_lists_and_several_inputs(folder):
    local = with_files(folder)
    built(folder, "local.ws", local / "x.warc.gz", local / "x.cdxj")
    with FileServer(FORMS) as server:
        (folder / "list.txt").write_text(f"# inputs\n{server.url('files', 'x.warc.gz')}\n{server.url('files', 'x.cdxj')}\n")
        built(folder, "listed.ws", f"@{folder / 'list.txt'}")
        expect_same(folder / "local.ws", folder / "listed.ws", "a list")
        built(folder, "first.ws", server.url("files", "x.warc.gz"))
        code, _, errors = run("update", "--quiet", folder / "first.ws", server.url("files", "x.cdxj"))
        expect(code == 0, errors)
        # More inputs than are looked at beforehand.
        many = [server.url("files", "x.cdxj") + f"?{place}" for place in range(40)]
        built(folder, "many.ws", server.url("files", "x.warc.gz"), *many)
        expect_same(folder / "local.ws", folder / "many.ws", "the same facts many times")


def test_extract_reads_the_original_of_a_revisit(folder):
    """It lies elsewhere in the file, so the file is entered there."""
    from io import BytesIO

    try:
        from warcio.statusandheaders import StatusAndHeaders
        from warcio.warcwriter import WARCWriter
    except ImportError:
        return not_tried("revisits: warcio is not installed (tests/requirements.txt)")
    out = BytesIO()
    writer = WARCWriter(out, gzip=True)
    head = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
    record = writer.create_warc_record("http://a.example/", "response", payload=BytesIO(b"<a href=/b>b</a>"), http_headers=head,
                                       warc_headers_dict={"WARC-Date": "2021-01-01T00:00:00Z"})
    writer.write_record(record)
    digest = record.rec_headers.get_header("WARC-Payload-Digest")
    writer.write_record(writer.create_revisit_record("http://a.example/", digest, "http://a.example/", "2021-01-01T00:00:00Z", head,
                                                     {"WARC-Date": "2022-01-01T00:00:00Z"}))
    (folder / "r.warc.gz").write_bytes(out.getvalue())
    with FileServer({"r.warc.gz": out.getvalue()}) as server:
        told = [run("extract", "--quiet", place)[1] for place in (folder / "r.warc.gz", server.url("files", "r.warc.gz"))]
    expect(told[0] == told[1] and told[0].count("http://a.example/b") == 2, told)


def test_a_file_that_changes_is_an_error(folder):
    forms = {"x.warc.gz": large_warc(2)}
    with FileServer(forms) as server:
        for fault in ("changing", "quiet-change"):
            refused(folder, server.url(fault, "x.warc.gz"), "changed on the server", '"one"', '"two"', "start again")


def test_clear_errors(folder):
    with FileServer(FORMS) as server:
        refused(folder, server.url("files", "no.warc.gz"), "no such file on the server (404 Not Found)", "no.warc.gz")
        refused(folder, server.url("forbidden", "x.warc.gz"), "refuses access (403 Forbidden)")
        told = refused(folder, server.url("locked", "x.warc.gz", "reader:wrong-word@"), "401 Unauthorized")
        expect("wrong-word" not in told and "reader" not in told, f"a password is shown: {told}")
        told = refused(folder, server.url("files", "no.warc.gz") + "?X-Amz-Signature=abc", "404")
        expect("abc" not in told, f"a signature is shown: {told}")
        refused(folder, server.url("circle", "x.warc.gz"), "redirects")
        refused(folder, server.url("down", "x.warc.gz"), "503 Service Unavailable", "6 attempts")
        refused(folder, server.url("halved", "x.warc.gz"), "the connection broke", "cannot continue there", "download the file first")
        port = server.server_address[1]
    refused(folder, f"http://127.0.0.1:{port}/x.warc.gz", "refused", f":{port}")
    refused(folder, "https://no-such-host.invalid/x.warc.gz", "cannot be reached")
    refused(folder, "http://[::1", "not a valid URL")
    refused(folder, "gs://bucket/x.warc.gz", "gs:// cannot be read", "https:// or s3://")
    refused(folder, "s3a://bucket/x.warc.gz", "write s3://")
    refused(folder, "file:///x.warc.gz", "write the path alone")


def test_certificates_are_checked(folder):
    certificate, key = make_certificate(folder, "localhost")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    local = with_files(folder, {"x.warc.gz": FORMS["x.warc.gz"]})
    built(folder, "local.ws", local / "x.warc.gz")
    with FileServer(FORMS, context) as server:
        url = server.url("files", "x.warc.gz").replace("127.0.0.1", "localhost")
        refused(folder, url, "no secure connection", "SSL_CERT_FILE")
        built(folder, "trusted.ws", url, env={**os.environ, "SSL_CERT_FILE": str(certificate)})
        expect_same(folder / "local.ws", folder / "trusted.ws", "https")
        wrong = server.url("files", "x.warc.gz")  # another name than the certificate has
        refused(folder, wrong, "no secure connection", env={**os.environ, "SSL_CERT_FILE": str(certificate)})


def test_ctrl_c_ends_a_stalled_read(folder):
    with FileServer(FORMS) as server:
        child = subprocess.Popen([PROGRAM, "build", "--quiet", folder / "no.ws", server.url("stalled", "x.warc.gz")],
                                 stderr=subprocess.PIPE)
        while not server.log:
            time.sleep(0.05)
        time.sleep(0.3)
        child.send_signal(signal.SIGINT)
        _, errors = child.communicate(timeout=9)  # before the server says anything
        expect(child.returncode not in (0, None) and not (folder / "no.ws").exists(), (child.returncode, errors))


def test_nginx(folder):
    import shutil

    if shutil.which("nginx") is None:
        return not_tried("nginx is not installed (tools/packages.test)")
    port = web_server.free_port()
    web = folder / "web"
    web.mkdir()
    with_files(web, {**FORMS, "large.warc.gz": large_warc(40), "empty.warc.gz": b""})
    folder.chmod(0o755)
    (folder / "nginx.conf").write_text(NGINX.format(folder=folder, port=port))
    server = subprocess.Popen(["nginx", "-p", folder, "-c", folder / "nginx.conf"], stderr=subprocess.DEVNULL)
    try:
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                time.sleep(0.05)
        for name in ("x.warc.gz", "x.wacz", "cluster.idx", "large.warc.gz", "two words + 100% é.warc.gz"):
            built(folder, "local.ws", web / name)
            built(folder, "nginx.ws", f"http://127.0.0.1:{port}/{name.replace('%', '%25')}")
            expect_same(folder / "local.ws", folder / "nginx.ws", f"{name} from nginx")
            subprocess.run(["rm", "-r", folder / "local.ws", folder / "nginx.ws"], check=True)
        refused(folder, f"http://127.0.0.1:{port}/empty.warc.gz", "is empty")
        log = (folder / "access.log").read_text()
        expect("206 bytes=" in log, log[:500])
    finally:
        server.terminate()
        server.wait(20)


if __name__ == "__main__":
    sys.exit(run_tests(globals(), folder=temporary_folder))
