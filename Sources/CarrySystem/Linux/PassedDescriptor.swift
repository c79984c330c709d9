import CLinux

/// Checks that make it safe to read a peer's descriptor. The checks never block, not even for a file on a file system that
/// has stopped answering. (`fstat` would block there.)
package enum PassedDescriptor {
  package enum Kind: Equatable, Sendable {
    case file
    case memory
    case stream
    case folder
  }

  /// Whether the descriptor is of the promised kind.
  ///
  /// A file is regular and readable; memory is sealed against every change; a stream is a pipe's reading end; a folder is
  /// a directory that can be read. FIFOs, sockets, directories, devices and `O_PATH` descriptors in the place of a file are refused, as reading them could
  /// block for ever or do something.
  package static func isSafe(_ fd: CInt, _ kind: Kind) -> Bool {
    var mode: UInt32 = 0
    guard clinux_mode_as_known(fd, &mode) == 0 else { return false }
    let flags = clinux_get_status_flags(fd)
    guard flags >= 0, flags & O_ACCMODE != O_WRONLY, flags & clinux_o_path() == 0 else { return false }
    let type = mode & UInt32(S_IFMT)
    switch kind {
    case .file:
      return type == UInt32(S_IFREG)
    case .memory:
      let wanted = CInt(CLINUX_SEAL_SHRINK | CLINUX_SEAL_GROW | CLINUX_SEAL_WRITE)
      return type == UInt32(S_IFREG) && hasSeals(fd, wanted)
    case .folder:
      return type == UInt32(S_IFDIR)
    case .stream:
      return type == UInt32(S_IFIFO) && flags & O_ACCMODE == O_RDONLY
    }
  }

  /// Whether a shared ring is valid: memory of the right size that cannot shrink or grow, into which nobody can punch holes,
  /// and a packet socket that is connected.
  ///
  /// With one that listens the kernel closes what waits in it to be accepted, and what is in that.
  package static func isSafeRing(memory: CInt, socket: CInt, size: Int) -> Bool {
    // Only memory has seals, and `fstat` of memory never waits.
    let wanted = CInt(CLINUX_SEAL_SHRINK | CLINUX_SEAL_GROW | CLINUX_SEAL_FUTURE_WRITE)
    guard hasSeals(memory, wanted), self.size(of: memory) == size else { return false }
    var kind: CInt = 0
    var length = socklen_t(MemoryLayout<CInt>.size)
    guard getsockopt(socket, SOL_SOCKET, SO_TYPE, &kind, &length) == 0, kind == CInt(SOCK_SEQPACKET.rawValue) else {
      return false
    }
    var domain: CInt = 0
    length = socklen_t(MemoryLayout<CInt>.size)
    guard getsockopt(socket, SOL_SOCKET, SO_DOMAIN, &domain, &length) == 0, domain == AF_UNIX else { return false }
    // One that is connected stays so, and can never listen.
    return clinux_is_connected(socket)
  }

  private static func hasSeals(_ fd: CInt, _ wanted: CInt) -> Bool {
    let seals = clinux_get_seals(fd)
    return seals >= 0 && seals & wanted == wanted
  }

  /// The size of a regular file or memory, or nil. May wait for the file system that a file is on.
  package static func size(of fd: CInt) -> Int? {
    var status = stat()
    guard fstat(fd, &status) == 0, status.st_size >= 0 else { return nil }
    return Int(status.st_size)
  }
}
