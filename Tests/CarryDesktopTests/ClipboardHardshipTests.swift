import CLinux
import CX11
import Carry
import CarryModel
import CarrySelections
import CarrySystem
import CarryTesting
import Testing

extension DesktopTests {
  /// The clipboard of programs that nothing else wakes, whose X server goes, or that are closed.
  @Suite(.serialized) struct ClipboardHardship {
    @Test("Z9, PC4: what is pasted is asked for at once, and not when something else wakes the program")
    func Z9_PC4_askedAtOnce() throws {
      let s = try ClipboardScene()
      let other = try ClipboardOwner(s)
      for _ in 0..<2 {
        let text = try other.pasted(s)
        var result: Result<[UInt8], LoadError>?
        text.loadDataRepresentation(forType: "text/plain") { result = $0 }
        // The program's loop does not turn.
        #expect(Wait.until { other.answerNext() == "UTF8_STRING" })
        #expect(s.run { result != nil })
        #expect(try result?.get() == Array("theirs".utf8))
      }
    }

    @Test("Z9, PC4: an owner that cannot list its types is asked for text", arguments: ["UTF8_STRING", "STRING"])
    func Z9_PC4_noTargets(type: String) throws {
      let s = try ClipboardScene()
      var owner = try ClipboardOwner(s)
      owner.types = [type]
      let provider = try owner.pasted(s)
      #expect(provider.registeredTypes == ["text/plain;charset=utf-8", "text/plain"])
      var result: Result<[UInt8], LoadError>?
      provider.loadDataRepresentation(forType: "text/plain") { result = $0 }
      #expect(
        s.run {
          _ = owner.answerNext()
          return result != nil
        })
      #expect(try result?.get() == Array("theirs".utf8))
    }

    @Test("Z9, PC4: what was pasted fails to load once the X server is gone, and nothing else happens")
    func Z9_PC4_withoutTheServer() throws {
      let s = try ClipboardScene()
      let owner = try SelectionSide(s.server)
      try s.copy(Array("theirs".utf8), as: "UTF8_STRING")
      let text = try #require(s.providers().first)
      // One load is under way, of a program that does not answer.
      owner.ownClipboard(by: owner.window)
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
      let s = try ClipboardScene()
      // It says what it has, and hands nothing over.
      let other = try ClipboardOwner(s)
      var found: [ItemProvider]?
      try s.client.pasteboard.loadItemProviders { found = $0 }
      #expect(
        s.run {
          if found == nil { _ = other.answerNext() }
          return found != nil
        })
      var result: Result<[UInt8], LoadError>?
      try #require(found?.first).loadDataRepresentation(forType: "text/plain") { result = $0 }
      s.server.process.stop(SIGKILL)
      #expect(s.run { result != nil })
      #expect((try? result?.get()) == nil)
    }

    @Test(
      "Z9: whoever pastes from an application is answered, also where that has asked for a clipboard manager meanwhile")
    func Z9_nobodyIsForgotten() throws {
      let s = try ClipboardScene()
      // A promise: what is there already is served by a thread.
      let promise = ItemProvider()
      promise.registerDataRepresentation(forType: "text/plain;charset=utf-8") { $0(.success(Array("own".utf8))) }
      try s.client.pasteboard.setItemProviders([promise])
      #expect(s.run { !Wait.isReadable(s.client.fileDescriptor) })
      let asker = try SelectionSide(s.server)
      let (clipboard, text, place) = (asker.x.atom("CLIPBOARD"), asker.x.atom("UTF8_STRING"), asker.x.atom("DATA"))
      xcb_convert_selection(asker.raw, asker.window, clipboard, text, place, 0)
      asker.sync()
      // The request is there, and not read yet.
      #expect(Wait.isReadable(s.client.fileDescriptor))
      #expect(!s.client.pasteboard.saveToClipboardManager(seconds: 0))
      // A client without an engine wakes now and then, and another one does not.
      #expect(Wait.isReadable(s.client.fileDescriptor))
      #expect(s.run(seconds: 20) { asker.type(of: place).name != nil })
      #expect(asker.bytes(of: place) == Array("own".utf8))
    }

    @Test("Z9: an application that is closed, and keeps what was pasted, leaves nobody waiting for its clipboard")
    func Z9_closed() throws {
      let s = try ClipboardScene()
      try s.copy(Array("theirs".utf8), as: "UTF8_STRING")
      let old = try #require(s.providers().first)
      try s.client.pasteboard.setItemProviders([ItemProvider(text: "own")])
      s.client.close()
      let process = try s.xclip(["-o"])
      #expect(process.waitForExit(seconds: 20) == 1)
      withExtendedLifetime(old) {}
    }
  }
}
