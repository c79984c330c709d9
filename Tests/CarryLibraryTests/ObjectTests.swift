import CarryModel
import Testing

@testable import Carry

/// A model type, which knows of no window: I20.
struct Note: ItemProviderWriting, ItemProviderReading, Equatable {
  var text: String
  var isPinned = false

  static let ownType = "application/vnd.example.note"
  static let writableTypesForItemProvider = [ownType, "text/plain;charset=utf-8"]
  static let readableTypesForItemProvider = [ownType, "text/plain"]

  struct Unreadable: Error {}

  init(text: String, isPinned: Bool = false) {
    self.text = text
    self.isPinned = isPinned
  }

  func loadRepresentation(forType type: String) -> [UInt8] {
    type == Self.ownType ? [isPinned ? 1 : 0] + Array(text.utf8) : Array(text.utf8)
  }

  init(itemProviderData data: [UInt8], type: String) throws {
    guard type == Self.ownType else {
      text = String(decoding: data, as: UTF8.self)
      return
    }
    guard let first = data.first, first < 2 else { throw Unreadable() }
    isPinned = first == 1
    text = String(decoding: data.dropFirst(), as: UTF8.self)
  }
}

/// Reads the worse type first.
private struct PlainFirst: ItemProviderReading {
  static let readableTypesForItemProvider = ["text/plain", "text/vcard"]
  init(itemProviderData data: [UInt8], type: String) {}
}

private struct AnyImage: ItemProviderReading {
  static let readableTypesForItemProvider = ["image/*"]
  init(itemProviderData data: [UInt8], type: String) {}
}

/// Values of an application's model, as items.
@Suite struct ObjectTests {
  private func provider(_ types: String...) -> ItemProvider {
    let provider = ItemProvider()
    for type in types { provider.registerDataRepresentation(forType: type) { $0(.success([])) } }
    return provider
  }

  @Test("K10, I2, I9: a value is promised in all types that it can be written as, the best first, after what is there")
  func K10_I2_I9_aValueIsPromised() {
    #expect(ItemProvider(object: Note(text: "a")).registeredTypes == Note.writableTypesForItemProvider)
    let provider = provider("image/png")
    provider.registerObject(Note(text: "a"))
    #expect(provider.registeredTypes == ["image/png"] + Note.writableTypesForItemProvider)
    let later = ItemProvider()
    later.registerObject(of: Note.self) { _ in Issue.record("nobody has asked yet") }
    #expect(later.registeredTypes == Note.writableTypesForItemProvider)
  }

  @Test("I4, I10, I11: whether a value can be made of an item is seen by the types, kinds among them")
  func I4_I10_I11_canLoad() {
    #expect(ItemProvider(object: Note(text: "a")).canLoadObject(of: Note.self))
    #expect(provider("text/markdown").canLoadObject(of: Note.self))
    #expect(!provider("image/png").canLoadObject(of: Note.self))
    #expect(provider("image/png").canLoadObject(of: AnyImage.self))
    #expect(!ItemProvider().canLoadObject(of: AnyImage.self))
  }

  @Test("I11, I12: the reader's order decides, and the reader hears which of its types was found")
  func I11_I12_theReadersOrderDecides() {
    let card = provider("text/plain;charset=utf-8", "text/vcard", "application/vnd.example.note")
    let note = card.match(Note.readableTypesForItemProvider)
    #expect(note?.type == "application/vnd.example.note" && note?.readable == "application/vnd.example.note")
    let plain = card.match(PlainFirst.readableTypesForItemProvider)
    #expect(plain?.type == "text/plain;charset=utf-8" && plain?.readable == "text/plain")
    // A kind, and a pattern, which no data has as its type.
    let kind = provider("text/x-invented;v=2").match(Note.readableTypesForItemProvider)
    #expect(kind?.type == "text/x-invented;v=2" && kind?.readable == "text/plain")
    #expect(provider("image/webp").match(AnyImage.readableTypesForItemProvider)?.readable == "image/webp")
  }

  @Test("I4, X6: what cannot be loaded fails once, at once, and says why") func I4_X6_whatCannotBeLoaded() {
    var errors: [LoadError] = []
    let load = provider("image/png").loadObject(of: Note.self) { if case .failure(let e) = $0 { errors.append(e) } }
    #expect(errors.map(\.code) == [.noSuchType] && load.isFinished)
    // A source's own provider.
    ItemProvider(object: Note(text: "a")).loadObject(of: Note.self) {
      if case .failure(let e) = $0 { errors.append(e) }
    }
    #expect(errors.map(\.code) == [.noSuchType, .noSuchType])
    #expect(errors[0].description != errors[1].description)
  }
}

/// I8: a type that says too little is registered, and advised against.
@Suite struct AbstractTypeTests {
  @Test("I8: types that do not say what the bytes are get advice, others none") func I8_advice() {
    func isAdvised(_ type: String, _ others: String...) -> Bool {
      AbstractTypes.advice(on: type, besides: others) != nil
    }
    for type in [
      "text/plain", "TEXT/Plain", "text/plain;format=flowed", "application/octet-stream", "application/x-data;v=1",
      "image/x-generic", "image/unknown",
    ] { #expect(isAdvised(type), "\(type)") }
    for type in [
      "text/plain;charset=utf-8", "text/plain; format=flowed; charset=UTF-8", "image/png", "text/csv", "text/vcard",
      "application/vnd.example.data", "text/plainer",
    ] { #expect(!isAdvised(type), "\(type)") }
    // What is worse comes after what is better.
    #expect(!isAdvised("text/plain", "text/plain;charset=utf-8"))
    #expect(isAdvised("text/plain", "text/html"))
  }

  @Test("I8: it is registered all the same, and said once; the library's own texts and files say nothing")
  func I8_itIsSaid() {
    let provider = ItemProvider()
    for _ in 0..<2 {
      provider.registerDataRepresentation(forType: "application/x-unknown;i8=1") { $0(.success([])) }
    }
    #expect(provider.registeredTypes == ["application/x-unknown;i8=1"])
    #expect(Warning.sentences.contains { $0.hasPrefix("'application/x-unknown;i8=1' does not say what") })
    _ = ItemProvider(text: "hello")
    _ = ItemProvider(contentsOf: "/tmp/x", type: "application/x-unknown;i8=2")
    #expect(!Warning.sentences.contains { $0.contains("application/x-unknown;i8=2") })
  }
}
