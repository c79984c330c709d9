import CLinux
import CarryModel
import CarrySystem
import Synchronization

/// A folder for one load, which only this user can look into. It is gone when its owner lets go of it. Any thread.
///
/// It lies in `carry/loads` of the user's cache directory: on a disk, as large as loads may be, and where a file can be
/// moved on to the user's own folders without a copy. What programs that crashed have left there is removed after a day.
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

  /// What is looked at to make such a folder.
  static var examplePath: String { base + "/carry/loads/0" }

  /// How many folders are being removed.
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

  /// Waits until what was let go of is gone, at most so long: a program that ends at once would leave it behind.
  static func waitForRemovals(most: Interval) {
    let deadline = MonotonicClock.now() + most
    while leaving.load(ordering: .relaxed) > 0, MonotonicClock.now() < deadline { poll(nil, 0, 5) }
  }

  /// Removes the folders of programs that have ended, if nothing was made in them since yesterday.
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
  /// Waits, for a second at most, until copies that were made for a moment are gone. For programs that end.
  package func waitForRemovals() { TemporaryFolder.waitForRemovals(most: .seconds(1)) }
}
