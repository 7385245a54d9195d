#!/bin/bash
# SPDX-License-Identifier: Apache-2.0

# Runs the first two commands of the README on a machine that has nothing: a bare Debian 12 (minbase, git, make and
# ca-certificates) with a clone of this tree at HEAD and without ../shared.
#
#   tools/fresh_machine.sh                                 # make demo, then make test; about 40 minutes on two cores
#   tools/fresh_machine.sh --only demo                     # one of the two (demo or test)
#   tools/fresh_machine.sh --root FOLDER                   # keep the machine in FOLDER, or use the one that is there
#   tools/fresh_machine.sh --root FOLDER --run 'COMMAND'   # run something else in the clone
#
# Without --root the machine is made in $TMPDIR and removed at the end. Needs root and the package mmdebstrap. The machine
# reaches packages as this one does: it gets apt's mirrors and proxy, the proxy variables, the name servers and the
# additional certificate authorities of the host, and nothing else. A machine that is used again keeps what was installed;
# its clone is replaced. CI=true is set there: a test may be skipped only for the reasons listed in tests/skips.txt.
#
# The commands run in their own namespaces for mounts and processes: when this script ends, in whatever way, the kernel
# removes what was mounted and ends what was started.
set -euo pipefail
cd "$(dirname "$0")/.."
source=$PWD

usage() { sed -n '4,15s/^# \{0,1\}//p' "$source/tools/fresh_machine.sh"; }
fail() { echo "fresh_machine.sh: $1" >&2; exit 2; }

commands=("make demo" "make test") root=
while [ $# -gt 0 ]; do
  case "$1 ${2:-}" in
    "--only demo" | "--only test") commands=("make $2"); shift ;;
    "--root "?*) root=$(realpath -m "$2"); shift ;;
    "--run "?*) commands=("$2"); shift ;;
    "--help "*) usage; exit 0 ;;
    *) fail "unknown option or missing value: $*. See tools/fresh_machine.sh --help" ;;
  esac
  shift
done
[ "$(id -u)" -eq 0 ] || fail "only root can make and enter such a machine. Use sudo."
command -v mmdebstrap > /dev/null || fail "mmdebstrap is missing. Install it with: apt-get install mmdebstrap"

# Debian's own repositories of Debian 12 as this host's apt has them. None on another system: mmdebstrap has a default.
host_repositories() {
  apt-get indextargets --format '$(ORIGIN)|$(CODENAME)|$(REPO_URI)|$(RELEASE)|$(COMPONENT)' 'Created-By: Packages' 2> /dev/null |
    awk -F'|' '$1 == "Debian" && $2 ~ /^bookworm/ {print "deb", $3, $4, $5}' | sort -u || true
}

# Proxies, and settings without which a mirror that is a snapshot is refused.
host_apt_options() {
  apt-config dump --format '%f "%v";%n' 2> /dev/null | grep -E '^Acquire::([a-z]+::Proxy|Check-Valid-Until|Retries) ' || true
}

make_machine() {
  local options=() option
  while read -r option; do options+=("--aptopt=$option"); done < <(host_apt_options)
  echo "making a bare Debian 12 in $root"
  local work
  work=$(mktemp -d)
  host_repositories > "$work/repositories"
  # In a file: the name of a file is what mmdebstrap takes for a list of several repositories.
  mmdebstrap --variant=minbase --include=git,make,ca-certificates "${options[@]}" bookworm "$root" \
    $([ -s "$work/repositories" ] && echo "$work/repositories") > "$work/log" 2>&1 ||
    { tail -20 "$work/log" >&2; rm -rf "$work"; fail "mmdebstrap could not make the machine"; }
  rm -rf "$work"
  printf '127.0.0.1 localhost\n::1 localhost\n' > "$root/etc/hosts"
  # Last: a root without this mark is not whole.
  : > "$root/etc/fresh_machine"
}

# The host's certificate authorities, but for those that every Debian has.
give_authorities() {
  find /usr/local/share/ca-certificates -name '*.crt' -exec cp {} "$root/usr/local/share/ca-certificates" \; 2> /dev/null || true
  # Without the host's environment: its TMPDIR may not exist there.
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot "$root" update-ca-certificates > /dev/null || fail "update-ca-certificates failed"
}

clone_tree() {
  rm -rf "$root/root/webstrata"
  git clone --quiet --no-hardlinks "$source" "$root/root/webstrata"
  git -C "$root/root/webstrata" checkout --quiet --detach "$(git rev-parse HEAD)"
  [ -z "$(git status --porcelain)" ] || echo "note: changes that are not committed are not in the clone"
}

# The environment after a login, plus what reaching the network from here requires.
environment() {
  local name
  printf '%s\n' HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 "TERM=${TERM:-dumb}" CI=true
  for name in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY; do
    [ -z "${!name:-}" ] || printf '%s=%s\n' "$name" "${!name}"
  done
  # pip and node bring their own lists of authorities and do not look at the system's.
  if [ -n "$(find /usr/local/share/ca-certificates -name '*.crt' 2> /dev/null)" ]; then
    printf '%s=/etc/ssl/certs/ca-certificates.crt\n' PIP_CERT NODE_EXTRA_CA_CERTS
  fi
}

run_inside() {
  local words=()
  mapfile -t words < <(environment)
  setpriv --pdeathsig KILL unshare --mount --pid --fork --kill-child bash -euc '
    root=$1
    mount -t proc proc "$root/proc"
    mount -t sysfs -o ro sysfs "$root/sys"
    mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
    mount -t tmpfs tmpfs "$root/dev/shm"
    exec env -i "${@:3}" chroot "$root" bash -c "cd ~/webstrata && $2"' fresh "$root" "$1" "${words[@]}"
}

# In braces: bash then reads it to the end before it runs, and a change of this file meanwhile does no harm.
{
  if [ -z "$root" ]; then
    root=$(mktemp -d "${TMPDIR:-/tmp}/fresh_machine.XXXXXX")/root
    trap 'rm -rf "$(dirname "$root")"' EXIT
  fi
  if [ -e "$root/etc/fresh_machine" ]; then
    echo "using the machine in $root again"
  elif [ -e "$root" ] && [ -n "$(ls -A "$root")" ]; then
    fail "$root is not empty and was not made by this script. Choose another folder or remove it."
  else
    mkdir -p "$root"
    make_machine
  fi
  cp -L /etc/resolv.conf "$root/etc/resolv.conf"
  give_authorities
  clone_tree
  for command in "${commands[@]}"; do
    printf '\n$ %s\n' "$command"
    SECONDS=0
    run_inside "$command" || fail "\"$command\" failed on a fresh machine after $((SECONDS / 60)) min"
    printf '"%s" works on a fresh machine: %d min %d s\n' "$command" $((SECONDS / 60)) $((SECONDS % 60))
  done
  exit 0
}
