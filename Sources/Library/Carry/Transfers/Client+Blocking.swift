package import CarryModel
import CarrySystem
import CarryWireClient
import Synchronization

extension Client {
  /// Runs a function on the client's thread, in a later turn, unless the client has closed by then. Callable from any
  /// thread.
  package var laterOnClientThread: @Sendable (@escaping @Sendable () -> Void) -> Void {
    let completions = transfers.completions
    return { completions.add($0) }
  }

  /// Runs `work`, which may block for long, on another thread, and `completion` with its result on the client's
  /// thread.
  ///
  /// - Parameters:
  ///   - paths: the files that the work accesses. If their file system hangs, the work blocks its thread; further
  ///     work on these files is refused, and no other work.
  ///   - time: the time limit. Allow for a busy machine.
  ///   - isQuiet: whether to omit the warning if the work takes longer.
  ///   - isUrgent: whether a finger waits for it.
  ///   - completion: called once; its argument is nil if the work has exceeded the time limit.
  /// - Returns: whether the work runs. It does not if earlier work is still blocked, or if no thread can be created.
  package func runBlocking<T: Sendable>(
    lookingAt paths: [String], for time: Interval = .seconds(2), isQuiet: Bool = false, isUrgent: Bool = false,
    _ work: @escaping @Sendable () -> T, then completion: @escaping (T?) -> Void
  ) -> Bool {
    transfers.aside.begin(
      BlockingWork(lookingAt: paths, for: time, isQuiet: isQuiet, isUrgent: isUrgent, work) {
        completion(try? $0.get())
      })
  }

  /// Runs work on one of possibly many files: if much work runs on its mount point, it waits for its turn.
  ///
  /// - Parameters:
  ///   - provision: the load that the work is for. If the load is cancelled first, the work does not begin.
  ///   - completion: called once, possibly at once; its argument is nil if the work has exceeded the time limit or
  ///     may not run.
  func runBlockingInTurn<T: Sendable>(
    for provision: WireProvision, lookingAt path: String, within time: Interval = .seconds(2),
    _ work: @escaping @Sendable () -> T, then completion: @escaping (T?) -> Void
  ) {
    transfers.beginInTurn(
      BlockingWork(lookingAt: [path], for: time, work) { completion(try? $0.get()) }, for: provision)
  }
}

extension Client {
  /// Waits at most a second until temporary copies are removed. For programs about to exit.
  package func waitForRemovals() { TemporaryFolder.waitForRemovals(most: .seconds(1)) }
}

/// Records which file aside work accesses now: one file of a list may be on a file system that hangs.
final class FileAccess: Sendable {
  /// The record of the calling thread; nil if the thread does no aside work.
  @TaskLocal static var current: FileAccess?

  private let newest = Mutex<String?>(nil)

  /// Nil if the work does not say.
  var path: String? { newest.withLock { $0 } }

  /// Records that the work is about to access a file. Called on the work's thread.
  static func willAccess(_ path: String) { current?.newest.withLock { $0 = path } }
}
