/// A window that a window manager manages, with what it takes to bring the window to the front (EWMH).
package struct DesktopWindow: Equatable, Sendable {
  /// What a window is for.
  package enum Kind: Equatable, Sendable {
    case normal
    /// A task bar or panel.
    case dock
    /// The desktop's background, behind all windows.
    case desktop
  }

  /// The client's window; a window manager may have put it into a frame of its own.
  package var id: WindowID
  package var kind: Kind
  /// The rectangle of the window's entry in a task bar, in screen pixels; nil where no task bar has set it. Any client can
  /// set it to any rectangle.
  package var icon: Rect?
  /// 1 for a window that is kept above others, -1 for a window that is kept below, else 0. Raising a window does not move
  /// it past a window of another layer.
  package var layer: Int
  /// The window that this window is a dialog of. The dialog stays above it.
  package var transientFor: WindowID?

  package init(
    id: WindowID, kind: Kind = .normal, icon: Rect? = nil, layer: Int = 0, transientFor: WindowID? = nil
  ) {
    self.id = id
    self.kind = kind
    self.icon = icon
    self.layer = layer
    self.transientFor = transientFor
  }
}
