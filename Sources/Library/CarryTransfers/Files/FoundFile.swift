import CLinux
import CarryModel
package import CarrySystem

/// A file or folder that a source has opened to hand it over. Opening it may wait for its file system.
package final class FoundFile: Sendable {
  package enum Kind: Sendable {
    case file
    case folder
    /// The file itself, to be opened in place.
    case original(path: String)
    case neither
    case failed(SystemError)
  }

  package let kind: Kind
  /// -1 if it could not be opened.
  package let descriptor: CInt
  package let isForeign: Bool

  /// - Parameters:
  ///   - asOriginal: whether the destination may open the file in place.
  ///   - isForeign: whether another program has named the file. Its file system may block, so it is closed aside.
  package init(_ path: String, asOriginal: Bool, isForeign: Bool) {
    self.isForeign = isForeign
    if asOriginal, let (path, descriptor) = Self.original(path) {
      (kind, self.descriptor) = (.original(path: path), descriptor)
      return
    }
    do {
      let file = try Descriptor.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
      kind = Self.kind(of: file.raw)
      descriptor = file.release()
    } catch { (kind, descriptor) = (.failed(error), -1) }
  }

  /// A regular file that is already open.
  package init(copying fd: CInt) throws(SystemError) {
    (kind, isForeign) = (.file, false)
    descriptor = try check("fcntl") { clinux_dup_above(fd, 0) }
  }

  deinit {
    guard descriptor >= 0 else { return }
    if isForeign { AsideCloser.closeAlone(descriptor) } else { close(descriptor) }
  }

  private static func kind(of fd: CInt) -> Kind {
    if PassedDescriptor.isSafe(fd, .file) { return .file }
    return PassedDescriptor.isSafe(fd, .folder) ? .folder : .neither
  }

  /// The file itself, with its real path; nil if it cannot be opened in place.
  private static func original(_ path: String) -> (path: String, descriptor: CInt)? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    guard let path = String(validatingCString: real), path.utf8.count <= Limits.pathBytes else { return nil }
    let flags = O_NONBLOCK | O_NOCTTY
    guard let file = (try? Descriptor.open(path, O_RDWR | flags)) ?? (try? Descriptor.open(path, O_RDONLY | flags)),
      PassedDescriptor.isSafe(file.raw, .file)
    else { return nil }
    return (path, file.release())
  }
}
