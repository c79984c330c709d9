/// Queries of the mirror: the windows under a point, and their properties.
extension WindowTree {
  /// A window with a tag on the way to a point.
  package struct TaggedHit: Sendable {
    package var tag: Int32
    /// The window's origin on the screen, in pixels.
    package var origin: Point

    package init(tag: Int32, origin: Point) {
      self.tag = tag
      self.origin = origin
    }
  }

  /// The tagged windows under a point, innermost first. `hits` is cleared and refilled, and does not allocate once it
  /// has grown.
  ///
  /// - Parameter only: a window; of the toplevel windows only the one that contains it counts, whatever covers it.
  package func taggedWindows(at point: Point, in only: WindowID? = nil, into hits: inout [TaggedHit]) {
    hits.removeAll(keepingCapacity: true)
    let x = Self.floorClamp(point.x)
    let y = Self.floorClamp(point.y)
    let top = only.map { toplevel(of: $0).flatMap { index[$0.raw] } ?? -1 }
    nodes.withUnsafeBufferPointer { nodes in
      var ox: Int32 = 0
      var oy: Int32 = 0
      if nodes[0].tag >= 0 { hits.append(TaggedHit(tag: nodes[0].tag, origin: .zero)) }
      // The common owner of the windows visited so far.
      var outer = Self.host
      var child = nodes[0].firstChild
      var depth = 1
      while child >= 0, depth <= Self.maxDepth {
        let i = Int(child)
        let lx = x &- ox
        let ly = y &- oy
        if lx >= nodes[i].left, ly >= nodes[i].top, lx < nodes[i].right, ly < nodes[i].bottom, nodes[i].isMapped,
          !nodes[i].shaped || shapeContains(nodes[i].raw, lx &- nodes[i].left, ly &- nodes[i].top),
          top == nil || nodes[i].parent != 0 || child == top
        {
          ox = ox &+ nodes[i].left
          oy = oy &+ nodes[i].top
          let owner = nodes[i].owner
          let isAmongItsOwn = outer == owner || outer == Self.host
          if nodes[i].tag >= 0, isAmongItsOwn {
            hits.append(TaggedHit(tag: nodes[i].tag, origin: Point(x: Double(ox), y: Double(oy))))
          }
          if owner != Self.host { outer = isAmongItsOwn ? owner : Self.severalOwners }
          child = nodes[i].firstChild
          depth += 1
        } else {
          child = nodes[i].nextBelow
        }
      }
    }
    if hits.count > 1 { hits.reverse() }
  }

  /// One step of the way to the window under a point.
  package struct Hit: Equatable, Sendable {
    package var window: WindowID
    /// The window's origin on the screen, in pixels.
    package var origin: Point

    package init(window: WindowID, origin: Point) {
      self.window = window
      self.origin = origin
    }
  }

  /// Calls `body` for each window under the point, from the toplevel inwards: covered windows are never visited.
  private func walk(at point: Point, _ body: (WindowID, Point) -> Void) {
    let x = Self.floorClamp(point.x)
    let y = Self.floorClamp(point.y)
    nodes.withUnsafeBufferPointer { nodes in
      var ox: Int32 = 0
      var oy: Int32 = 0
      var child = nodes[0].firstChild
      var depth = 1
      while child >= 0, depth <= Self.maxDepth {
        let n = nodes[Int(child)]
        let lx = x &- ox
        let ly = y &- oy
        if n.isMapped, lx >= n.left, ly >= n.top, lx < n.right, ly < n.bottom,
          !n.shaped || shapeContains(n.raw, lx &- n.left, ly &- n.top)
        {
          ox = ox &+ n.left
          oy = oy &+ n.top
          body(WindowID(n.raw), Point(x: Double(ox), y: Double(oy)))
          child = n.firstChild
          depth += 1
        } else {
          child = n.nextBelow
        }
      }
    }
  }

  /// The deepest window under a point on the screen, or nil where there is only the root.
  package func window(at point: Point) -> Hit? {
    var hit: Hit?
    walk(at: point) { hit = Hit(window: $0, origin: $1) }
    return hit
  }

