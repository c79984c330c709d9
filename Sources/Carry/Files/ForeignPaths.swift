import Synchronization

/// The paths of other programs' files that this program has opened in place.
///
/// Whoever has named such a file may put a link in its place, or in that of a folder, at any time: to a file that it may not
/// write itself, or to a file system that never answers. So on these paths no link is followed. They have none when the files are
/// opened. A program's own paths are its own affair.
package enum ForeignPaths {
  private struct Known {
    /// The paths, and when each was used last.
    var paths: [String: Int] = [:]
    var uses = 0

    mutating func use(_ path: String) {
      uses += 1
      paths[path] = uses
    }
  }

  private static let known = Mutex(Known())
  private static let most = 1 << 14

  /// Remembers a path, in the place of those that were not used for longest once there are too many.
  static func note(_ path: String) {
    known.withLock { known in
      known.use(path)
      guard known.paths.count > most else { return }
      let median = known.paths.values.sorted()[most / 2]
      known.paths = known.paths.filter { $0.value > median }
    }
  }

  /// Whether another program has named it. That counts as a use.
  static func contains(_ path: String) -> Bool {
    known.withLock { known in
      guard known.paths[path] != nil else { return false }
      known.use(path)
      return true
    }
  }
}
