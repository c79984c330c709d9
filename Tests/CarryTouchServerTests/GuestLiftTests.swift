import Carry
import CarryModel
import CarrySystem
import CarryTesting
import Testing

/// Z23: taps in applications of Carry's own add to what a finger has lifted out of a program that knows nothing of Carry.
@Suite(.serialized) struct GuestLiftTests {
  private typealias Scene = ForeignLiftTests.Scene

  @Test("Z23: a tap in a window of an application of Carry's own adds to what was lifted, too")
  func Z23_tapsAddFromCarry() throws {
    let s = try Scene()
    let target = try s.target()
    let foreign = try ForeignPeer(s.server, ["text", "lake"])
    #expect(s.isGuarded())
    let path = s.server.folder + "/hill.txt"
    try Files.write("hill", to: path)
    let own = try ChildProcess(
      [
        try Checkout.program("carry"), "drag", "--with-engine", "--json", "--geometry", "300x200+450+560", path,
      ], environment: ["DISPLAY": s.server.display, "CARRY_SOCKET": s.socket], output: .pipe)
    #expect(s.isGuarded())
    #expect(s.liftsAndAdds(600, 660), "nothing was added")
    #expect(s.drops())
    let texts = [s.received(target), s.received(target)].compactMap { $0 }
    #expect(texts.contains { $0.contains("lake") } && texts.contains { $0.contains("hill") }, "\(texts)")
    #expect(foreign.isDropped())
    // The application hears of its own drag's end.
    #expect(own.readLine(seconds: 15) { $0.contains("\"event\": \"ended\"") }?.contains("copy") == true)
  }

  /// An application whose window is at 450,560, and that says what it is told.
  private final class Album: DragInteractionDelegate {
    let client: Client
    private let x: XClient
    private var region: Region?
    var calls: [String] = []

    init(_ s: Scene) throws {
      x = try #require(XClient(s.server.display))
      let window = x.makeWindow(CarryModel.Rect(x: 450, y: 560, width: 300, height: 200), color: 0x8040A0)
      x.sync()
      client = try Client(name: "album", socket: s.socket)
      let region = Region(
        client: client, window: window.raw, frame: Carry.Rect(x: 0, y: 0, width: 300, height: 200))
      region.addInteraction(DragInteraction(delegate: self))
      self.region = region
      try client.synchronize()
    }

    func run(seconds: Double = 20, until condition: () -> Bool) -> Bool {
      Wait.until(seconds: seconds, descriptor: client.fileDescriptor) {
        try? client.dispatch()
        return condition()
      }
    }

    func dragInteraction(_ i: DragInteraction, itemsForBeginning s: DragSession) -> [DragItem] {
      calls.append("itemsForBeginning")
      return [DragItem(itemProvider: ItemProvider(text: "hill"))]
    }
    func dragInteraction(_ i: DragInteraction, liftDidBegin s: DragSession) { calls.append("liftDidBegin") }
    func dragInteraction(_ i: DragInteraction, sessionWillBegin s: DragSession) { calls.append("willBegin") }
    func dragInteraction(
      _ i: DragInteraction, session: DragSession, willAdd items: [DragItem], for adding: DragInteraction
    ) {
      calls.append("willAdd(\(items.count))")
    }
    func dragInteraction(_ i: DragInteraction, session: DragSession, willEndWith o: Carry.DropOperation) {
      calls.append("willEnd(\(o))")
    }
    func dragInteraction(_ i: DragInteraction, session: DragSession, didEndWith o: Carry.DropOperation) {
      calls.append("didEnd(\(o))")
    }
  }

  @Test("Z23, A4, E4: such an application hears when its pictures are taken, and when its items are home")
  func Z23_A4_E4_whatItHears() throws {
    let s = try Scene()
    let foreign = try ForeignPeer(s.server, ["text", "lake"])
    #expect(s.isGuarded())
    let album = try Album(s)
    #expect(s.isGuarded())
    #expect(s.lift(1, 200, 400))
    for x in stride(from: 210.0, through: 600, by: 30) { s.server.move(1, x, 400) }
    #expect(s.step("began") != nil)
    // On a busy machine a tap may be the application's before the engine has decided.
    let isAdded = (0..<6).contains { _ in
      album.calls = []
      s.server.down(2, 600, 660)
      s.server.up(2, 600, 660)
      return album.run(seconds: 4) { album.calls.contains("willAdd(1)") }
    }
    #expect(isAdded)
    #expect(album.calls == ["itemsForBeginning", "willBegin", "willAdd(1)"])
    album.calls = []
    // There is nobody to take it.
    s.server.up(1, 600, 400)
    #expect(album.run { album.calls.contains("didEnd(cancel)") })
    #expect(album.calls == ["willEnd(cancel)", "didEnd(cancel)"])
    withExtendedLifetime(foreign) {}
  }
}
