import CLinux
import CarryModel
import CarrySystem
import CarryTesting
import CarryXdnd
import Testing

extension DesktopTests {
  /// Drags of programs that forget the door of a window, as GTK 4 does: they come in through another one.
  @Suite(.serialized) struct FrontDoors {
    private let place = (x: 1000, y: 400)

    /// The child of the root that X finds at a place.
    private func found(_ source: RawXdndSource, at x: Int = 1000, _ y: Int = 400) -> WindowID {
      _ = source.finds(at: x, y)
      return source.targetWindow
    }

    /// The window of `carry drop`, once it has a door.
    private func windowOfDrop(_ source: RawXdndSource) throws -> WindowID {
      try #require(source.serve { source.findsDoor(at: 1000, 400) })
      return source.targetWindow
    }

    /// Drags with the mouse over the window, and leaves it while the mouse is there.
    private func forgets(_ source: RawXdndSource, _ mouse: FakeMouse, presses: Bool = true) {
      source.answers = ["UTF8_STRING": .bytes(Array("a".utf8))]
      mouse.move(to: 600, 100)
      if presses { mouse.button(true) }
      mouse.move(to: place.x, place.y)
      _ = source.finds(at: place.x, place.y)
      source.enter(["UTF8_STRING"])
      source.position(place.x, place.y)
      #expect(source.isAnswered(accepts: true))
      source.leave()
    }

    private func opens(_ source: RawXdndSource, before window: WindowID) -> Bool {
      source.serve { found(source) != window } && source.properties().aware == 5 && source.properties().proxy == nil
    }

    @Test("Z1: a drag that has left its door goes on through the front door, and for its target it never left")
    func Z1_goesOn() throws {
      let d = try Desktop(compositor: nil)
      let target = try d.target("--accept", "text/plain")
      let source = try #require(RawXdndSource(on: d))
      let mouse = try FakeMouse(d.server.display)
      let window = try windowOfDrop(source)
      forgets(source, mouse)
      #expect(opens(source, before: window))
      source.startAnew()
      source.enter(["UTF8_STRING"])
      source.position(place.x + 1, place.y)
      #expect(source.isAnswered(accepts: true))
      source.drop()
      #expect(source.finished() == true)
      #expect(received(target)?.contains("\"text\": \"a\"") == true)
      // At once: the button is down still.
      #expect(source.serve { found(source) == window })
    }

    private func received(_ target: ChildProcess) -> String? {
      target.readLine(seconds: 20) { $0.contains("\"event\": \"received\"") }
    }

    enum End: CaseIterable { case letsGo, dragsNothing, goes, leaves, noRegion, noEngine }

    @Test("Z1: nothing stays on the screen, however the drag ends", arguments: End.allCases)
    func Z1_nothingStays(end: End) throws {
      let d = try Desktop(compositor: nil)
      // Beneath it, so that its place has a window when the target's is gone.
      let ground = d.client.makeWindow(Rect(x: 800, y: 200, width: 400, height: 400))
      d.client.sync()
      let target = try d.target("--accept", "text/plain")
      let source = try #require(RawXdndSource(on: d))
      let looker = try #require(RawXdndSource(on: d, owning: false))
      let mouse = try FakeMouse(d.server.display)
      let window = try windowOfDrop(source)
      forgets(source, mouse)
      #expect(opens(source, before: window))
      var left = window
      switch end {
      case .letsGo: mouse.button(false)
      case .dragsNothing: source.client.ownSelection("XdndSelection", by: WindowID(0))
      case .goes:
        source.client.destroy(source.window)
        source.client.sync()
      case .leaves:
        source.enter(["UTF8_STRING"])
        source.position(place.x, place.y)
        source.leave()
      case .noRegion:
        target.stop(SIGKILL)
        left = ground
      case .noEngine:
        d.engine.stop(SIGTERM)
        target.stop(SIGKILL)
        left = ground
      }
      #expect(looker.serve { found(looker) == left })
    }

