import CarryModel

/// What one drop region has seen of a drag: docs/behaviour.md, 2.3.
///
///     outside ──comes over it──▶ asked ──yes──▶ outside ──is it still there?──▶ inside ──leaves──▶ outside
///        ▲                        ▲ │ no, or silence
///        │       has read it all  │ ▼
///        │                     behind   refused ──items are added──▶ outside
///        └── comes over it again: it knows the items, so the drag enters at once
struct Visit {
  enum State {
    case outside
    /// Asked whether it can handle the drag.
    case asked(serial: UInt32, deadline: Instant)
    /// The region's client has unread messages, and is asked once it has read them. The deadline already runs.
    case behind(deadline: Instant)
    /// The region refused, or was silent. If its client had unread messages, the region may still be asked.
    case refused(wasBehind: Bool)
    /// The drag is over the region, which proposes what a drop would do.
    case inside
  }

  /// Where messages to the region go.
  struct Address: Equatable {
    let region: RegionID
    let client: ClientID

    static func == (a: Address, b: Address) -> Bool { a.region.raw == b.region.raw && a.client.raw == b.client.raw }
  }

  /// The meaning of an answer to `canHandle`.
  enum Answer {
    case canHandle
    case refuses
    /// The region refused the drag as it was before items were added.
    case mayBeAskedAgain
  }

  let address: Address
  private(set) var state = State.outside
  /// How many of the items the region knows.
  private(set) var offered = 0

  // State of one stay inside. Kept out of the enum case, because every motion changes it, and Swift would copy the
  // case.

  /// The newest answer, kept while newer questions are outstanding.
  private(set) var proposal: Proposal?
  private var updates = OneAtATime()
  /// The update that was answered last.
  private(set) var answered: UInt32?
  /// The edge speed that the region was told last.
  private var edgeSpeed = Point.zero

  init(_ region: RegionID, of client: ClientID) { address = Address(region: region, client: client) }

  var region: RegionID { address.region }
  var client: ClientID { address.client }
  var isInside: Bool { if case .inside = state { true } else { false } }
  var isRefused: Bool { if case .refused = state { true } else { false } }

  /// The update that is unanswered, if there is one.
  var openUpdate: UInt32? { updates.outstanding }

  /// Whether the region has been told about all `count` items.
  func knowsAll(_ count: Int) -> Bool { offered == count }

  /// The deadline for the region's answer whether it can handle the drag.
  var answerDue: Instant? {
    switch state {
    case .asked(_, let deadline), .behind(let deadline): deadline
    case .outside, .refused, .inside: nil
    }
  }

  // MARK: Whether it can handle the drag

  mutating func ask(serial: UInt32, deadline: Instant) { state = .asked(serial: serial, deadline: deadline) }

  mutating func waitForReading(deadline: Instant) { state = .behind(deadline: deadline) }

  /// The region's client has read everything.
  ///
  /// - Returns: whether the region is still to be asked.
  mutating func hasRead() -> Bool {
    switch state {
    case .behind, .refused(wasBehind: true):
      state = .outside
      return true
    case .outside, .asked, .refused, .inside: return false
    }
  }

  /// The region is about to be told about the items that it does not know.
  ///
  /// - Returns: the position of the first such item; nil if the region knows all items.
  mutating func offer(_ count: Int) -> Int? {
    guard offered < count else { return nil }
    defer { offered = count }
    return offered
  }

  /// - Parameter count: the present number of items.
  /// - Returns: nil if the answer is not for the open question.
  mutating func answered(canHandle: Bool, serial: UInt32, of count: Int) -> Answer? {
    guard case .asked(serial, _) = state else { return nil }
    guard canHandle || offered < count else {
      state = .refused(wasBehind: false)
      return .refuses
    }
    state = .outside
    return canHandle ? .canHandle : .mayBeAskedAgain
  }

  /// Treats silence beyond the deadline as a refusal.
  ///
  /// - Returns: whether the region was silent.
  mutating func giveUp(at now: Instant) -> Bool {
    guard let answerDue, answerDue <= now else { return false }
    if case .behind = state { state = .refused(wasBehind: true) } else { state = .refused(wasBehind: false) }
    return true
  }

  /// The drag has more items now, so a region that refused it may be asked again.
  mutating func itemsChanged() { if isRefused { state = .outside } }

  // MARK: Inside

  mutating func enter() { state = .inside }

  /// - Returns: whether the drag was inside.
  mutating func leave() -> Bool {
    guard isInside else { return false }
    state = .outside
    (proposal, updates, answered, edgeSpeed) = (nil, OneAtATime(), nil, .zero)
    return true
  }

  /// Whether an update may be sent now. If not, remembers that a newer one is due.
  mutating func mayUpdate() -> Bool { isInside && updates.mayTell() }

  /// An update is being sent.
  ///
  /// - Returns: whether the edge speed has changed; it has to be sent to the region first.
  mutating func update(_ serial: UInt32, edgeSpeed speed: Point) -> Bool {
    guard isInside else { return false }
    updates.told(serial)
    defer { edgeSpeed = speed }
    return edgeSpeed != speed
  }

  /// Handles the region's answer to an update.
  ///
  /// - Returns: whether another update has to follow at once, because the drag has moved or because a precise
  ///   proposal changes the reported place; nil if the answer is for an update that is not outstanding.
  mutating func proposed(_ new: Proposal, serial: UInt32) -> Bool? {
    guard isInside, let hasNewer = updates.taken(serial) else { return nil }
    let becamePrecise = new.isPrecise && proposal?.isPrecise != true
    proposal = new
    answered = serial
    return hasNewer || becamePrecise
  }

  /// Handles another answer to the update that was answered last.
  ///
  /// - Returns: whether it is one.
  mutating func revised(_ new: Proposal, serial: UInt32) -> Bool {
    guard isInside, answered == serial else { return false }
    proposal = new
    return true
  }
}
