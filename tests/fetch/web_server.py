# SPDX-License-Identifier: Apache-2.0
"""Folders of files served by nginx as virtual hosts <name>.docs.example, on loopback, on a port of the system's choice."""

import getpass
import shutil
import socket
import subprocess
import time

CONFIGURATION = """
user {user}; daemon off; worker_processes 1; pid {folder}/nginx.pid; error_log {folder}/error.log;
events {{ worker_connections 1024; }}
http {{
  types {{ text/html html htm; text/plain txt; }} default_type application/octet-stream;
  log_format times '$msec\t$host\t$status\t$request_uri'; access_log {folder}/access.log times;
  client_body_temp_path {folder}/t1; proxy_temp_path {folder}/t2; fastcgi_temp_path {folder}/t3;
  uwsgi_temp_path {folder}/t4; scgi_temp_path {folder}/t5; keepalive_requests 100000; absolute_redirect off;
  {hosts}
  server {{ listen 127.0.0.1:{port} default_server; server_name ~^(?<name>.+)\\.docs\\.example$; root {root}/$name; }}
}}
"""


def is_there():
    return shutil.which("nginx") is not None


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


class Nginx:
    """Serves the folders under `root`; `special` maps a host to what its server block contains besides the root."""

    def __init__(self, folder, root, special=None):
        self.folder, self.root, self.special = folder, root, special or {}

    def __enter__(self):
        self.folder.mkdir(exist_ok=True)
        self.port = free_port()
        blocks = [f"server {{ listen 127.0.0.1:{self.port}; server_name {name}.docs.example; root {self.root}/{name}; {words} }}"
                  for name, words in self.special.items()]
        path = self.folder / "nginx.conf"
        path.write_text(CONFIGURATION.format(user=getpass.getuser(), folder=self.folder, root=self.root, port=self.port, hosts="\n".join(blocks)))
        self.process = subprocess.Popen(["nginx", "-p", self.folder, "-c", path], stderr=subprocess.DEVNULL)
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return self
            except OSError:
                time.sleep(0.05)
        raise RuntimeError("nginx did not start: " + (self.folder / "error.log").read_text())

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(20)

    def log(self):
        """(time, host, status, path) of every request."""
        lines = (self.folder / "access.log").read_text().splitlines()
        return [(float(time), host, int(status), path) for time, host, status, path in (line.split("\t", 3) for line in lines)]
