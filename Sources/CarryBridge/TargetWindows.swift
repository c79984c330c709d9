import CX11
import CarryModel
import CarrySelections
import CarrySystem
import CarryXdnd

/// A window of another program that takes drops by XDND.
final class TargetWindow {
  let window: UInt32
  /// The version of XDND that both sides speak.
  let version: UInt32
  /// The window that gets the messages: the window itself, or its proxy.
  let receiver: UInt32
  /// On the screen, in pixels.
  fileprivate(set) var frame: Rect
  /// The windows around it, which move it: the window manager's frame.
  fileprivate let ancestors: [UInt32]
  /// Whether the frame has to be asked for again before it is used.
  fileprivate var hasMoved = false

  fileprivate init(_ window: UInt32, version: UInt32, receiver: UInt32, frame: Rect, ancestors: [UInt32]) {
    (self.window, self.version, self.receiver, self.frame) = (window, version, receiver, frame)
    self.ancestors = ancestors
  }
}

/// Finds the windows that take drops by XDND, and follows them. It asks the X server when a window comes or changes, and
/// never while a drag moves.
///
/// To ask about one takes several answers of the X server, and toolkits make windows just as they take a drop. So each
/// window waits for its turn: once for all that was heard of it, and after what else has come.
final class TargetWindows {
  enum Change {
    case appeared(TargetWindow)
    case resized(TargetWindow)
    case gone(TargetWindow)
  }

  private let x: XConnection
  private var targets: [UInt32: TargetWindow] = [:]
  /// The windows that are watched, with the windows around them, from the outermost.
  private var watched: [UInt32: [UInt32]] = [:]
  /// The watched windows in a watched window.
  private var inside: [UInt32: Set<UInt32>] = [:]
  /// Which windows are watched.
  private var watching = WindowShares<WindowOwner>(
    most: TargetWindows.mostWatched, mostOfOne: TargetWindows.mostWatchedOfOne,
    mostTurnedAway: TargetWindows.mostTurnedAway)
  /// Which of those that take drops are targets.
  private var taking = WindowShares<WindowOwner>(
    most: TargetWindows.mostTargets, mostOfOne: TargetWindows.mostTargetsOfOne,
    mostTurnedAway: TargetWindows.mostTurnedAway)
  /// Whose windows are, by the part of their numbers that the X server chose for each connection.
  private var owners: [UInt32: WindowOwner] = [:]
  var onChange: ((Change) -> Void)?
  /// How long windows wait: longer while a target is about to ask for what was dropped on it.
  var patience: () -> Interval = { .zero }
  private var waiting = WaitingWindows()
  /// When the next one is asked about; nil while none waits.
  private(set) var nextDeadline: Instant?
  /// Called when a window comes that may be a toplevel window, and when it goes, whether it takes drops or not.
  var onWatch: ((UInt32, _ isThere: Bool) -> Void)?
  /// Whether a window takes drops only because the bridge says so. Asked after what a bridge that died has left there is
  /// gone.
  var isEntrance: (UInt32) -> Bool = { _ in false }

  /// Toplevel windows are children of the root, or of a window manager's frame, or of a frame in a frame.
  private static let deepest = 3
  private static let mostChildren = 64
  /// A program may have any number of windows, and any number of connections: it counts what a process has.
  private static let mostWatched = 16_384
  private static let mostWatchedOfOne = 2048
  private static let longestLook = Interval.milliseconds(1)
  /// Each has a region. With the regions of lifts they are fewer than the bridge may have, or the engine would refuse some.
  private static let mostTargets = Limits.regionsPerClient / 2
  private static let mostTargetsOfOne = 128
  /// How many windows are remembered until there is room for them.
  private static let mostTurnedAway = 4096

  init(_ x: XConnection) { self.x = x }

  subscript(window: UInt32) -> TargetWindow? { targets[window] }

  /// Looks at all windows that there are.
  func start() {
    x.select(SubstructureNotifyMask, on: x.root)
    for window in x.children(of: x.root) { waiting.append(window, newIn: x.root) }
    while lookAtNext() {}
  }

  /// Where a target is now. It asks the X server only if the target has moved.
  func frame(of target: TargetWindow) -> Rect {
    if target.hasMoved, let frame = x.frame(of: target.window) {
      target.frame = frame
      target.hasMoved = false
    }
    return target.frame
  }

  private func examine(_ window: UInt32, in ancestors: [UInt32]) {
    guard watched[window] == nil, window & ~x.idMask != ownConnection else { return }
    let parent = ancestors.last
    // With a window manager's frame the window in it would go, which is another program's.
    let answer = watching.add(window, of: owner(of: window)) { other in
      other != parent && inside[other]?.isEmpty != false
    }
    switch answer {
    case .placed: break
    case .placedInstead(of: let other):
      let formerParent = watched[other]?.last ?? x.root
      unwatch(other)
      // It is turned away when its turn comes.
      waiting.append(other, newIn: formerParent)
    case .turnedAway: return
    }
    watched[window] = ancestors
    if let parent { inside[parent, default: []].insert(window) }
    // Before asking: what changes from here on comes as an event.
    x.select(PropertyChangeMask | StructureNotifyMask, on: window)
    onWatch?(window, true)
    guard !look(window), ancestors.count < Self.deepest - 1 else { return }
    x.select(SubstructureNotifyMask, on: window)
    // Each in its turn: with the windows in them there may be thousands.
    for child in x.children(of: window).prefix(Self.mostChildren) { waiting.append(child, newIn: window) }
  }

