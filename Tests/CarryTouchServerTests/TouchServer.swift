import CInputTest
import CX11
import CarryModel
import CarrySystem
import CarryTesting
import CLinux
import Synchronization
import Testing

extension Engine {
  /// Starts it, and waits until it can hold touches.
  convenience init(holdingTouchesOf server: TouchServer, settings: String = "", options: [String] = []) throws {
    try self.init(on: server.display, settings: settings, options: options)
    try #require(readLine { $0.contains("touch gate runs") } != nil, "no touch gate")
  }
}

/// A real Xorg with a touchscreen that a socket drives: no hardware, but real XInput 2 touches.
final class TouchServer {
  static let size = Size(width: 1280, height: 800)
  let display: String
  private let place: TestFolder
  var folder: String { place.path }
  private var process: ChildProcess
  /// Connections to the drivers, by the name of their device.
  private var injectors: [String: CInt] = [:]
  private var current = "touch"

  /// Other test runs on the machine begin elsewhere.
  private static let number = Atomic<Int>(100 + Int(getpid() % 300) * 8)

  convenience init() throws {
    // Somebody else may have the display, in spite of its number.
    do { try self.init(Self.nextNumber()) } catch { try self.init(Self.nextNumber()) }
  }

  /// The next number of a display that nobody has.
  private static func nextNumber() -> Int {
    while true {
      let n = number.add(1, ordering: .relaxed).newValue
      if !Files.exists("/tmp/.X\(n)-lock") { return n }
    }
  }

  private init(_ number: Int) throws {
    place = try TestFolder("touch")
    let path = place.path
    display = ":\(number)"
    let configuration = try Checkout.text("Tests/Support/xorg.conf").replacing("@FOLDER@", with: path)
    try place.write(configuration, to: "xorg.conf")
    let started = try Self.start(display, path)
    process = started.process
    injectors["touch"] = started.injector
  }

  private static func start(_ display: String, _ path: String) throws -> (process: ChildProcess, injector: CInt) {
    // A seat other than seat0 keeps it off the consoles.
    let process = try ChildProcess([
      "sh", "-c", "exec \"$@\" 2> \"$0\"", path + "/errors", "Xorg", display, "-config", path + "/xorg.conf",
      "-layout", "two touchscreens", "-seat", "carrytest", "-noreset", "-nolisten", "tcp", "-ac", "-logfile",
      path + "/log",
    ])
    var connected: CInt = -1
    _ = Wait.until(seconds: 20) {
      if let s = try? SocketListener.connect(to: path + "/touch") { connected = s.release() }
      return connected >= 0 || !process.isRunning
    }
    guard connected >= 0 else {
      let errors = String(decoding: (try? Files.readAll(path + "/errors", limit: 1 << 16)) ?? [], as: UTF8.self)
      throw Problem("Xorg with the inputtest driver did not start: \(errors)")
    }
    try #require(cinputtest_greet(connected))
    return (process, connected)
  }

  /// Its process.
  var pid: Int32 { process.pid }

  /// Ends it as a crash would.
  func kill() { process.stop(SIGKILL) }

  /// Starts it again after `kill`, under the same name.
  func restart() throws {
    for s in injectors.values { close(s) }
    injectors = [:]
    for socket in ["touch", "touch2", "pointer", "keyboard"] { unlink(folder + "/" + socket) }
    let new = try Self.start(display, folder)
    process = new.process
    injectors["touch"] = new.injector
  }

  /// Stops and continues it: a server that hangs.
  func hang(_ hangs: Bool) { process.signal(hangs ? SIGSTOP : SIGCONT) }

  deinit {
    for s in injectors.values { close(s) }
    // Killed, it would leave its lock and its socket behind.
    process.stop()
    if pointer >= 0 { close(pointer) }
  }

  /// Fingers go to the other touchscreen, or to the first again.
  func useTouchscreen(_ name: String) throws {
    if injectors[name] == nil {
      // The driver takes one connection in its life.
      let socket = try SocketListener.connect(to: folder + "/" + name)
      let raw = socket.release()
      injectors[name] = raw
      try #require(cinputtest_greet(raw))
    }
    current = name
  }

  private func put(_ touch: UInt32, _ type: CInt, _ x: Double, _ y: Double) {
    let injector = injectors[current] ?? -1
    _ = cinputtest_touch(
      injector, touch, UInt32(type), x / Self.size.width * 65_535, y / Self.size.height * 65_535)
    _ = cinputtest_sync(injector)
  }

  /// The pointer's device; the driver takes one connection in its life.
  private lazy var pointer: CInt = {
    guard let s = try? SocketListener.connect(to: folder + "/pointer") else { return -1 }
    let fd = s.release()
    return cinputtest_greet(fd) ? fd : -1
  }()

  /// Moves the pointer, in screen pixels.
  func point(_ x: Double, _ y: Double) {
    _ = cinputtest_motion(pointer, x / Self.size.width * 65_535, y / Self.size.height * 65_535)
    _ = cinputtest_sync(pointer)
  }

