import CLinux
import CarrySystem
import Synchronization

/// Where received bytes go. Used by one worker at a time.
protocol Sink: AnyObject {
  /// Whether what is taken goes to memory, and to nobody else yet.
  var isMemory: Bool { get }
  /// How much is coming, when that is known.
  func expect(_ count: Int) throws
  /// Before anything comes, from the client's thread: so much may come, as a stranger says.
  func makeRoom(for count: Int)
  func take(_ bytes: UnsafeRawBufferPointer) throws
  /// Where the bytes go to memory: lets `read` put them there, at most so many, and takes as many as it says.
  ///
  /// - Parameter read: waits for nobody; gives a negative number for nothing.
  /// - Returns: what `read` gave; nil for a sink that wants them handed over.
  func take(atMost count: Int, _ read: (UnsafeMutableRawBufferPointer) -> Int) throws -> Int?
  /// From the client's thread: the load is over, and memory that the sink writes to is its owner's again when this
  /// returns, which is at once.
  func abandon()
  /// Before anything comes: the source removes its own when this has succeeded, so what is kept in files must be on the
  /// disk by then.
  func expectMove()
  /// What follows is this file's: its time and permissions may be kept.
  func note(_ status: stat)
  /// Takes a whole file, where the kernel can copy it to where the bytes go.
  ///
  /// - Parameter progress: called with the bytes so far.
  /// - Returns: how many bytes it took: fewer than `size`, or 0, where the rest is to be handed over.
  func copy(from fd: CInt, size: Int, _ progress: (Int) -> Void) throws -> Int
  /// Takes a folder with all that is in it.
  ///
  /// - Returns: the bytes of all files.
  func takeFolder(_ fd: CInt, _ progress: @escaping (Int) -> Void) throws -> Int
  /// Opens the source's own file.
  ///
  /// - Returns: its size; nil where a copy has to do.
  func takeOriginal(_ fd: CInt, path: String) throws -> Int?
  /// Everything has been taken.
  func complete() throws
  /// After `complete`: whether nothing was left out.
  var isWhole: Bool { get }
  /// Not everything could be taken: nothing of it stays.
  func undo()
  /// From the client's thread, after `complete`: nobody wants it any more.
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

/// Hands data on while it is loaded, before it is known whether all of it comes. None of it is kept then.
package protocol DataFollower: AnyObject, Sendable {
  /// From the client's thread, before anything comes: so much comes, as a stranger says. Not called where nobody says.
  ///
  /// - Returns: whether the follower hands it on.
  func expect(_ count: Int) -> Bool
  /// Some more has come. On a thread of the load's; what waits here keeps the source waiting.
  ///
  /// - Throws: where it cannot be handed on.
  func take(_ part: UnsafeRawBufferPointer) throws
  /// All has come. On the same thread, before the load's completion.
  ///
  /// - Throws: where it cannot be handed on.
  func complete() throws
  /// From the client's thread: the load is over, and nobody needs what `take` waits for.
  func abandon()
  /// Whether those whom the data is for know that it is there, which may be before the load's completion. Any thread.
  var isTold: Bool { get }
  /// How many bytes it has had; nil where it hands nothing on. Any thread.
  var count: Int? { get }
  /// Whether what it had went nowhere, for its own reasons, and may be loaded again and handed on in another way. Any thread.
  var hasFailed: Bool { get }
}

/// Collects everything in memory.
final class ByteSink: Sink {
  var isMemory: Bool { !isHandedOn }
  private var bytes: [UInt8] = []
  private let limit: Int
  private let follower: (any DataFollower)?
  private let onFollowing: () -> Void
  /// Whether the follower has it, and nothing is kept. Set before anything comes.
  private var isHandedOn = false
  /// More room is made when the bytes are there. Of memory that is never touched only the addresses are used.
  private static let mostUnseen = 64 << 20
  /// Of so much memory the first touch is worth a system call that makes it cheaper.
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

  /// An array ends the program where there is no memory for it. How much comes is what a stranger says.
  private func makeSure(of count: Int) throws {
    guard count <= Self.mostUnseen || clinux_has_room(count) else {
      throw LoadError(.local, "there is no memory for \(count) bytes")
    }
  }

  /// An array that grows copies all that it has, again and again, each time into pages that are new.
  func makeRoom(for count: Int) {
    if count <= limit, let follower, follower.expect(count) {
      isHandedOn = true
      return onFollowing()
    }
    reserve(min(count, limit, Self.mostUnseen))
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
    if isHandedOn { return try follower?.take(new) ?? () }
    if count > bytes.capacity {
      let more = min(limit, max(count, bytes.capacity * 2))
      try makeSure(of: more)
      reserve(more)
    }
    bytes.append(contentsOf: new)
  }

  func abandon() { follower?.abandon() }

  func complete() throws { if isHandedOn { try follower?.complete() } }

  func take() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }
}

/// Fills memory that somebody else owns, and nothing of it any more once it is abandoned.
final class BufferSink: Sink {
  var isMemory: Bool { true }
  /// What is still free. The lock is held while bytes are copied, and never while anybody is waited for: what is copied
  /// has been read before, is in the kernel's cache, or lies in a ring, into which nobody can punch holes.
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

/// Writes to a descriptor that somebody else owns, through a duplicate: a cancelled load's worker may still be writing
/// when its owner has closed it, and must not meet another file under the same number.
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

  /// A pipe and the like keep nothing.
  func complete() throws {
    guard isMove, fsync(fd) != 0, clinux_errno() != EINVAL, clinux_errno() != EROFS else { return }
    throw SystemError.last("fsync")
  }

  /// A write that is under way may not return for long, and is not waited for.
  func abandon() { abandonment.cancel() }
}

/// Hands each part over as it comes, on the worker's thread.
final class PartSink: Sink {
  private let handler: @Sendable (UnsafeRawBufferPointer) throws -> Void
  private let abandonment = Cancellation()

  init(_ handler: @escaping @Sendable (UnsafeRawBufferPointer) throws -> Void) { self.handler = handler }

  func expect(_ count: Int) {}

  func take(_ bytes: UnsafeRawBufferPointer) throws {
    if abandonment.isCancelled { throw LoadError(.cancelled, "the load was cancelled") }
    try handler(bytes)
  }

  /// A call of the handler that is under way may still go on for a moment.
  func abandon() { abandonment.cancel() }
}
