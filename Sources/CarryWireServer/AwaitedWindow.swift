import CarryModel
import CarrySystem

/// A window that is not there yet, though a client has regions for it: it has made it, and not sent that to the X server
/// before it told the engine. The X server says when it comes, so waiting costs nothing.
struct AwaitedWindow {
  /// In the order in which they are registered: the last one is on top.
  var regions: [RegionObject]
  let since: Instant
}

extension WireClient {
  /// Keeps a region until its window is there.
  ///
  /// - Returns: false when the client waits for too many windows already.
  func keep(_ region: RegionObject) -> Bool {
    guard awaited.count < Limits.awaitedWindowsPerClient else { return false }
    awaited[region.window] = AwaitedWindow(regions: [region], since: MonotonicClock.now())
    return true
  }

  /// Has a region wait along with others for the same window, without another question to the X server.
  func awaits(_ region: RegionObject) -> Bool {
    guard awaited[region.window] != nil else { return false }
    awaited[region.window]?.regions.append(region)
    return true
  }

  /// A region that waits comes above the others that wait with it.
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

  /// The window is there: its regions are looked at before all that was asked for later.
  func settleAwaited(_ window: WindowID) {
    guard let waiting = awaited.removeValue(forKey: window) else { return }
    unsettled.insert(contentsOf: waiting.regions.map { .region($0) }, at: 0)
    settle()
  }

  /// When the first window has been waited for long enough.
  var nextAwaited: Instant? {
    awaited.isEmpty ? nil : awaited.values.map { $0.since + .seconds(Limits.awaitedSeconds) }.min()
  }

  /// Gives up the windows that have been waited for long enough; all of them where no time is given.
  func refuseAwaited(at now: Instant?) {
    guard !awaited.isEmpty else { return }
    for (window, waiting) in awaited {
      if let now, waiting.since + .seconds(Limits.awaitedSeconds) > now { continue }
      awaited[window] = nil
      // The X server was asked once for all of them.
      for (i, region) in waiting.regions.enumerated() {
        region.wishes = nil
        refuse(region, .notThere, costs: i == 0)
      }
    }
  }
}
