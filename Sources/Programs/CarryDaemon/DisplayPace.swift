import CarryModel

/// Limits how often the X connection is read while the server draws.
///
/// The server reports each moved preview and each uncovered window when it gets to it: for ten previews about twenty
/// reports per frame, each of which would take a turn of the loop. Nothing can be drawn before the server has
/// finished, so these reports are batched, and are there when the next frame is due.
struct DisplayPace {
  /// Maximum delay of a report: keys and moving windows must not lag noticeably.
  private static let longest = Interval.milliseconds(4)
  /// When the connection is read next; nil for as soon as there is something to read.
  private(set) var due: Instant?

  func mayRead(at now: Instant) -> Bool { due.map { $0 <= now } ?? true }

  /// Handles the end of a turn of the loop.
  ///
  /// - Parameters:
  ///   - isBusy: whether the server draws, and no other report is awaited from it.
  ///   - nextFrame: when a frame is due. An overdue frame waits for the server's report, which must then be read at
  ///     once.
  mutating func turnEnded(at now: Instant, isBusy: Bool, nextFrame: Instant?) {
    guard isBusy, let nextFrame, now < nextFrame else {
      due = nil
      return
    }
    if mayRead(at: now) { due = min(now + Self.longest, nextFrame) }
  }
}
