import CLinux

/// The media types that file systems suggest.
package enum FileType {
  /// The type of a folder.
  package static let folder = "inode/directory"

  /// The type that a file's name suggests; `application/octet-stream` if it suggests none.
  package static func guess(_ path: String) -> String {
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & UInt32(S_IFMT) == UInt32(S_IFDIR) { return folder }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return TypeDatabase.guess(name)
  }
}
