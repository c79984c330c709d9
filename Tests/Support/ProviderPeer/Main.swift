// An application and its file provider, for tests. With an argument it is the application: a window at the left whose item
// has the argument for its reference, and no data of its own. Without one it is the file provider.
import CXlib
import Carry
import Glibc

@main enum ProviderPeer {
  nonisolated static func main() {
    do {
      if CommandLine.arguments.count > 1 { try runApplication(CommandLine.arguments[1]) } else { try runProvider() }
    } catch {
      print("\(error)")
      exit(1)
    }
  }

  private struct Refusal: Error, CustomStringConvertible { let description: String }

  nonisolated static func runProvider() throws {
    let provider = try FileProvider(name: "test provider") { request in
      let parts = request.reference.split(separator: ":", maxSplits: 1).map(String.init)
      switch parts.first {
      case "text": request.answer(.success(.data(Array("\(parts[1]) as \(request.type)".utf8))))
      case "file": request.answer(.success(.file(path: parts[1])), fileOptions: .openInPlace)
      case "die": abort()
      case "hang": while true { pause() }
      default: request.answer(.failure(Refusal(description: "no such item")))
      }
    }
    try provider.run()
  }

  private final class Source: DragInteractionDelegate {
    let reference: String
    init(_ reference: String) { self.reference = reference }

    func dragInteraction(_ i: DragInteraction, itemsForBeginning session: DragSession) -> [DragItem] {
      let provider = ItemProvider()
      provider.suggestedName = "served.txt"
      provider.fileProviderReference = reference
      provider.registerDataRepresentation(forType: "text/plain;charset=utf-8") {
        $0(.success(Array("from the application".utf8)))
      }
      return [DragItem(itemProvider: provider)]
    }
  }

  nonisolated static func runApplication(_ reference: String) throws {
    guard let display = XOpenDisplay(nil) else { throw Refusal(description: "there is no display") }
    let window = XCreateSimpleWindow(display, XDefaultRootWindow(display), 50, 250, 300, 300, 0, 0, 0xC04020)
    XMapWindow(display, window)
    XSync(display, 0)
    let client = try Client(name: "test application")
    let source = Source(reference)
    let region = Region(client: client, window: UInt32(window), frame: Rect(x: 0, y: 0, width: 300, height: 300))
    region.addInteraction(DragInteraction(delegate: source))
    try client.run()
    withExtendedLifetime(source) {}
  }
}
