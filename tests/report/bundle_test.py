# SPDX-License-Identifier: Apache-2.0
"""The committed bundle is what its sources give: by a digest everywhere, byte for byte where npm is."""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from not_tried import skip  # noqa: E402

WEB = Path(os.environ["WEBSTRATA_SOURCE"]) / "web"
SOURCES = ["app.html", "notices.ts", "package-lock.json", "package.json", "tsconfig.json", "vite.app.config.ts", "vite.config.ts"]
FILES = ["app.css", "app.html", "app.js", "report.css", "report.js", "sources.sha256"]


def digest_of_sources():
    names = sorted(SOURCES + [str(path.relative_to(WEB)) for path in (WEB / "src").rglob("*") if path.is_file()])
    digest = hashlib.sha256()
    for name in names:
        digest.update(f"{name}\n".encode() + (WEB / name).read_bytes())
    return digest.hexdigest()


def test_the_bundle_was_built_after_the_last_change():
    written = (WEB / "dist" / "sources.sha256").read_text().strip()
    assert written == digest_of_sources(), "web/ changed after web/dist was built: run `make web` and commit web/dist"


def test_the_lock_file_names_no_places():
    lock = (WEB / "package-lock.json").read_text()
    assert '"resolved"' not in lock and '"integrity"' in lock, "packages are named by version and hash alone"


def test_building_again_gives_the_same_bytes():
    with tempfile.TemporaryDirectory() as folder:
        for config in ("vite.config.ts", "vite.app.config.ts"):
            done = subprocess.run(["npx", "vite", "build", "--config", config, "--outDir", folder, "--logLevel", "warn"], cwd=WEB, capture_output=True, text=True)
            assert done.returncode == 0, done.stdout + done.stderr
        for name in FILES:
            assert (Path(folder) / name).read_bytes() == (WEB / "dist" / name).read_bytes(), f"{name} differs: run `make web`"
    done = subprocess.run(["npx", "tsc", "--noEmit"], cwd=WEB, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def main():
    test_the_bundle_was_built_after_the_last_change()
    test_the_lock_file_names_no_places()
    print("the bundle is newer than its sources")
    if not shutil.which("npx") or not (WEB / "node_modules" / "vite").is_dir():
        skip("no npm packages in web/node_modules (`make test-tools` installs them): the bundle was not built again")
    test_building_again_gives_the_same_bytes()
    print("building it again gives the same bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
