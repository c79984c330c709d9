#!/bin/sh
# Runs all tests that need no virtual machine. Usage: Tests/run.sh BUILT, the folder that they were built in.
#
# They run in six lanes beside each other: half of the time they wait for programs. What they say goes to
# .build/test-LANE.log too, and what failed is said again.
set -u
built=$1
runner=$built/carryPackageTests.xctest
logs=$(dirname "$0")/../.build

lane() { # NAME, then which tests
  name=$1; shift
  {
    # A test that hangs has a name, too.
    NO_COLOR=1 timeout 2400 "$runner" --testing-library swift-testing "$@" 2>&1
    echo $? > "$logs/test-$name.status"
  } | tee "$logs/test-$name.log"
}

unfinished() { # LOG
  awk '
    $2 != "Test" || /^◇ Test case passing/ { next }
    / started\.$/ { sub(/^[^ ]+ Test /, ""); sub(/ started\.$/, ""); open[$0] }
    / after [0-9.]+ seconds/ {
      sub(/^[^ ]+ Test /, ""); sub(/ (with [0-9]+ test cases? )?(passed|failed) after .*/, ""); delete open[$0]
    }
    END { delete open["run"]; for (test in open) print "did not end: " test }' "$1"
}

desktop='^CarryDesktopTests\.DesktopTests'
screens='^Carry(Display|Gate|TouchServer)Tests\.'
programs='^Carry(ABI|Architecture|Command|Demo)Tests\.'
rm -f "$logs"/test-*.status "$logs"/test-*.log
lane desktop-1 --filter "$desktop/[A-DP-R]" &
lane desktop-2 --filter "$desktop/[E-N]" &
lane desktop-3 --filter '^CarryDesktopTests\.' --skip "$desktop/[A-NP-R]" &
lane screens --filter "$screens" &
lane programs --filter "$programs" &
lane others --skip '^CarryDesktopTests\.' --skip "$screens" --skip "$programs" &
wait

failed=0
for name in desktop-1 desktop-2 desktop-3 screens programs others; do
  # Without any test nothing has been shown.
  if [ "$(cat "$logs/test-$name.status" 2>/dev/null)" != 0 ] || ! grep -q '^✔ Test run with [1-9]' "$logs/test-$name.log"; then
    failed=1
    echo; echo "What failed ($logs/test-$name.log):"
    grep -A 3 '^✘.*recorded' "$logs/test-$name.log" || tail -n 3 "$logs/test-$name.log"
    unfinished "$logs/test-$name.log"
  fi
done
if [ $failed = 0 ]; then
  echo; grep -h '^✔ Test run' "$logs"/test-*.log
fi
exit $failed
