import CarryGestures
import CarryModel
import CarrySessions
import CarryTesting
import Testing

/// A desktop in the head: windows, clients that answer by rules, fingers, and everything that was said.
///
/// Times are milliseconds, positions are screen pixels. Clients answer at once unless a rule says otherwise.
final class Play {
  static let root = WindowID(1)
  let tree = WindowTree(root: root, size: Size(width: 1280, height: 800))
  var gestures = GestureEngine(settings: Settings())
  var engine: SessionEngine
  private(set) var now = 0

  /// Every action but stage moves and monitor events, in the order it came.
  private(set) var log: [SessionAction] = []
  private(set) var monitored: [MonitorEvent] = []
  /// The fingers whose touches are held for longer, and whether the source had been asked before.
  private(set) var lifting: [(contact: ContactID, asked: Bool)] = []
  /// What becomes of touches, in order.
  private(set) var touches: [String] = []
  private(set) var stage: [(SessionID, StageAction)] = []

  /// How the clients behave.
  var itemsToLift: (RegionID) -> [ItemDescription] = { _ in [Play.item(1)] }
  var itemsToAdd: (RegionID) -> [ItemDescription] = { _ in [] }
  var options: SourceOptions?
  var canHandle: (RegionID) -> Bool? = { _ in true }
  var proposal: (RegionID, Point) -> Proposal? = { _, _ in .copy }
  /// Which session a tap adds to when there are several; a nil choice stays silent.
  var chooses: ([SessionID]) -> SessionID?? = { _ in .some(nil) }
  /// Whether a press may lift, asked as it begins; nil for no answer.
  var mayBegin: (RegionID, Point) -> Bool? = { _, _ in true }
  /// Whether sources say what they allow when their drag begins.
  var configures = true
  /// Whose stack is under a finger that comes down.
  var stackUnder: (Point) -> SessionID? = { _ in nil }
  /// Whether applications get touches only once the engine gives them.
  var holdsTouches = false
  /// What a destination does inside performDrop; afterwards it says that it has performed, unless it is silent.
  var perform: (Play, SessionID, RegionID, ClientID) -> Void = { _, _, _, _ in }
  var performsSilently = false
  var takesMotion = true
  /// What a source does when it is asked to load: nil stays silent.
  var provides: (TransferID, ItemID, String) -> Bool? = { _, _, _ in true }
  /// Whether file providers answer.
  var helperServes = true
  var animationsFinish = true
  /// What destinations answer when they have performed a drop.
  var landings: [ItemEnding] = []
  /// What sources answer when their drags are cancelled; nil for none.
  var endings: [ItemEnding]? = []
  var isSourceSilent = false
  /// What the window manager manages.
  var desktop: [DesktopWindow] = []
  private(set) var raised: [WindowID] = []
  private(set) var looks = 0
  /// What a play says on purpose though it cannot be.
  var provokes: Set<String> = []
  private(set) var openQuestion: (ClientID, SessionID, serial: UInt32)?

  /// How many milliseconds clients take to answer; nil for at once.
  var delay: (() -> Int)?
  private var later: [(at: Int, body: (inout SessionEngine, inout [SessionAction]) -> Void)] = []

  private var pending: [SessionAction] = []
  private var isEndingTurn = false
  private var nextWindow: UInt32 = 10

  init() {
    engine = SessionEngine(settings: Settings(), tree: tree)
    engine.isMonitored = true
  }

  static func item(_ id: UInt32, types: [String] = ["text/plain"]) -> ItemDescription {
    ItemDescription(id: ItemID(id), types: types.map { OfferedType(name: $0) })
  }

  var instant: Instant { Instant(microseconds: Int64(now) * 1000) }

  /// A client with one window and one region that fills it.
  func window(_ client: UInt32, _ rect: Rect, _ roles: RegionRoles) throws -> RegionID {
    nextWindow += 1
    let id = WindowID(nextWindow)
    tree.insert(.init(id: id, frame: rect, isMapped: true), parent: Self.root)
    return try region(client, id, Rect(x: 0, y: 0, width: rect.width, height: rect.height), roles)
  }

