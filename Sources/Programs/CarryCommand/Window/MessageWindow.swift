import CLinux
import CarrySystem
import CarryWindow

/// A window with a sentence, for a tool that was started without a terminal.
final class MessageWindow: WindowContent {
  private let title, text: String
  private var isOpen = true

  private init(title: String, _ text: String) { (self.title, self.text) = (title, text) }

  /// Shows it until it is closed, or Escape, Return or Space is pressed. Without a display nothing is shown.
  static func show(title: String, _ text: String) {
    guard let display = try? Display.open() else { return }
    let message = MessageWindow(title: title, text)
    let window = Window(display, title: title, program: "carry-message", width: 420, height: 200)
    window.content = message
    window.show()
    while message.isOpen {
      var p = pollfd(fd: display.fileDescriptor, events: Int16(POLLIN), revents: 0)
      if !display.hasReadAhead, poll(&p, 1, -1) < 0, clinux_errno() != EINTR { return }
      display.dispatch()
      display.drawWindows()
    }
  }

  func draw(on canvas: Canvas, size: (width: Double, height: Double)) {
    Paint.message(on: canvas, size: size, title: title, text: text)
  }

  func key(_ event: KeyEvent) { if [.escape, .enter, .text(" ")].contains(event.key) { isOpen = false } }
  func closed() { isOpen = false }
}
