import CLinux
import Carry
import CarryModel
import CarrySystem
import CarryTesting
import CarryXdnd
import Synchronization
import Testing

extension DesktopTests {
  /// Drops on programs of other toolkits that fail, and on a bridge that does.
  @Suite(.serialized) struct FailingTargets {
    // The test that waits the longest begins first: the others run beside it.
    @Test(
      "Z1: when the bridge dies or hangs the drag goes on, and a new bridge takes over",
      arguments: [SIGKILL, SIGSTOP])
    func Z1_bridgeDies(signal: Int32) throws {
      var script = Traces.screen
      script.carry(from: (200, 400), at: 0, .to(1000, 400, 650...1400), upAt: 14_000)
      let d = try Desktop(script, compositor: nil)
      let target = try #require(RawXdndTarget(on: d))
      let source = try d.source("--text", "secret")
      guard case .enter = target.next(seconds: 20) else { return #expect(Bool(false)) }
      target.status(accepts: true)
      let bridges = ProcessID.children(of: d.engine.pid).filter { ProcessID.arguments(of: $0).contains("--bridge") }
      kill(try #require(bridges.first), signal)
      #expect(target.answer(until: .enter, seconds: 20) != nil)
      #expect(target.answer(until: .drop, seconds: 20) != nil)
      #expect(target.convert("text/plain") == Array("secret".utf8))
      target.finish()
      #expect(d.playToTheEnd() == 0)
      #expect(events(source.remainingLines()).suffix(2) == ["dropped", "ended"])
    }

    @Test(
      "Z1: a target that refuses, or says nothing, or speaks for another window, gets no drop",
      arguments: ["no", "silent", "another"])
    func Z1_noDrop(how: String) throws {
      let d = try Desktop(Traces.pressDragDrop, compositor: nil)
      let target = try #require(RawXdndTarget(on: d))
      let other = target.client.makeWindow(Rect(x: 0, y: 700, width: 10, height: 10))
      let source = try d.source("--text", "secret")
      guard case .enter = target.next(seconds: 20) else { return #expect(Bool(false)) }
      switch how {
      case "no": _ = target.answer(accepts: false, until: .leave)
      case "silent": break
      default:
        guard case .position = target.next() else { return #expect(Bool(false)) }
        target.status(accepts: true, from: other)
      }
      #expect(d.playToTheEnd() == 0)
      #expect(events(source.remainingLines()).last == "cancelled")
      #expect(target.offerHasEnded() && target.isRefused("text/plain"))
      // It was told of the drag once, and then of its end.
      if how != "no" {
        var kinds: [XdndMessage.Kind] = []
        while let message = target.next(seconds: 0) { kinds.append(message.kind) }
        #expect(kinds.count { $0 == .position } <= 1 && kinds.last == .leave)
      }
    }

    @Test("a target that goes in the middle of a drop ends it at once", arguments: [true, false])
    func targetDies(hasDropped: Bool) throws {
      let d = try Desktop(Traces.pressDragDrop, compositor: nil)
      let target = try #require(RawXdndTarget(on: d))
      let source = try d.source("--text", "secret")
      guard case .enter = target.next(seconds: 20) else { return #expect(Bool(false)) }
      // Who has fetched is left and entered again at the drop.
      _ = target.convert("text/plain")
      #expect(target.answer(until: .leave, seconds: 20) != nil)
      if hasDropped { #expect(target.answer(until: .drop) != nil) }
      target.client.destroy(target.window)
      target.client.sync()
      #expect(d.playToTheEnd() == 0)
      let seen = events(source.remainingLines())
      #expect(seen.suffix(2) == ["dropped", "ended"], "\(seen)")
    }

    @Test("Z1: a Finished with an action that was not offered is no success, but an end") func Z1_otherAction()
      throws
    {
      let d = try Desktop(Traces.pressDragDrop, compositor: nil)
      let target = try #require(RawXdndTarget(on: d))
      let source = try d.source("--text", "secret")
      #expect(target.answer(until: .drop, seconds: 20) != nil)
      target.finish(action: "XdndActionMove")
      #expect(d.playToTheEnd() == 0)
      _ = source
    }

    @Test("Z1: what a slow source has once the drop is over goes to nobody, and was refused before")
    func Z1_afterTheDrop() throws {
      let d = try Desktop(Traces.pressDragDrop, compositor: nil)
      let target = try #require(RawXdndTarget(on: d))
      let path = d.folder + "/late"
      try Files.write([UInt8](repeating: 7, count: 2 << 20), to: path)
      let source = try d.source("--type", "application/x-late", "--data", path)
      #expect(target.answer(until: .drop, seconds: 20) != nil)
      source.signal(SIGSTOP)
      var isFinished = false
      target.meanwhile = {
        if !isFinished { target.finish() }
        isFinished = true
      }
      #expect(target.convert("application/x-late") == nil && isFinished)
      source.signal(SIGCONT)
      #expect(events(source.remainingLines()).contains("ended"))
      #expect(d.playToTheEnd() == 0)
      #expect(target.offerHasEnded() && !target.hasResult)
    }

    @Test("Z2: another program's drag that takes the selection costs a pause, and nothing else")
    func Z2_theSelectionIsTaken() throws {
      var script = Traces.screen
      script.carry(from: (200, 400), at: 0, .to(1000, 400, 650...1400), upAt: 4000)
      let d = try Desktop(script, compositor: nil)
      let target = try #require(RawXdndTarget(on: d))
      let other = try #require(XClient(d.server.display))
      let window = other.makeWindow(Rect(x: 0, y: 700, width: 10, height: 10))
      let source = try d.source("--text", "secret")
      guard case .enter = target.next(seconds: 20) else { return #expect(Bool(false)) }
      target.status(accepts: true)
      other.ownSelection("XdndSelection", by: window)
      #expect(target.answer(until: .leave) != nil)
      #expect(target.answer(until: .enter) != nil)
      #expect(target.answer(until: .drop, seconds: 20) != nil)
      #expect(target.convert("text/plain") == Array("secret".utf8))
      target.finish()
      #expect(d.playToTheEnd() == 0)
      // Nobody keeps the selection when nothing is dragged.
      #expect(!other.hasSelectionOwner("XdndSelection"))
      #expect(events(source.remainingLines()).last == "ended")
    }
  }
}
