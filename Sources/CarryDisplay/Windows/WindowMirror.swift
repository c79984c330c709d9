import CarryX
import CX11
import CarryModel

/// Keeps a `WindowTree` equal to the X server's own, without ever waiting for the server.
///
/// It asks for the events of every mirrored window's children. It asks without blocking for the children that were
/// there before. Events and answers are applied exactly in the order in which the server sent them. Sequence numbers
/// tell this order: the answer to request n comes before every event that was made after request n. So nothing is lost
/// or taken twice, whatever other clients do meanwhile.
final class WindowMirror {
  let tree: WindowTree
  let server: XServer
  var queries: MirrorQueries
  /// The owners of windows, as far as somebody asked for them.
  var owners = WindowOwners()
  /// Border widths that are not zero, in pixels. X places a window by its border's corner, the tree by its inside's
  /// corner.
  private var borders: [UInt32: Int32] = [:]
  private var shapes = ShapeStore()
  /// The visuals of windows that have another visual than the root.
  private var otherVisuals: [UInt32: UInt32] = [:]
  private let rootVisual: UInt32
  /// Windows that were moved to where the mirror does not see yet. Window managers move a window into a frame within a frame
  /// that they have just made. Until all answers have come, they are kept, unmapped: there may be regions in them.
  private var lost: Set<UInt32> = []
  /// Windows whose shape may have changed since it was asked for.
  private var staleShapes: Set<UInt32> = []
  /// Whether anything changed since the last `takeChanges`.
  var hasChanged = false
  private var destroyed: [WindowID] = []
  private var appeared: [WindowID] = []
  let managerAtom: UInt32
  /// Whether a foreign toplevel may have come to lie above our previews.
  private var raised = false

  init(_ server: XServer) {
    self.server = server
    let size = Size(
      width: Double(XDisplayWidth(server.display, server.screen)),
      height: Double(XDisplayHeight(server.display, server.screen)))
    tree = WindowTree(root: WindowID(UInt32(truncatingIfNeeded: server.root)), size: size)
    queries = MirrorQueries(server.connection)
    let visual = XDefaultVisual(server.display, server.screen)
    rootVisual = UInt32(truncatingIfNeeded: XVisualIDFromVisual(visual))
    managerAtom = UInt32(truncatingIfNeeded: XInternAtom(server.display, "_NET_SUPPORTING_WM_CHECK", 0))
    cx11_prepare_owners(server.connection)
    queries.askChildren(tree.root.raw, selecting: UInt32(SubstructureNotifyMask | StructureNotifyMask))
  }

  /// A window's frame with its border, in its parent's pixels.
  func outerFrame(of window: UInt32) -> Rect? {
    tree.frame(of: WindowID(window)).map { outerFrame(of: window, inside: $0) }
  }

  /// A window's frame with its border, where the frame without it is known.
  func outerFrame(of window: UInt32, inside frame: Rect) -> Rect {
    // Few windows have a border, and every frame of a preview asks for many windows.
    guard !borders.isEmpty, let border = borders[window] else { return frame }
    return frame.insetBy(-Double(border))
  }

  /// The outline of a window that is not a rectangle, in its own pixels.
  func outline(of window: UInt32) -> [Rect]? { shapes.outline(of: window) }

  /// A window's visual, if it is another than the root's.
  func visual(of window: UInt32) -> UInt32? { otherVisuals[window] }

  /// Whether no answer is still to come.
  var isSettled: Bool { queries.isEmpty }

  // MARK: Answers

  /// Applies the answers that the server gave before it made the event with this serial number.
  func applyAnswers(before serial: UInt) {
    while let answer = queries.take(before: UInt32(truncatingIfNeeded: serial)) { apply(answer) }
  }

  /// Fetches the next answer if it is there; true when it is. Events that were sent before the answer must be handled
  /// first.
  func fetchAnswer() -> Bool { queries.fetch() }

  /// Applies the answer that was fetched.
  func applyFetchedAnswer() {
    if let answer = queries.takeFetched() { apply(answer) }
  }

