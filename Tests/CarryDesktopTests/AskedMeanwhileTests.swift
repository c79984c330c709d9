import CLinux
import CX11
import CarryModel
import CarrySelections
import CarrySystem
import CarryTesting
import Synchronization
import Testing

@testable import Carry

extension DesktopTests {
  /// What was copied, while several ask for it, or something else is copied, or nobody waits any more.
  @Suite(.serialized) struct AskedMeanwhile {
    /// A text that is there when it is let go.
    private final class SlowText: Sendable {
      let isAskedFor = Atomic<Bool>(false)
      let isThere = Atomic<Bool>(false)

      var provider: ItemProvider {
        let provider = ItemProvider()
        provider.registerStreamRepresentation(forType: "text/plain;charset=utf-8") { [self] stream in
          isAskedFor.store(true, ordering: .releasing)
          _ = Wait.until(seconds: 60) { isThere.load(ordering: .acquiring) }
          try stream.write(Array("slow".utf8))
        }
        return provider
      }
    }

    @Test("Z9: however many texts, or links, are copied, all of them are pasted") func Z9_manyItems() throws {
      let s = try ClipboardScene()
      let texts = (1...40).map { "Łódź \($0)" }
      try s.client.pasteboard.setItemProviders(texts.map { ItemProvider(text: $0) })
      #expect(try s.pasted("UTF8_STRING") == Array(texts.joined(separator: "\n").utf8))
      let links = (1...40).map { "https://example.org/\($0)\r\n" }
      try s.client.pasteboard.setItemProviders(
        links.map {
          let provider = ItemProvider()
          let bytes = Array($0.utf8)
          provider.registerDataRepresentation(forType: "text/uri-list") { $0(.success(bytes)) }
          return provider
        })
      #expect(try s.pasted("text/uri-list") == Array(links.joined().utf8))
    }

    @Test("Z9, Z1: all types of an item are had at the same time, however many they are") func Z9_Z1_manyTypes() throws
    {
      let s = try ClipboardScene()
      let provider = ItemProvider()
      let types = (1...30).map { "application/x-\($0)" }
      for type in types { provider.registerDataRepresentation(forType: type) { $0(.success(Array(type.utf8))) } }
      try s.client.pasteboard.setItemProviders([provider])
      let data = OfferedData([DragItem(itemProvider: provider)])
      var had: [String: [UInt8]] = [:]
      for type in types { data.convert(type) { had[type] = $0 } }
      #expect(s.run { !data.isAwaited })
      #expect(types.allSatisfy { had[$0] == Array($0.utf8) }, "\(had.count)")
    }

    @Test(
      "Z9: who was asked for what was copied gives it, though something else is copied meanwhile",
      arguments: [true, false])
    func Z9_copiesAgain(itself: Bool) throws {
      let s = try ClipboardScene()
      let slow = SlowText()
      try s.client.pasteboard.setItemProviders([slow.provider])
      let asker = try s.xclip(["-o", "-t", "UTF8_STRING"])
      #expect(s.run { slow.isAskedFor.load(ordering: .acquiring) })
      if itself {
        try s.client.pasteboard.setItemProviders([ItemProvider(text: "next")])
      } else {
        let other = try ClipboardOwner(s)
        #expect(s.run { !s.client.pasteboard.isOwn })
        withExtendedLifetime(other) {}
      }
      slow.isThere.store(true, ordering: .releasing)
      var status: Int32?
      #expect(
        s.run {
          status = asker.waitForExit(seconds: 0)
          return status != nil
        })
      #expect(status == 0 && s.output == Array("slow".utf8))
      if itself { #expect(try s.pasted("UTF8_STRING") == Array("next".utf8)) }
    }

    /// A text that the application's own thread makes and serves.
    private static func promise(_ text: String) -> ItemProvider {
      let provider = ItemProvider()
      provider.registerDataRepresentation(forType: "text/plain;charset=utf-8") { $0(.success(Array(text.utf8))) }
      return provider
    }

