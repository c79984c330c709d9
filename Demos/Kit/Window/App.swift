import CDemoKit
import Carry

/// A program with windows: the connections to X and to the engine, the timers, and the loop that waits for all of them.
package final class App {
  /// Why there is no app, as a sentence.
  package struct Problem: Error {
    package let sentence: String
  }

  let display: OpaquePointer
  /// Pixels for each unit of the kit, from `Xft.dpi`.
  package let scale: Double
  /// The connection to the drag and drop engine, which may be absent.
  package let engine: Engine
  /// Seconds on the monotonic clock, the same throughout one turn of the loop.
  package private(set) var now: Double
  /// Called when windows of other programs came, went, or changed their names or order.
  package var onDesktopChanged: (() -> Void)?

  private let clock: () -> Double
  private let touchOpcode: CInt
  let inputMethod: XIM?
  private var windows: [XID: Window] = [:]
  private var timers: [(due: Double, body: () -> Void)] = []
  private var isRunning = false

  /// - Parameters:
  ///   - name: the app's name for people.
  ///   - clock: the time in seconds; a test may pass a clock of its own.
  package init(name: String, clock: @escaping () -> Double = App.monotonic) throws(Problem) {
    setlocale(LC_CTYPE, "")
    guard let display = XOpenDisplay(nil) else {
      throw Problem(sentence: "cannot open a display; start an X server, or set DISPLAY to one that runs")
    }
    // Windows of other programs may go at any moment; Xlib's default error handler would then end this program.
    _ = XSetErrorHandler { _, _ in 0 }
    self.display = display
    self.clock = clock
    now = clock()
    XSetLocaleModifiers("")
    inputMethod = XOpenIM(display, nil, nil, nil)
    scale = Self.scale(of: display)
    var (opcode, event, error): (CInt, CInt, CInt) = (0, 0, 0)
    var (major, minor): (CInt, CInt) = (2, 2)
    let hasTouches =
      XQueryExtension(display, "XInputExtension", &opcode, &event, &error) != 0
      && XIQueryVersion(display, &major, &minor) == CInt(Success) && (major, minor) >= (2, 2)
    touchOpcode = hasTouches ? opcode : -1
    engine = Engine(name: name)
  }

  package static func monotonic() -> Double {
    var t = timespec()
    clock_gettime(CLOCK_MONOTONIC, &t)
    return Double(t.tv_sec) + Double(t.tv_nsec) / 1e9
  }

  private static func scale(of display: OpaquePointer) -> Double {
    guard let text = XGetDefault(display, "Xft", "dpi"), let dpi = Double(String(cString: text)) else { return 1 }
    return max(0.5, min(4, dpi / 96))
  }

  var hasTouches: Bool { touchOpcode >= 0 }

  // MARK: Windows and timers

  func add(_ window: Window) { windows[window.id] = window }

  /// Calls `body` once, from the loop.
  package func after(_ seconds: Double, _ body: @escaping () -> Void) {
    timers.append((clock() + seconds, body))
  }

  /// Watches what other programs do with their windows.
  package func watchDesktop() {
    XSelectInput(display, XDefaultRootWindow(display), Int(SubstructureNotifyMask | PropertyChangeMask))
  }

  package func stop() { isRunning = false }

  // MARK: The loop

  /// Runs until `stop()`, or the end of the X server.
  package func run() {
    isRunning = true
    engine.start()
    while isRunning {
      now = clock()
      handleXEvents()
      engine.dispatch()
      now = clock()
      for timer in takeDueTimers() { timer() }
      for window in windows.values { window.showIfNeeded() }
      XFlush(display)
      engine.flush()
      guard isRunning else { break }
      wait()
    }
  }

  private func takeDueTimers() -> [() -> Void] {
    let due = timers.filter { $0.due <= now }.map(\.body)
    timers.removeAll { $0.due <= now }
    return due
  }

  private func wait() {
    guard XPending(display) == 0 else { return }
    var next = timers.map(\.due).min()
    for window in windows.values {
      if let frame = window.nextFrame { next = min(next ?? frame, frame) }
    }
    let milliseconds = next.map { CInt(max(0, min(60_000, (($0 - clock()) * 1000).rounded(.up)))) } ?? -1
    var fds = [pollfd(fd: XConnectionNumber(display), events: Int16(POLLIN), revents: 0)]
    if let fd = engine.fileDescriptor { fds.append(pollfd(fd: fd, events: Int16(POLLIN), revents: 0)) }
    _ = poll(&fds, nfds_t(fds.count), milliseconds)
  }

  private func handleXEvents() {
    var event = XEvent()
    var changed = false
    while XPending(display) > 0 {
      XNextEvent(display, &event)
      if XFilterEvent(&event, 0) != 0 { continue }
      if event.type == GenericEvent {
        handleTouch(&event)
      } else if let window = windows[event.xany.window] {
        window.handle(&event)
      } else if event.type != MotionNotify {
        changed = true
      }
    }
    if changed { onDesktopChanged?() }
  }

  private func handleTouch(_ event: inout XEvent) {
    guard event.xcookie.extension == touchOpcode, XGetEventData(display, &event.xcookie) != 0 else { return }
    defer { XFreeEventData(display, &event.xcookie) }
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
