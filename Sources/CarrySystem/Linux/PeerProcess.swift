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
    let begin = Self.startTime(of: pid)
    let handle = clinux_peer_process(socket, pid)
    // Where the kernel gives no handle of the peer itself, the number may have gone to another process meanwhile.
    guard handle < 0 || (begin != nil && Self.startTime(of: pid) == begin) else {
      close(handle)
      self.handle = -1
      return
    }
    self.handle = handle
  }

  /// - Parameter process: a child of this process that has not been waited for, so that the number is still its own; or
  ///   any process that somebody has just named. That one may have ended, and its number may belong to another by now.
  package init(of process: Int32) {
    pid = process
    handle = clinux_open_process(process)
  }

  deinit { if handle >= 0 { close(handle) } }

  /// Whether the process is still running; false also where the kernel cannot tell.
  package var isRunning: Bool {
    guard handle >= 0 else { return false }
    var p = pollfd(fd: handle, events: Int16(POLLIN), revents: 0)
    return poll(&p, 1, 0) == 0
  }

  /// When a process began, in clock ticks since the machine started; nil where there is no such process.
  private static func startTime(of pid: Int32) -> String? {
    guard let status = try? Files.readStart("/proc/\(pid)/stat", most: 4096) else { return nil }
    // The name of the program, in parentheses, may have spaces and parentheses of its own. The time is the 22nd field.
    let fields = String(decoding: status, as: UTF8.self).split(separator: ")").last?.split(separator: " ") ?? []
    return fields.count > 19 ? String(fields[19]) : nil
  }
}
