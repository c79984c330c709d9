/// Whether a drag is over a window that would take it, which shows that.
package final class Hover {
  private unowned let window: Window
  package private(set) var isAbove = false

  package init(_ window: Window) { self.window = window }

  package func show(above isAbove: Bool) {
    guard isAbove != self.isAbove else { return }
    self.isAbove = isAbove
    window.redraw()
  }
}
