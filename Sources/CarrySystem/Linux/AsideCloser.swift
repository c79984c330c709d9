import CLinux
import CarryModel
import Synchronization

/// Closes what strangers have handed over, on threads that may be kept waiting.
///
/// close(2) asks the file system that a file is on, and one that has stopped answering keeps the caller, whatever signal
/// comes; a socket that waits in another may linger likewise. So nobody who has other things to do closes such a descriptor himself. Each owner
/// has a thread of its own, one at a time, and only while there is something to close: whoever hands over what cannot be
/// closed holds up nobody's but its own.
package enum AsideCloser {
  /// Of all owners; those beyond wait for one to end. As many as there are only where that many owners have something
  /// that cannot be closed: others, however many they are, are still to find a thread.
  static let mostThreads = 1024

  /// What takes longer is stuck; what is only many is closed in a moment.
  private static let patience = Interval.seconds(1)
  private static let mostInAMoment = 1024

  private struct Lane {
    var queue: [CInt] = []
    /// Whether there is a thread for it, and since when that has been closing one.
    var hasThread = false
    var closingSince: Instant?
  }

  private struct State {
    var lanes: [UInt32: Lane] = [:]
    var threads = 0
    var owners: UInt32 = 0
  }

  private static let state = Mutex(State())

  /// A number for somebody who hands over descriptors; never 0, and nobody else's in this process.
  package static func newOwner() -> UInt32 {
    state.withLock {
      $0.owners += 1
      return $0.owners
    }
  }

  /// Takes a descriptor over and closes it, some time. From any thread; never waits.
  ///
  /// - Parameter owner: who has handed it over.
  package static func close(_ fd: CInt, of owner: UInt32 = 0) {
    state.withLock { $0.lanes[owner, default: Lane()].queue.append(fd) }
    startThreads()
  }

  /// How many of an owner's descriptors wait because one of them cannot be closed, or because there are a great many; 0
  /// where they wait for their turn only.
  package static func count(of owner: UInt32) -> Int {
    state.withLock { s in
      guard let lane = s.lanes[owner], let since = lane.closingSince else { return 0 }
      let isStuck = since + patience < MonotonicClock.now() || lane.queue.count > mostInAMoment
      return isStuck ? lane.queue.count + 1 : 0
    }
  }

  /// Whether none of an owner's are still to be closed.
  package static func isDone(with owner: UInt32) -> Bool { state.withLock { $0.lanes[owner] == nil } }

  /// Whether anything is still to be closed.
  package static var isIdle: Bool { state.withLock { $0.lanes.isEmpty } }

  private static func startThreads() {
    while let owner = state.withLock({ takeLane(&$0) }) {
      do { try Worker.start { work(for: owner) } } catch {
        // There is nobody who may wait. The next close tries again.
        return state.withLock {
          $0.threads -= 1
          $0.lanes[owner]?.hasThread = false
        }
      }
    }
  }

  /// An owner whose descriptors nobody closes yet, if there may be a thread for it.
  private static func takeLane(_ s: inout State) -> UInt32? {
    guard s.threads < mostThreads, let owner = s.lanes.first(where: { !$0.value.hasThread })?.key else { return nil }
    s.threads += 1
    s.lanes[owner]?.hasThread = true
    return owner
  }

  private static func work(for owner: UInt32) {
    while let fd = state.withLock({ next(of: owner, &$0) }) {
      // A connection goes on sending after it is closed: nobody has to wait for that.
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
