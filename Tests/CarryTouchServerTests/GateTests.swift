import CInputTest
import Carry
import CarryModel
import CarrySystem
import CarryTesting
import CLinux
import Testing

/// The promise: a touch that Carry does not want reaches the application as if Carry were not there, and a touch that
/// it takes is never acted on by the application.
@Suite(.serialized) struct GateTests {
  final class Source: DragInteractionDelegate {
    var items = 1
    var added = 0
    var calls: [String] = []
    func dragInteraction(_ i: DragInteraction, itemsForBeginning s: DragSession) -> [DragItem] {
      calls.append("begin")
      return (0..<items).map { _ in DragItem(itemProvider: ItemProvider(text: "hello")) }
    }
    func dragInteraction(
      _ i: DragInteraction, itemsForAddingTo s: DragSession, withTouchAt p: Carry.Point
    ) -> [DragItem] {
      calls.append("add")
      return (0..<added).map { _ in DragItem(itemProvider: ItemProvider(text: "more")) }
    }
    /// Where the finger was last, on the screen.
    weak var region: Region?
    var moved = Carry.Point(x: 0, y: 0)
    func dragInteraction(_ i: DragInteraction, sessionDidMove s: DragSession) {
      if let region { moved = s.location(in: region) }
    }
    /// How many lifts were completed.
    private(set) var lifts = 0
    func dragInteraction(_ i: DragInteraction, didLift s: DragSession) { lifts += 1 }
    func dragInteraction(_ i: DragInteraction, sessionWillBegin s: DragSession) { calls.append("willBegin") }
    func dragInteraction(_ i: DragInteraction, session: DragSession, didEndWith o: Carry.DropOperation) {
      calls.append("didEnd(\(o))")
    }
  }

  /// Xorg, the engine, an application whose upper half is a drag region, and another application without any.
  final class Scene {
    let server: TouchServer
    let engine: Engine
    private(set) var app: Application
    private(set) var other: Application
    let client: Client
    let source = Source()
    private(set) var interactions: [DragInteraction] = []
    private(set) var region: Region

    /// - Parameters:
    ///   - takesTouches: whether the application knows touches; one that does not gets clicks.
    ///   - settings: what is in the engine's carry.conf; empty for the usual ones.
    ///   - options: more of the engine's options.
    ///   - prepare: done before the region is registered.
    init(
      waits: Bool = true, takesTouches: Bool = true, settings: String = "", options: [String] = [],
      prepare: (Scene) throws -> Void = { _ in }
    ) throws {
      server = try TouchServer()
      engine = try Engine(holdingTouchesOf: server, settings: settings, options: options)
      app = try Application(
        server, CarryModel.Rect(x: 100, y: 100, width: 400, height: 400), takesTouches: takesTouches)
      other = try Application(server, CarryModel.Rect(x: 700, y: 100, width: 400, height: 400))
      client = try Client(name: "app", socket: engine.socket)
      region = Region(client: client, window: app.window, frame: Carry.Rect(x: 0, y: 0, width: 400, height: 200))
      source.region = region
      try prepare(self)
      interactions = [DragInteraction(delegate: source)]
      for interaction in interactions { region.addInteraction(interaction) }
      try client.synchronize()
      try #require(region.refusal == nil)
      if waits { try #require(engine.readLine { $0.contains("touches are held") } != nil, "the window is not guarded") }
    }

    /// Makes the windows and the region again after the X server has come back.
    func register() throws {
      app = try Application(server, CarryModel.Rect(x: 100, y: 100, width: 400, height: 400))
      other = try Application(server, CarryModel.Rect(x: 700, y: 100, width: 400, height: 400))
      region = Region(client: client, window: app.window, frame: Carry.Rect(x: 0, y: 0, width: 400, height: 200))
      source.region = region
      region.addInteraction(DragInteraction(delegate: source))
      try client.synchronize()
      try #require(region.refusal == nil)
      try #require(engine.readLine { $0.contains("touches are held") } != nil, "the window is not guarded")
    }

    deinit { engine.stop(SIGKILL) }

    /// What `carry doctor` says of it all.
    func doctor() throws -> (status: CInt?, lines: [String]) {
      let p = try ChildProcess(
        [try Checkout.program("carry"), "doctor", "--socket", engine.socket],
        environment: ["DISPLAY": server.display], output: .pipe)
      var lines: [String] = []
      while let line = p.readLine() { lines.append(line) }
      return (p.waitForExit(seconds: 5), lines)
    }

    /// A finger comes down and rests until what lies there has lifted. Where the engine is late the application has
    /// the touch: on a busy machine it is tried again, as if nothing had been.
    func lift(_ touch: UInt32, _ x: Double, _ y: Double) -> Bool {
      let (lifts, calls) = (source.lifts, source.calls)
      for _ in 0..<6 {
        server.down(touch, x, y)
        if run(seconds: 2, until: { self.source.lifts > lifts }) { return true }
        server.up(touch, x, y)
        // The application has it, unless the lift came after all.
        run(seconds: 2) { app.kinds.last == XI_TouchEnd }
        app.forget()
        source.calls = calls
      }
      return false
    }

    /// The fingers stay as they are for so long: real seconds, for the X server's clock and the gate's are real.
    func rest(seconds: Double) { run(seconds: seconds) { false } }

    /// Runs the application for a while, or until something holds.
    @discardableResult
    func run(seconds: Double = 5, until condition: () -> Bool) -> Bool {
      Wait.until(seconds: seconds, descriptor: client.fileDescriptor) {
        try? client.dispatch()
        return condition()
      }
    }
  }

