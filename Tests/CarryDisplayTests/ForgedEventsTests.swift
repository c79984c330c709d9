import CX11
import CarryDisplay
import CarryModel
import CarryTesting
import Testing

extension DisplayTests {
  /// Events that another X client made (T33): they look like the server's, and the server marks them.
  @Suite struct ForgedEvents {
    /// Sends an event as any X client may.
    private func forge(
      _ desk: Desk, to window: UInt, mask: CLong = 0, _ type: CInt, _ fill: (inout XEvent) -> Void
    ) {
      var event = XEvent()
      event.type = type
      fill(&event)
      XSendEvent(desk.client.connection, window, 0, mask, &event)
    }

    /// Everything that came of what was forged before: the server's own word on a window that is made now comes after it.
    private func changes(_ desk: Desk) -> [DisplayChange] {
      let mark = desk.client.makeWindow(Rect(x: 600, y: 460, width: 1, height: 1))
      desk.client.sync()
      var changes: [DisplayChange] = []
      let isSeen = Wait.until(descriptor: desk.display.fileDescriptor) {
        desk.display.dispatch { changes.append($0) }
        return desk.display.windows.isMapped(mark)
      }
      #expect(isSeen)
      return changes
    }

    @Test("nobody but the server says that a window is gone, elsewhere, unmapped or shaped")
    func a_b_forgedWindows() throws {
      let desk = try Desk()
      let victim = desk.client.makeWindow(Rect(x: 10, y: 10, width: 200, height: 100))
      let thief = desk.client.makeWindow(Rect(x: -299, y: -299, width: 300, height: 300))
      desk.settle()
      let root = UInt(desk.client.root.raw)
      let (v, t) = (UInt(victim.raw), UInt(thief.raw))
      forge(desk, to: root, mask: SubstructureNotifyMask, ConfigureNotify) {
        ($0.xconfigure.event, $0.xconfigure.window, $0.xconfigure.above) = (root, t, v)
        ($0.xconfigure.x, $0.xconfigure.y, $0.xconfigure.width, $0.xconfigure.height) = (10, 10, 200, 100)
      }
      forge(desk, to: root, mask: SubstructureNotifyMask, UnmapNotify) {
        ($0.xunmap.event, $0.xunmap.window) = (root, v)
      }
      forge(desk, to: root, mask: SubstructureNotifyMask, ReparentNotify) {
        ($0.xreparent.event, $0.xreparent.window, $0.xreparent.parent) = (root, v, t)
      }
      forge(desk, to: root, mask: SubstructureNotifyMask, GravityNotify) {
        ($0.xgravity.event, $0.xgravity.window, $0.xgravity.x, $0.xgravity.y) = (root, v, 400, 400)
      }
      forge(desk, to: root, mask: SubstructureNotifyMask, CreateNotify) {
        ($0.xcreatewindow.parent, $0.xcreatewindow.window, $0.xcreatewindow.width) = (root, 0x7F_FFFF, 10)
      }
      forge(desk, to: root, mask: SubstructureNotifyMask, DestroyNotify) {
        ($0.xdestroywindow.event, $0.xdestroywindow.window) = (root, v)
      }
      let changes = changes(desk)
      #expect(!changes.contains(.windowDestroyed(victim)))
      let hit = desk.display.windows.window(at: Point(x: 20, y: 20))
      #expect(hit?.window == victim && hit?.origin == Point(x: 10, y: 10))
      #expect(!desk.display.windows.contains(WindowID(0x7F_FFFF)))
    }

    @Test("a key that another client says went down is none: neither Esc, nor those that pick up and carry")
    func c_d_forgedKeys() throws {
      let desk = try Desk()
      #expect(desk.display.claimEngine(as: EngineStatus(version: "0", pid: 1, socket: "/none")) == .made)
      let x = desk.client.connection
      let engine = XGetSelectionOwner(x, XInternAtom(x, EngineStatus.selection(screen: 0), 0))
      try #require(engine != 0)
      desk.display.setHoldsCancelKey(true)
      desk.display.setPickUpKey(KeyChord("Super+d"))
      desk.display.setHoldsDragKeys(true)
      for (key, state) in [(XK_Escape, 0), (XK_d, Int(Mod4Mask)), (XK_Return, 0), (XK_Tab, 0)] {
        forge(desk, to: engine, KeyPress) {
          ($0.xkey.window, $0.xkey.root, $0.xkey.same_screen) = (engine, UInt(desk.client.root.raw), 1)
          $0.xkey.keycode = UInt32(XKeysymToKeycode(x, KeySym(key)))
          $0.xkey.state = UInt32(state)
        }
      }
      let changes = changes(desk)
      #expect(changes.allSatisfy { $0 == .windowsChanged }, "\(changes)")
    }

    @Test("nobody but the server says that the screen or the compositing manager is another one")
    func forgedScreen() throws {
      let desk = try Desk()
      let x = desk.client.connection
      let root = UInt(desk.client.root.raw)
      var (randr, fixes, error): (CInt, CInt, CInt) = (0, 0, 0)
      try #require(XRRQueryExtension(x, &randr, &error) != 0 && XFixesQueryExtension(x, &fixes, &error) != 0)
      #expect(desk.display.claimEngine(as: EngineStatus(version: "0", pid: 1, socket: "/none")) == .made)
      let engine = XGetSelectionOwner(x, XInternAtom(x, EngineStatus.selection(screen: 0), 0))
      forge(desk, to: engine, randr + RRScreenChangeNotify) {
        $0.xany.window = root
        withUnsafeMutablePointer(to: &$0) {
          $0.withMemoryRebound(to: XRRScreenChangeNotifyEvent.self, capacity: 1) { e in
            (e.pointee.window, e.pointee.root, e.pointee.width, e.pointee.height) = (root, root, 10, 10)
          }
        }
      }
      forge(desk, to: root, mask: SubstructureNotifyMask, ConfigureNotify) {
        ($0.xconfigure.event, $0.xconfigure.window) = (root, root)
        ($0.xconfigure.width, $0.xconfigure.height) = (5, 5)
      }
      let changes = changes(desk)
      #expect(!changes.contains(.screenChanged))
      #expect(desk.display.rootSize == Size(width: 640, height: 480))
    }
  }
}
