import CLinux
import CX11
import Carry
import CarryModel
import CarrySystem
import CarryTesting
import Testing

extension DesktopTests {
  /// The X clipboard, by the same item providers and paste configurations as drops. No engine runs here. The other
  /// application is xclip.
  @Suite(.serialized) struct Clipboard {
    @Test(
      "Z9, PC4: what is copied is pasted by other applications: text by all its names, data, and large data in parts")
    func Z9_PC4_copy() throws {
      let s = try ClipboardScene()
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
    @Test("Z9: a copied file is an address, also in the way in which file managers paste") func Z9_copiedFiles() throws
    {
      let s = try ClipboardScene()
      let path = s.folder + "/a b.txt"
      try Files.write("content", to: path)
      let provider = ItemProvider(contentsOf: path, fileOptions: .openInPlace)
      try s.client.pasteboard.setItemProviders([provider])
      let address = "file://\(s.folder)/a%20b.txt"
      #expect(try s.pasted("text/uri-list") == Array((address + "\r\n").utf8))
      #expect(try s.pasted("x-special/gnome-copied-files") == Array(("copy\n" + address).utf8))
    }

    @Test("Z9, PC4: what others copy is pasted by the providers that serve drops: text, data in parts, files")
    func Z9_PC4_paste() throws {
      let s = try ClipboardScene()
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
      try Files.write("content", to: path)
      try s.copy(Array("file://\(path)\r\nfile://\(path)\r\n".utf8), as: "text/uri-list")
      let files = try s.providers()
      try #require(files.count == 2)
      #expect(files[0].registeredTypes.first == "text/plain")
      #expect(s.data(files[1], "text/plain") == Array("content".utf8))
      // And onwards, to a clipboard or a drag of this application's own.
      try s.client.pasteboard.setItemProviders([files[0]])
      #expect(try s.pasted("text/plain") == Array("content".utf8))
    }

    @Test("Z9: of many files that were copied all are pasted, however many of them are loaded at once")
    func Z9_manyFiles() throws {
      let s = try ClipboardScene()
      let paths = (0..<60).map { "\(s.folder)/\($0).txt" }
      for path in paths { try Files.write(path, to: path) }
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
      let s = try ClipboardScene()
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
      let s = try ClipboardScene()
      let program = try PeerProgram.build("manager", "gcc '\(Checkout.peers)/clipboard-manager.c' -lX11")
      // Without a manager nobody waits.
      try s.client.pasteboard.setItemProviders([ItemProvider(text: "left")])
      #expect(!s.client.pasteboard.saveToClipboardManager())
      let manager = try ChildProcess([program], environment: ["DISPLAY": s.server.display], output: .pipe)
      #expect(manager.readLine(seconds: 15) == "ready")
      s.client.close()
      #expect(manager.readLine(seconds: 15) == "saved 4")
      let process = try s.xclip(["-o", "-t", "UTF8_STRING"])
      #expect(process.waitForExit(seconds: 15) == 0 && s.output == Array("left".utf8))
    }

    @Test("Z9: a program that asks a hundred thousand times for what was copied costs no stack")
    func Z9_flood() throws {
      let s = try ClipboardScene()
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

    @Test("Z9: an application that never answers a paste costs nothing, and a gone display is an error")
    func Z9_silence() throws {
      let s = try ClipboardScene()
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
