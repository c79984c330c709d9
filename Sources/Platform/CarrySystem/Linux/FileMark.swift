import CLinux

/// Identifies a file regardless of its name: two paths of one file have equal marks.
package struct FileMark: Hashable, Sendable {
  package var device: UInt64
  package var file: UInt64

  package init(device: UInt64, file: UInt64) {
    self.device = device
    self.file = file
  }

  /// The file at a path; nil if there is none. Follows links. May wait for the path's file system, so use it only for
  /// paths named by an administrator.
  package init?(ofPath path: String) {
    guard let fd = try? Descriptor.open(path, clinux_o_path()), let known = Known(fd.raw) else { return nil }
    self = known.mark
  }

  /// What the kernel knows of an open file without accessing its file system, which may have stopped responding.
  package struct Known: Equatable, Sendable {
    package let mark: FileMark
    /// The number of the file's links; 0 if it was replaced or removed.
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