  private func apply(_ answer: MirrorQueries.Answer) {
    hasChanged = true
    switch answer {
    case .children(let parent, let children):
      take(children, of: WindowID(parent))
    case .attributes(let window, let isMapped, let isInputOnly, let visual):
      otherVisuals[window] = isInputOnly || visual == rootVisual ? nil : visual
      tree.setMapped(WindowID(window), isMapped)
      tree.setInputOnly(WindowID(window), isInputOnly)
    case .missing, .owner, .manager, .managesRoot:
      takeOwner(answer)
    case .geometry(let window, let frame, let border):
      setFrame(window, frame, border)
    case .shape(let window, let kind, let rects):
      guard tree.contains(WindowID(window)) else { return }
      shapes.set(window, kind, rects, frame: tree.frame(of: WindowID(window)) ?? .zero)
      // Both shapes are asked for together, the input shape last.
      guard kind == .input else { return }
      tree.setInputShape(WindowID(window), shapes.shape(of: window))
    }
  }

  /// Takes in the children that a window has, from the bottom up. Events about them come only since the window was
  /// asked for them: no event has told what became of windows that were moved into it before that.
  private func take(_ children: [UInt32], of parent: WindowID) {
    guard tree.contains(parent) else { return }
    let listed = Set(children)
    for gone in tree.children(of: parent) where !listed.contains(gone.raw) && !lost.contains(gone.raw) { lose(gone) }
    for child in children {
      let id = WindowID(child)
      lost.remove(child)
      if tree.contains(id), tree.parent(of: id) != parent {
        tree.reparent(id, to: parent, origin: .zero)
        askOwnersAround(id)
      }
      if tree.parent(of: id) == parent {
        tree.raise(id)
        if !server.isOurs(child) { queries.askState(child) }
      } else {
        discover(child, in: parent)
      }
    }
  }

  /// Adds a window of which only the parent is known, and asks for the rest.
  private func discover(_ id: UInt32, in parent: WindowID) {
    forget(WindowID(id))
    tree.insert(.init(id: WindowID(id), frame: .zero, isMapped: false), parent: parent)
    noteAppeared(id)
    if !server.isOurs(id) { queries.askAll(id) }
  }

  /// Keeps a window that is somewhere else now, until it is known where.
  private func lose(_ id: WindowID) {
    guard tree.contains(id) else { return }
    tree.reparent(id, to: tree.root, origin: .zero)
    tree.setMapped(id, false)
    lost.insert(id.raw)
  }

  /// Forgets the windows that are nowhere, now that all answers have come.
  func forgetLost() {
    guard isSettled, !lost.isEmpty else { return }
    for id in lost { forget(WindowID(id)) }
    lost = []
    hasChanged = true
  }

  /// Forgets a window that the mirror cannot see any more, and its inferiors. To whoever has something in one of them,
  /// that window is destroyed.
  private func forget(_ id: WindowID) {
    guard tree.contains(id) else { return }
    var pending = [id]
    while let next = pending.popLast() {
      pending += tree.children(of: next)
      borders[next.raw] = nil
      shapes.forget(next.raw)
      otherVisuals[next.raw] = nil
      owners.forget(next.raw)
      lost.remove(next.raw)
      if !server.isOurs(next.raw) { destroyed.append(next) }
    }
    tree.remove(id)
  }

  // MARK: Events

  /// Asks once for each shape that changed, however often it changed. A window that is gone by now gives no answer.
  func askStaleShapes() {
    for window in staleShapes where tree.contains(WindowID(window)) { queries.askShape(window) }
    staleShapes.removeAll(keepingCapacity: true)
  }

