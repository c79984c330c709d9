/// A window that a window manager manages, as far as bringing it to the front goes (EWMH).
package struct DesktopWindow: Equatable, Sendable {
  /// What a window is for.
  package enum Kind: Equatable, Sendable {
    case normal
    /// A task bar or panel.
    case dock
    /// What lies behind all windows.
    case desktop
  }

  /// The client's window; a window manager may have put it into a frame of its own.
  package var id: WindowID
  package var kind: Kind
  /// Where its entry in a task bar is, in screen pixels; nil where no task bar says so. Any client can set it: it may be
  /// anywhere and as large as it likes.
  package var icon: Rect?
  /// 1 for windows that are kept above others, -1 for those kept below, else 0: raising changes nothing between them.
  package var layer: Int
  /// The window that this one is a dialog of: it stays above that.
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
