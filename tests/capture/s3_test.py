# SPDX-License-Identifier: Apache-2.0
"""s3:// inputs, from moto's server: the archive is that of the local file, byte for byte; signatures are those of botocore."""

import logging
import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from archives import expect_same, temporary_folder  # noqa: E402
from crawl_forms import all_forms  # noqa: E402
from running import expect, expect_one_line, run, run_tests, skip  # noqa: E402

try:
    from s3_server import KEY, SECRET, TOKEN, s3_server
except ImportError as error:
    skip(f"{error} (tests/requirements.txt)")

logging.getLogger("werkzeug").setLevel(logging.ERROR)
FORMS = all_forms()
SHARDS = ("cdx-00000.gz",)  # read through their index
ODD_KEYS = ("two words.warc.gz", "plus+sign.warc.gz", "100%.warc.gz", "already%20escaped.warc.gz", "é-ü-日本.warc.gz",
            "dt=2024-05-22/a=b&c.warc.gz", "a~b(c)'d!e*f@g:h;i,j$k.warc.gz", "question?mark#hash.warc.gz", "[brackets]{braces}.warc.gz",
            "slashes//twice.warc.gz")


def environment(server, **more):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("AWS_") and "proxy" not in name.lower()}
    return {**kept, "AWS_ENDPOINT_URL": server.url, "NO_PROXY": "*", **more}


def signed(server, **more):
    return environment(server, AWS_ACCESS_KEY_ID=KEY, AWS_SECRET_ACCESS_KEY=SECRET, **more)


def built(folder, name, *inputs, **options):
    code, _, errors = run("build", "--quiet", folder / name, *inputs, **options)
    expect(code == 0, f"{inputs}: {errors}")
    return folder / name


def refused(folder, name, variables, *words):
    code, _, errors = run("build", "--quiet", "--strict", folder / "refused.ws", name, env=variables)
    expect(code == 2 and not (folder / "refused.ws").exists(), f"{name}: {code} {errors}")
    expect("(--strict)" in errors.splitlines()[-1], errors)
    expect_one_line("".join(errors.splitlines()[:-1]), *words)


def buckets(server):
    for bucket in ("public", "private"):
        server.client.create_bucket(Bucket=bucket)
    for name, content in FORMS.items():
        server.client.put_object(Bucket="public", Key=f"crawl/{name}", Body=content, ACL="public-read")


def test_every_format_gives_the_bytes_of_the_local_file(server, folder):
    buckets(server)
    for name, content in FORMS.items():
        (folder / name).write_bytes(content)
    for name in FORMS:
        if name in SHARDS:
            continue
        built(folder, "local.ws", folder / name)
        for variables, threads in ((environment(server), 1), (signed(server), 2)):
            built(folder, "s3.ws", f"s3://public/crawl/{name}", "--threads", threads, env=variables)
            expect_same(folder / "local.ws", folder / "s3.ws", f"{name}, {threads} threads")
            subprocess.run(["rm", "-r", folder / "s3.ws"], check=True)
        subprocess.run(["rm", "-r", folder / "local.ws"], check=True)
    expect(all(one[3] for one in server.log), "a request without a range")
    expect({one[2] for one in server.log} == {False, True}, "anonymous and signed requests")


def test_odd_keys_are_signed_as_botocore_signs_them(server, folder):
    buckets(server)
    warc = FORMS["x.warc.gz"]
    for key in ODD_KEYS:
        server.client.put_object(Bucket="private", Key=key, Body=warc)
        local = folder / "local" / Path(key).name
        local.parent.mkdir(exist_ok=True)
        local.write_bytes(warc)
        for variables in (signed(server), signed(server, AWS_SESSION_TOKEN=TOKEN, AWS_REGION="eu-west-1")):
            built(folder, "s3.ws", f"s3://private/{key}", env=variables)
            built(folder, "local.ws", local)
            expect_same(folder / "local.ws", folder / "s3.ws", key)
            subprocess.run(["rm", "-r", folder / "s3.ws", folder / "local.ws"], check=True)
    expect(all(one[0] is None and one[2] for one in server.log), [one for one in server.log if one[0]])


