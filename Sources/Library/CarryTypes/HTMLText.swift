/// Converts HTML to plain text and back. Not a browser: it does what pasting formatted text as plain text needs. It
/// accepts any text, in a time proportional to its length.
enum HTMLText {
  /// Plain text as HTML.
  static func html(of text: String) -> String {
    var html: [UInt8] = []
    html.reserveCapacity(text.utf8.count + 16)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): html += Array("&amp;".utf8)
      case UInt8(ascii: "<"): html += Array("&lt;".utf8)
      case UInt8(ascii: ">"): html += Array("&gt;".utf8)
      case UInt8(ascii: "\n"): html += Array("<br>".utf8)
      default: html.append(byte)
      }
    }
    return String(decoding: html, as: UTF8.self)
  }

  /// The text of HTML: without tags, comments, scripts and styles, with the line breaks of the HTML.
  static func words(of html: String) -> String {
    var reader = Reader(html: Array(html.utf8))
    return reader.read()
  }

  private struct Reader {
    let html: [UInt8]
    private var at = 0
    private var text: [UInt8] = []
    /// Line breaks and blanks are written before the next word only: there are none at the ends.
    private var newLines = 0
    private var hasBlank = false
    private var preDepth = 0

    init(html: [UInt8]) { self.html = html }

    /// Elements whose content is not text.
    private static let silent: Set<String> = ["script", "style", "title"]
    /// Elements on lines of their own.
    private static let blocks: Set<String> = [
      "address", "article", "aside", "blockquote", "dd", "div", "dl", "dt", "figure", "footer", "form", "h1", "h2",
      "h3",
      "h4", "h5", "h6", "header", "hr", "li", "main", "nav", "ol", "p", "pre", "section", "table", "tr", "ul",
    ]
    private static let longestEntity = 10

    mutating func read() -> String {
      while at < html.count {
        switch html[at] {
        case UInt8(ascii: "<"): if !skipTag() { write(html[at..<(at + 1)]) }
        case UInt8(ascii: "&"): readEntity()
        case 0x20, 0x09, 0x0A, 0x0C, 0x0D: readBlank()
        default: write(html[at..<(at + 1)])
        }
      }
      return String(decoding: text, as: UTF8.self)
    }

    private mutating func write(_ bytes: some Collection<UInt8>, isAdvancing: Bool = true) {
      if !text.isEmpty {
        if newLines > 0 {
          text += [UInt8](repeating: 0x0A, count: newLines)
        } else if hasBlank {
          text.append(0x20)
        }
      }
      (newLines, hasBlank) = (0, false)
      text += bytes
      if isAdvancing { at += bytes.count }
    }

    private mutating func readBlank() {
      if preDepth > 0, html[at] == 0x0A {
        newLines += 1
      } else if preDepth > 0, html[at] != 0x0D {
        return write([0x20])
      } else {
        hasBlank = true
      }
      at += 1
    }

    /// - Returns: false if the character does not begin a tag.
    private mutating func skipTag() -> Bool {
      guard at + 1 < html.count else { return false }
      let isEnd = html[at + 1] == UInt8(ascii: "/")
      let begin = at + (isEnd ? 2 : 1)
      guard begin < html.count else { return false }
      if has("!--", at: begin) {
        at = end(of: "-->", from: begin + 3)
        return true
      }
      guard Self.isLetter(html[begin]) || !isEnd && "!?".utf8.contains(html[begin]) else { return false }
      var stop = begin
      while stop < html.count, Self.isLetter(html[stop]) || Self.isDigit(html[stop]) { stop += 1 }
      let name = String(decoding: html[begin..<min(stop, begin + 16)], as: UTF8.self).lowercased()
      at = tagEnd(from: stop)
      noteTag(name, isEnd: isEnd)
      if !isEnd, Self.silent.contains(name) { at = end(of: "</\(name)", from: at, isNameOnly: true) }
      return true
    }

    private mutating func noteTag(_ name: String, isEnd: Bool) {
      if name == "br" {
        newLines += 1
      } else if name == "td" || name == "th" {
        hasBlank = true
      } else if Self.blocks.contains(name) {
        newLines = max(newLines, 1)
        if name == "pre" { preDepth = max(0, preDepth + (isEnd ? -1 : 1)) }
      }
    }

    /// The position after the tag's end, ignoring quoted text.
    private func tagEnd(from start: Int) -> Int {
      var i = start
      var quote: UInt8?
      while i < html.count {
        let byte = html[i]
        i += 1
        if let open = quote {
          if byte == open { quote = nil }
        } else if byte == UInt8(ascii: ">") {
          return i
        } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
          quote = byte
        }
      }
      return i
    }

    private func has(_ text: String, at start: Int) -> Bool {
      let bytes = text.utf8
      return start + bytes.count <= html.count && zip(html[start...], bytes).allSatisfy { $0 == $1 || $0 | 0x20 == $1 }
    }

    /// The position after a text, or the end of the HTML if it does not occur.
    ///
    /// - Parameter isNameOnly: whether the text is the beginning of a tag, whose end is returned.
    private func end(of text: String, from start: Int, isNameOnly: Bool = false) -> Int {
      var i = start
      while i < html.count {
        if has(text, at: i) { return isNameOnly ? tagEnd(from: i) : i + text.utf8.count }
        i += 1
      }
      return html.count
    }

    private mutating func readEntity() {
      let most = min(html.count, at + Self.longestEntity)
      guard let stop = html[at..<most].firstIndex(of: UInt8(ascii: ";")), let meant = Self.entity(html[(at + 1)..<stop])
      else { return write(html[at..<(at + 1)]) }
      if meant == "\u{A0}" {
        write([0x20], isAdvancing: false)
      } else {
        write(Array(String(meant).utf8), isAdvancing: false)
      }
      at = stop + 1
    }

    private static func entity(_ bytes: ArraySlice<UInt8>) -> Unicode.Scalar? {
      let name = String(decoding: bytes, as: UTF8.self)
      switch name {
      case "amp": return "&"
      case "lt": return "<"
      case "gt": return ">"
      case "quot": return "\""
      case "apos": return "'"
      case "nbsp": return "\u{A0}"
      default: break
      }
      guard name.hasPrefix("#") else { return nil }
      let isHex = name.dropFirst().first.map { $0 == "x" || $0 == "X" } ?? false
      guard let number = isHex ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst()) else { return nil }
      // Control characters must not get in as entities.
      guard number >= 0x20, number != 0x7F, !(0x80..<0xA0).contains(number) else { return number == 10 ? "\n" : nil }
      return Unicode.Scalar(number)
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
  }
}