  /// Takes in an event; false when it is not about the tree of windows.
  func handle(_ event: inout XEvent, shapeNotify: CInt) -> Bool {
    switch event.type {
    case CreateNotify:
      let e = event.xcreatewindow
      let id = raw(e.window)
      borders[id] = e.border_width == 0 ? nil : e.border_width
      tree.insert(
        .init(id: WindowID(id), frame: inside(e.x, e.y, e.width, e.height, e.border_width), isMapped: false),
        parent: WindowID(raw(e.parent)))
      noteAppeared(id)
      if !server.isOurs(id) { queries.askAll(id, isNew: true) }
    case DestroyNotify:
      let id = raw(event.xdestroywindow.window)
      lost.remove(id)
      tree.remove(WindowID(id))
      borders[id] = nil
      shapes.forget(id)
      otherVisuals[id] = nil
      owners.forget(id)
      if !server.isOurs(id) { destroyed.append(WindowID(id)) }
    case MapNotify:
      let id = raw(event.xmap.window)
      if !server.isOurs(id) { tree.setMapped(WindowID(id), true) }
      noteRaise(event.xmap.event, id)
    case UnmapNotify:
      tree.setMapped(WindowID(raw(event.xunmap.window)), false)
    case ConfigureNotify:
      let e = event.xconfigure
      guard !server.isOurs(raw(e.window)) else {
        // Our previews move with every motion and are no targets: their place in the stack is all that matters.
        if e.event != e.window {
          tree.restack(WindowID(raw(e.window)), above: e.above == 0 ? nil : WindowID(raw(e.above)))
        }
        return true
      }
      configure(e)
    case ReparentNotify:
      let e = event.xreparent
      let id = raw(e.window)
      let border = Double(borders[id] ?? 0)
      let parent = WindowID(raw(e.parent))
      lost.remove(id)
      if tree.contains(parent) {
        tree.reparent(
          WindowID(id), to: parent, origin: Point(x: Double(e.x) + border, y: Double(e.y) + border))
        // The window came from where the mirror does not see, or from where the mirror is behind.
        if tree.parent(of: WindowID(id)) != parent { discover(id, in: parent) }
        askOwnersAround(WindowID(id))
      } else {
        // A parent that is too new to be known will be asked for its children.
        lose(WindowID(id))
      }
      noteRaise(e.parent, id)
    case GravityNotify:
      let e = event.xgravity
      let id = raw(e.window)
      let border = Double(borders[id] ?? 0)
      if let frame = tree.frame(of: WindowID(id)) {
        tree.setFrame(
          WindowID(id), Rect(origin: Point(x: Double(e.x) + border, y: Double(e.y) + border), size: frame.size))
      }
    case CirculateNotify:
      let e = event.xcirculate
      if e.place == PlaceOnTop {
        tree.raise(WindowID(raw(e.window)))
        noteRaise(e.event, raw(e.window))
      } else {
        tree.restack(WindowID(raw(e.window)), above: nil)
      }
    case shapeNotify:
      staleShapes.insert(raw(event.reading(as: XShapeEvent.self).window))
      return true
    default:
      return false
    }
    hasChanged = true
    return true
  }

  private func configure(_ e: XConfigureEvent) {
    let id = raw(e.window)
    let old = tree.frame(of: WindowID(id))
    setFrame(id, Rect(x: Double(e.x), y: Double(e.y), width: Double(e.width), height: Double(e.height)), e.border_width)
    guard id != tree.root.raw else { return }
    // A window without a shape says nothing when it is resized: ask, in case its shape covered it by chance.
    if let old, old.size != Size(width: Double(e.width), height: Double(e.height)), shapes.isKnown(id) {
      staleShapes.insert(id)
    }
    guard e.event != e.window else { return }
    tree.restack(WindowID(id), above: e.above == 0 ? nil : WindowID(raw(e.above)))
    noteRaise(e.event, id)
  }

  private func noteAppeared(_ id: UInt32) {
    if owners.takeAwaited(id) { appeared.append(WindowID(id)) }
  }

  private func noteRaise(_ parent: CX11.Window, _ id: UInt32) {
    if parent == server.root, !server.isOurs(id) { raised = true }
  }

  /// Sets a window's frame from X's rectangle, which has the border's corner and the inside's size.
  private func setFrame(_ id: UInt32, _ outer: Rect, _ border: Int32) {
    borders[id] = border == 0 ? nil : border
    tree.setFrame(WindowID(id), outer.offset(by: Point(x: Double(border), y: Double(border))))
  }

  private func inside(_ x: CInt, _ y: CInt, _ width: CInt, _ height: CInt, _ border: CInt) -> Rect {
    Rect(x: Double(x &+ border), y: Double(y &+ border), width: Double(width), height: Double(height))
  }

  private func raw(_ window: CX11.Window) -> UInt32 { UInt32(truncatingIfNeeded: window) }

  // MARK: Reports

  func takeChanges(_ report: (DisplayChange) -> Void) {
    forgetLost()
    if !destroyed.isEmpty {
      for id in destroyed { report(.windowDestroyed(id)) }
      destroyed.removeAll(keepingCapacity: true)
    }
    if hasChanged {
      hasChanged = false
      report(.windowsChanged)
      for id in appeared { report(.windowAppeared(id)) }
      appeared.removeAll(keepingCapacity: true)
      // Whoever asks again and still waits sets this again.
      if owners.isAwaited {
        owners.isAwaited = false
        report(.windowsLookedUp)
      }
    }
  }

  func takeRaised() -> Bool {
    defer { raised = false }
    return raised
  }
}
