import CX11
import CarryCompanion
import CarryModel
import CarrySelections
import CarrySystem
import CarryXdnd

/// Doors before the drop regions of windows whose toolkits accept XDND drops themselves (docs/decisions/0033).
///
/// While another program drags, each such window has a door in the shape of the visible parts of its regions. Sources
/// find the door there and the toolkit's window everywhere else, so that the toolkit's own drops keep working.
final class RegionOverlays {
  private final class Entrance {
    /// Where the inner windows with regions accept drops.
    var places = DoorPlaces()
    let door: OverlayWindow
    let program: WindowOwner
    /// Whether the drag under way is another program's.
    var isOpen = false

    init(_ door: OverlayWindow, of program: WindowOwner) { (self.door, self.program) = (door, program) }
  }

  private let engine: BridgeClient
  private let x: XConnection
  /// By toplevel window.
  private var entrances: [UInt32: Entrance] = [:]
  /// The toplevel windows, by the windows with regions inside them. There may be thousands.
  private var tops: [UInt32: UInt32] = [:]
  /// The selection owner's window while another program drags; nil otherwise.
  private var source: UInt32?
  /// When to ask the engine for the drop regions again, and the X server for the windows' positions.
  private var asksAgain: Instant?
  /// When to place the doors again after windows have changed.
  private var placesAgain: Instant?
  /// The toplevel windows whose doors are to be placed, the longest waiting first.
  private var unplaced: [UInt32] = []
  /// Whether windows have changed since, so that all open doors have to be placed.
  private var allAreUnplaced = false
  /// The earliest time for the next query of the visible area: there may be a thousand windows.
  private var restsUntil = Instant.zero

  private static let pause = Interval.milliseconds(100)
  /// Coalesces repeated moves of windows.
  private static let rest = Interval.milliseconds(20)
  /// After this time the remaining doors wait until new events have been handled: each may need as many replies of
  /// the X server as there are windows above it.
  private static let longestLook = Interval.milliseconds(5)
  /// Upper bounds: of open doors, of doors per program, and of pieces per door.
  private static let maxOpen = 32
  private static let maxOfOneProgram = 8
  private static let maxParts = 256

  init(_ engine: BridgeClient, _ x: XConnection) {
    (self.engine, self.x) = (engine, x)
    engine.onDropPlaces = { [unowned self] window, places in learned(window, places) }
  }

  /// The toplevel window behind a door.
  func window(behind door: UInt32) -> UInt32? { entrances.first { $0.value.door.window == door }?.key }

  // MARK: Windows

  /// Adds a window that accepts drops itself, with regions in these inner windows.
  func add(_ top: UInt32, regionsIn windows: Set<UInt32>) {
    let entrance = entrances[top] ?? Entrance(OverlayWindow(x), of: x.owner(of: top))
    entrances[top] = entrance
    for window in windows {
      if let former = tops.updateValue(top, forKey: window), former != top { remove(window, from: former) }
      entrance.places.add(window)
    }
  }

  func isAround(_ window: UInt32) -> Bool { entrances[window] != nil }

  /// A window has lost its last region.
  func remove(regionsIn window: UInt32) { if let top = tops.removeValue(forKey: window) { remove(window, from: top) } }

  private func remove(_ window: UInt32, from top: UInt32) {
    guard let entrance = entrances[top] else { return }
    entrance.places.remove(window)
    if entrance.places.isEmpty { forget(top) }
  }

  /// A window was destroyed.
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

  /// Opens the doors for another program's drag, except before its own windows, where its toolkit handles the drag.
  ///
  /// - Parameter source: The selection owner's window.
  func begin(for source: UInt32, at now: Instant) {
    guard !entrances.isEmpty else { return }
    end()
    self.source = source
    let dragging = x.owner(of: source)
    let others = Dictionary(grouping: entrances.filter { $0.value.program != dragging }.keys) {
      entrances[$0]?.program
    }
    for top in others.values.flatMap({ $0.prefix(Self.maxOfOneProgram) }).prefix(Self.maxOpen) {
      entrances[top]?.isOpen = true
    }
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
      for window in entrance.places.asked { engine.findDropPlaces(of: window) }
    }
  }

  /// Handles the engine's reply.
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
    guard !parts.isEmpty, parts.count <= Self.maxParts else { return entrance.door.hide() }
    entrance.door.place(before: view, parts)
  }

  // MARK: Time

  /// Handles an event sent by the X server itself.
  func handle(_ event: XEvent, at now: Instant) {
    if let own = ownWindow(in: event), let top = window(behind: own) { entrances[top]?.door.handle(event) }
    guard let source, !allAreUnplaced, x.mayUncover(event, draggedBy: source) else { return }
    allAreUnplaced = true
    placesAgain = placesAgain ?? now + Self.rest
  }

  /// The bridge's window that an event is about, if any. The check comes first because thousands of windows may move
  /// all the time.
  private func ownWindow(in event: XEvent) -> UInt32? {
    let window: CX11.Window
    switch event.type {
    case ReparentNotify: window = event.xreparent.window
    case ConfigureNotify: window = event.xconfigure.window
    case DestroyNotify: window = event.xdestroywindow.window
    default: return nil
    }
    let own = UInt32(truncatingIfNeeded: window)
    return x.isOwn(own) ? own : nil
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
    restsUntil = end + max(Self.rest, (end - start).rest)
    if !unplaced.isEmpty { placesAgain = restsUntil }
  }
}
