# SPDX-License-Identifier: Apache-2.0
"""Adds the licences of the libraries inside a wheel, as Debian's packages record them.

    python tools/wheel_licences.py dist/webstrata-*.whl

Whoever passes the wheel on passes these libraries on too. Fails if the licence of one is not found: it must be added by hand then.
"""

import base64
import hashlib
import re
import subprocess
import sys
import zipfile
from pathlib import Path


def original_name(name):
    """auditwheel calls libldap-2.5.so.0.1.8 libldap-2-1a2b3c4d.5.so.0.1.8."""
    return re.sub(r"-[0-9a-f]{8}(?=\.)", "", Path(name).name, count=1)


def package_of(library):
    """The Debian package that has this file; empty if none has."""
    done = subprocess.run(["dpkg-query", "--search", f"*/{library}"], capture_output=True, text=True)
    return done.stdout.partition(":")[0] if done.returncode == 0 else ""


def licences_of(libraries):
    """{package: text of its licences}."""
    found, missing = {}, []
    for library in libraries:
        package = package_of(original_name(library))
        path = Path("/usr/share/doc") / package / "copyright"
        if package and path.is_file():
            found[package] = path.read_bytes()
        else:
            missing.append(original_name(library))
    if missing:
        sys.exit(f"wheel_licences.py: no Debian package with a licence is known for {', '.join(missing)}")
    return found


def record_line(name, content):
    """A line of RECORD, as the format of wheels has it."""
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}\n"


def add(wheel):
    with zipfile.ZipFile(wheel) as old:
        names = old.namelist()
        record = next(name for name in names if name.endswith(".dist-info/RECORD"))
        libraries = sorted(name for name in names if ".libs/" in name and ".so" in name)
        folder = f"{Path(record).parent}/licenses/libraries"
        new = {f"{folder}/{package}.copyright": text for package, text in licences_of(libraries).items()}
        unfinished = wheel.with_suffix(".unfinished")
        with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED) as out:
            for entry in old.infolist():
                if entry.filename != record:
                    out.writestr(entry, old.read(entry), zipfile.ZIP_DEFLATED)
            for name, text in new.items():
                out.writestr(name, text)
            out.writestr(record, old.read(record).decode() + "".join(record_line(name, text) for name, text in new.items()))
    unfinished.replace(wheel)
    print(f"{wheel.name}: licences of {len(new)} packages for {len(libraries)} libraries")


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        add(Path(argument))
