#!/bin/bash
# run.sh [SECONDS [TARGET...]]     the fuzzing lane: parsers of hostile bytes under libFuzzer and AddressSanitizer
#
# Each target runs for so many seconds (30). What it has learnt stays in .build/fuzz/corpus, and a later run goes on from
# there. What crashes, hangs for five seconds or takes 512 MiB ends the lane; the bytes are in .build/fuzz/found, and
# CARRY_FUZZ_TARGET=TARGET .build/fuzz/carry-fuzz FILE shows it again.
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:-30}
shift || true
scratch=.build/fuzz
mkdir -p "$scratch/found"
# The backtracer hangs within the sanitizer, and the linker that is the default here ends in an error.
export CARRY_FUZZ=1 SWIFT_BACKTRACE=enable=no
swift=${SWIFT:-swift}
flags="-c release --product carry-fuzz --scratch-path $scratch/build -Xswiftc -enable-testing -Xswiftc -sanitize=fuzzer,address
  -Xswiftc -use-ld=lld"
# shellcheck disable=SC2086
$swift build $flags 2>&1 | { grep -v "prohibited flag(s)" || true; }
# shellcheck disable=SC2086
cp "$($swift build $flags --show-bin-path 2>/dev/null)/carry-fuzz" "$scratch/carry-fuzz"

# A seed is worth minutes of guessing.
seeds() {
  case $1 in
    recordings)
      find Tests/Fixtures -name '*.gestures' -o -name '*.events' -size -16k
      find Tests/Fixtures -name '*.yml' -size -32k
      ;;
    settings) ls Sources/Install/carry.conf ;;
    *) ls -d "Tests/Fuzz/Seeds/$1"/* 2>/dev/null || true ;;
  esac
}

status=0
for target in ${*:-$("$scratch/carry-fuzz")}; do
  corpus=$scratch/corpus/$target
  mkdir -p "$corpus"
  for seed in $(seeds "$target"); do cp "$seed" "$corpus/seed-$(basename "$seed")"; done
  if CARRY_FUZZ_TARGET=$target "$scratch/carry-fuzz" -max_total_time="$seconds" -timeout=5 -rss_limit_mb=512 \
    -max_len=32768 -use_value_profile=1 -artifact_prefix="$scratch/found/$target-" -print_final_stats=1 "$corpus" \
    >"$scratch/$target.log" 2>&1; then
    echo "ok $target: $(sed -n 's/^stat::number_of_executed_units: *//p' "$scratch/$target.log") inputs, $(
      ls "$corpus" | wc -l) kept"
  else
    status=1
    echo "FAILED $target, see $scratch/$target.log:"
    grep -E "FAILED:|ERROR:|Fatal error|SUMMARY|Test unit written" "$scratch/$target.log" | head -5 || true
  fi
done
exit $status
