import CarryX
import CX11
import CarryModel

/// Keeps a `WindowTree` equal to the X server's own, without ever waiting for the server.
///
/// It selects the events of every mirrored window's children, and requests the children that existed before without
/// blocking. Events and replies are applied exactly in the order in which the server sent them. Sequence numbers give
/// this order: the reply to request n comes before every event that was made after request n. Nothing is therefore
/// lost or applied twice, whatever other clients do meanwhile.
final class WindowMirror {
  let tree: WindowTree
  let server: XServer
  var queries: MirrorQueries
  /// The owners of windows, as far as they were requested.
  var owners = WindowOwners()
  /// Border widths other than zero, in pixels. X positions a window by its border's corner, the tree by its inside's
  /// corner.
  private var borders: [UInt32: Int32] = [:]
  private var shapes = ShapeStore()
  /// The visuals of windows whose visual is not the root's.
  private var otherVisuals: [UInt32: UInt32] = [:]
  private let rootVisual: UInt32
  /// Windows that were moved to a parent that the mirror does not see yet. Window managers move a window into nested
  /// frames that they have just created. Until all replies have come, such windows are kept, unmapped: there may be
  /// regions in them.
  private var lost: Set<UInt32> = []
  /// Windows whose shape may have changed since it was requested.
  private var staleShapes: Set<UInt32> = []
  /// New windows that the server is asked about when the turn is over, if they are still there.
  private var unasked: [(window: UInt32, isNew: Bool)] = []
  /// The maximum number of pending requests with which it is asked about another window: more would fill the socket,
  /// and writing would wait for the server.
  private static let maxPending = 1024
  /// Whether anything changed since the last `takeChanges`.
  var hasChanged = false
  private var destroyed: [WindowID] = []
  private var appeared: [WindowID] = []
  let managerAtom: UInt32
  /// Whether a foreign toplevel may have been raised above our previews.
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

  /// A window's frame with its border, given the frame without it.
  func outerFrame(of window: UInt32, inside frame: Rect) -> Rect {
    // Few windows have a border, and every frame of a preview queries many windows.
    guard !borders.isEmpty, let border = borders[window] else { return frame }
    return frame.insetBy(-Double(border))
  }

  /// The outline of a window that is not a rectangle, in its own pixels.
  func outline(of window: UInt32) -> [Rect]? { shapes.outline(of: window) }

  /// A window's visual, if it is not the root's.
  func visual(of window: UInt32) -> UInt32? { otherVisuals[window] }

  /// Whether no reply is pending.
  var isSettled: Bool { queries.isEmpty && unasked.isEmpty }

  // MARK: Replies

  /// Applies the replies that the server sent before it made the event with this serial number.
  func applyAnswers(before serial: UInt) {
    while let answer = queries.take(before: UInt32(truncatingIfNeeded: serial)) { apply(answer) }
  }

  /// Fetches the next reply if it has arrived, and returns whether it has. Events that were sent before the reply
  /// must be handled first.
  func fetchAnswer() -> Bool { queries.fetch() }

  /// Applies the fetched reply.
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
      // Both shapes are requested together, the input shape last.
      guard kind == .input else { return }
      tree.setInputShape(WindowID(window), shapes.shape(of: window))
    }
  }

  /// Adds a window's children, from the bottom up. Events about them arrive only since they were selected on the
  /// window: windows that were moved into it before that were not reported.
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

  /// Adds a window of which only the parent is known, and requests the rest.
  private func discover(_ id: UInt32, in parent: WindowID) {
    forget(WindowID(id))
    tree.insert(.init(id: WindowID(id), frame: .zero, isMapped: false), parent: parent)
    noteAppeared(id)
    if !server.isOurs(id) { unasked.append((id, isNew: false)) }
  }

  /// Keeps a window that was moved out of sight until its new place is known.
  private func lose(_ id: WindowID) {
    guard tree.contains(id) else { return }
    tree.reparent(id, to: tree.root, origin: .zero)
    tree.setMapped(id, false)
    lost.insert(id.raw)
  }

  /// Forgets the windows without a known place, now that all replies have come.
  func forgetLost() {
    guard isSettled, !lost.isEmpty else { return }
    for id in lost { forget(WindowID(id)) }
    lost = []
    hasChanged = true
  }

  /// Forgets a window that the mirror can no longer see, and its inferiors. They are reported as destroyed.
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

  /// Asks about new windows. Many a window is gone again before its turn.
  func askNewWindows() {
    var asked = 0
    for (window, isNew) in unasked {
      if tree.contains(WindowID(window)) {
        guard queries.count < Self.maxPending else { break }
        queries.askAll(window, isNew: isNew)
      }
      asked += 1
    }
    unasked.removeFirst(asked)
  }

  /// Requests each changed shape once, however often it changed. A window that is gone by now sends no reply.
  func askStaleShapes() {
    for window in staleShapes where tree.contains(WindowID(window)) { queries.askShape(window) }
    staleShapes.removeAll(keepingCapacity: true)
  }

  /// Handles an event; returns false if it is not about the tree of windows.
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
      if !server.isOurs(id) { unasked.append((id, isNew: true)) }
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
        // Our previews move with every motion and are no targets: only their place in the stack matters.
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
        // The window came from a place that the mirror does not see, or where the mirror is behind.
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
    // A resized window without a shape sends no shape event: ask, in case its shape covered it by chance.
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
      // A caller that asks again and still waits sets this again.
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
