import CAllocationCount
import CarryGestures
import CarryModel
import CarrySessions
import CarrySystem

/// The search for a target with 64 items of 32 types, without a policy and with one of a thousand lines.
enum PolicyBenchmark {
  /// A source, four targets of other programs, and a drag over them.
  private struct Hover: ~Copyable {
    let tree = WindowTree(root: WindowID(1), size: Size(width: 1920, height: 1080))
    var engine: SessionEngine
    var gestures = GestureEngine(settings: Settings())
    var now = Instant(microseconds: 1_000_000)
    var events: [GestureEvent] = []
    var actions: [SessionAction] = []
    var updates = 0

    init(_ policy: Policy) throws {
      engine = SessionEngine(settings: Settings(), tree: tree)
      for i: UInt32 in 0...4 {
        let window = WindowID(10 + i)
        let rect = Rect(x: Double(i) * 300, y: 0, width: 300, height: 1080)
        tree.insert(.init(id: window, frame: rect, isMapped: true), parent: tree.root)
        _ = try engine.addRegion(
          client: ClientID(i + 1), window: window, rect: Rect(x: 0, y: 0, width: 300, height: 1080),
          roles: i == 0 ? .drag : .drop)
        engine.setIdentity(
          ProgramIdentity(process: .peer(i), program: "org.example.P\(i)", isManaged: true), of: ClientID(i + 1))
      }
      engine.apply(policy)
    }

    static let items = (1...64).map { n in
      ItemDescription(
        id: ItemID(UInt32(n)), types: (0..<32).map { OfferedType(name: "application/x-\(n)-\($0)", ancestors: ["a/b"]) }
      )
    }

    mutating func lift() throws {
      gestures.began(ContactID(1), at: Point(x: 150, y: 500), scale: 1, time: now, into: &events)
      handle()
      now = now + .milliseconds(600)
      gestures.advance(to: now, into: &events)
      handle()
      for x in stride(from: 160.0, to: 400, by: 20) { move(to: Point(x: x, y: 500)) }
      guard updates > 0 else { throw Failure("no drag took place") }
    }

    mutating func move(to point: Point) {
      now = now + .milliseconds(8)
      gestures.moved(ContactID(1), to: point, time: now, into: &events)
      handle()
    }

    private mutating func handle() {
      for event in events { engine.handle(event, into: &actions) }
      events.removeAll(keepingCapacity: true)
      var i = 0
      while i < actions.count {
        answer(actions[i])
        i += 1
      }
      actions.removeAll(keepingCapacity: true)
    }

    private mutating func answer(_ action: SessionAction) {
      switch action {
      case .source(let client, let session, .itemsForBeginning(_, let serial, _)):
        engine.answered(by: client, session, serial: serial, items: Self.items, at: now, into: &actions)
      case .source(let client, let session, .willBegin(let serial, _)):
        engine.configured(by: client, session, serial: serial, options: SourceOptions(), at: now, into: &actions)
      case .source(let client, let session, .didMove(let serial, _)):
        engine.motionTaken(by: client, session, serial: serial, into: &actions)
      case .destination(let client, let session, let region, .canHandle(let serial, _)):
        engine.answeredCanHandle(true, by: client, session, region: region, serial: serial, at: now, into: &actions)
      case .destination(let client, let session, let region, .didUpdate(let serial, _)):
        updates += 1
        engine.proposed(.copy, by: client, session, region: region, serial: serial, at: now, into: &actions)
      default: break
      }
    }
  }

  /// A thousand lines: rules of four lines, which fit the programs but none of the types.
  private static var policy: Policy {
    Policy(
      (0..<250).map { n in
        Policy.Rule(
          .forbid, from: [.managed, .program("org.example.P0")], to: [.managed],
          types: ["image/x-\(n)", "video/x-\(n)"],
          place: "policy.conf:\(n * 4)")
      })
  }

  static func run(_ arguments: Arguments) throws {
    let rounds = arguments.number("rounds", otherwise: 400)
    var plain = try Hover(Policy())
    var ruled = try Hover(policy)
    let begin = nanoseconds()
    try plain.lift()
    let middle = nanoseconds()
    try ruled.lift()
    emit("carry.hover.lift.plain", Double(middle &- begin) / 1000, "us")
    emit("carry.hover.lift.policy", Double(nanoseconds() &- middle) / 1000, "us")
    var times: (plain: [UInt64], ruled: [UInt64]) = ([], [])
    var allocations: (plain: UInt64, ruled: UInt64) = (0, 0)
    // In turns, so that whatever disturbs one disturbs the other.
    for round in 0..<rounds {
      let before = allocation_count()
      times.plain.append(sweep(&plain, round))
      let between = allocation_count()
      times.ruled.append(sweep(&ruled, round))
      // The first sweeps make the views of the targets.
      guard round >= 10 else { continue }
      allocations.plain += between - before
      allocations.ruled += allocation_count() - between
    }
    emit(percentilesOf: times.plain, "carry.hover.plain.100")
    emit(percentilesOf: times.ruled, "carry.hover.policy.100")
    let motions = Double(max(1, rounds - 10) * 100)
    emit("carry.hover.plain.allocations", Double(allocations.plain) * 1000 / motions, "per1000ev")
    emit("carry.hover.policy.allocations", Double(allocations.ruled) * 1000 / motions, "per1000ev")
  }

  /// A hundred motions over the targets.
  private static func sweep(_ hover: inout Hover, _ round: Int) -> UInt64 {
    let begin = nanoseconds()
    for i in 0..<100 { hover.move(to: Point(x: 320 + Double(i) * 11, y: 400 + Double(round % 100))) }
    return nanoseconds() &- begin
  }
}
