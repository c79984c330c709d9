package import CLinux
package import CarrySystem

/// A file that a load has opened: the source's own, or a copy of it. When the object is released, the file is closed,
/// and a copy removed.
public final class OpenedFile: Sendable {
  /// The path of the file.
  public let path: String
  /// Open for reading, and for writing if `isWritable` is true. Owned by this object: duplicate it to keep it.
  public let descriptor: Int32
  /// Whether it is the source's own file: the source sees everything written to it. Otherwise it is a copy.
  public let isOriginal: Bool
  /// Whether the descriptor is also open for writing.
  public let isWritable: Bool
  /// The size when the file was opened.
  package let byteCount: Int
  private let copy: TemporaryFolder?

  /// - Parameter status: the status of the file.
  package init(_ file: consuming Descriptor, path: String, isOriginal: Bool, _ status: stat, copy: TemporaryFolder?) {
    isWritable = clinux_get_status_flags(file.raw) & O_ACCMODE == O_RDWR
    descriptor = file.release()
    byteCount = Int(status.st_size)
    self.path = path
    self.isOriginal = isOriginal
    self.copy = copy
  }

  /// The file system of the source's own file may block: the file is closed on another thread.
  deinit {
    if isOriginal { AsideCloser.closeAlone(descriptor) } else { close(descriptor) }
  }
}
