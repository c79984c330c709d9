import CLinux
package import CarryModel
package import CarrySystem
import Synchronization

/// A folder for copies, accessible only to this user. It is removed when it is released. Callable from any thread.
///
/// It is in `carry/loads` of the user's cache directory: on a disk, with room for large loads, and on a file system
/// where files can usually be moved to the user's own folders without a copy. What programs that have ended left there is
/// removed after ten minutes. A folder with sealed copies in which another program has changed or added something stays:
/// somebody has edited a copy, and the original does not have that.
package final class TemporaryFolder: Sendable {
  package let folder: SaveFolder
  private let parent: SaveFolder
  private let name: String

  package init() throws(SystemError) {
    guard var path = Self.base else {
      throw SystemError(code: ENOENT, call: "mkdir", subject: "the user's cache directory: HOME is not set")
    }
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

  /// Nil if the user has no home directory: another user could swap a folder in a directory of everybody's.
  private static var base: String? {
    environment("XDG_CACHE_HOME") ?? environment("HOME").map { "\($0)/.cache" }
  }

  /// A path that is accessed to create such a folder.
  package static var examplePath: String { (base ?? "") + "/carry/loads/0" }

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
  package static func waitForRemovals(most: Interval) {
    let deadline = MonotonicClock.now() + most
    while leaving.load(ordering: .relaxed) > 0, MonotonicClock.now() < deadline { poll(nil, 0, 5) }
  }

  /// Ends the name of the folder of the seals, which lies beside this one and has a file for each copy. Nobody but this
  /// class touches it, so a seal's time is that of the complete copy.
  private static let seal = ".sealed"

  /// Says that the copy with this name is complete, before another program gets its path.
  func seal(_ name: String) throws(SystemError) {
    let seals = folder.path + Self.seal
    if mkdir(seals, 0o700) != 0, clinux_errno() != EEXIST { throw SystemError.last("mkdir", seals) }
    _ = try Descriptor.open("\(seals)/\(name)", O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
  }

  private static func remove(_ path: String, _ name: String, in parent: SaveFolder) {
    guard !isEdited(path) else {
      return Log.notice("\(path) stays: a program has changed the copy in it, and the original is as it was")
    }
    parent.remove(name)
    parent.remove(name + seal)
  }

  /// Whether another program has changed or added something since the copies were sealed. If that cannot be found out,
  /// it may have.
  static func isEdited(_ path: String) -> Bool {
    var status = stat()
    // Without a seal nobody has got a path.
    guard lstat(path + seal, &status) == 0 else { return clinux_errno() != ENOENT }
    do {
      let seals = try Descriptor.open(path + seal, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
      let raw = seals.raw
      return try contains(Descriptor.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW), depth: 0) { entry in
        var sealed = stat()
        return fstatat(raw, entry.name.bytes, &sealed, AT_SYMLINK_NOFOLLOW) == 0 ? sealed.st_ctim : nil
      }
    } catch let error as SystemError {
      return error.code != ENOENT
    } catch { return true }
  }

  /// Whether a folder contains something that was added, or changed later than its seal. The time of the last change of
  /// a file's content, name or status is the kernel's: no program sets it.
  ///
  /// - Parameter sealed: returns when an entry was sealed; nil if it was not.
  private static func contains(
    _ folder: consuming Descriptor, depth: Int, changedSince sealed: (FolderEntry) -> timespec?
  ) throws -> Bool {
    let raw = folder.raw
    var isEdited = depth > FolderEntry.deepest
    try FolderEntry.each(of: folder) { entry in
      guard !isEdited else { return }
      if SaveFolder.isIncomplete(entry.name) { return }
      guard let time = sealed(entry) else { return isEdited = true }
      isEdited = (entry.changed.tv_sec, entry.changed.tv_nsec) > (time.tv_sec, time.tv_nsec)
      guard !isEdited, entry.kind == .folder else { return }
      guard let inner = try entry.open(in: raw) else { return isEdited = true }
      isEdited = try contains(inner, depth: depth + 1) { _ in time }
    }
    return isEdited
  }

  /// Removes what programs that have ended have left, after the time for which a running program keeps its copies.
  private static func sweep(_ path: String, _ parent: SaveFolder) {
    let latest = time(nil) - 600
    for name in Files.list(path) {
      guard let pid = pid_t(name.prefix { $0 != "-" }), kill(pid, 0) != 0, clinux_errno() == ESRCH else { continue }
      var status = stat()
      guard lstat("\(path)/\(name)", &status) == 0, status.st_mtim.tv_sec < latest else { continue }
      // A seal goes with its folder, or alone if that is gone.
      let folder = name.hasSuffix(seal) ? String(name.dropLast(seal.utf8.count)) : name
      if !isEdited("\(path)/\(folder)") { for part in [folder, folder + seal] { parent.remove(part) } }
    }
  }
}

/// The folder for the copies of one drop: archivers and viewers expect the files of a drag side by side. Copies whose
/// name is taken get folders of their own. Callable from any thread.
package final class DropFolder: Sendable {
  private struct State {
    package weak var folder: TemporaryFolder?
    var names: Set<String> = []
  }

  private let state = Mutex(State())

  package init() {}

  /// The folder for a copy with this name.
  func place(for name: String) throws(SystemError) -> TemporaryFolder {
    try state.withLock { state throws(SystemError) in
      if let folder = state.folder { return state.names.insert(name).inserted ? folder : try TemporaryFolder() }
      let new = try TemporaryFolder()
      (state.folder, state.names) = (new, [name])
      return new
    }
  }
}
