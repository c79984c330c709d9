import CLinux
import CX11
import Carry
import CarryModel
import CarrySelections
import CarrySystem
import CarryTesting
import Synchronization
import Testing

extension DesktopTests {
  /// The X clipboard, by the same item providers and paste configurations as drops. No engine runs here. The other
  /// application is xclip.
  @Suite(.serialized) struct Clipboard {
    private final class Scene {
      let server: PrivateXServer
      let client: Client
      let folder = "/tmp/carry-clipboard-\(getpid())-\(UInt32.random(in: 0 ... .max))"

      init() throws {
        server = try PrivateXServer()
        _ = mkdir(folder, 0o700)
        client = try Client(awaitingEngineAs: "clipboard", socket: folder + "/none")
        client.pasteboard.displayName = server.display
      }

      deinit {
        for name in Files.list(folder) { unlink(folder + "/" + name) }
        rmdir(folder)
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
        try Desktop.write(bytes, to: folder + "/in")
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

    @Test(
      "Z9, PC4: what is copied is pasted by other applications: text by all its names, data, and large data in parts")
    func Z9_PC4_copy() throws {
      let s = try Scene()
      var asked = 0
      let provider = ItemProvider(text: "über")
      provider.registerDataRepresentation(forType: "application/x-large") {
        asked += 1
        // More than a request takes: INCR.
        $0(.success([UInt8](repeating: 7, count: 20 << 20)))
      }
      provider.registerDataRepresentation(forType: "application/x-own", visibility: .ownProcess) { $0(.success([1])) }
      try s.client.pasteboard.setItemProviders([provider])
      #expect(s.client.pasteboard.isOwn && asked == 0)
      #expect(try s.pasted("UTF8_STRING") == Array("über".utf8))
      #expect(try s.pasted("STRING") == [0xFC] + Array("ber".utf8))
      #expect(try s.pasted("text/plain;charset=utf-8") == Array("über".utf8))
      let types = String(decoding: try s.pasted("TARGETS") ?? [], as: UTF8.self).split(separator: "\n")
      #expect(types.contains("UTF8_STRING") && types.contains("TARGETS") && types.contains("MULTIPLE"))
      #expect(!types.contains("application/x-own"))
      #expect(try s.pasted("application/x-large") == [UInt8](repeating: 7, count: 20 << 20) && asked == 1)
      #expect(try s.pasted("application/x-own") == nil)
      // Another application copies.
      var isReplaced = false
      s.client.pasteboard.onReplaced = { isReplaced = true }
      try s.copy(Array("theirs".utf8), as: "UTF8_STRING")
      #expect(s.run { isReplaced } && !s.client.pasteboard.isOwn)
      // An empty clipboard of one's own is none of theirs.
      try s.client.pasteboard.setItemProviders([])
      #expect(try s.pasted("UTF8_STRING") == Array("theirs".utf8))
    }

    /// Hands data on to nobody.
    private final class Follower: DataFollower {
      let isTold: Bool
      let hasFailed: Bool
      private let takes: Bool
      private let goesAway: Bool
      private let bytes = Atomic<Int>(0)
      /// Whether somebody takes what has come; otherwise it is waited for.
      let isRead: Atomic<Bool>

      init(
        isTold: Bool = false, hasFailed: Bool = false, takes: Bool = true, goesAway: Bool = false, reads: Bool = true
      ) {
        (self.isTold, self.hasFailed, self.takes, self.goesAway) = (isTold, hasFailed, takes, goesAway)
        isRead = Atomic(reads)
      }

      var count: Int? { takes ? bytes.load(ordering: .relaxed) : nil }
      func expect(_ count: Int) -> Bool { takes }
      func take(_ part: UnsafeRawBufferPointer) throws {
        bytes.add(part.count, ordering: .relaxed)
        _ = Wait.until { isRead.load(ordering: .acquiring) }
        if hasFailed || goesAway { throw Problem("nobody is there") }
      }
      func complete() throws {}
      func abandon() {}
    }

    @Test(
      "Z1, Z32: a load whose data the target knows to be there goes on when the drop ends, and its source hears of it",
      arguments: [true, false])
    func Z1_Z32_toldBeforeTheEnd(_ isTold: Bool) throws {
      let s = try Scene()
      let hasEnded = Atomic<Bool>(false)
      let wasCancelled = Atomic<Bool>(false)
      let isOver = Atomic<Bool>(false)
      let provider = ItemProvider()
      provider.registerStreamRepresentation(forType: "application/x-slow") { stream in
        _ = Wait.until { hasEnded.load(ordering: .acquiring) && (isTold || stream.isCancelled) }
        wasCancelled.store(stream.isCancelled, ordering: .releasing)
        isOver.store(true, ordering: .releasing)
      }
      try s.client.pasteboard.setItemProviders([provider])
      let data = OfferedData([DragItem(itemProvider: provider)])
      var answers: [Bool] = []
      data.convert("application/x-slow", following: Follower(isTold: isTold)) { answers.append($0 != nil) }
      data.end()
      #expect(answers == (isTold ? [] : [false]))
      hasEnded.store(true, ordering: .releasing)
      #expect(s.run { isOver.load(ordering: .acquiring) && !answers.isEmpty })
      #expect(wasCancelled.load(ordering: .acquiring) == !isTold && answers == [isTold])
    }

    @Test("Z1: data that has gone on as it came is loaded once more for who asks again, and kept then")
    func Z1_askedAgain() throws {
      let s = try Scene()
      let bytes = (0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      var loads = 0
      let provider = ItemProvider()
      provider.registerDataRepresentation(forType: "application/x-counted") { answer in
        loads += 1
        answer(.success(bytes))
      }
      try s.client.pasteboard.setItemProviders([provider])

      /// What somebody gets: how many bytes have gone on, or bytes.
      func answer(_ data: OfferedData, _ follower: Follower) -> OfferedAnswer? {
        var answer: OfferedAnswer??
        data.convert("application/x-counted", following: follower) { answer = .some($0) }
        #expect(s.run { answer != nil })
        return answer ?? nil
      }
      func isHandedOn(_ answer: OfferedAnswer?) -> Bool {
        if case .handedOn(bytes.count)? = answer { true } else { false }
      }
      func isWhole(_ answer: OfferedAnswer?) -> Bool { if case .bytes(bytes)? = answer { true } else { false } }

      let data = OfferedData([DragItem(itemProvider: provider)])
      #expect(isHandedOn(answer(data, Follower())) && loads == 1)
      #expect(isWhole(answer(data, Follower())) && loads == 2)
      #expect(isWhole(answer(data, Follower())) && loads == 2)
      // One that does not hand it on, and one that cannot.
      let other = OfferedData([DragItem(itemProvider: provider)])
      #expect(isWhole(answer(other, Follower(takes: false))) && loads == 3)
      #expect(isWhole(answer(other, Follower())) && loads == 3)
      let third = OfferedData([DragItem(itemProvider: provider)])
      #expect(isWhole(answer(third, Follower(hasFailed: true))) && loads == 5)
      // Two at once: small data, which nothing is handed on of, is loaded once.
      let fourth = OfferedData([DragItem(itemProvider: provider)])
      loads = 0
      var both: [OfferedAnswer?] = []
      for _ in 0..<2 { fourth.convert("application/x-counted", following: Follower(takes: false)) { both.append($0) } }
      #expect(s.run { both.count == 2 })
      #expect(both.allSatisfy(isWhole) && loads == 1)
    }

    @Test("Z1, T29: who asks for what already goes on to another window does not wait for whoever takes that")
    func Z1_T29_twoAtOnce() throws {
      let s = try Scene()
      let bytes = [UInt8](repeating: 5, count: 1 << 20)
      let provider = ItemProvider()
      var loads = 0
      provider.registerDataRepresentation(forType: "application/x-counted") { answer in
        loads += 1
        answer(.success(bytes))
      }
      try s.client.pasteboard.setItemProviders([provider])
      for goesAway in [false, true] {
        let data = OfferedData([DragItem(itemProvider: provider)])
        loads = 0
        let slow = Follower(goesAway: goesAway, reads: false)
        var (first, second): (OfferedAnswer??, OfferedAnswer??)
        data.convert("application/x-counted", following: slow) { first = .some($0) }
        data.convert("application/x-counted", following: Follower()) { second = .some($0) }
        #expect(s.run { second != nil })
        let isWhole = if case .bytes(bytes)?? = second { true } else { false }
        #expect(isWhole && first == nil && loads == 2)
        slow.isRead.store(true, ordering: .releasing)
        #expect(s.run { first != nil })
        let isHandedOn = if case .handedOn(bytes.count)?? = first { true } else { false }
        #expect(isHandedOn != goesAway && data.isAwaited == false && loads == 2)
      }
    }

    @Test("Z9: a copied file is an address, also in the way in which file managers paste") func Z9_copiedFiles() throws
    {
      let s = try Scene()
      let path = s.folder + "/a b.txt"
      try Desktop.write(Array("content".utf8), to: path)
      let provider = ItemProvider(contentsOf: path, fileOptions: .openInPlace)
      try s.client.pasteboard.setItemProviders([provider])
      let address = "file://\(s.folder)/a%20b.txt"
      #expect(try s.pasted("text/uri-list") == Array((address + "\r\n").utf8))
      #expect(try s.pasted("x-special/gnome-copied-files") == Array(("copy\n" + address).utf8))
    }

    @Test("Z9, PC4: what others copy is pasted by the providers that serve drops: text, data in parts, files")
    func Z9_PC4_paste() throws {
      let s = try Scene()
      #expect(try s.providers().isEmpty)
      try s.copy(Array("theirs".utf8), as: "UTF8_STRING")
      let text = try s.providers()
      try #require(text.count == 1)
      #expect(text[0].hasRepresentationConforming(to: "text/*"))
      #expect(s.data(text[0], "text/plain") == Array("theirs".utf8))
      let large = (0..<(12 << 20)).map { UInt8(0x20 + $0 % 61) }
      try s.copy(large, as: "image/png")
      // What was found before is not there any more, and its place was taken by something else.
      #expect(s.data(text[0], "text/plain") == nil)
      let picture = try s.providers()
      try #require(picture.count == 1)
      #expect(s.data(picture[0], "image/png") == large)
      let path = s.folder + "/x.txt"
      try Desktop.write(Array("content".utf8), to: path)
      try s.copy(Array("file://\(path)\r\nfile://\(path)\r\n".utf8), as: "text/uri-list")
      let files = try s.providers()
      try #require(files.count == 2)
      #expect(files[0].registeredTypes.first == "text/plain")
      #expect(s.data(files[1], "text/plain") == Array("content".utf8))
      // And onwards, to a clipboard or a drag of this application's own.
      try s.client.pasteboard.setItemProviders([files[0]])
      #expect(try s.pasted("text/plain") == Array("content".utf8))
    }

    @Test("Z9, PC4: what is pasted is asked for at once, and not when something else wakes the program")
    func Z9_PC4_askedAtOnce() throws {
      let s = try Scene()
      let owner = try SelectionSide(s.server)
      let server = SelectionServer(owner.x)
      xcb_set_selection_owner(owner.raw, server.window, owner.x.atom("CLIPBOARD"), 0)
      owner.sync()
      /// Answers a request, and says for what.
      func answerNext() -> String? {
        while let event = xcb_poll_for_event(owner.raw) {
          defer { free(event) }
          guard event.pointee.response_type == UInt8(XCB_SELECTION_REQUEST) else { continue }
          let e = event.withMemoryRebound(to: xcb_selection_request_event_t.self, capacity: 1) { $0.pointee }
          let request = SelectionServer.Request(
            requestor: e.requestor, property: e.property, target: e.target, time: e.time, selection: e.selection)
          if e.target == owner.x.atom("TARGETS") {
            server.answer(request, words: [owner.x.atom("UTF8_STRING")], as: SelectionConnection.atomType)
          } else {
            server.answer(request, Array("theirs".utf8), at: MonotonicClock.now())
          }
          owner.sync()
          return owner.x.name(of: e.target)
        }
        return nil
      }
      for _ in 0..<2 {
        var found: [ItemProvider]?
        try s.client.pasteboard.loadItemProviders { found = $0 }
        #expect(
          s.run {
            _ = answerNext()
            return found != nil
          })
        var result: Result<[UInt8], LoadError>?
        try #require(found?.first).loadDataRepresentation(forType: "text/plain") { result = $0 }
        // The program's loop does not turn.
        #expect(Wait.until { answerNext() == "UTF8_STRING" })
        #expect(s.run { result != nil })
        #expect(try result?.get() == Array("theirs".utf8))
      }
    }

    @Test("Z9, PC4: what was pasted fails to load once the X server is gone, and nothing else happens")
    func Z9_PC4_withoutTheServer() throws {
      let s = try Scene()
      let owner = try SelectionSide(s.server)
      try s.copy(Array("theirs".utf8), as: "UTF8_STRING")
      let text = try #require(s.providers().first)
      // One load is under way, of a program that does not answer.
      xcb_set_selection_owner(owner.raw, owner.window, owner.x.atom("CLIPBOARD"), 0)
      owner.sync()
      var found: [ItemProvider]?
      try s.client.pasteboard.loadItemProviders { found = $0 }
      s.server.process.stop(SIGKILL)
      #expect(s.run { found != nil })
      #expect(found?.isEmpty == true && s.data(text, "text/plain") == nil)
      // The descriptor at its end is not waited for any more.
      #expect(s.run { !Wait.isReadable(s.client.fileDescriptor) })
    }

    @Test("Z9, PC4: a load that is under way fails when the connection to the X server is lost")
    func Z9_PC4_lostMeanwhile() throws {
      let s = try Scene()
      let owner = try SelectionSide(s.server)
      let clipboard = owner.x.atom("CLIPBOARD")
      xcb_set_selection_owner(owner.raw, owner.window, clipboard, 0)
      owner.sync()
      // It says what it has, and hands nothing over.
      var found: [ItemProvider]?
      try s.client.pasteboard.loadItemProviders { found = $0 }
      let server = SelectionServer(owner.x)
      #expect(
        s.run {
          while let event = xcb_poll_for_event(owner.raw) {
            defer { free(event) }
            guard event.pointee.response_type == UInt8(XCB_SELECTION_REQUEST) else { continue }
            let e = event.withMemoryRebound(to: xcb_selection_request_event_t.self, capacity: 1) { $0.pointee }
            server.answer(
              .init(
                requestor: e.requestor, property: e.property, target: e.target, time: e.time, selection: e.selection),
              words: [owner.x.atom("UTF8_STRING")], as: SelectionConnection.atomType)
            owner.sync()
          }
          return found != nil
        })
      var result: Result<[UInt8], LoadError>?
      try #require(found?.first).loadDataRepresentation(forType: "text/plain") { result = $0 }
      s.server.process.stop(SIGKILL)
      #expect(s.run { result != nil })
      #expect((try? result?.get()) == nil)
    }