def test_access_is_refused_with_a_remedy(server, folder):
    buckets(server)
    server.client.put_object(Bucket="private", Key="x.warc.gz", Body=FORMS["x.warc.gz"])
    place = "s3://private/x.warc.gz"
    refused(folder, place, environment(server), "access denied", "AccessDenied", "anonymous", "AWS_ACCESS_KEY_ID", place)
    refused(folder, place, signed(server) | {"AWS_SECRET_ACCESS_KEY": "wrong"}, "SignatureDoesNotMatch", "AWS_SECRET_ACCESS_KEY")
    refused(folder, place, signed(server) | {"AWS_ACCESS_KEY_ID": "AKIAOTHER"}, "InvalidAccessKeyId", "does not know the key")
    refused(folder, place, signed(server, AWS_SESSION_TOKEN="old"), "InvalidToken", "AWS_SESSION_TOKEN")
    refused(folder, place, signed(server, AWS_NO_SIGN_REQUEST="yes"), "anonymous")
    refused(folder, "s3://public/no.warc.gz", environment(server), "no such object", "s3://public/no.warc.gz")
    refused(folder, "s3://nobody-has-it/x.warc.gz", signed(server), "no such bucket")
    server.client.put_object(Bucket="public", Key="empty.warc.gz", Body=b"")
    refused(folder, "s3://public/empty.warc.gz", signed(server), "is empty")
    expect_one_line(run("build", "--quiet", folder / "refused.ws", "s3://", env=environment(server))[2], "names no bucket")
    refused(folder, place, environment(server, AWS_ACCESS_KEY_ID=KEY), "AWS_SECRET_ACCESS_KEY is not")
    refused(folder, place, environment(server, AWS_PROFILE="nobody", HOME=str(folder)), "AWS_PROFILE=nobody")


def test_a_profile_has_the_keys(server, folder):
    buckets(server)
    server.client.put_object(Bucket="private", Key="x.warc.gz", Body=FORMS["x.warc.gz"])
    (folder / "keys").write_text(f"[mine]\naws_access_key_id = {KEY}\naws_secret_access_key = {SECRET}\n")
    built(folder, "s3.ws", "s3://private/x.warc.gz",
          env=environment(server, AWS_PROFILE="mine", AWS_SHARED_CREDENTIALS_FILE=str(folder / "keys")))


def test_the_region_is_learned(server, folder):
    buckets(server)
    server.client.put_object(Bucket="private", Key="x.warc.gz", Body=FORMS["x.warc.gz"])
    server.region = "eu-north-1"
    try:
        built(folder, "s3.ws", "s3://private/x.warc.gz", env=signed(server))
        expect([one[0] for one in server.log].count("AuthorizationHeaderMalformed") == 1, server.log)
    finally:
        server.region = None


def test_a_prefix_is_a_folder(server, folder):
    """In pages of four, with keys that XML and URLs find difficult."""
    buckets(server)
    names = sorted([f"{number}.cdxj" for number in range(8)] + ["a b.cdxj", "c+d%20&e.cdxj", "é.cdxj"])
    (folder / "local").mkdir()
    for number, name in enumerate(names):
        line = FORMS["x.cdxj"].splitlines(keepends=True)[number]
        (folder / "local" / name).write_bytes(line)
        server.client.put_object(Bucket="private", Key=f"folder & more/{name}", Body=line)
    server.client.put_object(Bucket="private", Key="folder & more/", Body=b"")
    server.client.put_object(Bucket="private", Key="folder & more.cdxj", Body=b"rubbish")
    built(folder, "local.ws", *(folder / "local").iterdir())
    built(folder, "s3.ws", "s3://private/folder & more/", env=signed(server))
    expect_same(folder / "local.ws", folder / "s3.ws", "a prefix")
    expect(sum("list-type=2" in one[1] for one in server.log) >= 3, server.log)
    expect(all(one[0] is None for one in server.log), server.log)
    code, _, errors = run("build", "--quiet", folder / "no.ws", "s3://private/nothing/", env=signed(server))
    expect(code == 2, errors)
    expect_one_line(errors, "s3://private/nothing/", "no objects below it")
    code, _, errors = run("build", "--quiet", folder / "no.ws", "s3://private/", env=environment(server))
    expect(code == 2, errors)
    expect_one_line(errors, "access denied", "AWS_ACCESS_KEY_ID")


def test_an_object_that_changes_is_an_error(server, folder):
    """The server itself refuses the old version (If-Match)."""
    buckets(server)
    server.client.put_object(Bucket="public", Key="x.warc.gz", Body=FORMS["x.warc.gz"])
    inner, seen = server.application, []

    def changing(environment, start):
        if "x.warc.gz" in environment["PATH_INFO"]:
            seen.append(environment.get("HTTP_IF_MATCH"))
            if len(seen) == 3:
                server.client.put_object(Bucket="public", Key="x.warc.gz", Body=FORMS["x.warc.gz"][::-1])
        return inner(environment, start)

    server.application = changing
    try:
        refused(folder, "s3://public/x.warc.gz", signed(server), "changed on the server")
    finally:
        server.application = inner
    expect(seen[0] is None and seen[1], seen)


def main():
    with s3_server() as server:
        def prepared():
            server.log.clear()
            return temporary_folder()
        return run_tests(globals(), server, folder=prepared)


if __name__ == "__main__":
    sys.exit(main())
