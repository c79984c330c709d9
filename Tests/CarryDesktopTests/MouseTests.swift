import CX11
import Carry
import CarryModel
import CarrySystem
import CarryTesting
import CLinux
import Testing

extension DesktopTests {
  /// Z31: a mouse is a finger, with the engine's real gate and a mouse that the X server's test extension plays.
  @Suite(.serialized) struct Mice {
    /// Holding lifts only after a time that no test takes: what drags has moved.
    private static let patient = "[lift]\nbegins-ms = 9000\ncompletes-ms = 10000\n"

    /// A source of two halves that hears of the pointer, and a target.
    private final class Scene {
      let d: Desktop
      let mouse: FakeMouse
      let source: Player
      let target: Player
      let window: CarryModel.WindowID
      private(set) var seen: [String] = []

      init(_ configuration: String, holds: Bool = true, dragsByItself: Bool = false) throws {
        d = try Desktop(compositor: nil, settings: configuration)
        mouse = try FakeMouse(d.server.display)
        source = try Player(d, "source")
        target = try Player(d, "target")
        window = d.client.makeWindow(CarryModel.Rect(x: 100, y: 100, width: 300, height: 200), color: 0x3040A0)
        XSelectInput(
          d.client.connection, CX11.Window(window.raw), ButtonPressMask | ButtonReleaseMask | PointerMotionMask)
        d.client.sync()
        for half in 0..<2 {
          let drag = DragInteraction(delegate: source)
          drag.dragsByPointerItself = dragsByItself && half == 0
          source.region(window, Carry.Rect(x: half * 150, y: 0, width: 150, height: 200), [drag])
        }
        source.items = { _ in [DesktopTests.item("first")] }
        source.adding = { _, _ in [DesktopTests.item("second")] }
        target.region(
          CarryModel.Rect(x: 700, y: 100, width: 300, height: 300), color: 0x207020,
          [DropInteraction(delegate: target)])
        mouse.move(to: 150, 150)
        for app in [source, target] { try app.client.synchronize() }
        if holds { #expect(d.engine.readLine { $0.contains("its clicks are held") } != nil) }
      }

      deinit {
        source.close()
        target.close()
      }

      /// Runs the applications until something holds.
      func run(seconds: Double = 10, _ condition: () -> Bool) -> Bool {
        Player.run([source, target], seconds: seconds) {
          take()
          return condition()
        }
      }

      /// Lets the applications run until the monitor tells of a step.
      func step(_ name: String, seconds: Double = 10) -> Bool {
        var isThere = false
        return run(seconds: seconds) {
          if !isThere { isThere = d.step(name, seconds: 0.02) != nil }
          return isThere
        }
      }

      /// Presses and moves until the monitor tells of a step. A click that the engine does not ask for within 50 ms, as on a
      /// busy machine, is the application's: then it is tried again.
      func press(_ button: UInt32 = 1, to place: (x: Int, y: Int), until name: String = "began") throws {
        for _ in 0..<6 {
          mouse.move(to: 150, 150)
          mouse.button(true, button)
          mouse.glide(from: (150, 150), to: place)
          if step(name, seconds: 4) { return }
          mouse.button(false, button)
          _ = run { seen.last == "release 1" }
          forget()
        }
        try #require(Bool(false), "there is no \(name)")
      }

      /// What the source's window has heard of the buttons, and whether the pointer moved with one down.
      private func take() {
        var event = XEvent()
        while XPending(d.client.connection) > 0 {
          XNextEvent(d.client.connection, &event)
          switch event.type {
          case ButtonPress: seen.append("press \(event.xbutton.button)")
          case ButtonRelease: seen.append("release \(event.xbutton.button)")
          case MotionNotify where event.xmotion.state & UInt32(Button1Mask) != 0:
            if seen.last != "moved" { seen.append("moved") }
          default: break
          }
        }
      }

      func forget() { seen = [] }
    }

    @Test(
      "Z31, Z1: what a mouse carries drops on existing applications, too",
      arguments: [XdndPeer.Toolkit.gtk3, .gtk4, .qt6])
    func Z31_Z1_existingApplications(toolkit: XdndPeer.Toolkit) throws {
      let s = try Scene(Self.patient)
      let peer = try XdndPeer(toolkit, on: s.d, at: 700, 420)
      try s.press(to: (180, 170))
      s.mouse.glide(from: (180, 170), to: (850, 570))
      #expect(s.run { s.d.monitor.readLine(seconds: 0.02) { $0.contains("\"operation\": \"copy\"") } != nil })
      s.mouse.button(false)
      var got: String?
      #expect(
        s.run(seconds: 20) {
          got = peer.drop(seconds: 0.02)
          return got != nil
        })
      #expect(got?.contains("first") == true, "\(got ?? "nothing")")
    }

