# Sourced by the demos: a place to work in, a display, and an engine that plays a gesture script on it. It uses the
# display of $DISPLAY, or starts one of its own (Xvfb, with a compositing manager) when there is none. $1 is where
# pictures go.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
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
  : >"$work/display"
  Xvfb -displayfd 5 -screen 0 1280x800x24 -noreset -nolisten tcp 5>"$work/display" >/dev/null 2>&1 &
  pids+=($!)
  for _ in $(seq 200); do
    [ "$(wc -l <"$work/display")" -ge 1 ] && break
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
# The script is for 1280x800; its touchscreen covers whatever screen there is.
place() { echo "$(($3 * width / 1280))x$(($4 * height / 800))+$(($1 * width / 1280))+$(($2 * height / 800))"; }

# start_engine SCRIPT [OPTION]...: it plays when two applications are there, and ends; $engine is its process.
start_engine() {
  export CARRY_SOCKET=$work/carry
  # Named, so that it counts in a Wayland session too.
  "$bin/carryd" --display "$DISPLAY" --replay "$root/Tests/Fixtures/traces/$1.gestures" --replay-clients 2 "${@:2}" &
  engine=$!
  pids+=($engine)
  for _ in $(seq 200); do
    [ -S "$CARRY_SOCKET" ] && return
    kill -0 $engine 2>/dev/null || exit 1
    sleep 0.05
  done
}

# paint_photos FOLDER
paint_photos() {
  local folder=$1
  photo() { # name, sky above, sky below, hill, hill, sun
    convert -size 640x480 "gradient:$2-$3" \
      -fill "$6" -draw "circle 470,170 470,215" \
      -fill "$4" -draw "path 'M 0,330 L 120,210 L 230,300 L 360,170 L 520,310 L 640,230 L 640,480 L 0,480 Z'" \
      -fill "$5" -draw "path 'M 0,400 C 140,330 300,440 430,370 C 520,330 600,380 640,360 L 640,480 L 0,480 Z'" \
      "$folder/$1.png"
  }
  photo Morning '#f9d29d' '#f08a5d' '#6a4c6d' '#3d2c4e' '#fff3d6'
  photo Lake '#8fd3f4' '#e0f7fa' '#4f8fa8' '#1f5673' '#ffffff'
  photo Forest '#c6ea8d' '#84c29a' '#3f7d58' '#1f4d3a' '#fdf6c3'
  photo Dusk '#3a1c71' '#d76d77' '#2b1744' '#150b26' '#ffd7a8'
}
