import CLinux
import CarryModel
import CarrySystem

/// Standard output, written in large pieces, and standard error.
package final class Printer {
  private var pending = ""
  private let keep: Bool
  /// Whether a NUL ends each path instead of a newline, so that names may contain anything.
  package var endsPathsWithNUL = false
  /// Called before anything is written, so that a progress line can be removed.
  package var beforeWriting: () -> Void = {}
  /// The captured output, for tests.
  package private(set) var output = ""
  package private(set) var errors = ""
  /// Why standard output cannot be written to. Stays nil if the reader went away, which is not an error.
  private var writeProblem: String?
  /// Whether output is lost from here on, so that continuing is useless.
  package private(set) var isLost = false

  /// `capturing` keeps everything in memory.
  package init(capturing: Bool = false) { keep = capturing }

  package func line(_ text: String) {
    pending += text
    pending += "\n"
    if pending.utf8.count > 32_768 { flush() }
  }

  /// Prints a path for scripts, on a line of its own unless a NUL ends it.
  ///
  /// - Returns: false if the path could pass for several, or for a command of the terminal: it is not printed.
  package func path(_ path: String) -> Bool {
    if endsPathsWithNUL {
      pending += path + "\0"
      return true
    }
    guard SafeText.displayable(path, limit: .max) == path else { return false }
    line(path)
    return true
  }

  package func flush() {
    if keep {
      output += pending
    } else if !pending.isEmpty {
      beforeWriting()
      if !Output.write(pending) {
        isLost = true
        if writeProblem == nil, clinux_errno() != EPIPE { writeProblem = String(cString: strerror(clinux_errno())) }
      }
    }
    pending = ""
  }

  /// Prints data unchanged, without a line end.
  package func data(_ bytes: [UInt8]) {
    flush()
    if keep {
      output += String(decoding: bytes, as: UTF8.self)
      return
    }
    beforeWriting()
    if !Output.write(bytes) {
      isLost = true
      if writeProblem == nil, clinux_errno() != EPIPE { writeProblem = String(cString: strerror(clinux_errno())) }
    }
  }

  /// Writes the pending output, and reports a write error on standard error.
  ///
  /// - Returns: False if output was lost.
  package func finish() -> Bool {
    flush()
    guard let writeProblem else { return true }
    Output.write("carry: the output cannot be written: \(writeProblem)\n", to: 2)
    return false
  }

  /// Writes one line on standard error, after the lines that were printed before it. Control characters, such as
  /// those of a file's name, are replaced.
  package func error(_ text: String) {
    flush()
    beforeWriting()
    let text = SafeText.displayable(text, limit: .max)
    if keep { errors += text + "\n" } else { Output.write("carry: \(text)\n", to: 2) }
  }
}
