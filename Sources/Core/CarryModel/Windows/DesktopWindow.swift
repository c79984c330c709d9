/// A managed window, with the properties needed to raise it (EWMH).
package struct DesktopWindow: Equatable, Codable, Sendable {
  /// The purpose of a window.
  package enum Kind: Equatable, Codable, Sendable {
    case normal
    /// A task bar or panel.
    case dock
    /// The desktop's background, behind all windows.
    case desktop
  }

  /// The client's window; a window manager may have put it into a frame of its own.
  package var id: WindowID
  package var kind: Kind
  /// The rectangle of the window's entry in a task bar, in screen pixels; nil if no task bar has set it. Any client
  /// can set it to any rectangle.
  package var icon: Rect?
  /// 1 for a window that is kept above others, -1 for one that is kept below, else 0. Raising a window does not move
  /// it past windows of another layer.
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
