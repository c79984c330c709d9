import CarryModel
import Testing

@testable import CarryTypes

/// Cards of strangers, and our own.
@Suite struct VCardTests {
  private static let photo: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + (0..<90).map { UInt8($0) }

  private static let ada = VCard(
    formattedName: "Dr. Ada Lovelace", name: VCard.Name(family: "Lovelace", given: "Ada", prefix: "Dr."),
    phones: [
      VCard.Contact("+44 20 7946 0018", kinds: ["cell", "voice"], isPreferred: true), VCard.Contact("555-1234"),
    ], emails: [VCard.Contact("ada@example.org", kinds: ["work"])], photo: TypedData(photo, type: "image/jpeg"))

  private static let odd = VCard(
    formattedName: "A, B; C\\n\n京子 Ω — \u{1F469}\u{200D}\u{1F4BB} with a name that is longer than one line of a card",
    name: VCard.Name(family: "B;,\\", suffix: "Jr., M.D."),
    phones: [VCard.Contact("1,2;3:4\"5")], emails: [VCard.Contact("\"a\"@b", isPreferred: true)])

  private func text(_ card: VCard, _ version: VCard.Version) -> String {
    String(decoding: card.bytes(version: version), as: UTF8.self)
  }

  private func parse(_ lines: String...) throws -> VCard {
    try VCard(parsing: Array(lines.joined(separator: "\r\n").utf8))
  }

