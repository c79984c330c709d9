import CLinux
import Carry
import CarryModel
import CarrySystem
import CarryTesting
import CarryXdnd
import Synchronization
import Testing

extension DesktopTests {
  /// Items that are dropped on programs of other toolkits, through the bridge.
  @Suite(.serialized) struct OutToXdnd {
    @Test(
      "Z1: a text, and a file with its content, are dropped on programs that know nothing of Carry",
      arguments: XdndPeer.Toolkit.allCases)
    func Z1_textAndFile(toolkit: XdndPeer.Toolkit) throws {
      let text = try Desktop(Traces.pressDragDrop, compositor: nil)
      let peer = try XdndPeer(toolkit, on: text)
      let source = try text.source("--text", "Grüße")
      #expect(peer.drop()?.hasSuffix("Gr") == true)
      #expect(text.playToTheEnd() == 0)
      #expect(events(source.remainingLines()).suffix(2) == ["dropped", "ended"])

      let file = try Desktop(Traces.pressDragDrop, compositor: nil)
      let other = try XdndPeer(toolkit, on: file)
      let path = file.folder + "/a note.txt"
      try Files.write("on the lake", to: path)
      let files = try file.source(path)
      let got = try #require(other.drop())
      // GTK 3 gives the address as it came, in which a blank is escaped.
      let address = try #require(got.split(separator: " ", maxSplits: 3).last.map(String.init))
      #expect(address.hasSuffix(toolkit == .gtk3 ? "/a%20note.txt" : "/a note.txt"), "\(got)")
      let folder = address.split(separator: "/").dropLast().drop { $0 == "file:" }.joined(separator: "/")
      #expect(try Files.read("/" + folder + "/a note.txt", limit: 100) == Array("on the lake".utf8))
      #expect(file.playToTheEnd() == 0)
      _ = files
    }

    @Test("Z3: a target that looks while the drag hovers sees the file's name, and nothing of the file")
    func Z3_names() throws {
      let d = try Desktop(Traces.pressDragDrop, compositor: nil, environment: ["XDG_RUNTIME_DIR": "/tmp"])
      let target = try #require(RawXdndTarget(on: d))
      let path = d.folder + "/secrets.kdbx"
      try Files.write("secret", to: path)
      let source = try d.source(path)
      guard case .enter? = target.next(seconds: 20), case .position? = target.next() else {
        return #expect(Bool(false), "the target was not entered")
      }
      let list = String(decoding: target.convert("text/uri-list") ?? [], as: UTF8.self)
      let name = try #require(FileLink(address: list.replacing("\r\n", with: ""))?.path, "\(list)")
      #expect(name.hasSuffix("/secrets.kdbx") && name != path)
      #expect(try Files.read(name, limit: 100) == [])
      target.status(accepts: true)
      #expect(target.answer(until: .drop, seconds: 20) != nil)
      let dropped = String(decoding: target.convert("text/uri-list") ?? [], as: UTF8.self)
      #expect(FileLink(address: dropped.replacing("\r\n", with: ""))?.path == path)
      target.finish()
      #expect(d.playToTheEnd() == 0)
      #expect(!Files.exists(name))
      _ = source
    }

    @Test("Z1: a folder is the address of a copy of it") func Z1_folder() throws {
      let d = try Desktop(Traces.pressDragDrop, compositor: nil)
      let peer = try XdndPeer(.qt6, on: d)
      let album = d.folder + "/album"
      _ = mkdir(album, 0o700)
      try Files.write("lake", to: album + "/lake.txt")
      let source = try d.source(album)
      let got = try #require(peer.drop())
      let address = try #require(got.split(separator: " ").last.map(String.init))
      let copy = "/" + address.split(separator: "/").drop { $0 == "file:" }.joined(separator: "/")
      #expect(copy.hasSuffix("/album") && copy != album, "\(got)")
      #expect(try Files.read(copy + "/lake.txt", limit: 100) == Array("lake".utf8))
      #expect(d.playToTheEnd() == 0)
      _ = source
    }

    @Test(
      "Z1: data goes in one piece as far as it fits, and in parts above that; GTK 4 gets the former",
      arguments: [
        (XdndPeer.Toolkit.gtk3, 8), (.gtk4, 8), (.qt6, 8), (.gtk3, 24), (.qt6, 24),
      ])
    func Z1_largeData(toolkit: XdndPeer.Toolkit, mebibytes: Int) throws {
      let d = try Desktop(Traces.pressDragDrop, compositor: nil)
      let peer = try XdndPeer(toolkit, on: d, type: "application/x-carry-test")
      let path = d.folder + "/data"
      try Files.write(Array(repeating: UInt8(ascii: "a"), count: mebibytes << 20), to: path)
      let source = try d.source("--type", "application/x-carry-test", "--data", path)
      #expect(peer.drop()?.hasPrefix("got application/x-carry-test \(mebibytes << 20) aaa") == true)
      #expect(d.playToTheEnd() == 0)
      _ = source
    }