    @Test("Z31: press and move drags at once, without a long press, and the release drops") func Z31_pressAndMove()
      throws
    {
      let s = try Scene(Self.patient)
      try s.press(to: (180, 170))
      s.mouse.glide(from: (180, 170), to: (800, 200))
      #expect(s.step("entered"))
      s.mouse.button(false)
      #expect(s.run { s.target.calls.contains("performDrop") })
      #expect(s.seen.isEmpty, "\(s.seen)")
      // The next click is an ordinary one again.
      s.mouse.move(to: 150, 150)
      s.mouse.click()
      #expect(s.run { s.seen == ["press 1", "release 1"] }, "\(s.seen)")
    }

    @Test("Z31: press and hold lifts as a finger does, and less than 4 px are no movement")
    func Z31_pressAndHold() throws {
      let s = try Scene("[lift]\nbegins-ms = 50\ncompletes-ms = 300\n")
      try s.press(to: (152, 151), until: "lifted")
      s.mouse.glide(from: (152, 151), to: (800, 200))
      #expect(s.step("entered"))
      s.mouse.button(false)
      #expect(s.run { s.target.calls.contains("performDrop") })
      #expect(s.seen.isEmpty, "\(s.seen)")
    }

    @Test("Z31, Z4: every other click reaches the application whole and in order") func Z31_Z4_clicks() throws {
      let s = try Scene(Self.patient)
      s.mouse.click()
      #expect(s.run { s.seen == ["press 1", "release 1"] }, "\(s.seen)")
      s.forget()
      // A double click. Where nobody's hand is, the second press could come before the first one is the application's:
      // the X server loses it then.
      s.mouse.click()
      #expect(s.run { s.seen == ["press 1", "release 1"] }, "\(s.seen)")
      s.mouse.click()
      #expect(s.run { s.seen == ["press 1", "release 1", "press 1", "release 1"] }, "\(s.seen)")
      for other in [3, 2, 4, 5] as [UInt32] {
        s.forget()
        s.mouse.click(other)
        #expect(s.run { s.seen == ["press \(other)", "release \(other)"] }, "\(s.seen)")
      }
      // With a modifier, whether Carry holds it for a moment or not.
      for modifier in [XK_Shift_L, XK_Control_L] {
        s.forget()
        s.mouse.key(modifier, true)
        s.mouse.click()
        s.mouse.key(modifier, false)
        #expect(s.run { s.seen == ["press 1", "release 1"] }, "\(s.seen)")
      }
      s.forget()
      // A selection: there is nothing to drag.
      s.source.items = { _ in [] }
      s.mouse.button(true)
      s.mouse.glide(from: (150, 150), to: (220, 170))
      #expect(s.run { s.seen.prefix(2) == ["press 1", "moved"] }, "\(s.seen)")
      s.mouse.button(false)
      #expect(s.run { s.seen == ["press 1", "moved", "release 1"] }, "\(s.seen)")
    }

    @Test("Z31, A1: the other button adds the item under the pointer") func Z31_A1_theOtherButtonAdds() throws {
      let s = try Scene(Self.patient)
      try s.press(to: (330, 150))
      s.mouse.click(3)
      #expect(s.step("items-added"))
      s.mouse.glide(from: (330, 150), to: (800, 200))
      #expect(s.step("entered"))
      var count = 0
      s.target.perform = { count = $0.items.count }
      s.mouse.button(false)
      #expect(s.run { s.target.calls.contains("performDrop") })
      #expect(count == 2)
      #expect(s.seen.isEmpty, "\(s.seen)")
    }

    @Test("Z31, X1: Esc cancels, and the rest of the press is nobody's") func Z31_X1_esc() throws {
      let s = try Scene(Self.patient)
      try s.press(to: (330, 150))
      s.mouse.key(XK_Escape, true)
      s.mouse.key(XK_Escape, false)
      #expect(s.step("cancelled"))
      s.mouse.button(false)
      s.mouse.click()
      #expect(s.run { s.seen == ["press 1", "release 1"] }, "\(s.seen)")
    }

    @Test("Z31: switched off, or where the application drags itself, every click is its own", arguments: [true, false])
    func Z31_off(isOff: Bool) throws {
      let s = try Scene(Self.patient + (isOff ? "[pointer]\nenabled = no\n" : ""), holds: !isOff, dragsByItself: !isOff)
      s.mouse.button(true)
      s.mouse.glide(from: (150, 150), to: (330, 150))
      #expect(s.run { s.seen == ["press 1", "moved"] }, "\(s.seen)")
      s.mouse.button(false)
      #expect(s.run { s.seen == ["press 1", "moved", "release 1"] }, "\(s.seen)")
    }

