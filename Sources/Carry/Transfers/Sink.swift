import CLinux
import CarrySystem
import Synchronization

/// The destination of received bytes. Used by one worker at a time.
protocol Sink: AnyObject {
  /// Whether received bytes go to memory only, and to no follower yet.
  var isMemory: Bool { get }
  /// Announces the number of bytes, if known.
  func expect(_ count: Int) throws
  /// Announces a maximum number of bytes before the first one arrives, as claimed by the untrusted source. Called on
  /// the client's thread.
  func makeRoom(for count: Int)
  func take(_ bytes: UnsafeRawBufferPointer) throws
  /// Accepts bytes directly in memory, if that is where they go: `read` stores at most `count` bytes and returns how
  /// many.
  ///
  /// - Parameter read: does not block; returns a negative number for nothing.
  /// - Returns: the result of `read`; nil if the sink wants the bytes passed to it.
  func take(atMost count: Int, _ read: (UnsafeMutableRawBufferPointer) -> Int) throws -> Int?
  /// Ends the load. Memory that the sink writes to belongs to its owner again when this returns. Called on the
  /// client's thread; does not block.
  func abandon()
  /// Announces a move, before the first byte: the source deletes its data when this load has succeeded, so files must
  /// be on the disk by then.
  func expectMove()
  /// Announces the file whose bytes follow: its time and permissions may be kept.
  func note(_ status: stat)
  /// Copies a whole file, if the kernel can copy it to its destination.
  ///
  /// - Parameter progress: called with the bytes so far.
  /// - Returns: the number of bytes copied; if fewer than `size`, the caller passes the rest.
  func copy(from fd: CInt, size: Int, _ progress: (Int) -> Void) throws -> Int
  /// Copies a folder with everything in it.
  ///
  /// - Returns: the bytes of all files.
  func takeFolder(_ fd: CInt, _ progress: @escaping (Int) -> Void) throws -> Int
  /// Opens the source's own file.
  ///
  /// - Returns: its size; nil if a copy is needed.
  func takeOriginal(_ fd: CInt, path: String) throws -> Int?
  /// Completes the data: all bytes have been accepted.
  func complete() throws
  /// After `complete`: whether nothing was left out.
  var isWhole: Bool { get }
  /// Removes everything received: not all of it could be accepted.
  func undo()
  /// Discards the result, which is no longer wanted. Called on the client's thread, after `complete`.
  func discard()
}

extension Sink {
  var isMemory: Bool { false }
  func makeRoom(for count: Int) {}
  func copy(from fd: CInt, size: Int, _ progress: (Int) -> Void) throws -> Int { 0 }
  func takeFolder(_ fd: CInt, _ progress: @escaping (Int) -> Void) throws -> Int {
    throw LoadError(.unusableDescriptor, "the source handed over a folder where data was asked for")
  }
  func takeOriginal(_ fd: CInt, path: String) throws -> Int? { nil }
  func complete() throws {}
  var isWhole: Bool { true }
  func undo() {}
  func discard() {}
  func note(_ status: stat) {}
  func expectMove() {}
  func take(atMost count: Int, _ read: (UnsafeMutableRawBufferPointer) -> Int) throws -> Int? { nil }
  func abandon() {}
}

/// Forwards data while it is being loaded, before it is known whether the load succeeds. The load itself keeps none
/// of it.
package protocol DataFollower: AnyObject, Sendable {
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
final class ByteSink: Sink {
  var isMemory: Bool { !isHandedOn }
  private var bytes: [UInt8] = []
  private let limit: Int
  private let follower: (any DataFollower)?
  private let onFollowing: () -> Void
  /// Whether the follower forwards the data, and nothing is kept. Set before the first byte.
  private var isHandedOn = false
  /// The maximum number of bytes reserved before they arrive. Untouched memory costs addresses only.
  private static let maxUnseen = 64 << 20
  /// From this size on, a system call that makes page faults cheaper pays off.
  private static let large = 4 << 20

  init(limit: Int, follower: (any DataFollower)? = nil, onFollowing: @escaping () -> Void = {}) {
    (self.limit, self.follower, self.onFollowing) = (limit, follower, onFollowing)
  }

  func expect(_ count: Int) throws {
    guard count <= limit else { throw LoadError(.local, "\(count) bytes are more than the limit of \(limit)") }
    if isHandedOn { return }
    try makeSure(of: count)
    reserve(count)
  }

  /// Appending to an array ends the program if memory is short, and the size is claimed by an untrusted source.
  private func makeSure(of count: Int) throws {
    guard count <= Self.maxUnseen || clinux_has_room(count) else {
      throw LoadError(.local, "there is no memory for \(count) bytes")
    }
  }

  /// Reserves in advance: a growing array copies its content repeatedly, each time into new pages.
  func makeRoom(for count: Int) {
    if count <= limit, let follower, follower.expect(count) {
      isHandedOn = true
      return onFollowing()
    }
    reserve(min(count, limit, Self.maxUnseen))
  }

  private func reserve(_ count: Int) {
    guard count > bytes.capacity else { return }
    bytes.reserveCapacity(count)
    guard count >= Self.large else { return }
    bytes.withUnsafeMutableBytes { clinux_prefer_huge_pages($0.baseAddress, count) }
  }

  func take(_ new: UnsafeRawBufferPointer) throws {
    let count = (isHandedOn ? follower?.count ?? 0 : bytes.count) + new.count
    guard count <= limit else { throw LoadError(.local, "the data is more than the limit of \(limit) bytes") }
    if isHandedOn { return try follower?.write(new) ?? () }
    if count > bytes.capacity {
      let more = min(limit, max(count, bytes.capacity * 2))
      try makeSure(of: more)
      reserve(more)
    }
    bytes.append(contentsOf: new)
  }

  func abandon() { follower?.abandon() }

  func take() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }
}

