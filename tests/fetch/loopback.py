"""A web of many hosts on one port of this machine, which writes down what it is asked and when."""

import http.server
import threading
import time


class Web:
    """`answer(host, path)` gives (status, headers, body); `log` holds (host, path, time) in order."""

    def __init__(self, answer):
        self.log = []
        web = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_GET(self):
                host = self.headers.get("Host", "").split(":")[0]
                web.log.append((host, self.path, time.monotonic()))
                status, headers, body = answer(host, self.path)
                try:
                    self.send_response(status)
                    for name, value in headers.items():
                        self.send_header(name, value)
                    self.send_header("Content-Length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)
                except OSError:
                    self.close_connection = True  # whoever asked is dead

            def log_message(self, *arguments):
                pass

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 1024

            def handle_error(self, *arguments):
                pass

        self.server = Server(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *ignored):
        self.server.shutdown()
        self.server.server_close()

    def flags(self, delay="0s"):
        """For a command that should ask this web, whatever the names: hosts do not share their server's time."""
        return ["--agent", "webstrata-test/1.0 (+https://test.example/)", "--connect-to", f"127.0.0.1:{self.port}",
                "--delay", delay, "--ip-delay", "0s", "--ip-connections", "64", "--backoff", "200ms"]
