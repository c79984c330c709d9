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

  /// For the first of them.
  let ringAhead = RingAhead()
  private var drops: [SessionID?: DropStreams] = [:]
  private var open = 0
  /// Whether the items were dropped to be moved: what cannot be sent must not be lost.
  var isMove = false
  private(set) var delivered = 0
  /// Called once, as the last writer ends.
  var whenOver: (() -> Void)?

  var isOpen: Bool { open > 0 }

  /// What the streams of one drop have in common. The shelf lends items to one destination after the other, and what one of them
  /// does is no fault of the next.
  ///
  /// - Parameter number: the engine's for the drop.
  func drop(_ number: SessionID?) -> DropStreams {
    if let known = drops[number] { return known }
    drops = drops.filter { !$1.isSettled }
    let new = DropStreams()
    drops[number] = new
    return new
  }

  /// Whether there is nothing to be remembered of it.
  fileprivate var isSettled: Bool { !isOpen && drops.values.allSatisfy(\.isSettled) }

  func ticket(isStream: Bool) -> Ticket {
    if isStream { open += 1 }
    return Ticket(self, isOpen: isStream)
  }
}

/// What the streams of one drop have in common. On the client's thread.
final class DropStreams {
  let turns = StreamTurns()
  /// Closes what the destination has sent.
  let closer = RingCloser()

  fileprivate var isSettled: Bool { turns.isIdle && closer.isSettled }
}

/// The streams of each drop that a file provider serves. On the client's thread.
final class ServedDrops {
  private var entries: [UInt32: SessionStreams] = [:]

  /// - Parameter session: the engine's number for the drop.
  /// - Returns: the same for each load of the drop.
  func streams(of session: UInt32) -> SessionStreams {
    if let known = entries[session] { return known }
    // Whoever has not been answered yet has it, and may be left behind with it.
    for number in Array(entries.keys) where entries[number]?.isSettled == true {
      if isKnownUniquelyReferenced(&entries[number]) { entries[number] = nil }
    }
    let new = SessionStreams()
    entries[session] = new
    return new
  }
}
