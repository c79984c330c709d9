import CarryModel

/// The state machine of one finger: press, lift, drag, tap.
///
///     began ─▶ pressing ──150 ms still──▶ lifting ──500 ms still──▶ lifted ──moved 10 px──▶ dragging
///                │ │                        │ │                       │                        │
///      moved > slop │ up: tapped  moved > slop │ up: liftReversed      │ up                     │ up
///                ▼                          ▼  (and tapped, if short)  ▼                        ▼
///             ignored: pressFailed       ignored: liftReversed      vanished ──60 ms──▶ liftReversed / dragEnded
///                                                                     │
///                                         a new contact within 5 mm ──┘ continues as the same finger
///
/// A finger that came down on a carried stack goes from `pressing` to `joined`: it lifts nothing and reports its
/// motion. A short joined touch is a tap; a longer one ends like a drag.
///
/// A mouse with its button down lifts and drags at once when it moves 4 px, even before the lift is complete; if it
/// stays still, it lifts as a finger does. A mouse and a pen never tap: a short click belongs to the application.
///
/// Distances are pixels at 96 dpi times `scale`. An `ignored` finger reports nothing until it goes up.
struct ContactGesture {
  private enum State {
    case pressing
    case lifting
    case lifted
    case dragging
    /// The finger is on a stack that another finger carries. It reports its motion, and a short tap.
    case joined
    case vanished(wasDragging: Bool, until: Instant)
    case ignored
  }

  /// The id that events carry. It stays the same when a flickering panel assigns the finger a new id.
  let contact: ContactID
  /// The id that the device uses for the finger now.
  private(set) var deviceContact: ContactID
  private var state = State.pressing
  private let since: Instant
  private let scale: Double
  /// The settings at the time when the finger came down.
  private let settings: Settings
  private let tool: Touch.Tool
  /// The point from which the movement is measured: the press, then the lift.
  private var origin: Point
  private var last: Point

  init(
    _ contact: ContactID, at point: Point, scale: Double, tool: Touch.Tool, time: Instant, _ settings: Settings
  ) {
    self.tool = tool
    self.contact = contact
    deviceContact = contact
    self.scale = scale.isFinite && scale > 0 ? scale : 1
    origin = point
    last = point
    since = time
    self.settings = settings
  }

  var deadline: Instant? {
    switch state {
    case .pressing: since + settings.lift.begins
    case .lifting: since + settings.lift.completes
    case .vanished(_, let until): until
    case .lifted, .dragging, .joined, .ignored: nil
    }
  }

  /// What tools that look into the engine show of the finger.
  var detail: ContactDetail {
    let gesture: ContactDetail.Gesture =
      switch state {
      case .pressing: .pressing
      case .lifting: .lifting
      case .lifted: .lifted
      case .dragging: .dragging
      case .joined: .joined
      case .vanished: .vanished
      case .ignored: .ignored
      }
    return ContactDetail(contact, gesture, at: last, due: deadline)
  }

  private var dragSlop: Double {
    switch tool {
    case .finger: settings.lift.dragSlop
    case .trackpad, .addingClick: settings.trackpad.dragSlop
    case .mouse, .pen: settings.pointer.dragSlop
    }
  }

  /// Marks that the finger is on a stack that another finger carries.
  mutating func join() { if case .pressing = state { state = .joined } }

  private func event(_ kind: GestureEvent.Kind, _ time: Instant) -> GestureEvent {
    GestureEvent(kind, contact: contact, point: last, time: time)
  }

