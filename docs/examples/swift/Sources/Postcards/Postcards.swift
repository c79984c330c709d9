// A postcard to drag away, in a window that accepts dropped text.
import CXlib
import Carry

final class Postcard: DragInteractionDelegate, DropInteractionDelegate {
  // Returns the items that a press lifts.
  func dragInteraction(_ i: DragInteraction, itemsForBeginning session: DragSession) -> [DragItem] {
    [DragItem(itemProvider: ItemProvider(text: "Greetings from the lake"))]
  }

  // Says what a drop would do here, now.
  func dropInteraction(_ i: DropInteraction, sessionDidUpdate session: DropSession) -> DropProposal {
    DropProposal(operation: session.hasItemsConforming(toTypes: ["text/plain"]) ? .copy : .cancel)
  }

  // It was dropped: the only time to request data.
  func dropInteraction(_ i: DropInteraction, performDrop session: DropSession) {
    for item in session.items {
      guard let type = item.itemProvider.bestType(conformingTo: ["text/plain"]) else { continue }
      item.itemProvider.loadDataRepresentation(forType: type) { result in
        switch result {
        case .success(let bytes): print("received: \(String(decoding: bytes, as: UTF8.self))")
        case .failure(let error): print("not received: \(error)")
        }
      }
    }
  }
}

@main enum Postcards {
  nonisolated static func main() {
    do { try run() } catch { print("\(error)") }
  }

  nonisolated static func run() throws {
    guard let display = XOpenDisplay(nil) else { return print("set DISPLAY to an X display") }
    let window = XCreateSimpleWindow(display, XDefaultRootWindow(display), 100, 100, 300, 200, 0, 0, 0x4F8FA8)
    XStoreName(display, window, "Postcards")
    XMapWindow(display, window)
    XSync(display, 0)  // The window must be there before a region of it is.

    let client = try Client(awaitingEngineAs: "Postcards")
    let postcard = Postcard()
    let region = Region(
      client: client, window: UInt32(window), frame: Rect(x: 0, y: 0, width: 300, height: 200))
    region.addInteraction(DragInteraction(delegate: postcard))
    region.addInteraction(DropInteraction(delegate: postcard))
    try client.run()
    withExtendedLifetime(postcard) {}
  }
}
