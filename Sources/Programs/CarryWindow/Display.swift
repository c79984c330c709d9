import CWindow

/// A connection to the X server, with the windows that are made on it. Only one thread may use it.
package final class Display {
  /// What the windows of a program receive.
  package enum Input: Sendable {
    /// Keys, but none that another program sends.
    case keys
    /// Keys, text of an input method, a mouse and touches.
    case everything
  }

  package let connection: OpaquePointer
  /// Pixels for each unit of the kit: from `Xft.dpi`, or 1 where the program sets it. It is set before the first window.
  package var scale: Double
  /// Whether the X server draws the windows, with its font settings (`Xft.rgba` and its like). Otherwise they are drawn in
  /// memory, which is faster for large pictures and layers.
  package var drawsInServer = false
  /// Seconds on the clock, the same throughout one turn of the program's loop.
  package private(set) var now: Double
  /// Called when windows of other programs came, went, or changed their names or order.
  package var onDesktopChanged: (() -> Void)?

  let input: Input
  private(set) var inputMethod: XIM?
  private let clock: () -> Double
  private var touchOpcode: CInt = -1
  private var windows: [XID: Window] = [:]

  /// Connects to the server that `DISPLAY` names; nil where there is none.
  ///
  /// - Parameter clock: the time in seconds.
  package init?(input: Input, clock: @escaping () -> Double = Display.monotonic) {
    if input == .everything { setlocale(LC_CTYPE, "") }
    guard let connection = XOpenDisplay(nil) else { return nil }
    self.connection = connection
    self.input = input
    self.clock = clock
    now = clock()
    scale = 1
    // The rest takes a few milliseconds.
    guard input == .everything else { return }
    let dpi = XGetDefault(connection, "Xft", "dpi").flatMap { Double(String(cString: $0)) }
    if let dpi { scale = max(0.5, min(4, dpi / 96)) }
    XSetLocaleModifiers("")
    inputMethod = XOpenIM(connection, nil, nil, nil)
    var (opcode, event, error): (CInt, CInt, CInt) = (0, 0, 0)
    var (major, minor): (CInt, CInt) = (2, 2)
    let hasTouches =
      XQueryExtension(connection, "XInputExtension", &opcode, &event, &error) != 0
      && XIQueryVersion(connection, &major, &minor) == CInt(Success) && (major, minor) >= (2, 2)
    if hasTouches { touchOpcode = opcode }
  }

  deinit { XCloseDisplay(connection) }

  /// The monotonic clock, in seconds.
  package static func monotonic() -> Double {
    var t = timespec()
    clock_gettime(CLOCK_MONOTONIC, &t)
    return Double(t.tv_sec) + Double(t.tv_nsec) / 1e9
  }

  var hasTouches: Bool { touchOpcode >= 0 }
  package var fileDescriptor: Int32 { XConnectionNumber(connection) }
  /// Whether events were read already, for which the descriptor does not become readable any more.
  package var hasReadAhead: Bool { XEventsQueued(connection, CInt(QueuedAlready)) > 0 }
  /// When the first animation wants its next picture, on the clock.
  package var nextFrame: Double? { windows.values.compactMap(\.nextFrame).min() }

  func add(_ window: Window) { windows[window.id] = window }

  // MARK: The turns of a loop

  package func readClock() { now = clock() }

  /// Reads the clock, and handles the events that have come, without waiting.
  package func dispatch() {
    readClock()
    var event = XEvent()
    var changed = false
    while XPending(connection) > 0 {
      XNextEvent(connection, &event)
      if XFilterEvent(&event, 0) != 0 { continue }
      switch event.type {
      case GenericEvent: handleTouch(&event)
      case MappingNotify: XRefreshKeyboardMapping(&event.xmapping)
      default:
        if let window = windows[event.xany.window] {
          window.handle(&event)
        } else if event.type != MotionNotify {
          changed = true
        }
      }
    }
    if changed { onDesktopChanged?() }
  }

  /// Draws the windows whose content has changed, and sends all requests to the server.
  package func drawWindows() {
    for window in windows.values { window.drawIfNeeded() }
    XFlush(connection)
  }

  private func handleTouch(_ event: inout XEvent) {
    guard event.xcookie.extension == touchOpcode, XGetEventData(connection, &event.xcookie) != 0 else { return }
    defer { XFreeEventData(connection, &event.xcookie) }
    let phase: PointerEvent.Phase
    switch event.xcookie.evtype {
    case XI_TouchBegin: phase = .began
    case XI_TouchUpdate: phase = .moved
    case XI_TouchEnd: phase = .ended
    default: return
    }
    guard let data = event.xcookie.data?.assumingMemoryBound(to: XIDeviceEvent.self) else { return }
    let e = data.pointee
    windows[e.event]?.touch(UInt32(truncatingIfNeeded: e.detail), phase, x: e.event_x, y: e.event_y, time: e.time)
  }
}
