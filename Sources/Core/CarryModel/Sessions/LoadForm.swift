/// The form in which a destination requests a representation. The raw values are the protocol's.
package enum LoadForm: UInt32, Equatable, Codable, Sendable {
  /// Bytes. The source sends a folder as a zip archive.
  case data = 0
  /// A file or folder, which the destination copies.
  case copy = 1
  /// The original file, to be opened in place. A source that does not allow that provides the form of a copy.
  case original = 2
  /// As `data`, for a program in a sandbox: memory, a stream or a ring. A file is refused, since a program can open the
  /// file of a descriptor again for writing (/proc/self/fd).
  case sandboxed = 3
}
