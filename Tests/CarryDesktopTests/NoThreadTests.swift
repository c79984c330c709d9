import Carry
import CarryModel
import CarrySystem
import CarryTesting
import Testing

extension DesktopTests {
  /// Processes that have as many threads as they may.
  @Suite(.serialized) struct NoThread {

    @Test(
      "where no thread can be made, a load fails at once and says so, on either side", arguments: [true, false])
    func noThread(isSource: Bool) throws {
      let d = try Desktop(Traces.pressDragDrop, clients: 2, compositor: nil)
      let source = try App(d, "source")
      let target = try App(d, "target")
      source.items = {
        let provider = ItemProvider()
        provider.registerStreamRepresentation(forType: "text/plain") { try $0.write([1, 2, 3]) }
        return [DragItem(itemProvider: provider)]
      }
      source.region(App.left, [DragInteraction(delegate: source)])
      target.region(App.right, [DropInteraction(delegate: target)])
      var error: LoadError?
      var isOver = false
      target.onPerform = { s in
        s.items[0].itemProvider.loadDataRepresentation(forType: "text/plain") {
          isOver = true
          if case .failure(let why) = $0 { error = why }
        }
      }
      let happened = Wait.until(seconds: 20, descriptor: target.client.fileDescriptor) {
        Worker.$isRefused.withValue(isSource) { try? source.client.dispatch() }
        Worker.$isRefused.withValue(!isSource) { try? target.client.dispatch() }
        return isOver
      }
      #expect(happened)
      #expect(error?.code == (isSource ? .sourceFailed : .local), "\(String(describing: error))")
      #expect(error?.description.contains("no thread can be made") == true, "\(String(describing: error))")
      // Both live on, and hear the end.
      #expect(
        target.run {
          try? source.client.dispatch()
          return source.calls.contains("didTransfer") && target.calls.contains("sessionDidEnd")
        })
      source.client.close()
      target.client.close()
    }
  }
}
