import CarryModel

/// Tells whether the user aimed at the target under the finger, or whether the target came there by itself a moment
/// ago.
struct Aim: Equatable {
  /// When a target last came under the finger without a motion of the finger: a window was raised, moved or mapped.
  private var slidUnder: Instant?
  /// When any window last came under the finger while the engine was not looking for a target: before the source said
  /// who may see the session, and after the finger went up.
  private var changedUnseen: Instant?
  private var window: WindowID?
  private var released: Instant?

  /// The finger has moved over this window.
  mutating func fingerIs(over window: WindowID?) { self.window = window }

  /// Windows have changed, and this window is under the finger now.
  mutating func windowsChanged(under window: WindowID?, at now: Instant) {
    if window != self.window { changedUnseen = now }
    self.window = window
  }

  /// A target has come under the finger by itself.
  mutating func targetSlidUnder(at now: Instant) { slidUnder = now }

  /// The engine starts looking for targets. An earlier change of windows counts as if a target had slid there.
  mutating func startLooking() { slidUnder = changedUnseen }

  /// Another finger carries the stack, at a place that the user has chosen.
  mutating func fingerChanged() { slidUnder = nil }

  mutating func release(at now: Instant, over window: WindowID?) {
    released = now
    self.window = window
  }

  /// Whether a target slid under the finger so recently that the user cannot have aimed at it.
  func isTooFresh(at now: Instant, settling: Interval) -> Bool {
    slidUnder.map { $0 + settling > now } ?? false
  }

  /// Whether the window there has changed since the finger went up, or shortly before.
  func hasChangedSinceRelease(settling: Interval) -> Bool {
    guard let changedUnseen, let released else { return false }
    return changedUnseen + settling > released
  }
}
