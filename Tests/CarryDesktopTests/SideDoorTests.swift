import CLinux
import Carry
import CarryModel
import CarrySystem
import CarryTesting
import CarryXdnd
import Testing

extension DesktopTests {
  /// Drags of other programs over drop regions in windows whose toolkits take XDND drops themselves.
  @Suite(.serialized) struct RegionOverlays {
    /// A window at the right that takes drops itself, with a region of Carry's in its middle: 100×100 pixels.
    private final class Scene {
      let d: Desktop
      let own: RawXdndTarget
      let app: App
      let looker: RawXdndSource
      let mouse: FakeMouse
      var text = ""

      init(refuses: Bool = false, isAwareLater: Bool = false) throws {
        d = try Desktop(compositor: nil)
        own = try #require(RawXdndTarget(on: d))
        app = try App(d, "letters")
        looker = try #require(RawXdndSource(on: d, owning: false))
        mouse = try FakeMouse(d.server.display)
        if isAwareLater { own.client.setProperty("XdndAware", of: own.window, to: nil) }
        let region = Region(
          client: app.client, window: own.window.raw, frame: Carry.Rect(x: 100, y: 100, width: 100, height: 100))
        region.addInteraction(DropInteraction(delegate: app))
        app.canHandle = !refuses
        app.regions.append(region)
        app.onPerform = { [unowned self] s in
          s.items[0].itemProvider.loadObject(of: String.self) { self.text = (try? $0.get()) ?? "" }
        }
        try app.client.synchronize()
        guard isAwareLater else { return }
        // The bridge makes it take drops, and then its toolkit does.
        #expect(looker.serve { looker.findsDoor(at: 1000, 400) })
        own.client.setProperty("XdndAware", of: own.window, to: 5)
        #expect(looker.serve { looker.finds(at: 1000, 400) && looker.properties().proxy == nil })
      }

      /// The child of the root that X finds at a place.
      func found(_ x: Int = 1000, _ y: Int = 400) -> WindowID {
        _ = looker.finds(at: x, y)
        return looker.targetWindow
      }

      /// Moves on about a place, and answers for the window and for the application, until something holds.
      func moves(near x: Int, _ y: Int, until isDone: () -> Bool) -> Bool {
        var n = 0
        return Wait.until(seconds: 20) {
          n += 1
          mouse.move(to: x - n % 10, y)
          while let message = own.next(seconds: 0.02) {
            heard.append(message.kind)
            if message.kind == .position { own.status(accepts: true) }
          }
          try? app.client.dispatch()
          return isDone()
        }
      }

      /// What the window itself has heard.
      var heard: [XdndMessage.Kind] = []
    }

    private func isAccepted(_ source: XdndPeer) -> Bool {
      source.process.readLine(seconds: 0.02) { $0 == "accepted" } != nil
    }

    @Test(
      "Z1: a mouse's drag comes to a region of Carry's in a toolkit's window, and to the toolkit beside it",
      arguments: XdndPeer.Toolkit.allCases, [false, true])
    func Z1_besideAToolkit(toolkit: XdndPeer.Toolkit, isAwareLater: Bool) throws {
      let s = try Scene(isAwareLater: isAwareLater)
      let source = try XdndPeer(draggedFrom: toolkit, on: s.d, ["text", "lake"])
      s.mouse.begin(at: 200, 400)
      #expect(s.moves(near: 880, 280) { s.heard.contains(.position) && isAccepted(source) })
      #expect(!s.app.calls.contains("didEnter"))
      #expect(s.moves(near: 1000, 400) { s.app.calls.contains("didUpdate") && s.heard.last == .leave })
      // Back and there again.
      s.heard = []
      #expect(s.moves(near: 1100, 500) { s.heard.contains(.position) && s.app.calls.last == "sessionDidEnd" })
      #expect(s.moves(near: 1000, 400) { s.app.calls.last == "didUpdate" && s.heard.last == .leave })
      while s.d.step("updated", seconds: 0.1) != nil {}
      #expect(s.moves(near: 1000, 400) { s.d.step("updated", seconds: 0.02)?.contains("\"copy\"") == true })
      s.mouse.button(false)
      #expect(s.app.run { !s.text.isEmpty })
      #expect(s.text == "lake")
      #expect(s.app.run { source.process.readLine(seconds: 0.02) { $0 == "dropped" } != nil })
      #expect(!s.heard.contains(.drop) && s.looker.serve { s.found() == s.own.window })
    }

    @Test("Z1: a drop beside the region is the toolkit's, as it ever was") func Z1_theToolkitsOwn() throws {
      let s = try Scene()
      let source = try XdndPeer(draggedFrom: .gtk3, on: s.d, ["text", "lake"])
      s.mouse.begin(at: 200, 400)
      #expect(s.moves(near: 1000, 400) { s.app.calls.contains("didUpdate") })
      // Its toolkit has heard the window's answer when it tells of the next place.
      s.heard = []
      #expect(s.moves(near: 1100, 500) { s.heard.count { $0 == .position } > 1 })
      s.mouse.button(false)
      #expect(s.moves(near: 1100, 500) { s.heard.contains(.drop) })
      #expect(s.own.convert("UTF8_STRING") == Array("lake".utf8))
      s.own.finish()
      #expect(s.app.run { source.process.readLine(seconds: 0.02) { $0 == "dropped" } != nil })
      #expect(!s.app.calls.contains("performDrop"))
    }

    @Test("Z1, D5: where the region takes nothing of the drag, the toolkit is asked") func Z1_D5_refused() throws {
      let s = try Scene(refuses: true)
      let source = try XdndPeer(draggedFrom: .gtk3, on: s.d, ["text", "lake"])
      s.mouse.begin(at: 200, 400)
      #expect(s.moves(near: 1000, 400) { s.app.calls.contains("canHandle") })
      #expect(s.moves(near: 1000, 400) { s.heard.last == .position && isAccepted(source) })
      s.mouse.button(false)
    }

