import CX11
import CarryModel
import CarrySelections
import CarrySystem

/// An invisible window in front of an entrance, for drags whose source stops honouring the door
/// (docs/decisions/0033).
///
/// GTK 4 honours `XdndProxy` only at its first motion over a window. From the second on it talks to the window
/// itself, whose program knows nothing of drags. GTK regards the front door as another window that accepts drops
/// itself. The door is shown only while such a drag is over the window, because it blocks touches and clicks.
final class RootProxy {
  private let x: XConnection
  private let door: OverlayWindow
  /// The window behind the door, now or last: messages may arrive after the door has closed.
  private(set) var entrance: UInt32?
  /// The window of the drag's source.
  private var source: UInt32 = 0
  /// When to check whether the drag continues and where the window is; nil while closed. Changes of shape are not
  /// reported.
  private var looksAgain: Instant?
  /// When to place the door again after windows have changed.
  private var placesAgain: Instant?

  /// The earliest time for the next query of the visible area: there may be a thousand windows, and a program may
  /// trigger it endlessly.
  private var restsUntil = Instant.zero
  /// The window and source to open for once querying is allowed again.
  private var waiting: (entrance: UInt32, source: UInt32)?

  private static let pause = Interval.milliseconds(100)
  /// Coalesces repeated moves of windows.
  private static let rest = Interval.milliseconds(20)

  init(_ x: XConnection) {
    self.x = x
    door = OverlayWindow(x)
  }

  var isOpen: Bool { looksAgain != nil }

  func isNamed(_ window: UInt32) -> Bool { door.window == window }

  // MARK: Opening and closing

  /// Shows the door before a window if a drag is over the visible part of that window.
  ///
  /// Programs can send the messages of a drag without the user dragging, so the X server is asked about the button,
  /// the pointer and the selection. Button and selection owner are queried once a turn. A program that floods such
  /// messages therefore costs little and needs no delay, which would also close the door for others.
  ///
  /// - Returns: Whether the door is shown now. It may appear later if a query was made just before.
  @discardableResult func open(before entrance: UInt32, for source: UInt32, at now: Instant) -> Bool {
    guard source == x.dragOwnerInTurn() else {
      close(for: source)
      return false
    }
    close()
    guard now >= restsUntil else {
      waiting = (entrance, source)
      return false
    }
    guard x.hasButtonDownInTurn(), let pointer = x.pointer(),
      let view = view(of: entrance, without: source), view.parts.contains(where: { $0.contains(pointer) })
    else { return false }
    (self.entrance, self.source) = (entrance, source)
    door.place(before: view, view.parts)
    looksAgain = now + Self.pause
    return true
  }

  /// A drag enters a window.
  func cameOver(_ window: UInt32, from source: UInt32) {
    if waiting?.source == source { waiting = nil }
    if source == self.source, window != entrance { hide() }
  }

  /// A source's drag has ended or moved elsewhere. A program can report this only of its own drags.
  func close(for source: UInt32) {
    if waiting?.source == source { waiting = nil }
    if source == self.source { hide() }
  }

  /// Keeps the window: the source may be about to send it a message.
  private func close() {
    waiting = nil
    hide()
  }

  private func hide() {
    guard isOpen else { return }
    door.hide()
    (looksAgain, placesAgain) = (nil, nil)
  }

  /// A window has lost its door or is gone.
  func forget(_ window: UInt32) {
    if let waiting, window == waiting.entrance || window == waiting.source { self.waiting = nil }
    guard window == entrance || window == source else { return }
    close()
    if window == entrance { entrance = nil }
  }

  /// Queries the visible area, and then rests.
  private func view(of entrance: UInt32, without source: UInt32) -> WindowView? {
    let start = MonotonicClock.now()
    defer {
      let end = MonotonicClock.now()
      restsUntil = end + max(Self.rest, (end - start).rest)
    }
    return x.view(of: entrance, withoutPicturesOf: source)
  }

  private func isDragged(by source: UInt32) -> Bool { x.selections.owner(of: selection) == source && x.hasButtonDown }

  private var selection: UInt32 { x.atom("XdndSelection") }

  /// Handles an event sent by the X server itself.
  func handle(_ event: XEvent, at now: Instant) {
    let isTakenAway = door.handle(event)
    guard isOpen, placesAgain == nil, isTakenAway || x.mayUncover(event, draggedBy: source) else { return }
    placesAgain = now + Self.rest
  }

  // MARK: Time

  var nextDeadline: Instant? { .earliest(waiting.map { _ in restsUntil }, .earliest(looksAgain, placesAgain)) }

  func advance(to now: Instant) {
    if let waiting, restsUntil <= now {
      open(before: waiting.entrance, for: waiting.source, at: now)
      return
    }
    guard let due = nextDeadline, due <= now, let entrance else { return }
    placesAgain = nil
    if let due = looksAgain, due <= now { looksAgain = now + Self.pause }
    guard isDragged(by: source) else { return close() }
    guard now >= restsUntil else { return placesAgain = min(restsUntil, now + Self.pause) }
    guard let view = view(of: entrance, without: source), !view.parts.isEmpty else { return close() }
    door.place(before: view, view.parts)
  }
}