  @Test("I2, I9, I10: cards are written and read, in both versions", arguments: [VCard.Version.v3, .v4])
  func I2_I9_I10_roundTrip(version: VCard.Version) throws {
    for card in [Self.ada, Self.odd, VCard(formattedName: "")] {
      #expect(try VCard(parsing: card.bytes(version: version)) == card, "\(text(card, version))")
    }
    // Lines are at most 75 bytes, and no character is torn.
    for line in text(Self.odd, version).split(separator: "\r\n") { #expect(line.utf8.count <= 75) }
    #expect(String(validating: Self.odd.bytes(version: version), as: UTF8.self) != nil)
    #expect(!text(Self.odd, version).contains("\u{FFFD}"))
  }

  @Test("I9: what is written is as the versions want it") func I9_whatIsWritten() {
    let new = text(Self.ada, .v4)
    #expect(new.hasPrefix("BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Dr. Ada Lovelace\r\nN:Lovelace;Ada;;Dr.;\r\n"))
    #expect(new.contains("\r\nTEL;TYPE=\"cell,voice\";PREF=1:+44 20 7946 0018\r\n"))
    #expect(new.contains("\r\nPHOTO:data:image/jpeg;base64,/9j/4AAB") && new.hasSuffix("END:VCARD\r\n"))
    let old = text(Self.ada, .v3)
    #expect(old.contains("\r\nTEL;TYPE=cell,voice,pref:+44 20 7946 0018\r\n"))
    #expect(old.contains("\r\nPHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAB"))
    #expect(text(VCard(formattedName: "x"), .v3).contains("\r\nN:;;;;\r\n"))
    // A value of the model cannot add lines of its own.
    let evil = VCard(
      formattedName: "x\r\nTEL:666", phones: [VCard.Contact("1", kinds: ["work:2\r\nTEL", "home;x", "WORK"])],
      photo: TypedData([1], type: "image/x:\r\nTEL:1"))
    let lines = ["BEGIN:VCARD", "VERSION:3.0", "FN:x\\nTEL:666", "N:;;;;", "TEL;TYPE=work:1", "END:VCARD", ""]
    #expect(text(evil, .v3) == lines.joined(separator: "\r\n"))
  }

  @Test("I10: cards of address books are read, with folds, escapes, groups and quotes") func I10_ofAddressBooks() throws
  {
    let card = try parse(
      "\u{FEFF}BEGIN:VCARD", "VERSION:3.0", "PRODID:-//Example//EN", "N:Müller\\, Graf;Anna,Maria;;;", "FN:Anna Mü",
      " ller", "item1.TEL;type=CELL;type=VOICE;type=pref:+49\\, 30", "\t 1234", "TEL;HOME;X-A=b:77",
      "item2.EMAIL;type=INTERNET:a@b.c", "item2.X-ABLabel:_$!<Other>!$_", "BEGIN:VCARD", "FN:somebody's agent",
      "END:VCARD", "PHOTO;TYPE=PNG;ENCODING=BASE64:iVBO", " Rw==", "END:VCARD", "BEGIN:VCARD", "VERSION:4.0",
      "FN:second", "TEL;VALUE=uri;PREF=1;TYPE=\"voice,home\":tel:+1-555", "PHOTO:https://example.org/a.jpg",
      "END:VCARD")
    #expect(card.formattedName == "Anna Müller")
    #expect(card.name == VCard.Name(family: "Müller, Graf", given: "Anna, Maria"))
    #expect(
      card.phones == [
        VCard.Contact("+49, 30 1234", kinds: ["cell", "voice"], isPreferred: true),
        VCard.Contact("77", kinds: ["home"]),
      ])
    #expect(card.emails == [VCard.Contact("a@b.c", kinds: ["internet"])])
    #expect(card.photo == TypedData([0x89, 0x50, 0x4E, 0x47], type: "image/png"))
    let both = try VCard.cards(parsing: card.bytes() + Array("BEGIN:vcard\nVersion:4.0\nfn:second\nend:VCARD".utf8))
    #expect(both.map(\.formattedName) == ["Anna Müller", "second"])
    // A fold in the middle of a character, and old bytes that are no UTF-8.
    func bytes(_ middle: [UInt8]) -> [UInt8] {
      Array("BEGIN:VCARD\nVERSION:3.0\n".utf8) + middle + Array("\nEND:VCARD\n".utf8)
    }
    #expect(try VCard(parsing: bytes(Array("FN:J".utf8) + [0xC3, 0x0A, 0x20, 0xBC])).formattedName == "Jü")
    #expect(try VCard(parsing: bytes(Array("FN:J".utf8) + [0xFC])).formattedName == "Jü")
    #expect(
      try VCard(parsing: bytes(Array("FN;CHARSET=ISO-8859-1:J".utf8) + [0xC3, 0xBC])).formattedName == "JÃ¼")
    #expect(try parse("BEGIN:VCARD", "VERSION:4.0", "N:L;A", "END:VCARD").formattedName == "A L")
  }

  @Test("I10: what is no card, or is one of another age, is an error") func I10_whatIsNoCard() {
    for text in [
      "", "hello", "BEGIN:VCARD", "BEGIN:VCARD\nVERSION:4.0\nFN:x", "END:VCARD", "BEGIN:VCARD\nFN:x\nEND:VCARD",
      "BEGIN:VCARD\nVERSION:2.1\nFN:x\nEND:VCARD",
    ] { #expect(throws: ItemDataError.self, "\(text)") { try VCard(parsing: Array(text.utf8)) } }
  }

  @Test("what is endless in a card is cut or left out, and costs no more than its bytes") func endless() throws {
    let many = 300_000
    func card(_ line: String) throws -> VCard { try parse("BEGIN:VCARD", "VERSION:4.0", "FN:x", line, "END:VCARD") }
    let long = String(repeating: "a,", count: many)
    #expect(try card("N:" + long).name == nil)
    #expect(try card("TEL;TYPE=" + long + ":1").phones == [VCard.Contact("1", kinds: ["a"])])
    #expect(try card("TEL" + String(repeating: ";", count: many) + ":1").phones.count == 1)
    #expect(try card("TEL:" + String(repeating: "tel:", count: 10_000) + "1").phones == [VCard.Contact("1")])
    #expect(try card("TEL:" + long).phones.isEmpty)
    #expect(try card(String(repeating: "\r\nTEL:1", count: 1000)).phones.count == VCardText.maxContacts)
    #expect(try card("PHOTO:data:" + String(repeating: ";", count: many) + ";base64,AAAA").photo == nil)
    // Cards in cards, of which none ends.
    #expect(throws: ItemDataError.self) { try card(String(repeating: "BEGIN:VCARD\r\n", count: 1000)) }
  }

  /// A generator that gives the same numbers each time.
  private struct Numbers: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
  }

  @Test(
    "I10: of 20,000 cards with random faults none traps, and what is read of them is written and read the same",
    arguments: UInt64(1)...4)
  func I10_randomFaults(seed: UInt64) throws {
    var numbers = Numbers(state: seed)
    var small = Self.ada
    small.photo = TypedData([1, 2, 3, 4, 5], type: "image/png")
    small.phones[0].value = "tel:1,2"
    let cards = [small.bytes(version: .v3), small.bytes(version: .v4), Self.odd.bytes(version: .v4)]
    let pieces = [
      "\r\n", "\n ", ";", ":", ",", "\\", "\"", "=", "TEL", "tel:", "PHOTO;ENCODING=b:", "data:image/a;base64,",
      "TYPE=",
      "BEGIN:VCARD\r\n", "END:VCARD\r\n", "N:a,b;c\\;", "FN:", "CHARSET=latin1", "\u{0}", "é", ";PREF=1",
    ].map { Array($0.utf8) }
    var read = 0
    for _ in 0..<5_000 {
      var bytes = cards[Int.random(in: 0..<cards.count, using: &numbers)]
      for _ in 0..<Int.random(in: 1...6, using: &numbers) {
        let at = Int.random(in: 0...bytes.count, using: &numbers)
        switch Int.random(in: 0..<4, using: &numbers) {
        case 0: bytes.insert(UInt8.random(in: 0...255, using: &numbers), at: at)
        case 1: bytes.removeSubrange(at..<min(bytes.count, at + Int.random(in: 0...9, using: &numbers)))
        case 2: bytes.insert(contentsOf: pieces[Int.random(in: 0..<pieces.count, using: &numbers)], at: at)
        default: if at < bytes.count { bytes[at] = UInt8.random(in: 0...255, using: &numbers) }
        }
      }
      guard let card = try? VCard(parsing: bytes) else { continue }
      read += 1
      for version in [VCard.Version.v3, .v4] {
        let again = try? VCard(parsing: card.bytes(version: version))
        if again != card {
          let text = String(decoding: bytes, as: UTF8.self).debugDescription
          Issue.record("\(text) in \(version): \(card), \(again as Any)")
          return
        }
      }
    }
    #expect(read > 1_000, "\(read) could be read")
  }
}
