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
  /// Made when it is needed first.
  private var made: UInt32?
  /// The window that it is before, or was before last: messages may come when it is closed already.
  private(set) var entrance: UInt32?
  /// The window of the drag's source.
  private var source: UInt32 = 0
  private var parts: [Rect] = []
  /// When it is looked whether the drag goes on, and where the window is; nil while it is closed. Nobody tells of new shapes.
  private var looksAgain: Instant?
  /// When it is placed again, since windows have changed.
  private var placesAgain: Instant?

  /// Before then it is not looked what can be seen: there may be a thousand windows, and a program may ask for it endlessly.
  private var restsUntil = Instant.zero

  private static let pause = Interval.milliseconds(100)
  /// Windows move many times in a row.
  private static let rest = Interval.milliseconds(20)

  init(_ x: XConnection) { self.x = x }

  var isOpen: Bool { looksAgain != nil }

  func isNamed(_ window: UInt32) -> Bool { made == window }

  // MARK: Opening and closing

  /// Puts it before a window, if a drag is over what can be seen of that.
  ///
  /// Programs can send the messages of a drag, and nobody has to drag for that: the button, the pointer and the selection
  /// are what the X server says.
  ///
  /// - Returns: whether it is there now.
  func open(before entrance: UInt32, for source: UInt32, at now: Instant) -> Bool {
    close()
    guard now >= restsUntil, isDragged(by: source), let pointer = x.pointer(),
      let view = look(at: entrance, without: source), view.parts.contains(where: { $0.contains(pointer) })
    else { return false }
    (self.entrance, self.source) = (entrance, source)
    let window = made ?? make()
    made = window
    place(window, view)
    XMapWindow(x.display, Window(window))
    looksAgain = now + Self.pause
    return true
  }

  /// It stays a window: the source may be about to send it a message.
  func close() {
    guard isOpen, let made else { return }
    XUnmapWindow(x.display, Window(made))
    (looksAgain, placesAgain, parts) = (nil, nil, [])
  }

  /// A window has no door any more, or is gone.
  func forget(_ window: UInt32) {
    if window == made {
      close()
      made = nil
    }
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

  private func make() -> UInt32 {
    var attributes = XSetWindowAttributes()
    attributes.override_redirect = 1
    let window = UInt32(
      truncatingIfNeeded: XCreateWindow(
        x.display, Window(x.root), 0, 0, 1, 1, 0, 0, UInt32(InputOnly), nil, UInt(CWOverrideRedirect), &attributes))
    x.setWords([5], "XdndAware", of: window, type: Atom(XA_ATOM))
    return window
  }

  // MARK: Its place

  /// Above the window's frame, and only where that can be seen: some window managers put such windows above all others.
  private func place(_ window: UInt32, _ view: WindowView) {
    if !view.isBelow(window) {
      var changes = XWindowChanges()
      changes.sibling = Window(view.outermost)
      changes.stack_mode = Above
      XConfigureWindow(x.display, Window(window), UInt32(CWSibling | CWStackMode), &changes)
    }
    guard view.parts != parts, let first = view.parts.first else { return }
    parts = view.parts
    var box = parts.dropFirst().reduce(first) { $0.union($1) }
    // To the engine, such a window of the whole screen is a cover that compositing managers put above all.
    if let screen = x.frame(of: x.root), box.x <= 0, box.y <= 0, box.maxX >= screen.width, box.maxY >= screen.height {
      (box.y, box.height) = (1, screen.height - 1)
    }
    XMoveResizeWindow(
      x.display, Window(window), CInt(box.x), CInt(box.y), UInt32(box.width), UInt32(box.height))
    var shape = parts.map {
      XRectangle(
        x: Int16($0.x - box.x), y: Int16($0.y - box.y), width: UInt16($0.width), height: UInt16($0.height))
    }
    XShapeCombineRectangles(
      x.display, Window(window), ShapeBounding, 0, 0, &shape, CInt(shape.count), ShapeSet, Unsorted)
  }

  /// Takes in an event of the X server's own.
  func take(_ event: XEvent, at now: Instant) {
    guard isOpen, placesAgain == nil, concerns(event) else { return }
    placesAgain = now + Self.rest
  }

  /// Whether what an event says may change what can be seen. The source's picture moves with each motion of the mouse.
  private func concerns(_ event: XEvent) -> Bool {
    let (window, isPicture): (Window, Bool) =
      switch event.type {
      case ConfigureNotify: (event.xconfigure.window, event.xconfigure.override_redirect != 0)
      case MapNotify: (event.xmap.window, event.xmap.override_redirect != 0)
      case UnmapNotify: (event.xunmap.window, false)
      case ReparentNotify: (event.xreparent.window, false)
      case CirculateNotify: (event.xcirculate.window, false)
      case DestroyNotify: (event.xdestroywindow.window, false)
      default: (0, true)
      }
    let program = UInt32(truncatingIfNeeded: window) & ~x.idMask
    return window != 0 && program != x.idBase && !(isPicture && program == source & ~x.idMask)
  }

  // MARK: Time

  var nextDeadline: Instant? { .earliest(looksAgain, placesAgain) }

  func advance(to now: Instant) {
    guard let due = nextDeadline, due <= now, let made, let entrance else { return }
    placesAgain = nil
    if let due = looksAgain, due <= now { looksAgain = now + Self.pause }
    guard isDragged(by: source) else { return close() }
    guard now >= restsUntil else { return placesAgain = min(restsUntil, now + Self.pause) }
    guard let view = look(at: entrance, without: source), !view.parts.isEmpty else { return close() }
    place(made, view)
  }
}
