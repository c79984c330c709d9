import CLinux
import Carry
import CarryModel
import CarrySystem
import CarryWindow

/// The loop of the tools that keep running. It serves the engine and the windows, and ends in order on Ctrl-C.
enum ToolLoop {
  /// Runs until `stop()` or a signal. An output that cannot be written, or whose reader has gone, ends the loop like a
  /// signal. The loss of the engine is reported on standard error; then the tool waits for the next engine, or ends if
  /// `withEngine` is true.
  ///
  /// - Parameters:
  ///   - onEngine: called when the engine has gone, with why, and with nil when there is one again.
  ///   - hasTransferred: whether data has arrived anywhere, for the words of a tool that ends because the engine has gone.
  /// - Returns: false when the loop ended because there was no engine.
  static func run(
    _ client: Client, display: Display?, withEngine: Bool, _ printer: Printer,
    onEngine: @escaping (_ loss: String?) -> Void = { _ in }, hasTransferred: @escaping () -> Bool = { true }
  ) -> Bool {
    // Copies that were made for a moment go with it.
    defer { client.waitForRemovals() }
    client.reconnects = !withEngine
    client.onConnectionChanged = { [unowned client] isConnected in
      let loss = isConnected ? nil : client.connectionProblem ?? ""
      onEngine(loss)
      guard let loss else { return printer.error("the engine is back") }
      // The loss may have ended the one drag that was to be.
      let next = !isStopping ? "; waiting for the next one" : hasTransferred() ? "" : "; nothing was transferred"
      printer.error(loss + next)
    }
    var set = sigset_t()
    sigemptyset(&set)
    for n in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&set, n) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
    let signals = Descriptor(owning: signalfd(-1, &set, CInt(SFD_CLOEXEC) | CInt(SFD_NONBLOCK)))
    // The loop itself sees that the output's reader has gone, and ends in order.
    clinux_ignore(SIGPIPE)
    isStopping = false
    do {
      try client.dispatch()
      while !isStopping, !printer.isLost {
        display?.drawWindows()
        var fds = [
          pollfd(fd: client.fileDescriptor, events: Int16(POLLIN), revents: 0),
          pollfd(fd: signals.raw, events: Int16(POLLIN), revents: 0),
          // Without events, poll reports only that the reader of the pipe has gone.
          pollfd(fd: STDOUT_FILENO, events: 0, revents: 0),
        ]
        let running = followers
        let watched = watches
        if let display { fds.append(pollfd(fd: display.fileDescriptor, events: Int16(POLLIN), revents: 0)) }
        let first = fds.count
        fds += running.map { pollfd(fd: $0.follower.process.raw, events: Int16(POLLIN), revents: 0) }
        fds += watched.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        let isLate = display?.hasReadAhead == true
        if poll(&fds, nfds_t(fds.count), isLate ? 0 : timeout) < 0, clinux_errno() != EINTR { return true }
        if fds[1].revents != 0 || fds[2].revents != 0 { return true }
        if fds[0].revents != 0 { try client.dispatch() }
        display?.dispatch()
        for (i, one) in running.enumerated() where fds[first + i].revents != 0 {
          followers.removeAll { $0.follower === one.follower }
          one.ended(one.follower.end())
        }
        for (i, one) in watched.enumerated() where fds[first + running.count + i].revents != 0 {
          // An earlier one of this turn may have closed it.
          if watches.contains(where: { $0.number == one.number }) { one.isReady() }
        }
        runAlarms()
        // The window's events may have changed regions.
        try client.flush()
      }
      return true
    } catch {
      printer.error(error.description)
      return false
    }
  }

  /// Ends the loop after the present turn.
  static func stop() { isStopping = true }

  /// Calls `ended` when a program has ended, with what went wrong.
  static func follow(_ follower: Follower, _ ended: @escaping (String?) -> Void) {
    followers.append((follower, ended))
  }

  /// Calls `isReady` whenever a descriptor can be read or its other end is gone, until `unwatch`.
  static func watch(_ descriptor: CInt, _ isReady: @escaping () -> Void) {
    watchNumber += 1
    watches.append((watchNumber, descriptor, isReady))
  }

  /// Forgets a descriptor; before it is closed.
  static func unwatch(_ descriptor: CInt) { watches.removeAll { $0.descriptor == descriptor } }

  /// Calls `body` once, at a time or a little later.
  ///
  /// - Returns: the alarm's number, for `cancel`.
  static func at(_ time: Instant, _ body: @escaping () -> Void) -> Int {
    watchNumber += 1
    alarms.append((watchNumber, time, body))
    return watchNumber
  }

  static func cancel(alarm number: Int) { alarms.removeAll { $0.number == number } }

  /// Milliseconds until the next alarm; -1 without one.
  private static var timeout: CInt {
    guard let next = alarms.map(\.time).min() else { return -1 }
    return CInt(clamping: max(0, (next - MonotonicClock.now()).microseconds / 1000 + 1))
  }

  private static func runAlarms() {
    guard !alarms.isEmpty else { return }
    let now = MonotonicClock.now()
    while let i = alarms.firstIndex(where: { $0.time <= now }) { alarms.remove(at: i).body() }
  }

  nonisolated(unsafe) private static var alarms: [(number: Int, time: Instant, body: () -> Void)] = []
  nonisolated(unsafe) private static var watches: [(number: Int, descriptor: CInt, isReady: () -> Void)] = []
  /// Descriptors' numbers are used again; this one is not.
  nonisolated(unsafe) private static var watchNumber = 0
  nonisolated(unsafe) private static var isStopping = false
  nonisolated(unsafe) private static var followers: [(follower: Follower, ended: (String?) -> Void)] = []
}
