import CLinux

/// Checks that make it safe to read a peer's descriptor. They never block, not even for a file on a file system that
/// has stopped responding. (`fstat` would block there.)
package enum PassedDescriptor {
  package enum Kind: Equatable, Sendable {
    case file
    case memory
    case stream
    case folder
  }

  /// Whether the descriptor is of the promised kind.
  ///
  /// A file is regular and readable; memory is sealed against every change; a stream is a pipe's reading end; a
  /// folder is a readable directory. FIFOs, sockets, directories, devices and `O_PATH` descriptors in place of a file
  /// are refused, as reading them could block forever or have side effects.
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

  /// Whether a shared ring is valid: memory of the right size that cannot shrink or grow, and in which no holes can
  /// be punched, and a connected packet socket.
  ///
  /// Closing a listening socket would also close the sockets in its backlog, and the descriptors inside those.
  package static func isSafeRing(memory: CInt, socket: CInt, size: Int) -> Bool {
    // Only memory has seals, and `fstat` never blocks on memory.
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
    // A connected socket stays connected and can never listen.
    return clinux_is_connected(socket)
  }

  private static func hasSeals(_ fd: CInt, _ wanted: CInt) -> Bool {
    let seals = clinux_get_seals(fd)
    return seals >= 0 && seals & wanted == wanted
  }

  /// The size of a regular file or memory, or nil. May wait for the file's file system.
  package static func size(of fd: CInt) -> Int? {
    var status = stat()
    guard fstat(fd, &status) == 0, status.st_size >= 0 else { return nil }
    return Int(status.st_size)
  }
}
