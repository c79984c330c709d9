import CarryModel
import Testing

@testable import Carry

/// The values that need no code of an application's own.
@Suite struct ReadyTypeTests {
  @Test("I2, I8: text is written as UTF-8, and as plain text for those who know no better")
  func I2_text() throws {
    let text = "Grüße, 東京 👋"
    #expect(ItemProvider(object: text).registeredTypes == ItemProvider(text: text).registeredTypes)
    for type in String.writableTypesForItemProvider {
      #expect(try String(itemProviderData: text.loadRepresentation(forType: type), type: type) == text)
    }
  }

  @Test("I10: text is read in the encoding that its type names, or that it begins with") func I10_text() throws {
    func read(_ bytes: [UInt8], _ type: String) throws -> String {
      try String(itemProviderData: bytes, type: "text/plain" + type)
    }
    #expect(try read([0xC3, 0xA9], "") == "é")
    #expect(try read([0xE9], "") == "é")
    #expect(try read([0xE9], ";charset=iso-8859-1") == "é")
    #expect(try read([0xEF, 0xBB, 0xBF, 0x61], ";charset=utf-8") == "a")
    #expect(try read([0xFF, 0xFE, 0x61, 0], "") == "a")
    #expect(try read([0, 0x61], ";charset=utf-16") == "a")
    #expect(try read([], ";charset=utf-16") == "" && read([], "") == "")
    // Never a trap, and never half of it.
    #expect(throws: ItemDataError.self) { try read([0xE9], ";charset=utf-8") }
    #expect(throws: ItemDataError.self) { try read([0x61], ";charset=utf-16") }
    #expect(throws: ItemDataError.self) { try read([0xD8, 0x00], ";charset=utf-16") }
    let provider = ItemProvider(data: [0xE9], type: "text/plain;charset=iso-8859-1")
    #expect(provider.match(String.readableTypesForItemProvider)?.readable == "text/plain;charset=iso-8859-1")
  }
}
