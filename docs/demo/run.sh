#!/bin/bash
# The main job, to be seen: a recorded drag of three photos by two fingers goes through the real engine, from one
# application into another, and a picture is taken while the stack is in the air.
set -eu
. "$(dirname "$0")/stage.sh"

# Four photos, painted here.
photo() { # name, sky above, sky below, hill, hill, sun
  convert -size 640x480 "gradient:$2-$3" \
    -fill "$6" -draw "circle 470,170 470,215" \
    -fill "$4" -draw "path 'M 0,330 L 120,210 L 230,300 L 360,170 L 520,310 L 640,230 L 640,480 L 0,480 Z'" \
    -fill "$5" -draw "path 'M 0,400 C 140,330 300,440 430,370 C 520,330 600,380 640,360 L 640,480 L 0,480 Z'" \
    "$work/$1.png"
}
photo Morning '#f9d29d' '#f08a5d' '#6a4c6d' '#3d2c4e' '#fff3d6'
photo Lake '#8fd3f4' '#e0f7fa' '#4f8fa8' '#1f5673' '#ffffff'
photo Forest '#c6ea8d' '#84c29a' '#3f7d58' '#1f4d3a' '#fdf6c3'
photo Dusk '#3a1c71' '#d76d77' '#2b1744' '#150b26' '#ffd7a8'

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
