import CarryModel
import CLinux
import CarrySystem
import Synchronization

/// The destination of received bytes. Used by one worker at a time.
package protocol Sink: AnyObject {
  /// Prepares for a number of bytes, as claimed by the untrusted source. Not called if the number is unknown.
  ///
  /// - Throws: if so many cannot be stored.
  func reserve(_ count: Int) throws
  /// Stores the next bytes.
  func append(_ bytes: UnsafeRawBufferPointer) throws
  /// Completes the data: all bytes have been appended.
  func finish() throws
  /// Ends the load. Memory that the sink writes to belongs to its owner again when this returns. Called on the
  /// client's thread; does not block.
  func abandon()
}

/// A sink in memory: appending never blocks.
package protocol MemorySink: Sink {
  /// Whether all bytes stay in this memory, so that the client's thread may append a few.
  var isMemory: Bool { get }
  /// Prepares for a maximum number of bytes before the first one arrives. Called on the client's thread.
  func expect(_ count: Int)
  /// Stores bytes where they go: `read` writes at most `count` bytes and returns how many.
  ///
  /// - Parameter read: does not block; returns a negative number for nothing.
  /// - Returns: the result of `read`; nil if the bytes have to be appended.
  func fill(_ count: Int, _ read: (UnsafeMutableRawBufferPointer) -> Int) throws -> Int?
}

/// A sink with a file, to which the kernel can copy another one.
package protocol FileReceivingSink: Sink {
  /// Whether the source deletes its data when the load has succeeded: the file must be on the disk by then. Set before
  /// the first byte.
  var isMove: Bool { get set }
  /// Copies a whole file, as far as the kernel can.
  ///
  /// - Parameter progress: called with the bytes so far.
  /// - Returns: the number of bytes copied; if fewer than `size`, the caller appends the rest.
  func clone(from fd: CInt, size: Int, _ progress: (Int) -> Void) throws -> Int
}

/// Forwards data while it is being loaded, before it is known whether the load succeeds. The load itself keeps none
/// of it.
package protocol ByteStream: AnyObject, Sendable {
  /// Announces the number of bytes before the first one arrives, as claimed by the untrusted source. Not called if
  /// unknown. Called on the client's thread.
  ///
  /// - Returns: whether the follower forwards the data.
  func expect(_ count: Int) -> Bool
  /// Forwards the next part. Called on a thread of the load; blocking here makes the source wait.
  ///
  /// - Throws: if the part cannot be forwarded.
  func write(_ part: UnsafeRawBufferPointer) throws
  /// Ends the load: `write` need not wait any longer. Called on the client's thread.
  func abandon()
  /// The number of bytes received; nil if the follower forwards nothing. Callable from any thread.
  var count: Int? { get }
}

/// Collects everything in memory.
package final class ByteSink: MemorySink {
  package var isMemory: Bool { !isHandedOn }
  private var bytes: [UInt8] = []
  private let limit: Int
  private let follower: (any ByteStream)?
  private let onFollowing: () -> Void
  /// Whether the follower forwards the data, and nothing is kept. Set before the first byte.
  private var isHandedOn = false
  /// From this size on, a system call that makes page faults cheaper pays off.
  private static let large = 4 << 20

  package init(limit: Int, follower: (any ByteStream)? = nil, onFollowing: @escaping () -> Void = {}) {
    (self.limit, self.follower, self.onFollowing) = (limit, follower, onFollowing)
  }

  package func reserve(_ count: Int) throws {
    guard count <= limit else { throw LoadError(.local, "\(count) bytes are more than the limit of \(limit)") }
    if isHandedOn { return }
    try makeSure(of: count)
    reserveCapacity(count)
  }

  /// Appending to an array ends the program if memory is short, and the size is claimed by an untrusted source.
  private func makeSure(of count: Int) throws {
    guard count <= Limits.reservedBytes || clinux_has_room(count) else {
      throw LoadError(.local, "there is no memory for \(count) bytes")
    }
  }

  /// Reserves in advance: a growing array copies its content repeatedly, each time into new pages.
  package func expect(_ count: Int) {
    if count <= limit, let follower, follower.expect(count) {
      isHandedOn = true
      return onFollowing()
    }
    reserveCapacity(min(count, limit, Limits.reservedBytes))
  }

  private func reserveCapacity(_ count: Int) {
    guard count > bytes.capacity else { return }
    bytes.reserveCapacity(count)
    guard count >= Self.large else { return }
    bytes.withUnsafeMutableBytes { clinux_prefer_huge_pages($0.baseAddress, count) }
  }

  package func append(_ new: UnsafeRawBufferPointer) throws {
    let count = (isHandedOn ? follower?.count ?? 0 : bytes.count) + new.count
    guard count <= limit else { throw LoadError(.local, "the data is more than the limit of \(limit) bytes") }
    if isHandedOn { return try follower?.write(new) ?? () }
    if count > bytes.capacity {
      let more = min(limit, max(count, bytes.capacity * 2))
      try makeSure(of: more)
      reserveCapacity(more)
    }
    bytes.append(contentsOf: new)
  }

  package func fill(_ count: Int, _ read: (UnsafeMutableRawBufferPointer) -> Int) -> Int? { nil }
  package func finish() {}
  package func abandon() { follower?.abandon() }

  package func removeAll() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }
}

