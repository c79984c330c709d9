import CarryModel

/// The lines of a file of settings: sections in brackets, keys with values, comments that begin with `#` or `;`.
struct SettingLines: Sequence, IteratorProtocol {
  enum Line {
    case section(String)
    case setting(key: String, value: String)
    /// What is wrong with the line.
    case mistake(String)
  }

  private static let lineLimit = 4096

  private let lines: [Array<UInt8>.SubSequence]
  /// The number of the newest line, from 1.
  private(set) var number = 0

  init(_ bytes: [UInt8]) { lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) }

  /// The next line that is not empty or a comment, with its number.
  mutating func next() -> (number: Int, line: Line)? {
    while number < lines.count {
      number += 1
      guard let line = Self.read(lines[number - 1]) else { continue }
      return (number, line)
    }
    return nil
  }

  private static func read(_ bytes: Array<UInt8>.SubSequence) -> Line? {
    guard bytes.count <= lineLimit else { return .mistake("the line is longer than \(lineLimit) bytes") }
    guard let text = String(validating: bytes, as: UTF8.self) else { return .mistake("not UTF-8 text") }
    let line = trimmed(text)
    if line.isEmpty || line.hasPrefix("#") || line.hasPrefix(";") { return nil }
    if line.hasPrefix("[") {
      guard line.hasSuffix("]") else { return .mistake("a section needs a closing bracket") }
      return .section(trimmed(String(line.dropFirst().dropLast())))
    }
    guard let equals = line.firstIndex(of: "=") else { return .mistake("expected 'key = value' or '[section]'") }
    return .setting(
      key: trimmed(String(line[..<equals])), value: trimmed(String(line[line.index(after: equals)...])))
  }

  private static func trimmed(_ text: String) -> String {
    var t = Substring(text)
    while let c = t.first, c == " " || c == "\t" || c == "\r" { t.removeFirst() }
    while let c = t.last, c == " " || c == "\t" || c == "\r" || c == "\r\n" { t.removeLast() }
    return String(t)
  }
}
