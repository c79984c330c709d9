import CX11
import Carry
import CarryModel
import CarrySelections
import CarrySystem
import CarryXdnd

/// Doors before the drop regions of windows whose toolkits take drops of XDND themselves (docs/decisions/0033).
///
/// While another program drags, each such window has one, in the shape of what can be seen of its regions. Sources find the
/// door there, and the toolkit's own window everywhere else, so that the toolkit's drops go on working.
final class SideDoors {
  private final class Entrance {
    /// Where the windows with regions in it take drops.
    var places = DoorPlaces()
    let door: DoorWindow
    let program: WindowOwner
    /// Whether the drag under way is another program's.
    var isOpen = false

    init(_ door: DoorWindow, of program: WindowOwner) { (self.door, self.program) = (door, program) }
  }

  private let client: Client
  private let x: XConnection
  /// By the toplevel windows.
  private var entrances: [UInt32: Entrance] = [:]
  /// The toplevel windows, by the windows with regions in them: there may be thousands.
  private var tops: [UInt32: UInt32] = [:]
  /// The window that owns the selection while another program drags; nil while none does.
  private var source: UInt32?
  /// How many there have been.
  private var drags = 0
  /// When the engine is asked again where drops are taken, and it is looked where the windows are.
  private var asksAgain: Instant?
  /// When the doors are placed again, since windows have changed.
  private var placesAgain: Instant?
  /// The toplevel windows whose doors are placed then; those first that have waited longest.
  private var unplaced: [UInt32] = []
  /// Whether windows have changed since, and all doors that are open wait.
  private var allAreUnplaced = false
  /// Before then it is not looked what can be seen: there may be a thousand windows.
  private var restsUntil = Instant.zero

  private static let pause = Interval.milliseconds(100)
  /// Windows move many times in a row.
  private static let rest = Interval.milliseconds(20)
  /// After so long the doors that are left wait for what has come meanwhile: each may take as many answers of the X server
  /// as there are windows above it.
  private static let longestLook = Interval.milliseconds(5)
  /// More windows than that, or of one program, or more pieces of one, have no door.
  private static let mostOpen = 32
  private static let mostOfOneProgram = 8
  private static let mostParts = 256

  init(_ client: Client, _ x: XConnection) {
    (self.client, self.x) = (client, x)
    client.onDropPlaces = { [unowned self] window, places in learned(window, places) }
  }

  /// The toplevel window before which a door is.
  func window(behind door: UInt32) -> UInt32? { entrances.first { $0.value.door.window == door }?.key }

  // MARK: Windows

  /// A window takes drops itself, and has regions in these windows in it.
  func add(_ top: UInt32, regionsIn windows: Set<UInt32>) {
    let entrance = entrances[top] ?? Entrance(DoorWindow(x), of: x.owner(of: top))
    entrances[top] = entrance
    for window in windows {
      if let former = tops.updateValue(top, forKey: window), former != top { remove(window, from: former) }
      entrance.places.add(window)
    }
  }

  func isAround(_ window: UInt32) -> Bool { entrances[window] != nil }

  /// A window has no region any more.
  func remove(regionsIn window: UInt32) { if let top = tops.removeValue(forKey: window) { remove(window, from: top) } }

  private func remove(_ window: UInt32, from top: UInt32) {
    guard let entrance = entrances[top] else { return }
    entrance.places.remove(window)
    if entrance.places.isEmpty { forget(top) }
  }

  /// A window is gone.
  func gone(_ window: UInt32) {
    forget(window)
    if window == source { end() }
  }

  private func forget(_ top: UInt32) {
    guard let entrance = entrances.removeValue(forKey: top) else { return }
    for window in entrance.places.windows where tops[window] == top { tops[window] = nil }
    entrance.door.destroy()
  }

  // MARK: Drags