    @Test("Z1: the front door is where its window can be seen, and nowhere else") func Z1_otherWindowsAbove() throws {
      let d = try Desktop(compositor: nil)
      let target = try d.target("--accept", "text/plain")
      let source = try #require(RawXdndSource(on: d))
      let looker = try #require(RawXdndSource(on: d, owning: false))
      let mouse = try FakeMouse(d.server.display)
      let window = try windowOfDrop(source)
      let other = d.client.makeWindow(Rect(x: 1050, y: 200, width: 200, height: 500))
      // Hints and pictures of drags let the pointer through.
      let hint = d.client.makeWindow(Rect(x: 900, y: 380, width: 300, height: 40))
      d.client.setShape(hint, .input, [])
      d.client.sync()
      forgets(source, mouse)
      #expect(opens(source, before: window))
      let door = found(looker)
      #expect(found(looker, at: 1100, 400) == other && found(looker, at: 840, 400) != door)
      // Some window managers put it above all others.
      d.client.raise(door)
      d.client.sync()
      #expect(found(looker, at: 1100, 400) == other && found(looker) == door)
      // Another window comes above its window.
      let newcomer = d.client.makeWindow(Rect(x: 850, y: 450, width: 100, height: 100))
      d.client.sync()
      #expect(looker.serve { found(looker, at: 900, 500) == newcomer && found(looker) == door })
      // Its own window comes above the others.
      d.client.raise(window)
      d.client.sync()
      #expect(looker.serve { found(looker, at: 1100, 400) == door && found(looker, at: 900, 500) == door })
      // It goes elsewhere.
      d.client.setFrame(window, Rect(x: 700, y: 300, width: 320, height: 300))
      d.client.sync()
      #expect(looker.serve { found(looker, at: 710, 310) == door && found(looker, at: 1019, 599) == door })
      #expect(found(looker, at: 1100, 400) == other)
      withExtendedLifetime(target) {}
    }

    @Test(
      "Z1: before a window that fills the screen it is no cover of the whole screen, through which nobody could drag")
    func Z1_wholeScreen() throws {
      let d = try Desktop(compositor: nil)
      let target = try d.target("--accept", "text/plain", geometry: "1280x800+0+0")
      let source = try #require(RawXdndSource(on: d))
      let mouse = try FakeMouse(d.server.display)
      let window = try windowOfDrop(source)
      forgets(source, mouse)
      #expect(opens(source, before: window))
      #expect(d.client.facts(found(source))?.frame == Rect(x: 0, y: 1, width: 1280, height: 799))
      withExtendedLifetime(target) {}
    }

    enum Theft: CaseIterable { case unmapped, destroyed, destroyedElsewhere, reparented, moved }

    @Test("Z1: a front door that another program takes away is there again", arguments: Theft.allCases)
    func Z1_takenAway(how: Theft) throws {
      let d = try Desktop(compositor: nil)
      let target = try d.target("--accept", "text/plain")
      let source = try #require(RawXdndSource(on: d))
      let mouse = try FakeMouse(d.server.display)
      let window = try windowOfDrop(source)
      forgets(source, mouse)
      #expect(opens(source, before: window))
      let door = found(source)
      let thief = d.client.makeWindow(Rect(x: 0, y: 760, width: 20, height: 20))
      switch how {
      case .unmapped: d.client.unmap(door)
      case .destroyed: d.client.destroy(door)
      case .destroyedElsewhere:
        d.client.reparent(door, to: thief, at: .zero)
        d.client.destroy(door)
      case .reparented: d.client.reparent(door, to: thief, at: .zero)
      case .moved: d.client.setFrame(door, Rect(x: 0, y: 760, width: 20, height: 20))
      }
      d.client.sync()
      #expect(opens(source, before: window))
      #expect(d.client.facts(found(source))?.frame == d.client.facts(window)?.frame)
      withExtendedLifetime(target) {}
    }

    @Test("Z1: what another program has written on a front door is gone with the drag") func Z1_writtenOn()
      throws
    {
      let d = try Desktop(compositor: nil)
      let target = try d.target("--accept", "text/plain")
      let source = try #require(RawXdndSource(on: d))
      let mouse = try FakeMouse(d.server.display)
      let window = try windowOfDrop(source)
      forgets(source, mouse)
      #expect(opens(source, before: window))
      let door = found(source)
      let thief = d.client.makeWindow(Rect(x: 0, y: 760, width: 20, height: 20))
      d.client.set("XdndProxy", of: thief, [UInt(thief.raw)])
      d.client.set("XdndProxy", of: door, [UInt(thief.raw)])
      d.client.setProperty("XdndAware", of: door, to: nil)
      d.client.setShape(door, .input, [])
      d.client.sync()
      mouse.button(false)
      mouse.move(to: 600, 100)
      let looker = try #require(RawXdndSource(on: d, owning: false))
      #expect(looker.serve { d.client.facts(door).map { !$0.isMapped } ?? true })
      source.startAnew()
      forgets(source, mouse)
      #expect(opens(source, before: window))
      withExtendedLifetime(target) {}
    }

