import CInputTest
import CLinux
import CX11
import Carry
import CarryDisplay
import CarryGate
import CarryModel
import CarrySystem
import CarryTesting
import Testing

/// Gates that hang, that have much to do, and that cannot be started; and what the engine makes of what they say.
extension GateTests {
  @Suite(.serialized) struct Health {
    /// The gate's process alone; the test plays the engine.
    private final class Bench<Event: GateEvent> {
      let server: TouchServer
      let app: Application
      let gate: Gate<Event>
      var events: [GateReport<Event>] = []

      init() throws {
        server = try TouchServer()
        app = try Application(
          server, CarryModel.Rect(x: 100, y: 100, width: 400, height: 400), takesTouches: Event.kind == .touches)
        gate = Gate(
          displayName: server.display, patience: .milliseconds(600),
          spawner: GateProgram(try Checkout.program("carryd")))
        try gate.start()
        gate.guardWindows([WindowID(app.window)])
        try #require(has { $0 == .guarding(WindowID(self.app.window)) })
      }

      deinit { gate.stop() }

      /// Takes in what the gate says until something of it is so.
      func has(seconds: Double = 10, _ condition: (GateReport<Event>) -> Bool) -> Bool {
        Wait.until(seconds: seconds) {
          gate.dispatch { events.append($0) }
          gate.advance(to: MonotonicClock.now()) { events.append($0) }
          return events.contains(where: condition)
        }
      }

      /// The gate's process.
      var process: pid_t? {
        let children = try? Files.readAll("/proc/self/task/\(getpid())/children", limit: 65_536)
        let threads = Files.list("/proc/self/task").compactMap { task in
          try? Files.readAll("/proc/self/task/\(task)/children", limit: 65_536)
        }
        let all = (threads + [children ?? []]).flatMap {
          String(decoding: $0, as: UTF8.self).split(separator: " ").compactMap { pid_t($0) }
        }
        return all.first { pid in
          let line = try? Files.readAll("/proc/\(pid)/cmdline", limit: 4096)
          return String(decoding: line ?? [], as: UTF8.self).contains("-gate")
        }
      }

      /// The application's window and two thousand others, with the pointer on the first.
      func manyWindows() throws -> (client: XClient, windows: Set<WindowID>) {
        let client = try #require(XClient(server.display))
        var windows: Set<WindowID> = [WindowID(app.window)]
        for i in 0..<2000 {
          windows.insert(client.makeWindow(CarryModel.Rect(x: 0, y: Double(i % 90), width: 5, height: 5), maps: false))
        }
        client.sync()
        server.point(200, 150)
        events = []
        return (client, windows)
      }
    }

    private static let clicks = [XI_ButtonPress, XI_ButtonRelease]

    @Test("a click is reported, and given back in time, among any number of orders to guard windows")
    func aClickAmongManyOrders() throws {
      let b = try Bench<ClickEvent>()
      let (client, windows) = try b.manyWindows()
      defer { client.sync() }
      // The one that is clicked has its grab since the beginning; of the others each has an order that waits.
      b.gate.guardWindows(windows)
      b.server.button(true)
      #expect(b.has { if case .event(.clicked) = $0 { true } else { false } })
      #expect(b.has { if case .event(.expired) = $0 { true } else { false } })
      b.server.button(false)
      #expect(b.app.got(Self.clicks))
      let isAll = Wait.until(seconds: 30) {
        b.gate.dispatch { b.events.append($0) }
        return b.events.count { if case .guarding = $0 { true } else { false } } >= 1500
      }
      #expect(isAll)
    }

    @Test("what happens while a gate has orders in hand is heard before the rest of them")
    func someOrdersAtATime() throws {
      try Self.expectHeardSoon {
        try Self.ordersBefore(in: Bench<ClickEvent>()) {
          $0.button($1)
        } isHeard: {
          if case .event(.clicked) = $0 { true } else { false }
        }
      }
      try Self.expectHeardSoon {
        try Self.ordersBefore(in: Bench<TouchEvent>()) {
          if $1 { $0.down(1, 200, 150) } else { $0.up(1, 200, 150) }
        } isHeard: {
          if case .event(.began) = $0 { true } else { false }
        }
      }
    }

