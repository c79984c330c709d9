import CLinux
import CX11
import CarryModel
import CarrySelections
import CarrySystem
import CarryTesting
import Testing

@testable import Carry

extension DesktopTests {
  /// One program of Carry's copies, and another one pastes.
  @Suite(.serialized) struct PasteBetween {
    let s: ClipboardScene
    let other: ClipboardScene

    init() throws {
      s = try ClipboardScene()
      other = try ClipboardScene(beside: s)
    }

    private func run(until condition: () -> Bool) -> Bool {
      s.run {
        other.client.dispatchIfReady()
        return condition()
      }
    }

    /// What the other program pastes.
    private func pasted() throws -> [ItemProvider] {
      var found: [ItemProvider]?
      try other.client.pasteboard.loadItemProviders { found = $0 }
      #expect(run { found != nil })
      return try #require(found)
    }

    private func data(_ provider: ItemProvider, _ type: String) -> [UInt8]? {
      var result: Result<[UInt8], LoadError>?
      provider.loadDataRepresentation(forType: type) { result = $0 }
      #expect(run { result != nil })
      return try? result?.get()
    }

    @Test("Z9, PC4: an item with a name keeps its own types, and is not made before it is loaded")
    func Z9_PC4_ownTypes() throws {
      let types = ["application/vnd.mine", "image/png", "text/plain;charset=utf-8", "text/plain"]
      var made: [String] = []
      let provider = ItemProvider()
      provider.suggestedName = "Lake.mine"
      for type in types {
        provider.registerDataRepresentation(forType: type) { answer in
          made.append(type)
          answer(.success(Array(type.utf8)))
        }
      }
      try s.client.pasteboard.setItemProviders([provider])
      let items = try pasted()
      #expect(items.map(\.registeredTypes) == [types] && items.first?.suggestedName == "Lake.mine")
      #expect(made.isEmpty)
      let item = try #require(items.first)
      // To X, one text is as good as another.
      for type in types.dropLast() { #expect(data(item, type) == Array(type.utf8)) }
      #expect(data(item, "text/plain") == Array("text/plain;charset=utf-8".utf8))
      #expect(made == types.dropLast())
      // For programs that do not know Carry's items it is a file, as before.
      #expect(
        try s.pasted("text/uri-list").map { String(decoding: $0, as: UTF8.self) }?.hasSuffix("/Lake.mine\r\n") == true)
    }

    @Test("Z9: what cannot be had as bytes, since there is too much of it, comes as a file") func Z9_tooLarge() throws {
      try Files.write("film", to: s.folder + "/film")
      let provider = ItemProvider()
      provider.suggestedName = "film.mkv"
      for type in ["video/x-matroska", "image/png"] {
        provider.registerRequests(forType: type) { [s] request in
          // As a file of a terabyte would.
          if request.form == .data { return request.answer(.failure(Problem("too much"))) }
          request.answer(.success(.file(path: s.folder + "/film")))
        }
      }
      try s.client.pasteboard.setItemProviders([provider])
      let item = try #require(try pasted().first)
      #expect(item.registeredTypes == ["video/x-matroska", "image/png"])
      #expect(data(item, "video/x-matroska") == Array("film".utf8))
      // The file is not of this type.
      #expect(data(item, "image/png") == nil)
    }

    @Test("Z9: a file stays a file, and a folder one: for others, a copy of it")
    func Z9_folders() throws {
      let album = s.folder + "/album"
      _ = mkdir(album, 0o700)
      defer { rmdir(album) }
      try Files.write("lake", to: album + "/lake.txt")
      defer { unlink(album + "/lake.txt") }
      try Files.write("note", to: s.folder + "/note.txt")
      let providers = [ItemProvider(contentsOf: album), ItemProvider(contentsOf: s.folder + "/note.txt")]
      try s.client.pasteboard.setItemProviders([providers[0]])
      #expect(try pasted().first?.registeredTypes.first == "inode/directory")
      try s.client.pasteboard.setItemProviders(providers)
      let list = try #require(try s.pasted("text/uri-list"))
      let paths = ForeignFile.paths(in: list)
      try #require(paths.count == 2)
      #expect(try Files.read(paths[0] + "/lake.txt", limit: 100) == Array("lake".utf8))
      #expect(try Files.read(paths[1], limit: 100) == Array("note".utf8))
      #expect(try pasted().map { $0.registeredTypes.first } == ["inode/directory", "text/plain"])
    }

    @Test("Z9: what nobody will answer any more is known at once when the other application ends")
    func Z9_ends() throws {
      var owner: ClipboardOwner? = try ClipboardOwner(s)
      let provider = try #require(owner).pasted(s)
      var result: Result<[UInt8], LoadError>?
      provider.loadDataRepresentation(forType: "text/plain") { result = $0 }
      _ = try #require(owner).request(s)
      #expect(result == nil)
      owner = nil
      #expect(s.run(seconds: 15) { result != nil })
      #expect(throws: LoadError.self) { try result?.get() }
      #expect(result.map { "\($0)" }?.contains("has ended") == true)
    }

    @Test("Z9: an answer that has come in time is taken, whatever has come before it", arguments: [0, 2000])
    func Z9_flood(events: Int) throws {
      let owner = try ClipboardOwner(s)
      var found: [ItemProvider]?
      try s.client.pasteboard.loadItemProviders { found = $0 }
      var request: SelectionServer.Request?
      #expect(
        Wait.until {
          request = owner.side.nextRequest()
          return request != nil
        })
      let first = try #require(request)
      let flooder = try SelectionSide(s.server)
      // A message that any program can send to a window whose number it has guessed.
      let message = [33, 8] + [UInt8](repeating: 0, count: 30)
      message.withUnsafeBytes { bytes in
        for _ in 0..<events {
          xcb_send_event(flooder.raw, 0, first.requestor, 0, bytes.baseAddress?.assumingMemoryBound(to: CChar.self))
        }
      }
      flooder.sync()
      owner.answer(first)
      // The application is busy for longer than it waits for an answer.
      let end = MonotonicClock.now() + .milliseconds(2100)
      #expect(Wait.until { MonotonicClock.now() > end })
      #expect(
        s.run {
          _ = owner.answerNext()
          return found != nil
        })
      #expect(found?.count == 1)
    }

    @Test("Z9: files of a former copy go in time, whichever connection there is then") func Z9_formerFiles() throws {
      // Promises: what is there already is served by a thread, on a connection of its own.
      func promise() -> ItemProvider {
        let provider = ItemProvider()
        provider.registerDataRepresentation(forType: "application/x-thing") { $0(.success([1])) }
        return provider
      }
      let provider = promise()
      provider.suggestedName = "thing.bin"
      try s.client.pasteboard.setItemProviders([provider])
      #expect(try s.pasted("text/uri-list") != nil)
      try s.client.pasteboard.setItemProviders([promise()])
      let first = try s.client.pasteboard.connect()
      #expect(first.turnsAt != nil)
      // Any program can destroy the window that owns the clipboard.
      let robber = try #require(XClient(s.server.display))
      XDestroyWindow(robber.connection, CX11.Window(robber.selectionOwner("CLIPBOARD")))
      robber.sync()
      #expect(s.run { !s.client.pasteboard.isOwn })
      try s.client.pasteboard.setItemProviders([promise()])
      let second = try s.client.pasteboard.connect()
      #expect(second !== first && second.turnsAt != nil)
    }
  }
}
