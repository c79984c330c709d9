import CLinux
import CX11
import Carry
import CarryModel
import CarrySystem
import CarryTesting
import Testing

extension DesktopTests {
  /// Z10 with window managers and a task bar as people use them.
  @Suite(.serialized) struct SpringWindows {
    private final class Taker: DropInteractionDelegate {
      var texts: [String] = []
      func dropInteraction(_ i: DropInteraction, canHandle s: DropSession) -> Bool { true }
      func dropInteraction(_ i: DropInteraction, sessionDidUpdate s: DropSession) -> DropProposal {
        DropProposal(operation: .copy)
      }
      func dropInteraction(_ i: DropInteraction, performDrop s: DropSession) {
        s.loadItems(conformingTo: ["text/plain"]) {
          self.texts += $0.compactMap(\.bytes).map { String(decoding: $0, as: UTF8.self) }
        }
      }
    }

    private final class Giver: DragInteractionDelegate {
      func dragInteraction(_ i: DragInteraction, itemsForBeginning s: DragSession) -> [DragItem] {
        [DragItem(itemProvider: ItemProvider(text: "hello"))]
      }
    }

    /// A desktop with a window manager: a source at the left, a target, and a window that covers most of it.
    private final class Scene {
      let d: Desktop
      let manager: ChildProcess
      let clients: [Client]
      let giver = Giver()
      let taker = Taker()
      private(set) var target = WindowID(0)
      private(set) var cover = WindowID(0)
      private var regions: [Carry.Region] = []

      /// - Parameter beforeStart: what else is there before the finger comes down.
      init(
        _ name: String, _ script: FingerScript, options: [String] = [], beforeStart: (Scene) throws -> Void = { _ in }
      ) throws {
        d = try Desktop(script, clients: 2, compositor: nil, options: options)
        manager = try ChildProcess([name], environment: ["DISPLAY": d.server.display])
        clients = [try Client(name: "source", socket: d.socket), try Client(name: "target", socket: d.socket)]
        let x = d.client
        let runs = Wait.until(seconds: 10) { !x.property("_NET_SUPPORTING_WM_CHECK", of: x.root).isEmpty }
        #expect(runs, "\(name) did not start")
        let source = open(CarryModel.Rect(x: 50, y: 250, width: 300, height: 300), 0xFFFFFF)
        target = open(CarryModel.Rect(x: 680, y: 150, width: 400, height: 400), 0x3060A0)
        cover = open(CarryModel.Rect(x: 800, y: 300, width: 300, height: 300), 0xA06030)
        d.client.raise(cover)
        #expect(isInFront(cover))
        try beforeStart(self)
        // The newest region, and with it the recording starts.
        regions = [
          Region(client: clients[1], window: target.raw, frame: Carry.Rect(x: 0, y: 0, width: 400, height: 400)),
          Region(client: clients[0], window: source.raw, frame: Carry.Rect(x: 0, y: 0, width: 300, height: 300)),
        ]
        regions[0].addInteraction(DropInteraction(delegate: taker))
        regions[1].addInteraction(DragInteraction(delegate: giver))
        for client in clients { try client.synchronize() }
      }

      var managed: [WindowID] {
        d.client.property("_NET_CLIENT_LIST", of: d.client.root).map { WindowID(UInt32(truncatingIfNeeded: $0)) }
      }

      /// A window of the user's, which the manager frames.
      func open(_ rect: CarryModel.Rect, _ color: UInt32) -> WindowID {
        let window = d.client.makeWindow(rect, color: color, maps: false, overridesRedirect: false)
        var hints = XSizeHints()
        hints.flags = CLong(USPosition | USSize)
        XSetWMNormalHints(d.client.connection, UInt(window.raw), &hints)
        let isOpen = Wait.until(seconds: 10) {
          // A manager that is still starting may have missed the last wish.
          d.client.map(window)
          return d.client.facts(window)?.isMapped == true && managed.contains(window)
        }
        #expect(isOpen)
        return window
      }

      /// Which of the two windows is in front where they overlap, as the server sees it.
      func isInFront(_ window: WindowID) -> Bool {
        Wait.until(seconds: 5) { d.client.window(at: CarryModel.Point(x: 950, y: 450)) == window }
      }

      func playToTheEnd() -> [String] {
        let isOver = Wait.until(seconds: 20, descriptor: clients[0].fileDescriptor) {
          for client in clients { try? client.dispatch() }
          return !d.engine.isRunning
        }
        #expect(isOver)
        return events(d.monitor.remainingLines())
      }
    }

