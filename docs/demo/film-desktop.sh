#!/bin/bash
# The film of Carry with existing applications: a test plays it on an X server with a touchscreen, with a file manager and
# a browser; it becomes .build/film-desktop.mp4 and a sheet of six moments. Their settings are in docs/demo/desktop.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/docs/demo/develop.sh"
out=${1:-$root/.build}
# tumblerd, which draws the file manager's thumbnails, is in no PATH; Debian has the applications' settings in xfconf.
PATH=$PATH:/usr/lib/x86_64-linux-gnu/tumbler-1:/usr/lib/aarch64-linux-gnu/tumbler-1 \
  need ffmpeg:ffmpeg montage:imagemagick thunar:thunar xfconf-query:xfconf tumblerd:tumbler openbox:openbox picom:picom \
  chromium:chromium hsetroot:hsetroot dbus-daemon:dbus-daemon dbus-send:dbus-bin python3:python3
work=$(mktemp -d /tmp/carry-film.XXXXXX)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"

CARRY_FILM_DESKTOP=$work "${SWIFT:-swift}" test --skip-build --package-path "$root" --filter DesktopFilmTests
develop "$work" "$out" film-desktop
