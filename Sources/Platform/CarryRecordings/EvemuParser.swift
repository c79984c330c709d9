import CarryContacts
package import CarryModel

/// Reads evemu recordings, versions 1.0 to 1.3, with the description, the events or both in the file.
///
/// Numbers are read as evemu's own scanf reads them. All values are decimal, even with leading zeros. The part of a
/// time after the dot counts microseconds, so `.5` is 5 µs; digits from the seventh on are ignored.
///
/// A broken line does not spoil the rest of the file: the line is left out and counted. A file is refused if it does
/// not start like a recording, if it holds no complete line of one, or if a line is longer than 64 KiB.
package enum EvemuParser {
  package static let longestLine = 64 * 1024

  /// `file` is the name to use in errors.
  package static func parse(_ bytes: [UInt8], file: String) throws(FileProblem) -> Recording {
    try parse(bytes.span, file: file)
  }

  package static func parse(_ bytes: Span<UInt8>, file: String) throws(FileProblem) -> Recording {
    var recording = Recording()
    // An event line has at least 30 bytes in practice. Too large a guess costs address space only.
    recording.events.reserveCapacity(bytes.count / 30)
    var description = DescriptionBuilder()
    var number = 0
    var start = 0
    while start < bytes.count {
      number += 1
      var end = start
      while end < bytes.count, bytes[end] != 0x0A, end &- start <= longestLine { end &+= 1 }
      if end - start > longestLine {
        throw FileProblem(file: file, line: number, message: "the line is longer than \(longestLine / 1024) KiB")
      }
      var i = start
      start = end + 1
      EvemuScanner.skipBlanks(bytes, &i, end)
      if i >= end || bytes[i] == UInt8(ascii: "#") { continue }
      let letter = bytes[i]
      guard i + 1 < end, bytes[i + 1] == UInt8(ascii: ":") else {
        try refuseForeignFile(recording, description, bytes, i, end, file: file, line: number)
        recording.problems.record(isKnown(letter) && i + 1 == end ? kind(letter) : .unknownLine, at: number)
        continue
      }
      i += 2
      if letter == UInt8(ascii: "E") {
        if let event = event(bytes, i, end) {
          recording.events.append(event)
        } else {
          recording.problems.record(.brokenEventLine, at: number)
        }
      } else if isKnown(letter) {
        if !description.line(letter, bytes, i, end) { recording.problems.record(.brokenDescriptionLine, at: number) }
      } else {
        try refuseForeignFile(recording, description, bytes, i - 2, end, file: file, line: number)
        recording.problems.record(.unknownLine, at: number)
      }
    }
    if description.isPresent { recording.description = description.result }
    if recording.events.isEmpty, !description.isPresent {
      let first = recording.problems.entries.first
      throw FileProblem(
        file: file, line: first?.first ?? 0,
        message: first.map { "no evemu recording: \($0.kind.sentence), and no other line is complete" }
          ?? "no evemu recording: the file has no event and no device description")
    }
    return recording
  }

  private static func isKnown(_ letter: UInt8) -> Bool {
    switch letter {
    case UInt8(ascii: "N"), UInt8(ascii: "I"), UInt8(ascii: "P"), UInt8(ascii: "B"), UInt8(ascii: "A"),
      UInt8(ascii: "L"), UInt8(ascii: "S"), UInt8(ascii: "E"):
      true
    default: false
    }
  }

  private static func kind(_ letter: UInt8) -> ProblemKind {
    letter == UInt8(ascii: "E") ? .brokenEventLine : .brokenDescriptionLine
  }

  /// Refuses a file whose first line with content is not evemu's: that file is not a damaged recording, but another
  /// kind of file.
  private static func refuseForeignFile(
    _ recording: Recording, _ description: DescriptionBuilder, _ bytes: Span<UInt8>, _ start: Int, _ end: Int,
    file: String, line: Int
  ) throws(FileProblem) {
    guard recording.events.isEmpty, !description.isPresent, recording.problems.isEmpty else { return }
    if isKnown(bytes[start]), start + 1 == end { return }  // Truncated right there.
    var beginning: [UInt8] = []
    for i in start..<min(end, start + 8) { beginning.append(bytes[i]) }
    let message =
      beginning == Array("version:".utf8)
      ? "this is a libinput-record file; only evemu recordings can be read"
      : "no evemu recording: a line starts with a letter and a colon, such as \"N:\" or \"E:\""
    throw FileProblem(file: file, line: line, message: message)
  }

  /// The event that follows `E:`, or nil if it is incomplete or broken.
  @inline(__always)
  private static func event(_ s: Span<UInt8>, _ from: Int, _ end: Int) -> EvdevEvent? {
    var i = from
    EvemuScanner.skipBlanks(s, &i, end)
    // A time beyond 30,000 years is damage; the bound also keeps the microseconds within 64 bits.
    guard let seconds = EvemuScanner.digits(s, &i, end), seconds < 1_000_000_000_000, i < end,
      s[i] == UInt8(ascii: ".")
    else { return nil }
    i += 1
    var microseconds: Int64 = 0
    var digits = 0
    while i < end, s[i] &- 0x30 <= 9 {
      if digits < 6 { microseconds = microseconds &* 10 &+ Int64(s[i] &- 0x30) }
      digits += 1
      i += 1
    }
    guard digits > 0, i < end, EvemuScanner.isBlank(s[i]), let type = EvemuScanner.hex(s, &i, end),
      let code = EvemuScanner.hex(s, &i, end), let value = EvemuScanner.value(s, &i, end)
    else { return nil }
    return EvdevEvent(
      time: Instant(microseconds: seconds &* 1_000_000 &+ microseconds), type: type, code: code, value: value)
  }
}