  func region(_ client: UInt32, _ window: WindowID, _ rect: Rect, _ roles: RegionRoles) throws -> RegionID {
    try engine.addRegion(client: ClientID(client), window: window, rect: rect, roles: roles)
  }

  var lastWindow: WindowID { WindowID(nextWindow) }

  // MARK: Fingers

  func down(_ id: UInt32, _ x: Double, _ y: Double) {
    gesture { $0.began(ContactID(id), at: Point(x: x, y: y), scale: 1, time: self.instant, into: &$1) }
  }

  func move(_ id: UInt32, _ x: Double, _ y: Double) {
    gesture { $0.moved(ContactID(id), to: Point(x: x, y: y), time: self.instant, into: &$1) }
  }

  func up(_ id: UInt32, _ x: Double, _ y: Double) {
    gesture { $0.ended(ContactID(id), at: Point(x: x, y: y), time: self.instant, into: &$1) }
  }

  func cancel(_ id: UInt32) { gesture { $0.cancelled(ContactID(id), time: self.instant, into: &$1) } }

  func tap(_ id: UInt32, _ x: Double, _ y: Double) {
    down(id, x, y)
    wait(80)
    up(id, x, y)
  }

  /// Press, wait for the lift, and move far enough to drag.
  func lift(_ id: UInt32, _ x: Double, _ y: Double) {
    down(id, x, y)
    wait(550)
  }

  func drag(_ id: UInt32, from: (Double, Double), to: (Double, Double)) {
    lift(id, from.0, from.1)
    move(id, from.0 + 11, from.1)
    move(id, to.0, to.1)
  }

  /// Lets milliseconds pass, going over each deadline at its time.
  func wait(_ ms: Int) {
    let end = now + ms
    while true {
      let answers = later.map { Instant(microseconds: Int64($0.at) * 1000) }.min()
      let next = [gestures.nextDeadline, engine.nextDeadline, answers].compactMap { $0 }.min()
      guard let next, next.microseconds <= Int64(end) * 1000 else { break }
      now = max(now, Int((next.microseconds + 999) / 1000))
      // Each connection keeps its order; what is due at the same moment goes in the order of the questions.
      while let i = later.indices.filter({ later[$0].at <= now }).min(by: { later[$0].at < later[$1].at }) {
        act(later.remove(at: i).body)
      }
      var events: [GestureEvent] = []
      gestures.advance(to: instant, into: &events)
      for e in events { feed(e) }
      act { $0.advance(to: self.instant, into: &$1) }
    }
    now = end
  }

  private func gesture(_ body: (inout GestureEngine, inout [GestureEvent]) -> Void) {
    var events: [GestureEvent] = []
    gestures.advance(to: instant, into: &events)
    body(&gestures, &events)
    for e in events { feed(e) }
  }

  private func feed(_ event: GestureEvent) {
    let stack = event.kind == .pressed ? stackUnder(event.point) : nil
    act { $0.handle(event, on: stack, isHeld: self.holdsTouches, into: &$1) }
  }

  func act(_ body: (inout SessionEngine, inout [SessionAction]) -> Void) {
    var actions: [SessionAction] = []
    body(&engine, &actions)
    if let problem = engine.brokenRule { Issue.record("\(problem), \(now) ms") }
    pending += actions
    while !pending.isEmpty { carryOut(pending.removeFirst()) }
    guard !isEndingTurn else { return }
    isEndingTurn = true
    act { $0.settleRegions(at: self.instant, into: &$1) }
    isEndingTurn = false
  }

  /// What a client does to a region, and the end of the turn in which it does.
  func change(_ body: (inout SessionEngine) -> Void) { act { engine, _ in body(&engine) } }

  // MARK: Clients that answer

  private func answer(_ body: @escaping (inout SessionEngine, inout [SessionAction]) -> Void) {
    guard let delay else { return act(body) }
    later.append((now + delay(), body))
  }

