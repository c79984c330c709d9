import CarryModel
import CarrySystem
import CarryWireClient

/// The loads of a client that are under way. Only the client's thread uses it.
final class Transfers {
  let completions: CompletionQueue
  /// Over when the first of the loads has rested for too long.
  private let patience: DeadlineTimer
  private var loads: [ObjectIdentifier: Load] = [:]
  /// Of the drops of which streams wait for their turn.
  private var turns: [ObjectIdentifier: StreamTurns] = [:]
  /// Whether the client has gone.
  private var isOver = false
  /// The threads of `runAside`.
  let aside: AsideThreads
  let sharedFiles: SharedFileThreads

  init() throws(SystemError) {
    completions = try CompletionQueue()
    patience = try DeadlineTimer()
    aside = AsideThreads(completions)
    sharedFiles = SharedFileThreads(completions)
    aside.onChange = { [unowned self] in setTimer() }
    sharedFiles.onChange = { [unowned self] in setTimer() }
  }

  /// Can be read when there is something to do in `turn`.
  var descriptors: [CInt] { [completions.descriptor, patience.descriptor] }

  func add(_ load: Load) { loads[ObjectIdentifier(load)] = load }
  func remove(_ load: Load) { loads[ObjectIdentifier(load)] = nil }

  /// Starts a stream of a drop when its turn comes (`StreamTurns.begin`).
  func begin(
    in turns: StreamTurns, _ provision: WireProvision, weight: Int, start: @escaping (StreamTurns.Turn) -> Void,
    giveUp: @escaping () -> Void
  ) {
    guard !isOver else { return giveUp() }
    turns.begin(provision, weight: weight, start: start, giveUp: giveUp)
    guard turns.isWaiting else { return }
    self.turns[ObjectIdentifier(turns)] = turns
    setTimer()
  }

  /// Begins work on a file when its turn comes (`AsideThreads.beginInTurn`).
  func beginInTurn(_ work: AsideWork, for provision: WireProvision) {
    if !isOver { aside.beginInTurn(work, for: provision) }
  }

  /// Ends what nothing has come of for too long, and sets the timer for the next. What has come is told first: the thread may have
  /// been busy for longer than that.
  func watch() {
    let now = MonotonicClock.now()
    aside.advance(to: now)
    sharedFiles.advance(to: now)
    for load in loads.values where load.deadline.map({ $0 <= now }) == true { load.expire() }
    for one in turns.values { one.advance(to: now) }
    turns = turns.filter { $1.isWaiting }
    setTimer()
  }

  /// To be called when there is more to wait for. It ends nothing: that calls completions, in which more is begun.
  func setTimer() {
    let nextSign = turns.values.compactMap(\.nextSign).min()
    let deadlines = [
      loads.values.compactMap(\.deadline).min(), aside.nextDeadline, sharedFiles.nextDeadline, nextSign,
    ]
    patience.set(deadlines.compactMap(\.self).min())
  }

  /// Tells what workers have to tell.
  func turn() {
    completions.run()
    if patience.isOver { watch() }
  }

  /// The client is going.
  func cancelAll() {
    isOver = true
    aside.forgetWaiting()
    for one in turns.values { one.forgetWaiting() }
    for load in loads.values { load.cancel() }
    sharedFiles.end()
  }
}
