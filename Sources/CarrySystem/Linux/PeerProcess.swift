import CLinux

/// The process that made a connection: that very one, not whoever has its number by now.
///
/// Numbers are used again, and a connection may outlive the process that made it, in a child. What the number of a
/// process decides is therefore asked of a handle of the process (pidfd_open(2)).
package final class PeerProcess {
  package let pid: Int32
  private let handle: CInt

  /// - Parameters:
  ///   - socket: the connection.
  ///   - pid: as SO_PEERCRED tells it.
  package init(of socket: CInt, pid: Int32) {
    self.pid = pid
    handle = clinux_peer_process(socket, pid)
  }

  deinit { if handle >= 0 { close(handle) } }

  /// False from the moment that it has exited, and where that cannot be told.
  package var isRunning: Bool {
    guard handle >= 0 else { return false }
    var p = pollfd(fd: handle, events: Int16(POLLIN), revents: 0)
    return poll(&p, 1, 0) == 0
  }
}
