#!/bin/bash
# The film: a test plays it on an X server with a touchscreen and keeps what is to be seen there; here it gets its
# fingers, and becomes .build/film.mp4 and a sheet of six moments.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/docs/demo/develop.sh"
out=${1:-$root/.build}
need ffmpeg:ffmpeg montage:imagemagick
work=$(mktemp -d /tmp/carry-film.XXXXXX)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"

CARRY_FILM=$work "${SWIFT:-swift}" test --skip-build --package-path "$root" --filter CarryTouchServerTests.FilmTests
develop "$work" "$out" film