    @Test(
      "Z9: whoever pastes from an application is answered, whatever that asks the X server meanwhile",
      arguments: [false, true])
    func Z9_nobodyIsForgotten(leaves: Bool) throws {
      let s = try Scene()
      try s.copy(Array("theirs".utf8), as: "UTF8_STRING")
      let old = try #require(s.providers().first)
      try s.client.pasteboard.setItemProviders([ItemProvider(text: "own")])
      #expect(s.run { !Wait.isReadable(s.client.fileDescriptor) })
      let process = try s.xclip(["-o"])
      // Its request is there, and not read yet.
      #expect(Wait.until { Wait.isReadable(s.client.fileDescriptor) })
      var result: Result<[UInt8], LoadError>?
      if leaves {
        #expect(!s.client.pasteboard.leaveToManager(seconds: 0))
      } else {
        old.loadDataRepresentation(forType: "text/plain") { result = $0 }
      }
      var status: Int32?
      #expect(
        s.run {
          status = process.waitForExit(seconds: 0)
          return status != nil
        })
      #expect(status == 0 && s.output == Array("own".utf8) && (try? result?.get()) == nil)
    }

    @Test("Z9: an application that is closed, and keeps what was pasted, leaves nobody waiting for its clipboard")
    func Z9_closed() throws {
      let s = try Scene()
      try s.copy(Array("theirs".utf8), as: "UTF8_STRING")
      let old = try #require(s.providers().first)
      try s.client.pasteboard.setItemProviders([ItemProvider(text: "own")])
      s.client.close()
      let process = try s.xclip(["-o"])
      #expect(process.waitForExit(seconds: 20) == 1)
      withExtendedLifetime(old) {}
    }

