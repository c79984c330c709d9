import CX11
import CarryCompanion
import CarryModel
import CarrySelections
import CarrySystem
import CarryXdnd

/// The drags of other programs over windows of Carry's applications.
final class Arrivals {
  private let engine: BridgeClient
  private let x: XConnection
  let entrances: XdndProxyWindows
  private let reader: SelectionReader
  /// The hovering drag. The X server has one `XdndSelection`, and so one drag at a time.
  private var hovering: ArrivingDrag?
  /// How long a source that stopped honouring the door may still enter through the front door; nil unless it has
  /// left.
  private var returnsUntil: Instant?
  private static let patience = Interval.milliseconds(500)
  /// Drops whose data has not arrived completely.
  private var drops: [ArrivingDrag] = []
  /// The sessions of drags that are over, while the shelf keeps items of them.
  private var kept: [any ForeignSession] = []

  private static let maxDrops = 16
  /// The earliest time to query the X server about another drag. Replies are slow while a program floods it.
  private var looksFrom = Instant.zero
  private static let longestRest = Interval.milliseconds(100)

  init(_ engine: BridgeClient, _ x: XConnection) {
    (self.engine, self.x) = (engine, x)
    entrances = XdndProxyWindows(engine, x)
    reader = SelectionReader(x.selections, of: "XdndSelection")
    engine.onDropWindow = { [unowned self] window, takesDrops in entrances.change(window, takesDrops: takesDrops) }
  }

  // MARK: Events

  /// Handles an XDND message about a window of Carry's.
  ///
  /// - Parameter name: The window or its door. A source that addresses the door expects replies that name the door.
  /// - Returns: Whether the message concerned such a window.
  func handle(_ kind: XdndMessage.Kind, _ words: XdndMessage.Words, about name: UInt32, at now: Instant) -> Bool {
    guard let window = entrances.window(named: name) else { return false }
    let source = words.w0
    // Carry's own drags never arrive this way.
    guard source != 0, !x.isOwn(source) else { return true }
    let message = XdndMessage(kind, words)
    if case .enter(let version, _, _) = message {
      // If a source repeats Enter, only the newest one counts.
      if let drag = hovering, drag.source == source, drag.target == window, drag.restart(with: words, named: name) {
        return true
      }
      guard !hasReturned(source, to: window, named: name), !robs(source) else { return true }
      returnsUntil = nil
      hovering?.left(at: now)
      entrances.frontDoor.cameOver(window, from: source)
      if version >= XdndMessage.versions.lowerBound { enter(from: source, over: window, named: name, words) }
      return true
    }
    guard let drag = hovering, drag.source == source, drag.target == window, returnsUntil == nil else { return true }
    switch message {
    case .position(let point, let time, _): drag.position(point, time: time, at: now)
    case .leave: left(drag, at: now)
    case .drop(let time):
      entrances.frontDoor.close(for: source)
      drag.dropped(time: time, at: now)
      if drag.machine.isDropped {
        hovering = nil
        drops.append(drag)
        if let i = DropShares.excess(of: drops.map(\.program), most: Self.maxDrops) { drops[i].evict(at: now) }
      }
    case .enter, .status, .finished: break
    }
    return true
  }

  /// A source that leaves right after its first position, with the pointer still there, does not honour the door.
  private func left(_ drag: ArrivingDrag, at now: Instant) {
    // A source that has left a side door has really moved elsewhere: it treats that door as an ordinary window.
    guard drag.positions == 1, !entrances.frontDoor.isNamed(drag.name), entrances.has(drag.target) else {
      entrances.frontDoor.close(for: drag.source)
      return drag.left(at: now)
    }
    if entrances.frontDoor.open(before: drag.target, for: drag.source, at: now) {
      returnsUntil = now + Self.patience
    } else {
      drag.left(at: now)
    }
  }

  /// Whether the hovering drag belongs to another program and is the genuine one: that program owns the selection,
  /// and this source's program does not.
  private func robs(_ source: UInt32) -> Bool {
    guard let hovering, x.connection(of: hovering.source) != x.connection(of: source) else { return false }
    return x.connection(of: x.dragOwnerInTurn()) == x.connection(of: hovering.source)
  }

  /// Whether a drag that has just left the door enters through the front door. To the target it never left.
  private func hasReturned(_ source: UInt32, to window: UInt32, named name: UInt32) -> Bool {
    guard returnsUntil != nil, let drag = hovering, drag.source == source, drag.target == window,
      entrances.frontDoor.isNamed(name)
    else { return false }
    returnsUntil = nil
    drag.name = name
    return true
  }

  private func enter(from source: UInt32, over window: UInt32, named name: UInt32, _ words: XdndMessage.Words) {
    let drag = ArrivingDrag(from: source, over: window, named: name, words, x, engine.client, reader) { [engine] in
      engine.beginDrag(from: $0, isByButton: $1, $2, over: $3, at: $4)
    }
    drag.onOver = { [unowned self, unowned drag] in
      if hovering === drag { hovering = nil }
      drops.removeAll { $0 === drag }
    }
    drag.onKept = { [unowned self] session in
      kept.append(session)
      session.onEnd = { [weak self, weak session] _, _ in self?.kept.removeAll { $0 === session } }
    }
    hovering = drag
  }

  /// Handles an event sent by the X server itself.
  func handle(_ event: XEvent, at now: Instant) {
    switch event.type {
    case PropertyNotify:
      reader.handle(event.xproperty, at: now)
      if UInt32(truncatingIfNeeded: event.xproperty.atom) == x.atom("XdndAware") {
        entrances.changed(UInt32(truncatingIfNeeded: event.xproperty.window), after: event.xproperty.serial)
      }
    case DestroyNotify:
      let window = UInt32(truncatingIfNeeded: event.xdestroywindow.window)
      entrances.lost(window, at: now)
      entrances.gone(window)
      entrances.frontDoor.forget(window)
      for drag in drops + [hovering].compactMap({ $0 }) where drag.source == window { drag.sourceGone(at: now) }
    case ReparentNotify:
      let e = event.xreparent
      if e.parent != Window(x.root) { entrances.lost(UInt32(truncatingIfNeeded: e.window), at: now) }
    default: break
    }
    entrances.frontDoor.handle(event, at: now)
    entrances.sideDoors.handle(event, at: now)
  }

  /// Handles a program's reply to a request for data.
  func handle(_ event: XSelectionEvent, at now: Instant) { reader.handle(event, at: now) }

  // MARK: Time

  var nextDeadline: Instant? {
    let due = hovering.flatMap { $0.wantsFacts ? looksFrom : $0.machine.nextDeadline }
    let next = Instant.earliest(reader.nextDeadline, due)
    return .earliest(.earliest(next, returnsUntil), entrances.nextDeadline)
  }

  func advance(to now: Instant) {
    reader.advance(to: now)
    entrances.advance(to: now)
    if let until = returnsUntil, until <= now || !entrances.frontDoor.isOpen {
      returnsUntil = nil
      hovering?.left(at: now)
    }
    queryFacts(at: now)
    hovering?.advance(to: now)
  }

  private func queryFacts(at now: Instant) {
    guard let hovering, hovering.wantsFacts, looksFrom <= now else { return }
    let start = MonotonicClock.now()
    hovering.queryFacts(at: now)
    let end = MonotonicClock.now()
    looksFrom = end + min(Self.longestRest, (end - start).rest)
  }
}
