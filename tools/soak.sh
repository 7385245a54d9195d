#!/bin/sh
# SPDX-License-Identifier: Apache-2.0

# soak.sh [MINUTES] [SEED]: for MINUTES (default 60), one archive under updates, compactions, questions and `serve`, crawls of
# `replay`, and frontiers, all at the same time and with kills; then everything is checked. Prints the seed first, what was done
# and what has grown at the end; soak.log and soak.json are in build/soak (--out FOLDER). Ctrl-C ends the load and goes on
# with the checks. Builds what it needs: the program without sanitizers, which would hide what memory it takes.
set -eu
cd "$(dirname "$0")/.."
python=${WEBSTRATA_PYTHON:-build/venv/bin/python}
[ -x "$python" ] || python=python3
if [ -z "${WEBSTRATA_PROGRAM:-}" ]; then
  [ -f build/dev/build.ninja ] || cmake --preset dev -Wno-dev > /dev/null
  cmake --build --preset dev --target webstrata_program > /dev/null
fi
export WEBSTRATA_SOURCE="$PWD" WEBSTRATA_BUILD="$PWD/build/dev"
export WEBSTRATA_PROGRAM="${WEBSTRATA_PROGRAM:-$PWD/build/dev/webstrata}"
export WEBSTRATA_PLAIN_PROGRAM="$WEBSTRATA_PROGRAM"
export WEBSTRATA_SHARED="${WEBSTRATA_SHARED:-$PWD/../shared}"
export PYTHONDONTWRITEBYTECODE=1
exec "$python" tests/torture/soak.py "$@"
