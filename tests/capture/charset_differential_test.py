#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Charsets against Python's own codecs: every byte of the single-byte charsets, and every
character that the multi-byte codecs know.

Where the Encoding standard differs from the codec, it is said here. Labels are compared with the
list of the PyPI package webencodings, which html5lib brings along.
"""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.environ["WEBSTRATA_SOURCE"], "tests"))
from not_tried import ending, not_tried  # noqa: E402

DUMP = os.path.join(os.environ["WEBSTRATA_BUILD"], "tests/charset_dump")

CODECS = {"macintosh": "mac-roman", "x-mac-cyrillic": "mac-cyrillic", "windows-874": "cp874",
          "ibm866": "cp866"}
SINGLE = """windows-1252 ibm866 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7
iso-8859-8 iso-8859-10 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 koi8-r koi8-u macintosh
windows-874 windows-1250 windows-1251 windows-1253 windows-1254 windows-1255 windows-1256
windows-1257 windows-1258 x-mac-cyrillic""".split()
# The standard's indexes, where Python (and iconv) know these charsets differently.
STANDARD = {("koi8-u", 0xae): "\u045e", ("koi8-u", 0xbe): "\u040e",
            ("windows-1255", 0xca): "\u05ba"}
# Standard name -> codec, and the share of characters that must agree. Vendors map a handful of
# signs (wave dash, double bar, minus, yen, overline ...) differently; user-defined areas too.
MULTI = {"shift_jis": ("cp932", 0.995), "euc-jp": ("euc_jp", 0.998), "gbk": ("gbk", 0.999),
         "gb18030": ("gb18030", 0.999), "big5": ("big5hkscs", 0.995), "euc-kr": ("cp949", 0.999),
         "iso-2022-jp": ("iso2022_jp", 0.998)}
REFUSED = "replacement"  # browsers reject them; we treat them as unknown
ALIASES = {"iso-8859-8-i": "iso-8859-8"}


def decode(questions):
    lines = "".join("%s %s\n" % (label, data.hex()) for label, data in questions)
    out = subprocess.run([DUMP], input=lines, stdout=subprocess.PIPE, check=True, text=True).stdout
    answers = out.splitlines()
    assert len(answers) == len(questions)
    return [None if a == "-" else bytes.fromhex(a).decode("utf-8") for a in answers]


def expected_single(name, byte):
    if (name, byte) in STANDARD:
        return STANDARD[name, byte]
    try:
        return bytes([byte]).decode(CODECS.get(name, name))
    except UnicodeDecodeError:
        return chr(byte) if byte < 0xa0 else "\ufffd"


def check_single():
    questions = [(name, bytes([byte])) for name in SINGLE for byte in range(256)]
    wrong = [(name, data, answer) for (name, data), answer in zip(questions, decode(questions))
             if answer != expected_single(name, data[0])]
    print("%d bytes of %d single-byte charsets, %d differ %s" % (
        len(questions), len(SINGLE), len(wrong), wrong[:5]))
    return not wrong


def check_multi():
    good = True
    for name, (codec, share) in MULTI.items():
        characters, questions = [], []
        for code_point in list(range(0x80, 0xd800)) + list(range(0xf900, 0x10000)):
            try:
                data = chr(code_point).encode(codec)
            except UnicodeEncodeError:
                continue
            characters.append(chr(code_point))
            questions.append((name, data))
        answers = decode(questions)
        agree = sum(a == c for a, c in zip(answers, characters))
        differ = ["%04x" % ord(c) for a, c in zip(answers, characters) if a != c]
        print("%-12s %6d characters, %6d agree with %s; first others: %s" % (
            name, len(characters), agree, codec, " ".join(differ[:12])))
        good = good and agree >= share * len(characters)
    return good


def check_labels():
    try:
        from webencodings.labels import LABELS
    except ImportError:
        not_tried("labels were not compared: webencodings is not installed (tests/requirements.txt)")
        return True
    wrong = []
    # A byte that distinguishes most charsets; names must decode it as their labels do.
    for label, name in sorted(LABELS.items()):
        known = decode([(label, b"\xc1\xc2")])[0]
        wanted = None if name == REFUSED else decode([(ALIASES.get(name, name), b"\xc1\xc2")])[0]
        if known != wanted:
            wrong.append((label, name))
    print("%d labels, wrong: %s" % (len(LABELS), wrong))
    return not wrong


def main():
    results = [check_single(), check_multi(), check_labels()]
    print("ok" if all(results) else "FAILED")
    return ending() if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
