import CLinux

/// A file descriptor that closes itself at the end of its lifetime.
///
/// EINTR from close is ignored on purpose: Linux has closed the descriptor by then, and trying again could close
/// another one (close(2), NOTES).
package struct Descriptor: ~Copyable, Sendable {
  package let raw: CInt

  /// Takes ownership of a descriptor.
  package init(owning raw: CInt) { self.raw = raw }

  deinit { close(raw) }

  /// Gives up ownership: the caller closes the descriptor.
  package consuming func release() -> CInt {
    let raw = self.raw
    discard self
    return raw
  }

  /// A second descriptor of the same open file. The corresponding C function is `fcntl(F_DUPFD_CLOEXEC)`.
  package func duplicate() throws(SystemError) -> Descriptor {
    Descriptor(owning: try check("fcntl") { clinux_dup_above(raw, 0) })
  }

  /// Opens a file. The corresponding C function is `open`.
  ///
  /// - Throws: `EINVAL` for a path with a NUL, of which the system would see only the part before it.
  package static func open(_ path: String, _ flags: CInt, mode: UInt32 = 0) throws(SystemError) -> Descriptor {
    guard !path.utf8.contains(0) else { throw SystemError(code: EINVAL, call: "open", subject: path) }
    return Descriptor(owning: try check("open", path) { clinux_open(path, flags | O_CLOEXEC, mode) })
  }
}

/// Both ends of a pipe that closes on exec. The corresponding C function is `pipe2`.
package struct Pipe: ~Copyable {
  package let read: Descriptor
  package let write: Descriptor

  package init() throws(SystemError) {
    var fds: [CInt] = [-1, -1]
    try check("pipe2") { clinux_pipe(&fds) }
    read = Descriptor(owning: fds[0])
    write = Descriptor(owning: fds[1])
  }

  /// The reading end. Closes this process's writing end, so that the pipe ends when no other process has one.
  package consuming func takeReading() -> Descriptor { read }
}

/// Two connected sockets that close on exec. The corresponding C function is `socketpair`.
package struct SocketPair: ~Copyable {
  package let ours: Descriptor
  package let theirs: Descriptor

  /// - Parameter kind: such as `SOCK_STREAM`.
  package init(_ kind: CInt) throws(SystemError) {
    var fds: [CInt] = [-1, -1]
    try check("socketpair") { socketpair(AF_UNIX, kind | CInt(SOCK_CLOEXEC.rawValue), 0, &fds) }
    ours = Descriptor(owning: fds[0])
    theirs = Descriptor(owning: fds[1])
  }

  /// This process's end; the other one is closed.
  package consuming func takeOurs() -> Descriptor { ours }
}