  /// Waits until the pointer, as far as the server has handled it, is there.
  func pointerIs(at x: Double, _ y: Double) -> Bool {
    guard let client = XClient(display) else { return false }
    return Wait.until {
      var (root, child): (CX11.Window, CX11.Window) = (0, 0)
      var (rx, ry, wx, wy): (CInt, CInt, CInt, CInt) = (0, 0, 0, 0)
      var mask: CUnsignedInt = 0
      XQueryPointer(
        client.connection, XDefaultRootWindow(client.connection), &root, &child, &rx, &ry, &wx, &wy, &mask)
      return abs(Double(rx) - x) < 2 && abs(Double(ry) - y) < 2
    }
  }

  /// A key by the kernel's number of it, down and up, with others held meanwhile.
  func press(_ key: CInt, with held: CInt...) throws {
    let before = current
    try useTouchscreen("keyboard")
    current = before
    let keyboard = injectors["keyboard"] ?? -1
    for other in held { _ = cinputtest_key(keyboard, other, true) }
    for isPress in [true, false] { _ = cinputtest_key(keyboard, key, isPress) }
    for other in held { _ = cinputtest_key(keyboard, other, false) }
    _ = cinputtest_sync(keyboard)
  }

  func button(_ isPress: Bool) {
    _ = cinputtest_button(pointer, 1, isPress)
    _ = cinputtest_sync(pointer)
  }

  func down(_ touch: UInt32, _ x: Double, _ y: Double) { put(touch, XI_TouchBegin, x, y) }
  func move(_ touch: UInt32, _ x: Double, _ y: Double) { put(touch, XI_TouchUpdate, x, y) }
  func up(_ touch: UInt32, _ x: Double, _ y: Double) { put(touch, XI_TouchEnd, x, y) }
}

/// An application below: a window, and the touches that reach it.
final class Application {
  private let client: XClient
  var display: OpaquePointer { client.connection }
  private var connection: OpaquePointer { client.connection }
  private let opcode: CInt
  let window: UInt32
  private(set) var events: [cinputtest_event] = []

  /// - Parameter takesTouches: whether it knows touches; one that does not gets clicks.
  init(_ server: TouchServer, _ rect: CarryModel.Rect, color: UInt = 0xFFFFFF, takesTouches: Bool = true) throws {
    client = try #require(XClient(server.display))
    let connection = client.connection
    opcode = try #require(client.beginXInput(), "no XInput 2.2")
    let id = XCreateSimpleWindow(
      connection, XDefaultRootWindow(connection), CInt(rect.x), CInt(rect.y), UInt32(rect.width), UInt32(rect.height),
      0, 0, color)
    window = UInt32(id)
    if takesTouches { cinputtest_select(connection, id) } else { cinputtest_select_buttons(connection, id) }
    XMapWindow(connection, id)
    XSync(connection, 0)
  }

  private func take() {
    XSync(connection, 0)
    while true {
      let e = cinputtest_next(connection, opcode)
      if e.type == 0 { return }
      events.append(e)
    }
  }

  /// Takes the touches of its window for itself, as no plugin does.
  func grabTouches() -> Bool { cinputtest_grab(connection, CX11.Window(window)) }

  /// Changes how the touchscreen lies on the screen.
  func setMatrix(_ m: [Float]) -> Bool {
    cinputtest_set_floats(connection, "touch", "Coordinate Transformation Matrix", m, CInt(m.count))
  }

  /// Switches the screen to the first mode of this size.
  func setMode(_ width: Int32, _ height: Int32) -> Bool {
    guard let info = XRRGetScreenInfo(connection, XDefaultRootWindow(connection)) else { return false }
    defer { XRRFreeScreenConfigInfo(info) }
    var count: CInt = 0
    guard let sizes = XRRConfigSizes(info, &count),
      let i = (0..<Int(count)).first(where: { sizes[$0].width == width && sizes[$0].height == height })
    else { return false }
    let status = XRRSetScreenConfig(
      connection, info, XDefaultRootWindow(connection), CInt(i), Rotation(RR_Rotate_0), UInt(CurrentTime))
    XSync(connection, 0)
    return status == RRSetConfigSuccess
  }

  func setEnabled(_ enabled: Bool) -> Bool {
    cinputtest_set_byte(connection, "touch", "Device Enabled", enabled ? 1 : 0)
      && cinputtest_set_byte(connection, "touch2", "Device Enabled", enabled ? 1 : 0)
  }

  /// Waits until the touches that have come are these kinds.
  func got(_ kinds: [CInt], seconds: Double = 5) -> Bool {
    Wait.until(seconds: seconds) {
      take()
      return events.map(\.type) == kinds
    }
  }

  /// What has come by now.
  var kinds: [CInt] {
    take()
    return events.map(\.type)
  }

  func forget() { events = [] }
}
