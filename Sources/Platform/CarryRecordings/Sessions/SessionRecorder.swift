import CLinux
package import CarryModel
package import CarrySessions
package import CarrySystem

/// Writes a session recording. A recording that cannot go on says so once, and the engine serves on.
package final class SessionRecorder {
  private let file: Descriptor
  private let path: String
  private var size = 0
  private var hasEnded = false

  /// - Throws: if there is such a file, or if it cannot be made. Only its owner may read it: it has names in it.
  package init(_ path: String) throws(SystemError) {
    self.path = path
    file = try Descriptor.open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW, mode: 0o600)
    write(SessionRecording.header)
  }

  /// Writes an input, so that it is in the file should the engine crash at a later one.
  package func record(_ input: SessionInput, at time: Instant?, _ actions: ArraySlice<SessionAction>) {
    guard !hasEnded else { return }
    write(SessionRecording.Record(input, at: time, actions: ActionDigest.text(actions)).line)
    for case .bug in actions { Log.error("the session up to here is in \(displayedPath)") }
  }

  private func write(_ text: String) {
    let bytes = Array(text.utf8)
    size += bytes.count
    if size > SessionRecording.limit {
      end("it has \(SessionRecording.limit >> 20) MiB")
    } else if !Output.write(bytes, to: file.raw) {
      end("it cannot be written: \(SystemError(code: clinux_errno(), call: "write", subject: path).reason)")
    }
  }

  /// The file's name, for people.
  package var displayedPath: String { SafeText.displayable(path, limit: 4096) }

  private func end(_ why: String) {
    hasEnded = true
    Log.warning("the session is recorded no further in \(displayedPath): \(why)")
  }
}
