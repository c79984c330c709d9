#!/bin/bash
# Plays a recorded finger before programs of yours, on an X server of its own: no touchscreen is needed, and your own
# desktop and its engine are left alone. Ends when the recording is over and all that was dropped has arrived.
#
#   ./try.sh [--shot SECONDS FILE.png] [CARRYD OPTION]... RECORDING PROGRAM...
#
#   ./try.sh drag.events ./target './source "Some text"'
#   ./try.sh --manifests=apps drag.events ./target './promises try.sh'
#
# Each PROGRAM is one argument, with its own arguments in it. The recording begins when each program has a region, so
# name only programs that make one. Options of carryd are written with = here. What the programs print comes as it is, and
# "carry:" tells the steps of the drag. At the end the programs lose their engine, and most say so.
#
# --shot takes a picture so many seconds after the drag has begun, with ImageMagick. For clicks, let a PROGRAM be a script
# that starts yours and calls xdotool: DISPLAY is set for it. To watch what happens after a drop, let the recording go on.
#
# $CARRYD and $CARRY name the two programs where they are not in your PATH; with a checkout, what it has built is found.
# Exit status: 0 when something was dropped, 1 when not or when something could not be started, 2 wrong usage.
set -u
usage() {
  [ $# = 0 ] || echo "try.sh: $*" >&2
  sed -n '2,/^set/p' "$0" | grep '^#' | sed 's/^# \{0,1\}//' >&2
  exit 2
}
fail() {
  echo "try.sh: $*" >&2
  exit 1
}

shot=()
options=()
while [[ ${1-} == -* ]]; do
  case $1 in
    --shot)
      [[ $# -ge 3 && $2 =~ ^[0-9.]+$ && $3 == *.png ]] || usage "--shot takes seconds and a file .png"
      type import >/dev/null 2>&1 || fail "--shot needs import, of the package imagemagick"
      shot=("$2" "$3")
      shift 2
      ;;
    --*=* | --no-bridge | --trackpads | --verbose) options+=("$1") ;;
    *) usage "what is $1? Options of carryd are written with =, such as --manifests=apps" ;;
  esac
  shift
done
[ $# -ge 2 ] || usage "name a recording, and the programs"
recording=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
[ -r "$recording" ] && [ -f "$recording" ] || fail "there is no recording $recording; $here/drag.events is one"
for built in "$here"/../../.build/{debug,release}; do
  if [ -z "${CARRYD-}" ] && ! type carryd >/dev/null 2>&1 && [ -x "$built/carryd" ]; then
    CARRYD=$built/carryd CARRY=$built/carry
    export LD_LIBRARY_PATH=$built${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  fi
done
for program in Xvfb "${CARRYD:=carryd}" "${CARRY:=carry}"; do
  type "$program" >/dev/null 2>&1 ||
    fail "there is no $program: install the packages xvfb and carry, run 'make build' in the checkout, or set CARRYD and CARRY"
done

work=$(mktemp -d)
running=()
finish() {
  kill "${running[@]}" 2>/dev/null
  wait 2>/dev/null
  rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT TERM
# until_true PROCESS COMMAND...: waits while the process is there, half a minute at the most.
until_true() {
  for _ in {1..600}; do
    "${@:2}" && return
    kill -0 "$1" 2>/dev/null || return 1
    sleep 0.05
  done
  return 1
}

: >"$work/number"; : >"$work/carry.conf"; : >"$work/steps"
Xvfb -displayfd 3 -screen 0 1280x800x24 -noreset -nolisten tcp 3>"$work/number" >"$work/server" 2>&1 &
running+=($!)
until_true $! test -s "$work/number" || fail "Xvfb does not start: $(cat "$work/server")"
export DISPLAY=:$(<"$work/number") CARRY_SOCKET=$work/carry
"$CARRYD" --display "$DISPLAY" --config "$work/carry.conf" "${options[@]}" --replay "$recording" --replay-clients $# &
engine=$!
running+=($engine)
until_true $engine test -S "$CARRY_SOCKET" || fail "carryd does not start"
"$CARRY" monitor --with-engine 2>/dev/null | while read -r step; do
  echo "carry: $step"
  echo "$step" >>"$work/steps"
  if [[ $step == began* && ${#shot[@]} != 0 ]]; then
    { sleep "${shot[0]}" && import -window root "${shot[1]}" && echo "try.sh: wrote ${shot[1]}"; } &
  fi
done &
monitor=$!
running+=($monitor)
# Before the programs, so that it misses nothing: it is connected once the socket is in use.
in_use() { [ "$(grep -c " $CARRY_SOCKET\$" /proc/net/unix)" -ge 2 ]; }
until_true $monitor in_use || fail "carry monitor does not start"
started=()
for program; do
  bash -c "exec $program" &
  running+=($!)
  started+=($!)
done

# A recording that never begins would be waited for without an end.
for ((tenths = 0; ; tenths++)); do
  kill -0 $engine 2>/dev/null || break
  [ ! -s "$work/steps" ] || break
  for i in "${!started[@]}"; do
    kill -0 "${started[i]}" 2>/dev/null && continue
    wait "${started[i]}"
    status=$?
    programs=("$@")
    # The drag's steps may be on their way.
    for _ in {1..40}; do [ -s "$work/steps" ] && break; sleep 0.05; done
    [ -s "$work/steps" ] || fail "'${programs[i]}' has ended with status $status before anything was dragged"
  done
  [ $tenths != 100 ] || echo "try.sh: nothing is dragged yet. Has each of $# programs made a region in a window that is there?" >&2
  sleep 0.1
done
wait $engine
status=$?
wait $monitor # ends with the engine, and has told all steps then
[ ${#shot[@]} = 0 ] || [ -e "${shot[1]}" ] || echo "try.sh: the drag was over before the picture was to be taken" >&2
if grep -q '^dropped' "$work/steps"; then
  echo "try.sh: over; something was dropped; the programs say what came of it"
  exit $status
fi
echo "try.sh: over; nothing was dropped"
exit 1
