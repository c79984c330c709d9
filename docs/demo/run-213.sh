#!/bin/bash
# Two apps, to be seen: scripted hands take images from Drag Source and drop them on Drop Destination, through the real
# engine. A picture is taken while two stacks are in the air, and one at the end.
set -eu
. "$(dirname "$0")/stage.sh"
rm -f "$out"/demo-213*.png

start_engine demo-213
"$bin/carry-drop-destination" --json --geometry "$(place 660 40 600 720)" >"$work/gallery" 2>/dev/null &
pids+=($!)
"$bin/carry-drag-source" --json --delay 1.2 --geometry "$(place 20 40 600 720)" >/dev/null 2>&1 &
pids+=($!)

echo "The sessions, as carry monitor tells them:"
"$bin/carry" monitor --with-engine 2>/dev/null | {
  begun=0
  while read -r line; do
    case $line in
      began*)
        begun=$((begun + 1))
        # Both stacks rest for a while now.
        [ $begun != 2 ] || (sleep 1 && import -window root "$out/demo-213.png") &
        ;;
    esac
    echo "  $line"
  done
} &
pids+=($!)
# What is shown at the end, before the engine goes.
for _ in $(seq 300); do
  kill -0 $engine 2>/dev/null || break
  if [ ! -e "$out/demo-213-end.png" ] && grep -q swallowed "$work/gallery" && grep -q '"failed"' "$work/gallery"; then
    sleep 0.5
    import -window root "$out/demo-213-end.png"
  fi
  sleep 0.1
done
wait $engine
sleep 0.2
last=$(grep '"images"' "$work/gallery" | grep -v disconnected | tail -1)
shown=$(grep -o ' shown"' <<<"$last" | wc -l)
failed=$(grep -o ' failed"' <<<"$last" | wc -l)
echo
echo "The gallery shows $shown images; of $failed its server hung up; one went into the bin."
# Ten of the stacks, two codes, one from far away, less the one in the bin.
[ "$shown" = 12 ] && [ "$failed" = 1 ] || { echo "it should show 12, and miss 1: $last" >&2; exit 1; }
for picture in demo-213.png demo-213-end.png; do
  [ -s "$out/$picture" ] || { echo "there is no $out/$picture: 'import' of ImageMagick takes it" >&2; exit 1; }
done
echo "Pictures: $out/demo-213.png, $out/demo-213-end.png"
