import CLinux
import CarryModel
import CarrySystem
import Synchronization

/// Lets a few folders be copied at a time. A copy has two descriptors for each level that it is in, and a drop may bring
/// hundreds of folders. Each copy waits on a thread of its own.
final class FolderTurns: Sendable {
  static let shared = FolderTurns(places: 4)
  /// One that waits for so long goes on all the same, if descriptors are there: those before it may be on file systems that do
  /// not answer.
  private static let patience = Interval.seconds(10)
  /// And one that waits for so long in any case, before its load is given up.
  private static let longest = Interval.seconds(20)

  private let places: Int
  private let taken = Mutex(0)

  init(places: Int) { self.places = places }

  /// Waits for a turn, and has it for as long as `body` takes.
  ///
  /// - Parameter goOn: throws when nobody waits for the copy any more.
  func take<T>(unless goOn: () throws -> Void, _ body: () throws -> T) throws -> T {
    let began = MonotonicClock.now()
    while !mayTake(after: MonotonicClock.now() - began) {
      try goOn()
      poll(nil, 0, 10)
    }
    defer { taken.withLock { $0 -= 1 } }
    return try body()
  }

  private func mayTake(after time: Interval) -> Bool {
    taken.withLock { taken in
      guard taken < places || time > Self.longest || time > Self.patience && !DescriptorRoom.isScarce else {
        return false
      }
      taken += 1
      return true
    }
  }
}
