import CX11
import CarryModel
import CarrySystem
import CarryTesting
import CLinux
import Testing

/// A private X server, the engine with a recording to play, and the demos: the real programs.
final class Desk {
  let server: PrivateXServer
  private let compositor: Compositor?
  let client: XClient
  let folder: String
  let socket: String
  private(set) var engine: ChildProcess?
  private(set) var monitor: ChildProcess?
  private var trace: String?
  private let apps: Int
  private let hasManifests: Bool
  private let settings: String

  /// An app's windows and regions need not all be there at the same moment: recordings begin half a second after the
  /// newest region. So far into it nothing happens but a tap in a corner.
  static let start = 1200

  /// - Parameters:
  ///   - script: positions are pixels of a screen of 1280×800; nothing before `start`.
  ///   - apps: how many programs are to have a region before it is played.
  ///   - compositing: options for the compositing manager.
  ///   - hasManifests: whether the system knows the demos' file provider.
  ///   - settings: what is in the engine's carry.conf; empty for the usual ones.
  init(
    _ script: FingerScript? = nil, apps: Int = 1, startsEngine: Bool = true, compositing: [String] = [],
    hasManifests: Bool = false, settings: String = ""
  ) throws {
    self.apps = apps
    self.settings = settings
    self.hasManifests = hasManifests
    server = try PrivateXServer()
    compositor = try Compositor(.picom, on: server, compositing)
    client = try #require(XClient(server.display))
    var template = Array("/tmp/carry-desk-\(getpid())-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    socket = folder + "/socket"
    if hasManifests {
      let writer = try start("carry-demo-files", "--manifests", folder + "/apps")
      try #require(writer.waitForExit(seconds: 20) == 0)
    }
    if let script { try play(script) }
    if startsEngine { try startEngine() }
  }

  deinit {
    engine?.stop(SIGKILL)
    _ = try? ChildProcess(["rm", "-rf", folder]).waitForExit(seconds: 10)
  }

  /// What an engine that is started from now on plays.
  func play(_ script: FingerScript) throws {
    var script = script
    script.tap(1275, 5, at: 0)
    try write(script.text, to: folder + "/trace.events")
    trace = folder + "/trace.events"
  }

  func startEngine() throws {
    var arguments = [try Checkout.program("carryd"), "--display", server.display, "--socket", socket, "--verbose"]
    if let trace { arguments += ["--replay", trace, "--replay-clients", "\(apps)"] }
    if hasManifests { arguments += ["--manifests", folder + "/apps", "--policy", folder + "/policy"] }
    if !settings.isEmpty {
      try write(Array(settings.utf8), to: folder + "/carry.conf")
      arguments += ["--config", folder + "/carry.conf"]
    }
    // The file provider has the engine's environment.
    let engine = try ChildProcess(arguments, environment: ["XDG_DATA_HOME": data], output: .pipe)
    self.engine = engine
    try #require(Wait.until { Files.exists(self.socket) }, "the engine did not start")
    monitor = try start("carry", "monitor", "--verbose", "--json")
    try #require(engine.readLine { $0.contains("is carry monitor") } != nil, "the monitor did not connect")
  }

  func stopEngine() {
    engine?.stop()
    engine = nil
  }

  /// A program of this build; its output can be read.
  func start(_ name: String, _ arguments: String...) throws -> ChildProcess { try start(name, arguments) }

  func start(_ name: String, _ arguments: [String]) throws -> ChildProcess {
    try ChildProcess(
      [try Checkout.program(name)] + arguments,
      environment: [
        "DISPLAY": server.display, "CARRY_SOCKET": socket, "LC_ALL": "C.UTF-8", "XDG_DATA_HOME": data,
      ], output: .pipe)
  }

  /// Where the demos have their documents.
  private var data: String { folder + "/data" }
  /// A document of a demo, by its reference.
  func document(_ reference: String) -> String { data + "/carry-demos/" + reference }

  /// Where `receiver` puts what is dropped on it.
  var received: String { folder + "/received" }

  /// A target that takes everything, and keeps it as files.
  func receiver(_ geometry: String) throws -> ChildProcess {
    try #require(mkdir(received, 0o700) == 0)
    return try start("carry", "drop", "--json", "--to", received, "--geometry", geometry)
  }

  func write(_ bytes: [UInt8], to path: String) throws { try Self.write(bytes, to: path) }

  static func write(_ bytes: [UInt8], to path: String) throws {
    let fd = try Descriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644)
    var rest = bytes[...]
    while !rest.isEmpty {
      let n = rest.withUnsafeBytes { CLinux.write(fd.raw, $0.baseAddress, $0.count) }
      try #require(n > 0)
      rest = rest.dropFirst(n)
    }
  }

