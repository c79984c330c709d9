import CLinux
import CarryModel
import CarrySystem
import Synchronization

/// Lets a few folders be copied at a time. A copy has two descriptors for each level that it is in, and a drop may bring
/// dozens of folders. Each copy waits on a thread of its own.
final class FolderTurns: Sendable {
  static let shared = FolderTurns(places: 4)

  private struct State {
    var taken = 0
    /// When a copy last began or ended.
    var changed = MonotonicClock.now()
  }

  private let places: Int
  private let patience: Interval
  private let state = Mutex(State())

  /// - Parameters:
  ///   - places: how many are copied at a time.
  ///   - patience: after what time without any that begins or ends one more begins: those before it may be on file systems that
  ///     do not answer.
  init(places: Int, patience: Interval = .seconds(10)) { (self.places, self.patience) = (places, patience) }

  /// Waits for a turn, and has it for as long as `body` takes.
  ///
  /// - Parameters:
  ///   - goOn: throws when nobody waits for the copy any more.
  ///   - waits: called now and then meanwhile: it is no sign of a source that does not answer.
  func take<T>(unless goOn: () throws -> Void, waits: () -> Void, _ body: () throws -> T) throws -> T {
    var told = MonotonicClock.now()
    while !mayTake() {
      try goOn()
      poll(nil, 0, 50)
      guard MonotonicClock.now() - told > .seconds(1) else { continue }
      told = MonotonicClock.now()
      waits()
    }
    defer {
      state.withLock {
        $0.taken -= 1
        $0.changed = MonotonicClock.now()
      }
    }
    return try body()
  }

  private func mayTake() -> Bool {
    state.withLock { state in
      let now = MonotonicClock.now()
      guard state.taken < places || now - state.changed > patience else { return false }
      state.taken += 1
      state.changed = now
      return true
    }
  }
}
