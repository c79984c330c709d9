/// A file or folder that a load has made.
public struct LoadedFile: Sendable {
  /// Where it is.
  public let path: String
  /// Whether it is a folder.
  public let isFolder: Bool
  /// Bytes of the file, or of all files in the folder.
  public let byteCount: Int
  /// What of a folder was left out, as paths in it: devices, pipes and sockets, and links that lead out of the folder. At
  /// most 100 are named.
  public let leftOut: [String]
}
