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
    #expect(data.advance(to: start + .seconds(3)) == .failed(.timedOut))
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
    #expect(silent.advance(to: start + .seconds(30)) == .failed(.timedOut))
    var endless = IncomingData(at: start)
    var now = start
    _ = endless.answered(.incremental, at: now)
    var outcome: IncomingData.Outcome?
    while outcome == nil, now < start + .seconds(4000) {
      now = now + .seconds(29)
      outcome = endless.advance(to: now) ?? endless.part(.bytes([1]), at: now)
    }
    #expect(outcome == .failed(.timedOut) && now < start + .seconds(3630))
  }
}

@Suite struct ForeignTypesTests {
  private func types(_ names: [String]) -> [String] { ForeignTypes(names).offers.map(\.type) }

  @Test("Z1: text has one type, and all names that the source has for it, Unicode first") func Z1_text() {
    let types = ForeignTypes([
      "STRING", "TEXT", "text/plain;charset=ISO-8859-1", "COMPOUND_TEXT", "text/plain", "text/plain;charset=utf-16",
      "text/plain; charset=\"UTF-8\"", "UTF8_STRING", "text/plain;charset=utf-8",
    ])
    #expect(types.offers.map(\.type) == ["text/plain;charset=utf-8", "text/plain"])
    for offer in types.offers {
      #expect(
        offer.sources.map(\.name) == [
          "text/plain;charset=utf-8", "text/plain; charset=\"UTF-8\"", "UTF8_STRING", "text/plain;charset=utf-16",
          "text/plain", "text/plain;charset=ISO-8859-1", "COMPOUND_TEXT", "TEXT", "STRING",
        ])
    }
    #expect(
      self.types(["application/x-kde-ark-dndextract-service", "application/x-gimp-layer-id", "gimp/x", "image/png"])
        == ["image/png"])
    #expect(ForeignTypes(["STRING"]).offers.first?.decoding == .text(charset: "ISO-8859-1"))
    #expect(decoding("text/plain;charset=windows-1252") == .text(charset: "WINDOWS-1252"))
    // Its converter in the C library has had holes.
    #expect(decoding("text/plain;charset=ISO-2022-CN-EXT") == ForeignTypes.Decoding.none)
  }

  private func decoding(_ name: String) -> ForeignTypes.Decoding? { ForeignTypes([name]).offers.first?.decoding }

  @Test("Z1: links of browsers become addresses; the source's order stays") func Z1_links() {
    #expect(types(["text/x-moz-url", "text/html", "UTF8_STRING"]).prefix(2) == ["text/uri-list", "text/html"])
    let link = ForeignTypes(["_NETSCAPE_URL", "text/x-moz-url"])
    #expect(link.offers.first?.sources.map(\.name) == ["text/x-moz-url", "_NETSCAPE_URL"])
    #expect(link.addresses == link.offers.first)
    #expect(ForeignTypes(["x-special/gnome-copied-files"]).offers.map(\.type) == ["text/uri-list"])
    #expect(decoding("text/html") == .text(charset: "UTF-8"))
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
    #expect(alone.offers.first?.sources.map(\.name) == ["application/vnd.portal.files"])
    #expect(alone.addresses == nil && alone.forLift.isEmpty)
    let both = ForeignTypes([key, "text/uri-list"])
    #expect(both.offers.map { $0.sources.map(\.name) } == [["text/uri-list"]] && both.addresses == both.offers.first)
  }

  @Test("Z1: a file that the source saves comes before its address on the web and before bytes of its type")
  func Z1_directSave() {
    func types(_ names: [String], _ saved: String?) -> [String] {
      ForeignTypes(names, savedType: saved).offers.map {
        "\($0.type) by \($0.sources.map(\.name).joined(separator: ", "))"
      }
    }
    let save = XdndOffer.directSave
    #expect(types([save], nil).isEmpty && types(["image/png"], "text/rtf") == ["image/png by image/png"])
    #expect(types(["image/png", save], "text/rtf") == ["text/rtf by \(save)", "image/png by image/png"])
    #expect(types([save, "image/png"], "image/png") == ["image/png by \(save), image/png"])
    #expect(
      types([save, "text/x-moz-url"], "text/rtf") == ["text/rtf by \(save)", "text/uri-list by text/x-moz-url"])
    // What a target asks for that could not have the file saved.
    let bytes = XdndOffer.anyBytes
    #expect(types([bytes, save], bytes) == ["\(bytes) by \(save)"])
    let offers = ForeignTypes([save], savedType: "text/rtf")
    #expect(offers.needsSaving && offers.addresses == nil)
    #expect(types((0..<40).map { "x/t\($0)" } + [save], "text/rtf").count == 32)
  }

  @Test("of 100,000 types, the first 256 are looked at and 32 kept") func manyTypes() {
    #expect(types((0..<100_000).map { "x/t\($0)" }) == (0..<32).map { "x/t\($0)" })
    #expect(types((0..<300).map { "JUNK\($0)" } + ["image/png"]).isEmpty)
  }
}
