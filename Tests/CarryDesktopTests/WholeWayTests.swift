import Carry
import CarryModel
import CarrySystem
import CarryTesting
import CLinux
import Testing

extension DesktopTests {
  /// Rows whose parts have tests of their own, here from the finger to what the application or the eye gets.
  @Suite(.serialized) struct WholeWay {

    @Test("G1: what moves inside an application is moved, for its source too") func G1_movedInsideAnApplication() throws
    {
      let d = try Desktop(Traces.pressDragDrop, compositor: nil)
      let app = try App(d, "both")
      app.takePlaces()
      app.onUpdate = { _ in .move }
      #expect(app.run { app.calls.contains("sessionDidEnd") && app.calls.contains("didTransfer") })
      #expect(app.calls.contains("willEnd(move)") && app.calls.contains("didEnd(move)"))
    }

    @Test("G15: of all that a drag passes over, one decides, by the same rules in each application")
    func G15_oneDecides() throws {
      let d = try Desktop(Traces.pressDragDrop, clients: 4, compositor: nil)
      let source = try App(d, "source")
      source.region(App.left, [DragInteraction(delegate: source)])
      // Two that it passes, the one it ends on, and one that it never comes near.
      let places = [400.0, 620, 850, 850].enumerated().map { i, x in
        CarryModel.Rect(x: x, y: i == 3 ? 600 : 300, width: 200, height: 190)
      }
      let targets = try places.map { place in
        let app = try App(d, "target at \(place.x)")
        app.region(place, [DropInteraction(delegate: app)])
        return app
      }
      #expect(
        source.run {
          for app in targets { try? app.client.dispatch() }
          return source.calls.contains("didTransfer") && targets[2].calls.last == "sessionDidEnd"
            && targets[0].calls.last == "sessionDidEnd" && targets[1].calls.last == "sessionDidEnd"
        })
      let passed = ["canHandle", "didEnter", "didUpdate", "didExit", "sessionDidEnd"]
      #expect(targets[0].calls == passed)
      #expect(targets[1].calls == passed)
      #expect(
        targets[2].calls == ["canHandle", "didEnter", "didUpdate", "performDrop", "concludeDrop", "sessionDidEnd"])
      #expect(targets[3].calls.isEmpty)
      #expect(source.calls.count { $0 == "itemsForBeginning" } == 1)
    }

    @Test("I5, I6, I12, I18, I21, M3, F4: a destination goes through the items and takes what it likes best of each")
    func I5_I12_representations() throws {
      let d = try Desktop(Traces.pressDragDrop, compositor: nil)
      let (source, target) = try App.pair(d)
      let path = d.folder + "/card.txt"
      try Files.write("on disk", to: path)
      source.items = {
        let contact = ItemProvider()
        contact.registerDataRepresentation(forType: "application/vnd.example.contact") { $0(.success([1])) }
        contact.registerDataRepresentation(forType: "text/vcard") { $0(.success(Array("vcard".utf8))) }
        contact.registerDataRepresentation(forType: "text/plain") { $0(.success(Array("plain".utf8))) }
        contact.preferredPresentationSize = (width: 120, height: 45)
        // A plain path is enough for a copy.
        let file = ItemProvider()
        file.registerFileRepresentation(forType: "text/plain") { $0(.success(path)) }
        return [DragItem(itemProvider: contact), DragItem(itemProvider: file)]
      }
      var types: [[String]] = []
      var sizes: [[Int]?] = []
      var best: [[String?]] = []
      var data: [Int: String] = [:]
      target.onPerform = { session in
        for (i, item) in session.items.enumerated() {
          let provider = item.itemProvider
          types.append(provider.registeredTypes)
          sizes.append(provider.preferredPresentationSize.map { [$0.width, $0.height] })
          // Whoever lists plain text first always gets plain text, though there is something better.
          best.append([
            provider.bestType(conformingTo: ["text/vcard", "text/plain"]),
            provider.bestType(conformingTo: ["text/plain", "text/vcard"]),
          ])
          guard let type = best[i][0] else { continue }
          provider.loadDataRepresentation(forType: type) {
            data[i] = (try? $0.get()).map { String(decoding: $0, as: UTF8.self) }
          }
        }
      }
      #expect(
        target.run {
          try? source.client.dispatch()
          return data.count == 2
        })
      #expect(types == [["application/vnd.example.contact", "text/vcard", "text/plain"], ["text/plain"]])
      #expect(sizes == [[120, 45], nil])
      #expect(best[0] == ["text/vcard", "text/plain"])
      #expect(data == [0: "vcard", 1: "on disk"])
    }

    /// How many pixels of a 500 pixel picture are to be seen while it is carried to a place, and kept there.
    private func carriedPixels(
      to place: (Int, Int), sourceWishes: Bool, destinationWishes: Bool, sourceWidth: Double
    ) throws -> Int {
      var s = Traces.screen
      s.carry(from: (200, 400), at: 0, .to(place.0, place.1, 650...1000), upAt: 60_000)
      let d = try Desktop(s)
      let app = try FullSize(d, sourceWishes, destinationWishes)
      let window = d.client.makeWindow(
        CarryModel.Rect(x: 50, y: 150, width: sourceWidth, height: 500), color: 0x000000)
      let other = d.client.makeWindow(CarryModel.Rect(x: 750, y: 150, width: 500, height: 500), color: 0x000000)
      d.client.sync()
      let source = Region(client: app.client, window: window.raw, frame: .init(x: 0, y: 0, width: 400, height: 500))
      source.addInteraction(DragInteraction(delegate: app))
      let target = Region(client: app.client, window: other.raw, frame: .init(x: 0, y: 0, width: 500, height: 500))
      target.addInteraction(DropInteraction(delegate: app))
      app.region = source
      #expect(
        Wait.until(seconds: 20, descriptor: app.client.fileDescriptor) {
          try? app.client.dispatch()
          return app.hasArrived
        })
      func count() -> Int {
        guard let shot = d.client.screenshot() else { return 0 }
        var n = 0
        for y in stride(from: 0, to: 800, by: 4) {
          for x in stride(from: 0, to: 1280, by: 4) where shot[x, y].red > 60 && shot[x, y].green < 40 { n += 16 }
        }
        return n
      }
      // It has come to rest when it looks the same for a while.
      var last = -1
      var same = 0
      _ = Wait.until(seconds: 10, descriptor: app.client.fileDescriptor) {
        try? app.client.dispatch()
        let now = count()
        same = now == last && now > 0 ? same + 1 : 0
        last = now
        return same > 20
      }
      withExtendedLifetime((source, target)) {}
      return last
    }

    private final class FullSize: DragInteractionDelegate, DropInteractionDelegate {
      let client: Client
      var region: Region?
      var hasArrived = false
      private let sourceWishes: Bool
      private let destinationWishes: Bool

      init(_ d: Desktop, _ sourceWishes: Bool, _ destinationWishes: Bool) throws {
        client = try Client(name: "full size", socket: d.socket)
        self.sourceWishes = sourceWishes
        self.destinationWishes = destinationWishes
      }

      func dragInteraction(_ i: DragInteraction, itemsForBeginning s: DragSession) -> [DragItem] {
        [DragItem(itemProvider: ItemProvider(text: "row"))]
      }
      func dragInteraction(
        _ i: DragInteraction, previewForLifting item: DragItem, session: DragSession
      ) -> TargetedDragPreview? {
        let pixels = [UInt32](repeating: 0xFFFF_0000, count: 400 * 400)
        guard let image = PreviewImage(width: 400, height: 400, premultipliedARGB: pixels), let region else {
          return nil
        }
        return TargetedDragPreview(
          view: .image(image), target: DragPreviewTarget(container: region, center: Carry.Point(x: 200, y: 250)))
      }
      func dragInteraction(_ i: DragInteraction, prefersFullSizePreviewsFor session: DragSession) -> Bool {
        sourceWishes
      }
      func dragInteraction(_ i: DragInteraction, sessionDidMove session: DragSession) { hasArrived = true }
      func dropInteraction(_ i: DropInteraction, sessionDidUpdate s: DropSession) -> DropProposal {
        var proposal = DropProposal(operation: .copy)
        proposal.prefersFullSizePreview = destinationWishes
        return proposal
      }
    }

    @Test("V2, V8: a picture keeps its size over its source, where the source wishes it, and shrinks where not")
    func V2_V8_overTheSource() throws {
      let small = try carriedPixels(
        to: (400, 400), sourceWishes: false, destinationWishes: false, sourceWidth: 600)
      let full = try carriedPixels(to: (400, 400), sourceWishes: true, destinationWishes: false, sourceWidth: 600)
      #expect(full > 100_000, "\(full) pixels")
      #expect(small > 10_000 && small < full / 2, "\(small) of \(full) pixels")
    }

    @Test("V3, O9: over a destination it is the destination's wish") func V3_O9_overADestination() throws {
      let small = try carriedPixels(
        to: (1000, 400), sourceWishes: true, destinationWishes: false, sourceWidth: 600)
      let full = try carriedPixels(to: (1000, 400), sourceWishes: true, destinationWishes: true, sourceWidth: 750)
      #expect(full > 100_000, "\(full) pixels")
      #expect(small > 10_000 && small < full / 2, "\(small) of \(full) pixels")
    }
  }
}
