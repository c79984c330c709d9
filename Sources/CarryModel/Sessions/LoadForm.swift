/// In which form a destination wants a representation; the numbers are the protocol's.
package enum LoadForm: UInt32, Equatable, Sendable {
  /// Bytes. The source sends a folder as a zip archive.
  case data = 0
  /// A file or folder, which the destination copies.
  case copy = 1
  /// The original file, to be opened where it is. A source that does not allow that provides a copy's form.
  case original = 2
}
