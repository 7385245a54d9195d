# SPDX-License-Identifier: Apache-2.0
"""A real S3 server on loopback: moto's. In front of it every signature is computed again, by botocore, from the request as it arrived;
requests without one may read the bucket "public" only."""

import contextlib
import os
import threading

from boto3 import Session
from botocore.auth import S3SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.config import Config
from botocore.credentials import Credentials
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import make_server

os.environ["MOTO_S3_DEFAULT_MAX_KEYS"] = "4"  # of a page of a list
KEY, SECRET, TOKEN = "AKIATEST", "se+cret/word", "to/ken=="


class Guard:
    """What S3 itself does before it looks at a request."""

    def __init__(self, application):
        self.application = application
        self.region = None  # the only one that is right, if set
        self.log = []  # of (status before the server, raw target, whether it was signed)

    def __call__(self, environment, start):
        target = environment.get("REQUEST_URI") or environment["RAW_URI"]
        code = self.refusal(environment, target)
        self.log.append((code, target, "HTTP_AUTHORIZATION" in environment, environment.get("HTTP_RANGE")))
        if code is None:
            return self.application(environment, start)
        body = f"<?xml version='1.0'?><Error><Code>{code}</Code><Message>Refused by the guard</Message></Error>".encode()
        fields = [("Content-Length", str(len(body))), ("Content-Type", "application/xml")]
        if code == "AuthorizationHeaderMalformed":
            fields.append(("x-amz-bucket-region", self.region))
        start("400 Bad Request" if code == "AuthorizationHeaderMalformed" else "403 Forbidden", fields)
        return [body]

    def refusal(self, environment, target):
        signed = environment.get("HTTP_AUTHORIZATION")
        if signed is None:
            is_public = target.startswith("/public/") or target.startswith("/public?")
            return None if is_public else "AccessDenied"
        said = dict(part.strip().split("=", 1) for part in signed.removeprefix("AWS4-HMAC-SHA256 ").split(","))
        key, _, region, _, _ = said["Credential"].split("/")
        if key != KEY:
            return "InvalidAccessKeyId"
        if self.region not in (None, region):
            return "AuthorizationHeaderMalformed"
        headers = {name: environment["HTTP_" + name.upper().replace("-", "_")] for name in said["SignedHeaders"].split(";")}
        if headers.get("x-amz-security-token", TOKEN) != TOKEN:
            return "InvalidToken"
        request = AWSRequest("GET", f"http://{environment['HTTP_HOST']}{target}", headers=headers)
        request.context["timestamp"] = headers["x-amz-date"]
        signer = S3SigV4Auth(Credentials(KEY, SECRET), "s3", region)
        right = signer.signature(signer.string_to_sign(request, signer.canonical_request(request)), request)
        return None if right == said["Signature"] else "SignatureDoesNotMatch"


@contextlib.contextmanager
def s3_server():
    """Gives the guard, with `url` and a boto3 client for the server behind it."""
    guard = Guard(DomainDispatcherApplication(create_backend_app))
    server = make_server("127.0.0.1", 0, guard, threaded=True)
    behind = make_server("127.0.0.1", 0, guard.application, threaded=True)
    for one in (server, behind):
        threading.Thread(target=one.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    guard.url = f"http://127.0.0.1:{server.port}"
    guard.client = Session("any", "thing", region_name="us-east-1").client(
        "s3", endpoint_url=f"http://127.0.0.1:{behind.port}", config=Config(s3={"addressing_style": "path"}))
    try:
        yield guard
    finally:
        for one in (server, behind):
            one.shutdown()
            one.server_close()