    /// Sixteen are taken at a time; what the socket holds is more than twice that. A server that goes on may answer the gate a
    /// few times before it looks at its devices, so that it has several tries: a gate that took all would fail in each.
    private static func expectHeardSoon(_ ordersBefore: () throws -> Int) throws {
      var counts: [Int] = []
      while counts.count < 5, counts.last ?? .max > 32 { counts.append(try ordersBefore()) }
      #expect(counts.last ?? .max <= 32, "\(counts) orders came first")
    }

    /// - Returns: how many orders to the gate were carried out before it was heard of what the user did.
    private static func ordersBefore<Event: GateEvent>(
      in b: Bench<Event>, press: (TouchServer, _ isDown: Bool) -> Void, isHeard: (GateReport<Event>) -> Bool
    ) throws -> Int {
      let (client, windows) = try b.manyWindows()
      defer { client.sync() }
      // The gate waits with its first order, and finds the others when the server goes on; so does the server find what
      // the user did.
      b.server.hang(true)
      b.gate.guardWindows(windows)
      b.gate.dispatch { b.events.append($0) }
      press(b.server, true)
      b.server.hang(false)
      let hasHeard = b.has(seconds: 30, isHeard)
      #expect(hasHeard)
      press(b.server, false)
      return b.events.prefix { !isHeard($0) }.count { if case .guarding = $0 { true } else { false } }
    }

    @Test("a click gate that hangs is ended, and the pointer moves on")
    func aClickGateThatHangs() throws {
      let b = try Bench<ClickEvent>()
      b.server.point(200, 150)
      kill(try #require(b.process), SIGSTOP)
      b.server.button(true)
      b.server.button(false)
      b.gate.expectHeartbeat(at: MonotonicClock.now())
      #expect(b.app.kinds.isEmpty)
      #expect(b.has { $0 == .hung })
      #expect(!b.gate.isRunning)
      // X keeps no press for a client that is gone: this one click is lost.
      b.server.point(210, 160)
      #expect(b.server.pointerIs(at: 210, 160))
      _ = b.app.kinds
      b.app.forget()
      b.server.button(true)
      b.server.button(false)
      #expect(b.app.got(Self.clicks))
    }

    @Test("a touch gate that hangs is ended and replaced, and the touch is the application's")
    func aTouchGateThatHangs() throws {
      let s = try Scene()
      let children = try Files.readAll("/proc/\(s.engine.pid)/task/\(s.engine.pid)/children", limit: 4096)
      let gate = try #require(
        String(decoding: children, as: UTF8.self).split(separator: " ").first.flatMap { pid_t($0) })
      kill(gate, SIGSTOP)
      s.server.down(1, 200, 150)
      s.server.up(1, 200, 150)
      #expect(s.engine.readLine { $0.contains("did not answer and was ended") } != nil)
      #expect(s.app.got([XI_TouchBegin, XI_TouchEnd]))
      #expect(s.engine.readLine { $0.contains("touches are held") } != nil)
      s.server.down(2, 200, 150)
      #expect(s.run { s.source.calls.contains("begin") })
      s.server.up(2, 200, 150)
    }

    @Test("a touch that was taken while another client had it is taken when that gives it away")
    func aLateAccept() throws {
      var cancelled: [UInt32] = []
      let s = try Scene { s in
        s.region.onTouchCancelled = { cancelled.append($0) }
        // One that is not cooperative: the window is guarded.
        let held = Carry.Region(
          client: s.client, window: s.app.window, frame: Carry.Rect(x: 0, y: 200, width: 400, height: 100))
        held.addInteraction(DragInteraction(delegate: s.source))
      }
      let other = try #require(XClient(s.server.display))
      let opcode = try #require(other.beginXInput())
      let root = XDefaultRootWindow(other.connection)
      #expect(cinputtest_grab(other.connection, root))
      s.server.down(1, 200, 150)
      #expect(s.run { cancelled.count == 1 })
      var begun: cinputtest_event?
      let has = Wait.until {
        XSync(other.connection, 0)
        let e = cinputtest_next(other.connection, opcode)
        if e.type == XI_TouchBegin { begun = e }
        return begun != nil
      }
      #expect(has)
      let touch = try #require(begun).detail
      // Of the master pointer.
      XIAllowTouchEvents(other.connection, 2, touch, root, XIRejectTouch)
      XSync(other.connection, 0)
      // Longer than the gate's patience.
      s.rest(seconds: 1)
      #expect(s.app.kinds.isEmpty)
      s.server.move(1, 260, 150)
      s.server.move(1, 600, 600)
      #expect(s.run { s.source.calls.contains("willBegin") })
      #expect(!s.source.calls.contains("didEnd(cancel)"))
      s.server.up(1, 600, 600)
      #expect(s.run { s.source.calls.contains("didEnd(cancel)") })
    }

