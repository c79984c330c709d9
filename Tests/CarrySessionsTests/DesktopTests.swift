import CarryModel
import CarrySessions
import Testing

/// Z10 in the head: what is raised, and what is not.
@Suite struct DesktopTests {
  /// A source at the left, two windows that overlap, and a task bar at the bottom; each window in a frame, as window
  /// managers have it.
  private final class Scene {
    let p = Play()
    let below, above, bar, source: WindowID
    var next: UInt32 = 100

    init() throws {
      _ = try p.window(1, Rect(x: 0, y: 100, width: 200, height: 500), .drag)
      source = p.lastWindow
      (below, above, bar) = (WindowID(201), WindowID(202), WindowID(203))
      framed(below, Rect(x: 600, y: 100, width: 300, height: 300))
      framed(above, Rect(x: 700, y: 200, width: 300, height: 300))
      framed(bar, Rect(x: 0, y: 770, width: 1280, height: 30))
      p.desktop = [
        DesktopWindow(id: source),
        DesktopWindow(id: below, icon: Rect(x: 100, y: 770, width: 150, height: 30)),
        DesktopWindow(id: above, icon: Rect(x: 250, y: 770, width: 150, height: 30)),
        DesktopWindow(id: bar, kind: .dock, layer: 1),
      ]
    }

    func framed(_ id: WindowID, _ rect: Rect) {
      next += 1
      let frame = WindowID(next)
      p.tree.insert(.init(id: frame, frame: rect, isMapped: true), parent: Play.root)
      p.tree.insert(
        .init(id: id, frame: Rect(x: 2, y: 2, width: rect.width - 4, height: rect.height - 4), isMapped: true),
        parent: frame)
    }

    func carry(to x: Double, _ y: Double) { p.drag(1, from: (100, 300), to: (x, y)) }

    func change(_ id: WindowID, _ body: (inout DesktopWindow) -> Void) {
      for i in p.desktop.indices where p.desktop[i].id == id { body(&p.desktop[i]) }
    }
  }

