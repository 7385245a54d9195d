# SPDX-License-Identifier: Apache-2.0
"""HTTP/2 over TLS, from nginx: probed and crawled like any other, and the WARC files are such that others read them."""

import json
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import web_server
from serving import AGENT, make_certificate, probe
from running import ending, expect, not_tried, run, skip

CONFIGURATION = """
daemon off; worker_processes 1; pid {folder}/nginx.pid; error_log {folder}/error.log;
events {{ worker_connections 64; }}
http {{
  types {{ text/html html; }} default_type application/octet-stream;
  log_format protocols '$server_protocol\t$request_uri'; access_log {folder}/access.log protocols;
  client_body_temp_path {folder}/t1; proxy_temp_path {folder}/t2; fastcgi_temp_path {folder}/t3;
  uwsgi_temp_path {folder}/t4; scgi_temp_path {folder}/t5;
  gzip on; gzip_min_length 1;
  server {{ listen 127.0.0.1:{port} ssl http2; server_name two.example; root {folder}/web;
           ssl_certificate {folder}/certificate.pem; ssl_certificate_key {folder}/key.pem;
           location = /moved {{ return 301 https://two.example/a.html; }} }}
}}
"""


def start_nginx(folder):
    port = web_server.free_port()
    path = folder / "nginx.conf"
    path.write_text(CONFIGURATION.format(folder=folder, port=port))
    server = subprocess.Popen(["nginx", "-p", folder, "-c", path], stderr=subprocess.DEVNULL)
    for _ in range(200):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return server, port
        except OSError:
            time.sleep(0.05)
    raise RuntimeError("nginx did not start: " + (folder / "error.log").read_text())


def expect_crawl(folder, place, certificate):
    job = folder / "job"
    code, output, errors = run("crawl", job, "https://two.example/a.html", "--agent", AGENT, *place, "--json", "-q")
    expect(code == 0, errors)
    expect(json.loads(output)["pages"] == 2, output)
    code, lines, errors = run("extract", "--as", "tsv", *(job / "warc").glob("*.warc.gz"))
    expect("https://two.example/a.html\thttps://two.example/b.html" in lines, lines)
    try:
        from warcio.archiveiterator import ArchiveIterator
    except ImportError:
        not_tried("the crawl files were not read with warcio (tests/requirements.txt)")
        return
    seen = []
    for file in (job / "warc").glob("*.warc.gz"):
        with open(file, "rb") as stream:
            for record in ArchiveIterator(stream, check_digests="raise"):
                body = record.content_stream().read()
                if record.rec_type == "response" and record.rec_headers["WARC-Target-URI"].endswith("/a.html"):
                    seen.append((record.http_headers.get_statuscode(), b"link" in body))
    expect(seen == [("200", True)], seen)


def main():
    if not web_server.is_there():
        skip("needs nginx (tools/packages.test)")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "web").mkdir()
        (folder / "web" / "a.html").write_text("<title>A</title><a href=b.html>a link</a> <a href=moved>another</a>")
        (folder / "web" / "b.html").write_text("<title>B</title><p>the end")
        certificate, _ = make_certificate(folder, "two.example")
        server, port = start_nginx(folder)
        try:
            place = ("--connect-to", f"127.0.0.1:{port}", "--delay", "10ms", "--ca-file", certificate)
            urls = [f"https://two.example/{path}" for path in ("a.html", "b.html", "gone.html", "moved")]
            found, _ = probe(urls, *place)
            outcomes = [found[url]["outcome"] for url in urls]
            expect(outcomes == ["alive", "alive", "gone", "moved"], found)
            expect_crawl(folder, place, certificate)
        finally:
            server.terminate()
            server.wait(20)
        protocols = {line.split("\t")[0] for line in (folder / "access.log").read_text().splitlines()}
        expect(protocols == {"HTTP/2.0"}, f"nginx was asked by {protocols}")
    print("ok  probed and crawled by HTTP/2")
    return ending()


if __name__ == "__main__":
    sys.exit(main())
