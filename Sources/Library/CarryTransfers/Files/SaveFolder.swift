import CLinux
import CarryModel
package import CarrySystem

/// Writes saved data to the disk. Each function returns 0, or -1 with errno set.
package struct DiskSync: Sendable {
  /// Syncs a file, or the names in a directory. See fsync(2).
  package var file: @Sendable (CInt) -> CInt = { fsync($0) }
  /// Syncs all data written to a descriptor's file system. See syncfs(2).
  package var fileSystem: @Sendable (CInt) -> CInt = { clinux_sync_file_system($0) }

  package init() {}

  /// Some file systems, such as read-only ones, do not support it and have nothing to sync.
  fileprivate static func check(_ result: CInt, _ call: String, _ path: String) throws(SystemError) {
    guard result != 0, clinux_errno() != EINVAL else { return }
    throw SystemError.last(call, path)
  }
}

/// A directory that loads are saved to. Saved data appears under its name only when it is complete. Callable from any
/// thread.
package final class SaveFolder: Sendable {
  package let path: String
  private let directory: Descriptor
  private let sync: DiskSync

  package init(_ path: String, sync: DiskSync = DiskSync()) throws(SystemError) {
    self.path = path
    self.sync = sync
    directory = try Descriptor.open(path, O_RDONLY | O_DIRECTORY)
  }

  /// Opens a directory that another program has named.
  ///
  /// Any program can name one, and files in hidden folders may be read or executed automatically. Hidden directories
  /// are therefore refused, even if reached through a symbolic link.
  package convenience init(notHidden path: String) throws(SystemError) {
    try self.init(path)
    guard let place = Files.link("/proc/self/fd/\(directory.raw)"), !Self.isHidden(place) else {
      throw SystemError(code: EACCES, call: "open", subject: path)
    }
  }

  /// Whether a directory is hidden, or inside a hidden one, according to its path.
  package static func isHidden(_ path: some StringProtocol) -> Bool {
    path.split(separator: "/").contains { $0.hasPrefix(".") }
  }

  func status() throws(SystemError) -> stat {
    var status = stat()
    try check("fstat", path) { fstat(directory.raw, &status) }
    return status
  }

  /// Throws if no file can be created in the directory; creates one to find out.
  package func checkAccess() throws(SystemError) {
    try check("faccessat", path) { faccessat(directory.raw, ".", W_OK | X_OK, 0) }
    _ = try makeFile()
  }

  /// A file or folder without a name yet, or with a name that marks it as incomplete. Only the user has access to it.
  /// It is removed when it is released without a final name.
  final class Unnamed {
    package let descriptor: Descriptor
    private var temporaryName: FileName?
    private let folder: SaveFolder
    private let isFolder: Bool

    fileprivate init(
      _ descriptor: consuming Descriptor, _ temporaryName: FileName?, isFolder: Bool = false, in folder: SaveFolder
    ) {
      self.descriptor = descriptor
      self.temporaryName = temporaryName
      self.isFolder = isFolder
      self.folder = folder
    }

    deinit { if let temporaryName { FolderCopy.remove(temporaryName, in: folder.directory.raw) } }

    /// Gives the complete file its name, or the next free name: an existing file is never replaced.
    ///
    /// - Parameters:
    ///   - isExact: whether only this name is acceptable. If it is in use, nothing is kept.
    ///   - isMove: whether the source deletes its data afterwards: the data and the name are on the disk before. For
    ///     a folder the whole file system is synced in one call: with one call for each file, a folder of thousands
    ///     would wait for the disk thousands of times.
    /// - Returns: the path.
    func keep(as name: String, isExact: Bool = false, isMove: Bool = false) throws(SystemError) -> String {
      let wanted = "\(folder.path)/\(name)"
      if !isFolder {
        try DiskSync.check(folder.sync.file(descriptor.raw), "fsync", wanted)
      } else if isMove {
        try DiskSync.check(folder.sync.fileSystem(descriptor.raw), "syncfs", wanted)
      }
      let kept = try giveName(name, tries: isExact ? 1 : 9999)
      guard isMove else { return "\(folder.path)/\(kept)" }
      do {
        try DiskSync.check(folder.sync.file(folder.directory.raw), "fsync", folder.path)
      } catch {
        FolderCopy.remove(FileName(kept), in: folder.directory.raw)
        throw error
      }
      return "\(folder.path)/\(kept)"
    }

    /// - Returns: the name.
    private func giveName(_ name: String, tries: Int) throws(SystemError) -> String {
      for attempt in 1...tries {
        let candidate = attempt == 1 ? name : SaveFolder.numbered(name, attempt)
        let failed: Bool
        if let temporaryName {
          failed = clinux_rename_new(folder.directory.raw, temporaryName.bytes, candidate) != 0
        } else {
          failed = clinux_link_descriptor(descriptor.raw, folder.directory.raw, candidate) != 0
        }
        if !failed {
          temporaryName = nil
          return candidate
        }
        guard clinux_errno() == EEXIST else { break }
      }
      throw SystemError.last("rename", "\(folder.path)/\(name)")
    }
  }

  /// Inserts a number: `photo.png` → `photo (2).png`, `notes.tar.gz` → `notes (2).tar.gz`. If the name would become
  /// too long, it is shortened before the number.
  package static func numbered(_ name: String, _ n: Int) -> String {
    var stem = name[...]
    var ending = ""
    if let dot = name.lastIndex(of: "."), dot != name.startIndex {
      stem = name[..<dot]
      ending = String(name[dot...])
      // A compressed archive has two extensions.
      if stem.hasSuffix(".tar"), stem.utf8.count > 4 {
        stem = stem.dropLast(4)
        ending = ".tar" + ending
      }
    }
    let number = " (\(n))"
    // An extension of this length is not a real one.
    if ending.utf8.count + number.utf8.count >= Limits.nameBytes {
      stem = name[...]
      ending = ""
    }
    while stem.utf8.count + number.utf8.count + ending.utf8.count > Limits.nameBytes { stem = stem.dropLast() }
    return stem + number + ending
  }

  /// Creates a file to write to. If the file system supports it the file has no name, so that even a crash leaves no
  /// file behind.
  func makeFile() throws(SystemError) -> Unnamed {
    let nameless = clinux_openat(directory.raw, ".", clinux_o_tmpfile() | O_WRONLY | O_CLOEXEC, 0o600)
    if nameless >= 0 { return Unnamed(Descriptor(owning: nameless), nil, in: self) }
    for _ in 0..<100 {
      let name = Self.temporaryName()
      let fd = clinux_openat(directory.raw, name.bytes, O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY | O_CLOEXEC, 0o600)
      if fd >= 0 { return Unnamed(Descriptor(owning: fd), name, in: self) }
      guard clinux_errno() == EEXIST else { break }
    }
    throw SystemError.last("open", path)
  }

  /// Creates a folder to copy into.
  func makeFolder() throws(SystemError) -> Unnamed {
    for _ in 0..<100 {
      let name = Self.temporaryName()
      guard mkdirat(directory.raw, name.bytes, 0o700) == 0 else {
        guard clinux_errno() == EEXIST else { break }
        continue
      }
      let fd = clinux_openat(directory.raw, name.bytes, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0)
      guard fd >= 0 else { throw SystemError.last("open", path) }
      return Unnamed(Descriptor(owning: fd), name, isFolder: true, in: self)
    }
    throw SystemError.last("mkdir", path)
  }

  private static func temporaryName() -> FileName {
    FileName("\(incompletePrefix)\(getpid())-\(String(UInt32.random(in: 0 ... .max), radix: 16))\(incompleteSuffix)")
  }

  private static let (incompletePrefix, incompleteSuffix) = (".carry-", ".part")

  /// Whether a file or folder was still being written when its program ended. Saved files never have such names.
  static func isIncomplete(_ name: FileName) -> Bool {
    let bytes = name.bytes.dropLast().map { UInt8(bitPattern: $0) }
    return bytes.starts(with: incompletePrefix.utf8)
      && bytes.suffix(incompleteSuffix.utf8.count) == Array(incompleteSuffix.utf8)[...]
  }

  func checkRoom(for count: Int) throws { try FileCopy.checkRoom(for: count, on: directory.raw, path) }

  /// Opens a file that another program has saved here: a regular file of this user, with this name and no other. A
  /// link could point to a file that the program may not read. May wait for the file system.
  package func openSaved(_ name: String) throws(SystemError) -> Descriptor {
    let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    let file = Descriptor(owning: try check("open", name) { clinux_openat(directory.raw, name, flags, 0) })
    var status = stat()
    try check("fstat", name) { fstat(file.raw, &status) }
    guard status.st_mode & UInt32(S_IFMT) == UInt32(S_IFREG), status.st_uid == getuid(), status.st_nlink == 1 else {
      throw SystemError(code: EPERM, call: "open", subject: name)
    }
    return file
  }

  /// Removes a saved file, unless another file has the name by now.
  func remove(_ name: String, if isTheSame: (stat) -> Bool = { _ in true }) {
    var status = stat()
    guard fstatat(directory.raw, name, &status, AT_SYMLINK_NOFOLLOW) == 0, isTheSame(status) else { return }
    FolderCopy.remove(FileName(name), in: directory.raw)
  }
}