    @Test("monitors hear which touchscreen of the X server a finger is on") func theTouchscreensName() throws {
      let s = try Scene()
      var devices: [String] = []
      let monitor = Monitor(client: s.client) { devices.append($0.device) }
      try s.client.synchronize()
      s.server.down(1, 200, 150)
      #expect(s.run { !devices.isEmpty })
      #expect(devices.first == "touch")
      s.server.up(1, 200, 150)
      withExtendedLifetime(monitor) {}
    }

    @Test("a touch gate that cannot be started with the engine is started when it can be")
    func aGateThatCannotBeStartedAtFirst() throws {
      let server = try TouchServer()
      let app = try Application(server, CarryModel.Rect(x: 100, y: 100, width: 400, height: 400))
      #expect(app.setEnabled(false))
      let engine = try Engine(on: server.display)
      func allow(_ descriptors: Int) throws {
        let tool = try ChildProcess(["prlimit", "--pid", "\(engine.pid)", "--nofile=\(descriptors):"])
        #expect(tool.waitForExit(seconds: 5) == 0)
      }
      try allow(3)
      // Only now is there a touchscreen.
      #expect(app.setEnabled(true))
      #expect(engine.readLine { $0.contains("touches cannot be held") } != nil)
      try allow(256)
      #expect(engine.readLine { $0.contains("the touch gate runs") } != nil)
      engine.stop(SIGKILL)
    }

    @Test("a gate that is asked to observe a touch which has ended does not look at those to come")
    func observingATouchThatHasEnded() throws {
      let b = try Bench<TouchEvent>()
      b.server.down(1, 700, 600)
      b.server.up(1, 700, 600)
      var touch: UInt32?
      #expect(b.has { if case .event(.rawEnded(let id, _, _)) = $0 { touch = id; return true } else { return false } })
      b.gate.observe(try #require(touch), from: .zero)
      func wakeUps() throws -> Int {
        let status = try Files.readAll("/proc/\(try #require(b.process))/status", limit: 8192)
        let line = String(decoding: status, as: UTF8.self).split(separator: "\n").first {
          $0.hasPrefix("voluntary_ctxt_switches:")
        }
        return try #require(line.flatMap { Int($0.drop { !$0.isNumber }) })
      }
      b.events = []
      b.server.down(2, 700, 600)
      #expect(b.has { if case .event(.rawBegan) = $0 { true } else { false } })
      let before = try wakeUps()
      for i in 0..<100 { b.server.move(2, 700 + Double(i), 600) }
      b.server.up(2, 800, 600)
      #expect(b.has { if case .event(.rawEnded) = $0 { true } else { false } })
      let wakes = try wakeUps() - before
      #expect(wakes < 20, "\(wakes)")
    }

    @Test("a window that is gone before it is guarded is nobody else's") func aWindowThatIsGone() throws {
      let b = try Bench<TouchEvent>()
      let window = WindowID(b.app.window)
      b.gate.guardWindows([window, WindowID(0x7FF_FFF0)])
      b.gate.guardWindows([WindowID(0x7FF_FFF0)])
      b.events = []
      b.gate.guardWindows([window])
      #expect(b.has { $0 == .guarding(window) })
      #expect(!b.events.contains { if case .unguarded = $0 { true } else { false } })
    }
  }
}
