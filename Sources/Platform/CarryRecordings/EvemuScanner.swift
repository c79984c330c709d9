/// Reads numbers from a line of bytes. Each function moves `i` past the bytes it has read, never beyond `end`. After
/// a function has returned nil, `i` is undefined.
enum EvemuScanner {
  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

  @inline(__always)
  static func skipBlanks(_ s: Span<UInt8>, _ i: inout Int, _ end: Int) {
    while i < end, isBlank(s[i]) { i += 1 }
  }

  /// Whether a number ends here: at a blank, at a comment, or at the end of the line.
  @inline(__always)
  static func isAtWordEnd(_ s: Span<UInt8>, _ i: Int, _ end: Int) -> Bool {
    i >= end || isBlank(s[i]) || s[i] == UInt8(ascii: "#")
  }

  /// A decimal number of at most 15 digits; leading zeros do not make it octal.
  @inline(__always)
  static func digits(_ s: Span<UInt8>, _ i: inout Int, _ end: Int) -> Int64? {
    let start = i
    var value: Int64 = 0
    while i < end {
      let d = s[i] &- 0x30
      if d > 9 { break }
      if i &- start >= 15 { return nil }
      value = value &* 10 &+ Int64(d)
      i &+= 1
    }
    return i > start ? value : nil
  }

  /// Up to four hexadecimal digits after blanks.
  @inline(__always)
  static func hex(_ s: Span<UInt8>, _ i: inout Int, _ end: Int) -> UInt16? {
    skipBlanks(s, &i, end)
    let start = i
    var value: UInt16 = 0
    while i < end {
      let c = s[i]
      let d: UInt8
      switch c {
      case 0x30...0x39: d = c &- 0x30
      case 0x61...0x66: d = c &- 0x57
      case 0x41...0x46: d = c &- 0x37
      default: return i > start && isAtWordEnd(s, i, end) ? value : nil
      }
      if i &- start >= 4 { return nil }
      value = value &<< 4 | UInt16(d)
      i &+= 1
    }
    return i > start ? value : nil
  }

  /// A signed decimal after blanks. An unsigned 32-bit number beyond the signed range wraps to its signed value.
  @inline(__always)
  static func value(_ s: Span<UInt8>, _ i: inout Int, _ end: Int) -> Int32? {
    skipBlanks(s, &i, end)
    var negative = false
    if i < end, s[i] == UInt8(ascii: "-") || s[i] == UInt8(ascii: "+") {
      negative = s[i] == UInt8(ascii: "-")
      i += 1
    }
    guard let magnitude = digits(s, &i, end), isAtWordEnd(s, i, end) else { return nil }
    if negative { return magnitude <= 0x8000_0000 ? Int32(truncatingIfNeeded: -magnitude) : nil }
    return magnitude <= 0xFFFF_FFFF ? Int32(truncatingIfNeeded: magnitude) : nil
  }
}
