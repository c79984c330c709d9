import CLinux
import CarryModel
import Synchronization

/// Closes clients' descriptors on separate threads, which may block.
///
/// close(2) waits for the file's file system. A file system that has stopped responding blocks the caller
/// uninterruptibly, and a socket queued inside another socket may linger likewise. So the engine's thread never
/// closes such a descriptor. Each owner has at most one thread, and only while there is something to close, so an
/// owner whose descriptors cannot be closed delays only its own descriptors.
package enum AsideCloser {
  /// A close that takes longer counts as stuck. Even many ordinary descriptors take only a moment.
  private static let patience = Interval.seconds(1)
  private static let maxInAMoment = 1024

  private struct Lane {
    var queue: [CInt] = []
    /// Whether the owner has a thread, and since when it has been closing its current descriptor.
    var hasThread = false
    var closingSince: Instant?
  }

  private struct State {
    var lanes: [UInt32: Lane] = [:]
    var threads = 0
    var owners: UInt32 = 0
  }

  private static let state = Mutex(State())

  /// Returns an owner ID; never 0, and unique in this process.
  package static func newOwner() -> UInt32 {
    state.withLock {
      $0.owners += 1
      return $0.owners
    }
  }

  /// Takes ownership of a descriptor and closes it later. Any thread; never waits.
  ///
  /// - Parameter owner: The owner of the descriptor.
  package static func close(_ fd: CInt, of owner: UInt32 = 0) {
    state.withLock { $0.lanes[owner, default: Lane()].queue.append(fd) }
    startThreads()
  }

  /// Closes a descriptor that delays no others.
  package static func closeAlone(_ fd: CInt) { close(fd, of: newOwner()) }

  /// How many of an owner's descriptors wait because one of them is stuck, or because there are very many; 0 while
  /// they only wait for their turn.
  package static func count(of owner: UInt32) -> Int {
    state.withLock { s in
      guard let lane = s.lanes[owner] else { return 0 }
      // The queue also grows if no thread can be created.
      let isStuck =
        lane.queue.count > maxInAMoment || lane.closingSince.map { $0 + patience < MonotonicClock.now() } ?? false
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
        // No thread can be created. The next close tries again.
        return state.withLock {
          $0.threads -= 1
          $0.lanes[owner]?.hasThread = false
        }
      }
    }
  }

  /// Claims an owner without a thread, if another thread is allowed.
  private static func takeLane(_ s: inout State) -> UInt32? {
    guard s.threads < Limits.closingThreads, let owner = s.lanes.first(where: { !$0.value.hasThread })?.key else {
      return nil
    }
    s.threads += 1
    s.lanes[owner]?.hasThread = true
    return owner
  }

  private static func work(for owner: UInt32) {
    while let fd = state.withLock({ next(of: owner, &$0) }) {
      // The kernel continues sending after a connection is closed, so closing need not linger.
      var off = linger(l_onoff: 0, l_linger: 0)
      setsockopt(fd, SOL_SOCKET, SO_LINGER, &off, socklen_t(MemoryLayout<linger>.size))
      CLinux.close(fd)
    }
    // Other owners may have waited for this thread to end.
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
