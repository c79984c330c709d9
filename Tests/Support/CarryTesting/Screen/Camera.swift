import CLinux
import CarryModel
import CarrySystem

/// Films a display with ffmpeg, for `make film` and `make film-desktop`.
package final class Camera {
  private let folder: String
  private let process: ChildProcess
  /// When the film begins, in seconds of the monotonic clock.
  private let start: Double
  private var moments = ""

  /// Starts filming a screen of 1280×800, and waits until ffmpeg records.
  ///
  /// - Parameter folder: The directory for the film and its data.
  package init(_ folder: String, display: String) throws {
    self.folder = folder
    process = try ChildProcess(
      [
        "ffmpeg", "-hide_banner", "-nostats", "-loglevel", "info", "-y", "-f", "x11grab", "-framerate", "30",
        "-draw_mouse", "0", "-video_size", "1280x800", "-i", display, "-c:v", "libx264", "-preset", "ultrafast",
        "-crf", "12", folder + "/raw.mkv",
      ], output: .pipe)
    let line = process.readLine(seconds: 20) { $0.contains("start: ") } ?? ""
    let words = line.split(separator: " ")
    // In seconds since 1970.
    guard let i = words.firstIndex(of: "start:"), i + 1 < words.count,
      let seconds = Double(String(words[i + 1].prefix { $0 != "," }))
    else { throw Checkout.Missing(description: "ffmpeg does not film \(display): \(line)") }
    var t = timespec()
    clock_gettime(CLOCK_REALTIME, &t)
    start = seconds - Double(t.tv_sec) - Double(t.tv_nsec) / 1e9 + Self.now()
  }

  /// In seconds of the monotonic clock.
  package static func now() -> Double { Double(MonotonicClock.now().microseconds) / 1e6 }

  /// Pauses for a number of seconds, for viewers of the film.
  package static func rest(_ seconds: Double) { _ = Wait.until(seconds: seconds) { false } }

  /// Marks the current picture for the contact sheet of moments.
  package func moment(_ number: Int) { moments += "\(number) \(Self.hundredths(Self.now() - start))\n" }

  /// Ends the film, and saves the fingers' positions and the times of the moments beside it.
  ///
  /// - Parameters:
  ///   - script: The fingers' recording.
  ///   - beginning: When that began, in seconds of the monotonic clock.
  ///   - lead: How much later the film begins, in seconds.
  package func finish(_ script: FingerScript, from beginning: Double, lead: Double) throws {
    Self.rest(2)
    process.stop(SIGINT)
    let offset = beginning - start
    try Self.write(script.subtitles(from: Int(offset * 1000)), to: folder + "/fingers.ass")
    try Self.write(Array("begin \(Self.hundredths(offset + lead))\n\(moments)".utf8), to: folder + "/moments")
  }

  private static func hundredths(_ seconds: Double) -> Double { (seconds * 100).rounded() / 100 }

  private static func write(_ bytes: [UInt8], to path: String) throws {
    let fd = try Descriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644)
    var rest = bytes[...]
    while !rest.isEmpty {
      let n = rest.withUnsafeBytes { CLinux.write(fd.raw, $0.baseAddress, $0.count) }
      guard n > 0 else { throw SystemError(code: clinux_errno(), call: "write", subject: path) }
      rest = rest.dropFirst(n)
    }
  }
}