  private func carryOut(_ action: SessionAction) {
    switch action {
    case .monitor(let e):
      monitored.append(e)
      return
    case .bug(let pair):
      if !provokes.contains(where: { pair.hasPrefix($0) }) { Issue.record("\(pair), \(now) ms") }
      return
    case .lookAtDesktop(let id):
      looks += 1
      act { $0.learnedWindows(self.desktop, for: id, at: self.instant, into: &$1) }
      return
    case .raise(let window):
      raised.append(window)
      tree.raise(tree.toplevel(of: window) ?? window)
      act { $0.windowsChanged(at: self.instant, into: &$1) }
      return
    case .liftBegan(let contact):
      lifting.append((contact, log.contains { if case .source = $0 { true } else { false } }))
      return
    case .claim(let contact, _):
      touches.append("claim \(contact.raw)")
      return
    case .yield(let contact):
      touches.append("yield \(contact.raw)")
      return
    case .source(let client, let id, .willCancel(let serial)):
      guard let endings else { return }
      answer { $0.answeredWillCancel(by: client, id, serial: serial, endings: endings, at: self.instant, into: &$1) }
      return
    case .stage(let id, let what):
      stage.append((id, what))
      guard animationsFinish else { return }
      switch what {
      case .reverseLift, .cancel, .drop: act { $0.animationFinished(id, at: self.instant, into: &$1) }
      default: break
      }
      return
    default:
      log.append(action)
    }
    switch action {
    case .ignore(let contact):
      gestures.ignore(contact)
    case .join(let contact):
      gestures.join(contact)
    case .choose(let client, let region, let serial, let sessions, _):
      guard let choice = chooses(sessions) else { return }
      answer { $0.chose(choice, by: client, region, serial: serial, at: self.instant, into: &$1) }
    case .press(let client, let region, let serial, let point):
      guard let may = mayBegin(region, point) else { return }
      answer { $0.answeredPress(by: client, region, serial: serial, mayBegin: may, into: &$1) }
    case .source(let client, let id, .willBegin(let serial, _)) where configures:
      answer { e, a in
        e.configured(
          by: client, id, serial: serial, options: self.options ?? SourceOptions(), at: self.instant, into: &a)
      }
    case .source(let client, let id, .itemsForBeginning(_, let serial, _)) where isSourceSilent,
      .source(let client, let id, .itemsForAdding(_, let serial, _)) where isSourceSilent:
      openQuestion = (client, id, serial)
    case .source(let client, let id, .itemsForBeginning(let region, let serial, _)):
      answer { e, a in
        e.answered(
          by: client, id, serial: serial, items: self.itemsToLift(region), at: self.instant, into: &a)
      }
    case .source(let client, let id, .itemsForAdding(let region, let serial, _)):
      answer { e, a in
        e.answered(
          by: client, id, serial: serial, items: self.itemsToAdd(region), at: self.instant, into: &a)
      }
    case .source(let client, let id, .didMove(let serial, _)) where takesMotion:
      answer { $0.motionTaken(by: client, id, serial: serial, into: &$1) }
    case .destination(let client, let id, let region, .canHandle(let serial, _)):
      guard let yes = canHandle(region) else { return }
      answer { $0.answeredCanHandle(yes, by: client, id, region: region, serial: serial, at: self.instant, into: &$1) }
    case .destination(let client, let id, let region, .didUpdate(let serial, let point)):
      guard let op = proposal(region, point) else { return }
      answer { $0.proposed(op, by: client, id, region: region, serial: serial, at: self.instant, into: &$1) }
    case .destination(let client, let id, let region, .performDrop(let serial, _, _)):
      perform(self, id, region, client)
      if !performsSilently {
        answer {
          $0.finishedPerforming(by: client, id, serial: serial, endings: self.landings, at: self.instant, into: &$1)
        }
      }
    case .load(let client, let transfer, let item, _, _, let type, _):
      switch provides(transfer, item, type) {
      case true?:
        guard let to = engine.provided(transfer, by: client, at: instant) else { return }
        act { $0.finished(transfer, by: to, successfully: true, at: self.instant, into: &$1) }
      case false?:
        act { $0.failed(transfer, by: client, .sourceFailed, at: self.instant, into: &$1) }
      case nil:
        break
      }
    case .provide(let reference, let transfer, _, _, _):
      guard helperServes, let to = engine.provided(transfer, by: reference.helper, at: instant) else { return }
      act { $0.finished(transfer, by: to, successfully: true, at: self.instant, into: &$1) }
    default:
      break
    }
  }

