import CLinux

/// The process that made a connection.
///
/// Process IDs are reused, and a connection may outlive its process in a child. So a handle (pidfd_open(2)) is used
/// instead of the ID to determine whether the process is alive.
package final class PeerProcess {
  package let pid: Int32
  private let handle: CInt

  /// - Parameters:
  ///   - socket: The connection.
  ///   - pid: The process ID from SO_PEERCRED.
  package init(of socket: CInt, pid: Int32) {
    self.pid = pid
    let begin = Self.startTime(of: pid)
    let handle = clinux_peer_process(socket, pid)
    // If the kernel provides no handle of the peer itself, the ID may have been reused meanwhile.
    guard handle < 0 || (begin != nil && Self.startTime(of: pid) == begin) else {
      close(handle)
      self.handle = -1
      return
    }
    self.handle = handle
  }

  /// - Parameter process: A child of this process that has not been waited for, so that the ID is still its own; or a
  ///   process that a peer has just named, which may have ended and whose ID may have been reused.
  package init(of process: Int32) {
    pid = process
    handle = clinux_open_process(process)
  }

  deinit { if handle >= 0 { close(handle) } }

  /// Whether the process is still running; also false if unknown.
  package var isRunning: Bool {
    guard handle >= 0 else { return false }
    var p = pollfd(fd: handle, events: Int16(POLLIN), revents: 0)
    return poll(&p, 1, 0) == 0
  }

  /// When a process began, in clock ticks since boot; nil if there is no such process.
  private static func startTime(of pid: Int32) -> String? {
    guard let status = try? Files.readStart("/proc/\(pid)/stat", most: 4096) else { return nil }
    // The program's name, in parentheses, may itself contain spaces and parentheses. The time is the 22nd field.
    let fields = String(decoding: status, as: UTF8.self).split(separator: ")").last?.split(separator: " ") ?? []
    return fields.count > 19 ? String(fields[19]) : nil
  }
}
