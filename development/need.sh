#!/bin/sh
# Makes sure that a program the tests drive is on this machine: `need.sh chromium`, `node`, `postgresql`.
# Prints its path. Installs the distribution's package where root or sudo allows it without a question;
# otherwise says exactly what to install and fails.
set -eu

find_chromium() {
    if [ -n "${CHROMIUM:-}" ]; then
        command -v "$CHROMIUM" && return 0
        echo "need.sh: CHROMIUM is set to '$CHROMIUM', which cannot be run" >&2
        exit 1
    fi
    for name in chromium chromium-browser google-chrome google-chrome-stable microsoft-edge; do
        command -v "$name" && return 0
    done
    return 1
}

find_node() {
    command -v npm >/dev/null && command -v node
}

find_postgresql() {
    for folder in /usr/lib/postgresql/*/bin; do
        if [ -x "$folder/postgres" ]; then echo "$folder/postgres"; return 0; fi
    done
    command -v postgres
}

case "${1:-}" in
    chromium) find=find_chromium; packages=chromium ;;
    node) find=find_node; packages="nodejs npm" ;;
    postgresql) find=find_postgresql; packages=postgresql ;;
    *) echo "usage: need.sh chromium|node|postgresql" >&2; exit 2 ;;
esac

if $find; then exit 0; fi

as_root=""
if [ "$(id -u)" -ne 0 ]; then
    if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
        as_root="sudo -n"
    else
        as_root="none"
    fi
fi
if [ "$as_root" = none ] || ! command -v apt-get >/dev/null; then
    echo "need.sh: $1 was not found. Install it with your package manager, on Debian and Ubuntu:" >&2
    echo "    sudo apt-get install $packages" >&2
    exit 1
fi
echo "need.sh: installing $packages" >&2
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -qq >&2
# shellcheck disable=SC2086 # several packages are several words
$as_root apt-get install -y -qq $packages >&2
$find || { echo "need.sh: $packages installed, but $1 is still not found" >&2; exit 1; }
