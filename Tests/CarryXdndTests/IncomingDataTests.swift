import CarryModel
import CarryXdnd
import Testing

@Suite struct IncomingDataTests {
  private let start = Instant(microseconds: 1_000_000)

  @Test("Z15: the answer, each part, and all of it have a time of their own") func Z15_patience() {
    var data = IncomingData(
      at: start, within: .init(answer: .milliseconds(300), rest: .seconds(2), whole: .seconds(3)))
    #expect(data.nextDeadline == start + .milliseconds(300))
    #expect(data.answered(.incremental, at: start + .milliseconds(200)) == nil)
    #expect(data.nextDeadline == start + .milliseconds(2200))
    #expect(data.part(.bytes([1]), at: start + .seconds(2)) == nil && data.nextDeadline == start + .seconds(3))
    #expect(data.advance(to: start + .seconds(3)) == .failed(.refused))
  }

  @Test("Z1: data comes in one piece, or is refused") func Z1_onePiece() {
    var data = IncomingData(at: start)
    #expect(data.answered(.bytes([1, 2]), at: start) == .whole([1, 2]) && data.isOver && data.nextDeadline == nil)
    #expect(data.answered(.bytes([3]), at: start) == nil)
    var refused = IncomingData(at: start)
    #expect(refused.answered(nil, at: start) == .failed(.refused))
    var unusable = IncomingData(at: start)
    #expect(unusable.answered(.unusable, at: start) == .failed(.refused))
  }

  @Test("Z1: data comes in parts, until an empty one") func Z1_parts() {
    var data = IncomingData(at: start)
    // A part before the announcement is none.
    #expect(data.part(.bytes([9]), at: start) == nil && data.count == 0)
    #expect(data.answered(.incremental, at: start) == nil && data.wantsParts)
    #expect(data.part(.bytes([1]), at: start) == nil)
    #expect(data.part(.bytes([2, 3]), at: start) == nil && data.count == 3)
    #expect(data.part(.bytes([]), at: start) == .whole([1, 2, 3]))
  }

  @Test("data has a largest size, in one piece and in parts") func size() {
    var whole = IncomingData(at: start, within: .init(bytes: 4))
    #expect(whole.answered(.bytes([1, 2, 3, 4, 5]), at: start) == .failed(.tooLarge))
    var parts = IncomingData(at: start, within: .init(bytes: 4))
    _ = parts.answered(.incremental, at: start)
    #expect(parts.part(.bytes([1, 2, 3, 4]), at: start) == nil && parts.room == 0)
    #expect(parts.part(.bytes([5]), at: start) == .failed(.tooLarge) && parts.isOver)
    // What the reader had no room for.
    var full = IncomingData(at: start)
    #expect(full.answered(.tooLarge, at: start) == .failed(.tooLarge))
    // An announcement in the place of a part.
    var twice = IncomingData(at: start)
    _ = twice.answered(.incremental, at: start)
    #expect(twice.part(.incremental, at: start) == .failed(.refused))
  }

  @Test("a source that rests for 30 seconds, or goes on for an hour, gets no more time") func time() {
    var silent = IncomingData(at: start)
    #expect(silent.advance(to: start + .milliseconds(29_999)) == nil)
    #expect(silent.advance(to: start + .seconds(30)) == .failed(.refused))
    var endless = IncomingData(at: start)
    var now = start
    _ = endless.answered(.incremental, at: now)
    var outcome: IncomingData.Outcome?
    while outcome == nil, now < start + .seconds(4000) {
      now = now + .seconds(29)
      outcome = endless.advance(to: now) ?? endless.part(.bytes([1]), at: now)
    }
    #expect(outcome == .failed(.refused) && now < start + .seconds(3630))
  }
}

@Suite struct ForeignTypesTests {
  private func types(_ names: [String]) -> [String] { ForeignTypes(names).offers.map(\.type) }

  @Test("Z1: text has one name, whatever names the source has for it") func Z1_text() {
    let types = ForeignTypes(["STRING", "TEXT", "COMPOUND_TEXT", "UTF8_STRING"])
    #expect(types.offers.map(\.type) == ["text/plain;charset=utf-8", "text/plain"])
    #expect(types.offers.allSatisfy { $0.source == "UTF8_STRING" && $0.decoding == .none })
    #expect(ForeignTypes(["STRING"]).offers.first?.decoding == .latin1)
    #expect(ForeignTypes.decoded([0x47, 0xFC], .latin1) == Array("Gü".utf8))
  }

