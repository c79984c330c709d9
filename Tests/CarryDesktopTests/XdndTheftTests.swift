import CX11
import CLinux
import CarryModel
import CarrySystem
import CarryTesting
import CarryXdnd
import Testing

extension DesktopTests {
  /// T29: what other programs do to windows of the bridge's own.
  @Suite(.serialized) struct XdndTheft {
    /// A finger carries to the target twice.
    private var twice: FingerScript {
      var script = Traces.screen
      script.carry(from: (200, 400), at: 0, .to(1000, 400, 650...1000), upAt: 3000)
      script.carry(from: (200, 400), at: 9000, .to(1000, 400, 9650...10_000), upAt: 15_000)
      return script
    }

    private func bridge(of d: Desktop) -> Int32? {
      ProcessID.children(of: d.engine.pid).first { ProcessID.arguments(of: $0).contains("--bridge") }
    }

    /// Whether the second drag comes to the target, and can be dropped there.
    private func dropsTheSecond(on target: RawXdndTarget) -> Bool {
      var hasEntered = false
      while !hasEntered, let message = target.next(seconds: 20) { hasEntered = message.kind == .enter }
      guard hasEntered, target.answer(until: .drop, seconds: 15) != nil,
        target.convert("text/plain") == Array("secret".utf8)
      else { return false }
      target.finish()
      return true
    }

    @Test("nothing waits for a window that another program can destroy") func noWindowIsWaitedFor() throws {
      let d = try Desktop(twice, compositor: nil)
      let target = try #require(RawXdndTarget(on: d))
      // The windows that the bridge makes as it starts are none of these.
      #expect(target.isFollowed())
      let thief = try #require(XClient(d.server.display))
      XSelectInput(thief.connection, UInt(thief.root.raw), SubstructureNotifyMask)
      thief.sync()
      let first = try #require(bridge(of: d))
      let source = try d.source("--text", "secret")
      // The bridge's windows lie outside of the screen. The thief destroys them as they come, for as long as the first
      // drag is in the hand.
      var destroyed = 0
      let isOver = Wait.until(seconds: 20) {
        while XPending(thief.connection) > 0 {
          var event = XEvent()
          XNextEvent(thief.connection, &event)
          guard event.type == CreateNotify, event.xcreatewindow.x == -10, event.xcreatewindow.width == 1 else {
            continue
          }
          thief.destroy(WindowID(UInt32(truncatingIfNeeded: event.xcreatewindow.window)))
          XFlush(thief.connection)
          destroyed += 1
        }
        return d.step("ended", seconds: 0.001) != nil
      }
      #expect(isOver && destroyed > 0)
      XSelectInput(thief.connection, UInt(thief.root.raw), 0)
      thief.sync()
      while target.next(seconds: 0.1) != nil {}
      #expect(dropsTheSecond(on: target))
      #expect(bridge(of: d) == first)
      #expect(d.playToTheEnd() == 0)
      _ = source
    }

    enum Theft: CaseIterable { case destroyed, takenAway }

    @Test(
      "a bridge that another program has robbed of the selection's window starts anew, and drags go on",
      arguments: Theft.allCases)
    func theSelectionsWindow(how: Theft) throws {
      let d = try Desktop(twice, compositor: nil)
      let target = try #require(RawXdndTarget(on: d))
      let source = try d.source("--text", "secret")
      guard case .enter = target.next(seconds: 20) else { return #expect(Bool(false)) }
      let first = bridge(of: d)
      let owner = WindowID(UInt32(truncatingIfNeeded: d.client.selectionOwner("XdndSelection")))
      if how == .takenAway {
        let thief = d.client.makeWindow(Rect(x: 0, y: 760, width: 20, height: 20))
        d.client.reparent(owner, to: thief, at: .zero)
      }
      d.client.destroy(owner)
      d.client.sync()
      let isNew = Wait.until(seconds: 8) { bridge(of: d).map { $0 != first } ?? false }
      #expect(isNew)
      #expect(dropsTheSecond(on: target))
      #expect(d.playToTheEnd() == 0)
      _ = source
    }

    enum Moment: CaseIterable { case beforeThePress, inTheDrag }

    @Test(
      "a program that has the selection and drags nothing does not keep a mouse's items",
      arguments: Moment.allCases)
    func idleOwner(moment: Moment) throws {
      let d = try Desktop(compositor: nil)
      let mouse = try FakeMouse(d.server.display)
      let thief = try #require(XClient(d.server.display))
      let owner = thief.makeWindow(Rect(x: 0, y: 760, width: 20, height: 20))
      func steals() {
        XSetSelectionOwner(
          thief.connection, XInternAtom(thief.connection, "XdndSelection", 0), CX11.Window(owner.raw), 0)
        thief.sync()
      }
      let target = try #require(RawXdndTarget(on: d))
      #expect(target.isFollowed())
      let source = try d.source("--text", "secret")
      if moment == .beforeThePress { steals() }
      try mouse.press(at: 200, 400, d, running: [])
      if moment == .inTheDrag { steals() }
      mouse.glide(from: (200, 400), to: (1000, 400))
      #expect(target.answer(until: .enter, seconds: 20) != nil)
      // Until the engine knows the answer a release would be no drop.
      var isAccepted = false
      #expect(
        Wait.until(seconds: 20) {
          if target.next(seconds: 0.05)?.kind == .position { target.status(accepts: true) }
          if !isAccepted { isAccepted = d.step("updated", seconds: 0.01)?.contains("\"copy\"") == true }
          return isAccepted
        })
      mouse.button(false)
      try #require(target.answer(until: .drop, seconds: 20) != nil)
      #expect(target.convert("text/plain") == Array("secret".utf8))
      target.finish()
      #expect(d.step("data-delivered") != nil)
      withExtendedLifetime((thief, source)) {}
    }

    @Test("the door of a window that another program destroys is replaced", arguments: Theft.allCases)
    func aDoor(how: Theft) throws {
      let d = try Desktop(compositor: nil)
      let target = try d.target("--accept", "text/plain")
      let source = try #require(RawXdndSource(on: d))
      source.answers = ["UTF8_STRING": .bytes(Array("a".utf8))]
      #expect(source.serve { source.findsDoor(at: 1000, 400) })
      let door = try #require(source.properties().proxy)
      if how == .takenAway {
        let thief = d.client.makeWindow(Rect(x: 0, y: 760, width: 20, height: 20))
        d.client.reparent(WindowID(door), to: thief, at: .zero)
      }
      d.client.destroy(WindowID(door))
      d.client.sync()
      #expect(source.serve { source.findsDoor(at: 1000, 400, otherThan: door) })
      source.enter(["UTF8_STRING"])
      source.position(1000, 400)
      #expect(source.isAnswered(accepts: true))
      source.leave()
      withExtendedLifetime(target) {}
    }
  }
}
