package import CarryModel

/// All fingers at once: turns contacts in screen coordinates into gestures, each finger on its own.
///
/// Pure: it knows no clock. Feed each contact change with its time, and call `advance(to:)` for every deadline that
/// comes before it; the same inputs give the same gestures. There is one of each, not copied: an object that holds one
/// asks it where it is.
package struct GestureEngine: ~Copyable, Sendable {
  private var settings: Settings
  private var fingers: [ContactGesture] = []

  package init(settings: Settings) {
    self.settings = settings
    fingers.reserveCapacity(16)
  }

  /// New constants, for fingers that come down from now on: one that is down keeps what it came down with.
  package mutating func apply(_ settings: Settings) { self.settings = settings }

  /// How many fingers are being followed; 0 when the engine is at rest.
  package var fingerCount: Int { fingers.count }

  /// A finger did something.
  ///
  /// - Returns: whether it is a carrying finger that was lost for a moment and came back.
  @discardableResult
  package mutating func take(_ touch: Touch, into events: inout [GestureEvent]) -> Bool {
    switch touch.phase {
    case .began:
      return began(
        touch.id, at: touch.point, scale: touch.scale, isPointer: touch.isPointer, time: touch.time, into: &events)
    case .moved: moved(touch.id, to: touch.point, time: touch.time, into: &events)
    case .ended: ended(touch.id, at: touch.point, isFinal: touch.isPointer, time: touch.time, into: &events)
    case .cancelled: cancelled(touch.id, time: touch.time, into: &events)
    }
    return false
  }

  /// A finger came down.
  ///
  /// - Parameters:
  ///   - id: new for this touch.
  ///   - point: screen pixels.
  ///   - scale: screen pixels per pixel at 96 dpi, for the thresholds.
  ///   - isPointer: it is one that a trackpad makes at the pointer.
  /// - Returns: whether it is a carrying finger that was lost for a moment and came back.
  @discardableResult
  package mutating func began(
    _ id: ContactID, at point: Point, scale: Double, isPointer: Bool = false, time: Instant,
    into events: inout [GestureEvent]
  ) -> Bool {
    for i in fingers.indices where fingers[i].acceptsReturn(at: point, time: time) {
      fingers[i].returned(as: id, at: point, time: time, &events)
      return true
    }
    fingers.append(ContactGesture(id, at: point, scale: scale, isPointer: isPointer, time: time, settings))
    events.append(GestureEvent(.pressed, contact: id, point: point, time: time))
    return false
  }

  /// Whether a contact that comes down here would be a carrying finger that was lost a moment ago.
  package func awaitsReturn(at point: Point, time: Instant) -> Bool {
    fingers.contains { $0.acceptsReturn(at: point, time: time) }
  }

  package mutating func moved(
    _ id: ContactID, to point: Point, time: Instant, into events: inout [GestureEvent]
  ) {
    guard let i = index(of: id) else { return }
    fingers[i].moved(to: point, time: time, &events)
  }

  /// A finger went up.
  ///
  /// - Parameter isFinal: it cannot come back as another contact, as one of a flickering panel may.
  package mutating func ended(
    _ id: ContactID, at point: Point, isFinal: Bool = false, time: Instant, into events: inout [GestureEvent]
  ) {
    guard let i = index(of: id) else { return }
    if fingers[i].ended(at: point, isFinal: isFinal, time: time, &events) { fingers.remove(at: i) }
  }

  /// The contact turned out to be no finger (palm), or its device went away.
  package mutating func cancelled(_ id: ContactID, time: Instant, into events: inout [GestureEvent]) {
    // A device that goes lets go of its fingers first: those that are waited for to come back are meant too.
    guard let i = fingers.firstIndex(where: { $0.deviceContact == id }) else { return }
    fingers[i].cancelled(time: time, &events)
    fingers.remove(at: i)
  }

  /// The owner of the screen wants nothing of this finger: it counts as an ordinary touch from here on.
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

  /// The finger came down on a stack that another one carries: it lifts nothing.
  package mutating func join(_ contact: ContactID) {
    for i in fingers.indices where fingers[i].contact == contact { fingers[i].join() }
  }

  /// When `advance(to:)` wants to be called next, or nil.
  package var nextDeadline: Instant? {
    var next: Instant?
    for i in fingers.indices {
      if let d = fingers[i].deadline, next == nil || d < next! { next = d }
    }
    return next
  }

  /// Lets time pass: all deadlines up to `now`, the earliest first.
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
    for i in fingers.indices where fingers[i].deviceContact == id && !fingers[i].isVanished { return i }
    return nil
  }
}
