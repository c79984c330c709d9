import CX11
import Carry
import CarryModel
import CarryXdnd

/// The windows of Carry's applications through which drags of other programs come in (docs/decisions/0033).
///
/// Properties on such a window say that it takes drops, and that a window of the bridge's own, its door, gets the messages.
/// A mark beside them tells a later bridge whose they are. Windows that take drops by themselves have side doors instead.
final class Entrances {
  private let x: XConnection
  /// The regions' windows behind each toplevel window.
  private var behind: [UInt32: Set<UInt32>] = [:]
  /// The toplevel windows, by the windows with regions behind them.
  private var tops: [UInt32: UInt32] = [:]
  /// The doors of toplevel windows. Each has its own: Chromium's messages name the door, and not the window behind it.
  private var doors: [UInt32: UInt32] = [:]
  let frontDoor: FrontDoor
  let sideDoors: SideDoors
  /// The requests by which the bridge has changed `XdndAware` of windows, and of which the X server has not reported the
  /// effect: their numbers.
  private var ownChanges: Set<UInt> = []
  /// The toplevel windows that get new doors, and when; nil while none does.
  private var reopening: (windows: Set<UInt32>, at: Instant)?
  /// The requests by which windows were last looked at. What is reported from before is known already.
  private var looks: [UInt32: UInt] = [:]

  /// Another program may destroy each new door at once.
  private static let pause = Interval.milliseconds(100)
  private static let mark = "CARRY_XDND_DOOR"
  private static let deepest = 16

  init(_ client: Client, _ x: XConnection) {
    self.x = x
    frontDoor = FrontDoor(x)
    sideDoors = SideDoors(client, x)
  }

  /// Whether the bridge has made the window one that takes drops.
  func has(_ window: UInt32) -> Bool { behind[window] != nil }

  /// The window that a message is about, which names it or a door of it.
  func window(named name: UInt32) -> UInt32? {
    if frontDoor.isNamed(name) { return frontDoor.entrance }
    return has(name) ? name : doors.first { $0.value == name && has($0.key) }?.key ?? sideDoors.window(behind: name)
  }

  /// A window has a region that takes drops, or has none any more.
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

  /// The outermost window of the same program: sources look no deeper.
  private func toplevel(of window: UInt32) -> UInt32 {
    var top = window
    for _ in 0..<Self.deepest {
      guard let parent = x.parent(of: top), parent != x.root, parent & ~x.idMask == window & ~x.idMask else { break }
      top = parent
    }
    return top
  }

  private func open(_ window: UInt32) {
    x.select(PropertyChangeMask | StructureNotifyMask, on: window)
    let isMarked = !x.words(window, Self.mark, most: 1).isEmpty
    // A toolkit takes drops there itself.
    guard isMarked || x.words(window, "XdndAware", most: 1).isEmpty else { return leaveToItself(window) }
    looks[window] = x.lastRequest
    let door = doors[window] ?? makeDoor()
    doors[window] = door
    x.setWords([door], Self.mark, of: window, type: Atom(XA_WINDOW))
    x.setWords([door], "XdndProxy", of: window, type: Atom(XA_WINDOW))
    x.setWords([5], "XdndAware", of: window, type: Atom(XA_ATOM))
    ownChanges.insert(x.lastRequest)
  }

  /// A window takes drops itself.
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

  /// Takes away what a bridge that died has left on a window.
  ///
  /// - Returns: whether there was anything.
  func repair(_ window: UInt32) -> Bool {
    guard !has(window), !x.words(window, Self.mark, most: 1).isEmpty else { return false }
    close(window)
    return true
  }

  /// `XdndAware` of a window has changed. If that was its own program, it takes drops itself from now on.
  ///
  /// - Parameter request: the newest request of the bridge's before the change.
  func changed(_ window: UInt32, after request: UInt) {
    let isOwn = ownChanges.contains(request)
    // What was deleted may not have been there, and is not reported then.
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

  /// A window of the bridge's own is gone, or another program has taken it into a window of its own: a window of somebody
  /// else's gets a new door if that was its door.
  func lost(_ door: UInt32, at now: Instant) {
    guard door & ~x.idMask == x.idBase, let top = doors.first(where: { $0.value == door })?.key else { return }
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

  /// Leaves nothing behind.
  func closeAll() { for window in Array(behind.keys) { close(window) } }
}
