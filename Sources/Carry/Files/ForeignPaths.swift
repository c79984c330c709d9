import Synchronization

/// The paths of other programs' files that this program has opened in place.
///
/// Whoever has named such a file may put a link in its place, or in that of a folder, at any time: to a file that it may not
/// write itself, or to a file system that never answers. So on these paths no link is followed. They have none when the files are
/// opened. A program's own paths are its own affair.
package enum ForeignPaths {
  private struct Known {
    var paths: Set<String> = []
    /// The oldest first.
    var order: [String] = []
  }

  private static let known = Mutex(Known())
  private static let most = 1 << 14

  /// Remembers a path, in the place of the oldest ones once there are too many.
  static func note(_ path: String) {
    known.withLock { known in
      guard known.paths.insert(path).inserted else { return }
      known.order.append(path)
      guard known.order.count > most else { return }
      for old in known.order.prefix(most / 2) { known.paths.remove(old) }
      known.order.removeFirst(most / 2)
    }
  }

  static func contains(_ path: String) -> Bool { known.withLock { $0.paths.contains(path) } }
}
