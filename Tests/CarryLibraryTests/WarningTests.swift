import CarryModel
import Synchronization
import Testing

@testable import Carry

/// What nothing returns is said on stderr, once.
@Suite(.serialized) struct WarningTests {
  private func warnings(_ body: () -> Void) -> String {
    let lines = Mutex("")
    let before = Warning.write
    Warning.write = { line in lines.withLock { $0 += line } }
    body()
    Warning.write = before
    return lines.withLock { $0 }
  }

  @Test("B1: a type that is none is left out and said, once") func B1_aTypeThatIsNone() {
    let provider = ItemProvider()
    let said = warnings {
      for type in ["png-b1", "png-b1", String(repeating: "a", count: 120) + "/" + String(repeating: "b", count: 20)] {
        provider.registerDataRepresentation(forType: type) { $0(.success([])) }
      }
      provider.registerDataRepresentation(forType: "image/png") { $0(.success([])) }
    }
    #expect(provider.registeredTypes == ["image/png"])
    let lines = said.split(separator: "\n").filter { $0.contains("no media type") }
    #expect(lines.count == 2, "\(said)")
    #expect(lines.first?.hasPrefix("carry: warning: 'png-b1' is no media type such as image/png") == true, "\(said)")
  }

  @Test("B12: the 33rd type is left out and said") func B12_theThirtyThirdType() {
    let provider = ItemProvider()
    let said = warnings {
      for i in 0..<33 { provider.registerDataRepresentation(forType: "application/x-b12-\(i)") { $0(.success([])) } }
    }
    #expect(provider.registeredTypes.count == Limits.typesPerItem)
    #expect(said.contains("an item has at most 32 types: application/x-b12-32 is left out"), "\(said)")
  }
}