    @Test("Z1: a drag that follows right on another one gets its front door, on a screen with many windows, too")
    func Z1_oneAfterTheOther() throws {
      let d = try Desktop(compositor: nil)
      // To look through all of them takes long, and so does the rest after it.
      for i in 0..<4000 {
        d.client.makeWindow(Rect(x: Double(i % 160) * 8, y: 700 + Double(i / 160) * 4, width: 4, height: 3))
      }
      d.client.sync()
      let target = try d.target("--accept", "text/plain")
      let source = try #require(RawXdndSource(on: d))
      let mouse = try FakeMouse(d.server.display)
      let window = try windowOfDrop(source)
      let other = try #require(RawXdndSource(on: d, owning: false))
      for i in 0..<12 {
        forgets(source, mouse)
        // Another program's messages change nothing.
        _ = other.finds(at: place.x, place.y)
        other.enter(["UTF8_STRING"])
        other.position(place.x, place.y)
        if i % 3 > 0 { other.position(place.x + 1, place.y) }
        if i % 3 > 1 { other.drop() } else { other.leave() }
        #expect(opens(source, before: window))
        // The drag ends, and the next one comes before it is looked again.
        mouse.button(false)
        #expect(source.serve { found(source) == window })
        source.startAnew()
      }
      withExtendedLifetime(target) {}
    }

    enum Forgery: CaseIterable { case noButton, elsewhere, anothersSelection, later }

    @Test("no front door opens for messages alone, or for a drag that leaves", arguments: Forgery.allCases)
    func forged(_ forgery: Forgery) throws {
      let d = try Desktop(compositor: nil)
      let target = try d.target("--accept", "text/plain")
      let source = try #require(RawXdndSource(on: d))
      let mouse = try FakeMouse(d.server.display)
      let window = try windowOfDrop(source)
      source.answers = ["UTF8_STRING": .bytes(Array("a".utf8))]
      mouse.move(to: 600, 100)
      if forgery != .noButton { mouse.button(true) }
      if forgery != .elsewhere { mouse.move(to: place.x, place.y) }
      source.enter(["UTF8_STRING"])
      source.position(place.x, place.y)
      #expect(source.isAnswered(accepts: true))
      switch forgery {
      case .noButton, .elsewhere: break
      case .anothersSelection:
        let other = source.client.makeWindow(Rect(x: 0, y: 750, width: 20, height: 20))
        source.client.ownSelection("XdndSelection", by: other)
      case .later:
        source.startAnew()
        source.position(place.x + 1, place.y)
        #expect(source.isAnswered(accepts: true))
      }
      source.leave()
      // The session ends at once where no front door opens: by then the bridge has looked.
      #expect(d.step("ended") != nil)
      #expect(found(source) == window)
      withExtendedLifetime(target) {}
    }

    @Test("Z1: GTK 4 drops on a window that lies above a part of Carry's, after it was over both") func Z1_gtk4() throws
    {
      let d = try Desktop(compositor: nil)
      let target = try d.target("--accept", "text/plain")
      let looker = try #require(RawXdndSource(on: d, owning: false))
      _ = try windowOfDrop(looker)
      let source = try XdndPeer(draggedFrom: .gtk4, on: d, ["text", "hello"])
      let above = try XdndPeer(.gtk3, on: d, at: 950, 250)
      let mouse = try FakeMouse(d.server.display)
      mouse.begin(at: 200, 400)
      // There and back: over the other window it is not over Carry's.
      for _ in 0..<2 {
        #expect(mouse.rests(near: 900, 400, on: d))
        for x in 1100..<1110 { mouse.move(to: x, 400) }
        #expect(d.step("ended") != nil)
      }
      // By way of nothing at all: GTK says only what is new.
      for x in 600..<610 { mouse.move(to: x, 100) }
      while source.process.readLine(seconds: 0.1, where: { _ in true }) != nil {}
      var n = 0
      let isAccepted = Wait.until(seconds: 20) {
        n += 1
        mouse.move(to: 1100 + n % 10, 400)
        return source.process.readLine(seconds: 0.1) { $0 == "accepted" } != nil
      }
      #expect(isAccepted)
      mouse.button(false)
      #expect(above.drop()?.hasSuffix("hello") == true)
      withExtendedLifetime(target) {}
    }
  }
}
