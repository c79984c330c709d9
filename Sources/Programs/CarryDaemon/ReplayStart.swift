import CarryModel

/// Decides when recordings begin to play: as given on the command line, or shortly after enough applications have
/// registered visible regions. Pure.
struct ReplayStart {
  /// The wait after the newest registration or the newest window, in which a script's other applications start.
  static let settlingTime = Interval.milliseconds(500)
  /// Maximum wait after enough applications have registered: an application may never show its window, or may
  /// register again and again.
  static let patience = Interval.seconds(10)

  /// When the engine started.
  let begin: Instant
  /// The delay after the engine's start; nil to wait for applications.
  let delay: Interval?
  /// The number of applications for which the recordings wait.
  let clients: Int
  /// The applications that have shown a region, and the time when the newest of them appeared.
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

  /// Records the applications whose regions are visible now.
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
  /// - Returns: when the recordings start; nil while unknown.
  func due(registrants: Int, lastRegistration: Instant?) -> Instant? {
    if let delay { return begin + delay }
    guard registrants >= clients, let lastRegistration else { return nil }
    let latest = enoughSince.map { $0 + Self.patience }
    guard shown.count >= clients, let newest else { return latest }
    return .earliest(max(lastRegistration, newest) + Self.settlingTime, latest)
  }
}
