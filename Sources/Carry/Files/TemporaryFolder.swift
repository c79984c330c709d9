import CLinux
import CarryModel
import CarrySystem
import Synchronization

/// A folder for one load, accessible only to this user. It is removed when it is released. Callable from any thread.
///
/// It is in `carry/loads` of the user's cache directory: on a disk, with room for large loads, and on a file system
/// where files can usually be moved to the user's own folders without a copy. Folders of crashed programs are removed
/// after a day.
final class TemporaryFolder: Sendable {
  let folder: SaveFolder
  private let parent: SaveFolder
  private let name: String

  init() throws(SystemError) {
    var path = Self.base
    for part in ["", "/carry", "/loads"] {
      path += part
      if mkdir(path, 0o700) != 0, clinux_errno() != EEXIST { throw SystemError.last("mkdir", path) }
    }
    parent = try SaveFolder(path)
    Self.sweep(path, parent)
    name = "\(getpid())-\(String(UInt64.random(in: 0 ... .max), radix: 16))"
    let own = "\(path)/\(name)"
    try check("mkdir", path) { mkdir(own, 0o700) }
    folder = try SaveFolder(own)
  }

  private static var base: String {
    environment("XDG_CACHE_HOME") ?? environment("HOME").map { "\($0)/.cache" } ?? "/tmp"
  }

  /// A path that is accessed to create such a folder.
  static var examplePath: String { base + "/carry/loads/0" }

  /// The number of folders being removed.
  private static let leaving = Atomic<Int>(0)

  deinit {
    let (parent, name) = (parent, name)
    // Removing many files takes a while.
    Self.leaving.add(1, ordering: .relaxed)
    let remove: @Sendable () -> Void = {
      parent.remove(name)
      Self.leaving.subtract(1, ordering: .relaxed)
    }
    do { try Worker.start(remove) } catch { remove() }
  }

  /// Waits until released folders are removed, with a time limit: a program that exits at once would leave them
  /// behind.
  static func waitForRemovals(most: Interval) {
    let deadline = MonotonicClock.now() + most
    while leaving.load(ordering: .relaxed) > 0, MonotonicClock.now() < deadline { poll(nil, 0, 5) }
  }

  /// Removes the folders of programs that have ended, if nothing was created in them for a day.
  private static func sweep(_ path: String, _ parent: SaveFolder) {
    let yesterday = time(nil) - 24 * 3600
    for name in Files.list(path) {
      guard let pid = pid_t(name.prefix { $0 != "-" }), kill(pid, 0) != 0, clinux_errno() == ESRCH else { continue }
      var status = stat()
      guard lstat("\(path)/\(name)", &status) == 0, status.st_mtim.tv_sec < yesterday else { continue }
      parent.remove(name)
    }
  }
}

extension Client {
  /// Waits at most a second until temporary copies are removed. For programs about to exit.
  package func waitForRemovals() { TemporaryFolder.waitForRemovals(most: .seconds(1)) }
}
