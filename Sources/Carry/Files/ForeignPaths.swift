import Synchronization

/// The paths of other programs' files that this program has opened in place.
///
/// Whoever has named such a file may put a link in its place, or in that of a folder, at any time: to a file that it may not
/// write itself, or to a file system that never answers. So on these paths no link is followed. They have none when the files are
/// opened. A program's own paths are its own affair.
package enum ForeignPaths {
  private static let known = Mutex(PathsInUse(most: 1 << 14))

  /// Remembers a path, in the place of those that were not used for longest once there are too many.
  static func note(_ path: String) { known.withLock { $0.note(path) } }

  /// Whether another program has named it. That counts as a use.
  static func contains(_ path: String) -> Bool { known.withLock { $0.use(path) } }
}

/// So many paths, of which those that were not used for longest are forgotten. Pure.
struct PathsInUse {
  private let most: Int
  /// When each was used last.
  private var paths: [String: Int] = [:]
  private var uses = 0

  init(most: Int) { self.most = most }

  mutating func note(_ path: String) {
    uses += 1
    paths[path] = uses
    guard paths.count > most else { return }
    let median = paths.values.sorted()[most / 2]
    paths = paths.filter { $0.value > median }
  }

  /// Whether it is one of them.
  mutating func use(_ path: String) -> Bool {
    guard paths[path] != nil else { return false }
    uses += 1
    paths[path] = uses
    return true
  }
}
