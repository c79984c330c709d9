/// The location of a file on this machine, as an item: `file:///home/ada/Lake.png` in `text/uri-list`. Only the path
/// is transferred. To hand over the file's content, use `ItemProvider(contentsOf:type:)`.
///
/// In a drop, another application has chosen the path: the file may not exist, and need not be what the user sees.
public struct FileLink: ItemProviderWriting, ItemProviderReading, Hashable, Sendable {
  /// The absolute path, unescaped.
  public let path: String

  /// Creates a link from a path.
  ///
  /// - Returns: nil for a path that does not begin with a slash, contains a zero, or is longer than 4,096 bytes.
  public init?(path: String) {
    guard path.hasPrefix("/"), path.utf8.count <= 4096, !path.utf8.contains(0) else { return nil }
    self.path = path
  }

  /// The address, such as `file:///home/ada/Lake%201.png`.
  public var address: String { "file://" + URIList.escaped(path.utf8) }

  /// `text/uri-list`.
  public static let writableTypesForItemProvider = ["text/uri-list"]
  /// `text/uri-list`.
  public static let readableTypesForItemProvider = ["text/uri-list"]

  /// Returns a list with the address.
  public func loadRepresentation(forType type: String) -> [UInt8] { URIList.write([address]) }

  /// Reads the first file address of a list.
  ///
  /// - Throws: `ItemDataError` if no address in the list is that of a file on this machine.
  public init(itemProviderData data: [UInt8], type: String) throws {
    for address in URIList.read(data) {
      if let link = FileLink(address: address) {
        self = link
        return
      }
    }
    throw ItemDataError("the list has no file of this machine")
  }

  /// Creates a link from an address; nil for other addresses, such as those of other machines.
  public init?(address: String) {
    guard address.prefix(5).lowercased() == "file:" else { return nil }
    var rest = address.dropFirst(5)
    if rest.hasPrefix("//") {
      rest = rest.dropFirst(2)
      let host = rest.prefix { $0 != "/" }
      guard host.isEmpty || host.lowercased() == "localhost" else { return nil }
      rest = rest.dropFirst(host.count)
    }
    guard let bytes = URIList.unescaped(rest.prefix { $0 != "?" && $0 != "#" }),
      let path = String(validating: bytes, as: UTF8.self)
    else { return nil }
    self.init(path: path)
  }
}
