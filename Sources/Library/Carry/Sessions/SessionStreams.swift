import CarryModel

/// The streams of a session that are being written, and the number of representations known to have arrived. The
/// engine counts too, and reports its number at the end, but the engine may disappear before that. Used on the
/// client's thread.
final class SessionStreams {
  /// A representation that was handed over.
  final class Ticket {
    fileprivate var hasArrived = false
    fileprivate var isOpen: Bool
    private let streams: SessionStreams

    fileprivate init(_ streams: SessionStreams, isOpen: Bool) {
      self.streams = streams
      self.isOpen = isOpen
    }

    /// Records that the destination has all of it.
    func arrived() {
      guard !hasArrived else { return }
      hasArrived = true
      streams.delivered += 1
    }

    /// Records that the writer has ended.
    ///
    /// - Parameter isRead: whether the destination has read all of it.
    func ended(isRead: Bool) {
      guard isOpen else { return }
      isOpen = false
      if isRead { arrived() }
      streams.open -= 1
      guard streams.open == 0, let onAllWritten = streams.onAllWritten else { return }
      streams.onAllWritten = nil
      onAllWritten()
    }
  }

  private var drops: [SessionID?: StreamLimiter] = [:]
  private var open = 0
  /// Whether the drop is a move: data that cannot be sent must not be lost.
  var isMove = false
  private(set) var delivered = 0
  /// Called once, when the last writer ends.
  var onAllWritten: (() -> Void)?

  var isOpen: Bool { open > 0 }

  /// The turns of the streams of one drop. The shelf lends items to one destination after another, and the
  /// behaviour of one must not affect the next.
  ///
  /// - Parameter number: the engine's number of the drop.
  func limiter(of number: SessionID?) -> StreamLimiter {
    if let known = drops[number] { return known }
    drops = drops.filter { !$1.isIdle }
    let new = StreamLimiter()
    drops[number] = new
    return new
  }

  /// Whether it has no state worth keeping.
  fileprivate var isSettled: Bool { !isOpen && drops.values.allSatisfy(\.isIdle) }

  func ticket(isStream: Bool) -> Ticket {
    if isStream { open += 1 }
    return Ticket(self, isOpen: isStream)
  }
}

/// The streams of each drop that a file provider serves. Used on the client's thread.
final class ServedDrops {
  private var entries: [UInt32: SessionStreams] = [:]

  /// - Parameter session: the engine's number of the drop.
  /// - Returns: the same object for each load of the drop.
  func streams(of session: UInt32) -> SessionStreams {
    if let known = entries[session] { return known }
    // A request that has not been answered retains its entry, and may be blocked together with it.
    for number in Array(entries.keys) where entries[number]?.isSettled == true {
      if isKnownUniquelyReferenced(&entries[number]) { entries[number] = nil }
    }
    let new = SessionStreams()
    entries[session] = new
    return new
  }
}
