import CarryModel

/// Decides when recordings begin to play: as the command line says, or a moment after enough applications have registered
/// regions that can be seen. Pure.
struct ReplayStart {
  /// The wait after the newest registration or the newest window, in which the other applications of a script start.
  static let settlingTime = Interval.milliseconds(500)
  /// How long after enough applications have registered the recordings start in any case: one may keep its window away, and one
  /// may register again and again.
  static let patience = Interval.seconds(10)

  /// When the engine started.
  let begin: Instant
  /// The delay after the engine's start; nil: wait for applications.
  let delay: Interval?
  /// For how many applications the recordings wait.
  let clients: Int
  /// The applications of which a region was seen, and when the newest of them came to be.
  private var shown: Set<ClientID> = []
  private var newest: Instant?
  /// Since when enough applications have registered regions.
  private var enoughSince: Instant?
  /// When it is said again that the recordings wait.
  private(set) var nextReport: Instant?

  init(begin: Instant, delay: Interval?, clients: Int) {
    (self.begin, self.delay, self.clients) = (begin, delay, clients)
    if delay == nil { nextReport = begin + Self.patience }
  }

  /// Whether to report now which applications are there, and that the recordings wait for others.
  mutating func isReportDue(at now: Instant) -> Bool {
    guard let nextReport, nextReport <= now else { return false }
    self.nextReport = now + Self.patience
    return true
  }

  /// These applications have regions that can be seen now.
  ///
  /// - Parameter registrants: how many have registered regions.
  mutating func see(_ clients: Set<ClientID>, of registrants: Int, at now: Instant) {
    enoughSince = registrants >= self.clients ? enoughSince ?? now : nil
    if !clients.isSubset(of: shown) { newest = now }
    shown = clients
  }

  /// - Parameters:
  ///   - registrants: how many applications have registered regions.
  ///   - lastRegistration: when the newest region was registered.
  /// - Returns: when the recordings start; nil: not yet known.
  func due(registrants: Int, lastRegistration: Instant?) -> Instant? {
    if let delay { return begin + delay }
    guard registrants >= clients, let lastRegistration else { return nil }
    let latest = enoughSince.map { $0 + Self.patience }
    guard shown.count >= clients, let newest else { return latest }
    return .earliest(max(lastRegistration, newest) + Self.settlingTime, latest)
  }
}