    /// A program whose request is among what the X server has sent before it tells the time of the second copy.
    private func asksInTheCopy(_ s: ClipboardScene) throws -> SelectionSide {
      try s.client.pasteboard.setItemProviders([Self.promise("before")])
      let asker = try SelectionSide(s.server)
      asker.ask("UTF8_STRING", at: "HERE")
      asker.sync()
      try s.client.pasteboard.setItemProviders([Self.promise("after")])
      return asker
    }

    @Test("Z9: who asks while something is copied is not refused") func Z9_askedInTheCopy() throws {
      let s = try ClipboardScene()
      let asker = try asksInTheCopy(s)
      #expect(s.run { asker.nextAnswer() == true })
      #expect(asker.bytes(of: asker.x.atom("HERE")) == Array("after".utf8))
    }

    @Test("Z9: who has asked is told that nothing comes when the application closes right after it has copied")
    func Z9_closesAtOnce() throws {
      let s = try ClipboardScene()
      let asker = try asksInTheCopy(s)
      s.client.close()
      #expect(Wait.until { asker.nextAnswer() == false })
    }

    @Test("Z9: and so are all who have asked since, whom nobody has heard of yet") func Z9_closesUnheard() throws {
      let s = try ClipboardScene()
      try s.client.pasteboard.setItemProviders([Self.promise("copied")])
      let askers = try (0..<10).map { _ in try SelectionSide(s.server) }
      for asker in askers {
        asker.ask("UTF8_STRING", at: "HERE")
        asker.sync()
      }
      s.client.close()
      for asker in askers { #expect(Wait.until { asker.nextAnswer() == false }) }
    }

    @Test("Z9: an X server that is behind has read all before the connection is closed") func Z9_readsAll() throws {
      let s = try ClipboardScene()
      try s.client.pasteboard.setItemProviders([Self.promise("copied")])
      let connection = try s.client.pasteboard.connect()
      let server = s.server.process
      func isStopped() -> Bool {
        let stat = (try? Files.readAll("/proc/\(server.pid)/stat", limit: 4096)) ?? []
        return String(decoding: stat, as: UTF8.self).contains(") T ")
      }
      server.signal(SIGSTOP)
      #expect(Wait.until { isStopped() })
      let other = try ChildProcess(["sh", "-c", "sleep 0.3; kill -CONT \(server.pid)"])
      connection.end()
      #expect(!isStopped())
      #expect(other.waitForExit(seconds: 10) == 0)
    }

    /// What another program has copied, pasted.
    private func theirs() throws -> (ClipboardScene, ClipboardOwner, ItemProvider) {
      let s = try ClipboardScene()
      let owner = try ClipboardOwner(s)
      return (s, owner, try owner.pasted(s))
    }

    @Test("Z9, PC4: a load that is cancelled makes room for the next, whatever still comes of it") func Z9_PC4_givenUp()
      throws
    {
      let (s, owner, provider) = try theirs()
      let first = provider.loadDataRepresentation(forType: "text/plain") { _ in }
      _ = try owner.request(s)
      var result: Result<[UInt8], LoadError>?
      provider.loadDataRepresentation(forType: "text/plain;charset=utf-8") { result = $0 }
      first.cancel()
      // The owner has not answered the first, which would be given up after 30 seconds.
      owner.answer(try owner.request(s, within: 20))
      #expect(s.run { result != nil })
      #expect(try result?.get() == Array("theirs".utf8))
    }

    @Test("Z9, PC4: a load that is cancelled by its own progress makes room, too") func Z9_PC4_givesUpItself() throws {
      let (s, owner, provider) = try theirs()
      let first = provider.loadDataRepresentation(forType: "text/plain") { _ in }
      _ = try owner.request(s)
      let second = provider.loadDataRepresentation(forType: "text/plain") { _ in }
      second.onProgress = { if !$0.isFinished { $0.cancel() } }
      var result: Result<[UInt8], LoadError>?
      provider.loadDataRepresentation(forType: "text/plain;charset=utf-8") { result = $0 }
      first.cancel()
      #expect(second.isFinished)
      // The second's, to which nothing comes.
      _ = try owner.request(s, within: 20)
      owner.answer(try owner.request(s, within: 20))
      #expect(s.run { result != nil })
      #expect(try result?.get() == Array("theirs".utf8))
    }

    @Test("Z9, PC4: loads that were cancelled take no places") func Z9_PC4_noPlaces() throws {
      let (s, owner, provider) = try theirs()
      provider.loadDataRepresentation(forType: "text/plain") { _ in }
      for _ in 0..<1100 { provider.loadDataRepresentation(forType: "text/plain") { _ in }.cancel() }
      var result: Result<[UInt8], LoadError>?
      provider.loadDataRepresentation(forType: "text/plain") { result = $0 }
      #expect(
        s.run {
          _ = owner.answerNext()
          return result != nil
        })
      #expect(try result?.get() == Array("theirs".utf8))
    }

