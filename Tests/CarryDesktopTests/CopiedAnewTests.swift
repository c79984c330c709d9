import CX11
import Carry
import CarrySelections
import CarrySystem
import CarryTesting
import Testing

extension DesktopTests {
  /// The clipboard that is taken while, or after, somebody pastes from it.
  @Suite(.serialized) struct CopiedAnew {
    private typealias Outcome = Result<[UInt8], LoadError>

    private func load(_ provider: ItemProvider, _ s: ClipboardScene, while body: () -> Void) throws -> Outcome {
      var result: Outcome?
      provider.loadDataRepresentation(forType: "text/plain") { result = $0 }
      #expect(
        s.run {
          body()
          return result != nil
        })
      return try #require(result)
    }

    @Test("Z9, PC4: what was pasted does not become what the same application copies next, in the same window")
    func Z9_PC4_copiedAnew() throws {
      let s = try ClipboardScene()
      var other = try ClipboardOwner(s)
      let text = try other.pasted(s)
      other.text = "a secret"
      other.copy()
      let late = try load(text, s) { _ = other.answerNext() }
      #expect(throws: LoadError.self) { try late.get() }
      #expect("\(late)".contains("something else has been copied"))
      let next = try other.pasted(s)
      #expect(try load(next, s) { _ = other.answerNext() }.get() == Array("a secret".utf8))
    }

    @Test("Z9: what comes in parts comes to its end, also where something else is copied meanwhile")
    func Z9_copiedMeanwhile() throws {
      let s = try ClipboardScene()
      let other = try ClipboardOwner(s)
      let text = try other.pasted(s)
      var result: Outcome?
      text.loadDataRepresentation(forType: "text/plain") { result = $0 }
      let asked = try other.request(s)
      let x = other.side.x
      let isTaken = { other.side.type(of: asked.property, at: asked.requestor).name == nil }
      other.server.answer(asked, words: [6], as: x.atom("INCR"))
      other.copy()
      #expect(s.run(until: isTaken))
      x.set(Array("theirs".utf8)[...], as: asked.target, asked.property, of: asked.requestor)
      #expect(s.run(until: isTaken))
      x.set([][...], as: asked.target, asked.property, of: asked.requestor)
      other.side.sync()
      #expect(s.run { result != nil })
      #expect(try result?.get() == Array("theirs".utf8))
    }

    @Test("Z9, PC4: who was asked may answer, whoever copies meanwhile", arguments: [true, false])
    func Z9_PC4_answersAllTheSame(copiesItself: Bool) throws {
      let s = try ClipboardScene()
      let other = try ClipboardOwner(s)
      let text = try other.pasted(s)
      var result: Outcome?
      text.loadDataRepresentation(forType: "text/plain") { result = $0 }
      let asked = try other.request(s)
      let third = try copiesItself ? nil : ClipboardOwner(s)
      if copiesItself { try s.client.pasteboard.setItemProviders([ItemProvider(text: "own")]) }
      other.answer(asked)
      #expect(s.run { result != nil })
      #expect(try result?.get() == Array("theirs".utf8))
      // And nobody else is asked in its place.
      let late = try load(text, s) { #expect(third?.answerNext() == nil) }
      #expect(throws: LoadError.self) { try late.get() }
    }

    @Test("Z9: what is copied while the types are asked for is what is pasted", arguments: [true, false])
    func Z9_copiedWhileAsked(byTheSame: Bool) throws {
      let s = try ClipboardScene()
      var other = try ClipboardOwner(s)
      var found: [ItemProvider]?
      try s.client.pasteboard.loadItemProviders { found = $0 }
      let asked = try other.request(s)
      other.text = "the next"
      if byTheSame { other.copy() }
      let third = try byTheSame ? nil : ClipboardOwner(s)
      other.answer(asked)
      let newest = third ?? other
      #expect(
        s.run {
          _ = newest.answerNext()
          return found != nil
        })
      let text = try #require(found?.first)
      #expect(try load(text, s) { _ = newest.answerNext() }.get() == Array(newest.text.utf8))
    }

    @Test("Z9, PC4: a paste asks who owns the clipboard, also where the application has not heard that it was taken")
    func Z9_PC4_takenUnheard() throws {
      let s = try ClipboardScene()
      try s.client.pasteboard.setItemProviders([ItemProvider(text: "own")])
      let other = try ClipboardOwner(s)
      let text = try other.pasted(s)
      #expect(try load(text, s) { _ = other.answerNext() }.get() == Array("theirs".utf8))
    }

    @Test("Z9: an application whose clipboard's window another program destroys copies all the same")
    func Z9_windowDestroyed() throws {
      let s = try ClipboardScene()
      try s.client.pasteboard.setItemProviders([ItemProvider(text: "one")])
      let robber = try SelectionSide(s.server)
      xcb_destroy_window(robber.raw, robber.x.owner(of: robber.x.atom("CLIPBOARD")))
      robber.sync()
      try s.client.pasteboard.setItemProviders([ItemProvider(text: "two")])
      #expect(try s.pasted("UTF8_STRING") == Array("two".utf8))
      // And where it hears of that first.
      xcb_destroy_window(robber.raw, robber.x.owner(of: robber.x.atom("CLIPBOARD")))
      robber.sync()
      #expect(s.run { !s.client.pasteboard.isOwn })
      try s.client.pasteboard.setItemProviders([ItemProvider(text: "three")])
      #expect(try s.pasted("UTF8_STRING") == Array("three".utf8))
    }

    @Test("Z9: who is told of nothing any more is given nothing: its window was destroyed")
    func Z9_watchDestroyed() throws {
      let s = try ClipboardScene()
      try s.client.pasteboard.setItemProviders([ItemProvider(text: "own")])
      let robber = try SelectionSide(s.server)
      let window = robber.x.owner(of: robber.x.atom("CLIPBOARD"))
      var other = try ClipboardOwner(s)
      let text = try other.pasted(s)
      xcb_destroy_window(robber.raw, window)
      robber.sync()
      other.text = "a secret"
      other.copy()
      let late = try load(text, s) { _ = other.answerNext() }
      #expect(throws: LoadError.self) { try late.get() }
    }

    @Test("Z9: an application that says a little at a time what it has keeps nobody waiting")
    func Z9_typesInParts() throws {
      let s = try ClipboardScene()
      let other = try ClipboardOwner(s)
      var found: [ItemProvider]?
      try s.client.pasteboard.loadItemProviders { found = $0 }
      let asked = try other.request(s)
      other.server.answer(asked, words: [6], as: other.side.x.atom("INCR"))
      other.side.sync()
      #expect(s.run(seconds: 20) { found != nil })
      #expect(found?.isEmpty == true)
    }
  }
}
