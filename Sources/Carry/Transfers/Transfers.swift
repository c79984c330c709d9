import CarryModel
import CarrySystem

/// The loads of a client that are under way. Only the client's thread uses it.
final class Transfers {
  let completions: CompletionQueue
  /// Over when the first of the loads has rested for too long.
  private let patience: DeadlineTimer
  private var loads: [ObjectIdentifier: Load] = [:]
  /// The threads of `runAside`.
  let aside: AsideThreads

  init() throws(SystemError) {
    completions = try CompletionQueue()
    patience = try DeadlineTimer()
    aside = AsideThreads(completions)
    aside.onChange = { [unowned self] in setTimer() }
  }

  /// Can be read when there is something to do in `turn`.
  var descriptors: [CInt] { [completions.descriptor, patience.descriptor] }

  func add(_ load: Load) { loads[ObjectIdentifier(load)] = load }
  func remove(_ load: Load) { loads[ObjectIdentifier(load)] = nil }

  /// Ends what nothing has come of for too long, and sets the timer for the next.
  func watch() {
    let now = MonotonicClock.now()
    aside.advance(to: now)
    for load in loads.values where load.deadline.map({ $0 <= now }) == true { load.expire() }
    setTimer()
  }

  private func setTimer() {
    patience.set(.earliest(loads.values.compactMap(\.deadline).min(), aside.nextDeadline))
  }

  /// Tells what workers have to tell.
  func turn() {
    completions.run()
    if patience.isOver { watch() }
  }

  /// The client is going.
  func cancelAll() {
    aside.forgetWaiting()
    for load in loads.values { load.cancel() }
  }
}
