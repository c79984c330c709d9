import CLinux
import CarrySystem

/// Measures Carry and prints lines of `<metric> <value> <unit>`; `run.py` sets them against their comparators.
@main enum Main {
  private static let modes: [(name: String, arguments: String, run: @Sendable (Arguments) throws -> Void)] = [
    ("input", "[--contacts N] [--events N] [RECORDING]", { try InputBenchmark.run($0) }),
    ("hit-test", "[--toplevels N] [--regions N]", { try HitTestBenchmark.run($0) }),
    ("round-trip", "[--rounds N]", { try RoundTripBenchmark.run($0) }),
    ("preview", "[--count N] [--frames N]", { try PreviewBenchmark.run($0) }),
    ("motion", "[--frames N]", { try MotionBenchmark.run($0) }),
    ("policy", "[--rounds N]", { try PolicyBenchmark.run($0) }),
    ("files", "[--rounds N] [--count MEBIBYTES] [FOLDER]", { try FilesBenchmark.run($0) }),
    ("source", "FILE", { try TransferBenchmark.source($0) }),
    ("destination", "--drops N", { try TransferBenchmark.destination($0) }),
    ("xdnd-source", "[--count BYTES]", { try XdndBenchmark.source($0) }),
    ("many-source", "", { try ManyTransfersBenchmark.source($0) }),
    ("many-destination", "[--drops 0]", { try ManyTransfersBenchmark.destination($0) }),
    ("crowd", "[--clients N] [--first N]", { try CrowdBenchmark.run($0) }),
    ("recording", "--kind drops|motion|ten|many|events --count N FILE", { try RecordingFiles.run($0) }),
  ]

  nonisolated static func main() {
    Log.program = "carry-bench"
    let all = Array(CommandLine.arguments.dropFirst())
    guard let name = all.first, let mode = modes.first(where: { $0.name == name }) else {
      for m in modes { Output.write("carry-bench \(m.name) \(m.arguments)\n", to: STDERR_FILENO) }
      exit(2)
    }
    let options: [Arguments.Option] = [
      "contacts", "events", "toplevels", "regions", "rounds", "count", "frames", "drops", "kind", "clients", "first",
    ].map { .value($0) }
    do {
      try mode.run(Arguments(Array(all.dropFirst()), options: options))
    } catch {
      Output.write("carry-bench: \(error)\n", to: STDERR_FILENO)
      exit(1)
    }
  }
}

extension Arguments {
  func number(_ name: String, otherwise value: Int) -> Int { self.value(name).flatMap { Int($0) } ?? value }
}

/// What stops a measurement.
struct Failure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// Nanoseconds of the monotonic clock.
func nanoseconds() -> UInt64 {
  var t = timespec()
  clock_gettime(CLOCK_MONOTONIC, &t)
  return UInt64(t.tv_sec) &* 1_000_000_000 &+ UInt64(t.tv_nsec)
}

func emit(_ metric: String, _ value: Double, _ unit: String) { Output.write("\(metric) \(value) \(unit)\n") }

/// Prints the median and the 99th percentile of times in nanoseconds.
func emit(percentilesOf times: [UInt64], _ metric: String) {
  guard !times.isEmpty else { return }
  let sorted = times.sorted()
  emit(metric + ".p50", Double(sorted[sorted.count / 2]) / 1000, "us")
  emit(metric + ".p99", Double(sorted[sorted.count * 99 / 100]) / 1000, "us")
}
