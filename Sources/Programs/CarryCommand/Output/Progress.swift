import CLinux
package import CarryModel
import CarrySystem

/// A progress line on the terminal. It appears only if standard error is a terminal, only for long tasks, and never
/// interferes with printed lines.
package final class Progress {
  /// Shorter tasks are over before the line could be read.
  package static let worthwhile = Interval.seconds(1)
  private static let refresh = Interval.milliseconds(100)

  private let descriptor: CInt
  private let label: String
  private var drawn: Instant?
  private var lastText = ""

  /// Nil if it would not be visible.
  ///
  /// - Parameter label: The task; made safe for the terminal by the caller.
  package init?(_ label: String, on descriptor: CInt = STDERR_FILENO) {
    guard isatty(descriptor) == 1 else { return nil }
    self.descriptor = descriptor
    self.label = label
  }

  deinit { clear() }

  /// Shows the progress, at most ten times a second.
  ///
  /// - Parameters:
  ///   - fraction: From 0 to 1.
  ///   - note: The text after the bar, such as the time.
  package func show(_ fraction: Double, note: String, at now: Instant) {
    if let drawn, now - drawn < Self.refresh { return }
    drawn = now
    // A terminal of unknown width gets the usual width.
    let known = Int(clinux_terminal_width(descriptor))
    let columns = known > 0 ? known : 80
    lastText = Self.line(label, fraction, note, width: columns - 1)
    Output.write("\r\(lastText)\u{1B}[K", to: descriptor)
  }

  /// Removes the line, before other lines are printed.
  package func clear() {
    guard !lastText.isEmpty else { return }
    lastText = ""
    drawn = nil
    Output.write("\r\u{1B}[K", to: descriptor)
  }

  /// The line, no longer than `width`. The bar shrinks first, then the label is truncated at its beginning, then both
  /// are omitted.
  package static func line(_ label: String, _ fraction: Double, _ note: String, width: Int) -> String {
    let part = fraction.isFinite ? max(0, min(1, fraction)) : 0
    let percent = String(Int(part * 100))
    let tail = " " + String(repeating: " ", count: 3 - percent.count) + percent + "% " + note
    let room = width - tail.count
    guard room >= 12 else { return String(tail.drop { $0 == " " }.prefix(max(0, width))) }
    let bar = min(40, max(10, room - label.count - 1))
    let name = label.count + 1 + bar <= room ? label + " " : "…" + label.suffix(max(0, room - bar - 2)) + " "
    let full = Int(part * Double(bar - 2))
    return name.suffix(room - bar) + "[" + String(repeating: "=", count: full)
      + String(repeating: " ", count: bar - 2 - full) + "]" + tail
  }
}
