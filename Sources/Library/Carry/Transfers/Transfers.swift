import CarryModel
import CarrySystem
import CarryWireClient

/// The running loads of a client. Used on the client's thread only.
final class Transfers {
  let completions: ClientQueue
  /// Expires when the first of the loads has been idle for too long.
  private let patience: DeadlineTimer
  private var loads: [ObjectIdentifier: Load] = [:]
  /// The turns of drops with waiting streams.
  private var turns: [ObjectIdentifier: StreamLimiter] = [:]
  /// Whether the client has closed.
  private(set) var isOver = false
  /// The threads of `runBlocking`.
  let aside: BlockingThreads
  /// How each coordinated access to a file reports that it has ended, or why it has not begun.
  var accesses: [Int: (FileCoordinationError) -> Void] = [:]
  var nextAccess = 0

  init() throws(SystemError) {
    completions = try ClientQueue()
    patience = try DeadlineTimer()
    aside = BlockingThreads(completions)
    aside.onChange = { [unowned self] in setTimer() }
  }

  /// Readable when `turn` has something to do.
  var descriptors: [CInt] { [completions.descriptor, patience.descriptor] }

  func add(_ load: Load) { loads[ObjectIdentifier(load)] = load }
  func remove(_ load: Load) { loads[ObjectIdentifier(load)] = nil }

  /// Starts a stream of a drop when its turn comes (`StreamLimiter.begin`).
  func begin(
    in turns: StreamLimiter, _ provision: WireProvision, start: @escaping (StreamLimiter.Slot) -> Void,
    giveUp: @escaping () -> Void
  ) {
    guard !isOver else { return giveUp() }
    turns.begin(provision, start: start, giveUp: giveUp)
    guard turns.isWaiting else { return }
    self.turns[ObjectIdentifier(turns)] = turns
    setTimer()
  }

  /// Begins work on a file when its turn comes (`BlockingThreads.beginInTurn`).
  func beginInTurn(_ work: BlockingWork, for provision: WireProvision) {
    if !isOver { aside.beginInTurn(work, for: provision) }
  }

  /// Ends everything that has made no progress for too long, and sets the timer for the next deadline. Pending
  /// results are reported first: the thread may have been busy past a deadline, in a completion even.
  func watch() {
    while !completions.isEmpty { completions.run() }
    let now = MonotonicClock.now()
    aside.advance(to: now)
    for load in loads.values { load.advance(to: now) }
    for one in turns.values { one.advance(to: now) }
    turns = turns.filter { $1.isWaiting }
    setTimer()
  }

  /// Sets the timer again, after more deadlines have been added. It ends nothing: that calls completions, which may
  /// begin more loads.
  func setTimer() {
    let nextSign = turns.values.compactMap(\.nextSign).min()
    let deadlines = [
      loads.values.compactMap(\.deadline).min(), aside.nextDeadline, nextSign,
    ]
    patience.set(deadlines.compactMap(\.self).min())
  }

  /// Reports the results of workers.
  func turn() {
    completions.run()
    if patience.isOver { watch() }
  }

  /// The client is closing.
  func cancelAll() {
    isOver = true
    aside.forgetWaiting()
    for one in turns.values { one.forgetWaiting() }
    for load in loads.values { load.cancel() }
    for (number, _) in accesses.sorted(by: { $0.key < $1.key }) { endAccess(number, "the client was closed meanwhile") }
  }
}