/// Fills memory that the caller owns, and does not touch it once abandoned.
package final class BufferSink: MemorySink {
  package var isMemory: Bool { true }
  /// The free part. The lock is held while bytes are copied, and never while anything blocks: the source of a copy
  /// has been read before, is in the kernel's cache, or is in a ring, into which nobody can punch holes.
  private let rest: Mutex<Memory>

  private struct Memory: @unchecked Sendable {
    var free: UnsafeMutableRawBufferPointer
    var isAbandoned = false
  }

  package init(_ buffer: UnsafeMutableRawBufferPointer) { rest = Mutex(Memory(free: buffer)) }

  package func expect(_ count: Int) {}
  package func reserve(_ count: Int) throws {
    let room = rest.withLock { $0.free.count }
    guard count <= room else { throw LoadError(.local, "\(count) bytes do not fit into a buffer of \(room)") }
  }

  package func append(_ bytes: UnsafeRawBufferPointer) throws {
    guard let from = bytes.baseAddress, !bytes.isEmpty else { return }
    try rest.withLock { memory in
      guard !memory.isAbandoned else { throw LoadError(.cancelled, "the load was cancelled") }
      guard memory.free.count >= bytes.count, let to = memory.free.baseAddress else {
        throw LoadError(.local, "the data does not fit into the buffer")
      }
      to.copyMemory(from: from, byteCount: bytes.count)
      memory.free = UnsafeMutableRawBufferPointer(rebasing: memory.free[bytes.count...])
    }
  }

  package func fill(_ count: Int, _ read: (UnsafeMutableRawBufferPointer) -> Int) throws -> Int? {
    try rest.withLock { memory in
      guard !memory.isAbandoned else { throw LoadError(.cancelled, "the load was cancelled") }
      let part = UnsafeMutableRawBufferPointer(rebasing: memory.free.prefix(count))
      guard !part.isEmpty else { return nil }
      let n = read(part)
      if n > 0 { memory.free = UnsafeMutableRawBufferPointer(rebasing: memory.free[min(n, part.count)...]) }
      return n
    }
  }

  package func finish() {}
  package func abandon() { rest.withLock { $0.isAbandoned = true } }
}

/// Writes to a descriptor that the caller owns, through a duplicate: the worker of a cancelled load may still be
/// writing after the owner has closed it, and must not write to another file with the same number.
package final class FileSink: FileReceivingSink {
  private let fd: CInt
  private let abandonment = Cancellation()
  package var isMove = false

  package init(_ fd: CInt) { self.fd = clinux_dup_above(fd, 0) }

  deinit { if fd >= 0 { close(fd) } }

  package func reserve(_ count: Int) {}
  private func checkCancellation() throws {
    if abandonment.isCancelled { throw LoadError(.cancelled, "the load was cancelled") }
  }

  package func append(_ bytes: UnsafeRawBufferPointer) throws {
    try FileCopy.write(bytes, to: fd, checkCancellation: checkCancellation)
  }

  package func clone(from source: CInt, size: Int, _ progress: (Int) -> Void) throws -> Int {
    try FileCopy.copy(
      from: source, to: fd, size: size, isNew: false, checkCancellation: checkCancellation, copied: progress)
  }

  /// A pipe and the like store nothing.
  package func finish() throws {
    guard isMove, fsync(fd) != 0, clinux_errno() != EINVAL, clinux_errno() != EROFS else { return }
    throw SystemError.last("fsync")
  }

  /// Does not wait for a write in progress, which may not return for long.
  package func abandon() { abandonment.cancel() }
}

/// Passes each part to a handler, on the worker's thread.
package final class PartSink: Sink {
  private let handler: @Sendable (UnsafeRawBufferPointer) throws -> Void
  private let abandonment = Cancellation()

  package init(_ handler: @escaping @Sendable (UnsafeRawBufferPointer) throws -> Void) { self.handler = handler }

  package func reserve(_ count: Int) {}

  package func append(_ bytes: UnsafeRawBufferPointer) throws {
    if abandonment.isCancelled { throw LoadError(.cancelled, "the load was cancelled") }
    try handler(bytes)
  }

  package func finish() {}

  /// A running call of the handler may continue for a moment.
  package func abandon() { abandonment.cancel() }
}
