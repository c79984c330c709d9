import CDemoKit
import CWindow
// An app draws with what its window has.
@_exported public import CarryWindow

/// A program with windows: the connections to X and to the engine, the timers, and the loop that waits for all of them.
package final class App {
  /// Why there is no app, as a sentence.
  package struct Problem: Error {
    package let sentence: String
  }

  package let display: Display
  /// The connection to the drag and drop engine, which may be absent.
  package let engine: Engine

  private let clock: () -> Double
  private var timers: [(due: Double, body: () -> Void)] = []
  private var isRunning = false

  /// - Parameters:
  ///   - name: the app's name for people.
  ///   - clock: the time in seconds; a test may pass a clock of its own.
  package init(name: String, clock: @escaping () -> Double = Display.monotonic) throws(Problem) {
    guard let display = Display(input: .everything, clock: clock) else {
      throw Problem(sentence: "cannot open a display; start an X server, or set DISPLAY to one that runs")
    }
    // Windows of other programs may go at any moment; Xlib's default error handler would then end this program.
    _ = XSetErrorHandler { _, _ in 0 }
    self.display = display
    self.clock = clock
    engine = Engine(name: name)
  }

  /// Pixels for each unit of the kit.
  package var scale: Double { display.scale }
  /// Seconds on the monotonic clock, the same throughout one turn of the loop.
  package var now: Double { display.now }

  /// Calls `body` once, from the loop.
  package func after(_ seconds: Double, _ body: @escaping () -> Void) {
    timers.append((clock() + seconds, body))
  }

  package func stop() { isRunning = false }

  // MARK: The loop

  /// Runs until `stop()`, or the end of the X server.
  package func run() {
    isRunning = true
    engine.start()
    while isRunning {
      display.dispatch()
      engine.dispatch()
      display.readClock()
      for timer in takeDueTimers() { timer() }
      display.drawWindows()
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
    guard !display.hasReadAhead else { return }
    let next = (timers.map(\.due) + [display.nextFrame].compactMap { $0 }).min()
    let milliseconds = next.map { CInt(max(0, min(60_000, (($0 - clock()) * 1000).rounded(.up)))) } ?? -1
    var fds = [pollfd(fd: display.fileDescriptor, events: Int16(POLLIN), revents: 0)]
    if let fd = engine.fileDescriptor { fds.append(pollfd(fd: fd, events: Int16(POLLIN), revents: 0)) }
    _ = poll(&fds, nfds_t(fds.count), milliseconds)
  }
}
