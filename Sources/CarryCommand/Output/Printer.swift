import CLinux
import CarrySystem

/// Standard output, written in large pieces, and standard error.
package final class Printer {
  private var pending = ""
  private let keep: Bool
  /// Called before anything is written: a line that shows progress gives way.
  package var beforeWriting: () -> Void = {}
  /// What a test sees.
  package private(set) var output = ""
  package private(set) var errors = ""
  /// Why standard output cannot be written to; a reader that went away is none.
  private var writeProblem: String?
  /// Whether there is no use in going on: what is printed from here on is lost.
  package private(set) var isLost = false

  /// `capturing` keeps everything in memory.
  package init(capturing: Bool = false) { keep = capturing }

  package func line(_ text: String) {
    pending += text
    pending += "\n"
    if pending.utf8.count > 32_768 { flush() }
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

  /// Writes what is left, and says what could not be written.
  ///
  /// - Returns: false when output was lost.
  package func finish() -> Bool {
    flush()
    guard let writeProblem else { return true }
    Output.write("carry: the output cannot be written: \(writeProblem)\n", to: 2)
    return false
  }

  /// One line on standard error, after what was printed before it.
  package func error(_ text: String) {
    flush()
    beforeWriting()
    if keep { errors += text + "\n" } else { Output.write("carry: \(text)\n", to: 2) }
  }
}
