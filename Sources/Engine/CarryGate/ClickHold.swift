package import CarryModel

/// The clicks that the gate holds: at most one per pointer, because the X server stops the pointer meanwhile. Pure.
///
///     click ──▶ held, a moment ──keep──▶ held, as long as a touch ──take──▶ ours (the application never sees it)
///                 │                        │ └──give──▶ the application's (the server replays it)
///                 └──────deadline──────────┴──────────▶ the application's, whatever the engine does
///
/// Most clicks are made with a mouse, and the engine passes them back at once. A stopped engine must not delay them
/// for more than a moment, so a click is held longer only if the engine asks to keep it.
///
/// A followed click is kept as well, and the engine is told where the pointer goes and when the button comes up, even
/// after it has taken the click. A followed click whose button comes up where it went down belongs to the application
/// without asking the engine. The X server loses the second press of a double click if that press comes while the
/// first click is still held, so a click must not be held for longer than it lasts.
package struct ClickHold: Sendable {
  package struct Click: Equatable, Sendable {
    package let id: UInt32
    /// The X server's number of the pointer.
    package let pointer: Int32
    /// The X server's number of the device that moves the pointer and has the button.
    package let source: Int32
    /// Where the button was pressed, in screen pixels.
    package let point: Point
    /// Whether the engine is told of the click's motion and end.
    package fileprivate(set) var isFollowed = false
    /// Whether the pointer was seen anywhere but where the button went down.
    fileprivate var hasMoved = false
    /// Whether the engine was told of the click's end.
    package fileprivate(set) var isReleased = false
    /// Whether the device of a taken click has reported the release, which the grab has not reported yet.
    fileprivate var isDeviceReleased = false
    /// The place of that release, once the X server was asked.
    fileprivate var deviceReleasedAt: Point?
    var deadline: Instant
    let begun: Instant

    /// Whether a place is the pixel of the press. The X server reports presses with fractions of pixels, and the
    /// cursor without.
    fileprivate func isAt(_ place: Point) -> Bool { abs(place.x - point.x) <= 1 && abs(place.y - point.y) <= 1 }
  }

  /// The clicks that are held.
  private var clicks: [Click] = []
  /// The followed clicks that the engine has taken, until their buttons come up.
  private var taken: [Click] = []
  private var lastID: UInt32 = 0
  /// Maximum time for which a kept click is held.
  package var patience: Interval

  /// How long a click waits for the engine's first decision.
  package static let moment = Interval.milliseconds(50)

  /// - Parameter patience: maximum time for which a kept click is held.
  package init(patience: Interval) { self.patience = patience }

  /// Holds a new click, and returns its number.
  package mutating func began(
    pointer: Int32, source: Int32 = 0, at point: Point = .zero, time now: Instant
  ) -> UInt32 {
    clicks.removeAll { $0.pointer == pointer }
    taken.removeAll { $0.pointer == pointer }
    lastID &+= 1
    clicks.append(
      Click(id: lastID, pointer: pointer, source: source, point: point, deadline: now + Self.moment, begun: now))
    return lastID
  }

  package mutating func keep(_ id: UInt32) {
    for i in clicks.indices where clicks[i].id == id { clicks[i].deadline = clicks[i].begun + patience }
  }

  /// Keeps a held click and follows it.
  ///
  /// - Returns: the click; nil if it is not held.
  package mutating func follow(_ id: UInt32) -> Click? {
    keep(id)
    guard let i = clicks.firstIndex(where: { $0.id == id }) else { return nil }
    clicks[i].isFollowed = true
    return clicks[i]
  }

  /// Whether any held click is followed: only then the motion of other devices has to be read.
  package var followsHeldClick: Bool { clicks.contains(where: \.isFollowed) }

  /// The held and followed click of a device, unless its button is known to be up.
  package func followed(of source: Int32) -> Click? {
    clicks.first { $0.source == source && $0.isFollowed && !$0.isReleased }
  }

  /// The pointer is here while a click is held and followed.
  package mutating func moved(_ id: UInt32, to place: Point) {
    for i in clicks.indices where clicks[i].id == id && !clicks[i].isAt(place) { clicks[i].hasMoved = true }
  }

  /// The button of a held and followed click came up.
  ///
  /// - Returns: the click, which is removed, if it never moved: it then belongs to the application. Nil if the engine
  ///   has to decide, for which it has a moment.
  package mutating func released(_ id: UInt32, time now: Instant) -> Click? {
    guard let i = clicks.firstIndex(where: { $0.id == id }) else { return nil }
    guard clicks[i].hasMoved else { return clicks.remove(at: i) }
    clicks[i].isReleased = true
    clicks[i].deadline = min(clicks[i].deadline, now + Self.moment)
    return nil
  }

  /// The engine takes a click.
  ///
  /// - Returns: the click; nil if it was not held.
  package mutating func take(_ id: UInt32) -> Click? {
    guard let click = decide(id) else { return nil }
    if click.isFollowed { taken.append(click) }
    return click
  }

  /// The followed click of a pointer that the engine has taken.
  package func taken(by pointer: Int32) -> Click? { taken.first { $0.pointer == pointer } }

  /// Whether the engine has taken a followed click. Its device must then report when the button comes up, because the
  /// grab ends without an event if the window is unmapped or destroyed.
  package var followsTakenClick: Bool { !taken.isEmpty }

  /// The followed click of a device that the engine has taken.
  package func taken(from source: Int32) -> Click? { taken.first { $0.source == source } }

  /// The device of a taken click reports that the button came up. If the grab is alive, it reports that as well and
  /// more exactly; usually its report has come together with the device's.
  ///
  /// - Parameter place: where, once the X server was asked for it; nil before.
  package mutating func deviceReleased(_ id: UInt32, at place: Point? = nil) {
    for i in taken.indices where taken[i].id == id {
      taken[i].isDeviceReleased = true
      taken[i].deviceReleasedAt = place
    }
  }

  /// A taken click whose end only the device has reported, and whose place is unknown. Call this once all events that
  /// came with the device's are handled.
  package var unlocated: Click? { taken.first { $0.isDeviceReleased && $0.deviceReleasedAt == nil } }

  /// Removes and returns a taken click whose end only the device has reported, with the place. Call this once all
  /// events that came with the place are handled.
  package mutating func takeUnreported() -> (click: Click, place: Point)? {
    guard let i = taken.firstIndex(where: { $0.deviceReleasedAt != nil }), let place = taken[i].deviceReleasedAt else {
      return nil
    }
    return (taken.remove(at: i), place)
  }

  /// The button of a taken click came up.
  package mutating func forgetTaken(_ id: UInt32) { taken.removeAll { $0.id == id } }

  /// Removes and returns a click that is decided now; nil if it was not held.
  package mutating func decide(_ id: UInt32) -> Click? {
    guard let i = clicks.firstIndex(where: { $0.id == id }) else { return nil }
    return clicks.remove(at: i)
  }

  package var nextDeadline: Instant? {
    taken.contains(where: \.isDeviceReleased) ? .zero : clicks.map(\.deadline).min()
  }

  /// Removes and returns the clicks that have timed out. They go to the applications.
  package mutating func expire(at now: Instant) -> [Click] {
    let due = clicks.filter { $0.deadline <= now }
    clicks.removeAll { $0.deadline <= now }
    return due
  }
}
