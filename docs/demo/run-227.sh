#!/bin/bash
# Scenes of data, to be seen: scripted fingers carry files, search results, slow photos, a place and a drawing through
# the real engine. Each scene takes pictures, and is checked by what its apps say.
set -eu
. "$(dirname "$0")/stage.sh"
rm -f "$out"/demo-227-*.png
export XDG_DATA_HOME=$work/data

# Which app has which file provider.
"$bin/carry-demo-files" --manifests "$work/apps"
policy=(--manifests "$work/apps" --policy "$work/policy")

# app NAME PROGRAM [OPTION]...: what it says is in $work/NAME; $app is its process.
app() {
  "$bin/$2" --json "${@:3}" >"$work/$1" 2>/dev/null &
  app=$!
  pids+=($app)
  actors+=($app)
}

# scene NAME: the engine, and a monitor.
scene() {
  echo "Scene: $2"
  rm -f "$work/carry" "$work/carry.lock"
  start_engine "demo-227-$1" "${policy[@]}"
  "$bin/carry" monitor --json --verbose --with-engine >"$work/steps" 2>/dev/null &
  pids+=($!)
  actors=()
}

# await FILE WORDS: until an app, or the monitor, has said it.
await() {
  for _ in $(seq 300); do
    grep -q -- "$2" "$work/$1" 2>/dev/null && return
    sleep 0.05
  done
  echo "this was not said by $1: $2" >&2
  exit 1
}

picture() { import -window root "$out/demo-227-$1.png"; }

cut() {
  wait $engine || true
  for p in "${actors[@]}"; do kill "$p" 2>/dev/null || true; done
}

scene attachment "a customer's picture is opened in place, while Customers is closed"
app editor carry-picture-editor --turn --geometry "$(place 640 140 520 520)"
app customers carry-customers --geometry "$(place 60 120 420 560)"
customers=$app
await steps '"entered"'
kill -9 $customers
wait $customers 2>/dev/null || true
sleep 1
picture attachment-1
await editor '"saved"'
app customers carry-customers --geometry "$(place 60 120 420 560)"
await customers connected
sleep 1
picture attachment-2
grep -q '"place": "original"' "$work/editor"
cut

scene search "results of apps that do not run go into a letter"
app search carry-search --geometry "$(place 40 130 460 420)" pi
app mail carry-mail --geometry "$(place 540 40 720 720)"
await steps '"began"'
sleep 1.8
picture search
await mail image-arrived
cut

scene slow "photos from far away, and the window that shows how far they are"
app mail carry-mail --geometry "$(place 500 40 760 720)"
app source carry-drag-source --delay 7 --geometry "$(place 0 40 480 720)"
await steps '"dropped"'
sleep 4.5
picture slow
await mail image-arrived
await mail image-failed
cut

scene map "a photo that knows its place"
app map carry-map --geometry "$(place 660 100 600 520)"
app source carry-drag-source --geometry "$(place 20 40 600 720)"
await source platter
sleep 1.2
picture map-1
await map '"name": "Lake Bled"'
sleep 1.2
picture map-2
cut

scene folder "a drawing above a read-only folder, and into another folder"
mkdir "$work/Archive" "$work/Drawings"
cp "$XDG_DATA_HOME"/carry-demos/*/*.jpg "$work/Archive"
app archive carry-folder --read-only --geometry "$(place 660 60 520 330)" "$work/Archive"
app drawings carry-folder --geometry "$(place 660 420 520 320)" "$work/Drawings"
app drawing carry-drawing --geometry "$(place 40 140 480 460)"
await steps forbidden
sleep 1.2
picture folder-1
await drawings Lighthouse.pdf
sleep 1
picture folder-2
cut
[ "$(head -c 5 "$work/Drawings/Lighthouse.pdf")" = %PDF- ] || { echo "that is no PDF" >&2; exit 1; }
[ ! -e "$work/Archive/Lighthouse.pdf" ] || { echo "the read-only folder was written to" >&2; exit 1; }

for name in attachment-1 attachment-2 search slow map-1 map-2 folder-1 folder-2; do
  [ -s "$out/demo-227-$name.png" ] || { echo "there is no picture of $name: 'import' of ImageMagick takes it" >&2; exit 1; }
done
echo "All came as it should. Pictures: $out/demo-227-*.png"
command -v montage >/dev/null || exit 0
frames=()
for name in attachment-1 attachment-2 search slow map-2 folder-1; do frames+=("$out/demo-227-$name.png"); done
montage "${frames[@]}" -resize 440x275 -tile 2x3 -geometry +4+4 -background white miff:- |
  convert miff:- +dither -colors 250 "PNG8:$out/demo-227-sheet.png"
echo "Six of them on a sheet: $out/demo-227-sheet.png"
