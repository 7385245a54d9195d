#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make_html_entities.py > webstrata/capture/html/html_entities.inc

Prints the named character references of HTML as two C++ tables, from the list that Python's
standard library carries (html.entities.html5). Names are sorted bytewise and stored once, without
their semicolon; `legacy` marks those that may also be written without one.
"""
from html.entities import html5

names = sorted({name.rstrip(";") for name in html5})
offset = 0
entries, blob = [], []
for name in names:
    text = html5[name + ";"]
    code_points = [ord(character) for character in text] + [0]
    assert len(text) <= 2 and code_points[1] < 0x10000 and name.isalnum()
    entries.append("{%d, %d, %s, 0x%x, 0x%x}," % (
        offset, len(name), "true" if name in html5 else "false", code_points[0], code_points[1]))
    blob.append(name)
    offset += len(name)
assert offset < 0x10000

print("// Made by tools/make_html_entities.py; change that, not this. %d names." % len(names))
print("// clang-format off")
print("constexpr char kNames[] =")
line = ""
for name in blob:
    if len(line) + len(name) > 92:
        print('    "%s"' % line)
        line = ""
    line += name
print('    "%s";' % line)
print("constexpr Entity kEntities[] = {")
line = "   "
for entry in entries:
    if len(line) + len(entry) > 98:
        print(line)
        line = "   "
    line += " " + entry
print(line)
print("};")
print("// clang-format on")
