#!/bin/sh
# SPDX-License-Identifier: Apache-2.0

# install_packages.sh GROUP...: installs the Debian packages of these groups that are missing.
# The groups are the files tools/packages.GROUP; docs/DEPENDENCIES.md says why each is there. Calls at the same time wait for each
# other.
set -eu
here=$(dirname "$0")

lock=${TMPDIR:-/tmp}/webstrata-packages.$(id -u)
exec 9> "$lock"
flock 9

missing=
for group in "$@"; do
  for package in $(sed 's/#.*//' "$here/packages.$group"); do
    # A program that came from elsewhere (node, for example) counts: "package:program".
    name=${package%%:*}
    program=${package#*:}
    [ "$program" != "$package" ] && command -v "$program" > /dev/null && continue
    dpkg-query -W -f '${Status}' "$name" 2> /dev/null | grep -q 'ok installed' || missing="$missing $name"
  done
done
[ -z "$missing" ] && exit 0

as_root=
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo > /dev/null || { echo "missing packages:$missing (install them as root)" >&2; exit 1; }
  as_root=sudo
fi
echo "installing:$missing"
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -qq 9>&-
$as_root apt-get install -y -qq --no-install-recommends $missing > /dev/null 9>&-
