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

/// A folder that goes away with all that is in it.
final class TemporaryFolder {
  let path: String

  init() throws {
    var name = Array("/tmp/carry-abi-\(getpid())-XXXXXX".utf8CString)
    path = try #require(mkdtemp(&name).map { String(cString: $0) })
  }

  deinit {
    for name in Files.list(path) { unlink(path + "/" + name) }
    rmdir(path)
  }
}

/// An engine on an X server of its own.
final class Engine {
  let server: PrivateXServer
  let client: XClient
  let folder: TemporaryFolder
  let process: ChildProcess
  var socket: String { folder.path + "/socket" }

  /// - Parameter trace: a recording of Tests/Fixtures/traces, played once the newest region is half a second old.
  convenience init(_ trace: String? = nil, clients: Int = 1) throws {
    try self.init(recording: trace.map { Paths.traces + "/\($0).events" }, clients: clients)
  }

  /// - Parameter script: played once the newest region is half a second old.
  convenience init(_ script: FingerScript) throws {
    // Another test may write a script of its own at the same time.
    let path = "/tmp/carry-abi-\(getpid())-\(UInt32.random(in: 0 ... .max)).events"
    let fd = try Descriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o600)
    Output.write(String(decoding: script.text, as: UTF8.self), to: fd.raw)
    defer { unlink(path) }
    // It is read before the socket is there.
    try self.init(recording: path)
  }

  /// - Parameters:
  ///   - recording: the path of any recording.
  ///   - clients: how many programs are to have a region before it plays.
  ///   - options: more of the engine's options.
  init(recording: String?, clients: Int = 1, options: [String] = []) throws {
    server = try PrivateXServer()
    client = try #require(XClient(server.display))
    folder = try TemporaryFolder()
    let socket = folder.path + "/socket"
    var arguments = [try Checkout.program("carryd"), "--display", server.display, "--socket", socket]
    if let recording { arguments += ["--replay", recording, "--replay-clients", "\(clients)"] }
    process = try ChildProcess(arguments + options)
    try #require(Wait.until(seconds: 30) { Files.exists(socket) }, "the engine did not start")
  }

  deinit { process.stop() }

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
  while let line = child.readLine(seconds: 60) { lines.append(line) }
  return (lines, child.waitForExit(seconds: 10))
}
