import CarryModel
import CarryStage
import Testing

/// R5: the window for slow transfers by itself.
@Suite struct TransferPanelTests {
  private let a = SessionID(1)
  private let here = Point(x: 600, y: 300)

  private func ms(_ n: Int) -> Instant { Scene.ms(n) }

  private func status(_ bytes: UInt64? = nil, of total: UInt64? = nil, items: Int = 1) -> TransferStatus {
    var s = TransferStatus(itemCount: items, itemName: "report.pdf", source: ClientID(1), destination: ClientID(2))
    (s.bytes, s.totalBytes) = (bytes, total)
    if let bytes, let total { s.fraction = Double(bytes) / Double(total) }
    return s
  }

  private func advance(_ panel: inout TransferPanel, to now: Instant, _ status: TransferStatus?) {
    panel.advance(to: now, status: { _ in status }, name: { $0.raw == 1 ? "Photos" : "Mail" })
  }

  private func shown(_ status: TransferStatus) -> TransferPanel {
    var panel = TransferPanel()
    panel.dropBegan(a, at: here, time: ms(0))
    advance(&panel, to: ms(500), status)
    return panel
  }

  @Test("R5: a drop that takes half a second shows, and one that is quicker never does") func R5_patience() throws {
    var panel = TransferPanel()
    #expect(panel.deadline == nil && panel.content == nil)
    panel.dropBegan(a, at: here, time: ms(0))
    #expect(panel.deadline == ms(500) && !panel.isShown)
    advance(&panel, to: ms(499), status())
    #expect(panel.content == nil)
    advance(&panel, to: ms(500), status())
    let row = try #require(panel.content?.rows.first)
    #expect(row.title == "report.pdf" && row.target == "to Mail" && row.detail == "Waiting for Photos")
    #expect(row.bar == .unknown && row.button == .cancel && panel.content?.anchor == here)
    var quick = TransferPanel()
    quick.dropBegan(a, at: here, time: ms(0))
    quick.ended(a, .timedOut, at: ms(400))
    #expect(quick.deadline == nil && quick.content == nil)
  }

  @Test("R5: a drop that asks for nothing yet is looked at again; R7: one whose application shows it is not")
  func R5_R7_waiting() {
    var panel = TransferPanel()
    panel.dropBegan(a, at: here, time: ms(0))
    advance(&panel, to: ms(500), nil)
    #expect(panel.deadline == ms(1000) && panel.content == nil)
    var quiet = status()
    quiet.isQuiet = true
    advance(&panel, to: ms(1000), quiet)
    #expect(panel.deadline == nil && panel.content == nil)
  }

  @Test("R5: bytes, rate and time left are said once they are known, four times a second") func R5_progress() {
    var panel = shown(status(1_000_000, of: 41_000_000))
    #expect(panel.content?.rows[0].detail == "1.0 of 41 MB")
    for i in 1...8 {
      #expect(panel.deadline == ms(500 + 250 * i))
      advance(&panel, to: ms(500 + 250 * i), status(1_000_000 + UInt64(i) * 500_000, of: 41_000_000))
    }
    #expect(panel.content?.rows[0].detail == "5.0 of 41 MB · 2.0 MB/s · about 20 s left")
    #expect(panel.content?.rows[0].bar == .filled(5.0 / 41))
    // When nothing comes any more, nothing is foretold.
    for i in 9...24 { advance(&panel, to: ms(500 + 250 * i), status(5_000_000, of: 41_000_000)) }
    #expect(panel.content?.rows[0].detail == "5.0 of 41 MB")
  }

  @Test("R5: without bytes, the source's own units count") func R5_units() {
    var units = status(items: 3)
    units.fraction = 0.25
    let row = shown(units).content?.rows[0]
    #expect(row?.title == "3 items" && row?.detail == "25 % · Photos prepares it" && row?.bar == .filled(0.25))
  }

  @Test("R5: progress that lies is shown as something that can be") func R5_lies() {
    var panel = shown(status(.max, of: .max))
    advance(&panel, to: ms(1000), status(0, of: .max))
    advance(&panel, to: ms(1500), status(.max, of: 1))
    advance(&panel, to: ms(2500), status(.max, of: nil))
    #expect(panel.content?.rows.count == 1)
    var long = status(5, of: 10)
    long.itemName = String(repeating: "x\u{202E}\n", count: 300)
    let title = shown(long).content?.rows[0].title ?? ""
    #expect(title.utf8.count <= Limits.nameBytes && !title.contains("\n") && !title.contains("\u{202E}"))
  }

  @Test("R5: it goes a moment after the end, and says for three seconds why something failed") func R5_ends() {
    var panel = shown(status(5, of: 10))
    panel.ended(a, nil, at: ms(600))
    #expect(panel.content?.rows[0].detail == "Done" && panel.content?.rows[0].button == nil)
    #expect(panel.deadline == ms(900))
    advance(&panel, to: ms(900), nil)
    #expect(panel.content == nil && panel.deadline == nil)
    var failed = shown(status(5, of: 10))
    failed.ended(a, .sourceGone, at: ms(600))
    let row = failed.content?.rows[0]
    #expect(row?.detail == "The source application went away" && row?.isFailed == true)
    advance(&failed, to: ms(3599), nil)
    #expect(failed.isShown && failed.deadline == ms(3600))
    advance(&failed, to: ms(3600), nil)
    #expect(!failed.isShown)
  }

