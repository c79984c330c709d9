import CarryModel

/// What one drop region has seen of a drag: docs/behaviour.md, 2.3.
///
///     outside ──comes over it──▶ asked ──yes──▶ outside ──is it still there?──▶ inside ──leaves──▶ outside
///        ▲                        ▲ │ no, or silence
///        │       has read it all  │ ▼
///        │                     behind   refused ──items are added──▶ outside
///        └── comes over it again: as who knows the items, it is entered at once
struct Visit {
  enum State {
    case outside
    /// Asked whether it can handle the drag.
    case asked(serial: UInt32, deadline: Instant)
    /// Its client is behind with reading: it is asked when it has read. The time counts as if it were.
    case behind(deadline: Instant)
    /// It refused, or was silent. One whose client has not read yet what it was to be asked may be asked after all.
    case refused(wasBehind: Bool)
    /// The drag is over it, and it says what a drop would do.
    case inside(Stay)
  }

  /// The drag over a region that can handle it.
  struct Stay {
    /// The newest answer, kept while newer questions are under way.
    var proposal: Proposal?
    var updates = OneAtATime()
    /// What the region knows of the edge.
    var edgeSpeed = Point.zero
  }

  /// What an answer to `canHandle` amounts to.
  enum Answer {
    case canHandle
    case refuses
    /// It refused what the drag was before items were added.
    case mayBeAskedAgain
  }

  let region: RegionID
  let client: ClientID
  private(set) var state = State.outside
  /// How many of the items the region knows.
  private(set) var offered = 0

  init(_ region: RegionID, of client: ClientID) {
    self.region = region
    self.client = client
  }

  private var stay: Stay? {
    get { if case .inside(let stay) = state { stay } else { nil } }
    set { if let newValue { state = .inside(newValue) } }
  }

  var isInside: Bool { if case .inside = state { true } else { false } }
  var isRefused: Bool { if case .refused = state { true } else { false } }
  var proposal: Proposal? { stay?.proposal }

  /// Whether an update waits for its answer.
  var isUpdating: Bool { stay?.updates.isWaiting == true }

  /// Whether it has been told of all items, of which there are so many.
  func knowsAll(_ count: Int) -> Bool { offered == count }

  /// Until when it may say whether it can handle the drag.
  var answerDue: Instant? {
    switch state {
    case .asked(_, let deadline), .behind(let deadline): deadline
    case .outside, .refused, .inside: nil
    }
  }

  // MARK: Whether it can handle the drag

  mutating func ask(serial: UInt32, deadline: Instant) { state = .asked(serial: serial, deadline: deadline) }

  mutating func waitForReading(deadline: Instant) { state = .behind(deadline: deadline) }

  /// Its client has read everything.
  ///
  /// - Returns: whether the region was not asked until now.
  mutating func hasRead() -> Bool {
    switch state {
    case .behind, .refused(wasBehind: true):
      state = .outside
      return true
    case .outside, .asked, .refused, .inside: return false
    }
  }

  /// Items that the region does not know yet are about to be told.
  ///
  /// - Returns: the first of them; nil when it knows all.
  mutating func offer(_ count: Int) -> Int? {
    guard offered < count else { return nil }
    defer { offered = count }
    return offered
  }

  /// - Parameter count: how many items there are now.
  /// - Returns: nil when that question is not the one that is open.
  mutating func answered(canHandle: Bool, serial: UInt32, of count: Int) -> Answer? {
    guard case .asked(serial, _) = state else { return nil }
    guard canHandle || offered < count else {
      state = .refused(wasBehind: false)
      return .refuses
    }
    state = .outside
    return canHandle ? .canHandle : .mayBeAskedAgain
  }

  /// Takes silence beyond its time for a refusal.
  ///
  /// - Returns: whether it was.
  mutating func giveUp(at now: Instant) -> Bool {
    guard let answerDue, answerDue <= now else { return false }
    if case .behind = state { state = .refused(wasBehind: true) } else { state = .refused(wasBehind: false) }
    return true
  }

  /// The drag is another one now: who refused it may be asked again.
  mutating func itemsChanged() { if isRefused { state = .outside } }

  // MARK: Inside

  mutating func enter() { state = .inside(Stay()) }

  /// - Returns: whether the drag was inside.
  mutating func leave() -> Bool {
    guard isInside else { return false }
    state = .outside
    return true
  }

  /// Whether an update may be told now. If not, it is remembered that there is something newer.
  mutating func mayUpdate() -> Bool { stay?.updates.mayTell() == true }

  /// An update is told.
  ///
  /// - Returns: whether the speed at the edge is another one, which the region is told first.
  mutating func update(_ serial: UInt32, edgeSpeed: Point) -> Bool {
    guard var stay else { return false }
    let isAnother = stay.edgeSpeed != edgeSpeed
    stay.updates.told(serial)
    stay.edgeSpeed = edgeSpeed
    self.stay = stay
    return isAnother
  }

  /// The region's answer to an update.
  ///
  /// - Returns: whether another update is to follow at once, with the newest place or because a precise proposal makes
  ///   another one count from now on; nil when it answers an update that is not under way.
  mutating func proposed(_ proposal: Proposal, serial: UInt32) -> Bool? {
    guard var stay, let hasNewer = stay.updates.taken(serial) else { return nil }
    let becamePrecise = proposal.isPrecise && stay.proposal?.isPrecise != true
    stay.proposal = proposal
    self.stay = stay
    return hasNewer || becamePrecise
  }
}
