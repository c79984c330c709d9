import CLinux
import Carry
import CarryModel
import CarrySelections
import CarrySystem
import CarryTesting
import Testing

extension DesktopTests {
  /// A client with an X server of its own, and no engine. The other application is xclip.
  final class ClipboardScene {
    let server: PrivateXServer
    let client: Client
    private let place: TestFolder
    var folder: String { place.path }

    /// - Parameter other: on whose X server; nil for one of its own.
    init(beside other: ClipboardScene? = nil) throws {
      server = try other?.server ?? PrivateXServer()
      place = try TestFolder("clipboard")
      client = try Client(awaitingEngineAs: "clipboard", socket: place.path + "/none")
      client.pasteboard.displayName = server.display
    }

    func run(seconds: Double = 60, until condition: () -> Bool) -> Bool {
      Wait.until(seconds: seconds, descriptor: client.fileDescriptor) {
        client.dispatchIfReady()
        return condition()
      }
    }

    /// Starts xclip, its output in a file.
    func xclip(_ arguments: [String]) throws -> ChildProcess {
      try ChildProcess(
        ["sh", "-c", "exec xclip -selection clipboard \"$@\" > '\(folder)/out' 2>'\(folder)/err'", "sh"] + arguments,
        environment: ["DISPLAY": server.display])
    }

    var output: [UInt8]? { try? Files.read(folder + "/out", limit: 1 << 28) }

    /// What xclip pastes of a type; nil where there is none.
    func pasted(_ type: String) throws -> [UInt8]? {
      let process = try xclip(["-o", "-t", type])
      var status: Int32?
      #expect(
        run {
          status = process.waitForExit(seconds: 0)
          return status != nil
        })
      return status == 0 ? output : nil
    }

    /// Has xclip copy the content of a file.
    func copy(_ bytes: [UInt8], as type: String) throws {
      try Files.write(bytes, to: folder + "/in")
      let looker = try #require(XClient(server.display))
      let before = looker.selectionOwner("CLIPBOARD")
      let process = try xclip(["-i", "-t", type, folder + "/in"])
      #expect(process.waitForExit(seconds: 15) == 0)
      // It goes on in the background, and takes the clipboard there.
      #expect(Wait.until { ![0, before].contains(looker.selectionOwner("CLIPBOARD")) })
    }

    func providers() throws -> [ItemProvider] {
      var found: [ItemProvider]?
      try client.pasteboard.loadItemProviders { found = $0 }
      #expect(found == nil, "it is called later")
      #expect(run { found != nil })
      return found ?? []
    }

    func data(_ provider: ItemProvider, _ type: String) -> [UInt8]? {
      var result: Result<[UInt8], LoadError>?
      provider.loadDataRepresentation(forType: type) { result = $0 }
      #expect(run(seconds: 40) { result != nil })
      if case .failure(let error)? = result { print("load failed: \(error)") }
      return try? result?.get()
    }
  }
  /// Another program that has copied a text, and answers when it is told to.
  struct ClipboardOwner {
    let side: SelectionSide
    let server: SelectionServer
    var text = "theirs"
    /// The types that it knows.
    var types = ["TARGETS", "UTF8_STRING"]

    init(_ s: ClipboardScene) throws {
      side = try SelectionSide(s.server)
      server = SelectionServer(side.x)
      copy()
    }

    /// Always by the same window.
    func copy() { side.ownClipboard(by: server.window) }

    /// Answers a request, and says for what.
    func answerNext() -> String? { side.nextRequest().map { answer($0) } }

    @discardableResult func answer(_ request: SelectionServer.Request) -> String {
      let type = side.x.name(of: request.target) ?? ""
      if !types.contains(type) {
        server.refuse(request)
      } else if type == "TARGETS" {
        server.answer(request, words: [side.x.atom("UTF8_STRING")], as: SelectionConnection.atomType)
      } else {
        server.answer(request, Array(text.utf8), at: MonotonicClock.now())
      }
      side.sync()
      return type
    }

    /// What the client pastes from it.
    func pasted(_ s: ClipboardScene) throws -> ItemProvider {
      var found: [ItemProvider]?
      try s.client.pasteboard.loadItemProviders { found = $0 }
      #expect(
        s.run {
          _ = answerNext()
          return found != nil
        })
      return try #require(found?.first)
    }

    /// The next request of the client.
    func request(_ s: ClipboardScene, within seconds: Double = 60) throws -> SelectionServer.Request {
      var request: SelectionServer.Request?
      #expect(
        s.run(seconds: seconds) {
          request = request ?? side.nextRequest()
          return request != nil
        })
      return try #require(request)
    }
  }
}
