import CLinux
import CarryModel
import CarrySystem
import Synchronization

/// Limits the folders that are copied at a time. A copy has two descriptors for each level of its depth, and a drop
/// may contain dozens of folders. Each copy waits on a thread of its own.
package final class FolderCopyLimiter: Sendable {
  package static let shared = FolderCopyLimiter(places: Limits.folderCopies)

  private let places: Int
  private let patience: Interval
  private let now: @Sendable () -> Instant
  /// When each running copy last made progress.
  private let copies = Mutex<[ObjectIdentifier: Instant]>([:])

  /// - Parameters:
  ///   - places: the maximum number of folders copied at a time.
  ///   - patience: the time after which a copy without progress loses its place: its file system may hang.
  ///   - now: returns the time.
  init(
    places: Int, patience: Interval = .seconds(10), now: @escaping @Sendable () -> Instant = { MonotonicClock.now() }
  ) {
    (self.places, self.patience, self.now) = (places, patience, now)
  }

  /// The place of one copy. Callable from any thread.
  final class Slot: Sendable {
    private let turns: FolderCopyLimiter
    private let isOver = Atomic<Bool>(false)

    init(_ turns: FolderCopyLimiter) { self.turns = turns }

    deinit { end() }

    /// Waits for the turn.
    ///
    /// - Parameters:
    ///   - checkCancellation: throws if the copy is no longer wanted.
    ///   - waits: called repeatedly meanwhile, so that waiting does not look like an idle source.
    package func begin(unless checkCancellation: () throws -> Void, waits: () -> Void) throws {
      var told = MonotonicClock.now()
      while !turns.mayBegin(self) {
        try checkCancellation()
        poll(nil, 0, 50)
        guard MonotonicClock.now() - told > .seconds(1) else { continue }
        told = MonotonicClock.now()
        waits()
      }
      // It may have ended meanwhile, and would keep the place.
      if isOver.load(ordering: .sequentiallyConsistent) { turns.end(self) }
    }

    /// Records progress of the copy.
    func heartbeat() { turns.heartbeat(self) }

    /// Ends the turn: the copy is complete, or no longer wanted. It may never return from its file system.
    package func end() {
      isOver.store(true, ordering: .sequentiallyConsistent)
      turns.end(self)
    }
  }

  private func mayBegin(_ turn: Slot) -> Bool {
    copies.withLock { copies in
      let time = now()
      guard copies.values.count(where: { time - $0 < patience }) < places else { return false }
      copies[ObjectIdentifier(turn)] = time
      return true
    }
  }

  private func heartbeat(_ turn: Slot) {
    copies.withLock { if $0[ObjectIdentifier(turn)] != nil { $0[ObjectIdentifier(turn)] = now() } }
  }

  private func end(_ turn: Slot) { copies.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(turn)) } }
}
