import CLinux
import CarrySystem

/// A window with a sentence, for a tool that was started without a terminal.
enum MessageWindow {
  /// Shows it until it is closed, or Escape, Return or Space is pressed. Without a display nothing is shown.
  static func show(title: String, _ text: String) {
    var isOpen = true
    let window = try? ToolWindow(title: title, geometry: Geometry(width: 420, height: 200)) { c, w, h in
      Paint.message(c, width: w, height: h, title: title, text: text)
    }
    guard let window else { return }
    window.onClosed = { isOpen = false }
    window.onKey = { if [.escape, .enter].contains($0) { isOpen = false } }
    while isOpen {
      var p = pollfd(fd: window.fileDescriptor, events: Int16(POLLIN), revents: 0)
      if poll(&p, 1, -1) < 0, clinux_errno() != EINTR { return }
      window.dispatch()
    }
  }
}
