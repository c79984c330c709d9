import CarryModel
import CarrySystem

/// A window that does not exist yet, although a client has regions for it: the client's message to the engine was
/// faster than its request to the X server. The X server reports when the window exists, so waiting costs nothing.
struct AwaitedWindow {
  private var regions: [ObjectIdentifier: (region: RegionObject, place: Int)] = [:]
  private var places = 0
  let since = MonotonicClock.now()

  var isEmpty: Bool { regions.isEmpty }

  /// In order of registration, except for raised regions: the last one is topmost.
  var inOrder: [RegionObject] { regions.values.sorted { $0.place < $1.place }.map(\.region) }

  /// Moves a region above the others.
  mutating func putOnTop(_ region: RegionObject) {
    places += 1
    regions[ObjectIdentifier(region)] = (region, places)
  }

  mutating func remove(_ region: RegionObject) { regions[ObjectIdentifier(region)] = nil }

  func contains(_ region: RegionObject) -> Bool { regions[ObjectIdentifier(region)] != nil }
}

extension WireClient {
  /// Keeps a region until its window exists.
  ///
  /// - Returns: False if the client already waits for too many windows.
  func keep(_ region: RegionObject) -> Bool {
    // The bridge has a region in the window of every program, also while the engine is behind with a thousand windows.
    guard awaited.count < (companion == .bridge ? Limits.regionsPerClient : Limits.awaitedWindowsPerClient) else {
      return false
    }
    awaited[region.window, default: AwaitedWindow()].putOnTop(region)
    return true
  }

  /// Adds a region to others that wait for the same window, without another query to the X server.
  func awaits(_ region: RegionObject) -> Bool {
    guard awaited[region.window] != nil else { return false }
    awaited[region.window]?.putOnTop(region)
    return true
  }

  /// Raises a waiting region above the others that wait for its window.
  func raiseAwaited(_ region: RegionObject) {
    guard region.isWaiting, awaited[region.window]?.contains(region) == true else { return }
    awaited[region.window]?.putOnTop(region)
  }

  func stopWaiting(_ region: RegionObject) {
    awaited[region.window]?.remove(region)
    if awaited[region.window]?.isEmpty == true { awaited[region.window] = nil }
  }

  /// The window exists now: registers its regions before any later request.
  func settleAwaited(_ window: WindowID) {
    guard let waiting = awaited.removeValue(forKey: window) else { return }
    unsettled.insert(contentsOf: waiting.inOrder.map { .region($0) }, at: 0)
    settle()
  }

  /// When waiting for the first window ends.
  var nextAwaited: Instant? {
    awaited.isEmpty ? nil : awaited.values.map { $0.since + .seconds(Limits.awaitedSeconds) }.min()
  }

  /// Refuses the regions whose windows did not appear in time; all waiting regions if `now` is nil.
  func refuseAwaited(at now: Instant?) {
    guard !awaited.isEmpty else { return }
    for (window, waiting) in awaited {
      if let now, waiting.since + .seconds(Limits.awaitedSeconds) > now { continue }
      awaited[window] = nil
      // All these regions shared one query to the X server, so they count as one refusal.
      for (i, region) in waiting.inOrder.enumerated() {
        region.state = .over
        refuse(region, .notThere, costs: i == 0)
      }
    }
  }
}
