import Carry
import DemoKit

/// The app: messages that have come on the left, one that is being written on the right.
final class Mail: WindowContent {
  let app: App
  let window: Window
  let report: Report
  private(set) var list: MessageList?
  private(set) var letter: Letter?

  init(_ app: App, _ options: Program.Options) {
    self.app = app
    report = Report(isOn: options.json)
    window = Window(
      app.display, title: "Mail", program: "carry-mail", width: 960, height: 640, geometry: options.geometry,
      icon: Picture(width: 64, height: 64) { Icon.envelope(on: $0) })
    window.content = self
    let list = MessageList(self)
    let letter = Letter(self)
    (self.list, self.letter) = (list, letter)
    resized()
    app.engine.onReady = { client in
      list.connect(client)
      letter.connect(client)
    }
    app.engine.tell(report, window)
    window.show()
    report.say("ready")
  }

  func resized() {
    let (w, h) = (window.width, window.height)
    let left = max(220, min(380, w * 0.42))
    list?.box = Box(0, 0, left, h)
    letter?.box = Box(left, 0, max(120, w - left), h)
  }

  func draw(on c: Canvas, size: (width: Double, height: Double)) {
    let now = app.now
    c.clear(.white)
    letter?.draw(on: c, now: now)
    list?.draw(on: c, now: now)
    if !app.engine.isConnected { c.drawAbsence(in: Box(0, 0, size.width, size.height)) }
    if list?.isMoving(at: now) == true || letter?.isMoving(at: now) == true { window.animate() }
  }

  func pointer(_ e: PointerEvent) {
    list?.pointer(e)
    letter?.pointer(e)
    window.redraw()
  }

  func key(_ e: KeyEvent) {
    if e.isShortcut("q") || e.isShortcut("w") { return closed() }
    letter?.key(e)
  }

  func focusChanged() { window.redraw() }
  func closed() { app.stop() }
}