  // MARK: What was said

  /// The callbacks of one region's destination side, as short words.
  func destination(_ region: RegionID) -> [String] {
    log.compactMap { action in
      guard case .destination(_, _, region, let message) = action else { return nil }
      return Self.word(message)
    }
  }

  func source(_ client: UInt32) -> [String] {
    log.compactMap { action in
      guard case .source(ClientID(client), _, let message) = action else { return nil }
      return Self.word(message)
    }
  }

  /// Everything that was said, for comparing with an order: sources as `S`, regions as `D` with their number.
  var recorder: CallRecorder {
    let r = CallRecorder()
    for action in log {
      switch action {
      case .source(let client, _, let message): r.add("S\(client.raw)", Self.word(message))
      case .destination(_, _, let region, let message): r.add("D\(region.raw)", Self.word(message))
      case .choose(let client, _, _, _, _): r.add("S\(client.raw)", "sessionForAdding")
      case .spring(_, let region, _, let state, _): r.add("D\(region.raw)", "\(state)")
      default: break
      }
    }
    return r
  }

  static func word(_ m: DestinationMessage) -> String {
    switch m {
    case .offer(let items, _, _, _): "offer(\(items.count))"
    case .canHandle: "canHandle"
    case .didEnter: "didEnter"
    case .edge: "edge"
    case .didUpdate: "didUpdate"
    case .didExit: "didExit"
    case .performDrop: "performDrop"
    case .concludeDrop: "concludeDrop"
    case .didEnd(let op): "didEnd(\(op.name))"
    }
  }

  static func word(_ m: SourceMessage) -> String {
    switch m {
    case .itemsForBeginning: "itemsForBeginning"
    case .itemsForAdding: "itemsForAdding"
    case .liftBegan: "liftBegan"
    case .lifted: "lifted"
    case .liftEnded(let atEnd): atEnd ? "liftEnded(end)" : "liftEnded(start)"
    case .willBegin: "willBegin"
    case .didMove: "didMove"
    case .willEnd(let op): "willEnd(\(op.name))"
    case .willCancel: "willCancel"
    case .didEnd(let op): "didEnd(\(op.name))"
    case .proposal(let op): "proposal(\(op.name))"
    case .kept: "kept"
    case .undo: "undo"
    case .itemMoved(let item): "itemMoved(\(item.raw))"
    case .didTransfer(let n): n == 0 ? "didTransfer" : "didTransfer(\(n))"
    }
  }

  var badges: [Badge] {
    stage.compactMap { if case .badge(let b) = $0.1 { b } else { nil } }
  }

  var loads: Int { log.count { if case .load = $0 { true } else { false } } }

  var failures: [LoadFailure] {
    log.compactMap { if case .loadFailed(_, _, let why) = $0 { why } else { nil } }
  }

  func monitorKinds(_ session: UInt32? = nil) -> [MonitorEvent.Kind] {
    monitored.filter { session == nil || $0.session == SessionID(session!) }.map(\.kind)
  }

  var isAtRest: Bool {
    engine.sessionCount == 0 && engine.transferCount == 0 && engine.nextDeadline == nil && gestures.fingerCount == 0
  }
}

extension Array where Element: Equatable {
  /// The list without repeats of an element right behind itself.
  var collapsed: [Element] { reduce(into: []) { if $0.last != $1 { $0.append($1) } } }
}

extension Play {
  /// Carries from the left region to the right one, which asks for the text as it is dropped. Nobody answers.
  ///
  /// - Returns: the load; nil where the source was not asked.
  func dropsAndLoads() -> TransferID? {
    provides = { _, _, _ in nil }
    perform = { p, id, region, client in
      p.act { e, a in
        _ = e.requestLoad(by: client, id, region: region, item: 0, type: "text/plain", at: p.instant, into: &a)
      }
    }
    drag(1, from: (100, 300), to: (900, 300))
    up(1, 900, 300)
    wait(100)
    return log.compactMap { if case .load(_, let t, _, _, _, _, _) = $0 { t } else { nil } }.first
  }
}
