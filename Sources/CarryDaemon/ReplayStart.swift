import CarryModel

/// Decides when recordings begin to play: as the command line says, or a moment after enough applications have registered
/// regions. Pure.
struct ReplayStart {
  /// The wait after the newest registration, in which the other applications of a script start.
  static let settlingTime = Interval.milliseconds(500)

  /// When the engine started.
  let begin: Instant
  /// The delay after the engine's start; nil: wait for applications.
  let delay: Interval?
  /// For how many applications the recordings wait.
  let clients: Int

  /// Nil: not yet.
  func due(registrants: Int, lastRegistration: Instant?) -> Instant? {
    if let delay { return begin + delay }
    guard registrants >= clients else { return nil }
    return lastRegistration.map { $0 + Self.settlingTime }
  }
}
