package import CarryModel
package import CarryStage

/// The window for slow transfers, and the key that undoes a move.
extension Display {
  /// Shows the window for slow transfers above all windows; hides it with nil. Does not wait for the server.
  package func showPanel(_ picture: PanelPicture?) { if isAlive { panel.show(picture) } }

  /// The part of the screen that the monitor at a point shows; the whole screen if there is none.
  package func monitor(at point: Point) -> Rect {
    monitors.first { $0.contains(point) } ?? Rect(origin: .zero, size: rootSize)
  }

  /// Holds Ctrl+Z while the focus is in one of these windows, and nowhere else; `.undo` reports the key.
  package func holdUndoKey(in windows: [WindowID]) { undoKey.hold(in: windows) }
}
