#!/bin/bash
# The film: a test plays it on a display of its own and keeps what is to be seen there; here it gets its fingers, and
# becomes .build/film.mp4 and a sheet of six moments.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
out=${1:-$root/.build}
for program in ffmpeg:ffmpeg montage:imagemagick; do
  if ! command -v "${program%%:*}" >/dev/null; then
    if ! command -v apt-get >/dev/null; then
      echo "The film needs ${program##*:}." >&2
      exit 1
    fi
    sudo=$([ "$(id -u)" = 0 ] || echo sudo)
    $sudo apt-get -o DPkg::Lock::Timeout=600 update -q
    $sudo apt-get -o DPkg::Lock::Timeout=600 install -y -q --no-install-recommends "${program##*:}"
  fi
done
work=$(mktemp -d /tmp/carry-film.XXXXXX)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"

CARRY_FILM=$work "${SWIFT:-swift}" test --skip-build --package-path "$root" --filter DemoTests/FilmTests

cd "$work"
echo "Developing it..."
# Nothing happens before the first finger comes.
begin=$(sed -n 's/^begin //p' moments)
ffmpeg -nostdin -hide_banner -loglevel error -y -i raw.mkv -vf ass=fingers.ass -ss "$begin" -c:v libx264 -preset slow -crf 21 \
  -pix_fmt yuv420p -movflags +faststart "$out/film.mp4"
frames=()
while read -r n at; do
  case $n in [1-6]) ;; *) continue ;; esac
  at=$(echo "$at $begin" | awk '{ print $1 - $2 + 0.1 }')
  ffmpeg -nostdin -hide_banner -loglevel error -y -ss "$at" -i "$out/film.mp4" -frames:v 1 "$out/film-$n.png"
  frames+=("$out/film-$n.png")
done <moments
montage "${frames[@]}" -resize 440x275 -tile 2x3 -geometry +4+4 -background white miff:- |
  convert miff:- +dither -colors 160 "PNG8:$out/film-sheet.png"
echo "The film: $out/film.mp4; its six moments: $out/film-sheet.png"
