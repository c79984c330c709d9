import Carry
import CarryModel
import CarryTesting
import Testing

extension DesktopTests {
  /// Regions that take drops by what they can paste.
  @Suite(.serialized) struct Pasting {
    private func region(_ target: App) -> Region {
      let region = target.region(App.right, [])
      region.pasteConfiguration = PasteConfiguration(acceptableTypes: ["text/*"])
      return region
    }

    private func drop(with interaction: Bool, types: [String]) throws -> (pasted: [String], calls: [String]) {
      let d = try Desktop(Traces.pressDragDrop, compositor: nil)
      let (source, target) = (try App(d, "source"), try App(d, "target"))
      source.takePlaces(isTarget: false)
      source.items = {
        types.map { DragItem(itemProvider: ItemProvider(data: Array($0.utf8), type: $0)) }
      }
      let region = region(target)
      if interaction { region.addInteraction(DropInteraction(delegate: target)) }
      var pasted: [String] = []
      var asked = 0
      region.onPaste = { providers, _ in
        asked += providers.count
        for provider in providers {
          guard let type = provider.bestType(conformingTo: ["text/*"]) else { continue }
          provider.loadDataRepresentation(forType: type) { result in
            if case .success(let bytes) = result { pasted.append(String(decoding: bytes, as: UTF8.self)) }
          }
        }
      }
      #expect(
        target.run {
          try? source.client.dispatch()
          return !d.engine.isRunning
        })
      // What was dropped here goes on without the engine.
      #expect(target.run { pasted.count == asked })
      return (pasted, target.calls)
    }

    @Test("PC1, PC2: a region takes what it can paste without a drop interaction of its own")
    func PC1_PC2_byConfigurationAlone() throws {
      #expect(
        try drop(with: false, types: ["text/csv", "image/png", "text/html"]).pasted.sorted() == [
          "text/csv", "text/html",
        ])
      #expect(try drop(with: false, types: ["image/png"]).pasted.isEmpty)
    }

    @Test("PC3: a drop interaction wins over the paste configuration") func PC3_anInteractionWins() throws {
      let result = try drop(with: true, types: ["text/csv"])
      #expect(result.pasted.isEmpty && result.calls.contains("performDrop"))
    }
  }
}