    @Test("Z9: nothing is copied while a client closes, as nobody would answer") func Z9_copiesWhileItCloses() throws {
      let s = try ClipboardScene()
      let owner = try ClipboardOwner(s)
      var hasCopied: Bool?
      try owner.pasted(s).loadDataRepresentation(forType: "text/plain") { _ in
        hasCopied = (try? s.client.pasteboard.setItemProviders([ItemProvider(text: "late")])) != nil
      }
      _ = try owner.request(s)
      s.client.close()
      #expect(hasCopied == false)
    }

    @Test("Z9, PC4: a load waits for its turn, however long what is before it takes") func Z9_PC4_inLine()
      throws
    {
      let (s, owner, provider) = try theirs()
      var first: [UInt8]?
      provider.loadDataRepresentation(forType: "text/plain") { first = try? $0.get() }
      let second = provider.loadDataRepresentation(forType: "text/plain;charset=utf-8") { _ in }
      let request = try owner.request(s)
      let deadline = try #require(second.deadline)
      owner.answer(request)
      #expect(s.run { first != nil })
      #expect(try #require(second.deadline) > deadline)
    }

    @Test("Z9: who says that it comes in parts has time anew for the first") func Z9_parts() throws {
      let (s, owner, provider) = try theirs()
      let load = provider.loadDataRepresentation(forType: "text/plain") { _ in }
      let request = try owner.request(s)
      let deadline = try #require(load.deadline)
      owner.server.answer(request, words: [10], as: owner.side.x.atom("INCR"))
      owner.side.sync()
      #expect(s.run { load.isFinished || load.deadline.map { $0 > deadline } == true })
      #expect(!load.isFinished)
    }

    @Test("Z9: of lists of addresses others get 16 MiB together at most") func Z9_longLists() throws {
      let s = try ClipboardScene()
      func providers(_ count: Int) -> [ItemProvider] {
        let line = Array(("https://example.org/" + String(repeating: "a", count: (1 << 20) - 22) + "\r\n").utf8)
        return (0..<count).map { _ in ItemProvider(data: line, type: "text/uri-list") }
      }
      for (count, isGiven) in [(16, true), (17, false)] {
        try s.client.pasteboard.setItemProviders(providers(count))
        #expect(try s.pasted("text/uri-list").map(\.count) == (isGiven ? count << 20 : nil))
      }
    }
  }
}

extension SelectionSide {
  /// Asks for what is copied.
  fileprivate func ask(_ type: String, at property: String) {
    xcb_convert_selection(raw, window, x.atom("CLIPBOARD"), x.atom(type), x.atom(property), 0)
    xcb_flush(raw)
  }

  /// The next answer that has come: whether there is data.
  fileprivate func nextAnswer() -> Bool? {
    while let event = xcb_poll_for_event(raw) {
      defer { cx11_free(event) }
      guard event.pointee.response_type & 0x7F == UInt8(XCB_SELECTION_NOTIFY) else { continue }
      return event.withMemoryRebound(to: xcb_selection_notify_event_t.self, capacity: 1) { $0.pointee.property != 0 }
    }
    return nil
  }
}
