import CarryModel
import CarrySystem
import CarryTesting
import CLinux
import Testing

/// A private X server with a compositing manager and the engine: the real programs, each its own process.
final class Desktop {
  let server: PrivateXServer
  let compositor: Compositor?
  let client: XClient
  let folder: String
  let socket: String
  private(set) var engine: ChildProcess
  private(set) var monitor: ChildProcess

  /// Settings with which previews fly long enough to be looked at on a busy machine.
  static let slowFlights = "[animation]\ncancel-ms = 5000\ndrop-ms = 1500\n"

  /// Starts everything; with a script the engine plays it once the newest region is half a second old, and exits.
  ///
  /// - Parameters:
  ///   - clients: how many programs are to have a region before it plays.
  ///   - settings: what is in its carry.conf; empty for the usual ones.
  ///   - options: more of the engine's options.
  ///   - environment: what is otherwise than here in the engine's environment.
  init(
    _ script: FingerScript? = nil, clients: Int = 1, compositor kind: Compositor.Kind? = .picom,
    settings: String = "", options: [String] = [], environment: [String: String?] = [:]
  ) throws {
    server = try PrivateXServer()
    // A missing manager fails the test, loudly: translucency is to be seen, not assumed.
    compositor = try kind.map { [server] in try Compositor($0, on: server) }
    client = try #require(XClient(server.display))
    folder = "/tmp/carry-desktop-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    try check("mkdir", folder) { [folder] in mkdir(folder, 0o700) }
    socket = folder + "/socket"
    var arguments = [try Checkout.program("carryd"), "--display", server.display, "--socket", socket, "--verbose"]
    if let script {
      let trace = folder + "/trace.events"
      try Self.write(script.text, to: trace)
      arguments += ["--replay", trace, "--replay-clients", "\(clients)"]
    }
    if !settings.isEmpty {
      let file = folder + "/carry.conf"
      try Self.write(Array(settings.utf8), to: file)
      arguments += ["--config", file]
    }
    engine = try ChildProcess(arguments + options, environment: environment, output: .pipe)
    let path = socket
    let isThere = Wait.until { Files.exists(path) }
    #expect(isThere, "the engine did not start")
    monitor = try ChildProcess(
      [try Checkout.program("carry"), "monitor", "--verbose", "--json", "--with-engine", "--socket", socket],
      output: .pipe)
    // Before anything else happens the monitor must be there, or it misses the beginning.
    #expect(engine.readLine { $0.contains("is carry monitor") } != nil, "the monitor did not connect")
  }

  /// Starts the engine anew where it has stopped; it plays a script, and exits.
  func startEngine(_ script: FingerScript) throws {
    let trace = folder + "/next.events"
    try Self.write(script.text, to: trace)
    // It has its lock until it is gone.
    _ = engine.waitForExit(seconds: 10)
    engine = try ChildProcess(
      [
        try Checkout.program("carryd"), "--display", server.display, "--socket", socket, "--verbose", "--replay", trace,
      ], output: .pipe)
  }

  deinit {
    engine.stop(SIGKILL)
    if let names = try? FolderContents.names(folder) {
      for n in names { unlink(folder + "/" + n) }
    }
    rmdir(folder)
  }

  static func write(_ bytes: [UInt8], to path: String) throws {
    let fd = try Descriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644)
    Output.write(String(decoding: bytes, as: UTF8.self), to: fd.raw)
  }

  /// Starts `carry` with a command of its; its output can be read.
  func tool(_ arguments: String...) throws -> ChildProcess {
    try ChildProcess(
      [try Checkout.program("carry")] + arguments, environment: ["DISPLAY": server.display, "CARRY_SOCKET": socket],
      output: .pipe)
  }

  func source(_ more: String..., geometry: String = "300x300+50+250") throws -> ChildProcess {
    try tool(["drag", "--with-engine", "--json", "--geometry", geometry] + more)
  }

  func target(_ more: String..., geometry: String = "300x300+850+250") throws -> ChildProcess {
    try tool(["drop", "--with-engine", "--json", "--geometry", geometry] + more)
  }

  func tool(_ arguments: [String]) throws -> ChildProcess {
    try ChildProcess(
      [try Checkout.program("carry")] + arguments, environment: ["DISPLAY": server.display, "CARRY_SOCKET": socket],
      output: .pipe)
  }

  /// Starts `carry` as a program that sees other files than the engine, as those in sandboxes do; or as one that does not.
  /// Its output and its errors can be read.
  func tool(inSandbox isInSandbox: Bool, _ arguments: [String]) throws -> ChildProcess {
    try ChildProcess(
      ["sh", "-c", "exec \"$@\" 2>&1", "sh"] + (isInSandbox ? ["unshare", "-r", "-m"] : [])
        + [try Checkout.program("carry")] + arguments,
      environment: ["DISPLAY": server.display, "CARRY_SOCKET": socket], output: .pipe)
  }

  /// Waits for a step of a session on the monitor.
  @discardableResult
  func step(_ event: String, seconds: Double = 15) -> String? {
    monitor.readLine(seconds: seconds) { $0.contains("\"event\": \"\(event)\"") }
  }

  /// Waits for a step of one session.
  func step(_ event: String, ofSession number: Int, seconds: Double = 15) -> Bool {
    monitor.readLine(seconds: seconds) {
      $0.contains("\"event\": \"\(event)\"") && $0.contains("\"session\": \(number),")
    } != nil
  }

  /// The next step of any session on the monitor, if there is one.
  func anyStep() -> String? { monitor.readLine(seconds: 0.02) { _ in true } }

  /// Waits until the engine has played everything and exited.
  @discardableResult
  func playToTheEnd() -> CInt? { engine.waitForExit(seconds: 30) }

  /// Waits until the screen shows what `condition` says: a compositing manager draws on its own time.
  func shows(_ condition: (Screenshot) -> Bool) -> Bool {
    Wait.until(seconds: 10) { client.screenshot().map(condition) ?? false }
  }

  func color(_ x: Int, _ y: Int) -> Screenshot.Color { client.screenshot()?[x, y] ?? .init(-1, -1, -1) }
}

extension ChildProcess {
  /// Everything it prints until it ends.
  func remainingLines() -> [String] {
    var lines: [String] = []
    while let line = readLine(seconds: 10) { lines.append(line) }
    return lines
  }
}

enum FolderContents {
  static func names(_ path: String) throws -> [String] {
    try check("access", path) { access(path, F_OK) }
    return Files.list(path)
  }
}

/// The event words of JSON lines, in order.
func events(_ lines: [String]) -> [String] {
  lines.compactMap { line in
    guard let start = line.firstRange(of: "\"event\": \"") else { return nil }
    return String(line[start.upperBound...].prefix { $0 != "\"" })
  }
}

extension String {
  /// The first place of another string; the standard library's own search needs Foundation or regular expressions.
  fileprivate func firstRange(of other: String) -> Range<Index>? {
    var i = startIndex
    while i < endIndex {
      if self[i...].hasPrefix(other) { return i..<index(i, offsetBy: other.count) }
      i = index(after: i)
    }
    return nil
  }
}

extension Array where Element: Equatable {
  /// The list without repeats of an element right behind itself.
  var collapsed: [Element] { reduce(into: []) { if $0.last != $1 { $0.append($1) } } }
}
