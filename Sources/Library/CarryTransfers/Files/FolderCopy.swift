import CLinux
import CarryModel
import CarrySystem

/// Copies a folder with everything in it, on a worker's thread.
///
/// Links that point inside the folder are copied as links; other links, devices, pipes and sockets are left out. Files
/// and folders have the permissions of the source's as far as the umask allows, and no file is executable, unless
/// attributes are kept.
final class FolderCopy {
  /// The bytes of all files so far.
  private(set) var bytes = 0
  /// The omitted entries: paths inside the folder.
  private(set) var leftOut: [String] = []
  private static let maxNamed = 100
  private let checkCancellation: () throws -> Void
  private let progress: (Int) -> Void
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 19, alignment: 4096)

  private let keepsAttributes: Bool
  /// Folders inside the source that are left out.
  private let avoided: [stat]

  /// - Parameters:
  ///   - keepsAttributes: whether files and folders keep their times and permissions.
  ///   - avoided: folders inside the source that are left out.
  init(
    keepsAttributes: Bool, avoided: [stat] = [], checkCancellation: @escaping () throws -> Void,
    progress: @escaping (Int) -> Void
  ) {
    self.keepsAttributes = keepsAttributes
    self.avoided = avoided
    self.checkCancellation = checkCancellation
    self.progress = progress
  }

  deinit { buffer.deallocate() }

  /// - Parameter target: an empty folder that nobody else has access to until the copy is complete.
  func copy(from source: CInt, to target: CInt) throws {
    try copy(from: FolderEntry.reopen(source), to: target, depth: 0, below: nil)
  }

  private func copy(from opened: consuming Descriptor, to target: CInt, depth: Int, below folder: FileName?) throws {
    guard depth <= FolderEntry.deepest else {
      throw LoadError(.local, "the folder has more than \(FolderEntry.deepest) levels")
    }
    let source = opened.raw
    try FolderEntry.each(of: opened) { entry in
      try checkCancellation()
      let path = folder.map { entry.name.below($0) } ?? entry.name
      switch entry.kind {
      case .file:
        guard let file = try entry.open(in: source) else { return leaveOut(path) }
        try copyFile(file.raw, entry, to: target)
      case .folder:
        guard let inner = try entry.open(in: source), !isAvoided(inner.raw) else { return leaveOut(path) }
        try check("mkdir", path.displayable) { mkdirat(target, entry.name.bytes, entry.mode & 0o777 | 0o700) }
        let made = Descriptor(
          owning: try check("open", path.displayable) {
            clinux_openat(target, entry.name.bytes, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0)
          })
        try copy(from: inner, to: made.raw, depth: depth + 1, below: path)
        keepAttributes(entry, of: made.raw)
      case .link:
        guard let to = entry.target(in: source, depth: depth) else { return leaveOut(path) }
        try check("symlink", path.displayable) { symlinkat(to.bytes, target, entry.name.bytes) }
      case .other:
        leaveOut(path)
      }
    }
  }

  private func isAvoided(_ folder: CInt) -> Bool {
    var status = stat()
    guard !avoided.isEmpty, fstat(folder, &status) == 0 else { return false }
    return avoided.contains { $0.st_dev == status.st_dev && $0.st_ino == status.st_ino }
  }

  /// Whether a folder is another one, or inside it: a copy there would copy itself.
  static func isInside(_ folder: CInt, _ other: CInt) throws -> Bool {
    var (outer, here) = (stat(), stat())
    try check("fstat") { fstat(other, &outer) }
    var walk = Descriptor(
      owning: try check("open") { clinux_openat(folder, ".", clinux_o_path() | O_DIRECTORY | O_CLOEXEC, 0) })
    try check("fstat") { fstat(walk.raw, &here) }
    while true {
      if here.st_dev == outer.st_dev, here.st_ino == outer.st_ino { return true }
      let below = (here.st_dev, here.st_ino)
      walk = Descriptor(
        owning: try check("open") { clinux_openat(walk.raw, "..", clinux_o_path() | O_DIRECTORY | O_CLOEXEC, 0) })
      try check("fstat") { fstat(walk.raw, &here) }
      // The root is its own parent.
      if (here.st_dev, here.st_ino) == below { return false }
    }
  }

  private func leaveOut(_ path: FileName) {
    if leftOut.count < Self.maxNamed { leftOut.append(path.displayable) }
  }

  private func keepAttributes(_ entry: FolderEntry, of fd: CInt) {
    guard keepsAttributes else { return }
    FileCopy.keepAttributes(mode: entry.mode, modified: entry.modified, of: fd)
  }

  private func copyFile(_ source: CInt, _ entry: FolderEntry, to folder: CInt) throws {
    let name = entry.name
    let target = Descriptor(
      owning: try check("open", name.displayable) {
        clinux_openat(
          folder, name.bytes, O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY | O_CLOEXEC,
          entry.mode & 0o666 | 0o200)
      })
    let before = bytes
    let size = PassedDescriptor.size(of: source) ?? 0
    var done = try FileCopy.copy(
      from: source, to: target.raw, size: size, isNew: true, checkCancellation: checkCancellation
    ) {
      try FileCopy.checkRoom(for: $0, on: folder, name.displayable)
    } copied: {
      count($0, after: before)
      progress(bytes)
    }
    while done < size {
      try checkCancellation()
      let n = try check("read", name.displayable) {
        pread(source, buffer.baseAddress, min(buffer.count, size - done), off_t(done))
      }
      // The file became shorter while it was copied, as files in use may.
      if n == 0 { break }
      try FileCopy.write(
        UnsafeRawBufferPointer(rebasing: buffer[..<n]), to: target.raw, checkCancellation: checkCancellation)
      done += n
      count(done, after: before)
      progress(bytes)
    }
    count(done, after: before)
    keepAttributes(entry, of: target.raw)
  }

  /// Saturates: sparse files that share blocks with the source may add up to more bytes than an `Int` can hold.
  private func count(_ done: Int, after before: Int) {
    let (sum, isTooLarge) = before.addingReportingOverflow(done)
    bytes = isTooLarge ? .max : sum
  }

  /// Removes a folder with everything in it; entries that cannot be removed remain.
  static func remove(_ name: FileName, in folder: CInt, depth: Int = 0) {
    // A copy that was too deep has one level more than is allowed.
    if unlinkat(folder, name.bytes, 0) == 0 || depth > FolderEntry.deepest + 4 { return }
    // The permissions of a copy may prevent even its owner from removing entries.
    let looked = clinux_openat(folder, name.bytes, clinux_o_path() | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0)
    guard looked >= 0 else { return }
    chmod("/proc/self/fd/\(looked)", 0o700)
    close(looked)
    let fd = clinux_openat(folder, name.bytes, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0)
    guard fd >= 0 else { return }
    try? FolderEntry.each(of: Descriptor(owning: fd)) { remove($0.name, in: fd, depth: depth + 1) }
    unlinkat(folder, name.bytes, AT_REMOVEDIR)
  }
}
