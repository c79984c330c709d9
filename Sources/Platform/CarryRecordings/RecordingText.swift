/// Finds a recording in the text that it was pasted with: a terminal's output, a mail, a Markdown fence.
enum RecordingText {
  /// How far the beginning of a recording is looked for, in bytes.
  private static let longestPreamble = 64 * 1024

  /// The first line of a recording begins with one of these.
  private static let beginnings = ["# libinput record", "version:", "ndevices:", "# EVEMU", "N:"]
    .map { Array($0.utf8) }

  /// Returns the text as UTF-8, with comments in place of the lines that are not part of the recording, so that the numbers
  /// of lines stay as they are.
  static func recording(in bytes: [UInt8]) -> [UInt8] {
    var text = utf8(bytes)
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { text.removeFirst(3) }
    guard let (start, prefix) = beginning(text) else { return text }
    text.removeSubrange(end(text, from: start, prefix)...)
    guard start > 0 || !prefix.isEmpty else { return text }
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    for byte in text[..<start] where byte == 0x0A { result += [UInt8(ascii: "#"), byte] }
    for line in text[start...].split(separator: 0x0A, omittingEmptySubsequences: false) {
      result += line.starts(with: prefix) ? line.dropFirst(prefix.count) : line.drop { $0 == 0x20 || $0 == 0x3E }
      result.append(0x0A)
    }
    return withoutFence(result[...])
  }

  /// Whether a recording begins within the text.
  static func isFound(in bytes: [UInt8]) -> Bool { beginning(utf8(bytes)) != nil }

  /// Where the recording ends: behind a quotation, or before a line that can be no part of libinput's YAML.
  private static func end(_ text: [UInt8], from start: Int, _ prefix: [UInt8]) -> Int {
    let isQuoted = prefix.contains(UInt8(ascii: ">"))
    let isYAML =
      text[(start + prefix.count)...].first != UInt8(ascii: "N") && !text[start...].starts(with: Array("# EVEMU".utf8))
    guard isQuoted || isYAML && prefix.isEmpty else { return text.count }
    var i = start
    while i < text.count {
      let line = text[i...].prefix { $0 != 0x0A }
      let belongs = isQuoted ? line.first { $0 != 0x20 } == UInt8(ascii: ">") : isYAMLLine(line)
      guard belongs || line.allSatisfy({ $0 == 0x20 || $0 == 0x0D }) else { return i }
      i = line.endIndex + 1
    }
    return text.count
  }

  /// Whether a line is indented, a comment, an entry of a list, or a key.
  private static func isYAMLLine(_ line: ArraySlice<UInt8>) -> Bool {
    guard let first = line.first, ![0x20, 0x09, UInt8(ascii: "#")].contains(first) else { return true }
    if line.starts(with: [UInt8(ascii: "-"), 0x20]) || line.starts(with: Array("---".utf8)) { return true }
    let key = line.prefix { $0 != UInt8(ascii: ":") }
    return key.count < line.count && key.allSatisfy { $0 > 0x20 }
  }

  /// The text up to a Markdown fence, which is the end of what was pasted.
  private static func withoutFence(_ text: ArraySlice<UInt8>) -> [UInt8] {
    let fence = Array("\n```".utf8)
    var i = text.startIndex
    while let newline = text[i...].firstIndex(of: 0x0A) {
      if text[newline...].starts(with: fence) { return Array(text[...newline]) }
      i = newline + 1
    }
    return Array(text)
  }

  /// Where the recording begins, and what stands before each of its lines, such as a mail's "> ".
  private static func beginning(_ text: [UInt8]) -> (start: Int, prefix: [UInt8])? {
    var start = 0
    while start < min(text.count, longestPreamble) {
      let line = text[start...].prefix { $0 != 0x0A }
      let prefix = line.prefix { $0 == 0x20 || $0 == 0x09 || $0 == UInt8(ascii: ">") }
      let rest = line.dropFirst(prefix.count)
      if beginnings.contains(where: { rest.starts(with: $0) }), !isProse(rest) {
        // evemu's lines may be indented, and blanks alone quote nothing.
        return (start, prefix.contains(UInt8(ascii: ">")) || rest.first != UInt8(ascii: "N") ? Array(prefix) : [])
      }
      start += line.count + 1
    }
    return nil
  }

  /// "version: 0.3 of Carry" in a mail.
  private static func isProse(_ line: ArraySlice<UInt8>) -> Bool {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), ["v", "n"].contains(UnicodeScalar(line[line.startIndex]))
    else { return false }
    return line[(colon + 1)...].contains { ![0x20, 0x0D].contains($0) && !(0x30...0x39).contains($0) }
  }

  /// UTF-16 with a mark at its beginning, as some editors save text.
  private static func utf8(_ bytes: [UInt8]) -> [UInt8] {
    let isLittle = bytes.starts(with: [0xFF, 0xFE])
    guard isLittle || bytes.starts(with: [0xFE, 0xFF]) else { return bytes }
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2)
    for i in stride(from: 2, to: bytes.count - 1, by: 2) {
      let (low, high) = isLittle ? (bytes[i], bytes[i + 1]) : (bytes[i + 1], bytes[i])
      units.append(UInt16(high) << 8 | UInt16(low))
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }
}

extension [UInt8] {
  /// The parts between separators, found as they are asked for.
  func lazySplit(at separator: UInt8) -> UnfoldSequence<ArraySlice<UInt8>, Int> {
    sequence(state: startIndex) { start in
      guard start < endIndex else { return nil }
      let end = self[start...].firstIndex(of: separator) ?? endIndex
      defer { start = end + 1 }
      return self[start..<end]
    }
  }
}
