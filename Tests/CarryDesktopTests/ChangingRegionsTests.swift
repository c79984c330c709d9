import Carry
import CarryModel
import CarryTesting
import Testing

extension DesktopTests {
  /// Applications that take regions and interactions away within their own callbacks.
  @Suite(.serialized) struct ChangingRegions {

    private func run(_ app: App, _ other: App, until condition: () -> Bool) -> Bool {
      app.run {
        try? other.client.dispatch()
        return condition()
      }
    }

    @Test("D12, X8: a region that goes as a drop is performed on it has its data, and hears of the end")
    func D12_X8_goesWhileItPerforms() throws {
      let d = try Desktop(Traces.pressDragDrop, clients: 2, compositor: nil)
      let source = try App(d, "source")
      let target = try App(d, "target")
      source.region(App.left, [DragInteraction(delegate: source)])
      let region = target.region(App.right, [DropInteraction(delegate: target)])
      var text: String?
      target.onPerform = { s in
        s.items[0].itemProvider.loadDataRepresentation(forType: "text/plain") {
          text = (try? $0.get()).map { String(decoding: $0, as: UTF8.self) }
        }
        region.invalidate()
      }
      #expect(run(target, source) { text != nil && target.calls.contains("sessionDidEnd") }, "\(target.calls)")
      #expect(text == "hello")
      #expect(target.calls.last == "sessionDidEnd")
      #expect(run(target, source) { source.calls.contains("didTransfer") })
      #expect(d.playToTheEnd() == 0)
    }

    @Test("A3, B9: what a source adds after the drop is not in the drag, and it is not told that it were")
    func A3_B9_addsAfterTheDrop() throws {
      var script = Traces.screen
      script.carry(from: (200, 400), at: 0, .to(1000, 400, 650...900), .tap(180, 480, at: 2500), upAt: 2700)
      let d = try Desktop(script, clients: 2, compositor: nil)
      let source = try App(d, "source")
      let target = try App(d, "target")
      let item = DragItem(itemProvider: ItemProvider(text: "one"))
      let late = DragItem(itemProvider: ItemProvider(text: "two"))
      (source.items, source.added) = ({ [item] }, { [late] })
      source.region(App.left, [DragInteraction(delegate: source)])
      target.region(App.right, [DropInteraction(delegate: target)])
      var dropped: Int?
      target.onPerform = { dropped = $0.items.count }
      #expect(run(target, source) { target.calls.contains("didUpdate") })
      // The source is busy from here on, and looks again when all is over for the others.
      #expect(target.run { dropped != nil })
      let session = try #require(item.session)
      #expect(run(target, source) { source.calls.contains("didEnd(copy)") })
      #expect(source.calls.contains("itemsForAdding"))
      #expect(dropped == 1)
      #expect(session.items.count == 1)
      #expect(run(target, source) { source.calls.contains("didTransfer") })
      #expect(d.playToTheEnd() == 0)
    }

    @Test("an interaction that moves to another region as it springs open springs there for the next drag")
    func movesAsItSprings() throws {
      var script = Traces.screen
      script.carry(from: (200, 400), at: 0, .to(1000, 400, 650...1000), upAt: 2800)
      script.carry(from: (200, 400), at: 3400, .to(600, 400, 4050...4300), upAt: 6300)
      let d = try Desktop(script, clients: 2, compositor: nil)
      let source = try App(d, "source")
      let target = try App(d, "folder")
      source.region(App.left, [DragInteraction(delegate: source)])
      let middle = target.region(
        CarryModel.Rect(x: 500, y: 250, width: 200, height: 300), [DropInteraction(delegate: target)])
      var states: [SpringLoadedInteraction.State] = []
      var activated: [Region] = []
      let look = Look()
      look.changed = { states.append($0.state) }
      let spring = SpringLoadedInteraction(interactionBehavior: nil, interactionEffect: look) { spring, context in
        activated.append(context.region)
        guard context.region !== middle else { return }
        context.region.removeInteraction(spring)
        middle.addInteraction(spring)
      }
      let first = target.region(App.right, [spring, DropInteraction(delegate: target)])
      #expect(run(target, source) { activated.count == 2 }, "\(states)")
      #expect(activated.first === first && activated.last === middle)
      #expect(
        states == [.possible, .activating, .activated, .inactive, .possible, .activating, .activated], "\(states)")
      #expect(run(target, source) { source.calls.count { $0 == "didTransfer" } == 2 })
      #expect(spring.state == .inactive)
    }
  }
}
