import CLinux

/// Waits for the end of a child process.
///
/// A process blocked on a hung file system ends only when that file system responds, whatever signal it gets. An
/// event loop must not wait for that.
package enum ProcessEnd {
  /// The maximum wait in milliseconds. Nearly all processes end at once.
  private static let longest = 50

  /// Waits up to 50 ms for the end of a child that was killed or ends by itself; then a thread waits. The
  /// corresponding C function is `waitpid`.
  package static func wait(for pid: Int32) {
    var status: CInt = 0
    for left in stride(from: longest, through: 0, by: -1) {
      let ended = waitpid(pid, &status, WNOHANG)
      if ended == pid || ended < 0 && clinux_errno() != EINTR { return }
      // In milliseconds.
      if left > 0 { poll(nil, 0, 1) }
    }
    // Without a thread it stays a zombie until this program ends.
    try? Worker.start {
      var status: CInt = 0
      while waitpid(pid, &status, 0) < 0, clinux_errno() == EINTR {}
    }
  }
}
