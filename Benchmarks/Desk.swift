import CarryContacts
import CarryGestures
import CarryModel
import CarrySessions

/// The engine's pure middle with applications that answer at once: what the daemon does with a frame, without its edges.
struct Desk: ~Copyable {
  private var gestures: GestureEngine
  private(set) var engine: SessionEngine
  private var gestureEvents: [GestureEvent] = []
  private var actions: [SessionAction] = []
  private let mapping: ScreenMapping
  private let source = ClientID(1)
  /// What the stage is told to show; the edge under test does it.
  var onStage: ((SessionID, StageAction, Instant) -> Void)?
  private(set) var drags = 0
  private(set) var motions = 0
  private(set) var updates = 0

  /// 30 windows of 22 each with 66 drop regions, and one drag region where the trace's first finger comes down. The
  /// finger lifts it at once and drags it until it goes up.
  init(_ trace: Trace, plain: Bool = false) throws {
    var settings = Settings()
    settings.lift.begins = .milliseconds(1)
    settings.lift.completes = .milliseconds(2)
    settings.lift.pressSlop = 1e6
    settings.lift.dragSlop = 0
    let screen = Rect(x: 0, y: 0, width: 1920, height: 1080)
    mapping = ScreenMapping(trace.description, screen: screen)
    let tree = WindowTree(root: WindowID(1), size: screen.size)
    gestures = GestureEngine(settings: settings)
    engine = SessionEngine(settings: settings, tree: tree)
    gestureEvents.reserveCapacity(32)
    actions.reserveCapacity(64)
    if plain {
      let window = WindowID(2)
      tree.insert(.init(id: window, frame: screen, isMapped: true), parent: tree.root)
      _ = try engine.addRegion(client: ClientID(2), window: window, rect: screen, roles: [.drop])
    } else {
      tree.insert(.init(id: WindowID(2), frame: screen, isMapped: true), parent: tree.root)
      for client in Screenful.windows(30, in: tree) {
        let size = client.frame.size
        for i in 0..<66 {
          let (w, h) = (size.width / 11, size.height / 6)
          _ = try engine.addRegion(
            client: ClientID(2), window: client.id,
            rect: Rect(x: Double(i % 11) * w, y: Double(i / 11) * h, width: w, height: h), roles: [.drop])
        }
      }
    }
    guard let start = trace.start else { throw Failure("no contact in the recording") }
    let point = mapping.point(x: start.x, y: start.y)
    guard let window = tree.window(at: point) else { throw Failure("no window under the first contact") }
    _ = try engine.addRegion(
      client: source, window: window.window,
      rect: Rect(origin: point - window.origin, size: Size(width: 2, height: 2)).offset(by: Point(x: -1, y: -1)),
      roles: [.drag])
  }

  mutating func frame(_ frame: ContactFrame) {
    letTimePass(until: frame.time)
    for contact in frame.contacts {
      let point = mapping.point(x: contact.x, y: contact.y)
      gestures.handle(
        Touch(id: contact.id, phase: contact.phase, point: point, scale: mapping.scale, time: frame.time),
        into: &gestureEvents)
      take()
    }
  }

  private mutating func letTimePass(until time: Instant) {
    while true {
      var due = gestures.nextDeadline ?? .distantFuture
      if let other = engine.nextDeadline, other < due { due = other }
      guard due <= time, due != .distantFuture else { return }
      gestures.advance(to: due, into: &gestureEvents)
      take()
      engine.advance(to: due, into: &actions)
      carryOut(at: due)
    }
  }

  private mutating func take() {
    var i = 0
    while i < gestureEvents.count {
      engine.handle(gestureEvents[i], into: &actions)
      carryOut(at: gestureEvents[i].time)
      i += 1
    }
    gestureEvents.removeAll(keepingCapacity: true)
  }

  private mutating func carryOut(at now: Instant) {
    var i = 0
    while i < actions.count {
      carryOut(actions[i], at: now)
      i += 1
    }
    actions.removeAll(keepingCapacity: true)
  }

  private mutating func carryOut(_ action: SessionAction, at now: Instant) {
    switch action {
    case .ignore(let contact): gestures.ignore(contact)
    case .source(let client, let session, .itemsForBeginning(_, let serial, _)):
      engine.answered(
        by: client, session, serial: serial,
        items: [ItemDescription(id: ItemID(1), name: "bench", types: [OfferedType(name: "text/plain")])],
        at: now, into: &actions)
    case .source(let client, let session, .willBegin(let serial, _)):
      engine.configured(
        by: client, session, serial: serial, options: SourceOptions(), at: now, into: &actions)
    case .source(let client, let session, .didMove(let serial, _)):
      motions += 1
      engine.motionTaken(by: client, session, serial: serial, into: &actions)
    case .destination(let client, let session, let region, let message):
      switch message {
      case .canHandle(let serial, _):
        engine.answeredCanHandle(true, by: client, session, region: region, serial: serial, at: now, into: &actions)
      case .didUpdate(let serial, _):
        updates += 1
        engine.proposed(.copy, by: client, session, region: region, serial: serial, at: now, into: &actions)
      case .performDrop(let serial, _, _):
        engine.finishedPerforming(by: client, session, serial: serial, at: now, into: &actions)
      default: break
      }
    case .stage(let session, let what):
      onStage?(session, what, now)
      switch what {
      case .beginDrag: drags += 1
      case .reverseLift, .cancel, .drop: engine.animationFinished(session, at: now, into: &actions)
      default: break
      }
    default: break
    }
  }
}

/// Windows as the hit-test rig makes them, drawn by the same random numbers.
enum Screenful {
  struct Client {
    var id: WindowID
    var frame: Rect
  }

  /// Frames with a client window each, which has four children with four children each: 22 windows a frame.
  ///
  /// - Returns: the client windows, the topmost last.
  static func windows(_ count: Int, in tree: WindowTree) -> [Client] {
    srandom7()
    var next: UInt32 = 100
    func make(_ frame: Rect, in parent: WindowID) -> WindowID {
      next += 1
      tree.insert(.init(id: WindowID(next), frame: frame, isMapped: true), parent: parent)
      return WindowID(next)
    }
    var clients: [Client] = []
    for _ in 0..<count {
      let w = 300 + random(500)
      let h = 200 + random(400)
      let x = random(1920 - w)
      let y = random(1080 - h)
      let frame = make(Rect(x: Double(x), y: Double(y), width: Double(w), height: Double(h)), in: tree.root)
      let inside = Rect(x: 4, y: 20, width: Double(w - 8), height: Double(h - 24))
      let client = make(inside, in: frame)
      clients.append(Client(id: client, frame: inside))
      let (kw, kh) = ((w - 8) / 2, (h - 24) / 2)
      for k in 0..<4 {
        let child = make(quarter(k, kw, kh), in: client)
        for j in 0..<4 { _ = make(quarter(j, kw / 2, kh / 2), in: child) }
      }
    }
    return clients
  }

  private static func quarter(_ i: Int, _ w: Int, _ h: Int) -> Rect {
    Rect(x: Double((i & 1) * w), y: Double((i >> 1) * h), width: Double(w), height: Double(h))
  }
}
