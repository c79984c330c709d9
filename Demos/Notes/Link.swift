/// An address that was dropped. It is shown and carried on; nothing here ever opens it.
struct Link: Equatable {
  let address: String
  /// What the page is called, where that was said.
  let title: String?

  private static let longest = 4096

  /// Nil when the text is no address.
  init?(_ text: String, title: String? = nil) {
    let trimmed = Self.trimmed(text)
    guard let colon = trimmed.firstIndex(of: ":"), trimmed.utf8.count <= Self.longest else { return nil }
    let scheme = trimmed[..<colon]
    let rest = trimmed[trimmed.index(after: colon)...]
    func isLetter(_ s: UnicodeScalar) -> Bool { s.isASCII && s.properties.isAlphabetic }
    guard scheme.unicodeScalars.first.map(isLetter) == true,
      scheme.unicodeScalars.allSatisfy({ isLetter($0) || "0123456789+.-".unicodeScalars.contains($0) }),
      rest.hasPrefix("//") && rest.count > 2 || ["mailto", "tel"].contains(scheme.lowercased()) && !rest.isEmpty,
      trimmed.unicodeScalars.allSatisfy({ $0.value > 0x20 && !(0x7F...0x9F).contains($0.value) })
    else { return nil }
    address = String(trimmed)
    let name = title.map { String(Self.trimmed(Note.harmless($0).filter { $0 != "\n" }).prefix(120)) }
    self.title = name?.isEmpty == false ? name : nil
  }

  /// From what a source handed over.
  init?(_ bytes: [UInt8], type: String) {
    if type.hasPrefix("text/x-moz-url") {
      // UTF-16: the address, and in the next line what it is called.
      var units: [UInt16] = []
      for i in stride(from: 0, to: bytes.count - 1, by: 2) {
        units.append(UInt16(bytes[i]) | UInt16(bytes[i + 1]) << 8)
      }
      if units.first == 0xFEFF { units.removeFirst() }
      let lines = String(decoding: units, as: UTF16.self).split(separator: "\n", maxSplits: 1)
      guard let address = lines.first else { return nil }
      self.init(String(address), title: lines.count > 1 ? String(lines[1]) : nil)
      return
    }
    let text = String(decoding: bytes, as: UTF8.self)
    if type.hasPrefix("text/uri-list") {
      // Lines with a # are remarks.
      guard let line = text.split(whereSeparator: \.isNewline).first(where: { !$0.hasPrefix("#") }) else { return nil }
      self.init(String(line))
    } else {
      self.init(text)
    }
  }

  private static func trimmed(_ text: String) -> Substring {
    let start = text.drop { $0.isWhitespace }
    guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return start[...last]
  }

  /// What people call the place.
  var host: String {
    guard let colon = address.firstIndex(of: ":") else { return address }
    let rest = address[address.index(after: colon)...].drop { $0 == "/" }
    // What stands before an @ is not where it leads.
    let place = rest.prefix { !"/?#".contains($0) }.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    let name = place.hasPrefix("www.") ? place.dropFirst(4) : place
    return name.isEmpty ? String(rest.prefix(60)) : String(name.prefix(60))
  }

  /// For programs that take a name with the address.
  var mozilla: [UInt8] { "\(address)\n\(title ?? host)".utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] } }
}
