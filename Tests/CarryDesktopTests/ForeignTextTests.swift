import CarrySelections
import CarryXdnd
import Testing

@Suite struct ForeignTextTests {
  private func text(_ bytes: [UInt8], _ charset: String) -> String? {
    ForeignTypes.Source("x", .text(charset: charset)).decoded(bytes).map { String(decoding: $0, as: UTF8.self) }
  }

  private func wide(_ text: String, bigEndian: Bool = false) -> [UInt8] {
    text.utf16.flatMap { unit in
      bigEndian ? [UInt8(unit >> 8), UInt8(unit & 255)] : [UInt8(unit & 255), UInt8(unit >> 8)]
    }
  }

  @Test("Z1: text arrives as UTF-8 whatever its charset, without marks and without zeros at the end")
  func Z1_charsets() {
    #expect(text([0x47, 0xFC], "ISO-8859-1") == "Gü" && text([0x80], "WINDOWS-1252") == "€")
    #expect(text([0xA4], "ISO-8859-15") == "€" && text([0xC1], "KOI8-R") == "а")
    #expect(text(Array("Gü€".utf8) + [0], "UTF-8") == "Gü€")
    #expect(text([0xEF, 0xBB, 0xBF] + Array("Gü".utf8), "UTF-8") == "Gü")
    // Its name says UTF-8, its bytes do not.
    #expect(text([0x47, 0xFC], "UTF-8") == "Gü")
    #expect(text(wide("Gü😀"), "UTF-16") == "Gü😀" && text(wide("Gü", bigEndian: true), "UTF-16BE") == "Gü")
    // The mark prevails over the name.
    #expect(text(wide("\u{FEFF}Gü", bigEndian: true), "UTF-16") == "Gü")
    #expect(text(wide("\u{FEFF}Gü\0"), "UTF-16BE") == "Gü")
    #expect(text([0x41, 0, 0x00, 0xDC, 0x42, 0], "UTF-16") == "A\u{FFFD}B" && text([0x41, 0, 0x42], "UTF-16") == "A")
    #expect(text([], "UTF-8") == "" && text([1], "NO-SUCH-CHARSET") == nil)
    let long = [UInt8](repeating: 0xFC, count: 1_000_000)
    #expect(text(long, "ISO-8859-1") == String(repeating: "ü", count: long.count))
  }

  @Test("Z1: of compound text, the Latin-1 and UTF-8 segments are read, and others are refused")
  func Z1_compoundText() {
    let compound = ForeignTypes.compoundText
    #expect(text([0x47, 0xFC], compound) == "Gü")
    #expect(text(Array("a\u{1B}%GGü€\u{1B}%@".utf8) + [0xFC], compound) == "aGü€ü")
    #expect(text(Array("\u{1B}-A".utf8) + [0xFC], compound) == "ü")
    #expect(text(Array("\u{1B}$(B0!".utf8), compound) == nil && text([0x1B], compound) == nil)
  }

  @Test("Z1: of a link only its address is looked for, and a part of one is none") func Z1_links() {
    func list(_ bytes: [UInt8], _ charset: String) -> [UInt8]? {
      ForeignTypes.Source("x", .link(charset: charset)).decoded(bytes)
    }
    let link = Array("https://e.org/\r\n".utf8)
    #expect(list(wide("https://e.org/\nTitle"), "UTF-16") == link)
    #expect(list(wide("\u{FEFF}https://e.org/\nTitle", bigEndian: true), "UTF-16") == link)
    #expect(list(Array("https://e.org/\nTitle".utf8), "UTF-16") == link)
    #expect(list(wide("https://e.org/\0"), "UTF-16") == link && list([], "UTF-16") == [])
    #expect(list(Array("\r\n#c\nhttps://e.org/\r\nT".utf8), "UTF-8") == link)
    let address = "a:" + String(repeating: "b", count: (2 << 20) - 2)
    for (charset, bytes) in [("UTF-8", Array(address.utf8)), ("UTF-16", wide(address))] {
      let newline = bytes.count > address.count ? [0x0A, 0] : [0x0A] as [UInt8]
      #expect(list(bytes + newline, charset) == Array("\(address)\r\n".utf8))
      #expect(list(bytes, charset) == Array("\(address)\r\n".utf8))
      #expect(list(bytes + bytes, charset) == [])
    }
    let copied = ForeignTypes.Source("x", .copiedFiles)
    #expect(copied.decoded(Array("cut\nfile:///a\nfile:///b".utf8)) == Array("file:///a\nfile:///b".utf8))
    let empty = [UInt8](repeating: 0x0A, count: 100_000)
    #expect(list(empty + Array("a:b\n".utf8), "UTF-8") == Array("a:b\r\n".utf8))
    #expect(list(empty + Array(address.utf8), "UTF-8") == [])
  }
}
