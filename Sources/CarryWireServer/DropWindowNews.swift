import CarryModel

/// What the bridge is still to be told of the windows with drop regions, a few at a time: it asks the X server several
/// questions about each, and an application may have thousands of windows, and change them without end. Pure.
struct DropWindowNews {
  /// What the bridge has been told.
  private(set) var told: Set<WindowID> = []
  private var wanted: Set<WindowID> = []
  /// The windows that have changed, those first that have waited longest. What changes back meanwhile is no news.
  private var line: [WindowID] = []
  private var head = 0
  private var isInLine: Set<WindowID> = []
  private var restsUntil = Instant.zero
  /// When the next ones are told; nil while the bridge knows all.
  private(set) var due: Instant?

  static let most = 16
  static let pause = Interval.milliseconds(20)

  /// These are the windows now.
  mutating func want(_ windows: Set<WindowID>, at now: Instant) {
    guard windows != wanted else { return }
    for window in windows.symmetricDifference(wanted) where isInLine.insert(window).inserted { line.append(window) }
    wanted = windows
    if due == nil { due = max(now, restsUntil) }
  }

  /// What to tell now, and whether each of these windows has regions.
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

  /// The bridge does not read what it has been told.
  mutating func wait(at now: Instant) { due = now + Self.pause }
}
