import CX11
import CarryModel
import CarrySelections
import CarrySystem
import CarryXdnd

/// A window of another program that accepts XDND drops.
final class TargetWindow {
  let window: UInt32
  /// The XDND version that both sides support.
  let version: UInt32
  /// The window that receives the messages: the window itself, or its proxy.
  let receiver: UInt32
  /// In pixels of the screen.
  private(set) var frame: Rect
  /// The window manager's frame windows around it, which move it.
  fileprivate let ancestors: [UInt32]
  /// Whether the frame has to be queried again before it is used.
  fileprivate var hasMoved = false

  init(_ window: UInt32, version: UInt32, receiver: UInt32, frame: Rect, ancestors: [UInt32] = []) {
    (self.window, self.version, self.receiver, self.frame) = (window, version, receiver, frame)
    self.ancestors = ancestors
  }

  /// The current frame. Queries the X server only if the window has moved.
  func currentFrame(_ x: any XDisplay) -> Rect {
    if hasMoved, let frame = x.frame(of: window) { (self.frame, hasMoved) = (frame, false) }
    return frame
  }

  /// The window has a new place, and perhaps a new size.
  ///
  /// - Returns: Whether its size has changed.
  fileprivate func configured(width: Double, height: Double) -> Bool {
    hasMoved = true
    guard frame.width != width || frame.height != height else { return false }
    (frame.width, frame.height) = (width, height)
    return true
  }
}

/// Finds and tracks the windows that accept XDND drops. Queries the X server when a window appears or changes, never
/// while a drag moves.
///
/// Examining a window takes several round trips, and toolkits create windows just as they accept a drop. So each
/// window waits for its turn: once for all events about it, and after other pending events.
final class TargetWindows {
  enum Change {
    case appeared(TargetWindow)
    case resized(TargetWindow)
    case gone(TargetWindow)
  }

  private let x: XConnection
  private var targets: [UInt32: TargetWindow] = [:]
  /// The watched windows with their ancestors, outermost first.
  private var watched: [UInt32: [UInt32]] = [:]
  /// The watched windows inside a watched window.
  private var inside: [UInt32: Set<UInt32>] = [:]
  /// Which windows are watched.
  private var watching = WindowShares<WindowOwner>(
    max: TargetWindows.maxWatched, maxOfOne: TargetWindows.maxWatchedOfOne)
  /// Which windows that accept drops are targets.
  private var taking = WindowShares<WindowOwner>(
    max: TargetWindows.maxTargets, maxOfOne: TargetWindows.maxTargetsOfOne)
  /// The owners of windows, by the ID base that the X server assigned to each connection.
  private var owners: [UInt32: WindowOwner] = [:]
  var onChange: ((Change) -> Void)?
  /// How long windows wait: longer while a target is about to request dropped data.
  var patience: () -> Interval = { .zero }
  private var waiting = WaitingWindows()
  /// When to examine the next window; nil if none waits.
  private(set) var nextDeadline: Instant?
  /// Called when a possible toplevel window appears or disappears, whether or not it accepts drops.
  var onWatch: ((UInt32, _ isThere: Bool) -> Void)?
  /// Whether a window accepts drops only because the bridge declares so. Removes what a crashed bridge has left on it
  /// first.
  var isEntrance: (UInt32) -> Bool = { _ in false }

  /// Toplevel windows are children of the root, of a window manager's frame, or of a frame in a frame.
  private static let deepest = 3
  private static let maxChildren = 64
  /// A program may have any number of windows and connections, so windows are counted by process.
  private static let maxWatched = 16_384
  private static let maxWatchedOfOne = 2048
  private static let longestLook = Interval.milliseconds(1)
  /// Each has a region. Together with the regions of lifts they stay below the bridge's limit, or the engine would
  /// refuse some.
  private static let maxTargets = Limits.regionsPerClient / 2
  private static let maxTargetsOfOne = 512

  init(_ x: XConnection) { self.x = x }

  subscript(window: UInt32) -> TargetWindow? { targets[window] }

  /// Examines all existing windows.
  func start() {
    x.select(SubstructureNotifyMask, on: x.root)
    for window in x.children(of: x.root) { waiting.append(window, newIn: x.root) }
    while examineNext() {}
  }

  private func examine(_ window: UInt32, in ancestors: [UInt32]) {
    guard watched[window] == nil, !x.isOwn(window) else { return }
    let parent = ancestors.last
    guard watching.add(window, of: owner(of: window)) else { return }
    watched[window] = ancestors
    if let parent { inside[parent, default: []].insert(window) }
    // Selected before querying, so that later changes arrive as events.
    x.select(PropertyChangeMask | StructureNotifyMask, on: window)
    onWatch?(window, true)
    guard !read(window), ancestors.count < Self.deepest - 1 else { return }
    x.select(SubstructureNotifyMask, on: window)
    // Each waits for its turn: with their children there may be thousands.
    for child in x.children(of: window).prefix(Self.maxChildren) { waiting.append(child, newIn: window) }
  }

  /// Queried once for each connection, and again after one of its windows is destroyed: the ID base of a closed
  /// connection may be reused by another process.
  private func owner(of window: UInt32) -> WindowOwner {
    let connection = x.connection(of: window)
    if let known = owners[connection] { return known }
    let owner = x.owner(of: window)
    owners[connection] = owner
    return owner
  }

