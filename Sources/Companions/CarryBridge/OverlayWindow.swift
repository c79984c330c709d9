import CX11
import CarryModel

/// An invisible window that accepts drops in front of parts of another window during a drag (docs/decisions/0033).
/// XDND sources find it instead of that window.
final class OverlayWindow {
  private let x: XConnection
  /// Created on first use.
  private(set) var window: UInt32?
  private(set) var isShown = false
  private var parts: [Rect] = []
  /// Its requested frame.
  private var box = Rect(x: 0, y: 0, width: 0, height: 0)

  init(_ x: XConnection) { self.x = x }

  private func make() -> UInt32 {
    let window = x.makeDropWindow(side: 1)
    // Another program may reparent it into its own window and destroy it there.
    x.select(StructureNotifyMask, on: window)
    return window
  }

  /// Shows the window above `view`, limited to these visible parts: some window managers put such windows above all
  /// others.
  ///
  /// - Parameter shown: Screen coordinates in pixels; not empty.
  func place(before view: WindowView, _ shown: [Rect]) {
    let window = self.window ?? make()
    self.window = window
    if !isShown { restore(window) }
    if !view.isBelow(window) {
      var changes = XWindowChanges()
      changes.sibling = Window(view.outermost)
      changes.stack_mode = Above
      XConfigureWindow(x.display, Window(window), UInt32(CWSibling | CWStackMode), &changes)
    }
    if shown != parts { cut(window, to: shown) }
    // Another program may have unmapped it.
    XMapWindow(x.display, Window(window))
    isShown = true
  }

  /// Reverts changes that another program made to it during an earlier drag.
  private func restore(_ window: UInt32) {
    x.markAsDropWindow(window)
    x.delete("XdndProxy", of: window)
    XShapeCombineMask(x.display, Window(window), ShapeInput, 0, 0, 0, ShapeSet)
  }

  private func cut(_ window: UInt32, to shown: [Rect]) {
    guard let first = shown.first else { return }
    parts = shown
    box = parts.dropFirst().reduce(first) { $0.union($1) }
    // The engine regards a full-screen window of this kind as a compositing manager's overlay.
    if let screen = x.frame(of: x.root), box.x <= 0, box.y <= 0, box.maxX >= screen.width, box.maxY >= screen.height {
      (box.y, box.height) = (1, screen.height - 1)
    }
    XMoveResizeWindow(
      x.display, Window(window), CInt(box.x), CInt(box.y), UInt32(box.width), UInt32(box.height))
    var shape = parts.map {
      XRectangle(
        x: Int16($0.x - box.x), y: Int16($0.y - box.y), width: UInt16($0.width), height: UInt16($0.height))
    }
    XShapeCombineRectangles(
      x.display, Window(window), ShapeBounding, 0, 0, &shape, CInt(shape.count), ShapeSet, Unsorted)
  }

  /// Handles an event sent by the X server itself. Another program may destroy, move or reparent the door.
  ///
  /// - Returns: Whether the door is no longer where it was put. The next `place` restores it.
  @discardableResult func handle(_ event: XEvent) -> Bool {
    guard let window else { return false }
    switch event.type {
    case DestroyNotify where event.xdestroywindow.window == Window(window): isGone()
    case ReparentNotify where event.xreparent.window == Window(window) && event.xreparent.parent != Window(x.root):
      destroy()
    case ConfigureNotify where event.xconfigure.window == Window(window):
      let e = event.xconfigure
      guard Rect(x: Double(e.x), y: Double(e.y), width: Double(e.width), height: Double(e.height)) != box else {
        return false
      }
      parts = []
    default: return false
    }
    return true
  }

  /// Keeps the window: a source may be about to send it a message.
  func hide() {
    guard isShown, let window else { return }
    XUnmapWindow(x.display, Window(window))
    isShown = false
    parts = []
  }

  private func isGone() {
    window = nil
    isShown = false
    parts = []
  }

  func destroy() {
    if let window { XDestroyWindow(x.display, Window(window)) }
    isGone()
  }
}
