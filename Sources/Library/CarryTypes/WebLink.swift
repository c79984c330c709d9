/// An address, such as `https://example.org/lake`, as an item: as a link, and as text.
public struct WebLink: Hashable, Sendable {
  /// The address: a scheme and the rest, without blanks; at most 65,536 bytes.
  public let address: String

  /// Creates a link from an address.
  ///
  /// - Returns: nil for text that is not an address: without a scheme such as `https:`, with blanks or control
  ///   characters, or longer than 65,536 bytes.
  public init?(_ address: String) {
    guard URIList.address(address.utf8) == address else { return nil }
    self.address = address
  }

  /// A URI list, then text.
  public static let writableTypesForItemProvider = ["text/uri-list", "text/plain;charset=utf-8", "text/plain"]
  /// The same types.
  public static let readableTypesForItemProvider = ["text/uri-list", "text/plain;charset=utf-8", "text/plain"]

  /// Returns the address in a list, or as text.
  public func loadRepresentation(forType type: String) -> [UInt8] {
    type == "text/uri-list" ? URIList.write([address]) : Array(address.utf8)
  }

  /// Reads the first address of a list; or text that consists of one address beginning with, for example, `https://`
  /// or `mailto:`.
  ///
  /// - Throws: `ItemDataError` if there is no address.
  public init(itemProviderData data: [UInt8], type: String) throws {
    if type == "text/uri-list" {
      guard let first = URIList.read(data).first else { throw ItemDataError("the list has no address") }
      address = first
    } else {
      guard let text = URIList.address(data), Self.isSurely(text) else { throw ItemDataError("the text is no address") }
      address = text
    }
  }

  /// Whether a text is meant as an address: "note:later" is not.
  private static func isSurely(_ text: String) -> Bool {
    let lower = text.prefix(64).lowercased()
    return lower.contains("://") || lower.hasPrefix("mailto:") || lower.hasPrefix("tel:")
  }
}