  /// Determines whether a window accepts drops.
  @discardableResult
  private func read(_ window: UInt32) -> Bool {
    guard let ancestors = watched[window] else { return false }
    guard !isEntrance(window) else {
      forget(window)
      return false
    }
    let receiver = proxy(of: window) ?? window
    let version = x.words(receiver, "XdndAware", most: 1).first ?? 0
    guard version >= XdndMessage.versions.lowerBound, let frame = x.frame(of: window) else {
      forget(window)
      return false
    }
    if let known = targets[window], known.version == min(version, XdndMessage.versions.upperBound),
      known.receiver == receiver
    {
      return true
    }
    forget(window)
    guard taking.add(window, of: owner(of: window)) else { return true }
    let target = TargetWindow(
      window, version: min(version, XdndMessage.versions.upperBound), receiver: receiver, frame: frame,
      ancestors: ancestors)
    targets[window] = target
    onChange?(.appeared(target))
    return true
  }

  /// The window that receives messages in place of another. It has to name itself as proxy, or a window that has
  /// reused the ID of a destroyed one would get them. It has to belong to the same program: any program can declare
  /// itself proxy of any window, and policy, team and sandbox are those of the window's own process.
  private func proxy(of window: UInt32) -> UInt32? {
    guard let proxy = x.words(window, "XdndProxy", most: 1).first, proxy != 0, proxy != window,
      x.words(proxy, "XdndProxy", most: 1).first == proxy, x.areOfOneProgram(proxy, window)
    else { return nil }
    return proxy
  }

  private func forget(_ window: UInt32) {
    taking.remove(window)
    if let target = targets.removeValue(forKey: window) { onChange?(.gone(target)) }
  }

  private func unwatch(_ window: UInt32) {
    var left = [window]
    while let next = left.popLast() {
      forget(next)
      watching.remove(next)
      if let ancestors = watched.removeValue(forKey: next) {
        if let parent = ancestors.last { inside[parent]?.remove(next) }
        onWatch?(next, false)
      }
      x.forget(next)
      left += inside.removeValue(forKey: next) ?? []
    }
  }

  // MARK: Events

  /// Handles an event sent by the X server itself.
  func handle(_ event: XEvent, at now: Instant) {
    switch event.type {
    case CreateNotify:
      let e = event.xcreatewindow
      enqueue(UInt32(truncatingIfNeeded: e.window), newIn: UInt32(truncatingIfNeeded: e.parent), at: now)
    case ReparentNotify:
      let e = event.xreparent
      let window = UInt32(truncatingIfNeeded: e.window)
      let parent = UInt32(truncatingIfNeeded: e.parent)
      // Reported by both the window and its parents.
      guard watched[window]?.last ?? x.root != parent || watched[window] == nil else { return }
      unwatch(window)
      enqueue(window, newIn: parent, at: now)
    case DestroyNotify:
      let window = UInt32(truncatingIfNeeded: event.xdestroywindow.window)
      waiting.remove(window)
      unwatch(window)
      owners[x.connection(of: window)] = nil
    case ConfigureNotify:
      let e = event.xconfigure
      moved(UInt32(truncatingIfNeeded: e.window), width: Double(e.width), height: Double(e.height))
    case PropertyNotify:
      let e = event.xproperty
      let name = UInt32(truncatingIfNeeded: e.atom)
      guard name == x.atom("XdndAware") || name == x.atom("XdndProxy") else { return }
      enqueue(UInt32(truncatingIfNeeded: e.window), newIn: nil, at: now)
    default: break
    }
  }

  /// Queues a window for examination.
  ///
  /// - Parameter parent: The parent of a new window; nil for a known window that has changed.
  private func enqueue(_ window: UInt32, newIn parent: UInt32?, at now: Instant) {
    guard parent != nil || watched[window] != nil || waiting.contains(window) else { return }
    waiting.append(window, newIn: parent)
    schedule(at: now)
  }

  private func schedule(at now: Instant) {
    if nextDeadline == nil, !waiting.isEmpty { nextDeadline = now + patience() }
  }

  /// Examines windows, the longest waiting first, for a short time. The others wait until new events have been
  /// handled.
  func advance(to now: Instant) {
    guard let due = nextDeadline, due <= now else { return }
    let end = now + Self.longestLook
    // A query also reads the events before its answer, and no more may be read than are handled.
    while x.queuedEvents <= TurnBudget.most, MonotonicClock.now() < end, examineNext() {}
    nextDeadline = waiting.isEmpty ? nil : now
  }

  /// - Returns: False if none waits.
  private func examineNext() -> Bool {
    guard let (window, parent) = waiting.next() else { return false }
    if let parent { examine(window, inParent: parent) } else { read(window) }
    return true
  }

  private func examine(_ window: UInt32, inParent parent: UInt32) {
    if parent == x.root { return examine(window, in: []) }
    // The children of a target are not examined.
    guard let ancestors = watched[parent], ancestors.count < Self.deepest - 1, targets[parent] == nil else { return }
    examine(window, in: ancestors + [parent])
  }

  private func moved(_ window: UInt32, width: Double, height: Double) {
    if let target = targets[window] {
      if target.configured(width: width, height: height) { onChange?(.resized(target)) }
    } else if watched[window] != nil {
      for target in targets.values where target.ancestors.contains(window) { target.hasMoved = true }
    }
  }
}
