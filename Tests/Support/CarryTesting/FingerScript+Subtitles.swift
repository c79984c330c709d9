extension FingerScript {
  /// The fingers' positions as subtitles in ASS format: a player draws a disc for each over a film of the screen.
  ///
  /// - Parameter start: When the recording begins in the film, in milliseconds.
  package func subtitles(from start: Int) -> [UInt8] {
    var text = """
      [Script Info]
      ScriptType: v4.00+
      PlayResX: \(width)
      PlayResY: \(height)
      [V4+ Styles]
      Format: Name, Fontname, Fontsize, PrimaryColour, OutlineColour, BackColour, BorderStyle, Outline, Shadow, Alignment
      Style: Finger,Sans,20,&H50FFFFFF,&H60000000,&HB0000000,1,1.5,2,5
      [Events]
      Format: Layer, Start, End, Style, Text

      """
    for finger in fingers {
      guard let first = finger.keys.first, let last = finger.keys.last else { continue }
      let end = max(finger.up ?? last.ms, last.ms)
      // The finger comes down from above, and goes up again.
      Self.add(
        &text, start + first.ms - 160, start + first.ms, first, first,
        #"\alpha&HFF&\fscx170\fscy170\t(\alpha&H50&\fscx100\fscy100)"#)
      for (a, b) in zip(finger.keys, finger.keys.dropFirst()) { Self.add(&text, start + a.ms, start + b.ms, a, b, "") }
      Self.add(&text, start + last.ms, start + end, last, last, "")
      Self.add(&text, start + end, start + end + 220, last, last, #"\t(\alpha&HFF&\fscx170\fscy170)"#)
    }
    return Array(text.utf8)
  }

  private static func add(_ text: inout String, _ start: Int, _ end: Int, _ a: Key, _ b: Key, _ look: String) {
    guard end > start, end > 0 else { return }
    func clock(_ ms: Int) -> String {
      let c = max(0, ms) / 10
      func two(_ n: Int) -> String { n < 10 ? "0\(n)" : "\(n)" }
      return "\(c / 360_000):\(two(c / 6000 % 60)):\(two(c / 100 % 60)).\(two(c % 100))"
    }
    // A circle of radius 20 from four curves.
    let disc = "m 0 20 b 0 9 9 0 20 0 b 31 0 40 9 40 20 b 40 31 31 40 20 40 b 9 40 0 31 0 20"
    text += "Dialogue: 0,\(clock(start)),\(clock(end)),Finger,"
    text += #"{\an5\move(\#(a.x),\#(a.y),\#(b.x),\#(b.y))\#(look)\p1}\#(disc)"# + "\n"
  }
}
