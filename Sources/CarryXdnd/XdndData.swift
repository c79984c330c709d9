/// The data of X types.
package enum XdndData {
  /// Text of several items.
  package static func text(_ texts: [[UInt8]], _ encoding: XdndOffer.Encoding) -> [UInt8] {
    encoded(Array(texts.joined(separator: [0x0A])), encoding)
  }

  /// The largest address of Chromium has so many characters.
  static let mostLinked = 2 << 20

  /// A link for browsers: its address, a newline, its title. Nil where the address is too long.
  package static func link(_ list: [UInt8], _ encoding: XdndOffer.Encoding, title: String) -> [UInt8]? {
    guard let address = firstAddress(list) ?? (list.count > mostLinked ? nil : []) else { return nil }
    let shown = title.isEmpty ? address : Array(title.utf8)
    return encoded(address + [0x0A] + shown, encoding)
  }

  /// The first line of a list of addresses that is no comment, if it ends within its first 2 MiB.
  static func firstAddress(_ list: [UInt8]) -> [UInt8]? {
    var first: [UInt8]?
    visit(list, within: mostLinked) { line in
      first = Array(line)
      return false
    }
    return first
  }

  /// The lines of a list of addresses, without comments.
  package static func addresses(_ list: [UInt8], most: Int = .max) -> [[UInt8]] {
    var found: [[UInt8]] = []
    visit(list) { line in
      found.append(Array(line))
      return found.count < most
    }
    return found
  }

  /// A list of addresses: each line ends with a carriage return and a newline.
  package static func list(_ addresses: [String]) -> [UInt8] {
    Array(addresses.map { Array($0.utf8) + [0x0D, 0x0A] }.joined())
  }

  /// The same of lines that end in any way, and without comments.
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

  /// The same for file managers that paste: what is to be done with the files, and their addresses, a line each.
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

  /// Goes through the lines of a list of addresses that are neither empty nor comments, without blanks at either end. A
  /// mark at the beginning is left out, and a NUL ends the list. There may be millions of lines.
  ///
  /// - Parameters:
  ///   - most: how many bytes are looked at; a line that goes on after them is left out.
  ///   - body: gets a line; returns whether there is to be another.
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
      // In the byte order of the machine, as Firefox reads and writes it.
      return Array(String(decoding: utf8, as: UTF8.self).utf16).withUnsafeBytes { Array($0) }
    }
  }
}
