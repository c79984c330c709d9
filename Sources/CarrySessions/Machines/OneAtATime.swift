/// A message that a client acknowledges, one under way at a time: of those that came up meanwhile only the newest follows.
struct OneAtATime: Equatable {
  private enum State: Equatable {
    case idle
    case underWay(serial: UInt32, hasNewer: Bool)
  }

  private var state = State.idle

  /// Whether one is under way.
  var isWaiting: Bool { state != .idle }

  /// Whether the next may be told now. If not, it is remembered that there is something newer.
  mutating func mayTell() -> Bool {
    guard case .underWay(let serial, _) = state else { return true }
    state = .underWay(serial: serial, hasNewer: true)
    return false
  }

  /// One is under way from now on.
  mutating func told(_ serial: UInt32) { state = .underWay(serial: serial, hasNewer: false) }

  /// The client has taken one.
  ///
  /// - Returns: whether something newer waits; nil when that one is not under way.
  mutating func taken(_ serial: UInt32) -> Bool? {
    guard case .underWay(serial, let hasNewer) = state else { return nil }
    state = .idle
    return hasNewer
  }
}
