import CarryModel

/// The streams of a session that are being written, and how many representations are known to have arrived. The engine
/// counts too, and reports its number when all is over, but the engine may go before that. On the client's thread.
final class SessionStreams {
  /// One representation that was handed over.
  final class Ticket {
    fileprivate var hasArrived = false
    fileprivate var isOpen: Bool
    private let streams: SessionStreams

    fileprivate init(_ streams: SessionStreams, isOpen: Bool) {
      self.streams = streams
      self.isOpen = isOpen
    }

    /// The destination has all of it.
    func arrived() {
      guard !hasArrived else { return }
      hasArrived = true
      streams.delivered += 1
    }

    /// Its writer has ended.
    ///
    /// - Parameter isRead: whether the destination has read all of it.
    func ended(isRead: Bool) {
      guard isOpen else { return }
      isOpen = false
      if isRead { arrived() }
      streams.open -= 1
      guard streams.open == 0, let whenOver = streams.whenOver else { return }
      streams.whenOver = nil
      whenOver()
    }
  }

  let turns = StreamTurns()
  /// For the first of them.
  let ringAhead = RingAhead()
  private var closers: [SessionID?: RingCloser] = [:]
  private var open = 0
  /// Whether the items were dropped to be moved: what cannot be sent must not be lost.
  var isMove = false
  private(set) var delivered = 0
  /// Called once, as the last writer ends.
  var whenOver: (() -> Void)?

  var isOpen: Bool { open > 0 }

  /// Closes what a destination has sent.
  ///
  /// - Parameter drop: the engine's number for it. The shelf lends items to one destination after the other, and what one of them
  ///   has sent is no fault of the next.
  func closer(of drop: SessionID?) -> RingCloser {
    if let known = closers[drop] { return known }
    closers = closers.filter { $1.stuckCount > 0 }
    let closer = RingCloser()
    closers[drop] = closer
    return closer
  }

  func ticket(isStream: Bool) -> Ticket {
    if isStream { open += 1 }
    return Ticket(self, isOpen: isStream)
  }
}

/// The streams of each drop that a file provider serves. On the client's thread.
final class ServedDrops {
  private struct Entry { weak var streams: SessionStreams? }

  private var entries: [UInt32: Entry] = [:]

  /// - Parameter session: the engine's number for the drop.
  /// - Returns: the same for each load of the drop, for as long as a load of it is under way.
  func streams(of session: UInt32) -> SessionStreams {
    if let known = entries[session]?.streams { return known }
    entries = entries.filter { $1.streams != nil }
    let streams = SessionStreams()
    entries[session] = Entry(streams: streams)
    return streams
  }
}
