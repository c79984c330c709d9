import Carry
import CarryModel
import CarryTesting
import Testing

extension DesktopTests {
  /// What a source and a destination hear of each other while data is made.
  @Suite(.serialized) struct Requests {
    private struct Failure: Error, CustomStringConvertible { let description: String }

    @Test("R8: a source that is asked to make something hears that nobody waits for it any more")
    func R8_nobodyWaits() throws {
      let d = try Desktop(Traces.pressDragDrop, compositor: nil)
      let (source, target) = try App.pair(d)
      var request: ItemRequest?
      var wasTold = 0
      source.items = {
        let provider = ItemProvider()
        provider.registerRequests(forType: "text/plain") {
          request = $0
          $0.onCancelled = { wasTold += 1 }
          // M12: it is at work.
          $0.reportProgress(completedUnitCount: 100)
        }
        return [DragItem(itemProvider: provider)]
      }
      var load: Carry.Load?
      target.onPerform = { s in
        load = s.items[0].itemProvider.loadDataRepresentation(forType: "text/plain") { _ in }
      }
      #expect(
        target.run {
          try? source.client.dispatch()
          if request != nil { load?.cancel() }
          return wasTold > 0
        }, "\(source.calls) \(target.calls)")
      #expect(request?.isCancelled == true)
      // Too late; nothing comes of it.
      request?.answer(.success(.data([1])))
      #expect(
        target.run {
          try? source.client.dispatch()
          return source.calls.contains("didTransfer")
        })
      #expect(wasTold == 1)
    }

    @Test("X5: loading all items keeps their order, types and names, and says which failed and why")
    func X5_loadingAllItems() throws {
      let d = try Desktop(Traces.pressDragDrop, compositor: nil)
      let (source, target) = try App.pair(d)
      source.items = {
        let broken = ItemProvider()
        broken.suggestedName = "broken.txt"
        broken.registerDataRepresentation(forType: "text/plain") {
          $0(.failure(Failure(description: "the disk is on fire")))
        }
        let table = ItemProvider(data: Array("a,b".utf8), type: "text/csv")
        table.suggestedName = "table.csv"
        let picture = ItemProvider(data: [1], type: "image/png")
        return [broken, picture, table, ItemProvider(text: "hello")].map { DragItem(itemProvider: $0) }
      }
      var loaded: [DropSession.LoadedItem]?
      target.onPerform = { s in s.loadItems(conformingTo: ["text/plain"]) { loaded = $0 } }
      #expect(
        target.run {
          try? source.client.dispatch()
          return loaded != nil
        }, "\(source.calls) \(target.calls)")
      #expect(loaded?.map(\.type) == ["text/plain", "text/csv", "text/plain;charset=utf-8"])
      #expect(loaded?.map(\.item.itemProvider.suggestedName) == ["broken.txt", "table.csv", nil])
      #expect(loaded?.map { $0.bytes.map { String(decoding: $0, as: UTF8.self) } } == [nil, "a,b", "hello"])
      guard case .failure(let error) = loaded?.first?.result else {
        Issue.record("the broken one did not fail")
        return
      }
      #expect(error.code == .sourceFailed && error.description.contains("the disk is on fire"))
    }
  }
}
