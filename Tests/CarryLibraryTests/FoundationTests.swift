import CarryFoundation
import CarryModel
import FoundationEssentials
import Testing

@testable import Carry

/// Values of Foundation as items, for programs that have it.
@Suite struct FoundationTests {
  private struct Stroke: ItemProviderCodable, Equatable {
    var points: [Double]
    static let typeForItemProvider = "application/vnd.example.stroke+json"
  }

  @Test("I2, I9, I10: addresses and files of Foundation travel as lists of addresses") func I2_url() throws {
    let web = try #require(URL(string: "https://example.org/lake?a=1"))
    let file = URL(filePath: "/home/ada/Lake 1.png")
    #expect(ItemProvider(object: web).registeredTypes == WebLink.writableTypesForItemProvider)
    #expect(ItemProvider(object: file).registeredTypes == ["text/uri-list"])
    for url in [web, file] {
      for type in url.writableTypesForItemProvider {
        let bytes = try url.loadRepresentation(forType: type)
        #expect(try URL(itemProviderData: bytes, type: type) == url)
      }
    }
    let bytes = try file.loadRepresentation(forType: "text/uri-list")
    #expect(try FileLink(itemProviderData: bytes, type: "text/uri-list").path == "/home/ada/Lake 1.png")
    #expect(throws: ItemDataError.self) { try URL(string: "lake")?.loadRepresentation(forType: "text/uri-list") }
    #expect(throws: ItemDataError.self) { try URL(itemProviderData: [1], type: "text/plain") }
  }

  @Test("I2, I10: bytes come as Foundation has them, of any type") func I2_data() {
    #expect(ItemProvider(data: Data([1, 2]), type: "image/png").canLoadObject(of: Data.self))
    #expect(Data(itemProviderData: [1, 2], type: "image/png") == Data([1, 2]))
    #expect(TypedData(Data([1, 2]), type: "image/png").data == Data([1, 2]))
  }

  @Test("I9, I10, I20: what can be coded is written as JSON, and hostile JSON is an error") func I9_I10_codable() throws
  {
    let stroke = Stroke(points: [1, 2.5])
    let provider = ItemProvider(object: stroke)
    #expect(provider.registeredTypes == ["application/vnd.example.stroke+json"])
    #expect(provider.canLoadObject(of: Stroke.self))
    let bytes = try stroke.loadRepresentation(forType: Stroke.typeForItemProvider)
    #expect(try Stroke(itemProviderData: bytes, type: Stroke.typeForItemProvider) == stroke)
    let deep = [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)
    for hostile in [[], [0xFF], Array("{}".utf8), Array("{\"points\":[1e999]}".utf8), deep] {
      #expect(throws: (any Error).self) { try Stroke(json: hostile) }
    }
  }
}
