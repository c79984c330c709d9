import CLinux
import CarryModel
import CarrySystem

/// A directory that drops are saved to. A file appears under its name only when it is complete.
final class DropFolder {
  let path: String
  private let directory: Descriptor

  /// - Throws: when the path is no directory, or when no file can be made there; one is made to find out.
  init(_ path: String) throws(Problem) {
    self.path = path
    do {
      directory = try Descriptor.open(path, O_RDONLY | O_DIRECTORY)
    } catch {
      guard !path.contains("\u{FFFD}") else {
        throw Problem("\(path): --to takes a directory whose name is UTF-8")
      }
      throw Problem(
        error.code == ENOTDIR || error.code == ENOENT
          ? "\(path): \(error.reason); --to takes a directory that exists" : error.sentence)
    }
    guard faccessat(directory.raw, ".", W_OK | X_OK, 0) == 0 else {
      throw Problem("\(path): \(String(cString: strerror(clinux_errno()))); nothing could be saved there")
    }
    do { _ = try makeFile() } catch { throw Problem("\(path): no file can be made there") }
  }

  /// A file that has no name yet.
  final class File {
    let descriptor: Descriptor
    fileprivate var temporaryName: String?
    fileprivate let folder: DropFolder

    fileprivate init(_ descriptor: consuming Descriptor, temporaryName: String?, folder: DropFolder) {
      self.descriptor = descriptor
      self.temporaryName = temporaryName
      self.folder = folder
    }

    deinit { if let temporaryName { unlinkat(folder.directory.raw, temporaryName, 0) } }

    /// Gives the complete file its name, or the next free name: an existing file is never replaced.
    ///
    /// - Returns: the path.
    func keep(as name: String) throws(Problem) -> String {
      if fsync(descriptor.raw) != 0, clinux_errno() != EINVAL {
        throw Problem("\(folder.path)/\(name): \(String(cString: strerror(clinux_errno())))")
      }
      for attempt in 1...9999 {
        let candidate = attempt == 1 ? name : Self.numbered(name, attempt)
        let failed: Bool
        if let temporaryName {
          failed = clinux_rename_new(folder.directory.raw, temporaryName, candidate) != 0
        } else {
          failed = clinux_link_descriptor(descriptor.raw, folder.directory.raw, candidate) != 0
        }
        if !failed {
          temporaryName = nil
          return "\(folder.path)/\(candidate)"
        }
        guard clinux_errno() == EEXIST else { break }
      }
      throw Problem("\(folder.path)/\(name): \(String(cString: strerror(clinux_errno())))")
    }

    /// `photo.png` → `photo (2).png`, `notes.tar.gz` → `notes (2).tar.gz`. A name that would become too long is
    /// shortened before the number.
    static func numbered(_ name: String, _ n: Int) -> String {
      var stem = name[...]
      var ending = ""
      if let dot = name.lastIndex(of: "."), dot != name.startIndex {
        stem = name[..<dot]
        ending = String(name[dot...])
        // A compressed archive has two endings.
        if stem.hasSuffix(".tar"), stem.utf8.count > 4 {
          stem = stem.dropLast(4)
          ending = ".tar" + ending
        }
      }
      let number = " (\(n))"
      // So long an ending is no real ending.
      if ending.utf8.count + number.utf8.count >= Limits.nameBytes {
        stem = name[...]
        ending = ""
      }
      while stem.utf8.count + number.utf8.count + ending.utf8.count > Limits.nameBytes { stem = stem.dropLast() }
      return stem + number + ending
    }
  }

  /// Makes a file to write to. Where the file system allows it the file has no name, so that even a crash leaves no
  /// file behind.
  func makeFile() throws(Problem) -> File {
    let nameless = clinux_openat(directory.raw, ".", clinux_o_tmpfile() | O_WRONLY | O_CLOEXEC, 0o600)
    if nameless >= 0 { return File(Descriptor(owning: nameless), temporaryName: nil, folder: self) }
    for attempt in 0..<100 {
      let name = ".carry-\(getpid())-\(attempt).part"
      let fd = clinux_openat(directory.raw, name, O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY | O_CLOEXEC, 0o600)
      if fd >= 0 { return File(Descriptor(owning: fd), temporaryName: name, folder: self) }
      guard clinux_errno() == EEXIST else { break }
    }
    throw Problem("\(path): \(String(cString: strerror(clinux_errno())))")
  }

  /// The name for data whose source suggests none.
  static func defaultName(for type: String) -> String {
    switch type.prefix(while: { $0 != ";" }) {
    case "text/plain": "text.txt"
    case "text/html": "text.html"
    case "text/uri-list": "links.txt"
    case "image/png": "image.png"
    case "image/jpeg": "image.jpg"
    case "application/pdf": "document.pdf"
    default: "data.bin"
    }
  }
}
