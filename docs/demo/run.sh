#!/bin/bash
# The main job, to be seen: a recorded drag of three photos by two fingers goes through the real engine, from one
# application into another, and a picture is taken while the stack is in the air.
# It uses the display of $DISPLAY, or starts one of its own (Xvfb, with a compositing manager) when there is none.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
bin=${CARRY_BUILD_DIR:-$root/.build/debug}
out=${1:-$root/.build/demo}
work=$(mktemp -d /tmp/carry-demo.XXXXXX)
pids=()
finish() {
  for p in "${pids[@]}"; do kill "$p" 2>/dev/null || true; done
  wait 2>/dev/null || true
  rm -rf "$work"
}
trap finish EXIT
mkdir -p "$out"

if [ -n "${DISPLAY:-}" ] && xdpyinfo >/dev/null 2>&1; then
  echo "Using your display $DISPLAY."
else
  Xvfb -displayfd 5 -screen 0 1280x800x24 -noreset -nolisten tcp 5>"$work/display" >/dev/null 2>&1 &
  pids+=($!)
  for _ in $(seq 200); do
    [ "$(wc -l <"$work/display" 2>/dev/null || echo 0)" -ge 1 ] && break
    sleep 0.05
  done
  export DISPLAY=:$(head -1 "$work/display")
  hsetroot -add '#5b7896' -add '#1e2f45' -gradient 180 >/dev/null 2>&1 || true
  picom --backend xrender --config /dev/null >/dev/null 2>&1 &
  pids+=($!)
  echo "No display: started one of our own, $DISPLAY, with a compositing manager."
fi
size=$(xdpyinfo | sed -n 's/.*dimensions: *\([0-9]*x[0-9]*\).*/\1/p')
width=${size%x*}
height=${size#*x}
# The recording was made on 1280x800; its touchscreen covers whatever screen there is.
place() { echo "$(($3 * width / 1280))x$(($4 * height / 800))+$(($1 * width / 1280))+$(($2 * height / 800))"; }

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

export CARRY_SOCKET=$work/carry
# Named, so that it counts in a Wayland session too.
"$bin/carryd" --display "$DISPLAY" --replay "$root/Tests/Fixtures/traces/demo.events" --replay-clients 2 &
engine=$!
pids+=($engine)
for _ in $(seq 200); do
  [ -S "$CARRY_SOCKET" ] && break
  kill -0 $engine 2>/dev/null || exit 1
  sleep 0.05
done
mkdir "$work/received"
"$bin/carry" drop --to "$work/received" --geometry "$(place 630 200 510 400)" >"$work/drop" 2>"$work/drop.err" &
pids+=($!)
"$bin/carry" drag --geometry "$(place 90 200 510 400)" \
  "$work/Morning.png" "$work/Lake.png" "$work/Forest.png" "$work/Dusk.png" >/dev/null 2>&1 &
pids+=($!)

echo "The session, as carry monitor tells it:"
"$bin/carry" monitor 2>/dev/null | while read -r line; do
  case $line in
    updated*) continue ;;
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
