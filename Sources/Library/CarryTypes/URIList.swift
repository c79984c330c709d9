/// `text/uri-list`: one address per line, each line ended by a carriage return and a newline; lines with `#` are
/// comments.
package enum URIList {
  /// The maximum length of an address in bytes.
  static let longest = 65_536
  /// The maximum number of addresses that are read.
  package static let most = 10_000

  static func write(_ addresses: [String]) -> [UInt8] { addresses.flatMap { Array($0.utf8) + [0x0D, 0x0A] } }

  /// The addresses in the list; invalid ones are skipped.
  static func read(_ bytes: [UInt8]) -> [String] {
    var found: [String] = []
    for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) where found.count < most {
      guard line.first != UInt8(ascii: "#"), let address = address(line) else { continue }
      found.append(address)
    }
    return found
  }

  /// The bytes as an address, without surrounding blanks: a scheme, a colon, and characters that are valid in
  /// addresses.
  static func address(_ bytes: some BidirectionalCollection<UInt8>) -> String? {
    func isBlank(_ b: UInt8) -> Bool { b == 0x20 || b == 0x09 || b == 0x0A || b == 0x0D }
    var text = Array(bytes.prefix(longest + 100).drop(while: isBlank))
    while let last = text.last, isBlank(last) { text.removeLast() }
    guard text.count <= longest, let colon = text.firstIndex(of: UInt8(ascii: ":")), colon > 0, colon + 1 < text.count
    else { return nil }
    let isScheme = text[..<colon].enumerated().allSatisfy { i, b in
      switch b {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): i > 0
      default: false
      }
    }
    // Control characters, blanks, quotes and angle brackets are invalid. Characters beyond ASCII are accepted, as
    // many programs do not escape them although they should.
    let isClean = text.allSatisfy { $0 > 0x20 && $0 != 0x7F && !forbidden.contains($0) }
    return isScheme && isClean ? String(validating: text, as: UTF8.self) : nil
  }

  private static let forbidden: [UInt8] = Array("\"<>\\^`{|}".utf8)

  // MARK: Escapes

  /// Escapes the bytes that are invalid in the path of an address, as in `%20`.
  static func escaped(_ bytes: some Sequence<UInt8>) -> String {
    var text: [UInt8] = []
    for b in bytes {
      switch b {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"), UInt8(ascii: "/"):
        text.append(b)
      default:
        let digits = Array("0123456789ABCDEF".utf8)
        text += [UInt8(ascii: "%"), digits[Int(b >> 4)], digits[Int(b & 15)]]
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes of an escaped text. A `%` that is not followed by two hexadecimal digits is itself.
  static func unescaped(_ text: some StringProtocol) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let b = rest.popFirst() {
      if b == UInt8(ascii: "%"), let high = rest.first.flatMap(digit), let low = rest.dropFirst().first.flatMap(digit) {
        bytes.append(high << 4 | low)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(b)
      }
    }
    return bytes
  }

  private static func digit(_ b: UInt8) -> UInt8? {
    switch b {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): b - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): b - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): b - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