    /// Promises bytes of which only the first half comes.
    private func promiseHalf(of bytes: [UInt8], in provider: ItemProvider) {
      provider.registerStreamRepresentation(forType: "application/x-half") { stream in
        try bytes.withUnsafeBytes { try stream.write(UnsafeRawBufferPointer(rebasing: $0[..<($0.count / 2)])) }
        throw Problem("out of paper")
      }
      provider.setByteCount(bytes.count, forType: "application/x-half")
    }

    @Test("Z1: large data of a program goes on as it has it, or not at all; it is as free to fail as any")
    func Z1_byteForByte() throws {
      let d = try Desktop(Traces.pressDragDrop, compositor: nil)
      let target = try #require(RawXdndTarget(on: d))
      let bytes = (0..<(5 << 20) + 1).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 12) }
      let source = try App(d, "source")
      source.items = {
        let provider = ItemProvider(data: bytes, type: "application/x-whole")
        promiseHalf(of: bytes, in: provider)
        return [DragItem(itemProvider: provider)]
      }
      source.takePlaces(isTarget: false)
      target.meanwhile = { try? source.client.dispatch() }
      #expect(target.answer(until: .drop, seconds: 20) != nil)
      // Not within the expectation: it would print them.
      let isWhole = target.convertAtOnce("application/x-whole", times: 3) == [bytes, bytes, bytes]
      let isAgain = target.convert("application/x-whole") == bytes
      let half = target.convert("application/x-half")?.count
      #expect(isWhole && isAgain && half == nil)
      target.finish()
      #expect(source.run { source.calls.last == "didTransfer" })
    }

    @Test("Z1: a program that asks anew at the same property gets all of what it asks for, and that alone")
    func Z1_asksAnew() throws {
      let d = try Desktop(Traces.pressDragDrop, compositor: nil)
      let target = try #require(RawXdndTarget(on: d))
      let bytes = (0..<(20 << 20) + 1).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 12) }
      let source = try App(d, "source")
      let next = [UInt8](repeating: 8, count: 2 << 20)
      let hasBegun = Atomic<Bool>(false)
      let goesOn = Atomic<Bool>(false)
      let hasEnded = Atomic<Bool>(false)
      source.items = {
        let provider = ItemProvider(data: bytes, type: "application/x-whole")
        provider.registerStreamRepresentation(forType: "application/x-slow") { stream in
          defer { hasEnded.store(true, ordering: .releasing) }
          let part = [UInt8](repeating: 7, count: 1 << 20)
          try stream.write(part)
          hasBegun.store(true, ordering: .releasing)
          _ = Wait.until { goesOn.load(ordering: .acquiring) }
          try stream.write(part)
        }
        provider.setByteCount(2 << 20, forType: "application/x-slow")
        provider.registerStreamRepresentation(forType: "application/x-next") { try $0.write(next) }
        provider.setByteCount(next.count, forType: "application/x-next")
        return [DragItem(itemProvider: provider)]
      }
      source.takePlaces(isTarget: false)
      target.meanwhile = { try? source.client.dispatch() }
      #expect(target.answer(until: .drop, seconds: 20) != nil)
      // An announcement has four bytes.
      #expect(target.convert("application/x-whole")?.count == 4)
      #expect(target.takeParts(most: 2)?.isEmpty == false)
      #expect(target.convert("application/x-whole")?.count == 4)
      let isWhole = target.takeParts() == bytes
      #expect(isWhole)
      // What goes in one piece, and is still to come.
      target.ask(for: "application/x-slow")
      #expect(source.run { hasBegun.load(ordering: .acquiring) })
      #expect(target.convert("TARGETS")?.isEmpty == false)
      goesOn.store(true, ordering: .releasing)
      #expect(source.run { hasEnded.load(ordering: .acquiring) } && !target.hasResult)
      // Loads of the same kind begin and end later.
      for _ in 0..<4 {
        let isNext = target.convert("application/x-next") == next
        #expect(isNext && !target.hasResult)
      }
      target.finish()
      #expect(source.run { source.calls.last == "didTransfer" })
    }

    @Test("Z1: a target that asks for several types in one request gets them, and the time, as ICCCM has it")
    func Z1_multiple() throws {
      let d = try Desktop(Traces.pressDragDrop, compositor: nil)
      let target = try #require(RawXdndTarget(on: d))
      let source = try d.source("--text", "words")
      #expect(target.answer(until: .drop, seconds: 20) != nil)
      let parts = target.convertTogether(["text/plain", "image/png", "TIMESTAMP"])
      #expect(parts[0] == Array("words".utf8) && parts[1]?.isEmpty != false && parts[2]?.count == 4, "\(parts)")
      let tooMany = target.convertTogether([String](repeating: "text/plain", count: 257))
      #expect(tooMany.allSatisfy { $0?.isEmpty != false }, "more than 256 are refused as a whole")
      target.finish()
      #expect(d.playToTheEnd() == 0)
      _ = source
    }

    @Test("Z1: a program that has had parts of large data hears that the rest does not come, and ends the drop")
    func Z1_halfOfTheParts() throws {
      let d = try Desktop(Traces.pressDragDrop, compositor: nil)
      let peer = try XdndPeer(.gtk3, on: d, type: "application/x-half")
      let bytes = [UInt8](repeating: UInt8(ascii: "a"), count: 24 << 20)
      let source = try App(d, "source")
      source.items = {
        let provider = ItemProvider()
        promiseHalf(of: bytes, in: provider)
        return [DragItem(itemProvider: provider)]
      }
      source.takePlaces(isTarget: false)
      // GTK itself waits for the next part for 30 seconds. It tells its application nothing, and ends the drop.
      #expect(source.run(seconds: 20) { source.calls.last == "didTransfer" })
      #expect(peer.drop(seconds: 0) == nil)
    }

    @Test("Z2: two fingers drop two things on two programs at the same time") func Z2_twoAtOnce() throws {
      let d = try Desktop(Traces.twoAtOnce, clients: 2, compositor: nil)
      let above = try XdndPeer(.gtk3, on: d, at: 850, 50)
      let below = try XdndPeer(.qt6, on: d, at: 850, 450)
      let sources = [
        try d.source("--text", "above", geometry: "300x300+50+50"),
        try d.source("--text", "below", geometry: "300x300+50+450"),
      ]
      // Each finger's tap adds the text once more.
      #expect(above.drop()?.contains("above") == true)
      #expect(below.drop()?.contains("below") == true)
      #expect(d.playToTheEnd() == 0)
      _ = sources
    }

    @Test("Z1, D9: items that are added over the target are dropped on it, too") func Z1_D9_addedOverTheTarget() throws
    {
      var script = Traces.screen
      script.carry(from: (200, 400), at: 0, .to(1000, 400, 650...1400), .tap(180, 480, at: 2200), upAt: 3500)
      let d = try Desktop(script, compositor: nil)
      let peer = try XdndPeer(.gtk4, on: d)
      let source = try d.source("--text", "lake")
      // Both texts, a line each.
      #expect(peer.drop() == "got text 9 lake")
      #expect(d.playToTheEnd() == 0)
      _ = source
    }

    /// Builds a program that is not the target. Before anything is dragged: drags do not wait for a compiler.
    private func buildStranger(_ d: Desktop) throws -> String {
      try PeerProgram.build("convert", "gcc '\(Checkout.peers)/convert.c' -lX11")
    }

    /// What a program that is not the target gets, whenever it asks.
    private func stranger(_ program: String, _ d: Desktop, _ type: String, _ time: UInt32) throws -> String {
      let process = try ChildProcess(
        [program, type, "\(time)"], environment: ["DISPLAY": d.server.display], output: .pipe)
      return process.readLine(seconds: 30) ?? "nothing, and \(process.exitStatus.map { "ended with \($0)" } ?? "runs")"
    }

    @Test("Z3: nobody gets data before the drop, and after it only the target") func Z3_dataAtTheDrop() throws {
      let d = try Desktop(Traces.pressDragDrop, compositor: nil)
      let program = try buildStranger(d)
      let target = try #require(RawXdndTarget(on: d))
      let source = try d.source("--text", "secret")
      guard case .enter(5, let types, true) = target.next(seconds: 20) else { return #expect(Bool(false)) }
      #expect(UInt(types.0) == target.atom("text/plain;charset=utf-8"))
      guard case .position(let place, _, let action) = target.next() else { return #expect(Bool(false)) }
      #expect(place.y == 400 && place.x > 850 && UInt(action) == target.atom("XdndActionCopy"))
      // Browsers and file managers ask now, and get something that says nothing.
      #expect(target.convert("text/plain") == [0x20] && target.convert("image/png") == nil)
      let early = try stranger(program, d, "text/plain", target.time)
      #expect(early == "refused")
      target.status(accepts: true)
      #expect(target.answer(until: .leave) != nil)
      guard case .enter = target.next() else { return #expect(Bool(false)) }
      // From here on it is the drop.
      #expect(target.answer(until: .drop) != nil)
      for (type, time) in [("text/plain", target.time), ("TARGETS", 0)] {
        let late = try stranger(program, d, type, time)
        #expect(late == "refused", "\(type)")
      }
      #expect(target.convert("text/plain") == Array("secret".utf8) && target.convert("image/png") == nil)
      #expect(target.convert("UTF8_STRING") == Array("secret".utf8))
      target.finish()
      #expect(d.playToTheEnd() == 0)
      // The drop is over.
      #expect(target.offerHasEnded() && target.isRefused("text/plain"))
      #expect(events(source.remainingLines()).contains("dropped"))
    }
  }
}
