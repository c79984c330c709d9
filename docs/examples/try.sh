#!/bin/bash
# Plays a recorded finger before your programs, on an X server of its own: no touchscreen is needed, and your desktop and
# its engine are left alone. Ends when the recording is over and everything that was dropped has arrived.
#
#   ./try.sh [OPTION]... RECORDING PROGRAM...
#
#   ./try.sh drag.gestures ./target './source "Some text"'
#   ./try.sh --manifests=apps drag.gestures ./target './promises try.sh'
#
# Each PROGRAM is one argument, with its own arguments in it. Lines that begin with "step:" are the steps of the drag, as
# carry monitor prints them; everything else is your programs' own output.
#
#   --wait N            begin when N programs have made a region, instead of all of them: for programs that take drops
#                       by XDND only
#   --shot S FILE.png   take a picture S seconds after the drag has begun, with ImageMagick
#   --display :N        the X server's number; a free one if left out
#   --timeout S         give up when nothing is dragged for S seconds; 30 if left out
#   --OPTION=VALUE      an option of carryd, such as --manifests=apps; --no-bridge, --trackpads and --verbose too
#
# The programs find DISPLAY and CARRY_SOCKET in their environment. $CARRYD and $CARRY name the two programs where they are
# not in your PATH; in a checkout, its own build and its package for Python are found.
# Exit status: 0 when something was dropped, 1 when not, or when something could not be started, 2 wrong usage.
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
number=
wanted=
timeout=30
while [[ ${1-} == -* ]]; do
  case $1 in
    --shot)
      [[ $# -ge 3 && $2 =~ ^[0-9.]+$ && $3 == *.png ]] || usage "--shot takes seconds and a file .png"
      type import >/dev/null 2>&1 || fail "--shot needs import, of the package imagemagick"
      shot=("$2" "$3")
      shift 2
      ;;
    --wait)
      [[ ${2-} =~ ^[1-9][0-9]*$ ]] || usage "--wait takes a number of programs"
      wanted=$2
      shift
      ;;
    --timeout)
      [[ ${2-} =~ ^[1-9][0-9]*$ ]] || usage "--timeout takes seconds"
      timeout=$2
      shift
      ;;
    --display)
      [[ ${2-} =~ ^:[0-9]+$ ]] || usage "--display takes a display such as :20"
      number=$2
      shift
      ;;
    --*=* | --no-bridge | --trackpads | --verbose) options+=("$1") ;;
    *) usage "what is $1? Options of carryd are written with =, such as --manifests=apps" ;;
  esac
  shift
done
[ $# -ge 2 ] || usage "name a recording, and the programs"
recording=$1
shift
programs=("$@")
here=$(cd "$(dirname "$0")" && pwd)
[ -r "$recording" ] && [ -f "$recording" ] || fail "there is no recording $recording; $here/drag.gestures is one"
for built in "$here"/../../.build/{debug,release}; do
  if [ -z "${CARRYD-}" ] && ! type carryd >/dev/null 2>&1 && [ -x "$built/carryd" ]; then
    CARRYD=$built/carryd CARRY=$built/carry
    export LD_LIBRARY_PATH=$built${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} CARRY_LIBRARY=$built/libcarryabi.so
  fi
done
package=$here/../../Toolkits/python/src
[ ! -d "$package" ] || export PYTHONPATH=$package${PYTHONPATH:+:$PYTHONPATH}
for program in Xvfb "${CARRYD:=carryd}" "${CARRY:=carry}"; do
  type "$program" >/dev/null 2>&1 ||
    fail "there is no $program: install the packages xvfb and carry, run 'make build' in the checkout, or set CARRYD and CARRY"
done

work=$(mktemp -d)
started=()
running=()
# The programs first: one that loses its X server would say so.
finish() {
  for group in "${started[*]}" "${running[*]}"; do
    kill $group 2>/dev/null
    for process in $group; do wait "$process" 2>/dev/null; done
  done
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

: >"$work/number"; : >"$work/carry.conf"; : >"$work/steps"; : >"$work/engine"
Xvfb $number -displayfd 3 -screen 0 1280x800x24 -noreset -nolisten tcp 3>"$work/number" >"$work/server" 2>&1 &
running+=($!)
until_true $! test -s "$work/number" || fail "Xvfb does not start: $(cat "$work/server")"
export DISPLAY=:$(<"$work/number") CARRY_SOCKET=$work/carry
"$CARRYD" --display "$DISPLAY" --config "$work/carry.conf" "${options[@]}" --replay "$recording" \
  --replay-clients "${wanted:-$#}" 2> >(tee "$work/engine" >&2) &
engine=$!
running+=($engine)
until_true $engine test -S "$CARRY_SOCKET" || fail "carryd does not start"
"$CARRY" monitor --with-engine 2>/dev/null | while read -r step; do
  echo "step: $step"
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
for program; do
  # The engine ends when the recording is over, which is no news.
  bash -c "exec $program" 2> >(grep --line-buffered -v 'connection to the engine was lost' >&2) &
  started+=($!)
done

# The engine names the programs that have made a region, while it waits for others.
nobody_drags() {
  for i in "${!started[@]}"; do
    grep 'the recording waits' "$work/engine" | tail -n 1 | grep -qw "pid ${started[i]}" ||
      echo "try.sh: '${programs[i]}' has made no region in a window that is on the screen" >&2
  done
  fail "nothing was dragged in $timeout seconds; --wait says how many programs make regions"
}
for ((tenths = 0; ; tenths++)); do
  kill -0 $engine 2>/dev/null || break
  [ ! -s "$work/steps" ] || break
  for i in "${!started[@]}"; do
    kill -0 "${started[i]}" 2>/dev/null && continue
    wait "${started[i]}"
    status=$?
    # The drag's steps may be on their way.
    for _ in {1..40}; do [ -s "$work/steps" ] && break; sleep 0.05; done
    [ -s "$work/steps" ] || fail "'${programs[i]}' has ended with status $status before anything was dragged"
  done
  [ $tenths -lt $((timeout * 10)) ] || nobody_drags
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
