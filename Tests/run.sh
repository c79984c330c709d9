#!/bin/sh
# Runs all tests that need no virtual machine. Usage: Tests/run.sh BUILT, the folder that they were built in.
#
# The desktop's tests run beside all others: most of their time they wait for programs, so that both together take half
# as long. What they say goes to .build/test-desktop.log and .build/test-others.log too, and what failed is said again.
set -u
built=$1
runner=$built/carryPackageTests.xctest
logs=$(dirname "$0")/../.build

lane() { # NAME, then which tests
  name=$1; shift
  {
    NO_COLOR=1 sh -c 'echo $$ > "$1"; shift; exec "$@" 2>&1' sh "$logs/test-$name.pid" \
      "$runner" --testing-library swift-testing "$@"
    echo $? > "$logs/test-$name.status"
  } | tee "$logs/test-$name.log"
}

rm -f "$logs"/test-*.status "$logs"/test-*.pid
lane desktop --filter '^CarryDesktopTests\.' &
lane others --skip '^CarryDesktopTests\.'
wait

failed=0
for name in desktop others; do
  # Without any test nothing has been shown.
  if [ "$(cat "$logs/test-$name.status" 2>/dev/null)" != 0 ] || ! grep -q '^✔ Test run with [1-9]' "$logs/test-$name.log"; then
    failed=1
    echo; echo "What failed ($logs/test-$name.log):"
    grep -A 3 '^✘.*recorded' "$logs/test-$name.log" || tail -n 3 "$logs/test-$name.log"
  fi
done
if [ $failed = 0 ]; then
  echo; grep -h '^✔ Test run' "$logs"/test-desktop.log "$logs"/test-others.log
  # What tests have left in /tmp has their process's number in its name. After a failure it is there to be read.
  for pid in $(cat "$logs"/test-*.pid); do rm -rf /tmp/carry-*-"$pid" /tmp/carry-*-"$pid"[-.]*; done
fi
exit $failed