  mutating func moved(to point: Point, time: Instant, _ events: inout [GestureEvent]) {
    last = point
    switch state {
    case .dragging, .joined:
      events.append(event(.dragMoved, time))
    case .pressing where tool == .mouse, .lifting where tool == .mouse:
      guard point.distance(to: origin) > dragSlop * scale else { return }
      if case .pressing = state { events.append(event(.liftBegan, time)) }
      state = .dragging
      events.append(event(.lifted, time))
      events.append(event(.dragBegan, time))
    case .pressing where point.distance(to: origin) > settings.lift.pressSlop * scale:
      state = .ignored
      events.append(event(.pressFailed, time))
    case .lifting where point.distance(to: origin) > settings.lift.pressSlop * scale:
      state = .ignored
      events.append(event(.liftReversed, time))
    case .lifted where point.distance(to: origin) > dragSlop * scale:
      state = .dragging
      events.append(event(.dragBegan, time))
    case .pressing, .lifting, .lifted, .vanished, .ignored:
      break
    }
  }

  /// The finger went up. Returns true when the gesture is over and can be forgotten.
  mutating func ended(
    at point: Point, isFinal: Bool = false, time: Instant, _ events: inout [GestureEvent]
  ) -> Bool {
    last = point
    switch state {
    case .pressing:
      events.append(event(isTap(point, time) ? .tapped : .pressFailed, time))
      return true
    case .lifting:
      // The tap comes first: its receiver must know of it before the touch is passed back.
      if isTap(point, time) { events.append(event(.tapped, time)) }
      events.append(event(.liftReversed, time))
      return true
    case .lifted where isFinal:
      events.append(event(.liftReversed, time))
      return true
    case .dragging where isFinal, .joined where isFinal && !isTap(point, time):
      events.append(event(.dragEnded, time))
      return true
    case .lifted:
      state = .vanished(wasDragging: false, until: time + settings.contacts.flickerWait)
      return false
    case .joined where isTap(point, time):
      events.append(event(.tapped, time))
      return true
    case .dragging, .joined:
      state = .vanished(wasDragging: true, until: time + settings.contacts.flickerWait)
      return false
    case .vanished:
      return false
    case .ignored:
      return true
    }
  }

  private func isTap(_ point: Point, _ time: Instant) -> Bool {
    if tool == .mouse || tool == .pen { return false }
    return time - since <= settings.tap.longest && point.distance(to: origin) <= settings.tap.slop * scale
  }

  mutating func cancelled(time: Instant, _ events: inout [GestureEvent]) {
    switch state {
    case .pressing: events.append(event(.pressFailed, time))
    case .lifting, .lifted, .vanished(wasDragging: false, _): events.append(event(.liftReversed, time))
    case .dragging, .joined, .vanished(wasDragging: true, _): events.append(event(.dragCancelled, time))
    case .ignored: break
    }
    state = .ignored
  }

  /// Whether a contact that just came down may be this finger coming back.
  func acceptsReturn(at point: Point, time: Instant) -> Bool {
    guard case .vanished(_, let until) = state, time <= until else { return false }
    let millimetre = 96 / 25.4 * scale
    return point.distance(to: last) <= settings.contacts.flickerMillimetres * millimetre
  }

  mutating func returned(
    as contact: ContactID, at point: Point, time: Instant, _ events: inout [GestureEvent]
  ) {
    guard case .vanished(let wasDragging, _) = state else { return }
    deviceContact = contact
    state = wasDragging ? .dragging : .lifted
    moved(to: point, time: time, &events)
  }

  var isVanished: Bool {
    if case .vanished = state { return true }
    return false
  }

  /// Reports nothing more of this finger.
  mutating func ignore() { state = .ignored }

  /// Handles an expired deadline. Returns true when the gesture is over.
  mutating func deadlinePassed(at now: Instant, _ events: inout [GestureEvent]) -> Bool {
    guard let due = deadline, due <= now else { return false }
    switch state {
    case .pressing:
      state = .lifting
      events.append(event(.liftBegan, due))
    case .lifting:
      state = .lifted
      origin = last
      events.append(event(.lifted, due))
    case .vanished(let wasDragging, _):
      events.append(event(wasDragging ? .dragEnded : .liftReversed, due))
      return true
    case .lifted, .dragging, .joined, .ignored:
      break
    }
    return false
  }
}
