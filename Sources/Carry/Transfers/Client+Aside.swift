package import CarryModel
import CarrySystem

extension Client {
  /// Runs `work`, which may wait for long, on another thread, and `completion` with its result on the client's thread.
  ///
  /// - Parameters:
  ///   - paths: of the files that the work looks at. Where their file system hangs, the work keeps its thread; further
  ///     work there is refused, and no other.
  ///   - time: how long it may take. A busy machine may take its time.
  ///   - isQuiet: whether nobody is warned where it takes longer.
  ///   - isUrgent: whether a finger waits for it.
  ///   - completion: called once, with nil when the work has taken too long.
  /// - Returns: whether it runs. It does not where work that was begun before still waits, or no thread can be made.
  package func runAside<T: Sendable>(
    lookingAt paths: [String], for time: Interval = .seconds(2), isQuiet: Bool = false, isUrgent: Bool = false,
    _ work: @escaping @Sendable () -> T, then completion: @escaping (T?) -> Void
  ) -> Bool {
    guard let number = transfers.takeSlot(for: paths, time, isQuiet, whenLate: { completion(nil) }) else {
      return false
    }
    let completions = transfers.completions
    let back = OnClientThread((transfers, completion))
    do {
      try Worker.start(isUrgent: isUrgent) {
        let result = work()
        completions.add { if back.value.0.giveBack(number) { back.value.1(result) } }
      }
    } catch {
      _ = transfers.giveBack(number)
      return false
    }
    transfers.watch()
    return true
  }
}
