#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The table of named character references is what tools/make_html_entities.py makes."""
import os
import subprocess
import sys

source = os.environ["WEBSTRATA_SOURCE"]
made = subprocess.run([sys.executable, os.path.join(source, "tools/make_html_entities.py")],
                      stdout=subprocess.PIPE, check=True, text=True).stdout
with open(os.path.join(source, "webstrata/capture/html/html_entities.inc")) as file:
    same = file.read() == made
print("ok" if same else "FAILED: run tools/make_html_entities.py again")
sys.exit(0 if same else 1)
