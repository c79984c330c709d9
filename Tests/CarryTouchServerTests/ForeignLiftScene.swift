import CInputTest
import CX11
import CLinux
import CarryModel
import CarrySystem
import CarryTesting
import Testing

extension ForeignLiftTests {
  /// Xorg, the engine with its monitor, and a program of another toolkit from which something can be dragged by mouse.
  final class Scene {
    let server: TouchServer
    let engine: Engine
    let monitor: MonitorProcess
    var socket: String { engine.socket }

    /// - Parameters:
    ///   - applications: what may be lifted out of.
    ///   - furnish: puts on the screen what is there before the engine.
    init(_ applications: String = "liftable-gtk3", furnish: (TouchServer) throws -> Void = { _ in }) throws {
      server = try TouchServer()
      try furnish(server)
      engine = try Engine(holdingTouchesOf: server, settings: "[lift]\napplications = \(applications)\n")
      monitor = try MonitorProcess(of: engine)
    }

    deinit {
      // Before the X server goes.
      looker = nil
      engine.stop(SIGKILL)
    }

    func isGuarded() -> Bool { engine.readLine { $0.contains("touches are held") } != nil }

    func target(_ more: String...) throws -> ChildProcess {
      try ChildProcess(
        [try Checkout.program("carry"), "drop", "--with-engine", "--json", "--geometry", "300x300+850+250"] + more,
        environment: ["DISPLAY": server.display, "CARRY_SOCKET": socket], output: .pipe)
    }

    func step(_ event: String, seconds: Double = 15) -> String? { monitor.step(event, seconds: seconds) }

    /// A finger comes down and lifts. The engine has little time for it, so that a busy machine may need several tries.
    func lift(_ touch: UInt32, _ x: Double, _ y: Double) -> Bool {
      (0..<6).contains { _ in
        server.down(touch, x, y)
        if step("lifted", seconds: 4) != nil { return true }
        server.up(touch, x, y)
        return false
      }
    }

    /// A finger comes down and rests until the bridge has pressed; on a busy machine the first may be too late.
    ///
    /// - Returns: the finger, which is down; nil if nothing was pressed.
    func presses(_ x: Double, _ y: Double) -> UInt32? {
      for touch in UInt32(1)...6 {
        server.down(touch, x, y)
        let isPressed = Wait.until(seconds: 3) { (try? buttonIsDown()) == true }
        if isPressed { return touch }
        server.up(touch, x, y)
      }
      return nil
    }

    /// A finger lifts at 200,400 and carries to 600,400, and another one taps.
    ///
    /// - Returns: whether the tap added something.
    func liftsAndAdds(_ x: Double, _ y: Double) -> Bool {
      guard lift(1, 200, 400) else { return false }
      for x in stride(from: 210.0, through: 600, by: 30) { server.move(1, x, 400) }
      guard step("began") != nil else { return false }
      return (0..<6).contains { _ in
        server.down(2, x, y)
        server.up(2, x, y)
        return step("items-added", seconds: 4) != nil
      }
    }

    /// The finger goes on to the target, and lets go.
    func drops() -> Bool {
      server.move(1, 1000, 400)
      defer { server.up(1, 1000, 400) }
      return step("entered") != nil
    }

    /// The next thing that `carry drop` has received.
    func received(_ target: ChildProcess) -> String? {
      target.readLine(seconds: 20) { line in
        ["received", "failed"].contains { line.contains("\"event\": \"\($0)\"") }
      }
    }

    /// One connection for all looks at the buttons: a press is short, and a new connection takes long.
    private lazy var looker: XClient? = {
      guard let x = XClient(server.display), x.beginXInput() != nil else { return nil }
      return x
    }()

    /// Whether a button of the X server's own device for tests is down, which the bridge presses.
    func buttonIsDown() throws -> Bool {
      guard let x = looker else { throw Problem("no connection with XInput") }
      var count: CInt = 0
      guard let devices = XIQueryDevice(x.connection, XIAllDevices, &count) else { return false }
      defer { XIFreeDeviceInfo(devices) }
      return UnsafeBufferPointer(start: devices, count: Int(count)).contains { device in
        guard device.use == XISlavePointer, String(cString: device.name).contains("XTEST") else { return false }
        return (0..<Int(device.num_classes)).contains { i in
          guard let info = device.classes[i], info.pointee.type == XIButtonClass else { return false }
          let state = UnsafeRawPointer(info).assumingMemoryBound(to: XIButtonClassInfo.self).pointee.state
          return UnsafeBufferPointer(start: state.mask, count: Int(state.mask_len)).contains { $0 != 0 }
        }
      }
    }

    func pointer() throws -> Point {
      let x = try #require(XClient(server.display))
      var (root, child): (Window, Window) = (0, 0)
      var (rootX, rootY, windowX, windowY): (CInt, CInt, CInt, CInt) = (0, 0, 0, 0)
      var mask: UInt32 = 0
      XQueryPointer(
        x.connection, XDefaultRootWindow(x.connection), &root, &child, &rootX, &rootY, &windowX, &windowY, &mask)
      return Point(x: Double(rootX), y: Double(rootY))
    }

    var bridge: pid_t? {
      ProcessID.children(of: engine.pid).first { ProcessID.arguments(of: $0).contains("--bridge") }
    }
  }
}
