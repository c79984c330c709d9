import CLinux

/// The end of a child process that nobody wants any more.
///
/// A process that waits for a file system that hangs ends when the file system says something, whatever signal it gets. An
/// event loop must not wait for that.
package enum ProcessEnd {
  /// Nearly all processes end at once. In milliseconds.
  private static let longest = 50

  /// Waits for the end of a child that was killed or ends by itself, but not for longer than 50 ms: from then on a thread
  /// waits. The corresponding C function is `waitpid`.
  package static func wait(for pid: Int32) {
    var status: CInt = 0
    for left in stride(from: longest, through: 0, by: -1) {
      let ended = waitpid(pid, &status, WNOHANG)
      if ended == pid || ended < 0 && clinux_errno() != EINTR { return }
      // Milliseconds.
      if left > 0 { poll(nil, 0, 1) }
    }
    // Without a thread it stays a zombie until this program ends.
    try? Worker.start {
      var status: CInt = 0
      while waitpid(pid, &status, 0) < 0, clinux_errno() == EINTR {}
    }
  }
}
