import CX11
import CarryCompanion
import CarryModel
import CarryXdnd

/// The windows of Carry's applications through which drags of other programs enter (docs/decisions/0033).
///
/// Properties on such a window declare that it accepts drops and that a window of the bridge, its door, receives the
/// messages. A mark beside them tells a later bridge that they are the bridge's. Windows that accept drops themselves
/// have side doors instead.
final class XdndProxyWindows {
  private let x: XConnection
  /// The windows with regions inside each toplevel window.
  private var behind: [UInt32: Set<UInt32>] = [:]
  /// The toplevel windows, by the windows with regions inside them.
  private var tops: [UInt32: UInt32] = [:]
  /// The doors of toplevel windows. Each has its own: Chromium's messages name the door and not the window behind it.
  private var doors: [UInt32: UInt32] = [:]
  let frontDoor: RootProxy
  let sideDoors: RegionOverlays
  /// The serial numbers of requests with which the bridge changed `XdndAware`, until the X server reports the effect.
  private var ownChanges: Set<UInt> = []
  /// The toplevel windows to get new doors, and when; nil if there are none.
  private var reopening: (windows: Set<UInt32>, at: Instant)?
  /// The serial number of the last query of each window. Changes reported from before that are already known.
  private var looks: [UInt32: UInt] = [:]

  /// Limits the rate, since another program may destroy each new door at once.
  private static let pause = Interval.milliseconds(100)
  private static let mark = "CARRY_XDND_DOOR"
  private static let deepest = 16

  init(_ engine: BridgeClient, _ x: XConnection) {
    self.x = x
    frontDoor = RootProxy(x)
    sideDoors = RegionOverlays(engine, x)
  }

  /// Whether the bridge has declared that the window accepts drops.
  func has(_ window: UInt32) -> Bool { behind[window] != nil }

  /// The window meant by a message, which names it or its door.
  func window(named name: UInt32) -> UInt32? {
    if frontDoor.isNamed(name) { return frontDoor.entrance }
    return has(name) ? name : doors.first { $0.value == name && has($0.key) }?.key ?? sideDoors.window(behind: name)
  }

  /// Handles a window that gains its first region for drops, or loses its last.
  func change(_ window: UInt32, takesDrops: Bool) {
    if takesDrops {
      let top = toplevel(of: window)
      if sideDoors.isAround(top) { return sideDoors.add(top, regionsIn: [window]) }
      if let former = tops.updateValue(top, forKey: window), former != top { remove(window, from: former) }
      behind[top, default: []].insert(window)
      open(top)
    } else {
      sideDoors.remove(regionsIn: window)
      if let top = tops.removeValue(forKey: window) { remove(window, from: top) }
    }
  }

  private func remove(_ window: UInt32, from top: UInt32) {
    guard behind[top]?.remove(window) != nil, behind[top]?.isEmpty == true else { return }
    close(top)
  }

  private func forgetRegions(of top: UInt32) -> Set<UInt32>? {
    guard let windows = behind.removeValue(forKey: top) else { return nil }
    for window in windows where tops[window] == top { tops[window] = nil }
    return windows
  }

  /// The outermost window of the same program; sources search no deeper.
  private func toplevel(of window: UInt32) -> UInt32 {
    var top = window
    for _ in 0..<Self.deepest {
      guard let parent = x.parent(of: top), parent != x.root, x.connection(of: parent) == x.connection(of: window)
      else { break }
      top = parent
    }
    return top
  }

  private func open(_ window: UInt32) {
    x.select(PropertyChangeMask | StructureNotifyMask, on: window)
    let isMarked = !x.words(window, Self.mark, most: 1).isEmpty
    // A toolkit accepts drops there itself.
    guard isMarked || x.words(window, "XdndAware", most: 1).isEmpty else { return leaveToItself(window) }
    looks[window] = x.lastRequest
    let door = doors[window] ?? makeDoor()
    doors[window] = door
    x.setWords([door], Self.mark, of: window, type: Atom(XA_WINDOW))
    x.setWords([door], "XdndProxy", of: window, type: Atom(XA_WINDOW))
    x.setWords([5], "XdndAware", of: window, type: Atom(XA_ATOM))
    ownChanges.insert(x.lastRequest)
  }

  /// Uses a side door for a window that accepts drops itself.
  private func leaveToItself(_ window: UInt32) {
    guard let regions = forgetRegions(of: window) else { return }
    sideDoors.add(window, regionsIn: regions)
  }

  private func makeDoor() -> UInt32 {
    let door = x.makeWindow()
    x.setWords([5], "XdndAware", of: door, type: Atom(XA_ATOM))
    x.setWords([door], "XdndProxy", of: door, type: Atom(XA_WINDOW))
    return door
  }

  private func forget(_ window: UInt32) {
    _ = forgetRegions(of: window)
    looks[window] = nil
    frontDoor.forget(window)
    if let door = doors.removeValue(forKey: window) { XDestroyWindow(x.display, Window(door)) }
  }

  private func close(_ window: UInt32) {
    forget(window)
    x.delete("XdndAware", of: window)
    ownChanges.insert(x.lastRequest)
    for name in ["XdndProxy", Self.mark] { x.delete(name, of: window) }
  }

  /// Removes properties left on a window by a bridge that crashed.
  ///
  /// - Returns: Whether there were any.
  func repair(_ window: UInt32) -> Bool {
    guard !has(window), !x.words(window, Self.mark, most: 1).isEmpty else { return false }
    close(window)
    return true
  }

  /// Handles a change of `XdndAware`. If the window's own program made it, that program accepts drops itself from now
  /// on.
  ///
  /// - Parameter request: The bridge's newest request before the change.
  func changed(_ window: UInt32, after request: UInt) {
    let isOwn = ownChanges.contains(request)
    // Deleting a property that does not exist is not reported.
    if !ownChanges.isEmpty { ownChanges = ownChanges.filter { $0 > request } }
    guard has(window), !isOwn, request >= looks[window] ?? 0 else { return }
    leaveToItself(window)
    forget(window)
    for name in ["XdndProxy", Self.mark] { x.delete(name, of: window) }
  }

  func gone(_ window: UInt32) {
    forget(window)
    sideDoors.gone(window)
  }

  /// A window of the bridge was destroyed or reparented by another program. If it was a door, the window behind it
  /// gets a new one.
  func lost(_ door: UInt32, at now: Instant) {
    guard x.isOwn(door), let top = doors.first(where: { $0.value == door })?.key else { return }
    XDestroyWindow(x.display, Window(door))
    doors[top] = nil
    reopening = ((reopening?.windows ?? []).union([top]), reopening?.at ?? now + Self.pause)
  }

  var nextDeadline: Instant? {
    .earliest(reopening?.at, .earliest(frontDoor.nextDeadline, sideDoors.nextDeadline))
  }

  func advance(to now: Instant) {
    frontDoor.advance(to: now)
    sideDoors.advance(to: now)
    guard let (windows, due) = reopening, due <= now else { return }
    reopening = nil
    for window in windows where has(window) && doors[window] == nil { open(window) }
  }

  /// Removes all properties and doors.
  func closeAll() { for window in Array(behind.keys) { close(window) } }
}
