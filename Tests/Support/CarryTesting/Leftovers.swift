import CLinux
import CarrySystem
import Synchronization

/// Running programs and folders, which end with the test runner: leaked objects of a test may keep its desktop, and the
/// X server with it, alive longer than that.
final class Leftovers: Sendable {
  static let all = Leftovers()
  private let pids = Mutex<Set<Int32>>([])
  private let folders = Mutex<Set<String>>([])
  /// A process that a test forks has no part in them.
  private let owner = getpid()

  private init() { atexit { Leftovers.all.end() } }

  func note(process pid: Int32) { pids.withLock { _ = $0.insert(pid) } }
  func forget(process pid: Int32) { pids.withLock { _ = $0.remove(pid) } }
  func note(folder path: String) { folders.withLock { _ = $0.insert(path) } }
  /// - Returns: Whether it was noted.
  func forget(folder path: String) -> Bool { folders.withLock { $0.remove(path) != nil } }

  /// X servers remove their locks and sockets when asked to terminate. Processes that are stopped or do not end are
  /// killed.
  private func end() {
    guard getpid() == owner else { return }
    pids.withLock { for pid in $0 { kill(pid, SIGTERM) } }
    _ = Wait.until(seconds: 1) { pids.withLock { $0.isEmpty } }
    pids.withLock { for pid in $0 { kill(pid, SIGKILL) } }
    let left = folders.withLock { Array($0) }
    if !left.isEmpty { Files.removeAll(left) }
  }
}
