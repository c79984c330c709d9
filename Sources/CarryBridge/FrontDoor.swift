import CX11
import CarryModel
import CarrySelections
import CarrySystem

/// A window that nobody sees, before the window of a drop, for drags whose source forgets the door (docs/decisions/0033).
///
/// GTK 4 heeds `XdndProxy` at its first motion over a window only. From the second on it talks with the window itself, whose
/// program knows nothing of drags. The front door is another window to it, and one that takes drops by itself. It is there
/// while such a drag is over the window, since touches and clicks on it do not reach the program.
final class FrontDoor {
  private let x: XConnection
  private let door: DoorWindow
  /// The window that it is before, or was before last: messages may come when it is closed already.
  private(set) var entrance: UInt32?
  /// The window of the drag's source.
  private var source: UInt32 = 0
  /// When it is looked whether the drag goes on, and where the window is; nil while it is closed. Nobody tells of new shapes.
  private var looksAgain: Instant?
  /// When it is placed again, since windows have changed.
  private var placesAgain: Instant?

  /// Before then it is not looked what can be seen: there may be a thousand windows, and a program may ask for it endlessly.
  private var restsUntil = Instant.zero
  /// What it opens before, and for which source, once it may look again.
  private var waiting: (entrance: UInt32, source: UInt32)?

  private static let pause = Interval.milliseconds(100)
  /// Windows move many times in a row.
  private static let rest = Interval.milliseconds(20)

  init(_ x: XConnection) {
    self.x = x
    door = DoorWindow(x)
  }

  var isOpen: Bool { looksAgain != nil }

  func isNamed(_ window: UInt32) -> Bool { door.window == window }

  // MARK: Opening and closing

  /// Puts it before a window, if a drag is over what can be seen of that.
  ///
  /// Programs can send the messages of a drag, and nobody has to drag for that: the button, the pointer and the selection
  /// are what the X server says. It is asked once a turn about the first and the last: one that sends such messages without
  /// end costs little, and need not be made to wait, which would shut the door before others, too.
  ///
  /// - Returns: whether it is there now. It may come later, if it has just been looked.
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
      let view = look(at: entrance, without: source), view.parts.contains(where: { $0.contains(pointer) })
    else { return false }
    (self.entrance, self.source) = (entrance, source)
    door.place(before: view, view.parts)
    looksAgain = now + Self.pause
    return true
  }

  /// A drag comes over a window.
  func cameOver(_ window: UInt32, from source: UInt32) {
    if waiting?.source == source { waiting = nil }
    if source == self.source, window != entrance { hide() }
  }

  /// A source's drag is over, or elsewhere. Anybody can say that of a drag of his own, and others' go on.
  func close(for source: UInt32) {
    if waiting?.source == source { waiting = nil }
    if source == self.source { hide() }
  }

  /// It stays a window: the source may be about to send it a message.
  private func close() {
    waiting = nil
    hide()
  }

  private func hide() {
    guard isOpen else { return }
    door.hide()
    (looksAgain, placesAgain) = (nil, nil)
  }

  /// A window has no door any more, or is gone.
  func forget(_ window: UInt32) {
    if let waiting, window == waiting.entrance || window == waiting.source { self.waiting = nil }
    guard window == entrance || window == source else { return }
    close()
    if window == entrance { entrance = nil }
  }

  /// Looks what can be seen, and rests for 20 times as long as that took.
  private func look(at entrance: UInt32, without source: UInt32) -> WindowView? {
    let start = MonotonicClock.now()
    defer {
      let end = MonotonicClock.now()
      restsUntil = end + max(Self.rest, Interval(microseconds: (end - start).microseconds * 20))
    }
    return x.view(of: entrance, withoutPicturesOf: source)
  }

  private func isDragged(by source: UInt32) -> Bool { x.selections.owner(of: selection) == source && x.hasButtonDown }

  private var selection: UInt32 { x.atom("XdndSelection") }

  /// Takes in an event of the X server's own.
  func take(_ event: XEvent, at now: Instant) {
    let isTakenAway = door.take(event)
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
    guard let view = look(at: entrance, without: source), !view.parts.isEmpty else { return close() }
    door.place(before: view, view.parts)
  }
}