  @Test("Z1: links of browsers become addresses; the source's order stays") func Z1_links() {
    #expect(types(["text/x-moz-url", "text/html", "UTF8_STRING"]).prefix(2) == ["text/uri-list", "text/html"])
    let link = ForeignTypes(["_NETSCAPE_URL"]).offers
    #expect(link.first?.source == "_NETSCAPE_URL" && ForeignTypes(["_NETSCAPE_URL"]).addresses == link.first)
    let bytes = "https://e.org/\nTitle".utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    #expect(ForeignTypes.decoded(bytes, .linkUTF16) == Array("https://e.org/\r\n".utf8))
    #expect(ForeignTypes.decoded(Array("a:b\nT".utf8), .linkUTF8) == Array("a:b\r\n".utf8))
    #expect(ForeignTypes.decoded([1], .linkUTF16) == [])
    #expect(ForeignTypes.decoded(Array("\r\n#c\na:b\r\nT".utf8), .linkUTF8) == Array("a:b\r\n".utf8))
  }

  @Test("Z1: of a link only its address is looked for, and a part of one is none") func Z1_longLinks() {
    let address = "a:" + String(repeating: "b", count: (2 << 20) - 2)
    for (decoding, bytes) in [
      (ForeignTypes.Decoding.linkUTF8, Array(address.utf8)), (.linkUTF16, address.utf16.flatMap { [UInt8($0), 0] }),
    ] {
      let newline = bytes.count > address.count ? [0x0A, 0] : [0x0A] as [UInt8]
      #expect(ForeignTypes.decoded(bytes + newline, decoding) == Array("\(address)\r\n".utf8))
      #expect(ForeignTypes.decoded(bytes, decoding) == Array("\(address)\r\n".utf8))
      #expect(ForeignTypes.decoded(bytes + bytes, decoding) == [])
    }
    let empty = [UInt8](repeating: 0x0A, count: 100_000)
    #expect(ForeignTypes.decoded(empty + Array("a:b\n".utf8), .linkUTF8) == Array("a:b\r\n".utf8))
    #expect(ForeignTypes.decoded(empty + Array(address.utf8), .linkUTF8) == [])
  }

  @Test("Z1: what asks the source to do something, and what only it understands, is never converted to")
  func Z1_reserved() {
    let names = [
      "TARGETS", "MULTIPLE", "TIMESTAMP", "DELETE", "SAVE_TARGETS", "INCR", "XdndDirectSave0", "image/png",
      "application/x-moz-nativehtml", "text/_moz_htmlcontext", "text/_moz_htmlinfo", "chromium/x-web-custom-data",
      "image/*", "a b/c", "",
    ]
    #expect(types(names) == ["image/png"])
  }

  @Test("Z19: the portal's key stands for addresses where there are no others, and is not converted to before the drop")
  func Z19_portal() {
    let key = "application/vnd.portal.filetransfer"
    let alone = ForeignTypes(["application/vnd.portal.files", key])
    #expect(alone.offers.map(\.type) == ["text/uri-list"] && alone.offers.map(\.decoding) == [.portal])
    #expect(alone.offers.first?.source == "application/vnd.portal.files")
    #expect(alone.addresses == nil && alone.forLift.isEmpty)
    let both = ForeignTypes([key, "text/uri-list"])
    #expect(both.offers.map(\.source) == ["text/uri-list"] && both.addresses == both.offers.first)
  }

  @Test("Z1: a file that the source would save comes first, unless its address or bytes of its very type can be had")
  func Z1_directSave() {
    func types(_ names: [String], _ saved: String?) -> [String] {
      ForeignTypes(names, savedType: saved).offers.map { "\($0.type) by \($0.source)" }
    }
    let save = XdndOffer.directSave
    #expect(types([save], nil).isEmpty && types(["image/png"], "text/rtf") == ["image/png by image/png"])
    #expect(types(["image/png", save], "text/rtf") == ["text/rtf by \(save)", "image/png by image/png"])
    #expect(types([save, "image/png"], "image/png") == ["image/png by image/png"])
    #expect(types([save, "text/x-moz-url"], "text/rtf") == ["text/uri-list by text/x-moz-url"])
    // What a target asks for that could not have the file saved.
    let bytes = XdndOffer.anyBytes
    #expect(types([bytes, save], bytes) == ["\(bytes) by \(save)"])
    let offers = ForeignTypes([save], savedType: "text/rtf")
    #expect(offers.needsSaving && offers.addresses == nil)
    #expect(!ForeignTypes([save, "text/rtf"], savedType: "text/rtf").needsSaving)
    #expect(types((0..<40).map { "x/t\($0)" } + [save], "text/rtf").count == 32)
  }

  @Test("of 100,000 types, the first 256 are looked at and 32 kept") func manyTypes() {
    #expect(types((0..<100_000).map { "x/t\($0)" }) == (0..<32).map { "x/t\($0)" })
    #expect(types((0..<300).map { "JUNK\($0)" } + ["image/png"]).isEmpty)
  }
}
