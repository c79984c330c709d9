/// Windows that wait to be asked about: each once, and in the order in which they came.
package struct WaitingWindows: Sendable {
  /// With the parents of those that are new.
  private var parents: [UInt32: UInt32?] = [:]
  /// One that waits no more may still be here.
  private var line: [UInt32] = []
  private var head = 0

  package init() {}

  package var isEmpty: Bool { parents.isEmpty }
  /// How many numbers are kept, of windows that wait and of others.
  package var length: Int { line.count }

  package func contains(_ window: UInt32) -> Bool { parents[window] != nil }

  /// - Parameter parent: of a window that is new there; nil for one that is known, and has changed.
  package mutating func append(_ window: UInt32, newIn parent: UInt32?) {
    if let known = parents[window] {
      parents[window] = .some(parent ?? known)
      return
    }
    parents[window] = .some(parent)
    line.append(window)
  }

  /// A window is gone.
  package mutating func remove(_ window: UInt32) { if parents.removeValue(forKey: window) != nil { tidy() } }

  /// The one that has waited longest, and the parent in which it is new.
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

  /// Forgets those that wait no more, once they are most of the line: windows may come and go for hours without an end.
  private mutating func tidy() {
    guard line.count > 64, line.count > 2 * parents.count else { return }
    var left = Set(parents.keys)
    line = line[head...].filter { left.remove($0) != nil }
    head = 0
  }
}
