/// Messages that a client acknowledges, one under way at a time. Of the messages that come up meanwhile, only the newest
/// follows.
struct OneAtATime: Equatable {
  private enum State: Equatable {
    case idle
    case underWay(serial: UInt32, hasNewer: Bool)
  }

  private var state = State.idle

  /// Whether a message is under way.
  var isWaiting: Bool { state != .idle }

  /// Whether the next message may be sent now. If not, remembers that there is something newer.
  mutating func mayTell() -> Bool {
    guard case .underWay(let serial, _) = state else { return true }
    state = .underWay(serial: serial, hasNewer: true)
    return false
  }

  /// A message with this serial was sent, and is under way.
  mutating func told(_ serial: UInt32) { state = .underWay(serial: serial, hasNewer: false) }

  /// The client has acknowledged a message.
  ///
  /// - Returns: whether something newer waits; nil when no message with this serial is under way.
  mutating func taken(_ serial: UInt32) -> Bool? {
    guard case .underWay(serial, let hasNewer) = state else { return nil }
    state = .idle
    return hasNewer
  }
}
