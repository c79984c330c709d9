import CLinux
import CarryModel
import CarrySystem

/// Copies the contents of files in the kernel, if possible.
package enum FileCopy {
  /// A part that takes a moment: between parts, cancellation is checked.
  private static let part = 32 << 20

  /// Copies the content of a file to another one.
  ///
  /// - Parameters:
  ///   - size: the number of bytes to copy.
  ///   - isNew: whether the other file is empty: it may then share the first one's blocks.
  ///   - needsRoom: called before bytes are copied, with their number: holes become bytes. Shared blocks need no
  ///     space.
  ///   - copied: called with the bytes so far.
  /// - Returns: the number of bytes copied. Fewer than `size` if the kernel cannot copy between these two files, or
  ///   if the file became shorter.
  package static func copy(
    from source: CInt, to target: CInt, size: Int, isNew: Bool, checkCancellation: () throws -> Void,
    needsRoom: (Int) throws -> Void = { _ in }, copied: (Int) -> Void
  ) throws -> Int {
    guard size > 0 else { return 0 }
    if isNew, clinux_clone_file(target, source) == 0 {
      // The clone has the file's current size.
      guard ftruncate(target, min(size, PassedDescriptor.size(of: target) ?? 0)) == 0 else {
        throw SystemError.last("ftruncate")
      }
      let done = PassedDescriptor.size(of: target) ?? 0
      copied(done)
      return done
    }
    try needsRoom(size)
    var done = 0
    while done < size {
      try checkCancellation()
      let n = clinux_copy_range(source, off_t(done), target, min(part, size - done))
      guard n > 0 else {
        if n < 0, clinux_errno() == EINTR { continue }
        if n < 0, [ENOSPC, EDQUOT, EFBIG, EIO, EROFS].contains(clinux_errno()) {
          throw LoadError(.local, String(cString: strerror(clinux_errno())))
        }
        break
      }
      done += n
      copied(done)
    }
    return done
  }

  /// Reads a file of which the size is known.
  ///
  /// - Parameters:
  ///   - path: for errors.
  ///   - deliver: called with one piece after the other.
  package static func read(
    _ fd: CInt, size: Int, _ path: String, _ deliver: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: min(max(size, 1), 256 * 1024), alignment: 1)
    defer { buffer.deallocate() }
    var done = 0
    while done < size {
      let n = try check("read", path) { pread(fd, buffer.baseAddress, min(buffer.count, size - done), off_t(done)) }
      guard n > 0 else { throw LoadError(.local, "\(path) became shorter while it was read") }
      try deliver(UnsafeRawBufferPointer(rebasing: buffer[..<n]))
      done += n
    }
  }

  /// Writes all of it.
  package static func write(_ bytes: UnsafeRawBufferPointer, to fd: CInt, checkCancellation: () throws -> Void) throws {
    var sent = 0
    while sent < bytes.count {
      try checkCancellation()
      do {
        sent += try check("write") { CLinux.write(fd, bytes.baseAddress! + sent, bytes.count - sent) }
      } catch {
        throw LoadError(.local, error.reason)
      }
    }
  }

  /// Copies the permissions of a file, except setuid, setgid and sticky, and its modification time.
  static func keepAttributes(mode: UInt32, modified: timespec, of fd: CInt) {
    fchmod(fd, mode & 0o777)
    futimens(fd, [timespec(tv_sec: 0, tv_nsec: 0x3FFF_FFFE), modified])
  }

  /// Checks that the file system has enough free space.
  ///
  /// - Parameter path: for the error.
  static func checkRoom(for count: Int, on fd: CInt, _ path: String) throws {
    var room = statvfs()
    guard fstatvfs(fd, &room) == 0 else { return }
    let (free, isTooLarge) = UInt64(room.f_bavail).multipliedReportingOverflow(by: UInt64(room.f_frsize))
    guard !isTooLarge, free < UInt64(max(0, count)) else { return }
    throw LoadError(.local, "\(path): \(count) bytes are needed, and \(free) are free")
  }
}