  /// A PNG file of one colour.
  func makePicture(_ name: String, width: Int32 = 320, height: Int32 = 240, isRed: Bool = false) throws -> String {
    let surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height)
    let cr = cairo_create(surface)
    cairo_set_source_rgb(cr, isRed ? 0.9 : 0.1, isRed ? 0.2 : 0.4, isRed ? 0.1 : 0.9)
    cairo_paint(cr)
    cairo_destroy(cr)
    let path = folder + "/" + name
    let status = cairo_surface_write_to_png(surface, path)
    cairo_surface_destroy(surface)
    try #require(status == CAIRO_STATUS_SUCCESS)
    return path
  }

  /// Waits for a step of a session on the monitor.
  @discardableResult
  func step(_ event: String, seconds: Double = 20) -> String? {
    monitor?.readLine(seconds: seconds) { $0.contains("\"event\": \"\(event)\"") }
  }

  /// A window by its title, wherever a window manager has put it.
  func window(titled title: String) -> WindowID? { client.window { $0 == title } }

  /// Presses a key in a window.
  func press(_ symbol: CInt, in window: WindowID, control: Bool = false) {
    var event = XEvent()
    event.xkey.type = KeyPress
    event.xkey.window = UInt(window.raw)
    event.xkey.root = UInt(client.root.raw)
    event.xkey.display = client.connection
    event.xkey.state = control ? UInt32(ControlMask) : 0
    event.xkey.keycode = UInt32(XKeysymToKeycode(client.connection, UInt(symbol)))
    event.xkey.same_screen = 1
    XSendEvent(client.connection, UInt(window.raw), 1, Int(KeyPressMask), &event)
    client.sync()
  }

  /// Says how many dots of the screen make an inch, as desktops do for programs that start from now on.
  func setResolution(_ dpi: Int) {
    let text = Array("Xft.dpi:\t\(dpi)\n".utf8)
    XChangeProperty(
      client.connection, UInt(client.root.raw), client.atom("RESOURCE_MANAGER"), client.atom("STRING"), 8,
      PropModeReplace, text, CInt(text.count))
    client.sync()
  }

  /// Waits until the screen shows what `condition` says.
  func shows(_ condition: (Screenshot) -> Bool) -> Bool {
    let shows = Wait.until(seconds: 10) { client.screenshot().map(condition) ?? false }
    if !shows { shoot("not-shown-" + folder.suffix(6)) }
    return shows
  }

  /// Set CARRY_SHOTS to a folder to look at what the tests see.
  func shoot(_ name: String) {
    guard let folder = environment("CARRY_SHOTS") else { return }
    client.screenshot()?.write(to: folder + "/" + name + ".png")
  }
}

extension ChildProcess {
  /// Waits for an app's line about an event.
  @discardableResult
  func said(_ event: String, _ what: String = "", seconds: Double = 20) -> String? {
    readLine(seconds: seconds) { $0.contains("\"event\": \"\(event)\"") && $0.contains(what) }
  }

  /// What an app says from now on until it has lost its engine.
  func linesToTheEnd() -> [String] {
    var lines: [String] = []
    while let line = readLine(seconds: 20), !line.contains("\"disconnected\"") { lines.append(line) }
    return lines
  }
}