    @Test("Z9: of many files that were copied all are pasted, however many of them are loaded at once")
    func Z9_manyFiles() throws {
      let s = try Scene()
      let paths = (0..<60).map { "\(s.folder)/\($0).txt" }
      for path in paths { try Desktop.write(Array(path.utf8), to: path) }
      try s.copy(Array(paths.map { "file://\($0)\r\n" }.joined().utf8), as: "text/uri-list")
      let files = try s.providers()
      try #require(files.count == paths.count)
      var results: [Int: Result<[UInt8], LoadError>] = [:]
      for (i, file) in files.enumerated() {
        file.loadDataRepresentation(forType: "text/plain") { results[i] = $0 }
      }
      #expect(s.run { results.count == paths.count })
      for (i, path) in paths.enumerated() { #expect(try results[i]?.get() == Array(path.utf8), "\(i)") }
    }

    @Test("Z9, PC1, PC2, PC4: one paste configuration and one callback serve drops and the clipboard")
    func Z9_PC1_PC2_pasteConfiguration() throws {
      let s = try Scene()
      let region = Region(client: s.client, window: 1, frame: Carry.Rect(x: 10, y: 0, width: 40, height: 20))
      region.pasteConfiguration = PasteConfiguration(acceptableTypes: ["text/*"])
      var texts: [String] = []
      var session: DropSession?
      region.onPaste = { providers, drop in
        session = drop
        #expect(drop.isPaste && drop.items.count == 1 && drop.location(in: region) == Carry.Point(x: 20, y: 10))
        for provider in providers {
          provider.loadDataRepresentation(forType: "text/plain") {
            texts.append(String(decoding: (try? $0.get()) ?? [], as: UTF8.self))
          }
        }
      }
      func paste() throws -> Int? {
        var count: Int?
        try region.paste { count = $0 }
        #expect(s.run { count != nil })
        return count
      }
      #expect(try paste() == 0)
      try s.copy(Array("theirs".utf8), as: "UTF8_STRING")
      #expect(try paste() == 1)
      #expect(s.run { texts == ["theirs"] })
      #expect(session?.progress.completedBytes == 6)
      // What the region does not take.
      try s.copy([1, 2], as: "image/png")
      #expect(try paste() == 0)
      // Its own.
      try s.client.pasteboard.setItemProviders([ItemProvider(text: "own")])
      #expect(try paste() == 1)
      #expect(s.run { texts == ["theirs", "own"] })
    }

    @Test("Z9: a client that ends leaves its clipboard to the clipboard manager") func Z9_manager() throws {
      let s = try Scene()
      let program = try PeerProgram.build("manager", in: s.folder, "gcc '\(Checkout.peers)/clipboard-manager.c' -lX11")
      // Without a manager nobody waits.
      try s.client.pasteboard.setItemProviders([ItemProvider(text: "left")])
      #expect(!s.client.pasteboard.leaveToManager())
      let manager = try ChildProcess([program], environment: ["DISPLAY": s.server.display], output: .pipe)
      #expect(manager.readLine(seconds: 15) == "ready")
      s.client.close()
      #expect(manager.readLine(seconds: 15) == "saved 4")
      let process = try s.xclip(["-o", "-t", "UTF8_STRING"])
      #expect(process.waitForExit(seconds: 15) == 0 && s.output == Array("left".utf8))
    }

    @Test("Z9, T18: a program that asks a hundred thousand times for what was copied costs no stack")
    func Z9_T18_flood() throws {
      let s = try Scene()
      try s.client.pasteboard.setItemProviders([ItemProvider(text: "often")])
      #expect(try s.pasted("UTF8_STRING") == Array("often".utf8))
      let asker = try #require(XClient(s.server.display))
      let window = UInt(asker.makeWindow(CarryModel.Rect(x: 0, y: 0, width: 9, height: 9)).raw)
      func atom(_ name: String) -> Atom { XInternAtom(asker.connection, name, 0) }
      let (clipboard, type, property) = (atom("CLIPBOARD"), atom("UTF8_STRING"), atom("PASTED"))
      func ask() {
        for _ in 0..<100_000 { XConvertSelection(asker.connection, clipboard, type, property, window, 0) }
        asker.sync()
      }
      ask()
      // Copying anew meanwhile waits for no more than the X server.
      try s.client.pasteboard.setItemProviders([ItemProvider(text: "anew")])
      ask()
      #expect(try s.pasted("UTF8_STRING") == Array("anew".utf8))
    }

    @Test("Z9, T29: an application that never answers a paste costs nothing, and a gone display is an error")
    func Z9_T29_silence() throws {
      let s = try Scene()
      let silent = try #require(XClient(s.server.display))
      silent.ownSelection("CLIPBOARD", by: silent.makeWindow(CarryModel.Rect(x: 0, y: 0, width: 9, height: 9)))
      #expect(try s.providers().isEmpty)
      let own = ItemProvider(text: "own")
      try s.client.pasteboard.setItemProviders([own])
      s.server.process.stop(SIGKILL)
      #expect(s.run { !s.client.pasteboard.isOwn })
      #expect(throws: ClientError.self) { try s.client.pasteboard.setItemProviders([own]) }
    }
  }
}