  /// Another program drags. Within its own windows its toolkit does so by itself.
  ///
  /// - Parameter source: the window that owns the selection.
  func begin(for source: UInt32, at now: Instant) {
    guard !entrances.isEmpty else { return }
    end()
    self.source = source
    let dragging = x.owner(of: source)
    let others = Dictionary(grouping: entrances.filter { $0.value.program != dragging }.keys) {
      entrances[$0]?.program
    }
    for top in DoorShares.windows(of: others, most: Self.mostOpen, mostOfOne: Self.mostOfOneProgram, turn: drags) {
      entrances[top]?.isOpen = true
    }
    drags = (drags + 1) % 1_000_000
    ask(at: now)
  }

  func end() {
    (source, asksAgain, placesAgain) = (nil, nil, nil)
    (unplaced, allAreUnplaced) = ([], false)
    for entrance in entrances.values {
      entrance.door.hide()
      entrance.isOpen = false
    }
  }

  private func ask(at now: Instant) {
    asksAgain = now + Self.pause
    for entrance in entrances.values where entrance.isOpen {
      for window in entrance.places.asked { client.findDropPlaces(of: window) }
    }
  }

  /// The engine's answer.
  private func learned(_ window: UInt32, _ places: [CarryModel.Rect]) {
    guard source != nil, let top = tops[window], let entrance = entrances[top], entrance.isOpen else { return }
    entrance.places.learn(places, in: window)
    if !unplaced.contains(top) { unplaced.append(top) }
    placesAgain = min(placesAgain ?? .distantFuture, MonotonicClock.now())
  }

  private func place(_ entrance: Entrance, _ top: UInt32, for source: UInt32) {
    let regions = entrance.places.places.flatMap { window, places -> [CarryModel.Rect] in
      guard !places.isEmpty, let origin = x.frame(of: window)?.origin else { return [] }
      return places.map { $0.offset(by: origin) }
    }
    guard !regions.isEmpty, let view = x.view(of: top, withoutPicturesOf: source) else { return entrance.door.hide() }
    let parts = view.parts.flatMap { part in regions.map { $0.intersection(part) } }.filter {
      $0.width >= 1 && $0.height >= 1
    }
    guard !parts.isEmpty, parts.count <= Self.mostParts else { return entrance.door.hide() }
    entrance.door.place(before: view, parts)
  }

  // MARK: Time

  /// Takes in an event of the X server's own.
  func take(_ event: XEvent, at now: Instant) {
    if let own = ownWindow(in: event), let top = window(behind: own) { entrances[top]?.door.take(event) }
    guard let source, !allAreUnplaced, x.mayUncover(event, draggedBy: source) else { return }
    allAreUnplaced = true
    placesAgain = placesAgain ?? now + Self.rest
  }

  /// The window that an event is about, if it is one of the bridge's: there may be thousands, and they move all the time.
  private func ownWindow(in event: XEvent) -> UInt32? {
    let window: CX11.Window
    switch event.type {
    case ReparentNotify: window = event.xreparent.window
    case ConfigureNotify: window = event.xconfigure.window
    case DestroyNotify: window = event.xdestroywindow.window
    default: return nil
    }
    let own = UInt32(truncatingIfNeeded: window)
    return own & ~x.idMask == x.idBase ? own : nil
  }

  var nextDeadline: Instant? { .earliest(asksAgain, placesAgain) }

  func advance(to now: Instant) {
    guard let source, let due = nextDeadline, due <= now else { return }
    if let asks = asksAgain, asks <= now { ask(at: now) }
    guard placesAgain.map({ $0 <= now }) == true else { return }
    placesAgain = nil
    guard now >= restsUntil else { return placesAgain = restsUntil }
    if allAreUnplaced {
      for (top, entrance) in entrances where entrance.isOpen && !unplaced.contains(top) { unplaced.append(top) }
      allAreUnplaced = false
    }
    let start = MonotonicClock.now()
    var end = start
    var placed = 0
    while placed < unplaced.count, end - start < Self.longestLook {
      let top = unplaced[placed]
      if let entrance = entrances[top], entrance.isOpen { place(entrance, top, for: source) }
      placed += 1
      end = MonotonicClock.now()
    }
    unplaced.removeFirst(placed)
    restsUntil = end + max(Self.rest, Interval(microseconds: (end - start).microseconds * 20))
    if !unplaced.isEmpty { placesAgain = restsUntil }
  }
}