  @Test("R5: a button counts where it is pressed and let go, and a second press only after a while") func R5_buttons() {
    var panel = shown(status())
    let b = SessionID(2)
    panel.dropBegan(b, at: here, time: ms(100))
    advance(&panel, to: ms(750), status())
    panel.press(a, at: ms(800))
    #expect(panel.content?.rows.map(\.isPressed) == [true, false])
    #expect(panel.release(b, at: ms(810)) == nil)
    #expect(panel.release(a, at: ms(820)) == nil)
    panel.press(nil, at: ms(830))
    #expect(panel.release(a, at: ms(840)) == nil)
    panel.press(a, at: ms(850))
    #expect(panel.release(a, at: ms(860)) == .cancel(a))
    panel.cancelled(a, at: ms(860))
    #expect(panel.content?.rows[0].detail == "Cancelled")
    // The X server reports the touch as a click, too.
    panel.press(b, at: ms(900))
    #expect(panel.release(b, at: ms(910)) == nil)
    panel.press(b, at: ms(1300))
    #expect(panel.release(b, at: ms(1310)) == .cancel(b))
  }

  @Test("R5: several drops share one window, and those without room are counted") func R5_several() {
    var panel = TransferPanel()
    for i in 1...7 { panel.dropBegan(SessionID(UInt32(i)), at: here, time: ms(0)) }
    advance(&panel, to: ms(500), status())
    #expect(panel.content?.rows.map(\.session.raw) == [1, 2, 3, 4] && panel.content?.hidden == 3)
    // Esc cancels what the user sees.
    #expect(panel.newestRunning == SessionID(4))
    panel.ended(SessionID(1), nil, at: ms(600))
    advance(&panel, to: ms(900), status())
    #expect(panel.content?.rows.map(\.session.raw) == [2, 3, 4, 5] && panel.content?.hidden == 2)
  }

  @Test("Z16: undo is shown until it is withdrawn, and wakes nobody meanwhile") func Z16_undo() {
    var panel = TransferPanel()
    panel.showUndo(a, "Moved 2 items", at: here)
    #expect(panel.content?.rows.first?.title == "Moved 2 items" && panel.content?.rows.first?.button == .undo)
    #expect(panel.deadline == nil && panel.newestRunning == nil)
    panel.press(a, at: ms(0))
    #expect(panel.release(a, at: ms(10)) == .undo(a))
    panel.hideUndo(a)
    #expect(panel.content == nil)
  }

  @Test("R5: bytes in decimal units") func R5_amounts() {
    #expect(
      [0, 999, 1000, 9999, 10_500, 1_250_000, UInt64.max].map(PanelText.amount)
        == ["0 bytes", "999 bytes", "1.0 kB", "9.9 kB", "10 kB", "1.2 MB", "18446744 TB"])
  }
}

/// R5: where the window for slow transfers and its buttons are.
@Suite struct PanelLayoutTests {
  private let screen = Rect(x: 0, y: 0, width: 1280, height: 800)

  private func content(_ rows: Int, _ point: Point, hidden: Int = 0) -> PanelContent {
    let rows = (0..<rows).map { i in
      var row = PanelContent.Row(session: SessionID(UInt32(i + 1)), title: "\(i)")
      row.button = i == 1 ? nil : .cancel
      return row
    }
    return PanelContent(rows: rows, hidden: hidden, anchor: point)
  }

  @Test("R5: near the drop, and inside of its monitor wherever the drop was", arguments: [1.0, 1.5, 2, .nan])
  func R5_inside(scale: Double) {
    let right = Rect(x: 1280, y: 100, width: 1024, height: 768)
    for monitor in [screen, right] {
      for x in stride(from: monitor.x, through: monitor.maxX, by: 97) {
        for y in stride(from: monitor.y, through: monitor.maxY, by: 53) {
          let layout = PanelLayout(content(3, Point(x: x, y: y), hidden: 2), scale: scale, monitor: monitor)
          let f = layout.frame
          #expect(f.x >= monitor.x && f.y >= monitor.y && f.maxX <= monitor.maxX && f.maxY <= monitor.maxY)
          #expect(f.x == f.x.rounded() && f.y == f.y.rounded())
        }
      }
    }
    let layout = PanelLayout(content(1, Point(x: 640, y: 300)), scale: 1, monitor: screen)
    #expect(layout.frame.y == 328 && abs(layout.frame.center.x - 640) < 1)
    let low = PanelLayout(content(1, Point(x: 640, y: 780)), scale: 1, monitor: screen)
    #expect(low.frame.maxY == 752)
  }

  @Test("R5: a press finds the row whose button it is on, with some slack for fingers") func R5_hits() throws {
    let layout = PanelLayout(content(3, Point(x: 640, y: 300)), scale: 2, monitor: screen)
    let button = try #require(layout.buttons[2]).offset(by: layout.frame.origin)
    #expect(layout.row(ofButtonAt: button.center) == 2)
    #expect(layout.row(ofButtonAt: Point(x: button.x - 15, y: button.center.y)) == 2)
    #expect(layout.row(ofButtonAt: Point(x: button.x - 30, y: button.center.y)) == nil)
    #expect(layout.buttons[1] == nil && layout.buttons[0] != nil)
  }
}
