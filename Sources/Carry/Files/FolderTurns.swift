import CLinux
import CarryModel
import CarrySystem
import Synchronization

/// Lets a few folders be copied at a time. A copy has two descriptors for each level that it is in, and a drop may bring
/// dozens of folders. Each copy waits on a thread of its own.
final class FolderTurns: Sendable {
  static let shared = FolderTurns(places: 4)

  private let places: Int
  private let patience: Interval
  private let now: @Sendable () -> Instant
  /// When the copies that are under way last went on.
  private let copies = Mutex<[ObjectIdentifier: Instant]>([:])

  /// - Parameters:
  ///   - places: how many are copied at a time.
  ///   - patience: after what time a copy that does not go on keeps its place no longer: it may be on a file system that does not
  ///     answer.
  ///   - now: asked for the time.
  init(
    places: Int, patience: Interval = .seconds(10), now: @escaping @Sendable () -> Instant = { MonotonicClock.now() }
  ) {
    (self.places, self.patience, self.now) = (places, patience, now)
  }

  /// One copy's turn. Any thread may call it.
  final class Turn: Sendable {
    private let turns: FolderTurns
    private let isOver = Atomic<Bool>(false)

    init(_ turns: FolderTurns) { self.turns = turns }

    deinit { end() }

    /// Waits for the turn.
    ///
    /// - Parameters:
    ///   - goOn: throws when nobody waits for the copy any more.
    ///   - waits: called now and then meanwhile: it is no sign of a source that does not answer.
    func begin(unless goOn: () throws -> Void, waits: () -> Void) throws {
      var told = MonotonicClock.now()
      while !turns.mayBegin(self) {
        try goOn()
        poll(nil, 0, 50)
        guard MonotonicClock.now() - told > .seconds(1) else { continue }
        told = MonotonicClock.now()
        waits()
      }
      // It may have ended meanwhile, and would stay.
      if isOver.load(ordering: .sequentiallyConsistent) { turns.end(self) }
    }

    /// The copy has come further.
    func goesOn() { turns.goesOn(self) }

    /// The copy is over, or nobody waits for it any more: it may never come back from its file system.
    func end() {
      isOver.store(true, ordering: .sequentiallyConsistent)
      turns.end(self)
    }
  }

  private func mayBegin(_ turn: Turn) -> Bool {
    copies.withLock { copies in
      let time = now()
      guard copies.values.count(where: { time - $0 < patience }) < places else { return false }
      copies[ObjectIdentifier(turn)] = time
      return true
    }
  }

  private func goesOn(_ turn: Turn) {
    copies.withLock { if $0[ObjectIdentifier(turn)] != nil { $0[ObjectIdentifier(turn)] = now() } }
  }

  private func end(_ turn: Turn) { copies.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(turn)) } }
}
