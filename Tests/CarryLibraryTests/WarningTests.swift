import CarryModel
import Testing

@testable import Carry

/// What nothing returns is said on stderr, once.
@Suite(.serialized) struct WarningTests {
  @Test("a type that is none is left out and said, once") func aTypeThatIsNone() {
    let provider = ItemProvider()
    for type in ["png-b1", "png-b1", String(repeating: "a", count: 120) + "/" + String(repeating: "b", count: 20)] {
      provider.registerDataRepresentation(forType: type) { $0(.success([])) }
    }
    // Stands for many.
    for type in ["image/*", "*/*", "image/*;x=y"] {
      provider.registerDataRepresentation(forType: type) { $0(.success([])) }
    }
    provider.registerDataRepresentation(forType: "image/png") { $0(.success([])) }
    #expect(provider.registeredTypes == ["image/png"])
    let said = Warning.sentences.filter { $0.contains("no media type") }
    #expect(said.contains { $0.hasPrefix("'png-b1' is no media type such as image/png") }, "\(said)")
    #expect(said.contains { $0.hasPrefix("'aaaaaaaaaa") }, "\(said)")
    #expect(
      Warning.sentences.contains(
        "'image/*' stands for many types; promise one such as image/png: the representation is left out"))
  }

  @Test("the 33rd type is left out and said") func theThirtyThirdType() {
    let provider = ItemProvider()
    for i in 0..<33 { provider.registerDataRepresentation(forType: "application/x-b12-\(i)") { $0(.success([])) } }
    #expect(provider.registeredTypes.count == Limits.typesPerItem)
    #expect(Warning.sentences.contains("an item has at most 32 types: application/x-b12-32 is left out"))
  }
}

/// What previews are made of.
@Suite struct PreviewParameterTests {
  @Test("L19: of many lines of text none is left out, and the path is still one that can be sent")
  func L19_manyLines() throws {
    for count in [1, 20, 21, 22, 57, 400] {
      let lines = (0..<count).map { Rect(x: $0 % 3, y: $0 * 20, width: 100 + $0 % 7, height: 16) }
      let path = try #require(DragPreviewParameters(textLineRects: lines).visiblePath)
      #expect(path.model.words != nil)
      let box = try #require(path.boundingBox)
      #expect(box.y == -4 && box.y + box.height == Double((count - 1) * 20 + 16 + 4), "\(count) lines: \(box)")
    }
  }
}
