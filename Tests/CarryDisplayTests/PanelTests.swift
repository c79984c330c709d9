import CX11
import CarryDisplay
import CarryModel
import CarryStage
import CarryTesting
import Testing

extension DisplayTests {
  /// R5, Z16: the window for slow transfers on a screen.
  @Suite struct Panels {
    private static let white = Screenshot.Color(255, 255, 255)

    /// A row of each kind.
    private static func content(at anchor: Point = Point(x: 320, y: 20)) -> PanelContent {
      func row(_ number: UInt32, _ title: String, to target: String, _ detail: String) -> PanelContent.Row {
        var row = PanelContent.Row(session: SessionID(number), title: title)
        (row.target, row.detail) = (target, detail)
        return row
      }
      var known = row(1, "Summer holidays in Lisbon.jpeg", to: "to Mail", "12 of 48 MB · 2.1 MB/s · about 20 s left")
      (known.bar, known.button) = (.filled(0.25), .cancel)
      var unknown = row(2, "3 items", to: "to Pinboard", "Waiting for Photos")
      (unknown.bar, unknown.button, unknown.isPressed) = (.unknown, .cancel, true)
      var failed = row(3, "report.pdf", to: "to Notes", "The source application went away")
      failed.isFailed = true
      var undo = row(4, "Moved 2 items", to: "", "")
      undo.button = .undo
      return PanelContent(rows: [known, unknown, failed, undo], hidden: 3, anchor: anchor)
    }

    private func picture(_ desk: Desk, scale: Double = 1) -> PanelPicture {
      PanelPicture(Self.content(), scale: scale, monitor: desk.display.monitor(at: .zero))
    }

    private func color(_ desk: Desk, _ x: Double, _ y: Double) -> Screenshot.Color {
      desk.client.screenshot()?[Int(x), Int(y)] ?? .init(-1, -1, -1)
    }

    @Test("Z15: a monitor is what the user has made of the outputs") func Z15_monitors() throws {
      let desk = try Desk(width: 900, height: 800)
      #expect(desk.display.monitor(at: .zero) == Rect(x: 0, y: 0, width: 900, height: 800))
      let display = desk.client.connection
      for (name, x) in [("left", 0), ("right", 450)] {
        let monitor = try #require(XRRAllocateMonitor(display, 0))
        defer { XRRFreeMonitors(monitor) }
        monitor.pointee.name = XInternAtom(display, name, 0)
        (monitor.pointee.x, monitor.pointee.width, monitor.pointee.height) = (CInt(x), 450, 800)
        XRRSetMonitor(display, XDefaultRootWindow(display), monitor)
      }
      XSync(display, 0)
      #expect(desk.wait { desk.display.monitor(at: .zero) == Rect(x: 0, y: 0, width: 450, height: 800) })
      #expect(desk.wait { desk.display.monitor(at: Point(x: 500, y: 20)).x == 450 })
    }

    @Test("R5: it is drawn as crisp at each scale, with and without a compositing manager", arguments: [1.0, 2])
    func R5_scales(scale: Double) throws {
      let desk = try Desk(width: 900, height: 800)
      desk.client.makeWindow(Rect(x: 0, y: 0, width: 900, height: 800), color: 0x336699)
      let compositor: Compositor? = try scale == 2 ? nil : Compositor(.picom, on: desk.server)
      #expect(desk.wait { desk.display.isComposited == (compositor != nil) })
      let panel = picture(desk, scale: scale)
      desk.display.showPanel(panel)
      desk.settle()
      let frame = panel.layout.frame
      #expect(desk.wait { color(desk, frame.center.x, frame.y + 4 * scale) == Self.white })
      // Beside it is what lies there; with a compositing manager, in its shadow.
      #expect(
        desk.wait {
          let beside = color(desk, frame.x - 3, frame.center.y)
          return beside.blue > 60 && beside.red < beside.blue && (beside.blue < 0x99) == (compositor != nil)
        })
      // The corner is round, and beneath it is what lies there.
      #expect(color(desk, frame.x, frame.y) != Self.white)
      // The bar's edge is one between two pixels.
      let bar = (x: frame.x + 20 * scale, y: frame.y + (33 * scale).rounded())
      #expect(color(desk, bar.x, bar.y - 1) == Self.white)
      #expect(color(desk, bar.x, bar.y + 1).blue > color(desk, bar.x, bar.y + 1).red + 100)
      withExtendedLifetime(compositor) {}
    }

    @Test("R5: it stays above windows that come later, and leaves nothing behind when it goes") func R5_above() throws {
      let desk = try Desk()
      let panel = picture(desk)
      desk.display.showPanel(panel)
      desk.settle()
      let (x, y) = (panel.layout.frame.center.x, panel.layout.frame.y + 5)
      #expect(desk.wait { color(desk, x, y) == Self.white })
      desk.client.makeWindow(Rect(x: 0, y: 0, width: 640, height: 480), color: 0x336699)
      #expect(desk.wait { color(desk, x, 470) == .init(0x33, 0x66, 0x99) && color(desk, x, y) == Self.white })
      desk.display.showPanel(nil)
      desk.settle()
      #expect(desk.wait { color(desk, x, y) == .init(0x33, 0x66, 0x99) })
      desk.display.showPanel(panel)
      desk.settle()
      #expect(desk.wait { color(desk, x, y) == Self.white })
    }

    @Test("R5: fingers and drags see through it to the windows below, which the engine knows") func R5_mirror() throws {
      let desk = try Desk()
      let window = desk.client.makeWindow(Rect(x: 0, y: 0, width: 640, height: 480), color: 0x336699)
      desk.settle()
      let panel = picture(desk)
      desk.display.showPanel(panel)
      desk.settle()
      #expect(desk.wait { desk.display.windows.window(at: panel.layout.frame.center)?.window == window })
    }
  }
}
