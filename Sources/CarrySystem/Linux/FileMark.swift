import CLinux

/// Which file it is, whatever its name: two paths of one file have equal marks.
package struct FileMark: Hashable, Sendable {
  package var device: UInt64
  package var file: UInt64

  package init(device: UInt64, file: UInt64) {
    self.device = device
    self.file = file
  }

  /// The file at a path now; nil where there is none. Links are followed. It may wait for the path's file system, so it is
  /// for paths that an administrator has named.
  package init?(ofPath path: String) {
    guard let fd = try? Descriptor.open(path, clinux_o_path()), let known = Known(fd.raw) else { return nil }
    self = known.mark
  }

  /// The file at a path now; nil where there is none, or a link leads there.
  package init?(ofPathWithoutLinks path: String) {
    guard let fd = try? Descriptor.open(withoutLinks: path, clinux_o_path()), let known = Known(fd.raw) else {
      return nil
    }
    self = known.mark
  }

  /// What the kernel knows of an open file without asking the file's file system, which may be one that never answers.
  package struct Known: Equatable, Sendable {
    package let mark: FileMark
    /// How many names the file has; none where it was replaced or removed.
    package let names: UInt32
    package let owner: UInt32
    package let isRegular: Bool

    package init?(_ fd: CInt) {
      var found = clinux_mark()
      guard clinux_file_mark(fd, &found) == 0 else { return nil }
      mark = FileMark(device: found.device, file: found.file)
      names = found.links
      owner = found.owner
      isRegular = found.mode & UInt32(S_IFMT) == UInt32(S_IFREG)
    }
  }
}
