import CX11
import CarryModel
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
  /// How many of these each program has, by the part of their numbers that the X server chose.
  private var watchedOf: [UInt32: Int] = [:]
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
  /// A program may have any number of windows.
  private static let mostWatched = 16_384
  private static let mostWatchedOfOne = 2048
  private static let longestLook = Interval.milliseconds(1)
  /// How many windows of one program take part, so that there is room for those of others.
  private static let mostTargetsOfOne = 128

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
    let program = window & ~x.idMask
    guard watched.count < Self.mostWatched, watchedOf[program, default: 0] < Self.mostWatchedOfOne,
      watched[window] == nil, program != ownConnection
    else { return }
    watched[window] = ancestors
    if let parent = ancestors.last { inside[parent, default: []].insert(window) }
    watchedOf[program, default: 0] += 1
    // Before asking: what changes from here on comes as an event.
    x.select(PropertyChangeMask | StructureNotifyMask, on: window)
    onWatch?(window, true)
    guard !look(window), ancestors.count < Self.deepest - 1 else { return }
    x.select(SubstructureNotifyMask, on: window)
    // Each in its turn: with the windows in them there may be thousands.
    for child in x.children(of: window).prefix(Self.mostChildren) { waiting.append(child, newIn: window) }
  }

  private var ownConnection: UInt32 { UInt32(truncatingIfNeeded: xcb_get_setup(x.connection).pointee.resource_id_base) }

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
    let program = window & ~x.idMask
    guard targets.keys.count(where: { $0 & ~x.idMask == program }) < Self.mostTargetsOfOne else { return true }
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
    if let target = targets.removeValue(forKey: window) { onChange?(.gone(target)) }
  }

  private func unwatch(_ window: UInt32) {
    var left = [window]
    while let next = left.popLast() {
      forget(next)
      if let ancestors = watched.removeValue(forKey: next) {
        let program = next & ~x.idMask
        if let n = watchedOf[program] { watchedOf[program] = n > 1 ? n - 1 : nil }
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
    if nextDeadline == nil { nextDeadline = now + patience() }
  }

  /// Asks about windows, those first that have waited longest, for a short time. The others wait for what has come meanwhile.
  func advance(to now: Instant) {
    guard let due = nextDeadline, due <= now else { return }
    let end = now + Self.longestLook
    while MonotonicClock.now() < end, lookAtNext() {}
    nextDeadline = waiting.isEmpty ? nil : now
  }

  /// - Returns: false where none waits.
  private func lookAtNext() -> Bool {
    guard let (window, parent) = waiting.next() else { return false }
    if let parent { examine(window, inParent: parent) } else { look(window) }
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
