package import CarryContacts
package import CarryModel

/// Turns the fingers on a trackpad into one virtual finger on the screen. The virtual finger comes down at the
/// pointer, moves with the pointer, and goes up where the item is to be dropped. Long press, lift, drag and drop are
/// the same as for touchscreens.
///
///            click held, or tap and hold              lifted (reported to `note`)
///     idle ──────────────────────────────▶ pressing ───────────────────────────▶ carrying ◀───────────────┐
///      ▲                                     │ released: ended                  │      │ another finger's │
///      │            another finger, moved:   │                    finger lifted │      │ tap: a tap       │
///      ├──────────────── cancelled ──────────┤                                  ▼      └──────────────────┤
///      └──── regripTime over: ended ─────────┴───────────────────────────── regripping ── touched again ──┘
///
/// A virtual finger that is not needed stays down as `spent`, as a real finger would, until the user releases it.
///
/// Pure: frames, pointer positions and deadlines come in with their times. The pointer's position comes from the
/// owner (`pointerMoved`), or for recordings from a virtual pointer.
package struct TrackpadRecognizer {
  private var settings: Settings
  private let device: DeviceID
  /// Screen pixels per pixel at 96 dpi, copied into every touch.
  package var scale = 1.0
  private let surface: TrackpadSurface
  private let identifiers: ContactIDSource
  private var fingers: TrackpadFingers
  private var state = State.idle
  /// The virtual finger; nil while none is down.
  package private(set) var contact: ContactID?
  /// The pointer's position in screen pixels; nil while unknown.
  private var pointer: Point?
  private var ownPointer: VirtualPointer?
  /// When the last tap ended; the touch of a tap and hold may follow it.
  private var lastTap: Instant?

  /// - Parameters:
  ///   - device: the device of the virtual fingers.
  ///   - pointer: a virtual pointer; without one, `pointerMoved` provides the position.
  ///   - identifiers: allocates the numbers of virtual fingers.
  package init(
    _ description: DeviceDescription, _ device: DeviceID = .unknown, settings: Settings, identifiers: ContactIDSource,
    pointer: VirtualPointer? = nil
  ) {
    self.device = device
    surface = TrackpadSurface(description)
    fingers = TrackpadFingers(surface)
    self.settings = settings
    self.identifiers = identifiers
    ownPointer = pointer
    self.pointer = pointer?.point
  }

  /// Applies new settings at once, also to a gesture under way.
  package mutating func apply(_ settings: Settings) { self.settings = settings }

  /// Whether a finger touches the pad or carries something. Only then the pointer's position matters.
  package var isActive: Bool { state != .idle || !fingers.list.isEmpty || fingers.isButtonDown }

  /// The virtual finger that a click holds down, and whether it carries something; nil if the button is up, or if its
  /// click does not create a virtual finger.
  package var clicked: (contact: ContactID, isCarrying: Bool)? {
    guard let contact else { return nil }
    switch state {
    case .pressing(.button): return (contact, false)
    case .carrying(.button, _): return (contact, true)
    default: return nil
    }
  }

  // MARK: Input

  /// Handles the pad's next frame. The owner has already handled all earlier deadlines.
  package mutating func handle(_ frame: ContactFrame, into events: inout [Touch]) {
    advance(to: frame.time, into: &events)
    fingers.apply(frame)
    if ownPointer != nil { moveOwnPointer(frame.time, &events) }
    switch state {
    case .idle: idle(frame.time, &events)
    case .pressing(let hold): pressing(hold, frame.time, &events)
    case .carrying(let hold, let since): carrying(hold, since, frame.time, &events)
    case .regripping(_, let isSpent): regripping(isSpent, frame.time, &events)
    case .spent(let hold): if isLetGo(hold) { end(frame.time, &events) }
    }
  }

  /// The pointer has moved to a point, in screen pixels.
  package mutating func pointerMoved(to point: Point, time: Instant, into events: inout [Touch]) {
    guard point != pointer else { return }
    // While no finger holds the item, it stays where the user released it.
    if case .regripping = state { return }
    pointer = point
    switch state {
    case .pressing, .carrying: put(.moved, time, &events)
    case .idle, .regripping, .spent: break
    }
  }

  /// Handles the gesture that was recognised from the virtual finger.
  package mutating func handle(_ event: GestureEvent) {
    guard event.contact == contact else { return }
    switch event.kind {
    case .lifted:
      if case .pressing(let hold) = state { state = .carrying(hold, since: event.time) }
    case .pressFailed, .liftReversed: ignore(event.contact)
    case .pressed, .liftBegan, .dragBegan, .dragMoved, .dragEnded, .dragCancelled, .tapped: break
    }
  }

  /// The virtual finger is no longer needed: it is spent.
  package mutating func ignore(_ contact: ContactID) {
    guard contact == self.contact else { return }
    switch state {
    case .pressing(let hold), .carrying(let hold, _): state = .spent(hold)
    case .regripping(let until, _): state = .regripping(until: until, isSpent: true)
    case .idle, .spent: break
    }
  }

  /// When `advance(to:)` has to be called next, or nil.
  package var nextDeadline: Instant? {
    if case .regripping(let until, _) = state { return until }
    return nil
  }

  package mutating func advance(to now: Instant, into events: inout [Touch]) {
    if case .regripping(let until, _) = state, until <= now { end(until, &events) }
  }

  /// The device is gone.
  package mutating func cancel(at now: Instant, into events: inout [Touch]) {
    cancelPress(now, &events)
    fingers = TrackpadFingers(surface)
    lastTap = nil
  }

  /// The screen has another size, which matters only to a virtual pointer.
  package mutating func resize(_ screen: Rect) {
    ownPointer?.resize(screen)
    if let own = ownPointer { pointer = own.point }
  }

  // MARK: States

  private mutating func idle(_ now: Instant, _ events: inout [Touch]) {
    if fingers.buttonWentDown {
      lastTap = nil
      // A click with two fingers is a click of another button.
      if fingers.count <= 1, !surface.isClickpad || !fingers.list.isEmpty { press(.button, now, &events) }
      return
    }
    guard !surface.isClickpad, !fingers.isButtonDown else { return }
    if fingers.began > 0 {
      if let tap = lastTap, now - tap <= settings.trackpad.tapAgain, fingers.began == 1, let finger = fingers.only {
        press(.finger(finger.id, regripped: false), now, &events)
      }
      lastTap = nil
    } else if let finger = fingers.ended.first {
      lastTap = fingers.maxAtOnce == 1 && fingers.count == 0 && isTap(finger, now) ? now : nil
    }
  }

  private mutating func pressing(_ hold: Hold, _ now: Instant, _ events: inout [Touch]) {
    if isLetGo(hold) { return end(now, &events) }
    // This is scrolling, a gesture of the desktop, or a swipe. Movement is measured on the pad, because the pointer's
    // position may come late, or the X server may hold the pointer still.
    if fingers.count > 1 || fingers.list.contains(where: { $0.travel > millimetres(settings.lift.pressSlop) }) {
      cancelPress(now, &events)
    }
  }

  private mutating func carrying(
    _ hold: Hold, _ since: Instant, _ now: Instant, _ events: inout [Touch]
  ) {
    for finger in fingers.ended where !isHold(hold, finger) && finger.since >= since && isTap(finger, now) {
      tap(now, &events)
    }
    // A click while a finger holds the item: from here on the button holds it.
    if fingers.buttonWentDown, surface.isClickpad {
      state = .carrying(.button, since: since)
      return
    }
    guard isLetGo(hold) else { return }
    switch hold {
    case .button where !surface.isClickpad:
      // The button was beside the pad, so no finger has to grip again, and there is no reason to wait.
      end(now, &events)
    case .button:
      letGo(now, &events)
    case .finger(let id, let regripped):
      if let other = fingers.list.first(where: { !$0.maybePalm }) {
        state = .carrying(.finger(other.id, regripped: true), since: since)
      } else if regripped, let finger = fingers.ended.first(where: { $0.id == id }), isTap(finger, now) {
        end(now, &events)
      } else {
        letGo(now, &events)
      }
    }
  }

  private mutating func regripping(_ isSpent: Bool, _ now: Instant, _ events: inout [Touch]) {
    if isSpent {
      // The virtual finger is spent, so a new touch does not grip it again but starts a new gesture.
      end(now, &events)
      return idle(now, &events)
    }
    if fingers.buttonWentDown, !fingers.list.isEmpty {
      state = .carrying(.button, since: now)
    } else if fingers.began > 0, let finger = fingers.list.last(where: { !$0.maybePalm }) {
      state = .carrying(.finger(finger.id, regripped: true), since: now)
    } else if fingers.list.contains(where: { $0.travel > millimetres(settings.tap.slop) }) {
      // The finger stayed on the pad and continues freely, so the release of the click was the drop.
      end(now, &events)
    }
  }

  // MARK: Steps

  private mutating func press(_ hold: Hold, _ now: Instant, _ events: inout [Touch]) {
    guard pointer != nil else { return }
    fingers.measureFromHere()
    contact = identifiers.next()
    state = .pressing(hold)
    put(.began, now, &events)
  }

  private mutating func letGo(_ now: Instant, _ events: inout [Touch]) {
    guard settings.trackpad.regrip > .zero else { return end(now, &events) }
    fingers.measureFromHere()
    state = .regripping(until: now + settings.trackpad.regrip)
  }

  private mutating func end(_ now: Instant, _ events: inout [Touch]) {
    put(.ended, now, &events)
    forget()
  }

  private mutating func cancelPress(_ now: Instant, _ events: inout [Touch]) {
    if contact != nil { put(.cancelled, now, &events) }
    forget()
  }

  private mutating func forget() {
    contact = nil
    state = .idle
    if let own = ownPointer { pointer = own.point }
  }

  private mutating func tap(_ now: Instant, _ events: inout [Touch]) {
    guard let pointer else { return }
    let id = identifiers.next()
    events.append(touch(id, .began, pointer, now))
    events.append(touch(id, .ended, pointer, now))
  }

  private func put(_ phase: Touch.Phase, _ now: Instant, _ events: inout [Touch]) {
    guard let contact, let pointer else { return }
    events.append(touch(contact, phase, pointer, now))
  }

  private func touch(_ id: ContactID, _ phase: Touch.Phase, _ point: Point, _ now: Instant) -> Touch {
    Touch(id: id, phase: phase, point: point, scale: scale, device: device, time: now, tool: .trackpad)
  }

  private mutating func moveOwnPointer(_ now: Instant, _ events: inout [Touch]) {
    // Two fingers scroll. But while something is held, any finger moves the pointer.
    let isHeld = fingers.isButtonDown || (contact != nil && !isSpent)
    guard fingers.motion != .zero, isHeld || fingers.count == 1 else { return }
    ownPointer?.move(fingers.motion)
    if let point = ownPointer?.point { pointerMoved(to: point, time: now, into: &events) }
  }

  // MARK: Questions

  private func isHold(_ hold: Hold, _ finger: TrackpadFingers.Finger) -> Bool {
    if case .finger(finger.id, _) = hold { return true }
    return false
  }

  private var isSpent: Bool {
    if case .spent = state { return true }
    return false
  }

  private func isLetGo(_ hold: Hold) -> Bool {
    switch hold {
    case .button: !fingers.isButtonDown
    case .finger(let id, _): !fingers.isDown(id)
    }
  }

  private func isTap(_ finger: TrackpadFingers.Finger, _ now: Instant) -> Bool {
    now - finger.since <= settings.tap.longest && finger.travel <= millimetres(settings.tap.slop) && !finger.maybePalm
  }

  /// Distances in the settings are pixels at 96 dpi.
  private func millimetres(_ pixels: Double) -> Double { pixels / ScreenMapping.nominalPixelsPerMillimetre }
}
