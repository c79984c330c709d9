import CarrySystem
import Synchronization

/// Hands data on in parts while it comes, and keeps nothing of it: one part is made ready while the program takes the one before,
/// and whoever brings the data waits as long as that lasts.
package final class PartsWriter: Sendable {
  private struct State {
    var part: [UInt8] = []
    /// How many bytes have come.
    var count = 0
    /// Whether the program waits for the part.
    var isAwaited = false
    /// Whether the writing thread waits for room.
    var needsRoom = false
    var isClosed = false

    /// - Returns: how many bytes have found room, and whether the program waits for them.
    mutating func append(_ bytes: UnsafeRawBufferPointer, most: Int) -> (count: Int, isAwaited: Bool) {
      let count = min(most - part.count, bytes.count)
      part.append(contentsOf: bytes.prefix(count))
      self.count += count
      needsRoom = count < bytes.count
      defer { if count > 0 { isAwaited = false } }
      return (count, isAwaited && count > 0)
    }

    /// Takes the part, or notes that it is waited for.
    ///
    /// - Returns: whether the writing thread waits for that.
    mutating func take(into other: inout [UInt8]) -> Bool {
      swap(&part, &other)
      isAwaited = other.isEmpty
      defer { if !other.isEmpty { needsRoom = false } }
      return needsRoom && !other.isEmpty
    }
  }

  private let state = Mutex(State())
  private let most: Int
  private let onPart: @Sendable () -> Void
  /// Raised when there is room again, or never will be.
  private let room = Semaphore()

  /// - Parameters:
  ///   - most: the size of a part, in bytes.
  ///   - onPart: called on the writing thread when something has come that was asked for in vain.
  init(most: Int, onPart: @escaping @Sendable () -> Void) { (self.most, self.onPart) = (most, onPart) }

  /// Some more bytes have come. Waits for room; one thread at a time.
  ///
  /// - Throws: after `close`.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(NobodyTakesIt) {
    var rest = bytes
    while !rest.isEmpty {
      let step = state.withLock { $0.isClosed ? nil : $0.append(rest, most: most) }
      guard let step else { throw NobodyTakesIt() }
      if step.isAwaited { onPart() }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(step.count))
      if !rest.isEmpty { room.wait() }
    }
  }

  /// Takes the part, on the client's thread. A slow source's part is a small one, so that the program sees that something comes.
  ///
  /// - Parameter part: becomes the part; its memory is used for one of the next. Empty where nothing has come yet: `onPart` says
  ///   when something has.
  func take(into part: inout [UInt8]) {
    part.removeAll(keepingCapacity: true)
    if state.withLock({ $0.take(into: &part) }) { room.post() }
  }

  /// Nobody takes anything any more. Any thread.
  package func close() {
    state.withLock { $0.isClosed = true }
    room.post()
  }

  /// How many bytes have come. Any thread.
  package var count: Int { state.withLock { $0.count } }
}

/// Why nothing can be written.
package struct NobodyTakesIt: Error, CustomStringConvertible {
  package var description: String { "the requestor no longer receives the data" }
}
