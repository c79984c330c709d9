import CarrySystem

extension Client {
  /// Runs `work`, which may wait for long, on another thread, and `completion` with its result on the client's thread.
  ///
  /// - Returns: whether it runs. It does not where work that was begun before still waits, or no thread can be made.
  package func runAside<T: Sendable>(_ work: @escaping @Sendable () -> T, then completion: @escaping (T) -> Void)
    -> Bool
  {
    guard transfers.asideCount < Transfers.mostAside else { return false }
    let completions = transfers.completions
    let back = OnClientThread((transfers, completion))
    do {
      try Worker.start {
        let result = work()
        completions.add {
          back.value.0.asideCount -= 1
          back.value.1(result)
        }
      }
    } catch { return false }
    transfers.asideCount += 1
    return true
  }
}
