import CLinux
import CarryModel
import CarrySystem
import Synchronization

/// A folder for one load, accessible only to this user. It is removed when it is released. Callable from any thread.
///
/// It is in `carry/loads` of the user's cache directory: on a disk, with room for large loads, and on a file system
/// where files can usually be moved to the user's own folders without a copy. What programs that have ended left there is
/// removed after ten minutes. A folder stays in which another program has written something: somebody has edited the
/// copy, and the original does not have it.
final class TemporaryFolder: Sendable {
  let folder: SaveFolder
  private let parent: SaveFolder
  private let name: String

  /// - Parameter isWrittenByOthers: whether another program puts the file there; it is removed like any copy.
  init(isWrittenByOthers: Bool = false) throws(SystemError) {
    guard var path = Self.base else {
      throw SystemError(code: ENOENT, call: "mkdir", subject: "the user's cache directory: HOME is not set")
    }
    for part in ["", "/carry", "/loads"] {
      path += part
      if mkdir(path, 0o700) != 0, clinux_errno() != EEXIST { throw SystemError.last("mkdir", path) }
    }
    parent = try SaveFolder(path)
    Self.sweep(path, parent)
    name = "\(getpid())-\(String(UInt64.random(in: 0 ... .max), radix: 16))\(isWrittenByOthers ? Self.others : "")"
    let own = "\(path)/\(name)"
    try check("mkdir", path) { mkdir(own, 0o700) }
    folder = try SaveFolder(own)
  }

  /// Nil if the user has no home directory: another user could swap a folder in a directory of everybody's.
  /// Ends the names of folders in which another program puts the file.
  private static let others = "-saved"

  private static var base: String? {
    environment("XDG_CACHE_HOME") ?? environment("HOME").map { "\($0)/.cache" }
  }

  /// A path that is accessed to create such a folder.
  static var examplePath: String { (base ?? "") + "/carry/loads/0" }

  /// The folder itself, and the one with all such folders.
  func places() throws(SystemError) -> [stat] { [try folder.status(), try parent.status()] }

  /// The number of folders being removed.
  private static let leaving = Atomic<Int>(0)

  deinit {
    let (folder, parent, name) = (folder, parent, name)
    // Removing many files takes a while.
    Self.leaving.add(1, ordering: .relaxed)
    let remove: @Sendable () -> Void = {
      Self.remove(folder.path, name, in: parent)
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

  private static func remove(_ path: String, _ name: String, in parent: SaveFolder) {
    guard !isEdited(path) else {
      return Log.notice("\(path) stays: a program has changed the copy in it, and the original is as it was")
    }
    parent.remove(name)
  }

  /// Whether a program has written to something in a folder.
  ///
  /// The folder's own time is that of the moment when the copy was complete and got its name. A file of the copy was
  /// made and written before; one that an editor has put in its place was made later than the folder.
  static func isEdited(_ path: String) -> Bool {
    guard !path.hasSuffix(others), let folder = try? Descriptor.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW) else {
      return false
    }
    var status = stat()
    guard fstat(folder.raw, &status) == 0 else { return false }
    let made = clinux_birth(folder.raw, "")
    return isEdited(folder, madeBy: made == 0 ? .max : made + 1_000_000_000, since: nanoseconds(status.st_mtim))
  }

  private static func isEdited(_ folder: consuming Descriptor, madeBy latest: Int64, since complete: Int64) -> Bool {
    let raw = folder.raw
    var isEdited = false
    try? FolderEntry.each(of: folder) { entry in
      guard !isEdited else { return }
      let born = clinux_birth(raw, entry.name.bytes)
      switch entry.kind {
      case .file: isEdited = nanoseconds(entry.modified) > complete || born > min(latest, complete)
      case .folder:
        if let inner = try entry.open(in: raw) {
          isEdited = Self.isEdited(inner, madeBy: .max, since: complete)
        }
      case .link, .other: break
      }
    }
    return isEdited
  }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Removes what programs that have ended have left, after the time for which a running program keeps its copies.
  private static func sweep(_ path: String, _ parent: SaveFolder) {
    let latest = time(nil) - 600
    for name in Files.list(path) {
      guard let pid = pid_t(name.prefix { $0 != "-" }), kill(pid, 0) != 0, clinux_errno() == ESRCH else { continue }
      var status = stat()
      guard lstat("\(path)/\(name)", &status) == 0, status.st_mtim.tv_sec < latest else { continue }
      if !isEdited("\(path)/\(name)") { parent.remove(name) }
    }
  }
}

extension Client {
  /// Waits at most a second until temporary copies are removed. For programs about to exit.
  package func waitForRemovals() { TemporaryFolder.waitForRemovals(most: .seconds(1)) }
}