  @Test("Z10: holding still over what can be seen of a covered window raises it, once a stay")
  func Z10_aCoveredWindow() throws {
    let s = try Scene()
    s.carry(to: 620, 120)
    s.p.wait(999)
    #expect(s.p.raised.isEmpty && s.p.looks == 0)
    s.p.wait(1)
    #expect(s.p.raised == [s.below])
    #expect(s.p.monitorKinds().last == .windowRaised)
    // Somebody else comes to the front again: that is how it is, until the finger has been elsewhere.
    s.p.tree.raise(try #require(s.p.tree.toplevel(of: s.above)))
    s.p.wait(3000)
    s.p.move(1, 640, 160)
    s.p.wait(3000)
    #expect(s.p.raised == [s.below])
    s.p.move(1, 400, 700)
    s.p.move(1, 640, 160)
    s.p.wait(1000)
    #expect(s.p.raised == [s.below, s.below])
    s.p.up(1, 640, 160)
    s.p.wait(100)
    #expect(s.p.isAtRest)
  }

  @Test("Z10: a finger that passes, trembles on or rests over what is in front raises nothing")
  func Z10_whatRaisesNothing() throws {
    let s = try Scene()
    s.carry(to: 620, 120)
    for i in 0..<40 {
      s.p.wait(100)
      s.p.move(1, 620 + Double(i % 2) * 12, 120)
    }
    #expect(s.p.looks == 0)
    // In front, bare desktop, the bar's own place, off the screen.
    for (x, y) in [(900.0, 450.0), (400, 700), (900, 785), (-50, -50)] {
      s.p.move(1, x, y)
      s.p.wait(1500)
    }
    #expect(s.p.looks == 4 && s.p.raised.isEmpty)
    // A tremor is no movement.
    s.p.move(1, 620, 120)
    for i in 0..<10 {
      s.p.wait(100)
      s.p.move(1, 620 + Double(i % 2) * 5, 120)
    }
    #expect(s.p.raised == [s.below])
  }

  @Test("Z10: holding still over an entry in a task bar raises its window, or brings a minimised one back")
  func Z10_anEntry() throws {
    let s = try Scene()
    s.carry(to: 150, 785)
    s.p.wait(1000)
    #expect(s.p.raised == [s.below])
    // The one that is in front now stays there.
    s.p.wait(3000)
    s.p.move(1, 300, 785)
    s.p.wait(1000)
    s.p.move(1, 150, 785)
    s.p.wait(1000)
    #expect(s.p.raised == [s.below, s.above, s.below])
    s.p.tree.setMapped(s.above, false)
    s.p.move(1, 300, 785)
    s.p.wait(1000)
    #expect(s.p.raised.count == 4 && s.p.raised.last == s.above)
  }

  @Test("Z10: an entry counts only where it can be seen") func Z10_aCoveredEntry() throws {
    let s = try Scene()
    s.change(s.below) { $0.icon = Rect(x: 800, y: 400, width: 50, height: 20) }
    s.carry(to: 820, 410)
    s.p.wait(1500)
    #expect(s.p.raised.isEmpty)
    // Where a task bar was, and is no more.
    s.change(s.below) { $0.icon = Rect(x: 400, y: 600, width: 50, height: 20) }
    s.p.move(1, 420, 610)
    s.p.wait(1500)
    #expect(s.p.raised.isEmpty && s.p.looks == 2)
    // A desktop of the file manager's is no task bar, and is never in front.
    let back = WindowID(300)
    s.p.tree.insert(
      .init(id: back, frame: Rect(x: 0, y: 0, width: 1280, height: 800), isMapped: true), parent: Play.root)
    s.p.tree.restack(back, above: nil)
    s.p.desktop.append(DesktopWindow(id: back, kind: .desktop))
    s.p.move(1, 440, 615)
    s.p.wait(1500)
    #expect(s.p.raised.isEmpty && s.p.looks == 3)
    // A bar that nobody manages is as good as one that is.
    s.p.tree.insert(
      .init(id: WindowID(301), frame: Rect(x: 400, y: 590, width: 100, height: 40), isMapped: true), parent: Play.root)
    s.p.move(1, 420, 610)
    s.p.wait(1500)
    #expect(s.p.raised == [s.below])
  }

  @Test("Z10: a region that springs open by itself comes first") func Z10_aSpringComesFirst() throws {
    let s = try Scene()
    let spring = try s.p.region(7, s.below, Rect(x: 0, y: 0, width: 60, height: 60), .spring)
    s.carry(to: 620, 120)
    s.p.wait(5000)
    #expect(s.p.looks == 0)
    #expect(s.p.monitorKinds().contains(.springActivated))
    // Beside it the window is meant; from there the wait begins.
    s.p.move(1, 680, 120)
    s.p.wait(999)
    #expect(s.p.looks == 0)
    s.p.wait(1)
    #expect(s.p.raised == [s.below])
    _ = spring
  }

  @Test("Z10: the window that it was lifted in stays where it is until the stack has been elsewhere")
  func Z10_theSourceStays() throws {
    let s = try Scene()
    s.framed(WindowID(400), Rect(x: 150, y: 100, width: 200, height: 300))
    s.p.desktop.append(DesktopWindow(id: WindowID(400)))
    s.p.lift(1, 100, 300)
    s.p.move(1, 60, 300)
    s.p.wait(3000)
    s.p.move(1, 40, 400)
    s.p.wait(3000)
    #expect(s.p.raised.isEmpty && s.p.looks > 0)
    s.p.move(1, 400, 400)
    s.p.move(1, 60, 300)
    s.p.wait(1000)
    #expect(s.p.raised == [s.source])
  }

  @Test("Z10: what raising would not change is left alone: dialogs, and windows that are kept above")
  func Z10_whatStaysAbove() throws {
    let s = try Scene()
    s.change(s.above) { $0.transientFor = s.below }
    s.carry(to: 620, 120)
    s.p.wait(1500)
    #expect(s.p.raised.isEmpty && s.p.looks == 1)
    s.change(s.above) {
      $0.transientFor = nil
      $0.layer = 1
    }
    s.p.move(1, 640, 140)
    s.p.wait(1500)
    #expect(s.p.raised.isEmpty && s.p.looks == 2)
  }

  @Test("Z10: it can be switched off, and takes as long as it is told") func Z10_settings() throws {
    let s = try Scene()
    var settings = Settings()
    settings.spring.raisesWindows = false
    s.p.engine.apply(settings)
    s.carry(to: 620, 120)
    s.p.wait(5000)
    #expect(s.p.looks == 0 && s.p.raised.isEmpty)
    settings.spring.raisesWindows = true
    settings.spring.windowDelay = .milliseconds(300)
    s.p.engine.apply(settings)
    s.p.move(1, 640, 140)
    s.p.wait(300)
    #expect(s.p.raised == [s.below])
  }

  @Test("Z10: lists and entries that lie hurt nobody") func Z10_hostile() throws {
    let s = try Scene()
    let huge = Double(Int32.max)
    let lies: [DesktopWindow] = [
      DesktopWindow(id: WindowID(0)), DesktopWindow(id: Play.root, icon: Rect(x: 0, y: 0, width: huge, height: huge)),
      DesktopWindow(id: WindowID(0xFFFF_FFFF)),
      DesktopWindow(id: s.below, icon: Rect(x: -huge, y: -huge, width: huge, height: huge)),
      DesktopWindow(id: s.above, icon: Rect(x: -huge, y: -huge, width: huge * 2, height: huge * 2)),
      DesktopWindow(id: s.below, icon: Rect(x: -1000, y: 0, width: 2000, height: 800)),
    ]
    let honest = s.p.desktop
    s.p.desktop =
      lies
      + (0..<4000).map { DesktopWindow(id: WindowID(10_000 + $0), icon: Rect(x: 0, y: 0, width: 1280, height: 800)) }
    s.carry(to: 150, 785)
    s.p.wait(1500)
    #expect(s.p.raised.isEmpty && s.p.looks == 1)
    // Beside the truth they do not count: the smallest entry is it.
    s.p.desktop = lies + honest + honest
    s.p.move(1, 150, 796)
    s.p.wait(1500)
    #expect(s.p.raised == [s.below])
    // Everybody claims to be a dialog of the next: no end would be found.
    s.p.desktop = [
      DesktopWindow(id: s.below, transientFor: s.above), DesktopWindow(id: s.above, transientFor: s.above),
    ]
    s.p.move(1, 950, 450)
    s.p.wait(1500)
    s.p.desktop = []
    s.p.move(1, 620, 120)
    s.p.wait(1500)
    #expect(s.p.looks == 4)
    // Another session's answer, or one that comes late.
    s.p.act { $0.learnedWindows(honest, for: SessionID(99), at: s.p.instant, into: &$1) }
    s.p.up(1, 620, 120)
    s.p.wait(100)
    let before = s.p.raised
    s.p.act { $0.learnedWindows(honest, for: SessionID(1), at: s.p.instant, into: &$1) }
    #expect(s.p.raised == before && s.p.isAtRest)
  }
}