  private static let tap = [XI_TouchBegin, XI_TouchEnd]

  @Test("Z35: a touch on a part of a region that may not lift is the application's while the finger is still down")
  func Z35_maybeNot() throws {
    let s = try Scene()
    let drag = DragInteraction(delegate: s.source)
    var presses: [Carry.Point] = []
    drag.mayBegin = { point in
      presses.append(point)
      return point.x > 200
    }
    for old in s.interactions { s.region.removeInteraction(old) }
    s.region.addInteraction(drag)
    try s.client.synchronize()
    s.server.down(1, 200, 200)
    #expect(s.run { s.app.kinds == [XI_TouchBegin] }, "\(s.app.kinds)")
    // It was not asked for items: it has the touch because it said so.
    #expect(s.source.calls.isEmpty && presses.count == 1 && abs((presses.first?.x ?? 0) - 100) < 2)
    s.server.up(1, 200, 200)
    #expect(s.run { s.app.kinds == Self.tap })
    s.app.forget()
    #expect(s.lift(2, 400, 200))
    #expect(s.app.kinds.isEmpty)
    s.server.up(2, 400, 200)
  }

  @Test("Z4: a touch beside the region is the applications at once")
  func Z4_aTouchBesideTheRegionIsTheApplicationsAtOnce() throws {
    let s = try Scene()
    s.server.down(1, 200, 400)
    #expect(s.app.got([XI_TouchBegin]))
    s.server.move(1, 210, 410)
    #expect(s.app.got([XI_TouchBegin, XI_TouchUpdate]) || s.app.kinds.starts(with: [XI_TouchBegin, XI_TouchUpdate]))
    s.server.up(1, 210, 410)
    #expect(Wait.until { s.app.kinds.last == XI_TouchEnd })
    #expect(abs((s.app.events.first?.x ?? 0) - 100) < 2 && abs((s.app.events.first?.y ?? 0) - 300) < 2)
  }

  @Test("Z4: a window without regions is not guarded at all") func Z4_aWindowWithoutRegionsIsNotGuardedAtAll() throws {
    let s = try Scene()
    s.server.down(1, 800, 200)
    #expect(s.other.got([XI_TouchBegin]))
    s.server.up(1, 800, 200)
    #expect(s.other.got(Self.tap))
  }

  @Test("Z4: a tap on the region reaches the application whole and once")
  func Z4_aTapOnTheRegionReachesTheApplicationWholeAndOnce() throws {
    let s = try Scene()
    s.server.down(1, 200, 150)
    #expect(s.app.kinds.isEmpty)
    s.server.up(1, 200, 150)
    try #require(s.app.got(Self.tap))
    #expect(abs((s.app.events[0].x) - 100) < 2 && abs((s.app.events[1].x) - 100) < 2)
  }

  @Test("Z4: a swipe on the region reaches the application") func Z4_aSwipeOnTheRegionReachesTheApplication() throws {
    let s = try Scene()
    s.server.down(1, 200, 150)
    for i in 1...10 { s.server.move(1, 200 + Double(i) * 10, 150) }
    #expect(Wait.until { s.app.kinds.first == XI_TouchBegin })
    s.server.up(1, 300, 150)
    #expect(Wait.until { s.app.kinds.last == XI_TouchEnd })
    #expect(s.app.events.contains { $0.type == XI_TouchUpdate })
  }

  @Test("Z4, L1: a touch that lifts never reaches the application")
  func Z4_L1_aTouchThatLiftsNeverReachesTheApplication() throws {
    let s = try Scene()
    #expect(s.lift(1, 200, 150))
    #expect(s.source.calls.contains("begin"))
    // Past the lift and past the gate's patience.
    s.rest(seconds: 0.9)
    s.server.move(1, 260, 150)
    #expect(s.run { s.source.calls.contains("willBegin") })
    s.server.move(1, 600, 700)
    s.server.up(1, 600, 700)
    #expect(s.run { s.source.calls.contains("didEnd(cancel)") })
    #expect(s.app.kinds.isEmpty)
  }

  @Test("L4: no items gives the touch to the application") func L4_noItemsGivesTheTouchToTheApplication() throws {
    let s = try Scene()
    s.source.items = 0
    s.server.down(1, 200, 150)
    #expect(s.run { s.source.calls.contains("begin") && s.app.kinds == [XI_TouchBegin] })
    s.server.up(1, 200, 150)
    #expect(s.app.got(Self.tap))
  }

