import CLinux

/// The process that made a connection.
///
/// Process numbers are used again, and a connection may outlive its process, in a child. Whether the process still lives is
/// therefore asked of a handle (pidfd_open(2)) and not of its number.
package final class PeerProcess {
  package let pid: Int32
  private let handle: CInt

  /// - Parameters:
  ///   - socket: the connection.
  ///   - pid: the process number from SO_PEERCRED.
  package init(of socket: CInt, pid: Int32) {
    self.pid = pid
    handle = clinux_peer_process(socket, pid)
  }

  deinit { if handle >= 0 { close(handle) } }

  /// Whether the process is still running; false also where the kernel cannot tell.
  package var isRunning: Bool {
    guard handle >= 0 else { return false }
    var p = pollfd(fd: handle, events: Int16(POLLIN), revents: 0)
    return poll(&p, 1, 0) == 0
  }
}
