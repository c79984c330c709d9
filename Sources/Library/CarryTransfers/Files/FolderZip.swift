import CArchive
import CLinux
import CarryModel
import CarrySystem

/// Writes a folder as a zip archive, on a worker's thread: the folder is the archive's only top-level entry.
///
/// Links that point inside the folder are written as links. Other links, devices, pipes and sockets are left out.
package struct FolderZip {
  private final class Output {
    let write: (UnsafeRawBufferPointer) throws -> Void
    var problem: (any Error)?
    init(_ write: @escaping (UnsafeRawBufferPointer) throws -> Void) { self.write = write }
  }

  private let zip: OpaquePointer
  private let output: Output
  private let isMove: Bool

  /// Writes the archive.
  ///
  /// - Parameters:
  ///   - folder: open for reading.
  ///   - name: the name of the top-level entry.
  ///   - isMove: whether the folder is removed afterwards: an entry that cannot be written is then an error.
  ///   - output: receives the parts of the archive.
  package static func write(
    _ folder: CInt, as name: String, isMove: Bool = false, to output: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    // Names are UTF-8, independent of the program's locale.
    _ = clinux_use_utf8_in_thread()
    let output = Output(output)
    let made = carchive_zip_new(
      { data, bytes, count in
        guard let data else { return -1 }
        let output = Unmanaged<Output>.fromOpaque(data).takeUnretainedValue()
        do { try output.write(UnsafeRawBufferPointer(start: bytes, count: count)) } catch {
          output.problem = error
          return -1
        }
        return count
      }, Unmanaged.passUnretained(output).toOpaque())
    guard let made else {
      throw LoadError(
        .local, "a folder cannot be sent as a zip archive: libarchive.so.13 is not there; install libarchive13")
    }
    let writer = FolderZip(zip: made, output: output, isMove: isMove)
    defer { carchive_zip_free(made) }
    let top = FileName(name)
    var status = stat()
    try check("fstat", name) { fstat(folder, &status) }
    try writer.begin(top, status.st_mode, 0, status.st_mtim, nil)
    try writer.add(FolderEntry.reopen(folder), below: top, depth: 0)
    try writer.demand(carchive_zip_finish(made), top)
    withExtendedLifetime(output) {}
  }

  private init(zip: OpaquePointer, output: Output, isMove: Bool) {
    self.zip = zip
    self.output = output
    self.isMove = isMove
  }

  private func demand(_ result: CInt, _ path: FileName) throws {
    guard result != 0 else { return }
    if let problem = output.problem { throw problem }
    throw LoadError(.local, "\(path.displayable): \(String(cString: carchive_zip_error(zip)))")
  }

  private func begin(
    _ path: FileName, _ mode: UInt32, _ size: Int, _ modified: timespec, _ target: FileName?
  ) throws {
    let result =
      if let target {
        carchive_zip_entry(zip, path.bytes, mode, Int64(size), Int64(modified.tv_sec), target.bytes)
      } else {
        carchive_zip_entry(zip, path.bytes, mode, Int64(size), Int64(modified.tv_sec), nil)
      }
    try demand(result, path)
  }

  private func add(_ opened: consuming Descriptor, below path: FileName, depth: Int) throws {
    guard depth <= FolderEntry.deepest else {
      throw LoadError(.local, "the folder has more than \(FolderEntry.deepest) levels")
    }
    let folder = opened.raw
    try FolderEntry.each(of: opened) { entry in
      let path = entry.name.below(path)
      switch entry.kind {
      case .file:
        guard let file = try entry.open(in: folder) else { return try leaveOut(path) }
        try addFile(file.raw, entry, path)
      case .folder:
        guard let inner = try entry.open(in: folder) else { return try leaveOut(path) }
        try begin(path, entry.mode, 0, entry.modified, nil)
        try add(inner, below: path, depth: depth + 1)
      case .link:
        guard let target = entry.target(in: folder, depth: depth) else { return try leaveOut(path) }
        try begin(path, entry.mode, 0, entry.modified, target)
      case .other:
        try leaveOut(path)
      }
    }
  }

  private func leaveOut(_ path: FileName) throws {
    guard isMove else { return }
    throw LoadError(.local, "\(path.displayable) cannot be moved: it is no file, folder or link to one of them")
  }

  private func addFile(_ fd: CInt, _ entry: FolderEntry, _ path: FileName) throws {
    let size = PassedDescriptor.size(of: fd) ?? 0
    try begin(path, entry.mode, size, entry.modified, nil)
    try FileCopy.read(fd, size: size, path.displayable) {
      try demand(carchive_zip_data(zip, $0.baseAddress!, $0.count), path)
    }
  }
}
