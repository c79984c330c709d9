import Synchronization

/// The paths of other programs' files that this program has opened in place.
///
/// A program that has named such a file may at any time replace it, or one of its folders, by a link: to a file that
/// the program itself may not write, or to a file system that hangs. On these paths, therefore, links are not
/// followed. They contain none when the files are opened. A program's own paths are not restricted.
package enum ForeignPaths {
  private static let known = Mutex(PathsInUse(most: 1 << 14))

  /// Records a path; beyond the limit, the least recently used paths are removed.
  package static func note(_ path: String) { known.withLock { $0.note(path) } }

  /// Whether another program has named the path. Counts as a use.
  package static func contains(_ path: String) -> Bool { known.withLock { $0.use(path) } }
}

/// A limited set of paths, from which the least recently used are removed. Pure.
struct PathsInUse {
  private let most: Int
  /// The last use of each path.
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

  /// Whether the path is in the set.
  mutating func use(_ path: String) -> Bool {
    guard paths[path] != nil else { return false }
    uses += 1
    paths[path] = uses
    return true
  }
}
