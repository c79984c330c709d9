import CarrySystem
import Synchronization

/// Forwards data in parts as it arrives, without storing it: one part is prepared while the program reads the
/// previous one, and the supplier of the data blocks meanwhile.
package final class PartsWriter: Sendable {
  private struct State {
    var part: [UInt8] = []
    /// How many bytes have arrived.
    var count = 0
    /// Whether the program waits for the part.
    var isAwaited = false
    /// Whether the writing thread waits for room.
    var needsRoom = false
    var isClosed = false

    /// - Returns: How many bytes were accepted, and whether the program waits for them.
    mutating func append(_ bytes: UnsafeRawBufferPointer, most: Int) -> (count: Int, isAwaited: Bool) {
      let count = min(most - part.count, bytes.count)
      part.append(contentsOf: bytes.prefix(count))
      self.count += count
      needsRoom = count < bytes.count
      defer { if count > 0 { isAwaited = false } }
      return (count, isAwaited && count > 0)
    }

    /// Removes the part, or records that the program waits for it.
    ///
    /// - Returns: Whether the writing thread waits for room.
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
  /// Signalled when there is room again, or never will be.
  private let room = Semaphore()

  /// - Parameters:
  ///   - most: The size of a part, in bytes.
  ///   - onPart: Called on the writing thread when data arrives that was requested earlier.
  init(most: Int, onPart: @escaping @Sendable () -> Void) { (self.most, self.onPart) = (most, onPart) }

  /// Appends bytes. Blocks until there is room; one thread at a time.
  ///
  /// - Throws: After `close`.
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

  /// Removes the part; on the client's thread. A slow source yields small parts, so that the program sees progress.
  ///
  /// - Parameter part: Replaced by the part; its memory is reused for a later one. Empty if nothing has arrived:
  ///   `onPart` is then called when data arrives.
  func take(into part: inout [UInt8]) {
    part.removeAll(keepingCapacity: true)
    if state.withLock({ $0.take(into: &part) }) { room.post() }
  }

  /// Rejects further data. Any thread.
  package func close() {
    state.withLock { $0.isClosed = true }
    room.post()
  }

  /// How many bytes have arrived. Any thread.
  package var count: Int { state.withLock { $0.count } }
}

/// The error thrown when nothing can be written.
package struct NobodyTakesIt: Error, CustomStringConvertible {
  package var description: String { "the requestor no longer receives the data" }
}
