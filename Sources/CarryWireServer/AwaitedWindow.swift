import CarryModel
import CarrySystem

/// A window that does not exist yet, although a client has regions for it: the client told the engine before its request
/// to make the window reached the X server. The X server reports when the window exists, so waiting costs nothing.
struct AwaitedWindow {
  /// The regions in the order of their registration: the last region is on top.
  var regions: [RegionObject]
  let since: Instant
}

extension WireClient {
  /// Keeps a region until its window exists.
  ///
  /// - Returns: false when the client waits for too many windows already.
  func keep(_ region: RegionObject) -> Bool {
    guard awaited.count < Limits.awaitedWindowsPerClient else { return false }
    awaited[region.window] = AwaitedWindow(regions: [region], since: MonotonicClock.now())
    return true
  }

  /// Lets a region wait if other regions wait for the same window, without another question to the X server.
  func awaits(_ region: RegionObject) -> Bool {
    guard awaited[region.window] != nil else { return false }
    awaited[region.window]?.regions.append(region)
    return true
  }

  /// Raises a waiting region above the others that wait for its window.
  func raiseAwaited(_ region: RegionObject) {
    guard region.wishes != nil, let i = awaited[region.window]?.regions.firstIndex(where: { $0 === region }) else {
      return
    }
    awaited[region.window]?.regions.remove(at: i)
    awaited[region.window]?.regions.append(region)
  }

  func stopWaiting(_ region: RegionObject) {
    guard let i = awaited[region.window]?.regions.firstIndex(where: { $0 === region }) else { return }
    awaited[region.window]?.regions.remove(at: i)
    if awaited[region.window]?.regions.isEmpty == true { awaited[region.window] = nil }
  }

  /// The window exists now: registers its regions before any later request.
  func settleAwaited(_ window: WindowID) {
    guard let waiting = awaited.removeValue(forKey: window) else { return }
    unsettled.insert(contentsOf: waiting.regions.map { .region($0) }, at: 0)
    settle()
  }

  /// When waiting for the first window ends.
  var nextAwaited: Instant? {
    awaited.isEmpty ? nil : awaited.values.map { $0.since + .seconds(Limits.awaitedSeconds) }.min()
  }

  /// Refuses the regions whose windows did not come in time; all waiting regions where `now` is nil.
  func refuseAwaited(at now: Instant?) {
    guard !awaited.isEmpty else { return }
    for (window, waiting) in awaited {
      if let now, waiting.since + .seconds(Limits.awaitedSeconds) > now { continue }
      awaited[window] = nil
      // One question to the X server was for all these regions, so they count as one refusal.
      for (i, region) in waiting.regions.enumerated() {
        region.wishes = nil
        refuse(region, .notThere, costs: i == 0)
      }
    }
  }
}
