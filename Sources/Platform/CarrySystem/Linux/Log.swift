import CLinux
import Synchronization

/// Writes one line for each event to stderr, with syslog level prefixes if a journal reads them. Never logs dragged
/// data. Any thread may write.
package enum Log {
  package enum Level: Int, Sendable {
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6
    case debug = 7

    var word: String {
      switch self {
      case .error: "error"
      case .warning: "warning"
      case .notice: "notice"
      case .info: "info"
      case .debug: "debug"
      }
    }
  }

  /// Messages above this are dropped. Set once at start, before anything else runs.
  nonisolated(unsafe) package static var threshold = Level.notice
  /// The program's name, with which each line starts.
  nonisolated(unsafe) package static var program = "carry"
  /// Whether the reader of stderr is the journal, which reads the level from a `<n>` prefix (sd-daemon(3)).
  private static let toJournal = getenv("JOURNAL_STREAM") != nil

  private struct State {
    /// Limits repeated errors and warnings: their cause is often another program, which may repeat it a thousand times.
    var repetition = LogRepetition()
    /// How many lines could not be written since the last one.
    var lost = 0
  }

  private static let state = Mutex(State())

  package static func error(_ text: @autoclosure () -> String) { write(.error, text()) }
  package static func warning(_ text: @autoclosure () -> String) { write(.warning, text()) }
  package static func notice(_ text: @autoclosure () -> String) { write(.notice, text()) }
  package static func info(_ text: @autoclosure () -> String) { if threshold.rawValue >= 6 { write(.info, text()) } }
  package static func debug(_ text: @autoclosure () -> String) { if threshold.rawValue >= 7 { write(.debug, text()) } }

  private static func write(_ level: Level, _ text: String) {
    guard level.rawValue <= threshold.rawValue else { return }
    var text = text
    if level.rawValue <= Level.warning.rawValue {
      let now = MonotonicClock.now()
      guard let said = state.withLock({ $0.repetition.filter(text, at: now) }) else { return }
      text = said
    }
    let line = toJournal ? "<\(level.rawValue)>\(text)\n" : "\(program): \(level.word): \(text)\n"
    guard canWait || isWritable else {
      state.withLock { $0.lost += 1 }
      return
    }
    let lost = state.withLock { state in
      defer { state.lost = 0 }
      return state.lost
    }
    if lost > 0 {
      Output.write(
        "\(toJournal ? "<5>" : "\(program): notice: ")\(lost) lines could not be written\n", to: STDERR_FILENO)
    }
    Output.write(line, to: STDERR_FILENO)
  }

  /// Whether writing a line may wait for a reader. The engine must not block, so it counts such lines and drops them.
  nonisolated(unsafe) package static var canWait = true

  private static var isWritable: Bool {
    var p = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
    return poll(&p, 1, 0) != 0
  }
}

/// Writes whole strings to a descriptor.
package enum Output {
  /// Writes the whole string, waiting where necessary. A reader that went away is not an error.
  @discardableResult
  package static func write(_ text: String, to fd: CInt = STDOUT_FILENO) -> Bool {
    var text = text
    return text.withUTF8 { write(UnsafeRawBufferPointer($0), fd) }
  }

  /// Writes all of the bytes, waiting where necessary.
  @discardableResult
  package static func write(_ bytes: [UInt8], to fd: CInt = STDOUT_FILENO) -> Bool {
    bytes.withUnsafeBytes { write($0, fd) }
  }

  private static func write(_ bytes: UnsafeRawBufferPointer, _ fd: CInt) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let n = CLinux.write(fd, bytes.baseAddress! + sent, bytes.count - sent)
      if n < 0 {
        if clinux_errno() == EINTR { continue }
        if clinux_errno() == EAGAIN {
          var p = pollfd(fd: fd, events: Int16(POLLOUT), revents: 0)
          poll(&p, 1, 1000)
          continue
        }
        return false
      }
      sent += n
    }
    return true
  }
}
