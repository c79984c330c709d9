import CLinux
import CarryXdnd

/// The location of a file on this machine, as an item: `file:///home/ada/Lake.png` in `text/uri-list`. Only the path
/// is transferred. To hand over the file's content, use `ItemProvider(contentsOf:type:)`.
///
/// In a drop, another application has chosen the path: the file may not exist, and need not be what the user sees.
public struct FileLink: Hashable, Sendable {
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
    for line in XdndData.addresses(data, most: URIList.most) {
      if let link = String(validating: line, as: UTF8.self).flatMap({ FileLink(address: $0) }) {
        self = link
        return
      }
    }
    throw ItemDataError("the list has no file of this machine")
  }

  /// Creates a link from an address; nil for other addresses, such as those of other machines.
  ///
  /// A `file:` address has neither a query nor a fragment (RFC 8089), and many programs do not escape it: `#`, `?` and a `%`
  /// without two hexadecimal digits are characters of the name. This machine's own name counts as no host.
  public init?(address: String) { self.init(address: address, host: Self.ownHost) }

  /// - Parameter host: the name of this machine.
  package init?(address: String, host ownHost: String) {
    guard address.prefix(5).lowercased() == "file:" else { return nil }
    var rest = address.dropFirst(5)
    if rest.hasPrefix("//") {
      rest = rest.dropFirst(2)
      let host = rest.prefix { $0 != "/" }.lowercased()
      let own = ownHost.lowercased()
      guard ["", "localhost", "127.0.0.1", "[::1]", own, String(own.prefix { $0 != "." })].contains(host) else {
        return nil
      }
      rest = rest.dropFirst(host.count)
    }
    guard let path = String(validating: URIList.unescaped(rest), as: UTF8.self) else { return nil }
    self.init(path: path)
  }

  /// The name of this machine; empty if it has none.
  package static var ownHost: String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "" }
    return String(validating: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) ?? ""
  }
}
