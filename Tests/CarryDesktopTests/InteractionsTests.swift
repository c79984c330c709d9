import Carry
import CarryModel
import CarryTesting
import Testing

extension DesktopTests {
  /// What applications make of their interactions: rules of their own, several on one region, scrolling.
  @Suite(.serialized) struct Interactions {

    private static func item(_ types: String...) -> DragItem {
      let provider = ItemProvider()
      for type in types { provider.registerDataRepresentation(forType: type) { $0(.success(Array(type.utf8))) } }
      return DragItem(itemProvider: provider)
    }

    @Test("A8: a source looks through the session's items, and adds nothing to those that do not fit")
    func A8_aSourceRefusesToAdd() throws {
      var s = Traces.screen
      let f = s.down(200, 400, at: 0)
      s.move(f, to: 640, 150, from: 620, until: 850)
      for (i, x) in [475, 625, 475].enumerated() { s.tap(x, 675, at: 1100 + 350 * i) }
      s.move(f, to: 1000, 400, from: 2200, until: 2400)
      s.up(f, at: 2600)
      let d = try Desktop(s, clients: 2, compositor: nil)
      let source = try Player(d, "source")
      defer { source.close() }
      let target = try Player(d, "target")
      defer { target.close() }
      let row = "application/vnd.example.row"
      let rows = DragInteraction(delegate: source)
      let notes = DragInteraction(delegate: source)
      source.region(App.left, color: 0x3366CC, [DragInteraction(delegate: source)])
      source.region(.init(x: 400, y: 600, width: 150, height: 150), color: 0x3366CC, [rows])
      source.region(.init(x: 560, y: 600, width: 150, height: 150), color: 0x3366CC, [notes])
      target.region(App.right, color: 0x222222, [DropInteraction(delegate: target)])
      source.items = { _ in [Self.item(row, "text/markdown")] }
      var asked: [String] = []
      source.adding = { interaction, session in
        // Rows go with rows, notes with whatever is text, of which Markdown and tables are kinds.
        let wanted = interaction === rows ? row : "text/plain"
        let fits = session.items.allSatisfy { $0.itemProvider.hasRepresentationConforming(to: wanted) }
        asked.append("\(interaction === rows ? "row" : "note") to \(session.items.count): \(fits)")
        guard fits else { return [] }
        return [interaction === rows ? Self.item(row, "text/csv") : Self.item("text/plain")]
      }
      var types: [[String]] = []
      target.perform = { types = $0.items.map(\.itemProvider.registeredTypes) }
      let isOver = Player.run([source, target]) {
        source.calls.contains("didTransfer") && target.calls.contains("sessionDidEnd")
      }
      #expect(isOver, "\(source.calls) \(target.calls)")
      #expect(asked == ["row to 1: true", "note to 2: true", "row to 3: false"])
      // Each addition is told to all that have contributed: to two, and then to three.
      #expect(source.calls.count { $0 == "willAdd(1)" } == 5, "\(source.calls)")
      #expect(types == [[row, "text/markdown"], [row, "text/csv"], ["text/plain"]])
      #expect(d.playToTheEnd() == 0)
      #expect(events(d.monitor.remainingLines()).count { $0 == "items-added" } == 2)
    }

    @Test("K5: one region drags, takes drops and springs open, each as if it were alone") func K5_allThree() throws {
      var s = Traces.screen
      s.carry(from: (200, 400), at: 0, .to(1000, 400, 620...850), upAt: 1100)
      s.carry(from: (1000, 400), at: 1600, .to(200, 400, 2220...2450), upAt: 4200)
      let d = try Desktop(s, clients: 2, compositor: nil)
      let app = try Player(d, "app")
      defer { app.close() }
      let other = try Player(d, "other")
      defer { other.close() }
      var opened = 0
      let spring = SpringLoadedInteraction { _, _ in opened += 1 }
      let region = app.region(
        App.left, color: 0x3366CC, [DragInteraction(delegate: app), DropInteraction(delegate: app), spring])
      other.region(
        App.right, color: 0x222222, [DragInteraction(delegate: other), DropInteraction(delegate: other)])
      app.items = { _ in [DesktopTests.item("from the left")] }
      other.items = { _ in [DesktopTests.item("from the right")] }
      var received: [String] = []
      for player in [app, other] {
        player.perform = { session in
          session.loadItems(conformingTo: ["text/plain"]) { loaded in
            for bytes in loaded.compactMap(\.bytes) {
              received.append("\(player === app ? "left" : "right"): \(String(decoding: bytes, as: UTF8.self))")
            }
          }
        }
      }
      let isOver = Player.run([app, other]) {
        other.calls.contains("didTransfer") && app.calls.contains("didTransfer") && received.count == 2
      }
      #expect(isOver, "\(app.calls) \(other.calls)")
      #expect(received == ["right: from the left", "left: from the right"])
      #expect(opened == 1)
      withExtendedLifetime(region) {}
    }

    @Test("Z11: a target is told to scroll, how fast and which way, while a drag rests at its edges, and only then")
    func Z11_aTargetIsToldToScroll() throws {
      var s = Traces.screen
      s.carry(
        from: (200, 400), at: 0, .to(1000, 400, 620...850), .to(1000, 535, 1200...1300), .to(1000, 400, 1900...2000),
        .to(862, 400, 2300...2400), upAt: 3000)
      let d = try Desktop(s, clients: 2, compositor: nil)
      let source = try Player(d, "source")
      defer { source.close() }
      let target = try Player(d, "target")
      defer { target.close() }
      source.region(App.left, color: 0x3366CC, [DragInteraction(delegate: source)])
      source.items = { _ in [DesktopTests.item("one")] }
      let drop = DropInteraction(delegate: target)
      drop.edgeZone = 60
      target.region(App.right, color: 0x222222, [drop])
      // Which way each of the updates said, without what is repeated.
      var ways: [String] = []
      var fastest: (down: Double, left: Double) = (0, 0)
      target.update = { session in
        let speed = session.edgeSpeed
        fastest = (max(fastest.down, speed.y), min(fastest.left, speed.x))
        let way = speed.y > 0 ? "down" : speed.y < 0 ? "up" : speed.x > 0 ? "right" : speed.x < 0 ? "left" : "rest"
        if ways.last != way { ways.append(way) }
        return DropProposal(operation: .copy)
      }
      #expect(Player.run([source, target]) { target.calls.contains("sessionDidEnd") })
      #expect(ways == ["rest", "down", "rest", "left"])
      // 45 of the zone's 60 pixels deep, and 48.
      #expect(abs(fastest.down - 0.75) < 0.03 && abs(fastest.left + 0.8) < 0.03, "\(fastest)")
    }
  }
}
