import CX11
import CarryModel

/// Which process owns which window, as far as that was requested. The X server's reply is valid for the lifetime of a
/// window.
struct WindowOwners {
  /// The process that created each window; 0 if the server does not know.
  private(set) var processes: [UInt32: CInt] = [:]
  /// Windows whose owner was requested, with the reply pending.
  private var asked: Set<UInt32> = []
  /// Windows that were requested and do not exist, until the next caller is told.
  private var missing: Set<UInt32> = []
  /// Windows that were reported as missing, until they exist.
  private var awaited: Set<UInt32> = []
  /// Windows that a client uses: whoever created them, they are not a window manager's frames.
  private(set) var used: Set<UInt32> = []
  /// The window by which a window manager names itself. The root and the window itself both name this window;
  /// otherwise its manager is gone.
  private(set) var manager: UInt32?
  private var namedByRoot: UInt32?
  private(set) var isAskingManager = false
  var managesRoot = false
  /// Whether a caller waits for a reply.
  var isAwaited = false

  mutating func forget(_ window: UInt32) {
    processes[window] = nil
    used.remove(window)
    missing.remove(window)
  }

  /// Whether to request a window's owner. If so, the request counts as made from now on.
  mutating func mayAsk(_ window: UInt32) -> Bool { processes[window] == nil && asked.insert(window).inserted }

  mutating func answer(_ window: UInt32, _ process: CInt) {
    asked.remove(window)
    if !missing.contains(window) { processes[window] = process }
  }

  mutating func isMissing(_ window: UInt32) {
    // Some callers may be gone; the others ask again.
    if missing.count > 4096 { missing = [] }
    missing.insert(window)
  }

  mutating func takeMissing(_ window: UInt32) -> Bool {
    guard !asked.contains(window) else { return false }
    return missing.remove(window) != nil
  }

  mutating func noteAwaited(_ window: UInt32) {
    // A client whose window is forgotten here is refused at its timeout.
    if awaited.count >= 4096 { awaited = [] }
    awaited.insert(window)
  }

  /// Whether a caller waited for a window that exists now.
  mutating func takeAwaited(_ window: UInt32) -> Bool { !awaited.isEmpty && awaited.remove(window) != nil }

  mutating func use(_ window: UInt32) { used.insert(window) }

  /// Whether to look for the window manager; one request is outstanding at a time.
  mutating func mayAskManager() -> Bool {
    defer { isAskingManager = true }
    return !isAskingManager
  }

  /// - Returns: the window whose property is to be requested next, if any; and whether the manager has changed.
  mutating func takeManager(_ named: UInt32?) -> (next: UInt32?, isNew: Bool) {
    if let named, namedByRoot == nil {
      namedByRoot = named
      return (named, false)
    }
    let found = named == namedByRoot ? named : nil
    defer { (manager, namedByRoot, isAskingManager) = (found, nil, false) }
    return (nil, found != manager)
  }
}

/// Checks windows for clients that want to use them, without ever waiting for the server.
extension WindowMirror {
  /// Whether a client may use a window; nil while the server is being asked: call again at the next
  /// `.windowsLookedUp`.
  func standing(of id: WindowID) -> WindowStanding? {
    guard id != tree.root, id.raw != 0, !server.isOurs(id.raw) else { return .unseen }
    // The window may have been created since the server reported it as missing.
    if owners.takeMissing(id.raw), !tree.contains(id) {
      owners.noteAwaited(id.raw)
      return .missing
    }
    guard tree.contains(id), let isInputOnly = tree.isInputOnly(id), let process = owners.processes[id.raw] else {
      // A window that exists, and is not in the tree although no reply is pending, belongs to another screen.
      if !tree.contains(id), owners.processes[id.raw] != nil, isSettled {
        owners.forget(id.raw)
        return .unseen
      }
      return lookUp(id)
    }
    guard !isInputOnly, let ancestors = tree.ancestors(of: id) else { return .unseen }
    let isKnown = ancestors.allSatisfy { owners.processes[$0.raw] != nil }
    guard isKnown, !owners.isAskingManager else { return lookUp(id) }
    guard process > 0 else { return .made(by: nil) }
    owners.use(id.raw)
    // Mark these windows as used before any of them is considered a frame.
    for above in ancestors where owners.processes[above.raw] == process { owners.use(above.raw) }
    tree.setOwner(id, process)
    var isAmongItsOwn = true
    for above in ancestors {
      settleOwner(above.raw)
      let owner = tree.owner(of: above)
      if owner != process, owner != WindowTree.host { isAmongItsOwn = false }
    }
    return isAmongItsOwn ? .made(by: process) : .inAnothers
  }

  private func lookUp(_ id: WindowID) -> WindowStanding? {
    owners.isAwaited = true
    let isNew = !tree.contains(id)
    if owners.mayAsk(id.raw) {
      if isNew { queries.askExistence(id.raw) }
      queries.askOwner(id.raw)
    }
    askAncestors(of: id)
    return nil
  }

  private func askAncestors(of id: WindowID) {
    var asks = false
    for above in tree.ancestors(of: id) ?? [] where owners.mayAsk(above.raw) {
      // Look for the window manager first, so that it is known which ancestors are frames.
      if !asks, owners.mayAskManager() { queries.askManager(tree.root.raw, managerAtom, isRoot: true) }
      asks = true
      queries.askOwner(above.raw)
    }
  }

  /// Requests the owners of a window's new ancestors after a window with a known owner was moved into another window.
  func askOwnersAround(_ id: WindowID) {
    if tree.owner(of: id) != 0 { askAncestors(of: id) }
  }

  func takeOwner(_ answer: MirrorQueries.Answer) {
    switch answer {
    case .missing(let window): owners.isMissing(window)
    case .owner(let window, let process):
      owners.answer(window, process)
      settleOwner(window)
    case .managesRoot(let manages): owners.managesRoot = manages
    case .manager(let named):
      let (next, isNew) = owners.takeManager(named)
      if let next { queries.askManager(next, managerAtom, isRoot: false) }
      if isNew { for window in owners.processes.keys { settleOwner(window) } }
    case .children, .attributes, .geometry, .shape: break
    }
  }

  private func settleOwner(_ window: UInt32) {
    guard let process = owners.processes[window] else { return }
    let owner = isFrame(window) ? WindowTree.host : process > 0 ? process : Self.unknown
    tree.setOwner(WindowID(window), owner)
  }

  /// An owner that the server does not know. In such a window, no process's window is among its own.
  private static let unknown = Int32.max

  /// Whether a window is a frame, into which the window manager puts other clients' windows: the same client then
  /// created this window and the window by which the manager names itself. If the window manager does not name
  /// itself, every unused child of the root is a frame.
  private func isFrame(_ window: UInt32) -> Bool {
    guard !owners.used.contains(window) else { return false }
    if let manager = owners.manager { return server.haveOneMaker(window, manager) }
    return owners.managesRoot && tree.parent(of: WindowID(window)) == tree.root
  }
}
