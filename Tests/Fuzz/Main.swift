import CLibFuzzer
import CLinux

/// Feeds one parser with bytes that libFuzzer makes up: see run.sh.
///
///     CARRY_FUZZ_TARGET=vcards carry-fuzz -max_total_time=60 CORPUS
@main enum Main {
  static func main() {
    let name = getenv("CARRY_FUZZ_TARGET").map { String(cString: $0) } ?? ""
    guard Self.targets[name] != nil else {
      print(Self.targets.keys.sorted().joined(separator: "\n"))
      exit(name.isEmpty ? 0 : 2)
    }
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    exit(
      LLVMFuzzerRunDriver(&count, &arguments) { bytes, size in
        Main.run(Array(UnsafeBufferPointer(start: bytes, count: size)))
        return 0
      })
  }

  /// By the names that run.sh knows.
  static let targets: [String: @Sendable ([UInt8]) -> Void] = [
    "recordings": recordings, "settings": settings, "programs": programs, "policies": policies, "vcards": vcards,
    "objects": objects, "addresses": addresses, "foreign-types": foreignTypes, "thumbnails": thumbnails,
  ]

  private static let chosen = getenv("CARRY_FUZZ_TARGET").flatMap { targets[String(cString: $0)] }

  private static func run(_ bytes: [UInt8]) { chosen?(bytes) }

  /// What must hold, also where the optimiser believes what it reads.
  static func check(_ holds: Bool, _ message: @autoclosure () -> String) {
    guard !holds else { return }
    print("FAILED: \(message())")
    abort()
  }
}
