import CLinux
import CarryXdnd

extension ForeignTypes.Source {
  /// Converts bytes to those of the media type.
  ///
  /// - Returns: Nil for text in an encoding that is not known.
  package func decoded(_ bytes: [UInt8]) -> [UInt8]? {
    switch decoding {
    case .none, .portal, .directSave: bytes
    case .text(let charset): ForeignText.utf8(bytes[...], charset)
    case .link(let charset): Self.list(bytes, charset)
    case .copiedFiles: Array(bytes.drop { $0 != 0x0A }.dropFirst())
    }
  }

  /// A list with the first address. A source may send hundreds of megabytes of lines.
  private static func list(_ bytes: [UInt8], _ charset: String) -> [UInt8]? {
    // Some programs write the browsers' type in UTF-8. An address has ASCII characters, so a wide one has zeros.
    let charset = bytes.prefix(XdndData.maxLinked).contains(0) ? charset : "UTF-8"
    let most = (XdndData.maxLinked + 1) * (charset == "UTF-8" ? 1 : 2)
    guard var text = ForeignText.utf8(bytes.prefix(most), charset) else { return nil }
    // A truncated address would be a different one.
    if bytes.count >= most { text = Array(text[..<(text.lastIndex(of: 0x0A) ?? 0)]) }
    return XdndData.firstAddress(text).map { XdndData.list($0) } ?? []
  }
}

/// Text of other programs as UTF-8.
package enum ForeignText {
  /// - Parameter charset: As `iconv` names it, or `ForeignTypes.compoundText`. A byte order mark prevails.
  /// - Returns: The text without byte order mark and without zeros at the end; nil for an unknown charset.
  package static func utf8(_ bytes: ArraySlice<UInt8>, _ charset: String) -> [UInt8]? {
    let marks: [(mark: [UInt8], charset: String)] = [
      ([0xEF, 0xBB, 0xBF], "UTF-8"), ([0xFF, 0xFE], "UTF-16LE"), ([0xFE, 0xFF], "UTF-16BE"),
    ]
    // In other charsets these are letters.
    let mark = charset.hasPrefix("UTF-") ? marks.first { bytes.starts(with: $0.mark) } : nil
    let bytes = bytes.dropFirst(mark?.mark.count ?? 0)
    var text: [UInt8]?
    switch mark?.charset ?? charset {
    case "UTF-8": text = utf8(bytes)
    case ForeignTypes.compoundText: text = compound(bytes)
    // Without a mark: in native byte order, as browsers write it.
    case "UTF-16": text = converted(bytes, "UTF-16LE", width: 2)
    case let charset: text = converted(bytes, charset, width: charset.hasPrefix("UTF-16") ? 2 : 1)
    }
    while text?.last == 0 { text?.removeLast() }
    return text
  }

  /// Text that is not valid UTF-8 is Latin-1, whatever its name says.
  private static func utf8(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    String(validating: bytes, as: UTF8.self) == nil ? converted(bytes, "ISO-8859-1") : Array(bytes)
  }

  /// The Latin-1 and UTF-8 segments of compound text, and nothing else ("Compound Text Encoding", X Consortium).
  private static func compound(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    let escape: UInt8 = 0x1B
    guard bytes.contains(escape) else { return utf8(bytes) }
    var (rest, text, charset) = (bytes, [UInt8](), "ISO-8859-1")
    while !rest.isEmpty {
      let segment = rest.prefix { $0 != escape }
      guard let converted = charset == "UTF-8" ? utf8(segment) : converted(segment, charset) else { return nil }
      text += converted
      rest = rest.dropFirst(segment.count)
      guard !rest.isEmpty else { break }
      switch Array(rest.prefix(3).dropFirst()) {
      case Array("%G".utf8): charset = "UTF-8"
      case Array("%@".utf8), Array("(B".utf8), Array("-A".utf8): charset = "ISO-8859-1"
      default: return nil
      }
      rest = rest.dropFirst(3)
    }
    return text
  }

  /// - Parameter width: The bytes of a code unit. One that has no meaning becomes U+FFFD.
  private static func converted(_ bytes: ArraySlice<UInt8>, _ charset: String, width: Int = 1) -> [UInt8]? {
    let converter = iconv_open("UTF-8", charset)
    guard Int(bitPattern: converter) != -1 else { return nil }
    defer { iconv_close(converter) }
    var (text, input) = ([UInt8](), Array(bytes))
    text.reserveCapacity(input.count)
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    input.withUnsafeMutableBytes { input in
      var next = input.baseAddress?.assumingMemoryBound(to: CChar.self)
      var left = input.count
      while left > 0 {
        let (result, count) = piece.withUnsafeMutableBytes { piece in
          var output = piece.baseAddress?.assumingMemoryBound(to: CChar.self)
          var room = piece.count
          clinux_set_errno(0)
          return (iconv(converter, &next, &left, &output, &room), piece.count - room)
        }
        text += piece[..<count]
        // EINVAL: the last character is incomplete.
        if result != -1 || clinux_errno() == EINVAL { break }
        if clinux_errno() == E2BIG { continue }
        text += Array("\u{FFFD}".utf8)
        let skipped = min(width, left)
        next = next?.advanced(by: skipped)
        left -= skipped
      }
    }
    return text
  }
}
