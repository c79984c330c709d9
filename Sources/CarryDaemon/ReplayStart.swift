import CarryModel

/// When recordings begin to play: as the command line says, or a moment after the applications that they are for have
/// registered their regions. Pure.
struct ReplayStart {
  /// How long after the newest registration: the other applications of a script come up meanwhile.
  static let settles = Interval.milliseconds(500)

  /// When the engine began.
  let begin: Instant
  /// Nil: when there are applications.
  let delay: Interval?
  /// For how many applications they wait.
  let clients: Int

  /// Nil: not yet.
  func due(registrants: Int, lastRegistration: Instant?) -> Instant? {
    if let delay { return begin + delay }
    guard registrants >= clients else { return nil }
    return lastRegistration.map { $0 + Self.settles }
  }
}
