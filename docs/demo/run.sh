#!/bin/bash
# The main job, to be seen: a scripted drag of three photos by two fingers goes through the real engine, from one
# application into another, and a picture is taken while the stack is in the air.
set -eu
. "$(dirname "$0")/stage.sh"

paint_photos "$work"

start_engine demo
mkdir "$work/received"
"$bin/carry" drop --to "$work/received" --geometry "$(place 630 200 510 400)" >"$work/drop" 2>"$work/drop.err" &
pids+=($!)
"$bin/carry" drag --geometry "$(place 90 200 510 400)" \
  "$work/Morning.png" "$work/Lake.png" "$work/Forest.png" "$work/Dusk.png" >/dev/null 2>&1 &
pids+=($!)

echo "The session, as carry monitor tells it:"
"$bin/carry" monitor --with-engine 2>/dev/null | while read -r line; do
  case $line in
    entered*)
      echo "  $line"
      # The stack rests across the edges of both windows for a while now.
      (sleep 1.2 && import -window root "$out/demo.png") &
      ;;
    *) echo "  $line" ;;
  esac
done &
pids+=($!)
wait $engine
sleep 0.2
echo
echo "What the target received:"
grep received "$work/drop" | sed "s|$work/||; s/^/  /"
count=$(ls "$work/received" | wc -l)
for f in "$work"/received/*; do
  cmp -s "$f" "$work/$(basename "$f")" || { echo "$f differs from its original" >&2; exit 1; }
done
[ "$count" = 3 ] || { echo "3 photos should have arrived, not $count" >&2; exit 1; }
echo
echo "All three are equal to their originals. The picture of the stack in flight: $out/demo.png"
