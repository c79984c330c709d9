import CarryModel

/// A drop that is being performed: the destination loads, and the items go down. The drop is over when both have
/// finished.
///
///     scope    open ──performed, timed out, or no client left──▶ closed
///              (kept open, it has no timeout)
///     flight   waiting ──performed, or due──▶ down ──the stage has shown it──▶ over
///
/// Loads begin only in an open scope, and may outlast everything else.
struct Drop {
  /// Where the items go down, in screen pixels.
  struct Landing {
    let target: Rect?
    let point: Point
  }

  private enum Scope {
    /// No deadline for a destination that keeps the drop open.
    case open(until: Instant?)
    case closed
  }

  private enum Flight {
    /// The destination may still say how the items end, until the deadline.
    case waiting(Landing, until: Instant)
    /// The deadline applies if the end of the animation is never reported.
    case down(until: Instant)
    case over
  }

  /// The next step of a drop.
  enum Step: Equatable {
    /// Tell the source that the transfers are over, and how many delivered their data.
    case reportTransferred(delivered: Int)
    /// Tell the region about the end.
    case conclude
    /// The drop is no longer visible and only waits for data.
    case awaitLoads
    case end
    /// Wait for an event or a deadline.
    case wait
  }

  /// A deadline of a drop.
  enum Due: Equatable {
    case goingDown
    case closing
    case over
  }

  /// How long the items stay in the air while the application may say how they end.
  static let endingWait = Interval.milliseconds(250)
  private static let longestFlight = Interval.seconds(2)

  let region: RegionID
  let client: ClientID
  private(set) var operation: DropOperation
  /// Whether the region belongs to the source's process.
  let isLocal: Bool
  let serial: UInt32
  private var scope: Scope
  private var flight: Flight
  /// How the destination wants the items to end.
  private(set) var endings: [ItemEnding] = []
  /// Whether the region exists and waits for the end.
  private(set) var isWatched = true
  private var delivered = 0
  /// The items of which a representation has arrived completely, and those of which a load has failed.
  private var arrived: Set<ItemID> = []
  private var failed: Set<ItemID> = []
  private var hasToldSource = false
  /// Whether the destination shows the progress of this drop itself.
  var isQuiet = false
  /// Whether the user has cancelled the loads, so that no more may begin.
  private(set) var isCancelled = false
  /// Why the first failed load failed. A cancelled load does not count as failed.
  private(set) var failure: LoadFailure?
  /// The number of finished loads, and the known bytes of those that arrived. A load that finished before any size
  /// was reported is a small one.
  private(set) var loadsOver = 0
  private(set) var bytesOver: UInt64 = 0

  init(
    on target: Visit.Address, _ operation: DropOperation, isLocal: Bool = false, serial: UInt32, landing: Landing,
    at now: Instant
  ) {
    region = target.region
    client = target.client
    self.operation = operation
    self.isLocal = isLocal
    self.serial = serial
    scope = .open(until: now + .seconds(Limits.answerSeconds))
    flight = .waiting(landing, until: now + Self.endingWait)
  }

  /// Creates the drop of a guest, which only waits until its items can no longer be loaded in its host's drop.
  init(ofGuestIn drop: Drop) {
    region = drop.region
    client = drop.client
    operation = .copy
    isLocal = false
    serial = 0
    scope = .closed
    flight = .over
    isWatched = false
  }

  /// Whether loads may begin.
  var mayLoad: Bool { if case .open = scope { true } else { false } }

  /// Whether loads may begin until the destination ends that.
  var isKeptOpen: Bool { if case .open(until: nil) = scope { true } else { false } }

  /// Whether the drop is no longer visible.
  var hasLanded: Bool { if case .over = flight { true } else { false } }

  var deadline: Instant? {
    var next: Instant?
    if case .open(let until) = scope { next = until }
    switch flight {
    case .waiting(_, let until), .down(let until): next = Instant.earliest(next, until)
    case .over: break
    }
    return next
  }

  /// The expired deadline, or nil. Going down comes first, because the other deadlines may end the session.
  func due(at now: Instant) -> Due? {
    if case .waiting(_, let until) = flight, until <= now { return .goingDown }
    if case .open(let until?) = scope, until <= now { return .closing }
    if case .down(let until) = flight, until <= now { return .over }
    return nil
  }

  /// The destination has performed the drop.
  mutating func close(_ endings: [ItemEnding] = []) {
    scope = .closed
    self.endings = endings
  }

  /// The destination has performed the drop, and will start more loads.
  mutating func keepOpen(_ endings: [ItemEnding]) {
    scope = .open(until: nil)
    self.endings = endings
  }

  /// The destination copies instead of moving.
  mutating func copyInstead() { if operation == .move { operation = .copy } }

  /// Loads may no longer begin: the destination is gone, or has kept too many drops open.
  mutating func endLoading() { scope = .closed }

  /// The region is gone, and receives no more messages.
  mutating func regionGone() { isWatched = false }

  /// Lets the items go down; returns nil if they already do.
  mutating func goDown(at now: Instant) -> Landing? {
    guard case .waiting(let landing, _) = flight else { return nil }
    flight = .down(until: now + Self.longestFlight)
    return landing
  }

  /// The stage has shown the end.
  ///
  /// - Returns: false if the drop had landed already.
  mutating func land() -> Bool {
    guard !hasLanded else { return false }
    flight = .over
    return true
  }

  /// The user has cancelled all loads.
  mutating func cancelLoads() { isCancelled = true }

  /// A load of an item could not begin.
  mutating func refused(_ item: ItemID) { failed.insert(item) }

  /// Records the end of a load.
  ///
  /// - Parameters:
  ///   - bytes: the number of bytes; nil if the destination has not reported it.
  ///   - why: why the load failed; nil if it succeeded or was cancelled.
  mutating func complete(
    _ item: ItemID, delivered isDelivered: Bool, bytes: UInt64? = nil, failure why: LoadFailure? = nil
  ) {
    loadsOver += 1
    if failure == nil, why != .cancelled { failure = why }
    if isDelivered, let bytes {
      let (sum, isTooMuch) = bytesOver.addingReportingOverflow(bytes)
      bytesOver = isTooMuch ? .max : sum
    }
    if isDelivered {
      delivered += 1
      arrived.insert(item)
    } else {
      failed.insert(item)
    }
  }

  /// Whether everything that was requested of an item has arrived completely, and that is at least one load.
  func hasArrived(_ item: ItemID) -> Bool { arrived.contains(item) && !failed.contains(item) }

  /// - Parameter isLoading: whether a load of this drop is under way.
  mutating func next(isLoading: Bool) -> Step {
    guard !mayLoad else { return .wait }
    if !isLoading, !hasToldSource {
      hasToldSource = true
      return .reportTransferred(delivered: delivered)
    }
    guard hasLanded else { return .wait }
    if isWatched {
      isWatched = false
      return .conclude
    }
    return isLoading ? .awaitLoads : .end
  }
}
