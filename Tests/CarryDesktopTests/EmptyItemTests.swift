import Carry
import CarryModel
import CarryTesting
import Testing

extension DesktopTests {
  /// Items that promise nothing: never worth a connection.
  @Suite(.serialized) struct EmptyItems {
    /// How many items each drop has, until the drag has ended.
    private func counts(_ source: App, _ target: App) -> [Int] {
      var counts: [Int] = []
      target.onPerform = { counts.append($0.items.count) }
      #expect(
        target.run {
          try? source.client.dispatch()
          return source.calls.contains { $0.hasPrefix("didEnd") }
        }, "\(source.calls) \(target.calls)")
      return counts
    }

    private func local(_ object: String) -> DragItem {
      let item = DragItem(itemProvider: ItemProvider())
      item.localObject = object
      return item
    }

    @Test("LO4: an item that is only a local object is dragged within its application")
    func LO4_withinTheApplication() throws {
      let d = try Desktop(Traces.pressDragDrop, compositor: nil)
      let app = try App(d, "app")
      app.takePlaces()
      app.items = { [local("row 3"), DragItem(itemProvider: ItemProvider(text: "hello"))] }
      var objects: [String?] = []
      var types: [[String]] = []
      app.onPerform = { s in
        objects = s.items.map { $0.localObject as? String }
        types = s.items.map(\.itemProvider.registeredTypes)
      }
      #expect(app.run { app.calls.contains("sessionDidEnd") }, "\(app.calls)")
      #expect(objects == ["row 3", nil])
      #expect(types.first == [] && types.last?.isEmpty == false)
    }

    @Test("another application sees the other items only, and loads the right ones")
    func anotherApplicationSeesTheOthers() throws {
      let d = try Desktop(Traces.pressDragDrop, clients: 2, compositor: nil)
      let source = try App(d, "source")
      source.takePlaces(isTarget: false)
      source.items = {
        [local("row 3"), DragItem(itemProvider: ItemProvider(text: "hello")), local("row 4")]
      }
      // Another process: two clients of one are one application.
      let target = try d.target()
      #expect(source.run { source.calls.contains("didTransfer") }, "\(source.calls)")
      #expect(source.run { !d.engine.isRunning })
      let received = target.remainingLines().filter { $0.contains("\"received\"") }
      #expect(received.count == 1 && received[0].contains("\"text\": \"hello\""), "\(received)")
    }

    @Test("other applications do not see a drag that has nothing for them") func nothingForOthers() throws {
      let d = try Desktop(Traces.pressDragDrop, clients: 2, compositor: nil)
      let source = try App(d, "source")
      source.takePlaces(isTarget: false)
      source.items = { [local("row 3")] }
      let target = try d.target()
      #expect(source.run { source.calls.contains("didEnd(cancel)") }, "\(source.calls)")
      // All that the engine had to say has been said when it ends.
      #expect(source.run { !d.engine.isRunning })
      #expect(!target.remainingLines().contains { $0.contains("session") })
      #expect(!events(d.monitor.remainingLines()).contains("entered"))
    }

    @Test("an item with nothing at all is left out, and the application keeps its connection")
    func anItemWithNothingAtAll() throws {
      let d = try Desktop(Traces.pressDragDrop, compositor: nil)
      let (source, target) = try App.pair(d)
      source.items = {
        [
          DragItem(itemProvider: ItemProvider(data: [1, 2, 3], type: "png")), DragItem(itemProvider: ItemProvider()),
          DragItem(itemProvider: ItemProvider(text: "hello")),
        ]
      }
      #expect(counts(source, target) == [1])
    }

    @Test("of more items than a drag has, the first ones are taken") func tooManyItems() throws {
      let d = try Desktop(Traces.pressDragDrop, compositor: nil)
      let (source, target) = try App.pair(d)
      source.items = { (0..<Limits.itemsPerSession + 30).map { DragItem(itemProvider: ItemProvider(text: "\($0)")) } }
      #expect(counts(source, target) == [Limits.itemsPerSession])
    }
  }
}
