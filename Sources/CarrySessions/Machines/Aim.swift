import CarryModel

/// T21: whether what lies under a finger is what the user saw there, or has come there by itself a moment ago.
struct Aim: Equatable {
  /// When a target last came under the finger without the finger's going there: a window was raised, moved or mapped.
  private var slidUnder: Instant?
  /// The same of any window, while no target is looked for: before the source said who may see the session, and after
  /// the finger went up.
  private var changedUnseen: Instant?
  private var window: WindowID?
  private var released: Instant?

  /// The finger is over this window by its own doing.
  mutating func fingerIs(over window: WindowID?) { self.window = window }

  /// Windows have changed, and this is the one under the finger now.
  mutating func windowsChanged(under window: WindowID?, at now: Instant) {
    if window != self.window { changedUnseen = now }
    self.window = window
  }

  /// A target has come under the finger by itself.
  mutating func targetSlidUnder(at now: Instant) { slidUnder = now }

  /// Targets are looked for from now on: what changed before counts as if one had slid there.
  mutating func startLooking() { slidUnder = changedUnseen }

  /// Another finger carries it, and is where the user has put it.
  mutating func fingerChanged() { slidUnder = nil }

  mutating func release(at now: Instant, over window: WindowID?) {
    released = now
    self.window = window
  }

  /// Whether a target has slid there so lately that nobody can have aimed at it.
  func isTooFresh(at now: Instant, settling: Interval) -> Bool {
    slidUnder.map { $0 + settling > now } ?? false
  }

  /// Whether something has changed there since the finger went up, or a moment before.
  func hasChangedSinceRelease(settling: Interval) -> Bool {
    guard let changedUnseen, let released else { return false }
    return changedUnseen + settling > released
  }
}
