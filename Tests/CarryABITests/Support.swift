import CLinux
import CarryModel
import CarrySystem
import CarryTesting
import Testing

/// Where things are.
enum Paths {
  static let header = Checkout.headers + "/carry.h"
  static let map = Checkout.root + "/Sources/Library/CarryLibrary/carry.map"
  static let protocolFile = Checkout.root + "/Sources/Platform/CWayland/protocol/carry-v1.xml"
  static let examples = Checkout.root + "/docs/examples"
  static let traces = Checkout.root + "/Tests/Fixtures/traces"

  /// The shared library, which a test cannot build: SwiftPM holds its lock while tests run.
  static let library = environment("CARRY_LIBRARY") ?? (try? Checkout.program("libcarryabi.so"))

  static func text(_ path: String) throws -> String {
    String(decoding: try Files.read(path, limit: 1 << 20), as: UTF8.self)
  }
}

extension Desktop {
  /// - Parameter trace: a script of Tests/Fixtures/traces, played once the newest region is half a second old.
  convenience init(_ trace: String, clients: Int = 1) throws {
    try self.init(recording: Paths.traces + "/\(trace).gestures", clients: clients)
  }

  /// - Parameter recording: the path of any recording.
  convenience init(recording: String, clients: Int = 1, options: [String] = []) throws {
    try self.init(
      compositor: nil, options: ["--replay", recording, "--replay-clients", "\(clients)"] + options)
  }

  /// A window where the traces have their source or their target.
  func window(x: Double, tall: Bool = false) -> UInt32 {
    let window = client.makeWindow(.init(x: x, y: tall ? 100 : 250, width: 300, height: tall ? 600 : 300))
    client.sync()
    return window.raw
  }
}

/// What a program prints, and how it ends.
func run(_ arguments: [String], environment: [String: String?] = [:]) throws -> (lines: [String], status: CInt?) {
  let child = try ChildProcess(arguments, environment: environment, output: .pipe)
  var lines: [String] = []
  while let line = child.readLine(seconds: 300) { lines.append(line) }
  return (lines, child.waitForExit(seconds: 10))
}
