import CLinux
import CarrySystem

/// Where received bytes go. Used by one worker at a time.
protocol Sink: AnyObject {
  /// How much is coming, when that is known.
  func expect(_ count: Int) throws
  /// Memory to read the next bytes straight into, or nil when they are to be handed to `take`.
  func space() -> UnsafeMutableRawBufferPointer?
  /// `count` bytes were read into `space()`.
  func filled(_ count: Int) throws
  func take(_ bytes: UnsafeRawBufferPointer) throws
}

/// Collects everything in memory.
final class ByteSink: Sink {
  private var bytes: [UInt8] = []
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  func expect(_ count: Int) throws {
    guard count <= limit else { throw LoadError(.local, "\(count) bytes are more than the limit of \(limit)") }
    bytes.reserveCapacity(count)
  }

  func space() -> UnsafeMutableRawBufferPointer? { nil }
  func filled(_ count: Int) {}

  func take(_ new: UnsafeRawBufferPointer) throws {
    guard bytes.count + new.count <= limit else {
      throw LoadError(.local, "the data is more than the limit of \(limit) bytes")
    }
    bytes.append(contentsOf: new)
  }

  func take() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }
}

/// Fills memory that somebody else owns.
final class BufferSink: Sink {
  private var rest: UnsafeMutableRawBufferPointer

  init(_ buffer: UnsafeMutableRawBufferPointer) { rest = buffer }

  func expect(_ count: Int) throws {
    guard count <= rest.count else {
      throw LoadError(.local, "\(count) bytes do not fit into a buffer of \(rest.count)")
    }
  }

  func space() -> UnsafeMutableRawBufferPointer? { rest.isEmpty ? nil : rest }

  func filled(_ count: Int) { rest = UnsafeMutableRawBufferPointer(rebasing: rest[count...]) }

  func take(_ bytes: UnsafeRawBufferPointer) throws {
    guard bytes.count <= rest.count, let to = rest.baseAddress, let from = bytes.baseAddress else {
      if bytes.isEmpty { return }
      throw LoadError(.local, "the data does not fit into the buffer")
    }
    to.copyMemory(from: from, byteCount: bytes.count)
    filled(bytes.count)
  }
}

/// Writes to a descriptor that somebody else owns, through a duplicate: a cancelled load's worker may still be writing
/// when its owner has closed it, and must not meet another file under the same number.
final class FileSink: Sink {
  private let fd: CInt

  init(_ fd: CInt) { self.fd = clinux_dup_above(fd, 0) }

  deinit { if fd >= 0 { close(fd) } }

  func expect(_ count: Int) {}
  func space() -> UnsafeMutableRawBufferPointer? { nil }
  func filled(_ count: Int) {}

  func take(_ bytes: UnsafeRawBufferPointer) throws {
    var sent = 0
    while sent < bytes.count {
      do {
        sent += try check("write") { write(fd, bytes.baseAddress! + sent, bytes.count - sent) }
      } catch {
        throw LoadError(.local, error.sentence)
      }
    }
  }
}
