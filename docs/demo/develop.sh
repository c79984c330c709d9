# Sourced by the scripts of the films. What a test has kept becomes a video with its fingers, and a sheet of six moments.

# need PROGRAM:PACKAGE...: installs what is missing.
need() {
  local packages=() entry sudo
  for entry; do command -v "${entry%%:*}" >/dev/null || packages+=("${entry##*:}"); done
  [ ${#packages[@]} -gt 0 ] || return 0
  if ! command -v apt-get >/dev/null; then
    echo "The film needs ${packages[*]}." >&2
    exit 1
  fi
  sudo=$([ "$(id -u)" = 0 ] || echo sudo)
  $sudo apt-get -o DPkg::Lock::Timeout=600 update -q
  $sudo apt-get -o DPkg::Lock::Timeout=600 install -y -q --no-install-recommends "${packages[@]}"
}

# develop FOLDER OUT NAME: of what lies in the folder, makes OUT/NAME.mp4 and OUT/NAME-sheet.png.
develop() {
  local out=$2 name=$3 begin n at frames=()
  cd "$1"
  echo "Developing it..."
  # Nothing happens before the first finger comes.
  begin=$(sed -n 's/^begin //p' moments)
  ffmpeg -nostdin -hide_banner -loglevel error -y -i raw.mkv -vf ass=fingers.ass -ss "$begin" -c:v libx264 -preset slow \
    -crf 21 -pix_fmt yuv420p -movflags +faststart "$out/$name.mp4"
  while read -r n at; do
    case $n in [1-6]) ;; *) continue ;; esac
    at=$(echo "$at $begin" | awk '{ print $1 - $2 + 0.1 }')
    ffmpeg -nostdin -hide_banner -loglevel error -y -ss "$at" -i "$out/$name.mp4" -frames:v 1 "$out/$name-$n.png"
    frames+=("$out/$name-$n.png")
  done <moments
  montage "${frames[@]}" -resize 440x275 -tile 2x3 -geometry +4+4 -background white miff:- |
    convert miff:- +dither -colors 160 "PNG8:$out/$name-sheet.png"
  echo "The film: $out/$name.mp4; its six moments: $out/$name-sheet.png"
}
