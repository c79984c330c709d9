import CarryDirector
import CarryModel
import Testing

/// A director between doubles, with a drag region at the left and a drop region at the right.
final class Scene {
  static let source = ClientID(1)
  static let target = ClientID(2)
  static let session = SessionID(1)
  static let finger = ContactID(1)

  let screen = RecordingScreen()
  let clients = RecordingClients()
  let fingers = RecordingFingers()
  let director: Director
  private final class Clock { var now = Instant(microseconds: 1_000_000) }
  private let clock = Clock()
  var now: Instant { clock.now }
  let drag: RegionID
  let target: RegionID

  init(roles: RegionRoles = .drag) throws {
    screen.insert(WindowID(10), Rect(x: 0, y: 0, width: 400, height: 400), process: 100)
    screen.insert(WindowID(20), Rect(x: 600, y: 0, width: 400, height: 400), process: 200)
    clients.processes = [Self.source: 100, Self.target: 200]
    let clock = clock
    director = Director(settings: Settings(), screen: screen, clients: clients, fingers: fingers) { clock.now }
    drag = try #require(director.addRegion(Self.source, window: WindowID(10))).get()
    target = try #require(director.addRegion(Self.target, window: WindowID(20))).get()
    let all = Rect(x: 0, y: 0, width: 400, height: 400)
    director.updateRegion(drag, rect: all, roles: roles)
    director.updateRegion(target, rect: all, roles: .drop)
    turn()
  }

  /// What the loop does once a turn.
  func turn() {
    director.advance(to: now)
    director.draw(at: now)
    director.holdKeys(at: now)
    director.pictures.endTurn(at: now)
  }

  /// Lets time pass, a turn whenever something is due.
  func pass(_ interval: Interval) {
    let end = now + interval
    while let due = director.nextDeadline, due <= end {
      clock.now = max(now, due)
      turn()
    }
    clock.now = end
    turn()
  }

  /// What touches.
  var tool = Touch.Tool.finger

  private func touch(_ finger: ContactID, _ phase: Touch.Phase, _ point: Point) {
    director.handle(Touch(id: finger, phase: phase, point: point, time: now, tool: tool))
    turn()
  }

  func down(_ point: Point, _ finger: ContactID = Scene.finger) { touch(finger, .began, point) }
  func move(_ point: Point, _ finger: ContactID = Scene.finger) { touch(finger, .moved, point) }
  func up(_ point: Point, _ finger: ContactID = Scene.finger) { touch(finger, .ended, point) }

  /// The source says what it lifts, and what it allows.
  func answer(items: Int = 1, preview: ItemPreview = .usual) throws {
    let question = clients.toSources.compactMap { message -> UInt32? in
      if case .itemsForBeginning(_, let serial, _) = message { serial } else { nil }
    }
    director.answered(
      Self.source, Self.session, serial: try #require(question.last),
      items: (1...items).map {
        ItemDescription(id: ItemID(UInt32($0)), types: [OfferedType(name: "text/plain")], preview: preview)
      })
    turn()
  }

  func configure(_ options: SourceOptions = SourceOptions()) throws {
    let question = clients.toSources.compactMap { message -> UInt32? in
      if case .willBegin(let serial, _) = message { serial } else { nil }
    }
    director.configured(Self.source, Self.session, serial: try #require(question.last), options)
    turn()
  }

  /// Presses, lifts and carries to a point over the target, which takes it.
  func carryOver(
    _ point: Point = Point(x: 700, y: 100), proposing proposal: Proposal = Proposal(.copy),
    allowing options: SourceOptions = SourceOptions()
  ) throws {
    down(Point(x: 100, y: 100))
    pass(.milliseconds(200))
    try answer()
    pass(.milliseconds(500))
    move(Point(x: 150, y: 100))
    try configure(options)
    move(point)
    let asked = clients.toTargets.compactMap { message -> UInt32? in
      if case .canHandle(let serial, _) = message { serial } else { nil }
    }
    director.answeredCanHandle(Self.target, Self.session, target, serial: try #require(asked.last), yes: true)
    turn()
    try propose(proposal)
    pass(.milliseconds(200))
  }

  /// Lets go there. A panel may have lost the finger for a moment: only after a while it is known to be up.
  func drop(_ point: Point = Point(x: 700, y: 100)) throws {
    up(point)
    pass(.milliseconds(100))
  }

  /// The target's answer to what it was asked last.
  private func propose(_ proposal: Proposal) throws {
    let updates = clients.toTargets.compactMap { message -> UInt32? in
      if case .didUpdate(let serial, _) = message { serial } else { nil }
    }
    director.proposed(Self.target, Self.session, target, serial: try #require(updates.last), proposal)
    turn()
  }
}
