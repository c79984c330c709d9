import CarryModel

/// A drop that is performed: the destination loads, the items go down, and when both is over the drop is.
///
///     scope    open ──performed, too late, or nobody there──▶ closed
///     flight   waiting ──performed, or due──▶ down ──the stage has shown it──▶ over
///
/// Loads begin in an open scope only, and may last longer than all else.
struct Drop {
  /// Where the items go down, in screen pixels.
  struct Landing {
    let target: Rect?
    let point: Point
  }

  private enum Scope {
    case open(until: Instant)
    case closed
  }

  private enum Flight {
    /// The destination may say how the items end, but not for long.
    case waiting(Landing, until: Instant)
    /// Bounded, in case nobody reports the end of the animation.
    case down(until: Instant)
    case over
  }

  /// What is to be done next, as far as it goes.
  enum Step: Equatable {
    /// The source hears that no data moves any more, and how much was delivered.
    case tellTransferred(delivered: Int)
    /// The region hears of the end.
    case conclude
    /// Nothing is seen of it any more; it only waits for data.
    case awaitLoads
    case end
    /// Something that comes by itself is waited for.
    case wait
  }

  /// What time has come for.
  enum Due: Equatable {
    case goingDown
    case closing
    case over
  }

  /// How long the items stay in the air until an application has said how they end.
  static let endingWait = Interval.milliseconds(250)
  private static let longestFlight = Interval.seconds(2)

  let region: RegionID
  let client: ClientID
  let operation: DropOperation
  let serial: UInt32
  private var scope: Scope
  private var flight: Flight
  /// How the destination wants the items to end (DA1).
  private(set) var endings: [ItemEnding] = []
  /// Whether the region is there, and waits for the end.
  private(set) var isWatched = true
  private var delivered = 0
  private var hasToldSource = false
  /// No word to the source any more: it went away.
  var sourceIsGone = false

  init(
    on target: Visit, _ operation: DropOperation, serial: UInt32, landing: Landing, at now: Instant
  ) {
    region = target.region
    client = target.client
    self.operation = operation
    self.serial = serial
    scope = .open(until: now + .seconds(Limits.answerSeconds))
    flight = .waiting(landing, until: now + Self.endingWait)
  }

  /// Whether loads may begin.
  var mayLoad: Bool { if case .open = scope { true } else { false } }

  /// Whether nothing is seen of it any more.
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

  /// What time has come for; nil for nothing. The going down first: the rest may end the session.
  func due(at now: Instant) -> Due? {
    if case .waiting(_, let until) = flight, until <= now { return .goingDown }
    if case .open(let until) = scope, until <= now { return .closing }
    if case .down(let until) = flight, until <= now { return .over }
    return nil
  }

  /// The destination has performed the drop.
  mutating func close(_ endings: [ItemEnding] = []) {
    scope = .closed
    self.endings = endings
  }

  /// The region is gone: it hears nothing any more.
  mutating func regionGone() { isWatched = false }

  /// Nobody is there who could perform it.
  mutating func clientGone() { scope = .closed }

  /// The items go down; nil when they do so already.
  mutating func goDown(at now: Instant) -> Landing? {
    guard case .waiting(let landing, _) = flight else { return nil }
    flight = .down(until: now + Self.longestFlight)
    return landing
  }

  /// The stage has shown the end.
  ///
  /// - Returns: whether that is news.
  mutating func land() -> Bool {
    guard !hasLanded else { return false }
    flight = .over
    return true
  }

  mutating func deliver() { delivered += 1 }

  /// - Parameter isLoading: whether a load of this drop is under way.
  mutating func next(isLoading: Bool) -> Step {
    guard !mayLoad else { return .wait }
    if !isLoading, !hasToldSource {
      hasToldSource = true
      return .tellTransferred(delivered: delivered)
    }
    guard hasLanded else { return .wait }
    if isWatched {
      isWatched = false
      return .conclude
    }
    return isLoading ? .awaitLoads : .end
  }
}
