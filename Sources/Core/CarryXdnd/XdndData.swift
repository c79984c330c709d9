/// Encodes the data of X types.
package enum XdndData {
  /// The joined text of several items.
  package static func text(_ texts: [[UInt8]], _ encoding: XdndOffer.Encoding) -> [UInt8] {
    encoded(Array(texts.joined(separator: [0x0A])), encoding)
  }

  /// The length of the longest address that Chromium supports, in characters.
  package static let maxLinked = 2 << 20

  /// A link for browsers: address, newline, title. Nil if the address is too long.
  package static func link(_ list: [UInt8], _ encoding: XdndOffer.Encoding, title: String) -> [UInt8]? {
    guard let address = firstAddress(list) ?? (list.count > maxLinked ? nil : []) else { return nil }
    let shown = title.isEmpty ? address : Array(title.utf8)
    return encoded(address + [0x0A] + shown, encoding)
  }

  /// The first line of a URI list that is not a comment, if it ends within the first 2 MiB.
  package static func firstAddress(_ list: [UInt8]) -> [UInt8]? {
    var first: [UInt8]?
    visit(list, within: maxLinked) { line in
      first = Array(line)
      return false
    }
    return first
  }

  /// The lines of a URI list, without comments.
  package static func addresses(_ list: [UInt8], most: Int = .max) -> [[UInt8]] {
    var found: [[UInt8]] = []
    visit(list) { line in
      found.append(Array(line))
      return found.count < most
    }
    return found
  }

  /// A URI list; each line ends with CR LF.
  package static func list(_ addresses: [String]) -> [UInt8] {
    Array(addresses.map { Array($0.utf8) + [0x0D, 0x0A] }.joined())
  }

  /// Normalises a URI list: CR LF line ends, no comments.
  package static func list(_ lines: [UInt8]) -> [UInt8] {
    var list: [UInt8] = []
    list.reserveCapacity(lines.count + 2)
    visit(lines) { line in
      list += line
      list += [0x0D, 0x0A]
      return true
    }
    return list
  }

  /// The clipboard format of file managers: the operation, then one address a line.
  package static func copiedFiles(_ list: [UInt8]) -> [UInt8] {
    var copied = Array("copy".utf8)
    copied.reserveCapacity(list.count + 5)
    visit(list) { line in
      copied.append(0x0A)
      copied += line
      return true
    }
    return copied
  }

  /// Visits the lines of a URI list that are neither empty nor comments. There may be millions.
  ///
  /// - Parameters:
  ///   - most: How many bytes are examined. A line that continues beyond is ignored.
  ///   - body: Called with a line; returns whether to continue.
  private static func visit(
    _ list: [UInt8], within most: Int = .max, _ body: (Slice<UnsafeBufferPointer<UInt8>>) -> Bool
  ) {
    list.withUnsafeBufferPointer { bytes in
      var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
      for end in start...max(start, min(bytes.count, most)) {
        let isEnd = end == bytes.count || bytes[end] == 0
        guard isEnd || bytes[end] == 0x0A || bytes[end] == 0x0D else { continue }
        var line = bytes[start..<end]
        while let first = line.first, isBlank(first) { line.removeFirst() }
        while let last = line.last, isBlank(last) { line.removeLast() }
        if let first = line.first, first != UInt8(ascii: "#"), !body(line) { return }
        if isEnd { return }
        start = end + 1
      }
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  static func encoded(_ utf8: [UInt8], _ encoding: XdndOffer.Encoding) -> [UInt8] {
    switch encoding {
    case .utf8: return utf8
    case .latin1:
      return String(decoding: utf8, as: UTF8.self).unicodeScalars.map {
        $0.value < 256 ? UInt8($0.value) : UInt8(ascii: "?")
      }
    case .utf16:
      // In native byte order, as in Firefox.
      return Array(String(decoding: utf8, as: UTF8.self).utf16).withUnsafeBytes { Array($0) }
    }
  }
}
