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
# name only programs that make one. What they print comes as it is, and "carry:" tells the steps of the drag. --shot takes
# a picture so many seconds after the items have lifted, with ImageMagick. Options of carryd are written with = here.
# $CARRYD and $CARRY name the two programs where they are not in your PATH. The exit status is carryd's.
set -u
usage() { sed -n '2,/^set/p' "$0" | grep '^#' | sed 's/^# \{0,1\}//' >&2; exit 2; }

shot=()
options=()
while [[ ${1-} == -* ]]; do
  case $1 in
    --shot) [ $# -ge 3 ] || usage; shot=("$2" "$3"); shift 2 ;;
    --*=* | --no-bridge | --trackpads | --verbose) options+=("$1") ;;
    *) usage ;;
  esac
  shift
done
[ $# -ge 2 ] || usage
recording=$1
shift
[ -r "$recording" ] || { echo "try.sh: $recording cannot be read" >&2; exit 1; }
for program in Xvfb "${CARRYD:=carryd}" "${CARRY:=carry}"; do
  type "$program" >/dev/null 2>&1 || { echo "try.sh: there is no $program (packages: xvfb, carry)" >&2; exit 1; }
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
# until_true COMMAND...: waits for half a minute at the most.
until_true() { for _ in {1..600}; do "$@" && return; sleep 0.05; done; return 1; }

: >"$work/number"; : >"$work/carry.conf"
Xvfb -displayfd 3 -screen 0 1280x800x24 -noreset -nolisten tcp 3>"$work/number" >"$work/server" 2>&1 &
running+=($!)
until_true test -s "$work/number" || { echo "try.sh: Xvfb does not start:" >&2; cat "$work/server" >&2; exit 1; }
export DISPLAY=:$(<"$work/number") CARRY_SOCKET=$work/carry
"$CARRYD" --display "$DISPLAY" --config "$work/carry.conf" "${options[@]}" --replay "$recording" --replay-clients $# &
engine=$!
running+=($engine)
until_true test -S "$CARRY_SOCKET" || exit 1
"$CARRY" monitor --with-engine 2>/dev/null | while read -r step; do
  echo "carry: $step"
  case $step in began*) [ ${#shot[@]} = 0 ] || { sleep "${shot[0]}"; import -window root "${shot[1]}"; } & ;; esac
done &
running+=($!)
for program; do
  bash -c "exec $program" &
  running+=($!)
done
wait $engine
