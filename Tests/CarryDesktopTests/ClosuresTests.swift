import Carry
import CarryModel
import CarryTesting
import Testing

extension DesktopTests {
  /// Programs that give a region closures.
  @Suite(.serialized) struct Closures {
    @Test("closures do for delegates, and keep what they need") func closures() throws {
      let d = try Desktop(Traces.pressDragDrop, clients: 2, compositor: nil)
      let (source, target) = (try App(d, "source"), try App(d, "target"))
      defer { for app in [source, target] { app.client.close() } }
      var points: [Carry.Point] = []
      source.region(App.left, []).onDrag { _, point in
        points.append(point)
        return [DragItem(itemProvider: ItemProvider(object: "hello"))]
      }
      var texts: [String?] = []
      var wrong = 0
      let place = target.region(App.right, [])
      let drop = place.onDrop(of: String.self) { session in
        session.loadObjects(of: String.self) { texts = $0.map(\.object) }
      }
      // The newest is asked first, and does not take it.
      place.onDrop(of: ["image/*"]) { _ in wrong += 1 }
      #expect(drop.acceptedTypes == String.readableTypesForItemProvider && drop.region === place)
      #expect(
        target.run {
          try? source.client.dispatch()
          return texts == ["hello"]
        }, "\(texts)")
      #expect(wrong == 0 && points == [Carry.Point(x: 150, y: 150)])
    }
  }
}
