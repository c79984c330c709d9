#!/bin/bash
# Two apps, to be seen: recorded hands take images from Drag Source and drop them on Drop Destination, through the real
# engine. A picture is taken while two stacks are in the air, and one at the end.
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
rm -f "$out"/demo-213*.png

if [ -n "${DISPLAY:-}" ] && xdpyinfo >/dev/null 2>&1; then
  echo "Using your display $DISPLAY."
else
  : >"$work/display"
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

export CARRY_SOCKET=$work/carry
# Named, so that it counts in a Wayland session too.
"$bin/carryd" --display "$DISPLAY" --replay "$root/Tests/Fixtures/traces/demo-213.events" --replay-clients 2 \
  >/dev/null 2>&1 &
engine=$!
pids+=($engine)
for _ in $(seq 200); do
  [ -S "$CARRY_SOCKET" ] && break
  kill -0 $engine 2>/dev/null || exit 1
  sleep 0.05
done
"$bin/carry-drop-destination" --json --geometry "$(place 660 40 600 720)" >"$work/gallery" 2>/dev/null &
pids+=($!)
"$bin/carry-drag-source" --json --delay 1.2 --geometry "$(place 20 40 600 720)" >/dev/null 2>&1 &
pids+=($!)

echo "The sessions, as carry monitor tells them:"
"$bin/carry" monitor 2>/dev/null | {
  begun=0
  while read -r line; do
    case $line in
      updated*) continue ;;
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
echo "Pictures: $out/demo-213.png, $out/demo-213-end.png"
