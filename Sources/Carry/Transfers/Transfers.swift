import CarryModel
import CarrySystem

/// The loads of a client that are under way. Only the client's thread uses it.
final class Transfers {
  let completions: CompletionQueue
  /// Over when the first of the loads has rested for too long.
  private let patience: DeadlineTimer
  private var loads: [ObjectIdentifier: Load] = [:]
  /// How many threads of `runAside` there are. Work that waits for a server which does not answer keeps its thread.
  var asideCount = 0

  static let mostAside = 4

  init() throws(SystemError) {
    completions = try CompletionQueue()
    patience = try DeadlineTimer()
  }

  /// Can be read when there is something to do in `turn`.
  var descriptors: [CInt] { [completions.descriptor, patience.descriptor] }

  func add(_ load: Load) { loads[ObjectIdentifier(load)] = load }
  func remove(_ load: Load) { loads[ObjectIdentifier(load)] = nil }

  /// Ends what nothing has come of for too long, and sets the timer for the next.
  func watch() {
    let now = MonotonicClock.now()
    for load in loads.values where load.deadline.map({ $0 <= now }) == true { load.expire() }
    patience.set(loads.values.compactMap(\.deadline).min())
  }

  /// Tells what workers have to tell.
  func turn() {
    completions.run()
    if patience.isOver { watch() }
  }

  /// The client is going.
  func cancelAll() { for load in loads.values { load.cancel() } }
}
