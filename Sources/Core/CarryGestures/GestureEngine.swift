package import CarryModel

/// Turns contacts in screen coordinates into gestures, for all fingers at once and each finger on its own.
///
/// Pure: it reads no clock. Pass each contact change with its time, and before that call `advance(to:)` for every
/// earlier deadline. The same inputs give the same gestures. The engine is not copyable, so that its owner always
/// changes it in place.
package struct GestureEngine: ~Copyable, Sendable {
  private var settings: Settings
  private var fingers: [ContactGesture] = []

  package init(settings: Settings) {
    self.settings = settings
    fingers.reserveCapacity(16)
  }

  /// Applies new settings to fingers that come down from now on. A finger that is down keeps its settings.
  package mutating func apply(_ settings: Settings) { self.settings = settings }

  /// The fingers and their gestures, for tools that look into the engine.
  package var details: [ContactDetail] { fingers.map(\.detail) }

  /// How many fingers the engine follows; 0 when it is at rest.
  package var fingerCount: Int { fingers.count }

  /// Handles a touch.
  ///
  /// - Returns: whether it is a carrying finger that was lost for a moment and came back.
  @discardableResult
  package mutating func handle(_ touch: Touch, into events: inout [GestureEvent]) -> Bool {
    switch touch.phase {
    case .began:
      return began(
        touch.id, at: touch.point, scale: touch.scale, tool: touch.tool, time: touch.time, into: &events)
    case .moved: moved(touch.id, to: touch.point, time: touch.time, into: &events)
    case .ended: ended(touch.id, at: touch.point, isFinal: touch.isPointer, time: touch.time, into: &events)
    case .cancelled: cancelled(touch.id, time: touch.time, into: &events)
    }
    return false
  }

  /// Handles a finger that comes down.
  ///
  /// - Parameters:
  ///   - id: new for this touch.
  ///   - point: screen pixels.
  ///   - scale: screen pixels per pixel at 96 dpi, for the thresholds.
  ///   - tool: what touches; the pointer tools have thresholds and ways of lifting of their own.
  /// - Returns: whether it is a carrying finger that was lost for a moment and came back.
  @discardableResult
  package mutating func began(
    _ id: ContactID, at point: Point, scale: Double, tool: Touch.Tool = .finger, time: Instant,
    into events: inout [GestureEvent]
  ) -> Bool {
    for i in fingers.indices where fingers[i].acceptsReturn(at: point, time: time) {
      fingers[i].returned(as: id, at: point, time: time, &events)
      return true
    }
    fingers.append(ContactGesture(id, at: point, scale: scale, tool: tool, time: time, settings))
    events.append(GestureEvent(.pressed, contact: id, point: point, time: time))
    return false
  }

  /// Whether a contact that comes down here would count as a carrying finger that was lost a moment ago.
  package func awaitsReturn(at point: Point, time: Instant) -> Bool {
    fingers.contains { $0.acceptsReturn(at: point, time: time) }
  }

  package mutating func moved(
    _ id: ContactID, to point: Point, time: Instant, into events: inout [GestureEvent]
  ) {
    guard let i = index(of: id) else { return }
    fingers[i].moved(to: point, time: time, &events)
  }

  /// Handles a finger that goes up.
  ///
  /// - Parameter isFinal: whether the finger cannot come back as another contact, as it can on a flickering panel.
  package mutating func ended(
    _ id: ContactID, at point: Point, isFinal: Bool = false, time: Instant, into events: inout [GestureEvent]
  ) {
    guard let i = index(of: id) else { return }
    if fingers[i].ended(at: point, isFinal: isFinal, time: time, &events) { fingers.remove(at: i) }
  }

  /// Handles a contact that turned out not to be a finger (a palm), or whose device was removed.
  package mutating func cancelled(_ id: ContactID, time: Instant, into events: inout [GestureEvent]) {
    // Fingers that may still come back count, too: a removed device ends its contacts before its removal is reported.
    guard let i = fingers.firstIndex(where: { $0.deviceContact == id }) else { return }
    fingers[i].cancelled(time: time, &events)
    fingers.remove(at: i)
  }

  /// Treats the finger as an ordinary touch from here on.
  ///
  /// - Parameter contact: the id that the events carried.
  package mutating func ignore(_ contact: ContactID) {
    for i in fingers.indices where fingers[i].contact == contact {
      if fingers[i].isVanished {
        fingers.remove(at: i)
      } else {
        fingers[i].ignore()
      }
      return
    }
  }

  /// Marks that the finger came down on a stack that another finger carries: it lifts nothing.
  package mutating func join(_ contact: ContactID) {
    for i in fingers.indices where fingers[i].contact == contact { fingers[i].join() }
  }

  /// When `advance(to:)` has to be called next, or nil.
  package var nextDeadline: Instant? {
    var next: Instant?
    for i in fingers.indices {
      if let d = fingers[i].deadline, next == nil || d < next! { next = d }
    }
    return next
  }

  /// Handles all deadlines up to `now`, the earliest first.
  package mutating func advance(to now: Instant, into events: inout [GestureEvent]) {
    while let due = nextDeadline, due <= now {
      var i = 0
      while i < fingers.count {
        if fingers[i].deadlinePassed(at: due, &events) {
          fingers.remove(at: i)
        } else {
          i += 1
        }
      }
    }
  }

  private func index(of id: ContactID) -> Int? {
    for i in fingers.indices where fingers[i].deviceContact.raw == id.raw && !fingers[i].isVanished { return i }
    return nil
  }
}
