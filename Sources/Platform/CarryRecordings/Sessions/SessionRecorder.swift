import CLinux
package import CarryModel
package import CarrySessions
package import CarrySystem

/// Writes a session recording. A recording that cannot go on says so once, and the engine serves on.
package final class SessionRecorder {
  private let file: Descriptor
  private let path: String
  private var buffer: [UInt8] = []
  private var size = 0
  private var hasEnded = false

  /// - Throws: if there is such a file, or if it cannot be made. Only its owner may read it: it has names in it.
  package init(_ path: String) throws(SystemError) {
    self.path = path
    file = try Descriptor.open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW, mode: 0o600)
    buffer = Array(SessionRecording.header.utf8)
  }

  package func record(_ input: SessionInput, at time: Instant?, _ actions: ArraySlice<SessionAction>) {
    guard !hasEnded else { return }
    let record = SessionRecording.Record(input, at: time, actions: ActionDigest.text(actions))
    buffer += Array(record.line.utf8)
    if buffer.count >= 1 << 20 { flush() }
  }

  /// Writes what is recorded. Called once a turn.
  package func flush() {
    guard !hasEnded, !buffer.isEmpty else { return }
    size += buffer.count
    if size > SessionRecording.limit {
      end("it has \(SessionRecording.limit >> 20) MiB")
    } else if !Output.write(buffer, to: file.raw) {
      end("it cannot be written: \(SystemError(code: clinux_errno(), call: "write", subject: path).reason)")
    }
    buffer.removeAll(keepingCapacity: true)
  }

  private func end(_ why: String) {
    hasEnded = true
    Log.warning("the session is recorded no further in \(SafeText.displayable(path, limit: 4096)): \(why)")
  }
}
