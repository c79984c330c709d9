// An application and its file provider, for tests. With an argument it is the application: a window at the left whose item
// has the argument for its reference, and no data of its own. Without one it is the file provider.
import CCarry
import CXlib
import Carry
import CarryABI
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

  /// What the provider in C answers later, and the pipe by which a thread says so.
  nonisolated(unsafe) private static var later: OpaquePointer?
  nonisolated(unsafe) private static var ends: [CInt] = [-1, -1]

  /// The same with the functions of carry.h.
  nonisolated static func runProviderInC() throws {
    // It is called with nothing to read at times, and may not wait for it.
    guard pipe(&ends) == 0, fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0 else {
      throw Refusal(description: "there is no pipe")
    }
    let status = carry_provider_run(
      "test provider in C",
      { _, request, reference, type in
        let reference = String(cString: reference)
        if reference == "later:" {
          ProviderPeer.later = request
          var thread = pthread_t()
          pthread_create(
            &thread, nil,
            { _ in
              _ = write(ProviderPeer.ends[1], "x", 1)
              return nil
            }, nil)
          return
        }
        if reference.hasPrefix("wait:") {
          // The destination sees this while the callback goes on.
          carry_request_progress(request, 1, 4)
          while access(String(reference.dropFirst(5)), F_OK) != 0 { poll(nil, 0, 5) }
          return _ = carry_request_answer_data(request, "waited", 6)
        }
        guard reference.hasPrefix("text:") else { return _ = carry_request_fail(request, "no such item") }
        let text = Array("\(reference.dropFirst(5)) as \(String(cString: type)), from C".utf8)
        _ = text.withUnsafeBytes { carry_request_answer_data(request, $0.baseAddress, $0.count) }
      }, ends[0],
      { _ in
        var byte: UInt8 = 0
        guard let request = ProviderPeer.later, read(ProviderPeer.ends[0], &byte, 1) == 1 else { return }
        carry_request_answer_data(request, "later, from C", 13)
      }, nil)
    guard status == CARRY_OK.rawValue else { throw Refusal(description: String(cString: carry_last_error())) }
  }

  nonisolated static func runProvider() throws {
    if getenv("CARRY_PEER_IN_C") != nil { return try runProviderInC() }
    let provider = try FileProvider(name: "test provider") { request, reference in
      let parts = reference.split(separator: ":", maxSplits: 1).map(String.init)
      switch parts.first {
      case "text": request.answer(.success(.data(Array("\(parts[1]) as \(request.type)".utf8))))
      case "file":
        request.fileOptions = .openInPlace
        request.answer(.success(.file(path: parts[1])))
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
