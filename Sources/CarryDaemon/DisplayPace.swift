import CarryModel

/// Limits how often the X connection is read while the server draws.
///
/// The server reports each preview that has moved, and each window that it uncovered, as it comes to it: for ten previews
/// some twenty reports a frame, each of which would take a turn of the loop. Nothing can be drawn before the server is done,
/// so these reports wait for each other, and are there when the next frame is due.
struct DisplayPace {
  /// How long a report waits at the most: keys and windows that move must not be felt to wait.
  private static let longest = Interval.milliseconds(4)
  /// When the connection is read next; nil for as soon as there is something to read.
  private(set) var due: Instant?

  func mayRead(at now: Instant) -> Bool { due.map { $0 <= now } ?? true }

  /// A turn of the loop ends.
  ///
  /// - Parameters:
  ///   - isBusy: whether the server draws, and nothing else is awaited of it.
  ///   - nextFrame: when a frame is due. An overdue one waits for the server's report, which is then to be read at once.
  mutating func turnEnded(at now: Instant, isBusy: Bool, nextFrame: Instant?) {
    guard isBusy, let nextFrame, now < nextFrame else {
      due = nil
      return
    }
    if mayRead(at: now) { due = min(now + Self.longest, nextFrame) }
  }
}