  private var ownConnection: UInt32 { UInt32(truncatingIfNeeded: xcb_get_setup(x.connection).pointee.resource_id_base) }

  /// The X server is asked once for each connection, and again after a window of it has gone: the number of a connection
  /// that has ended may be another process's next.
  private func owner(of window: UInt32) -> WindowOwner {
    let connection = window & ~x.idMask
    if let known = owners[connection] { return known }
    let owner = x.owner(of: window)
    owners[connection] = owner
    return owner
  }

  /// Looks whether a window takes drops.
  @discardableResult
  private func look(_ window: UInt32) -> Bool {
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
    switch taking.add(window, of: owner(of: window)) {
    case .placed: break
    case .placedInstead(of: let other):
      forget(other)
      // It is turned away when its turn comes.
      waiting.append(other, newIn: nil)
    case .turnedAway: return true
    }
    let target = TargetWindow(
      window, version: min(version, XdndMessage.versions.upperBound), receiver: receiver, frame: frame,
      ancestors: ancestors)
    targets[window] = target
    onChange?(.appeared(target))
    return true
  }

  /// The window that takes the messages in a window's place. It has to say so itself, or a window that is gone, and whose
  /// number another window has now, would get them. It has to be the same program's: any program can write on any window
  /// that it takes the messages in its place, and policy, team and sandbox are those of the window's own process.
  private func proxy(of window: UInt32) -> UInt32? {
    guard let proxy = x.words(window, "XdndProxy", most: 1).first, proxy != 0, proxy != window,
      x.words(proxy, "XdndProxy", most: 1).first == proxy, isOfOneProgram(proxy, window)
    else { return nil }
    return proxy
  }

  private func isOfOneProgram(_ one: UInt32, _ other: UInt32) -> Bool {
    if one & ~x.idMask == other & ~x.idMask { return true }
    guard let process = x.process(of: one) else { return false }
    return x.process(of: other) == process
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

  /// Takes in an event of the X server's own.
  func take(_ event: inout XEvent, at now: Instant) {
    switch event.type {
    case CreateNotify:
      let e = event.xcreatewindow
      enqueue(UInt32(truncatingIfNeeded: e.window), newIn: UInt32(truncatingIfNeeded: e.parent), at: now)
    case ReparentNotify:
      let e = event.xreparent
      let window = UInt32(truncatingIfNeeded: e.window)
      let parent = UInt32(truncatingIfNeeded: e.parent)
      // Both the window and its parents report it.
      guard watched[window]?.last ?? x.root != parent || watched[window] == nil else { return }
      unwatch(window)
      enqueue(window, newIn: parent, at: now)
    case DestroyNotify:
      let window = UInt32(truncatingIfNeeded: event.xdestroywindow.window)
      waiting.remove(window)
      unwatch(window)
      owners[window & ~x.idMask] = nil
      // There may be room now.
      schedule(at: now)
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

  /// Asks about a window when its turn comes.
  ///
  /// - Parameter parent: of a window that is new there; nil for one that is known, and has changed.
  private func enqueue(_ window: UInt32, newIn parent: UInt32?, at now: Instant) {
    guard parent != nil || watched[window] != nil || waiting.contains(window) else { return }
    waiting.append(window, newIn: parent)
    schedule(at: now)
  }

  private func schedule(at now: Instant) {
    if nextDeadline == nil, hasNext { nextDeadline = now + patience() }
  }

  /// Whether there is a window to ask about.
  private var hasNext: Bool { !waiting.isEmpty || watching.hasNext || taking.hasNext }

  /// Asks about windows, those first that have waited longest, for a short time. The others wait for what has come meanwhile.
  func advance(to now: Instant) {
    guard let due = nextDeadline, due <= now else { return }
    let end = now + Self.longestLook
    while MonotonicClock.now() < end, lookAtNext() {}
    nextDeadline = hasNext ? now : nil
  }

  /// - Returns: false where none waits.
  private func lookAtNext() -> Bool {
    // Those that were turned away have waited longest.
    if let window = watching.takeNext() {
      // It may lie in another window by now, or be gone.
      if let parent = x.parent(of: window) { examine(window, inParent: parent) }
    } else if let window = taking.takeNext() {
      look(window)
    } else if let (window, parent) = waiting.next() {
      if let parent { examine(window, inParent: parent) } else { look(window) }
    } else {
      return false
    }
    return true
  }

  private func examine(_ window: UInt32, inParent parent: UInt32) {
    if parent == x.root { return examine(window, in: []) }
    // The children of a target are its own affair.
    guard let ancestors = watched[parent], ancestors.count < Self.deepest - 1, targets[parent] == nil else { return }
    examine(window, in: ancestors + [parent])
  }

  private func moved(_ window: UInt32, width: Double, height: Double) {
    if let target = targets[window] {
      target.hasMoved = true
      guard target.frame.width != width || target.frame.height != height else { return }
      target.frame = Rect(x: target.frame.x, y: target.frame.y, width: width, height: height)
      onChange?(.resized(target))
    } else if watched[window] != nil {
      for target in targets.values where target.ancestors.contains(window) { target.hasMoved = true }
    }
  }
}
