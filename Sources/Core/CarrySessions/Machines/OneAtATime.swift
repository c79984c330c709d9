/// Messages that a client acknowledges, with one outstanding at a time. Of the messages that become due meanwhile,
/// only the newest is sent afterwards.
struct OneAtATime: Equatable {
  private enum State: Equatable {
    case idle
    case underWay(serial: UInt32, hasNewer: Bool)
  }

  private var state = State.idle

  /// The outstanding message, if there is one.
  var outstanding: UInt32? {
    guard case .underWay(let serial, _) = state else { return nil }
    return serial
  }

  /// Whether the next message may be sent now. If not, remembers that a newer one is due.
  mutating func mayTell() -> Bool {
    guard case .underWay(let serial, _) = state else { return true }
    state = .underWay(serial: serial, hasNewer: true)
    return false
  }

  /// A message with this serial was sent, and is outstanding.
  mutating func told(_ serial: UInt32) { state = .underWay(serial: serial, hasNewer: false) }

  /// The client has acknowledged a message.
  ///
  /// - Returns: whether a newer message is due; nil if no message with this serial is outstanding.
  mutating func taken(_ serial: UInt32) -> Bool? {
    guard case .underWay(serial, let hasNewer) = state else { return nil }
    state = .idle
    return hasNewer
  }
}