    /// Carries to a place, holds, carries on to where the target may be by then, and lets go.
    private static func hold(_ x: Int, _ y: Int, milliseconds: Int) -> FingerScript {
      var s = Traces.screen
      s.carry(
        from: (200, 400), at: 0, .to(x, y, 650...950), .to(950, 450, (950 + milliseconds)...(1200 + milliseconds)),
        upAt: 1500 + milliseconds)
      return s
    }

    @Test("Z10: a covered target comes to the front and takes the drop", arguments: ["openbox", "icewm"])
    func Z10_aCoveredTarget(name: String) throws {
      let s = try Scene(name, Self.hold(720, 240, milliseconds: 1500))
      let steps = s.playToTheEnd()
      let raised = steps.count { $0 == "window-raised" }
      #expect(raised == 1, "\(steps.collapsed)")
      #expect(s.taker.texts == ["hello"])
      #expect(s.isInFront(s.target))
    }

    @Test("Z10: it can be switched off") func Z10_off() throws {
      let folder = try TestFolder("spring")
      let configuration = try folder.write("[spring]\nwindows = no\n", to: "carry.conf")
      let s = try Scene("openbox", Self.hold(720, 240, milliseconds: 1500), options: ["--config", configuration])
      let steps = s.playToTheEnd()
      #expect(!steps.contains("window-raised") && steps.contains("cancelled"))
      #expect(s.taker.texts.isEmpty && s.isInFront(s.cover))
    }

    @Test("Z10: an entry in a task bar brings its window to the front", arguments: [true, false])
    func Z10_anEntry(hasBridge: Bool) throws {
      // Its entries lie beside one another at the lower edge; the second is the target's.
      var bar: ChildProcess?
      let options = hasBridge ? [] : ["--no-bridge"]
      let s = try Scene("openbox", Self.hold(300, 785, milliseconds: 1500), options: options) { s in
        bar = try ChildProcess(["tint2"], environment: ["DISPLAY": s.d.server.display])
        var icon: [UInt] = []
        let isShown = Wait.until(seconds: 10) {
          icon = s.d.client.property("_NET_WM_ICON_GEOMETRY", of: s.target)
          return icon.count == 4 && icon[0] < 300 && icon[0] + icon[2] > 300 && icon[1] < 785
        }
        #expect(isShown, "\(icon)")
      }
      let steps = s.playToTheEnd()
      let raised = steps.count { $0 == "window-raised" }
      // This bar does it by itself for what speaks XDND, and sooner.
      #expect(hasBridge ? raised <= 1 : raised == 1, "\(steps.collapsed)")
      #expect(s.taker.texts == ["hello"])
      withExtendedLifetime(bar) {}
    }

    @Test("Z10: a window manager that died is not asked") func Z10_aDeadManager() throws {
      let s = try Scene("openbox", Self.hold(720, 240, milliseconds: 1500)) { s in
        s.manager.stop(SIGKILL)
        // What it left behind says that all is well.
        s.d.client.set("_NET_CLIENT_LIST", of: s.d.client.root, [UInt(s.target.raw), UInt(s.cover.raw)])
        s.d.client.map(s.target)
        s.d.client.map(s.cover)
        s.d.client.raise(s.cover)
      }
      let steps = s.playToTheEnd()
      #expect(!steps.contains("window-raised") && steps.contains("cancelled"), "\(steps.collapsed)")
      #expect(s.d.engine.exitStatus == 0)
    }

    @Test("Z10: what a client writes in the window manager's place hurts nobody") func Z10_hostile() throws {
      let s = try Scene("openbox", Self.hold(720, 240, milliseconds: 1500)) { s in
        let x = s.d.client
        let dead = x.makeWindow(CarryModel.Rect(x: 0, y: 0, width: 10, height: 10))
        x.destroy(dead)
        let list = [0, 0xFFFF_FFFF, UInt(x.root.raw), UInt(dead.raw), UInt(s.target.raw), UInt(s.target.raw)]
        x.set("_NET_CLIENT_LIST", of: x.root, list + (0..<5000).map { 0x123_4567 &+ UInt($0) } + [UInt(s.cover.raw)])
        let most = UInt(UInt32(bitPattern: Int32.max))
        x.set("_NET_WM_ICON_GEOMETRY", of: s.cover, [UInt(UInt32(bitPattern: Int32.min)), 0, most, most])
        x.set("_NET_WM_ICON_GEOMETRY", of: s.target, [1, 2])
        x.set("_NET_WM_STATE", of: s.target, (0..<64).map { UInt($0) })
        x.set("WM_TRANSIENT_FOR", of: s.cover, [UInt(s.cover.raw)])
        x.sync()
      }
      let steps = s.playToTheEnd()
      #expect(steps.contains("began") && steps.contains("ended") && s.d.engine.exitStatus == 0)
    }
  }
}
