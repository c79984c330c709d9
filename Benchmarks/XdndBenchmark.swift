import CX11
import Carry
import CarryModel
import CarrySystem
import CarryTesting

/// A window whose content a mouse drags out through the engine, for the rig that drives a pointer between two programs.
enum XdndBenchmark {
  /// What the rig's targets take.
  private static let type = "application/x-carry-bench"

  /// Runs until it is killed. The rig finds the window by its title, and moves it.
  static func source(_ arguments: Arguments) throws {
    guard let x = XClient(environment("DISPLAY") ?? "") else { throw Failure("no display") }
    let client = try Client(name: "bench source")
    // Unmapped while it has no title: the rig looks at mapped ones only.
    let window = x.makeWindow(CarryModel.Rect(x: 100, y: 100, width: 300, height: 300), color: 0xAABBCC, maps: false)
    XStoreName(x.connection, Window(window.raw), "carry-src")
    let region = Region(client: client, window: window.raw, frame: Carry.Rect(x: 0, y: 0, width: 300, height: 300))
    let bytes = [UInt8](repeating: 0x61, count: arguments.number("count", otherwise: 1024))
    let offer = Offer { ItemProvider(data: bytes, type: type) }
    region.addInteraction(DragInteraction(delegate: offer))
    x.sync()
    try client.synchronize()
    XMapWindow(x.connection, Window(window.raw))
    x.sync()
    try client.run()
    withExtendedLifetime((x, region, offer)) {}
  }

  private final class Offer: DragInteractionDelegate {
    private let make: () -> ItemProvider

    init(_ make: @escaping () -> ItemProvider) { self.make = make }

    func dragInteraction(_ interaction: DragInteraction, itemsForBeginning session: DragSession) -> [DragItem] {
      [DragItem(itemProvider: make())]
    }
  }
}