  @Test("A1, A4: a tap that adds is consumed and one that does not is the applications")
  func A1_A4_aTapThatAddsIsConsumedAndOneThatDoesNotIsTheApplications() throws {
    let s = try Scene()
    s.source.added = 1
    #expect(s.lift(1, 200, 150))
    s.server.move(1, 260, 150)
    #expect(s.run { s.source.calls.contains("willBegin") })
    s.server.move(1, 600, 600)
    s.server.down(2, 300, 150)
    s.server.up(2, 300, 150)
    #expect(s.run { s.source.calls.contains("add") })
    // Past the gate's patience.
    s.rest(seconds: 0.9)
    #expect(s.app.kinds.isEmpty)
    s.source.added = 0
    s.server.down(3, 300, 160)
    s.server.up(3, 300, 160)
    #expect(s.run { s.source.calls.count { $0 == "add" } == 2 && s.app.kinds == Self.tap })
    s.server.up(1, 600, 600)
  }

  @Test("G10: other fingers reach applications while one drags") func G10_otherFingersReachApplicationsWhileOneDrags()
    throws
  {
    let s = try Scene()
    #expect(s.lift(1, 200, 150))
    s.server.move(1, 600, 600)
    #expect(s.run { s.source.calls.contains("willBegin") })
    s.server.down(2, 800, 300)
    s.server.up(2, 800, 300)
    try #require(s.other.got(Self.tap))
    #expect(abs(s.other.events[1].x - 100) < 2)
    s.server.down(3, 200, 450)
    s.server.up(3, 200, 450)
    #expect(s.app.got(Self.tap))
    s.server.up(1, 600, 600)
  }

  @Test("a stopped engine costs one late touch and no more") func aStoppedEngineCostsOneLateTouchAndNoMore()
    throws
  {
    let s = try Scene()
    s.engine.signal(SIGSTOP)
    let before = MonotonicClock.now()
    s.server.down(1, 200, 150)
    s.server.up(1, 200, 150)
    #expect(s.app.got(Self.tap, seconds: 3))
    let late = (MonotonicClock.now() - before).seconds
    #expect(late > 0.4, "the touch was not held: \(late)")
    s.engine.signal(SIGCONT)
  }

  @Test("when the engine is killed an undecided touch is the applications")
  func whenTheEngineIsKilledAnUndecidedTouchIsTheApplications() throws {
    let s = try Scene()
    s.server.down(1, 200, 150)
    #expect(s.app.kinds.isEmpty)
    s.engine.stop(SIGKILL)
    #expect(s.app.got([XI_TouchBegin]))
    s.server.up(1, 200, 150)
    #expect(s.app.got(Self.tap))
    s.app.forget()
    s.server.down(2, 220, 150)
    s.server.up(2, 220, 150)
    #expect(s.app.got(Self.tap))
  }

  @Test("the gate's patience follows the settings") func theGatesPatienceFollowsTheSettings() throws {
    let s = try Scene(settings: "[lift]\ncompletes-ms = 500\n")
    try s.engine.folder.write("[lift]\ncompletes-ms = 1500\n", to: "carry.conf")
    #expect(s.engine.readLine { $0.contains("settings read again") } != nil)
    // After a whole tap the gate has read the order.
    try s.client.synchronize()
    s.server.down(1, 200, 150)
    s.server.up(1, 200, 150)
    #expect(s.app.got(Self.tap))
    s.app.forget()
    s.engine.signal(SIGSTOP)
    let before = MonotonicClock.now()
    s.server.down(1, 200, 150)
    s.server.up(1, 200, 150)
    #expect(s.app.got(Self.tap, seconds: 10))
    let late = (MonotonicClock.now() - before).seconds
    // A lift's time, and 100 ms.
    #expect(late > 1.4, "the touch was held for \(late) s")
    s.engine.signal(SIGCONT)
  }

  @Test("carry doctor tells of the gate, and of windows that it cannot guard")
  func carryDoctorTellsOfTheGate() throws {
    let s = try Scene()
    let well = try s.doctor()
    #expect(well.status == 0, "\(well.lines)")
    #expect(well.lines.contains { $0.hasPrefix("ok      xinput:") && $0.contains("with a touchscreen") })
    #expect(well.lines.contains { $0.hasPrefix("ok      gate:") && $0.contains("are held") })
    // Somebody holds the touches of another window before the gate does.
    let window = s.other.window
    #expect(s.other.grabTouches())
    let region = Region(client: s.client, window: window, frame: Carry.Rect(x: 0, y: 0, width: 400, height: 200))
    region.addInteraction(DragInteraction(delegate: s.source))
    try s.client.synchronize()
    #expect(s.engine.readLine { $0.contains("another client holds its touches") } != nil)
    let id = "0x" + String(window, radix: 16)
    var lines: [String] = []
    let isTold = Wait.until(seconds: 5) {
      lines = (try? s.doctor().lines) ?? []
      return lines.contains { $0.hasPrefix("warning gate:") && $0.contains(id) }
    }
    #expect(isTold, "\(lines)")
  }
}
