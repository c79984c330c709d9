extension FingerScript {
  /// Where the fingers are, as subtitles in ASS format: a player draws a disc for each onto a film of the screen.
  ///
  /// - Parameter start: when the recording begins in the film, in milliseconds.
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
      // It comes down from above, and goes up again.
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
    // A circle of radius 17 from four curves.
    let disc = "m 0 17 b 0 8 8 0 17 0 b 26 0 34 8 34 17 b 34 26 26 34 17 34 b 8 34 0 26 0 17"
    text += "Dialogue: 0,\(clock(start)),\(clock(end)),Finger,"
    text += #"{\an5\move(\#(a.x),\#(a.y),\#(b.x),\#(b.y))\#(look)\p1}\#(disc)"# + "\n"
  }
}