  /// A window's rectangle on the screen in pixels; nil if it or an ancestor is unmapped or unknown, or it is nested
  /// too deep.
  package func screenFrame(of id: WindowID) -> Rect? {
    guard let slot = index[id.raw] else { return nil }
    let n = nodes[Int(slot)]
    var rect = Rect(
      x: Double(n.left), y: Double(n.top), width: Double(n.right &- n.left), height: Double(n.bottom &- n.top))
    var walk = slot
    var depth = 0
    while walk >= 0 {
      guard nodes[Int(walk)].isMapped, depth <= Self.maxDepth else { return nil }
      depth += 1
      walk = nodes[Int(walk)].parent
      if walk >= 0 { rect = rect.offset(by: Point(x: Double(nodes[Int(walk)].left), y: Double(nodes[Int(walk)].top))) }
    }
    return rect
  }

  /// A window's frame as it was set, relative to its parent; nil when it is not known.
  package func frame(of id: WindowID) -> Rect? {
    guard let slot = index[id.raw] else { return nil }
    let n = nodes[Int(slot)]
    return Rect(
      x: Double(n.left), y: Double(n.top), width: Double(n.right &- n.left), height: Double(n.bottom &- n.top))
  }

  /// The window that a window lies in; nil for the root and for windows that are not known.
  package func parent(of id: WindowID) -> WindowID? {
    guard let slot = index[id.raw], nodes[Int(slot)].parent >= 0 else { return nil }
    return WindowID(nodes[Int(nodes[Int(slot)].parent)].raw)
  }

  /// Whether a window itself is mapped, whatever its ancestors are.
  package func isMapped(_ id: WindowID) -> Bool { index[id.raw].map { nodes[Int($0)].isMapped } ?? false }

  /// Where a window takes input, in its own coordinates; nil is everywhere.
  package func inputShape(of id: WindowID) -> [Rect]? { shapes[id.raw] }

  /// Children from the topmost down; for tests and for comparison with the server's own tree.
  package func children(of id: WindowID) -> [WindowID] {
    guard let slot = index[id.raw] else { return [] }
    var list: [WindowID] = []
    var child = nodes[Int(slot)].firstChild
    while child >= 0 {
      list.append(WindowID(nodes[Int(child)].raw))
      child = nodes[Int(child)].nextBelow
    }
    return list
  }

  /// Calls `body` with the root's mapped and visible children and their frames, from the topmost down, until `body`
  /// returns false.
  package func forEachToplevel(_ body: (WindowID, Rect) -> Bool) {
    var child = nodes[0].firstChild
    while child >= 0 {
      let node = nodes[Int(child)]
      if node.isMapped, node.kind == .seen {
        let frame = Rect(
          x: Double(node.left), y: Double(node.top), width: Double(node.right &- node.left),
          height: Double(node.bottom &- node.top))
        guard body(WindowID(node.raw), frame) else { return }
      }
      child = node.nextBelow
    }
  }

  /// The ancestor that is a child of the root: the window that a window manager moves. Nil for a window nested too
  /// deep.
  package func toplevel(of id: WindowID) -> WindowID? {
    guard var slot = index[id.raw], slot != 0 else { return nil }
    var depth = 1
    while nodes[Int(slot)].parent > 0 {
      slot = nodes[Int(slot)].parent
      depth += 1
      guard depth <= Self.maxDepth else { return nil }
    }
    return WindowID(nodes[Int(slot)].raw)
  }

  /// The ancestors of a window, innermost first, without the root; nil for a window nested too deep.
  package func ancestors(of id: WindowID) -> [WindowID]? {
    guard let slot = index[id.raw] else { return [] }
    var list: [WindowID] = []
    var walk = nodes[Int(slot)].parent
    while walk > 0 {
      list.append(WindowID(nodes[Int(walk)].raw))
      walk = nodes[Int(walk)].parent
      guard list.count < Self.maxDepth else { return nil }
    }
    return list
  }

  private func coversScreen(_ node: Node) -> Bool {
    node.parent == 0 && node.left <= 0 && node.top <= 0 && node.right >= nodes[0].right
      && node.bottom >= nodes[0].bottom
  }

  private static func floorClamp(_ v: Double) -> Int32 {
    guard v > -1_000_000, v < 1_000_000 else { return v > 0 ? 1_000_000 : -1_000_000 }
    let i = Int32(v)
    return Double(i) > v ? i - 1 : i
  }

  private func shapeContains(_ raw: UInt32, _ x: Int32, _ y: Int32) -> Bool {
    if let slot = index[raw], nodes[Int(slot)].kind == .inputOnly, !coversScreen(nodes[Int(slot)]) { return false }
    guard let shape = shapes[raw] else { return true }
    let p = Point(x: Double(x), y: Double(y))
    return shape.contains { $0.contains(p) }
  }

  /// Marks that the windows under a point have several owners.
  private static let severalOwners: Int32 = -2
}
