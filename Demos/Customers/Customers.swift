import Carry
import DemoKit

/// The app: one window with the list.
final class Customers: WindowContent {
  let app: App
  let window: Window
  let report: Report
  private(set) var table: Table?

  init(_ app: App, _ options: Program.Options) {
    self.app = app
    report = Report(isOn: options.json)
    window = Window(
      app.display, title: "Customers", program: "carry-customers", width: 420, height: 560, geometry: options.geometry,
      icon: Picture(width: 64, height: 64) { Row.icon(on: $0) })
    window.content = self
    Documents.prepare()
    let table = Table(self)
    self.table = table
    resized()
    app.engine.onReady = { table.connect($0) }
    app.engine.tell(report, window)
    window.show()
    report.say("ready")
  }

  func resized() { table?.box = Box(0, 0, window.width, window.height) }

  func draw(on c: Canvas, size: (width: Double, height: Double)) {
    c.clear(Color(0xFBFAF7))
    table?.draw(on: c, now: app.now)
    if !app.engine.isConnected { c.drawAbsence(in: Box(0, 0, size.width, size.height)) }
    if table?.isMoving(at: app.now) == true { window.animate() }
  }

  func pointer(_ e: PointerEvent) {}

  func key(_ e: KeyEvent) { if e.isShortcut("q") || e.isShortcut("w") { closed() } }

  func focusChanged() { window.redraw() }
  func closed() { app.stop() }
}
