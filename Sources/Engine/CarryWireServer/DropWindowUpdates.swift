import CarryModel

/// Pending reports to the bridge about windows with drop regions, a few at a time: the bridge makes several queries
/// to the X server for each, and an application may have thousands of windows and change them endlessly. Pure.
struct DropWindowUpdates {
  /// The windows reported to the bridge.
  private(set) var told: Set<WindowID> = []
  private var wanted: Set<WindowID> = []
  /// The changed windows, the longest waiting first. A change that was undone meanwhile is not reported.
  private var line: [WindowID] = []
  private var head = 0
  private var isInLine: Set<WindowID> = []
  private var restsUntil = Instant.zero
  /// When to send the next reports; nil if the bridge is up to date.
  private(set) var due: Instant?

  static let most = 16
  static let pause = Interval.milliseconds(20)

  /// Sets the current windows.
  mutating func want(_ windows: Set<WindowID>, at now: Instant) {
    guard windows != wanted else { return }
    for window in windows.symmetricDifference(wanted) where isInLine.insert(window).inserted { line.append(window) }
    wanted = windows
    if due == nil { due = max(now, restsUntil) }
  }

  /// What to report now, and whether each of these windows has regions.
  mutating func take(at now: Instant) -> [(window: WindowID, hasRegions: Bool)] {
    var news: [(window: WindowID, hasRegions: Bool)] = []
    while head < line.count, news.count < Self.most {
      let window = line[head]
      head += 1
      isInLine.remove(window)
      let hasRegions = wanted.contains(window)
      guard hasRegions != told.contains(window) else { continue }
      if hasRegions { told.insert(window) } else { told.remove(window) }
      news.append((window, hasRegions))
    }
    if head == line.count || head > 1024 {
      line.removeFirst(head)
      head = 0
    }
    restsUntil = now + Self.pause
    due = line.isEmpty ? nil : restsUntil
    return news
  }

  /// The bridge is behind with reading.
  mutating func wait(at now: Instant) { due = now + Self.pause }
}
