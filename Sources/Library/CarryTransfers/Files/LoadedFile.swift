/// A file or folder created by a load.
public struct LoadedFile: Sendable {
  /// The path of the file or folder.
  public let path: String
  /// Whether it is a folder.
  public let isFolder: Bool
  /// Bytes of the file, or of all files in the folder.
  public let byteCount: Int
  /// The entries of a folder that were left out, as paths inside it: devices, pipes and sockets, and links that point
  /// outside the folder. At most 100 are listed.
  public let leftOut: [String]
}
