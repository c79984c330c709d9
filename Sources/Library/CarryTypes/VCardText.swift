/// Code shared by reading and writing cards.
enum VCardText {
  static let maxContacts = 100
  static let maxKinds = 16
  static let maxCharacters = 65_536
  static let maxPhotoBytes = 8 << 20

  /// Removes control characters, which cards must not contain, except newlines and tabs.
  static func clean(_ text: String) -> String {
    // Most texts are clean, and are not copied. The line breaks of other systems become newlines.
    guard text.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A || $0 == 0x7F }) else { return text }
    var scalars = String.UnicodeScalarView()
    var wasReturn = false
    for s in text.unicodeScalars {
      if s == "\r" || s == "\n" && !wasReturn { scalars.append("\n") }
      if s.value == 0x09 || s.value >= 0x20 && s.value != 0x7F { scalars.append(s) }
      wasReturn = s == "\r"
    }
    return String(scalars)
  }

  /// A word such as `work`: lower-case letters, digits and dashes; nil for anything else.
  static func kind(_ bytes: some Collection<UInt8>) -> String? {
    word(bytes) { $0 == UInt8(ascii: "-") }
  }

  /// The part after the slash of `image/svg+xml`.
  static func subtype(_ bytes: some Collection<UInt8>) -> String? {
    word(bytes) { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: ".") }
  }

  private static func word(_ bytes: some Collection<UInt8>, _ isMark: (UInt8) -> Bool) -> String? {
    guard (1...64).contains(bytes.count) else { return nil }
    var word: [UInt8] = []
    for b in bytes {
      switch b {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): word.append(b | 0x20)
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): word.append(b)
      case _ where isMark(b): word.append(b)
      default: return nil
      }
    }
    return String(decoding: word, as: UTF8.self)
  }
}

/// Base64, the encoding of photos in cards.
enum Base64 {
  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 255, count: 256)
    for (i, digit) in digits.enumerated() { values[Int(digit)] = UInt8(i) }
    return values
  }()

  static func encode(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let part = bytes[start..<min(start + 3, bytes.count)]
      var word = 0
      for i in 0..<3 { word = word << 8 | (i < part.count ? Int(part[start + i]) : 0) }
      for i in 0..<4 { text.append(i <= part.count ? digits[word >> (18 - 6 * i) & 63] : UInt8(ascii: "=")) }
    }
    return text
  }

  /// Decodes a text, ignoring blanks; nil if it is invalid.
  static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    var (word, bits, isOver) = (0, 0, false)
    for digit in text {
      if digit == 0x20 || digit == 0x09 { continue }
      if digit == UInt8(ascii: "=") {
        isOver = true
        continue
      }
      let value = values[Int(digit)]
      guard value != 255, !isOver else { return nil }
      word = (word << 6 | Int(value)) & 0xFFFF
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: word >> bits))
      }
    }
    return bytes
  }
}