    @Test("Z31, A1: a click with Shift adds to what the keys carry, and without it stays the application's")
    func Z31_A1_shiftClick() throws {
      let s = try Scene(Self.patient + "[keyboard]\npick-up = Ctrl+Shift+d\n")
      for isPress in [true, false] { for key in [XK_Control_L, XK_Shift_L, XK_d] { s.mouse.key(key, isPress) } }
      #expect(s.step("lifted"))
      for isPress in [true, false] { s.mouse.key(XK_Return, isPress) }
      #expect(s.step("began"))
      s.mouse.move(to: 330, 150)
      s.mouse.click()
      #expect(s.run { s.seen == ["press 1", "release 1"] }, "\(s.seen)")
      // A click that the engine does not ask for within 50 ms is the application's.
      let isAdded = (0..<6).contains { _ in
        s.forget()
        s.mouse.key(XK_Shift_L, true)
        s.mouse.click()
        s.mouse.key(XK_Shift_L, false)
        if s.step("items-added", seconds: 4) { return true }
        _ = s.run { s.seen.last == "release 1" }
        return false
      }
      #expect(isAdded)
      #expect(s.seen.isEmpty, "\(s.seen)")
    }

    @Test(
      "Z31: the release ends a drag whose source's window has gone meanwhile, and the grab with it",
      arguments: [true, false])
    func Z31_theWindowGoes(isDestroyed: Bool) throws {
      let s = try Scene(Self.patient)
      try s.press(to: (180, 170))
      if isDestroyed {
        s.d.client.destroy(s.window)
      } else {
        XUnmapWindow(s.d.client.connection, CX11.Window(s.window.raw))
      }
      s.d.client.sync()
      s.mouse.glide(from: (180, 170), to: (800, 200))
      s.mouse.button(false)
      var isOver = false
      #expect(
        s.run {
          isOver =
            isOver
            || s.d.monitor.readLine(seconds: 0.02) { $0.contains("\"ended\"") || $0.contains("\"cancelled\"") } != nil
          return isOver
        })
    }

    @Test("Z31: the left button is the one that the X server calls so, as left-handed people have it set")
    func Z31_leftHanded() throws {
      let s = try Scene(Self.patient)
      var map = [UInt8](repeating: 0, count: 32)
      let count = XGetPointerMapping(s.d.client.connection, &map, 32)
      (map[0], map[2]) = (map[2], map[0])
      XSetPointerMapping(s.d.client.connection, map, count)
      s.d.client.sync()
      // A click is given back when its button comes up.
      s.mouse.click(3)
      #expect(s.run(seconds: 5) { s.seen == ["press 1", "release 1"] }, "\(s.seen)")
      try s.press(3, to: (180, 170))
      // Another button is another button, also in how the device calls it.
      s.mouse.glide(from: (180, 170), to: (330, 150))
      s.mouse.click(1)
      #expect(s.step("items-added"))
      s.mouse.glide(from: (330, 150), to: (800, 200))
      #expect(s.step("entered"))
      s.mouse.button(false, 3)
      #expect(s.run { s.target.calls.contains("performDrop") })
    }

    @Test("Z31: a gate that hangs gives the mouse back after some seconds") func Z31_theGateHangs() throws {
      let s = try Scene(Self.patient)
      let gate = try #require(s.d.gate("click-gate"))
      kill(gate, SIGSTOP)
      s.mouse.click()
      s.forget()
      // The engine asks after 500 ms, and waits 2 s for the answer.
      #expect(s.d.engine.readLine { $0.contains("the click gate's process did not answer") } != nil)
      #expect(s.d.engine.readLine { $0.contains("its clicks are held") } != nil)
      s.forget()
      s.mouse.click()
      #expect(s.run { s.seen.suffix(2) == ["press 1", "release 1"] }, "\(s.seen)")
    }

    @Test("Z31: a gate that dies in the middle costs this click at the most") func Z31_theGateDies() throws {
      let s = try Scene(Self.patient)
      let gate = try #require(s.d.gate("click-gate"))
      // From now on the X server holds the click for the gate.
      s.mouse.button(true)
      kill(gate, SIGKILL)
      #expect(s.d.engine.readLine { $0.contains("the click gate's process ended") } != nil)
      s.mouse.button(false)
      #expect(s.d.engine.readLine { $0.contains("its clicks are held") } != nil)
      // The new gate could not hold clicks before the old one's click was released. That one may be lost.
      s.mouse.move(to: 150, 150)
      s.d.client.sync()
      #expect(s.run { true })
      s.forget()
      s.mouse.click()
      #expect(s.run { s.seen == ["press 1", "release 1"] }, "\(s.seen)")
      // And a drag is one again.
      try s.press(to: (180, 170))
      s.mouse.button(false)
    }
  }
}

extension Desktop {
  /// The process of one of the engine's gates.
  func gate(_ option: String) -> pid_t? {
    for name in Files.list("/proc") {
      guard let pid = pid_t(name), let line = try? Files.readAll("/proc/\(name)/cmdline", limit: 4096) else { continue }
      let words = line.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
      if words.contains("--\(option)"), words.contains(server.display) { return pid }
    }
    return nil
  }
}
