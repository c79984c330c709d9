import CLinux
import CarryModel
import Synchronization

/// Closes descriptors from clients on separate threads, which may have to wait.
///
/// close(2) waits for the file's file system. A file system that has stopped answering blocks the caller, whatever signal
/// comes, and a socket that waits in another socket may linger likewise. So the engine's thread never closes such a
/// descriptor. Each owner has at most one thread, and only while there is something to close, so an owner whose descriptors
/// cannot be closed delays only its own descriptors.
package enum AsideCloser {
  /// The most threads of all owners. Further owners wait for a thread to end. The limit is high, so that it takes as many
  /// owners with stuck files to leave no thread for others.
  static let mostThreads = 1024

  /// A close that takes longer counts as stuck. Many descriptors that can be closed take only a moment.
  private static let patience = Interval.seconds(1)
  private static let mostInAMoment = 1024

  private struct Lane {
    var queue: [CInt] = []
    /// Whether the owner has a thread, and since when the thread has been closing its present descriptor.
    var hasThread = false
    var closingSince: Instant?
  }

  private struct State {
    var lanes: [UInt32: Lane] = [:]
    var threads = 0
    var owners: UInt32 = 0
  }

  private static let state = Mutex(State())

  /// Makes a number for an owner of descriptors; never 0, and unique in this process.
  package static func newOwner() -> UInt32 {
    state.withLock {
      $0.owners += 1
      return $0.owners
    }
  }

  /// Takes a descriptor over and closes it later. Callable from any thread; never waits.
  ///
  /// - Parameter owner: the owner that the descriptor came from.
  package static func close(_ fd: CInt, of owner: UInt32 = 0) {
    state.withLock { $0.lanes[owner, default: Lane()].queue.append(fd) }
    startThreads()
  }

  /// The same for a descriptor that keeps no other one waiting.
  package static func closeAlone(_ fd: CInt) { close(fd, of: newOwner()) }

  /// How many of an owner's descriptors wait because one of them is stuck, or because there are very many; 0 while they
  /// only wait for their turn.
  package static func count(of owner: UInt32) -> Int {
    state.withLock { s in
      guard let lane = s.lanes[owner] else { return 0 }
      // Where no thread can be made, nothing is closed at all.
      let isStuck =
        lane.queue.count > mostInAMoment || lane.closingSince.map { $0 + patience < MonotonicClock.now() } ?? false
      return isStuck ? lane.queue.count + 1 : 0
    }
  }

  /// Whether all of an owner's descriptors are closed.
  package static func isDone(with owner: UInt32) -> Bool { state.withLock { $0.lanes[owner] == nil } }

  /// Whether anything is still to be closed.
  package static var isIdle: Bool { state.withLock { $0.lanes.isEmpty } }

  private static func startThreads() {
    while let owner = state.withLock({ takeLane(&$0) }) {
      do { try Worker.start { work(for: owner) } } catch {
        // No thread can be made. The next close tries again.
        return state.withLock {
          $0.threads -= 1
          $0.lanes[owner]?.hasThread = false
        }
      }
    }
  }

  /// Takes an owner that has no thread yet, if another thread is allowed.
  private static func takeLane(_ s: inout State) -> UInt32? {
    guard s.threads < mostThreads, let owner = s.lanes.first(where: { !$0.value.hasThread })?.key else { return nil }
    s.threads += 1
    s.lanes[owner]?.hasThread = true
    return owner
  }

  private static func work(for owner: UInt32) {
    while let fd = state.withLock({ next(of: owner, &$0) }) {
      // The kernel goes on sending after a connection is closed, so closing does not have to linger.
      var off = linger(l_onoff: 0, l_linger: 0)
      setsockopt(fd, SOL_SOCKET, SO_LINGER, &off, socklen_t(MemoryLayout<linger>.size))
      CLinux.close(fd)
    }
    // Others may have waited for this thread to end.
    startThreads()
  }

  private static func next(of owner: UInt32, _ s: inout State) -> CInt? {
    if let fd = s.lanes[owner]?.queue.popLast() {
      s.lanes[owner]?.closingSince = MonotonicClock.now()
      return fd
    }
    s.lanes[owner] = nil
    s.threads -= 1
    return nil
  }
}
