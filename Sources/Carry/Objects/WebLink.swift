/// An address, such as `https://example.org/lake`, as an item: for those who take links, and as text.
public struct WebLink: ItemProviderWriting, ItemProviderReading, Hashable, Sendable {
  /// The address: a scheme and what follows it, without blanks; at most 65,536 bytes.
  public let address: String

  /// An address.
  ///
  /// - Returns: nil for text that is none: without a scheme such as `https:`, with blanks or control characters in it, or
  ///   longer than 65,536 bytes.
  public init?(_ address: String) {
    guard URIList.address(address.utf8) == address else { return nil }
    self.address = address
  }

  /// The address in a list, then as text.
  public static let writableTypesForItemProvider = ["text/uri-list", "text/plain;charset=utf-8", "text/plain"]
  /// The same.
  public static let readableTypesForItemProvider = ["text/uri-list", "text/plain;charset=utf-8", "text/plain"]

  /// The address in a list, or as it is.
  public func loadRepresentation(forType type: String) -> [UInt8] {
    type == "text/uri-list" ? URIList.write([address]) : Array(address.utf8)
  }

  /// Reads a list, of which the first address counts; or text, all of which must be an address that begins such as
  /// `https://` or `mailto:`.
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

  /// Whether a text is meant as an address: "note:later" is none.
  private static func isSurely(_ text: String) -> Bool {
    let lower = text.prefix(64).lowercased()
    return lower.contains("://") || lower.hasPrefix("mailto:") || lower.hasPrefix("tel:")
  }
}