    @Test("Z1: the door is as large as the region, for as long as another program drags")
    func Z1_itsPlace() throws {
      let s = try Scene()
      let source = try XdndPeer(draggedFrom: .gtk3, on: s.d, ["text", "lake"])
      #expect(s.found() == s.own.window)
      s.mouse.begin(at: 200, 400)
      #expect(s.looker.serve { s.found() != s.own.window } && s.looker.properties().aware == 5)
      let door = s.found()
      #expect(s.d.client.facts(door)?.frame == Rect(x: 950, y: 350, width: 100, height: 100))
      // Chromium looks through windows without a name.
      #expect(s.d.client.name(of: door)?.isEmpty == false)
      // The region moves, the window moves, and another window comes above it.
      s.app.regions[0].frame = Carry.Rect(x: 0, y: 0, width: 50, height: 300)
      try s.app.client.synchronize()
      #expect(s.looker.serve { s.d.client.facts(door)?.frame == Rect(x: 850, y: 250, width: 50, height: 300) })
      s.own.client.setFrame(s.own.window, Rect(x: 650, y: 250, width: 300, height: 300))
      s.own.client.sync()
      #expect(s.looker.serve { s.found(660, 300) == door && s.found(860, 300) != door })
      let other = s.d.client.makeWindow(Rect(x: 640, y: 240, width: 200, height: 100))
      s.d.client.sync()
      #expect(s.looker.serve { s.found(660, 300) == other && s.found(660, 500) == door })
      // A program's drag over its own windows is its toolkit's: this process has made the window.
      let here = s.d.client.makeWindow(Rect(x: 0, y: 700, width: 20, height: 20))
      s.d.client.ownSelection("XdndSelection", by: here)
      s.d.client.sync()
      #expect(s.looker.serve { s.found(660, 500) == s.own.window })
      s.mouse.button(false)
      withExtendedLifetime(source) {}
    }

    @Test("Z1: a window that has just stopped taking drops gets a door though the bridge hears of that later")
    func Z1_notAwareAnyMore() throws {
      let d = try Desktop(compositor: nil)
      let own = try #require(RawXdndTarget(on: d))
      let app = try App(d, "letters")
      let looker = try #require(RawXdndSource(on: d, owning: false))
      var bridge: Int32?
      #expect(
        Wait.until {
          bridge = ProcessID.children(of: d.engine.pid).first { ProcessID.arguments(of: $0).contains("--bridge") }
          return bridge != nil
        })
      let pid = try #require(bridge)
      kill(pid, SIGSTOP)
      own.client.setProperty("XdndAware", of: own.window, to: nil)
      let region = Region(
        client: app.client, window: own.window.raw, frame: Carry.Rect(x: 100, y: 100, width: 100, height: 100))
      region.addInteraction(DropInteraction(delegate: app))
      app.regions.append(region)
      try app.client.synchronize()
      // The engine tells the bridge 20 ms later: in a turn that it begins then.
      let told = MonotonicClock.now() + .milliseconds(50)
      #expect(Wait.until { MonotonicClock.now() > told })
      for _ in 0..<2 { try app.client.synchronize() }
      kill(pid, SIGCONT)
      #expect(looker.serve { looker.findsDoor(at: 1000, 400) })
    }

    enum Theft: CaseIterable { case unmapped, destroyed, destroyedElsewhere, reparented, moved }

    @Test("Z1: a door that another program takes away is there again", arguments: Theft.allCases)
    func Z1_takenAway(how: Theft) throws {
      let s = try Scene()
      let source = try XdndPeer(draggedFrom: .gtk3, on: s.d, ["text", "lake"])
      s.mouse.begin(at: 200, 400)
      #expect(s.looker.serve { s.found() != s.own.window })
      let door = s.found()
      switch how {
      case .unmapped: s.d.client.unmap(door)
      case .destroyed: s.d.client.destroy(door)
      case .destroyedElsewhere:
        let thief = s.d.client.makeWindow(Rect(x: 0, y: 760, width: 20, height: 20))
        s.d.client.reparent(door, to: thief, at: .zero)
        s.d.client.destroy(door)
      case .reparented:
        let thief = s.d.client.makeWindow(Rect(x: 0, y: 760, width: 20, height: 20))
        s.d.client.reparent(door, to: thief, at: .zero)
      case .moved: s.d.client.setFrame(door, Rect(x: 0, y: 760, width: 20, height: 20))
      }
      s.d.client.sync()
      #expect(s.looker.serve { s.found() != s.own.window && s.looker.properties().aware == 5 })
      s.mouse.button(false)
      #expect(s.looker.serve { s.found() == s.own.window })
      withExtendedLifetime(source) {}
    }

    enum End: CaseIterable { case letsGo, goes, noRegion, noEngine }

    @Test("Z1: nothing stays on the screen, however the drag ends", arguments: End.allCases)
    func Z1_nothingStays(end: End) throws {
      let s = try Scene()
      let source = try XdndPeer(draggedFrom: .gtk3, on: s.d, ["text", "lake"])
      s.mouse.begin(at: 200, 400)
      #expect(s.looker.serve { s.found() != s.own.window })
      switch end {
      case .letsGo: s.mouse.button(false)
      case .goes:
        source.process.stop(SIGKILL)
      case .noRegion: s.app.regions[0].invalidate()
      case .noEngine: s.d.engine.stop(SIGTERM)
      }
      if end == .noRegion { try s.app.client.synchronize() }
      #expect(s.looker.serve { s.found() == s.own.window })
      s.mouse.button(false)
      withExtendedLifetime(source) {}
    }
  }
}
