import CarryModel

/// Finds the window that the user means by holding a stack still over a point of the screen.
struct DesktopView {
  private let tree: WindowTree
  private let windows: [DesktopWindow]
  /// The managed windows, keyed by their child of the root: the window itself or its frame.
  private var managed: [WindowID: DesktopWindow] = [:]
  /// The children of the root, from the topmost down.
  private let order: [WindowID]

  /// A window to bring to the front.
  struct Choice: Equatable {
    var window: WindowID
    /// Screen pixels. While the finger stays in this area, it means the same window.
    var area: Rect
  }

  /// Maximum size of a task bar's entry, as a fraction of the screen. A larger entry is considered a false claim.
  private static let largestEntry = 1.0 / 8

  /// Maximum number of windows to consider that claim the same entry.
  private static let maxEntries = 8

  init(_ tree: WindowTree, _ windows: [DesktopWindow]) {
    self.tree = tree
    // Destroyed windows are not in the tree.
    self.windows = windows.filter { tree.toplevel(of: $0.id) != nil }
    order = tree.children(of: tree.root)
    for window in self.windows {
      if let top = tree.toplevel(of: window.id), managed[top] == nil { managed[top] = window }
    }
  }

  /// - Parameter spared: a child of the root that must not be raised.
  func choice(at point: Point, sparing spared: WindowID?) -> Choice? {
    // Over the bare desktop the user means no window, even if the point lies in a stale entry.
    guard let top = tree.window(at: point).flatMap({ tree.toplevel(of: $0.window) }), top != spared else { return nil }
    guard let found = managed[top] else { return entry(at: point) }
    switch found.kind {
    case .dock: return entry(at: point)
    case .desktop: return nil
    case .normal:
      guard isCovered(found, top), let area = tree.screenFrame(of: top) else { return nil }
      return Choice(window: found.id, area: area)
    }
  }

  /// The window whose entry is at the point. Of several windows that are not in front, the one with the smallest
  /// entry.
  private func entry(at point: Point) -> Choice? {
    let screen = tree.frame(of: tree.root)?.size ?? Size(width: 0, height: 0)
    let largest = screen.width * screen.height * Self.largestEntry
    var found: [(window: DesktopWindow, icon: Rect, size: Double)] = []
    for window in windows where window.kind == .normal {
      guard let icon = window.icon, icon.contains(point), icon.width * icon.height <= largest else { continue }
      found.append((window, icon, icon.width * icon.height))
    }
    found.sort { $0.size < $1.size }
    for (window, icon, _) in found.prefix(Self.maxEntries) {
      // A window that is minimised or on another desktop has no place in the stack.
      guard let top = tree.toplevel(of: window.id), !isShown(window) || isCovered(window, top) else { continue }
      return Choice(window: window.id, area: icon)
    }
    return nil
  }

  private func isShown(_ window: DesktopWindow) -> Bool { tree.screenFrame(of: window.id) != nil }

  /// Whether raising would change what is visible: another managed window covers a part of it, and would not stay
  /// above.
  private func isCovered(_ window: DesktopWindow, _ top: WindowID) -> Bool {
    guard let frame = tree.screenFrame(of: top) else { return false }
    for above in order {
      if above == top { return false }
      guard let other = managed[above], other.kind == .normal, other.layer <= window.layer,
        !isDialog(other, of: window.id), let over = tree.screenFrame(of: above)
      else { continue }
      if !frame.intersection(over).isEmpty { return true }
    }
    return false
  }

  private func isDialog(_ window: DesktopWindow, of owner: WindowID) -> Bool {
    var next = window.transientFor
    // Dialogs may have dialogs; a client may even have made a cycle.
    for _ in 0..<8 {
      guard let one = next else { return false }
      if one == owner { return true }
      next = windows.first { $0.id == one }?.transientFor
    }
    return false
  }
}
