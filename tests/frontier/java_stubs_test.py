#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Our protocol file against the Java stubs that crawlers use (the artifact com.github.crawler-commons:urlfrontier-API, which has no
protocol file of its own).

Every field and every call that the stubs know has the same number, type and place in our file; a message of each kind with all fields
filled, written by the stubs, means the same to us and has the same bytes when we write it; and a service answers calls made through the
stubs. What our version of the API has in addition is listed here, so that nothing else can differ.
"""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from google.protobuf import descriptor, json_format

from calling import SOURCE, Service, pb
from running import expect, skip

# In 2.6 and not in the stubs of 2.5.
NEW_CALLS = {"PutDiscovered", "PurgeURLs"}
NEW_MESSAGES = {"DiscoveredBatch", "BatchAck", "PurgeUrlParams"}
NEW_FIELDS = {("URLItem", "creation_date"), ("CrawlLimitParams", "local")}
FETCH_SECONDS = 600


def jars():
    """The stubs and what they need, fetched once per checkout."""
    mvn = shutil.which("mvn")
    if not mvn or not shutil.which("javac"):
        skip("needs mvn and javac (tools/packages.test): NOTHING WAS COMPARED WITH THE JAVA STUBS of URL Frontier")
    folder = SOURCE / "build" / "frontier_stubs"
    if not (folder / "ready").exists():
        command = [mvn, "-q", "-B", "-f", SOURCE / "tests" / "frontier" / "java" / "pom.xml", "dependency:copy-dependencies",
                   "-DincludeScope=runtime", f"-DoutputDirectory={folder}"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=FETCH_SECONDS)
        if done.returncode != 0:
            reason = next((line for line in (done.stdout + done.stderr).splitlines() if "ERROR" in line), "mvn failed")
            skip(f"maven cannot fetch urlfrontier-API, so NOTHING WAS COMPARED WITH THE JAVA STUBS: {reason}")
        (folder / "ready").touch()
    return f"{folder}/*"


def compiled(classpath, folder):
    source = SOURCE / "tests" / "frontier" / "java" / "StubsCheck.java"
    subprocess.run(["javac", "-encoding", "UTF-8", "-d", folder, "-cp", classpath, source], check=True, capture_output=True)
    return ["java", "-Dfile.encoding=UTF-8", "-cp", f"{folder}:{classpath}", "StubsCheck"]


def said(program, *words):
    done = subprocess.run([*program, *map(str, words)], capture_output=True, text=True, timeout=300)
    expect(done.returncode == 0, f"StubsCheck {words}: {done.stderr[-2000:]}")
    return [line.split("\t") for line in done.stdout.splitlines()]


def kind_of(field):
    if field.message_type:
        return field.message_type.full_name
    if field.enum_type:
        return field.enum_type.full_name
    names = {value: name[5:].lower() for name, value in vars(descriptor.FieldDescriptor).items() if name.startswith("TYPE_")}
    return names[field.type]


def our_fields(message):
    for field in message.fields:
        oneof = field.containing_oneof
        is_optional = oneof is not None and len(oneof.fields) == 1 and oneof.name == f"_{field.name}"
        is_repeated = field.is_repeated if hasattr(field, "is_repeated") else field.label == field.LABEL_REPEATED
        yield (message.full_name, str(field.number), field.name, kind_of(field), "repeated" if is_repeated else "one",
               oneof.name if oneof and not is_optional else "", "optional" if is_optional else "")
    for nested in message.nested_types:
        yield from our_fields(nested)


def check_fields(lines):
    messages = pb.DESCRIPTOR.message_types_by_name
    ours = {line for message in messages.values() for line in our_fields(message)}
    theirs = {tuple(words[1:]) for words in lines if words[0] == "field"}
    expect(theirs <= ours, f"the stubs have fields that we have not: {sorted(theirs - ours)}")
    more = {(line[0].split(".")[1], line[2]) for line in ours - theirs}
    more = {(message, field) for message, field in more if message not in NEW_MESSAGES}
    expect(more == NEW_FIELDS, f"fields that the stubs have not: {sorted(more)}")
    expect(len(theirs) > 60, f"only {len(theirs)} fields were compared")
    values = {tuple(words[1:]) for words in lines if words[0] == "value"}
    ours = {(kind.full_name, str(value.number), value.name)
            for message in messages.values() for kind in message.enum_types for value in kind.values}
    expect(values == ours, f"values of enumerations differ: {values ^ ours}")
    return len(theirs)


def check_calls(lines):
    service = pb.DESCRIPTOR.services_by_name["URLFrontier"]
    expect(["service", service.full_name] in lines, "the name of the service")
    ours = {(call.name, call.input_type.name, call.output_type.name, str(call.client_streaming).lower(), str(call.server_streaming).lower())
            for call in service.methods}
    theirs = {tuple(words[1:]) for words in lines if words[0] == "call"}
    expect(theirs <= ours, f"the stubs have calls that we have not: {sorted(theirs - ours)}")
    expect({line[0] for line in ours - theirs} == NEW_CALLS, f"calls that the stubs have not: {sorted(ours - theirs)}")
    expect(len(ours) == 19, f"{len(ours)} calls")


def check_samples(lines):
    """What Java wrote means the same to us, and we write the same bytes."""
    samples = [words[1:] for words in lines if words[0] == "sample"]
    for name, written, text in samples:
        message = getattr(pb, name).FromString(bytes.fromhex(written))
        expect(json_format.MessageToDict(message, preserving_proto_field_name=True) == json_format.MessageToDict(
            json_format.Parse(text, getattr(pb, name)()), preserving_proto_field_name=True), f"{name} means something else: {text}")
        expect(message.SerializeToString(deterministic=True).hex() == written, f"{name} has other bytes")
    messages = set(pb.DESCRIPTOR.message_types_by_name) - NEW_MESSAGES
    expect({name for name, _, _ in samples} == messages, f"messages without a sample: {messages}")
    return len(samples)


EXPECTED = {
    "PutURLs": "[http://b.example/1 OK, http://b.example/2 OK, id of http://a.example/1 OK, id of http://a.example/1 SKIPPED, id of http://a.example/2 OK]",
    "SetDelay": "", "GetURLs": "[http://a.example/1 a.example [java, ü]]", "GetStats": "2 1 1 1", "ListNodes": "1", "ListCrawls": "true",
    "ListQueues": "[a.example, b.example]", "BlockQueueUntil": "", "GetURLs blocked": "[]", "SetCrawlLimit": "", "SetActive": "",
    "GetActive": "false", "SetLogLevel": "", "GetURLStatus": "4000000000", "GetURLStatus unknown": "NOT_FOUND",
    "ListURLs": "[http://a.example/2, http://b.example/2]", "CountURLs": "2", "DeleteQueue": "2", "DeleteCrawl": "false",
}


def main():
    classpath = jars()
    with tempfile.TemporaryDirectory() as folder:
        program = compiled(classpath, folder)
        lines = said(program, "describe")
        fields = check_fields(lines)
        check_calls(lines)
        samples = check_samples(lines)
        print(f"ok  {fields} fields, 19 calls, {samples} messages as the Java stubs have them", flush=True)
        elsewhere = os.environ.get("WEBSTRATA_FRONTIER")
        if elsewhere:
            found = said(program, "call", *elsewhere.rsplit(":", 1))
        else:
            with Service(Path(folder)) as service:
                found = said(program, "call", "127.0.0.1", service.port)
        found = {words[0]: words[1] for words in found}
        wrong = {name: (found.get(name), wanted) for name, wanted in EXPECTED.items() if found.get(name) != wanted}
        expect(not wrong, f"calls through the Java stubs (found, expected): {wrong}")
        print(f"ok  {len(EXPECTED)} answers to calls through the Java stubs", flush=True)


main()
