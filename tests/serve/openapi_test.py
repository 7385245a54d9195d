#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The OpenAPI document is valid, and schemathesis finds no answer that it does not describe."""

import json
import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from serving import SAMPLE, SOURCE, expect, serving  # noqa: E402
from archives import temporary_folder, write  # noqa: E402
from running import run_tests, skip  # noqa: E402

# What a read-only server without side effects can be checked for. Random URLs, dates and kinds get 400 or 404, so
# `positive_data_acceptance` is left out. tests/serve/service_test.cpp has more words that must be refused.
CHECKS = "negative_data_rejection,not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,response_schema_conformance,missing_required_header,unsupported_method"


TOKEN = "a-token-of-some-length"
# JSON lines are text.
HOOKS = """
import schemathesis

@schemathesis.serializer("application/x-ndjson")
def lines(context, value):
    return str(value).encode()
"""


def expect_all_as_described(folder, server, *words):
    program = Path(sys.executable).parent / "schemathesis"
    if not program.exists():
        skip("schemathesis is not installed")
    (folder / "hooks.py").write_text(HOOKS)
    done = subprocess.run([program, "run", f"{server.address}api/v1/openapi.json", "--checks", CHECKS, "--seed", "7", "--phases", "examples,coverage,fuzzing", *words],
                          capture_output=True, cwd=folder, timeout=600, env=os.environ | {"SCHEMATHESIS_HOOKS": "hooks", "PYTHONPATH": str(folder)})
    expect(done.returncode == 0, done.stdout.decode()[-6000:] + done.stderr.decode()[-2000:])
    expect(server.get("healthz")[0] == 200, "it no longer answers")


def test_all_answers_are_as_described(folder):
    write("build", folder / "lib.ws", SAMPLE / "2021.warc.gz")
    (folder / "0").write_text("webstrata liverank 1\nasked\thttp://a.example/\nanswer\thttp://a.example/\t404\n")  # a name that is often tried
    with serving(folder / "lib.ws", "--runs", folder / "0") as server:
        expect_all_as_described(folder, server, "--max-examples", "40", "--exclude-path-regex", "events$")


def writable(folder):
    write("build", folder / "lib.ws", SAMPLE / "2021.warc.gz")
    (folder / "token").write_text(TOKEN)
    return serving(folder / "lib.ws", "--writable", "--token", folder / "token")


def test_changes_are_as_described(folder):
    with writable(folder) as server:
        expect_all_as_described(folder, server, "--max-examples", "20", "--include-path-regex", "(update|forget|compact)$", "-H", f"Authorization: Bearer {TOKEN}")


def test_the_table_of_the_documents_is_the_table_of_routes(folder):
    page = (SOURCE / "docs" / "api.md").read_text()
    with writable(folder) as server:
        document = json.loads(server.get("api/v1/openapi.json", headers={"Authorization": f"Bearer {TOKEN}"})[2])
    expect(sum("post" in operation for operation in document["paths"].values()) == 3, "changes are missing")
    for path, operation in document["paths"].items():
        beginning = f"| POST `{path[1:]}`" if "post" in operation else f"| `{path[1:]}`"
        row = next((line for line in page.splitlines() if line.startswith(beginning)), None)
        expect(row, f"docs/api.md says nothing about {path}")
        for parameter in next(iter(operation.values()))["parameters"]:
            expect(parameter["in"] == "path" or f"`{parameter['name']}`" in row, f"docs/api.md says nothing about {parameter['name']} of {path}")


if __name__ == "__main__":
    sys.exit(run_tests(dict(globals()), folder=temporary_folder))
