/// Text from a client, made harmless for files, logs and terminals.
package enum SafeText {
  /// Whether Carry forwards this media type: `type/subtype` with optional parameters, printable ASCII without blanks
  /// at the ends, at most `Limits.typeBytes` bytes.
  package static func isMediaType(_ text: String) -> Bool {
    let bytes = text.utf8
    guard bytes.count >= 3, bytes.count <= Limits.typeBytes else { return false }
    var slashes = 0
    var inParameters = false
    var previous: UInt8 = 0
    for b in bytes {
      switch b {
      case UInt8(ascii: "/"):
        if !inParameters {
          slashes += 1
          if previous == 0 { return false }
        }
      case UInt8(ascii: ";"): inParameters = true
      case 0x20: if !inParameters { return false }
      case 0x21...0x7E: break
      default: return false
      }
      previous = b
    }
    return slashes == 1 && previous != UInt8(ascii: "/") && previous != 0x20
  }

  /// Whether a scalar may be shown: no control character, and none that changes the direction of the text around it.
  private static func isShowable(_ s: Unicode.Scalar) -> Bool {
    switch s.value {
    case 0..<0x20, 0x7F..<0xA0: false
    case 0x061C, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF: false
    case 0xFFF9...0xFFFB, 0xE0000...0xE007F: false
    default: true
    }
  }

  /// The text with each dangerous scalar replaced by U+FFFD, truncated to `limit` bytes at a whole scalar.
  package static func displayable(_ text: String, limit: Int = Limits.nameBytes) -> String {
    var result = String.UnicodeScalarView()
    var used = 0
    for s in text.unicodeScalars {
      let safe: Unicode.Scalar = isShowable(s) ? s : "\u{FFFD}"
      used += UTF8.width(safe)
      if used > limit { break }
      result.append(safe)
    }
    return String(result)
  }

  /// The `file` URI of an absolute path, according to RFC 8089 and RFC 3986.
  package static func fileAddress(ofPath path: String) -> String {
    var address = "file://"
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        address.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        address += (byte < 16 ? "%0" : "%") + digits
      }
    }
    return address
  }

  /// Why a suggested name was refused; each case has a sentence for the person who sent it.
  package enum NameProblem: Explained, Equatable, Sendable {
    case empty
    case tooLong
    case notOneComponent
    case controlCharacter

    package var sentence: String {
      switch self {
      case .empty: "the name is empty or only dots"
      case .tooLong: "the name is longer than \(Limits.nameBytes) bytes"
      case .notOneComponent: "the name contains a slash; a name is one path component"
      case .controlCharacter: "the name contains a control, newline or text-direction character"
      }
    }
  }

  /// Turns a suggested file name into one harmless path component. Leading dots, dashes and blanks are dropped, so
  /// that the file is never hidden and no command mistakes its name for an option. A slash, a control character or an
  /// empty remainder is refused.
  package static func fileName(_ text: String) throws(NameProblem) -> String {
    guard text.utf8.count <= Limits.nameBytes else { throw .tooLong }
    for s in text.unicodeScalars {
      if s == "/" { throw .notOneComponent }
      if !isShowable(s) { throw .controlCharacter }
    }
    var scalars = text.unicodeScalars[...]
    while let first = scalars.first, first == "." || first == " " || first == "-" { scalars.removeFirst() }
    while let last = scalars.last, last == " " { scalars.removeLast() }
    guard !scalars.isEmpty else { throw .empty }
    return String(String.UnicodeScalarView(scalars))
  }
}
