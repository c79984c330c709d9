// A tray: items that are dropped on it are saved in the current folder. A click on it cancels those still on their way.
import CXlib
import Carry

@ClientActor final class Tray: @ClientActor DropInteractionDelegate {
  private var underWay: [Load] = []

  func dropInteraction(_ i: DropInteraction, sessionDidUpdate session: DropSession) -> DropProposal {
    DropProposal(operation: .copy)
  }

  // Loads begin before this returns; they are awaited as long as it takes.
  func dropInteraction(_ i: DropInteraction, performDrop session: DropSession) {
    for provider in session.items.map(\.itemProvider) {
      guard let type = provider.registeredTypes.first else { continue }
      // Whatever the source has, bytes, a file or a folder: it becomes a file or folder here.
      let saving = provider.saveRepresentation(forType: type, in: ".")
      saving.load.onProgress = { load in
        let done = load.fractionCompleted.map { "\(Int($0 * 100))%" } ?? "\(load.completedBytes) bytes"
        print("\(provider.suggestedName ?? "something"): \(done)")
      }
      underWay.append(saving.load)
      Task {
        do throws(LoadError) {
          let file = try await saving.value
          print("saved \(file.isFolder ? "a folder" : "a file"): \(file.path)")
        } catch {
          print("not saved: \(error)")
        }
        underWay.removeAll { $0 === saving.load }
      }
    }
  }

  // The tasks that await them hear of it at once, whatever the source does.
  func cancel() { for load in underWay { load.cancel() } }
}

@main enum Main {
  nonisolated static func main() {
    do { try Client.run(as: "Tray", run) } catch { print("\(error)") }
  }

  @ClientActor static func run(_ client: Client) throws {
    guard let display = XOpenDisplay(nil) else { return print("set DISPLAY to an X display") }
    let window = XCreateSimpleWindow(display, XDefaultRootWindow(display), 850, 250, 300, 300, 0, 0, 0x8FA84F)
    XStoreName(display, window, "Tray")
    XSelectInput(display, window, Int(ButtonPressMask))
    XMapWindow(display, window)
    XSync(display, 0)

    let tray = Tray()
    let region = Region(client: client, window: UInt32(window), frame: Rect(x: 0, y: 0, width: 300, height: 300))
    region.addInteraction(DropInteraction(delegate: tray))
    try client.run(alsoWatching: XConnectionNumber(display)) {
      while XPending(display) > 0 {
        var event = XEvent()
        XNextEvent(display, &event)
        if event.type == ButtonPress { tray.cancel() }
      }
    }
    withExtendedLifetime(region) {}
  }
}
