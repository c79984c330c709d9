import CLinux
import CarrySystem

/// A file that a load has opened: the source's own, or a copy of it. It is closed, and the copy removed, when its owner lets
/// go of it.
public final class OpenedFile: Sendable {
  /// Where it is.
  public let path: String
  /// Open for reading, and for writing where `isWritable` says so. It belongs to this object: duplicate it to keep it.
  public let descriptor: Int32
  /// Whether it is the source's own file: what is written to it shows in the source. Otherwise it is a copy.
  public let isOriginal: Bool
  /// Whether the descriptor is open for writing, too.
  public let isWritable: Bool
  /// As it was when it was opened.
  package let byteCount: Int
  private let copy: TemporaryFolder?

  /// - Parameter status: of the file.
  init(_ file: consuming Descriptor, path: String, isOriginal: Bool, _ status: stat, copy: TemporaryFolder?) {
    isWritable = clinux_get_status_flags(file.raw) & O_ACCMODE == O_RDWR
    descriptor = file.release()
    byteCount = Int(status.st_size)
    self.path = path
    self.isOriginal = isOriginal
    self.copy = copy
    if isOriginal { ForeignPaths.note(path) }
  }

  /// The file system of the source's own file may be made to wait, and nobody waits with it.
  deinit {
    if isOriginal { AsideCloser.closeAlone(descriptor) } else { close(descriptor) }
  }
}