/// Fills memory that the caller owns, and does not touch it once abandoned.
final class BufferSink: Sink {
  var isMemory: Bool { true }
  /// The free part. The lock is held while bytes are copied, and never while anything blocks: the source of a copy
  /// has been read before, is in the kernel's cache, or is in a ring, into which nobody can punch holes.
  private let rest: Mutex<Memory>

  private struct Memory: @unchecked Sendable {
    var free: UnsafeMutableRawBufferPointer
    var isAbandoned = false
  }

  init(_ buffer: UnsafeMutableRawBufferPointer) { rest = Mutex(Memory(free: buffer)) }

  func expect(_ count: Int) throws {
    let room = rest.withLock { $0.free.count }
    guard count <= room else { throw LoadError(.local, "\(count) bytes do not fit into a buffer of \(room)") }
  }

  func take(_ bytes: UnsafeRawBufferPointer) throws {
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

  func take(atMost count: Int, _ read: (UnsafeMutableRawBufferPointer) -> Int) throws -> Int? {
    try rest.withLock { memory in
      guard !memory.isAbandoned else { throw LoadError(.cancelled, "the load was cancelled") }
      let part = UnsafeMutableRawBufferPointer(rebasing: memory.free.prefix(count))
      guard !part.isEmpty else { return nil }
      let n = read(part)
      if n > 0 { memory.free = UnsafeMutableRawBufferPointer(rebasing: memory.free[min(n, part.count)...]) }
      return n
    }
  }

  func abandon() { rest.withLock { $0.isAbandoned = true } }
}

/// Writes to a descriptor that the caller owns, through a duplicate: the worker of a cancelled load may still be
/// writing after the owner has closed it, and must not write to another file with the same number.
final class FileSink: Sink {
  private let fd: CInt
  private let abandonment = Cancellation()
  private var isMove = false

  init(_ fd: CInt) { self.fd = clinux_dup_above(fd, 0) }

  deinit { if fd >= 0 { close(fd) } }

  func expect(_ count: Int) {}
  private func goOn() throws {
    if abandonment.isCancelled { throw LoadError(.cancelled, "the load was cancelled") }
  }

  func take(_ bytes: UnsafeRawBufferPointer) throws { try FileCopy.write(bytes, to: fd, goOn: goOn) }

  func copy(from source: CInt, size: Int, _ progress: (Int) -> Void) throws -> Int {
    try FileCopy.copy(from: source, to: fd, size: size, isNew: false, goOn: goOn, copied: progress)
  }
  func expectMove() { isMove = true }

  /// A pipe and the like store nothing.
  func complete() throws {
    guard isMove, fsync(fd) != 0, clinux_errno() != EINVAL, clinux_errno() != EROFS else { return }
    throw SystemError.last("fsync")
  }

  /// Does not wait for a write in progress, which may not return for long.
  func abandon() { abandonment.cancel() }
}

/// Passes each part to a handler, on the worker's thread.
final class PartSink: Sink {
  private let handler: @Sendable (UnsafeRawBufferPointer) throws -> Void
  private let abandonment = Cancellation()

  init(_ handler: @escaping @Sendable (UnsafeRawBufferPointer) throws -> Void) { self.handler = handler }

  func expect(_ count: Int) {}

  func take(_ bytes: UnsafeRawBufferPointer) throws {
    if abandonment.isCancelled { throw LoadError(.cancelled, "the load was cancelled") }
    try handler(bytes)
  }

  /// A running call of the handler may continue for a moment.
  func abandon() { abandonment.cancel() }
}
