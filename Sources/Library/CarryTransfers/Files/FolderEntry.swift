import CLinux
import CarryModel
import CarrySystem

/// An entry of a folder. Links are treated as such, and never followed.
struct FolderEntry {
  package enum Kind {
    case file
    case folder
    case link
    /// A device, a pipe or a socket, which cannot be copied.
    case other
  }

  let name: FileName
  package let kind: Kind
  let mode: UInt32
  let modified: timespec
  /// When its content, name or status changed last, by the kernel's clock.
  let changed: timespec

  /// Deeper folders are refused: each level needs a descriptor, and two in a copy.
  static let deepest = 200

  /// Opens a file description of its own for a folder, since another program may be reading names from the original.
  static func reopen(_ folder: CInt) throws -> Descriptor {
    Descriptor(owning: try check("open") { clinux_openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0) })
  }

  /// Calls `body` for each entry of a folder that is not open elsewhere, in the file system's order. `body` may use
  /// the folder's descriptor; it is closed afterwards.
  static func each(of opened: consuming Descriptor, _ body: (FolderEntry) throws -> Void) throws {
    guard let directory = fdopendir(opened.raw) else { throw SystemError.last("fdopendir") }
    let folder = opened.release()
    defer { closedir(directory) }
    while let found = clinux_next_name(directory) {
      let name = FileName(found)
      if name.isFolderItselfOrParent { continue }
      var status = stat()
      guard fstatat(folder, name.bytes, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
        // The entry may be gone. Any other error must not pass for an empty folder: the source of a move deletes its
        // data.
        if clinux_errno() == ENOENT { continue }
        throw LoadError(.local, "\(name.displayable): \(String(cString: strerror(clinux_errno())))")
      }
      let kind: Kind =
        switch status.st_mode & UInt32(S_IFMT) {
        case UInt32(S_IFREG): .file
        case UInt32(S_IFDIR): .folder
        case UInt32(S_IFLNK): .link
        default: .other
        }
      try body(
        FolderEntry(
          name: name, kind: kind, mode: status.st_mode, modified: status.st_mtim,
          changed: status.st_ctim))
    }
    let reason = clinux_errno()
    if reason != 0 { throw SystemError(code: reason, call: "readdir") }
  }

  /// Opens the file or folder for reading.
  ///
  /// - Returns: nil if it has been replaced by something else.
  func open(in folder: CInt) throws -> Descriptor? {
    let flags = O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC | (kind == .folder ? O_DIRECTORY : 0)
    let fd = clinux_openat(folder, name.bytes, flags, 0)
    guard fd >= 0 else {
      if clinux_errno() == ENOENT || clinux_errno() == ELOOP || clinux_errno() == ENOTDIR { return nil }
      throw LoadError(.local, "\(name.displayable): \(String(cString: strerror(clinux_errno())))")
    }
    let opened = Descriptor(owning: fd)
    guard PassedDescriptor.isSafe(fd, kind == .folder ? .folder : .file) else { return nil }
    return opened
  }

  /// The target of the link, if that is inside its own folder; nil for a link that points elsewhere, or no longer
  /// exists.
  ///
  /// A link must go up before it goes down: a name on its way may be a link itself, and going up from there may lead
  /// anywhere.
  func target(in folder: CInt, depth: Int) -> FileName? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let n = readlinkat(folder, name.bytes, &bytes, bytes.count - 1)
    guard n > 0, n < bytes.count - 1, bytes[0] != 47 else { return nil }
    var level = depth
    var goesDown = false
    for part in bytes[..<n].split(separator: 47) {
      switch Array(part) {
      case [46]: break
      case [46, 46]:
        guard !goesDown, level > 0 else { return nil }
        level -= 1
      default: goesDown = true
      }
    }
    return FileName(&bytes)
  }
}
