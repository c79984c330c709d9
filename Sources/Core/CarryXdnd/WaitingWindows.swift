/// A queue of windows to examine, each contained once, in order of arrival.
package struct WaitingWindows: Sendable {
  /// The waiting windows, with the parents of new ones.
  private var parents: [UInt32: UInt32?] = [:]
  /// May contain windows that no longer wait.
  private var line: [UInt32] = []
  private var head = 0

  package init() {}

  package var isEmpty: Bool { parents.isEmpty }
  /// The number of entries, including those that no longer wait.
  package var length: Int { line.count }

  package func contains(_ window: UInt32) -> Bool { parents[window] != nil }

  /// - Parameter parent: The parent of a new window; nil for a known window that has changed.
  package mutating func append(_ window: UInt32, newIn parent: UInt32?) {
    if let known = parents[window] {
      parents[window] = .some(parent ?? known)
      return
    }
    parents[window] = .some(parent)
    line.append(window)
  }

  /// Removes a destroyed window.
  package mutating func remove(_ window: UInt32) { if parents.removeValue(forKey: window) != nil { tidy() } }

  /// The window that has waited longest, and its parent if it is new.
  package mutating func next() -> (window: UInt32, parent: UInt32?)? {
    while head < line.count {
      let window = line[head]
      head += 1
      guard let parent = parents.removeValue(forKey: window) else { continue }
      tidy()
      return (window, parent)
    }
    return nil
  }

  /// Removes entries that no longer wait once they are the majority: windows may come and go for hours without a
  /// break.
  private mutating func tidy() {
    guard line.count > 64, line.count > 2 * parents.count else { return }
    var left = Set(parents.keys)
    line = line[head...].filter { left.remove($0) != nil }
    head = 0
  }
}
