/// A mirror of the mapped windows of one screen: stacking order, geometry and input shape.
///
/// `CarryDisplay` keeps the mirror current from X events, and the session engine asks it which window lies under a
/// point. A query walks from the root to the deepest window and costs tens of nanoseconds; asking the X server would
/// cost tens of microseconds. The mirror is not thread-safe: one thread owns it.
package final class WindowTree {
  /// The properties of one window. Positions are relative to the parent's origin, inside its border.
  package struct Window: Equatable, Codable, Sendable {
    package var id: WindowID
    /// Pixels, relative to the parent; the window's inside, without its border.
    package var frame: Rect
    package var isMapped: Bool
    /// Where the window accepts input, in its own coordinates; nil means everywhere, an empty list nowhere.
    package var inputShape: [Rect]?

    package init(id: WindowID, frame: Rect, isMapped: Bool, inputShape: [Rect]? = nil) {
      self.id = id
      self.frame = frame
      self.isMapped = isMapped
      self.inputShape = inputShape
    }
  }

  /// A flat record for the walk: whole pixels, siblings linked from the topmost down.
  struct Node {
    var left, top, right, bottom: Int32
    var firstChild: Int32 = -1
    var lastChild: Int32 = -1
    var nextBelow: Int32 = -1
    var previousAbove: Int32 = -1
    var parent: Int32 = -1
    var raw: UInt32
    var isMapped: Bool
    var shaped: Bool
    var tag: Int32 = -1
    var owner: Int32 = 0
    var kind = Kind.unknown
  }

  enum Kind: UInt8 { case unknown, seen, inputOnly }

  private(set) var nodes: [Node] = []
  private var free: [Int32] = []
  private(set) var index: [UInt32: Int32] = [:]
  private(set) var shapes: [UInt32: [Rect]] = [:]

  /// The root window, which always exists.
  package let root: WindowID
  /// How many windows have been reparented.
  package private(set) var reparentings: UInt64 = 0
  /// Told of every change, for session recordings.
  package var onChange: ((WindowChange) -> Void)?

  package init(root: WindowID, size: Size) {
    self.root = root
    nodes.append(
      Node(
        left: 0, top: 0, right: Self.clamp(size.width), bottom: Self.clamp(size.height), raw: root.raw,
        isMapped: true, shaped: false))
    index[root.raw] = 0
  }

  /// Maximum depth of a query: a chain of a hundred times as many nested windows would make every query that much
  /// slower. Toolkits that give each control a window stay below 40.
  package static let maxDepth = 64

  package var count: Int { index.count }

  package func contains(_ id: WindowID) -> Bool { index[id.raw] != nil }

  private static func clamp(_ v: Double) -> Int32 {
    if v.isNaN { return 0 }
    return Int32(max(-1_000_000, min(1_000_000, v.rounded())))
  }

  // MARK: Keeping it current

  /// Puts a new window on top of its siblings. A window that is already known is moved there.
  package func insert(_ window: Window, parent: WindowID) {
    guard window.id != root, index[parent.raw] != nil else { return }
    if index[window.id.raw] != nil { remove(window.id) }
    // The parent may have lain in it.
    guard let p = index[parent.raw] else { return }
    let f = window.frame
    let node = Node(
      left: Self.clamp(f.x), top: Self.clamp(f.y), right: Self.clamp(f.maxX), bottom: Self.clamp(f.maxY),
      raw: window.id.raw, isMapped: window.isMapped, shaped: window.inputShape != nil)
    let slot: Int32
    if let reused = free.popLast() {
      nodes[Int(reused)] = node
      slot = reused
    } else {
      slot = Int32(nodes.count)
      nodes.append(node)
    }
    index[window.id.raw] = slot
    shapes[window.id.raw] = window.inputShape
    linkOnTop(slot, of: p)
    onChange?(.insert(window: window, parent: parent))
  }

  /// Forgets a window and everything inside it.
  package func remove(_ id: WindowID) {
    onChange?(.remove(window: id))
    guard id != root, let slot = index[id.raw] else { return }
    unlink(slot)
    var pending = [slot]
    while let next = pending.popLast() {
      var child = nodes[Int(next)].firstChild
      while child >= 0 {
        pending.append(child)
        child = nodes[Int(child)].nextBelow
      }
      index[nodes[Int(next)].raw] = nil
      shapes[nodes[Int(next)].raw] = nil
      free.append(next)
    }
  }

  package func setMapped(_ id: WindowID, _ mapped: Bool) {
    onChange?(.map(window: id, isMapped: mapped))
    guard let slot = index[id.raw] else { return }
    nodes[Int(slot)].isMapped = mapped
  }

  /// Moves and resizes a window; the frame is relative to its parent.
  package func setFrame(_ id: WindowID, _ frame: Rect) {
    onChange?(.frame(window: id, frame: frame))
    guard let slot = index[id.raw] else { return }
    let s = Int(slot)
    nodes[s].left = Self.clamp(frame.x)
    nodes[s].top = Self.clamp(frame.y)
    nodes[s].right = Self.clamp(frame.maxX)
    nodes[s].bottom = Self.clamp(frame.maxY)
  }

  /// Sets a window's input shape; nil restores its whole rectangle.
  package func setInputShape(_ id: WindowID, _ shape: [Rect]?) {
    onChange?(.shape(window: id, shape: shape))
    guard let slot = index[id.raw] else { return }
    shapes[id.raw] = shape
    nodes[Int(slot)].shaped = shape != nil || nodes[Int(slot)].kind == .inputOnly
  }

  /// Sets whether a window is input-only. Such a window is invisible, so points go through it to the windows below.
  ///
  /// An input-only window that covers the whole screen lets no point through: compositing managers put such a window
  /// above windows that they do not show.
  package func setInputOnly(_ id: WindowID, _ isInputOnly: Bool) {
    onChange?(.inputOnly(window: id, isInputOnly: isInputOnly))
    guard let slot = index[id.raw] else { return }
    nodes[Int(slot)].kind = isInputOnly ? .inputOnly : .seen
    nodes[Int(slot)].shaped = isInputOnly || shapes[id.raw] != nil
  }

  /// Whether a window is input-only; nil until `setInputOnly` was called.
  package func isInputOnly(_ id: WindowID) -> Bool? {
    guard let slot = index[id.raw], nodes[Int(slot)].kind != .unknown else { return nil }
    return nodes[Int(slot)].kind == .inputOnly
  }

  /// The owner of windows that contain other programs' windows, such as a window manager's frames.
  package static let host: Int32 = -1

  /// Sets the owner of a window: any number above zero, or `host`; zero while the owner is unknown.
  ///
  /// A tagged window counts only if all windows around it belong to its owner or to a host, because X lets any client
  /// put a window into another client's window.
  package func setOwner(_ id: WindowID, _ owner: Int32) {
    onChange?(.owner(window: id, owner: owner))
    guard let slot = index[id.raw] else { return }
    nodes[Int(slot)].owner = owner
  }

  /// The owner of a window, as set by `setOwner`.
  package func owner(of id: WindowID) -> Int32 { index[id.raw].map { nodes[Int($0)].owner } ?? 0 }

  /// Puts a window right above `sibling`, or at the bottom when `sibling` is nil, as in ConfigureNotify.
  package func restack(_ id: WindowID, above sibling: WindowID?) {
    guard id != root, id != sibling, let slot = index[id.raw] else { return }
    let parent = nodes[Int(slot)].parent
    guard parent >= 0 else { return }
    // X reports every move with the window's place in the stack, which hardly ever changes.
    let next = nodes[Int(slot)].nextBelow
    if let sibling {
      if next >= 0, nodes[Int(next)].raw == sibling.raw { return }
    } else if next < 0 {
      return
    }
    onChange?(.restack(window: id, above: sibling))
    unlink(slot)
    if let sibling, let below = index[sibling.raw], nodes[Int(below)].parent == parent {
      link(slot, above: below, parent: parent)
    } else {
      linkAtBottom(slot, of: parent)
    }
  }

  package func raise(_ id: WindowID) {
    onChange?(.raise(window: id))
    guard id != root, let slot = index[id.raw], nodes[Int(slot)].parent >= 0 else { return }
    let parent = nodes[Int(slot)].parent
    unlink(slot)
    linkOnTop(slot, of: parent)
  }

  /// Moves a window under another parent, on top there.
  package func reparent(_ id: WindowID, to parent: WindowID, origin: Point) {
    onChange?(.reparent(window: id, to: parent, origin: origin))
    guard id != root, id != parent, let slot = index[id.raw], let p = index[parent.raw] else { return }
    var walk = p  // A loop would make queries spin for ever: refuse it.
    while walk >= 0 {
      if walk == slot { return }
      walk = nodes[Int(walk)].parent
    }
    reparentings &+= 1
    unlink(slot)
    let s = Int(slot)
    let width = nodes[s].right - nodes[s].left
    let height = nodes[s].bottom - nodes[s].top
    nodes[s].left = Self.clamp(origin.x)
    nodes[s].top = Self.clamp(origin.y)
    nodes[s].right = nodes[s].left &+ width
    nodes[s].bottom = nodes[s].top &+ height
    linkOnTop(slot, of: p)
  }

  /// Sets the number that `taggedWindows(at:)` returns for a window; -1 for none.
  package func setTag(_ id: WindowID, _ tag: Int32) {
    guard let slot = index[id.raw] else { return }
    nodes[Int(slot)].tag = tag
  }

  // MARK: The sibling list

  private func linkOnTop(_ slot: Int32, of parent: Int32) {
    let top = nodes[Int(parent)].firstChild
    nodes[Int(slot)].parent = parent
    nodes[Int(slot)].previousAbove = -1
    nodes[Int(slot)].nextBelow = top
    if top >= 0 { nodes[Int(top)].previousAbove = slot } else { nodes[Int(parent)].lastChild = slot }
    nodes[Int(parent)].firstChild = slot
  }

  private func link(_ slot: Int32, above sibling: Int32, parent: Int32) {
    let previous = nodes[Int(sibling)].previousAbove
    guard previous >= 0 else { return linkOnTop(slot, of: parent) }
    nodes[Int(slot)].parent = parent
    nodes[Int(slot)].previousAbove = previous
    nodes[Int(slot)].nextBelow = sibling
    nodes[Int(previous)].nextBelow = slot
    nodes[Int(sibling)].previousAbove = slot
  }

  private func linkAtBottom(_ slot: Int32, of parent: Int32) {
    let last = nodes[Int(parent)].lastChild
    guard last >= 0 else { return linkOnTop(slot, of: parent) }
    nodes[Int(slot)].parent = parent
    nodes[Int(slot)].previousAbove = last
    nodes[Int(slot)].nextBelow = -1
    nodes[Int(last)].nextBelow = slot
    nodes[Int(parent)].lastChild = slot
  }

  private func unlink(_ slot: Int32) {
    let n = nodes[Int(slot)]
    if n.previousAbove >= 0 {
      nodes[Int(n.previousAbove)].nextBelow = n.nextBelow
    } else if n.parent >= 0 {
      nodes[Int(n.parent)].firstChild = n.nextBelow
    }
    if n.nextBelow >= 0 {
      nodes[Int(n.nextBelow)].previousAbove = n.previousAbove
    } else if n.parent >= 0 {
      nodes[Int(n.parent)].lastChild = n.previousAbove
    }
    nodes[Int(slot)].parent = -1
    nodes[Int(slot)].previousAbove = -1
    nodes[Int(slot)].nextBelow = -1
  }
}
