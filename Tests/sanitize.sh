#!/bin/bash
# sanitize.sh [address|thread]...     the tests that need no X server and no engine, under sanitizers
#
# Each sanitizer has a build of its own, .build/address and .build/thread (400 MB each), and a log, .build/test-NAME.log.
# A report of a sanitizer is a failure, also where all tests pass.
set -euo pipefail
cd "$(dirname "$0")/.."
unset DISPLAY
# The backtracer hangs within the sanitizer, and the linker that is the default here ends in an error.
export CARRY_SANITIZE=1 NO_COLOR=1 SWIFT_BACKTRACE=enable=no
# A closed server keeps its display to the end of the process: leaks are not looked for.
export ASAN_OPTIONS=detect_leaks=0 TSAN_OPTIONS=exitcode=66
swift=${SWIFT:-swift}

status=0
for sanitizer in ${*:-address thread}; do
  flags="--sanitize=$sanitizer --scratch-path .build/$sanitizer --product carryPackageTests -Xswiftc -use-ld=lld"
  # shellcheck disable=SC2086
  $swift build $flags 2>&1 | { grep -v "prohibited flag(s)" || true; }
  # shellcheck disable=SC2086
  runner=$($swift build $flags --show-bin-path 2>/dev/null)/carryPackageTests.xctest
  log=.build/test-$sanitizer.log
  echo "Testing with the $sanitizer sanitizer ($log)"
  ended=0
  "$runner" --testing-library swift-testing >"$log" 2>&1 || ended=$?
  # Without any test nothing has been shown.
  if [ $ended = 0 ] && grep -q '^✔ Test run with [1-9]' "$log" && ! grep -q '^\(==.*ERROR: \|WARNING: \).*Sanitizer' "$log"
  then
    grep '^✔ Test run' "$log"
  else
    status=1
    grep -A 3 '^✘.*recorded' "$log" || true
    grep '^SUMMARY: ' "$log" | sort | uniq -c || tail -n 3 "$log"
  fi
done
exit $status
